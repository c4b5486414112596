//! The arguments of a command along the row of its program: flags, operands, and what it starts.

use hookc_base::json::key_order;

use super::super::arena::{Token, Words, long, short};
use super::super::tables::facts::Sub;
use super::super::tables::model::{Operand, OptionArgument};
use super::super::tables::{Options, Program};
use super::command::Starter;
use super::inner::is_setting;
use super::state::Place;
use super::{Done, Flag, FlagName, Walk};

/// What the arguments of a command say.
#[derive(Default)]
pub(super) struct Call {
    /// The first name of the program's entry.
    pub(super) kind: &'static str,
    pub(super) verb: Option<&'static Options>,
    pub(super) sub: Option<Token>,
    /// The subcommand is determined.
    pub(super) chosen: bool,
    pub(super) operands: Vec<(u32, Token)>,
    /// Code in options, and the option.
    pub(super) codes: Vec<(Token, String)>,
    pub(super) loads: Vec<Token>,
    pub(super) folder: Option<Token>,
    pub(super) env: Vec<Token>,
    pub(super) first_is_code: bool,
    pub(super) coded: bool,
    pub(super) module: bool,
    pub(super) reads_input: bool,
    /// Its operands are a program and its arguments, without a shell.
    pub(super) direct: bool,
    /// Words after an option that are a command: `find -exec`.
    pub(super) commands: Vec<(Words, String)>,
    /// The first word of the command that is started.
    pub(super) command: Option<u32>,
    pub(super) split: Option<Token>,
    pub(super) replaces: Option<Token>,
    /// Options by which nothing is started.
    pub(super) idle: bool,
    pub(super) git: Vec<Token>,
}

