//! The arguments of a command along the row of its program: flags and operands.

use hookc_base::json::key_order;

use super::super::programs::Sub;
use super::super::programs::{If, Operand, OptionArgument, Options, Program, Role, Row, operand};
use super::super::token::{Token, Words, long, short};
use super::inner_command::is_variable;
use super::{Done, Flag, Walk};

/// What the arguments of a command say.
#[derive(Default)]
pub(super) struct Arguments {
    pub(super) program: Option<&'static Program>,
    /// The first name of the program's entry.
    pub(super) kind: &'static str,
    pub(super) verb: Option<&'static Options<'static>>,
    /// The row below that of its subcommand: that of `git submodule add`.
    nested: Option<&'static Options<'static>>,
    pub(super) sub: Option<Token>,
    /// The word in the place of the subcommand.
    sub_at: u32,
    /// The word that is read.
    pub(super) at: u32,
    next: Next,
    /// All words that are left are operands.
    pub(super) is_over: bool,
    /// The group that was read last.
    group: Option<&'static str>,
    /// The word of the group in front of its subcommand.
    group_at: u32,
    /// What is different with its flags.
    ifs: Vec<&'static If>,
    /// What its operands are, if its first one says so.
    kinds: Option<Vec<Operand>>,
    /// Where its operands start in [`Walk::operands`]; while it is read, they are the last ones.
    pub(super) operands: usize,
    /// Where they end.
    pub(super) operands_end: usize,
    /// Code in options, and the option.
    pub(super) codes: Vec<(Token, String)>,
    /// Command lines for a shell in options, and the option.
    pub(super) lines: Vec<(Token, String)>,
    pub(super) loads: Vec<Token>,
    pub(super) code_operands: CodeOperands,
    pub(super) starts: Starts,
    /// Words after an option that are a command: `find -exec`.
    pub(super) commands: Vec<(Words, String)>,
    /// The first word of the command that is started.
    pub(super) command: Option<u32>,
    pub(super) split: Option<Token>,
    pub(super) replaces: Option<Token>,
    pub(super) directory: Directory,
    pub(super) environment: Environment,
    /// Settings of git.
    pub(super) git: Vec<Token>,
}

/// What the next operand is.
#[derive(Clone, Copy, Default, PartialEq)]
enum Next {
    /// A subcommand, or a group of them.
    #[default]
    Subcommand,
    /// The name that a group has: `yarn workspace NAME add`.
    NameOfGroup,
    Operand,
}

/// Which operands an option makes code.
#[derive(Clone, Copy, Default, PartialEq)]
pub(super) enum CodeOperands {
    #[default]
    None,
    First,
    /// All of them together are one code.
    All,
}

/// How a command names what it starts.
#[derive(Clone, Copy, Default, PartialEq)]
pub(super) enum Starts {
    /// By its row.
    #[default]
    ByRow,
    /// An option makes it start nothing: `command -v`.
    Nothing,
    /// A shell that reads its input, if no operand names a program: `sudo -s`.
    Shell,
    /// Its operands are a program and its arguments, without a shell: `su -u USER PROGRAM`.
    Operands,
    /// A module, whose name can be a part of the option's word: `python3 -mpip`.
    Module(Option<Token>),
}

/// Where what a command starts runs.
#[derive(Clone, Copy, Default, PartialEq)]
pub(super) enum Directory {
    /// Where the command does.
    #[default]
    Same,
    At(Token),
    /// In a directory that is not known: `su -`, `chroot`.
    Elsewhere,
}

impl Directory {
    /// Another directory that an option names, unless it is unknown all the same.
    pub(super) fn set(&mut self, directory: Token) {
        if *self != Self::Elsewhere {
            *self = Self::At(directory);
        }
    }
}

/// How the variables that a started command gets differ from those of the shell.
#[derive(Default)]
pub(super) struct Environment {
    pub(super) settings: Vec<Token>,
    pub(super) unset: Vec<Token>,
    /// It gets none of the others: `env -i`.
    pub(super) is_cleared: bool,
}

