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
    /// The subcommand is determined.
    pub(super) sub_is_chosen: bool,
    /// The group of its subcommand.
    group: Option<&'static str>,
    /// The next operand is the name that a group has: `yarn workspace NAME add`.
    names_next: bool,
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
    pub(super) folder: Option<Token>,
    pub(super) env: Vec<Token>,
    pub(super) first_is_code: bool,
    /// All operands together are code.
    pub(super) all_are_code: bool,
    pub(super) has_code: bool,
    pub(super) is_module: bool,
    /// The name of the module, which can be a part of the option's word: `python3 -mpip`.
    pub(super) module_name: Option<Token>,
    pub(super) reads_input: bool,
    /// Its operands are a program and its arguments, without a shell.
    pub(super) is_direct: bool,
    /// Words after an option that are a command: `find -exec`.
    pub(super) commands: Vec<(Words, String)>,
    /// The first word of the command that is started.
    pub(super) command: Option<u32>,
    pub(super) split: Option<Token>,
    pub(super) replaces: Option<Token>,
    /// Options by which nothing is started.
    pub(super) is_idle: bool,
    /// What it starts does not get the variables of the shell.
    pub(super) clears_env: bool,
    /// What it starts runs in a directory that is not known: `su -`, `chroot`.
    pub(super) is_elsewhere: bool,
    /// Variables that what it starts does not get.
    pub(super) unset: Vec<Token>,
    pub(super) git: Vec<Token>,
}

impl Arguments {
    /// Starts another call in the memory of this one.
    pub(super) fn start(&mut self, program: Option<&'static Program>, operands: usize) {
        let Self { kind, verb, sub, sub_is_chosen, operands_end, codes, lines, loads, folder, env, .. } =
            self;
        (*verb, *sub, *operands_end, *folder) = (None, None, 0, None);
        *kind = program.map_or("", |program| program.kind);
        *sub_is_chosen = program.is_none_or(|program| program.sub == Sub::None);
        codes.clear();
        lines.clear();
        loads.clear();
        env.clear();
        let Self { first_is_code, has_code, is_module, reads_input, is_direct, commands, command, .. } = self;
        (*first_is_code, *has_code, *is_module, *reads_input, *is_direct) =
            (false, false, false, false, false);
        *command = None;
        commands.clear();
        let Self { split, replaces, is_idle, clears_env, all_are_code, is_elsewhere, unset, git, .. } = self;
        (*split, *replaces, *is_idle, *clears_env, *all_are_code) = (None, None, false, false, false);
        *is_elsewhere = *kind == "chroot";
        unset.clear();
        git.clear();
        self.ifs.clear();
        self.kinds = None;
        (self.names_next, self.group, self.module_name, self.sub_at) = (false, None, None, 0);
        self.nested = None;
        (self.program, self.operands) = (program, operands);
    }

    /// Whether it has options of several letters after one dash.
    pub(super) fn long_dash(&self) -> bool {
        self.program.is_some_and(|program| program.long_dash)
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
        self.read_arguments(at, name, words, &mut call)?;
        if let Some(program) = program {
            self.start_by_row(at, program, name, words, &mut call)?;
        }
        self.spare.calls.push(call);
        Ok(())
    }