impl Walk<'_> {
    pub(super) fn arguments(
        &mut self,
        at: usize,
        program: Option<&'static Program>,
        name: &str,
        words: Words,
    ) -> Done<()> {
        let from = short(self.flags.len());
        let mut call = Call {
            kind: program.map_or("", Program::kind),
            operands: self.lists.pop().unwrap_or_default(),
            chosen: program.is_none_or(|program| program.sub() == Sub::None),
            ..Call::default()
        };
        let (mut next, mut ended) = (1, false);
        self.step(long(words.len) / 4)?;
        while next < words.len {
            let Some(word) = self.arena.word(words, next) else { break };
            let here = next;
            next += 1;
            let first = self.arena.text(word).as_bytes();
            match (first.first(), first.len()) {
                (Some(b'-'), 2) if !ended && first == b"--" => ended = true,
                (Some(b'-'), 2..) if !ended && name != "echo" && name != "[" && name != "test" => {
                    next = self.option(word, next, words, program, &mut call)?;
                }
                (Some(b'+' | b'(' | b'!' | b','), _)
                    if !ended
                        && program.is_some_and(|program| {
                            program.options().takes(self.arena.text(word)).is_some()
                        }) => {}
                _ => {
                    if self.operand(word, here, program, &mut call) {
                        break;
                    }
                    if let Some(program) = program
                        && program.row().is_some_and(|row| !row.permutes)
                        && program.sub() == Sub::None
                        && !call.operands.is_empty()
                    {
                        ended = true;
                    }
                }
            }
        }
        if let Some(Sub::Verb(verbs)) = program.map(Program::sub) {
            self.choose(verbs, &mut call);
        }
        let operands = short(self.operands.len());
        self.operands.extend(call.operands.iter().map(|(_, word)| *word));
        if let Some(first) = call.command {
            self.operands.extend_from_slice(self.arena.words(words.skip(first)));
        }
        self.sort_flags(from);
        let ends = (short(self.flags.len()), short(self.operands.len()));
        if let Some(seen) = self.commands.get_mut(at) {
            seen.sub = call.sub;
            seen.flags = (from, ends.0);
            seen.operands = (operands, ends.1);
        }
        match program {
            Some(program) => self.effects(at, program, name, words, &call)?,
            None => self.unlisted(name, words)?,
        }
        if call.operands.capacity() <= 256 {
            call.operands.clear();
            self.lists.push(call.operands);
        }
        Ok(())
    }

    /// Sorts the flags from `from` on, as the view has them.
    fn sort_flags(&mut self, from: u32) {
        let arena = &self.arena;
        let text = |flag: &Flag| match flag.name {
            FlagName::Text(token) => arena.text(token),
            FlagName::Static(text) => text,
        };
        if let Some(own) = self.flags.get_mut(long(from)..).filter(|own| own.len() > 1) {
            own.sort_by(|a, b| key_order(text(a), text(b)));
        }
    }

    /// A program that the policy declares a wrapper.
    pub(super) fn unlisted(&mut self, name: &str, words: Words) -> Done<()> {
        if !self.wrappers.contains(&name) {
            return Ok(());
        }
        let all = self.arena.words(words.skip(1));
        let at = all.iter().position(|word| !self.arena.text(*word).starts_with('-'));
        match at {
            Some(at) => self.started(words.skip(short(at + 1)), name, Starter::Program, false),
            None => Ok(()),
        }
    }

    pub(super) fn takes(
        &self,
        option: &str,
        program: Option<&'static Program>,
        call: &Call,
    ) -> Option<OptionArgument> {
        call.verb.and_then(|verb| verb.takes(option)).or_else(|| program?.options().takes(option))
    }

    pub(super) fn flag(
        &mut self,
        name: FlagName,
        value: Option<Token>,
        program: Option<&'static Program>,
        call: &Call,
    ) {
        self.flags.push(Flag { name, value });
        let Some(program) = program else { return };
        let text = match name {
            FlagName::Text(token) => self.arena.text(token),
            FlagName::Static(text) => text,
        };
        let verb = call.verb.into_iter().flat_map(|verb| verb.same(text));
        let same = verb.chain(program.options().same(text));
        self.flags.extend(same.map(|name| Flag { name: FlagName::Static(name), value }));
    }

    /// An option; returns the position of the next word.
    fn option(
        &mut self,
        word: Token,
        next: u32,
        words: Words,
        program: Option<&'static Program>,
        call: &mut Call,
    ) -> Done<u32> {
        let text = self.copy_text(word);
        let done = self.option_of(&text, word, (next, words), program, call);
        self.reuse(text);
        done
    }

    fn option_of(
        &mut self,
        text: &str,
        word: Token,
        (next, words): (u32, Words),
        program: Option<&'static Program>,
        call: &mut Call,
    ) -> Done<u32> {
        let long_dash = program.is_some_and(Program::long_dash);
        let is_long = text.starts_with("--");
        if is_long || long_dash {
            let (option, joined) = match text.split_once('=') {
                Some((option, _)) => (option, true),
                None => (text, false),
            };
            let mut takes = self.takes(option, program, call);
            let mut own = None;
            if takes.is_none() && is_long && long_dash {
                takes = option.get(1..).and_then(|option| self.takes(option, program, call));
            }
            if takes.is_none() && is_long {
                let near = call.verb.and_then(|verb| verb.abbreviated(option));
                let near = near.or_else(|| program?.options().abbreviated(option));
                if let Some((full, kind)) = near {
                    (own, takes) = (Some(full.trim_start_matches('-')), Some(kind));
                }
            }
            let dashes = if is_long { 2 } else { 1 };
            let name_of = match own {
                Some(name) => FlagName::Static(name),
                None => FlagName::Text(self.arena.slice(word, dashes, option.len())),
            };
            let takes = takes.unwrap_or(OptionArgument::Nothing);
            if joined {
                let value = self.arena.slice(word, option.len() + 1, text.len());
                self.flag(name_of, Some(value), program, call);
                return self.taken(takes, option, Some(value), (next, words), call);
            }
            if is_long
                || takes != OptionArgument::Nothing
                || program.is_some_and(|program| program.options().takes(option).is_some())
                || long_dash && !is_cluster(text)
            {
                return self.separate(takes, option, name_of, (next, words), program, call);
            }
        }
        for (at, letter) in text.char_indices().skip(1) {
            let (mut bytes, behind) = ([b'-', 0, 0, 0, 0], at + letter.len_utf8());
            if let Some((_, rest)) = bytes.split_first_mut() {
                letter.encode_utf8(rest);
            }
            let option = bytes.get(..=letter.len_utf8()).and_then(|bytes| str::from_utf8(bytes).ok());
            let option = option.unwrap_or("-");
            let takes = self.takes(option, program, call).unwrap_or(OptionArgument::Nothing);
            let name_of = FlagName::Text(self.arena.slice(word, at, behind));
            let is_flag = matches!(
                takes,
                OptionArgument::Nothing
                    | OptionArgument::FirstIsCode
                    | OptionArgument::AllAreCode
                    | OptionArgument::Prefix
            );
            if is_flag
                || matches!(takes, OptionArgument::Joined | OptionArgument::Digits) && behind == text.len()
            {
                self.flag(name_of, None, program, call);
                self.taken(takes, option, None, (next, words), call)?;
                continue;
            }
            if behind < text.len() {
                let value = self.arena.slice(word, behind, text.len());
                let value = match self.arena.text(value).strip_prefix('=') {
                    Some(_) if call.kind != "cut" => self.arena.slice(word, behind + 1, text.len()),
                    _ => value,
                };
                self.flag(name_of, Some(value), program, call);
                return self.taken(takes, option, Some(value), (next, words), call);
            }
            return self.separate(takes, option, name_of, (next, words), program, call);
        }
        Ok(next)
    }

    /// An option whose value, if it takes one, is the next word.
    pub(super) fn separate(
        &mut self,
        takes: OptionArgument,
        option: &str,
        name_of: FlagName,
        (next, words): (u32, Words),
        program: Option<&'static Program>,
        call: &mut Call,
    ) -> Done<u32> {
        let is_flag = matches!(
            takes,
            OptionArgument::Nothing
                | OptionArgument::Joined
                | OptionArgument::Digits
                | OptionArgument::FirstIsCode
                | OptionArgument::AllAreCode
                | OptionArgument::Prefix
                | OptionArgument::Command
        );
        let value = if is_flag { None } else { self.arena.word(words, next) };
        self.flag(name_of, value, program, call);
        let count = match takes {
            OptionArgument::Data(2) | OptionArgument::NameAndValue => 2,
            _ => u32::from(value.is_some()),
        };
        self.taken(takes, option, value, (next + count, words), call)
    }

    /// What an option with its value means; returns the position of the next word.
    pub(super) fn taken(
        &mut self,
        takes: OptionArgument,
        option: &str,
        value: Option<Token>,
        (next, words): (u32, Words),
        call: &mut Call,
    ) -> Done<u32> {
        let is_filter =
            call.kind == "git" && option.ends_with("-filter") && option != "--subdirectory-filter";
        match (takes, value) {
            (OptionArgument::Code | OptionArgument::LastCode, Some(value)) => {
                call.codes.push((value, option.to_owned()));
                call.coded = true;
            }
            (OptionArgument::Program, Some(value)) => call.loads.push(value),
            (OptionArgument::Folder, Some(value)) => call.folder = Some(value),
            (OptionArgument::Variable, Some(value)) => call.env.push(value),
            (OptionArgument::Words, Some(value)) => call.split = Some(value),
            (OptionArgument::Module, _) => {
                call.module = true;
                call.command = Some(next.saturating_sub(1));
                return Ok(words.len);
            }
            (OptionArgument::FirstIsCode, _) => call.first_is_code = true,
            (OptionArgument::Command, _) => {
                let all = self.arena.words(words.skip(next));
                let ends = |word: &Token| matches!(self.arena.text(*word), ";" | "+");
                let end = short(all.iter().position(ends).unwrap_or(all.len()));
                call.commands.push((words.skip(next).take(end), option.to_owned()));
                return Ok(next + end + 1);
            }
            _ if is_filter => call.codes.extend(value.map(|value| (value, option.to_owned()))),
            _ => {}
        }
        match (call.kind, option) {
            ("git", "-c") => call.git.extend(value),
            ("xargs", "-I" | "-J" | "-i" | "--replace") => {
                call.replaces = Some(match value {
                    Some(value) => value,
                    None => self.text("{}"),
                });
            }
            ("command", "-v" | "-V") => call.idle = true,
            ("watch", "-x" | "--exec") => call.direct = true,
            ("sudo" | "doas", "-l" | "-e" | "-v" | "-K" | "-k" | "--list" | "--edit" | "--validate") => {
                call.idle = true
            }
            ("sudo" | "doas", "-s") => call.reads_input = true,
            ("sudo", "-i" | "--login" | "--shell") => call.reads_input = true,
            _ => {}
        }
        Ok(next)
    }

    /// An operand; whether the rest of the words is not of this program.
    pub(super) fn operand(
        &mut self,
        word: Token,
        here: u32,
        program: Option<&'static Program>,
        call: &mut Call,
    ) -> bool {
        let Some(program) = program else {
            call.operands.push((here, word));
            return false;
        };
        if !call.chosen {
            match program.sub() {
                Sub::First(groups) => {
                    let text = self.arena.literal(word);
                    call.sub = text.is_some().then_some(word);
                    let text = text.unwrap_or_default();
                    if call.kind == "cargo" && text.starts_with('+') {
                        call.sub = None;
                        return false;
                    }
                    call.verb = program.verb(text);
                    // `dotenv run` of one program, and `dotenv` of another, start the words behind.
                    if call.kind == "dotenv" && call.verb.is_none() {
                        (call.sub, call.command) = (None, Some(here));
                        return true;
                    }
                    call.chosen = !groups.split_ascii_whitespace().any(|group| group == text);
                    return false;
                }
                Sub::Second if call.sub.is_none() => {
                    call.sub = Some(word);
                    return false;
                }
                Sub::Second => {
                    call.sub = self.arena.is_known(word).then_some(word);
                    call.chosen = true;
                    return false;
                }
                _ => {}
            }
        }
        let verb = call.verb.filter(|verb| verb.row.is_some());
        let own = program.row().filter(|row| row.verbs.is_empty()).map(|_| program.options());
        let Some(options) = verb.or(own) else {
            call.operands.push((here, word));
            return false;
        };
        if options.sets && call.operands.is_empty() && is_setting(self.arena.text(word)) {
            call.env.push(word);
            return false;
        }
        if options.operand(call.operands.len()) == Operand::Command {
            call.command = Some(here);
            return true;
        }
        call.operands.push((here, word));
        false
    }

    /// The subcommand among operands that are groups, services and names.
    pub(super) fn choose(&mut self, verbs: &str, call: &mut Call) {
        let is = |walk: &Self, word: Token| {
            let text = walk.arena.text(word);
            verbs.split_ascii_whitespace().any(|verb| verb == text)
        };
        let at = call.operands.iter().position(|(_, word)| is(self, *word));
        let at = at.or_else(|| (!call.operands.is_empty()).then_some(0));
        if let Some(at) = at {
            call.sub = call.operands.get(at).map(|(_, word)| *word);
            call.operands.drain(..=at);
        }
    }

    pub(super) fn effects(
        &mut self,
        at: usize,
        program: &'static Program,
        name: &str,
        words: Words,
        call: &Call,
    ) -> Done<()> {
        if program.elsewhere || call.idle {
            return Ok(());
        }
        if call.kind == "git" {
            return self.git(at, words, call);
        }
        let more = self.commands.get(at).is_some_and(|seen| seen.more);
        if program.shell {
            return self.shell(at, name, words, call, more);
        }
        if program.interpreter {
            return self.interpreter(at, program, name, words, call);
        }
        let codes = call.codes.iter().filter(|_| !NOT_SHELL.contains(&call.kind));
        for (code, option) in codes {
            if IMPLICIT_SHELL.contains(&call.kind) {
                self.implicit_shell(name, *code)?;
                continue;
            }
            let label = format!("{name} {option}");
            self.code(Some(at), *code, &label, Some(Words::default()))?;
        }
        for (inner, option) in &call.commands {
            let inner = self.replaced(*inner, "{}");
            self.started(inner, &format!("{name} {option}"), Starter::Program, false)?;
        }
        match call.kind {
            "watch" => {
                let all: Vec<Token> = call.operands.iter().map(|(_, word)| *word).collect();
                let all = self.arena.list(&all);
                if call.direct {
                    return self.started(all, name, Starter::Program, false);
                }
                if let Some(code) = self.join(all).filter(|_| all.len > 0) {
                    self.implicit_shell(name, code)?;
                }
                return Ok(());
            }
            "parallel" | "sem" => return self.parallel(at, name, words),
            _ => {}
        }
        let row = call.verb.and_then(|verb| verb.row).or_else(|| program.row());
        let command = match call.command {
            None if row.is_some_and(|row| row.operands == "dashed") => {
                let dashes = self.arena.words(words).iter().position(|word| self.arena.text(*word) == "--");
                dashes.map(|dashes| short(dashes + 1))
            }
            command => command,
        };
        let place = self.state.place;
        if let Some(folder) = call.folder {
            let dir = self.moved(folder);
            self.state.place = Place { dir, other: None };
        }
        let before = words.take(command.unwrap_or_default()).skip(1);
        self.loose |= self.arena.words(before).iter().any(|word| !word.quoted && !self.arena.is_known(*word));
        let inner = match (call.split, command) {
            (Some(split), command) => Some(self.split(split, command.map(|at| words.skip(at)))),
            (None, Some(first)) => Some(words.skip(first)),
            (None, None) => None,
        };
        match inner {
            Some(inner) => self.inner_command(name, inner, call, more)?,
            // `xargs` with nothing to start runs `echo`.
            None if call.kind == "xargs" && !more => {}
            None if more && (call.kind == "xargs" || starts(program)) => self.opaque(0),
            None if call.reads_input || DEFAULT_SHELL.contains(&call.kind) && !call.coded => {
                self.input_is_code(at, name, true)?;
            }
            None => {}
        }
        self.state.place = place;
        Ok(())
    }
}

/// Programs whose options are code of another language, or settings.
const NOT_SHELL: [&str; 10] =
    ["gdb", "lldb", "cgdb", "strace", "xvfb-run", "systemd-run", "rlwrap", "hg", "svn", "valgrind"];

/// Programs that pass code to a shell that no word names: `sh`, or that of the user.
const IMPLICIT_SHELL: [&str; 4] = ["su", "sg", "script", "flock"];

/// Programs that start a shell if there is nothing else to start.
const DEFAULT_SHELL: [&str; 7] = ["su", "script", "run0", "chroot", "unshare", "nsenter", "nix-shell"];

/// Whether a word of a program with long options after one dash is several letters.
fn is_cluster(text: &str) -> bool {
    text.len() <= 2
}

fn starts(program: &Program) -> bool {
    program.row().is_some_and(|row| row.operands.ends_with("command"))
}