/// An empty list in the memory of another one.
fn emptied<T>(list: &mut Vec<T>) -> Vec<T> {
    list.clear();
    std::mem::take(list)
}

impl Arguments {
    /// Starts another call in the memory of this one.
    pub(super) fn start(&mut self, program: Option<&'static Program>, operands: usize) {
        let kind = program.map_or("", |program| program.kind);
        let has_no_sub = program.is_none_or(|program| program.sub == Sub::None);
        let Environment { settings, unset, .. } = &mut self.environment;
        *self = Self {
            program,
            kind,
            operands,
            next: if has_no_sub { Next::Operand } else { Next::Subcommand },
            directory: if kind == "chroot" { Directory::Elsewhere } else { Directory::Same },
            environment: Environment {
                settings: emptied(settings),
                unset: emptied(unset),
                is_cleared: false,
            },
            ifs: emptied(&mut self.ifs),
            codes: emptied(&mut self.codes),
            lines: emptied(&mut self.lines),
            loads: emptied(&mut self.loads),
            commands: emptied(&mut self.commands),
            git: emptied(&mut self.git),
            ..Self::default()
        };
    }

    /// Notes how what it starts is named. `Nothing` overrides all others.
    pub(super) fn starts(&mut self, starts: Starts) {
        if self.starts != Starts::Nothing {
            self.starts = starts;
        }
    }

    /// Whether it has options of several letters after one dash.
    pub(super) fn long_dash(&self) -> bool {
        self.program.is_some_and(|program| program.long_dash)
    }

    /// Whether a word that starts with a dash is an operand: `test -f x`.
    fn is_text(&self, word: &str) -> bool {
        self.program.is_some_and(|program| program.takes_text && program.row.is_text(word))
    }

    /// The name of the module that it starts, if that is in the option's word.
    pub(super) const fn module_name(&self) -> Option<Token> {
        if let Starts::Module(name) = self.starts { name } else { None }
    }

    /// Whether the program starts what its arguments name, and its row lists all options.
    pub(super) fn is_strict(&self) -> bool {
        match self.verb {
            Some(verb) => verb.strict,
            None => self.program.is_some_and(|program| program.options().strict),
        }
    }

    /// The options of its rows, the innermost first.
    pub(super) fn rows(&self) -> impl Iterator<Item = &'static Options<'static>> + use<> {
        [self.nested, self.verb, self.program.map(Program::options)].into_iter().flatten()
    }

    /// Whether the value of an option is a setting.
    pub(super) fn is_setting(&self, option: &str) -> bool {
        let found = self.rows().find_map(|options| options.option(option));
        found.is_some_and(|found| found.role() == Some(Role::Setting))
    }

    /// What an option takes.
    pub(super) fn takes(&self, option: &str) -> Option<OptionArgument> {
        let different = self.ifs.iter().rev().flat_map(|condition| condition.read_options());
        let mut different = different.filter(|listed| listed.names().any(|name| name == option));
        let taken = different.next().map(|listed| listed.takes);
        taken.or_else(|| self.rows().find_map(|options| options.takes(option)))
    }

    /// Notes the options that are others with a flag: `-s` of `vim -e -s`.
    pub(super) fn change_options(&mut self, flag: &str) {
        for options in self.rows().filter(|options| options.changes_options) {
            let is_chosen = |condition: &&If| {
                condition.changes_options()
                    && condition.flags("flag").any(|name| name.trim_start_matches('-') == flag)
            };
            self.ifs.extend(options.row.ifs().iter().filter(is_chosen));
        }
    }

    /// The kind of an operand of a row; `at` counts them from 0.
    fn operand_kind(&mut self, options: &Options<'static>, word: &str, at: usize) -> Operand {
        if at == 0 {
            self.kinds = options.row.ifs().iter().find_map(|condition| condition.kinds_after(word));
        }
        match &self.kinds {
            Some(kinds) => operand(kinds, at),
            None => options.operand(at),
        }
    }
}