    pub(super) fn read_arguments(
        &mut self,
        at: usize,
        name: Token,
        words: Words,
        call: &mut Arguments,
    ) -> Done<()> {
        let (program, from) = (call.program, self.flags.len());
        let (mut next, mut ended) = (1, false);
        self.step(long(words.len) / 4)?;
        while next < words.len {
            let Some(word) = self.arena.word(words, next) else { break };
            let here = next;
            call.at = here;
            next += 1;
            let first = self.arena.text(word).as_bytes();
            match (first.first(), first.len()) {
                // Of `find`, the expression is after the paths all the same.
                (Some(b'-'), 2) if !ended && first == b"--" => ended = call.kind != "find",
                (Some(b'-'), 2..) if !ended && !matches!(self.arena.text(name), "echo" | "[" | "test") => {
                    next = self.option(word, next, words, call)?;
                }
                (Some(b'-'), 1) if !ended && call.takes("-").is_some() => {
                    self.taken(OptionArgument::Nothing, "-", None, (next, words), call)?;
                }
                (Some(b'+' | b'(' | b'!' | b','), _)
                    if !ended
                        && program.is_some_and(|program| {
                            program.options().takes(self.arena.text(word)).is_some()
                        }) =>
                {
                    // `bash +O extglob`
                    if let Some(OptionArgument::Data(count)) = call.takes(self.arena.text(word)) {
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
                        ended = true;
                    }
                }
            }
        }
        if let Some(Sub::Verb(verbs)) = program.map(|program| program.sub) {
            self.choose(verbs, call);
        }
        call.operands_end = self.operands.len();
        if let Some(first) = call.command {
            let name = call.module_name.map(|name| (first, name));
            self.operands.extend(name);
            for at in first + u32::from(name.is_some())..words.len {
                self.operands.extend(self.arena.word(words, at).map(|word| (at, word)));
            }
        }
        self.take_back(from, call)?;
        self.sort_flags(from);
        let ends = (short(self.flags.len()), short(self.operands.len()));
        if let Some(seen) = self.commands.get_mut(at) {
            (seen.sub, seen.sub_at) = (call.sub, call.sub_at);
            seen.flags = (short(from), ends.0);
            seen.operands = (short(call.operands), ends.1);
        }
        Ok(())
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
        if std::mem::take(&mut call.names_next) {
            return false;
        }
        if !call.sub_is_chosen {
            match program.sub {
                // `make NAME=VALUE TARGET`
                Sub::First(_)
                    if program.row.is("assigns") && is_variable(call.kind, self.arena.text(word)) =>
                {
                    self.operands.push((here, word));
                    return false;
                }
                // `perf stat PROGRAM`, next to `perf stat record PROGRAM`.
                Sub::First(_) if self.is_of_group(program, word, call) => call.sub_is_chosen = true,
                Sub::First(groups) => {
                    let text = self.arena.literal(word);
                    call.sub = text.is_some().then_some(word);
                    let text = text.unwrap_or_default();
                    if matches!(call.kind, "cargo" | "rustup") && text.starts_with('+') {
                        call.sub = None;
                        return false;
                    }
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
                    call.names_next = groups.split_ascii_whitespace().any(named);
                    call.sub_is_chosen =
                        !call.names_next && !groups.split_ascii_whitespace().any(|group| group == text);
                    return false;
                }
                Sub::Second if call.sub.is_none() => {
                    (call.sub, call.sub_at) = (Some(word), here);
                    return false;
                }
                Sub::Second => {
                    (call.sub, call.sub_at) = (self.arena.is_known(word).then_some(word), here);
                    call.sub_is_chosen = true;
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
            call.env.push(word);
            return false;
        }
        // `setarch [ARCHITECTURE] [OPTIONS] COMMAND`: only the first word can be an architecture.
        let is_command = call.kind == "setarch" && here > 1;
        let kind = call.operand_kind(options, self.arena.text(word), self.operands.len() - call.operands);
        if is_command || matches!(kind, Operand::Command | Operand::Line) {
            call.command = Some(here);
            call.all_are_code |= kind == Operand::Line;
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
        let Some(name) = call.module_name else { return words.skip(first) };
        let mut list = vec![name];
        list.extend_from_slice(self.arena.words(words.skip(first + 1)));
        self.arena.list(&list)
    }

    /// The operands of a call, and which word each of them is.
    pub(super) fn operands_of_call(&self, call: &Arguments) -> &[(u32, Token)] {
        self.operands.get(call.operands..call.operands_end).unwrap_or_default()
    }
}