impl Walk {
    /// Reads the arguments of a command, and follows what it starts. `name` is that of its program
    /// without the directory.
    pub(super) fn arguments(
        &mut self,
        at: usize,
        program: Option<&'static Program>,
        name: Token,
        words: Words,
    ) -> Done<()> {
        let mut call = self.spare.calls.pop().unwrap_or_default();
        call.start(program, self.operands.len());
        self.read_arguments(at, words, &mut call)?;
        if let Some(program) = program {
            self.start_by_row(at, program, name, words, &mut call)?;
        }
        self.spare.calls.push(call);
        Ok(())
    }

    pub(super) fn read_arguments(&mut self, at: usize, words: Words, call: &mut Arguments) -> Done<()> {
        let (program, from) = (call.program, self.flags.len());
        let mut next = 1;
        self.step(long(words.len) / 4)?;
        while next < words.len {
            let Some(word) = self.arena.word(words, next) else { break };
            let here = next;
            call.at = here;
            next += 1;
            let text = self.arena.text(word);
            let first = text.as_bytes().first().filter(|_| !call.is_over);
            match (first, text.len()) {
                // Of `find`, the expression is after the paths all the same.
                (Some(b'-'), 2) if text == "--" => call.is_over = call.kind != "find",
                (Some(b'-'), 2..) if !call.is_text(text) => next = self.option(word, next, words, call)?,
                (Some(b'-'), 1) if call.takes("-").is_some() => {
                    self.taken(OptionArgument::Nothing, "-", None, (next, words), call)?;
                }
                (Some(b'+' | b'(' | b'!' | b','), _)
                    if program.is_some_and(|program| program.options().takes(text).is_some()) =>
                {
                    // `bash +O extglob`
                    if let Some(OptionArgument::Data(count)) = call.takes(text) {
                        next = next.saturating_add(short(count));
                    }
                }
                _ => {
                    if self.operand(word, here, call) {
                        break;
                    }
                    if let Some(program) = program
                        && !program.permutes
                        && program.sub == Sub::None
                        && self.operands.len() > call.operands
                    {
                        call.is_over = true;
                    }
                }
            }
        }
        if let Some(Sub::Verb(verbs)) = program.map(|program| program.sub) {
            self.choose(verbs, call);
        }
        call.operands_end = self.operands.len();
        if let Some(first) = call.command {
            let name = call.module_name().map(|name| (first, name));
            self.operands.extend(name);
            for at in first + u32::from(name.is_some())..words.len {
                self.operands.extend(self.arena.word(words, at).map(|word| (at, word)));
            }
        }
        self.take_back(from, call)?;
        self.sort_flags(from);
        let ends = (short(self.flags.len()), short(self.operands.len()));
        let verb = program.and_then(|program| self.verb(program, words, call));
        if let Some(seen) = self.commands.get_mut(at) {
            (seen.program, seen.verb, seen.group_at) = (program, verb, call.group_at);
            (seen.sub, seen.sub_at) = (call.sub, call.sub_at);
            seen.flags = (short(from), ends.0);
            seen.operands = (short(call.operands), ends.1);
        }
        Ok(())
    }

    /// The row of the subcommand of a call.
    fn verb(
        &self,
        program: &'static Program,
        words: Words,
        call: &Arguments,
    ) -> Option<&'static Options<'static>> {
        if let Sub::First(_) = program.sub {
            return call.verb.filter(|_| call.sub.is_some());
        }
        let sub = self.arena.text(call.sub?);
        let group = self.arena.word(words, call.group_at).filter(|_| call.group_at > 0);
        let group = group.and_then(|group| self.arena.literal(group));
        group.and_then(|group| program.nested(group, sub)).or_else(|| program.verb(sub))
    }

    /// Removes the flags from `from` on that a later one takes back: `--x` by `--no-x`, and the other way round.
    fn take_back(&mut self, from: usize, call: &Arguments) -> Done<()> {
        let is_no = |flag: &Flag| flag.name.text(&self.arena).starts_with("no-");
        if !self.flags.get(from..).unwrap_or_default().iter().any(is_no) {
            return Ok(());
        }
        for flag in self.flags.split_off(from) {
            let name = flag.name.text(&self.arena);
            let opposite = name.strip_prefix("no-").map_or_else(|| format!("no-{name}"), str::to_owned);
            let of_verb = call.verb.map_or(&[][..], |verb| verb.same(&opposite));
            let of_program = call.program.map_or(&[][..], |program| program.options().same(&opposite));
            let is_taken = |name: &str| {
                name == opposite || of_verb.iter().chain(of_program).any(|(_, other)| *other == name)
            };
            let left = self.flags.split_off(from);
            let left: Vec<Flag> =
                left.into_iter().filter(|one| !is_taken(one.name.text(&self.arena))).collect();
            self.step(left.len())?;
            self.flags.extend(left);
            self.flags.push(flag);
        }
        Ok(())
    }

    /// Sorts the flags from `from` on, as the view has them.
    fn sort_flags(&mut self, from: usize) {
        let arena = &self.arena;
        if let Some(flags) = self.flags.get_mut(from..).filter(|flags| flags.len() > 1) {
            flags.sort_by(|a, b| key_order(a.name.text(arena), b.name.text(arena)));
        }
    }

    /// Whether a word starts a program by its name, in place of a script of the project: `pnpm wrangler`, `bun run rm`.
    fn is_started(&self, row: &Row, name: &str) -> bool {
        let (of_packages, of_machine) = (row.is("starts_bins"), row.is("starts_programs"));
        let is_found = |found: &Program| of_machine || of_packages && found.row.is("bin");
        (of_packages || of_machine) && self.programs.find(name).is_some_and(is_found)
    }

    /// An operand; whether the rest of the words is not of this program.
    fn operand(&mut self, word: Token, here: u32, call: &mut Arguments) -> bool {
        let Some(program) = call.program else {
            self.operands.push((here, word));
            return false;
        };
        if call.next == Next::NameOfGroup {
            call.next = Next::Subcommand;
            return false;
        }
        if call.next == Next::Subcommand {
            match program.sub {
                // `make NAME=VALUE TARGET`
                Sub::First(_)
                    if program.row.is("assigns") && is_variable(call.kind, self.arena.text(word)) =>
                {
                    self.operands.push((here, word));
                    return false;
                }
                // `perf stat PROGRAM`, next to `perf stat record PROGRAM`.
                Sub::First(_) if self.is_of_group(program, word, call) => call.next = Next::Operand,
                Sub::First(groups) => {
                    let text = self.arena.literal(word);
                    call.sub = text.is_some().then_some(word);
                    let text = text.unwrap_or_default();
                    if matches!(call.kind, "cargo" | "rustup") && text.starts_with('+') {
                        call.sub = None;
                        return false;
                    }
                    call.group_at = if call.group.is_some() { call.sub_at } else { 0 };
                    call.sub_at = here;
                    let nested = call.group.and_then(|group| program.nested(group, text));
                    call.verb = nested.or_else(|| program.verb(text));
                    call.group = groups.split_ascii_whitespace().find(|group| *group == text);
                    // `dotenv run` of one program, and `dotenv` of another, start the words that follow.
                    let starts = program.row.starts_first_operand() || self.is_started(program.row, text);
                    if starts && call.verb.is_none() && call.group.is_none() {
                        (call.sub, call.sub_at, call.command) = (None, 0, Some(here));
                        return true;
                    }
                    let named = |group: &str| group.strip_suffix('+').is_some_and(|group| group == text);
                    let mut groups = groups.split_ascii_whitespace();
                    call.next = match call.group {
                        Some(_) => Next::Subcommand,
                        None if groups.any(named) => Next::NameOfGroup,
                        None => Next::Operand,
                    };
                    return false;
                }
                Sub::Second if call.sub.is_none() => {
                    (call.sub, call.sub_at) = (Some(word), here);
                    return false;
                }
                Sub::Second => {
                    call.group_at = call.sub_at;
                    (call.sub, call.sub_at) = (self.arena.is_known(word).then_some(word), here);
                    call.next = Next::Operand;
                    return false;
                }
                _ => {}
            }
        }
        let bare = || program.row.subs().is_empty().then(|| program.options());
        let Some(options) = call.verb.or_else(bare) else {
            self.operands.push((here, word));
            return false;
        };
        let is_first = self.operands.len() == call.operands;
        if let Some(verb) = call.verb.filter(|_| is_first) {
            call.nested = self.arena.literal(word).and_then(|name| verb.row.sub(name)).map(Row::read_options);
        }
        if options.sets && is_first && is_variable(call.kind, self.arena.text(word)) {
            call.environment.settings.push(word);
            return false;
        }
        // `setarch [ARCHITECTURE] [OPTIONS] COMMAND`: only the first word can be an architecture.
        let is_command = call.kind == "setarch" && here > 1;
        let kind = call.operand_kind(options, self.arena.text(word), self.operands.len() - call.operands);
        if is_command || matches!(kind, Operand::Command | Operand::Line) {
            call.command = Some(here);
            if kind == Operand::Line {
                call.code_operands = CodeOperands::All;
            }
            return true;
        }
        self.operands.push((here, word));
        let name = self.arena.literal(word).filter(|_| is_first).unwrap_or_default();
        if call.verb.is_some_and(|verb| self.is_started(verb.row, name)) {
            call.command = Some(here);
            return true;
        }
        false
    }

    /// Whether a word is the program that a group starts, and no subcommand of it.
    fn is_of_group(&self, program: &'static Program, word: Token, call: &Arguments) -> bool {
        let Some(group) = call.group else { return false };
        let is_wrapper = call.verb.is_some_and(|verb| verb.row.starts_first_operand());
        let text = self.arena.literal(word).unwrap_or_default();
        is_wrapper && program.nested(group, text).is_none()
    }

    /// The subcommand among operands that are groups, services and names.
    fn choose(&mut self, verbs: &str, call: &mut Arguments) {
        let operands = self.operands.get(call.operands..).unwrap_or_default();
        let is_choice = |word: Token| {
            let text = self.arena.text(word);
            verbs.split_ascii_whitespace().any(|verb| verb == text)
        };
        // `gcloud run services delete`: the first word is a group there.
        let is_group = |word: Token| self.arena.text(word) == "run";
        let after_first = operands.iter().skip(1).position(|(_, word)| is_choice(*word)).map(|at| at + 1);
        let at = match operands.first() {
            Some((_, first)) if is_choice(*first) && !(is_group(*first) && after_first.is_some()) => 0,
            _ => after_first.unwrap_or(0),
        };
        if let Some((place, word)) = operands.get(at) {
            (call.sub, call.sub_at) = (Some(*word), *place);
            call.operands += at + 1;
        }
    }

    /// The words of the command that a call starts, which is `first` among its own.
    pub(super) fn command_of(&mut self, words: Words, first: u32, call: &Arguments) -> Words {
        let Some(name) = call.module_name() else { return words.skip(first) };
        let mut list = vec![name];
        list.extend_from_slice(self.arena.words(words.skip(first + 1)));
        self.arena.list(&list)
    }

    /// The operands of a call, and which word each of them is.
    pub(super) fn operands_of_call(&self, call: &Arguments) -> &[(u32, Token)] {
        self.operands.get(call.operands..call.operands_end).unwrap_or_default()
    }
}
