//! A command: what its words are to its program, by their roles.

use std::collections::BTreeSet;

use super::super::arguments::{Argument, FlagReading, Reading};
use super::super::programs::{Attribute, Operand, OptionArgument, Role, Row, variables};
use super::super::token::Token;
use super::super::typed::{Command, Commands, Word};
use super::{Folder, Risk, Started, Walk, hole, is_relative, prefix};

pub(super) struct ArgvCommand<'w> {
    walk: &'w Walk,
    command: Command<'w>,
    reading: Reading<'w>,
    row: &'static Row,
    started: &'w Started,
}

impl<'w> ArgvCommand<'w> {
    pub(super) fn new(walk: &'w Walk, number: usize, started: &'w Started) -> Option<Self> {
        let command = Commands::new(walk).get(number)?;
        let reading = Reading::new(command);
        let row = reading.row()?;
        Some(Self { walk, command, reading, row, started })
    }

    /// The texts from elsewhere that commands get which it starts.
    fn passed(&self) -> BTreeSet<usize> {
        let words = self.started.commands.iter().flat_map(|words| self.walk.arena.words(*words));
        words.filter_map(|token| self.hole_of(*token)).collect()
    }

    fn hole_of(&self, token: Token) -> Option<usize> {
        hole(Word::new(&self.walk.arena, token))
    }

    /// Its row and that of its program.
    fn rows(&self) -> impl Iterator<Item = &'static Row> {
        [Some(self.row), self.reading.program.map(|program| program.row)].into_iter().flatten()
    }

    fn own_flags(&self) -> impl Iterator<Item = &FlagReading<'w>> {
        self.reading.flags.iter().filter(|flag| !flag.is_alias)
    }

    /// Whether options that the row does not list run nothing.
    fn is_lenient(&self) -> bool {
        let is_inherited = self.reading.program.is_some_and(|program| program.row.is_lenient());
        self.row.is_lenient() || is_inherited && self.row.has_data()
    }

    /// The options that the row does not list, unless they are open or have a value in their word.
    fn unlisted(&self) -> impl Iterator<Item = usize> {
        let is_whole = |at: &usize| {
            let word = self.command.word_at(*at);
            word.is_some_and(|word| {
                let is_joined = word.text().starts_with("--") && word.text().contains('=');
                hole(word).is_none() && !is_joined && self.prefix_option(word.text()).is_none()
            })
        };
        self.own_flags().filter(|flag| !flag.is_listed).map(|flag| flag.at).filter(is_whole)
    }

    /// From which word on nothing is known.
    pub(super) fn unread(&self) -> Option<usize> {
        self.unlisted().filter(|at| !self.is_lenient() && *at < self.data_from()).min()
    }

    /// From which word on all is data: after code that ends the options.
    fn data_from(&self) -> usize {
        let ends = |flag: &&FlagReading<'w>| {
            let option = self.reading.option(flag.name, flag.is_global);
            option.is_some_and(|option| option.takes == OptionArgument::LastCode)
        };
        let after = |flag: &FlagReading<'w>| {
            let next = flag.at.saturating_add(1);
            let starts = |word: Word<'_>| word.text().as_ptr();
            let is_next = flag.value.map(starts) == self.command.word_at(next).map(starts);
            next.saturating_add(usize::from(is_next))
        };
        self.own_flags().filter(ends).map(after).min().unwrap_or(usize::MAX)
    }

    /// From which word on no word is an option.
    fn options_end(&self) -> usize {
        let is_end = |word: Word<'_>| word.text() == "--" && !self.row.has_long_dash();
        let dashes = self.command.words().position(is_end);
        let first = self.command.placed_operands().map(|(at, _)| at.saturating_add(1));
        dashes.into_iter().chain(first.filter(|_| self.row.stops()).min()).min().unwrap_or(usize::MAX)
    }

    /// What the texts from elsewhere in its words could control.
    pub(super) fn risks(&self) -> Vec<(Option<usize>, Risk)> {
        let (unread, passed) = (self.unread(), self.passed());
        let verb = self.command.sub_word().filter(|word| hole(*word).is_some());
        let verb = verb.map(|word| (self.command.sub_at(), word));
        let words = self.command.words().enumerate().skip(1).take_while(|(at, _)| *at < self.data_from());
        let risk = |(at, word): (usize, Word<'w>)| {
            let hole = hole(word)?;
            let after = unread.filter(|from| at >= *from).and_then(|from| self.command.word_at(from));
            let risk = match (after, verb) {
                (Some(_), _) if self.row.is_all_code() => Some(Risk::Code),
                (Some(after), _) => Some(Risk::Unknown(prefix(after).to_owned())),
                (None, Some((verb, _))) if at == verb => Some(Risk::Verb),
                (None, Some((verb, word))) if at > verb => Some(Risk::Unknown(prefix(word).to_owned())),
                _ if self.splits(hole) => Some(Risk::Code),
                _ if passed.contains(&hole) => None,
                _ => self.risk(at, word, hole),
            };
            Some((Some(hole), risk?))
        };
        words.filter_map(risk).collect()
    }

    fn risk(&self, at: usize, word: Word<'w>, number: usize) -> Option<Risk> {
        let text = prefix(word);
        if at < self.options_end()
            && let Some(option) = self.prefix_option(text)
        {
            return Some(if option == "+" { Risk::Code } else { Risk::Loaded(option) });
        }
        if let Some(name) = self.name_of_value(at) {
            return variable(name);
        }
        let mut settings = self.started.env.iter().map(|token| Word::new(&self.walk.arena, *token));
        if let Some(setting) = settings.find(|setting| hole(*setting) == Some(number)) {
            return assignment(prefix(setting));
        }
        let mut arguments =
            self.reading.arguments.iter().filter(|argument| hole(argument.word) == Some(number)).peekable();
        let is_flag = arguments.peek().is_some_and(|argument| argument.flag.is_some());
        let is_read = arguments.peek().is_some();
        let risk = arguments.find_map(|argument| self.role_risk(argument, at));
        let before = at.checked_sub(1).filter(|before| self.unlisted().any(|at| at == *before));
        let can_be_option = at < self.options_end() && !is_flag && (text.is_empty() || text.starts_with('-'));
        match (risk, before.and_then(|before| self.command.word_at(before))) {
            (Some(risk), _) => Some(risk),
            (None, Some(before)) if text.is_empty() => Some(Risk::Unknown(before.text().to_owned())),
            (None, _) if is_read && !can_be_option => None,
            (None, _) if self.row.is_all_code() => Some(Risk::Code),
            (None, _) => Some(Risk::Option),
        }
    }

    /// Whether a text from elsewhere is split into words: `env -S TEXT`.
    fn splits(&self, number: usize) -> bool {
        let mut arguments = self.reading.arguments.iter();
        arguments.any(|argument| argument.role == Some(Role::Words) && hole(argument.word) == Some(number))
    }

    /// The option that is any text after a prefix, which a word has.
    fn prefix_option(&self, text: &str) -> Option<String> {
        let mut known = self.rows().flat_map(Row::known);
        let is_prefix = |name: &str, takes: OptionArgument| takes == OptionArgument::Prefix || name == "+";
        let found = known.find(|(name, takes)| is_prefix(name, *takes) && text.starts_with(name));
        found.map(|(name, _)| name.to_owned())
    }

    /// The variable whose value is a word: `A` of `--setenv A VALUE`.
    fn name_of_value(&self, at: usize) -> Option<&'w str> {
        let takes_both = |flag: &&FlagReading<'w>| {
            let option = self.reading.option(flag.name, flag.is_global);
            flag.at.saturating_add(2) == at
                && option.is_some_and(|option| option.takes == OptionArgument::NameAndValue)
        };
        self.own_flags().find(takes_both)?.value?.literal()
    }

    /// What the text from elsewhere in an argument could control, by its role.
    fn role_risk(&self, argument: &Argument<'w>, at: usize) -> Option<Risk> {
        let is_flag = argument.flag.is_some();
        if !is_flag && self.reading.has_option(Attribute::AllAreCode) {
            return Some(Risk::Code);
        }
        match argument.role {
            // It is for the program that an operand names: `docker run IMAGE -c CODE`.
            _ if is_flag && argument.at >= self.options_end() => {
                Some(Risk::Unknown(self.option_text(argument.at)))
            }
            Some(role) if role.is_code() || role == Role::Words => Some(Risk::Code),
            Some(Role::Set) => assignment(prefix(argument.word)),
            None if is_flag => self.unlisted_value(argument),
            _ if is_flag && self.loads(argument) => Some(Risk::Loaded(self.option_text(argument.at))),
            Some(role) if role.starts() => Some(Risk::Program),
            None if !is_flag => {
                let number =
                    self.command.placed_operands().position(|(place, _)| place == at).unwrap_or_default();
                (self.row.operand(number) != Operand::Data).then_some(Risk::Code)
            }
            _ => None,
        }
    }

    /// What the value of an option could control that the row does not list: the worst of the options that begin so.
    fn unlisted_value(&self, argument: &Argument<'w>) -> Option<Risk> {
        let name = argument.flag.filter(|name| name.len() > 1)?;
        if self.own_flags().any(|flag| flag.name == name && flag.is_listed) {
            return None;
        }
        let options = self.rows().flat_map(Row::options);
        let begins = |option: &str| option.strip_prefix("--").is_some_and(|option| option.starts_with(name));
        let roles = options.filter(|option| option.names().any(begins)).flat_map(|option| option.roles);
        let mut roles = roles.flatten().filter(|role| role.starts()).peekable();
        match roles.peek().copied() {
            Some(_) if roles.any(Role::is_code) => Some(Risk::Code),
            Some(_) => Some(Risk::Loaded(self.option_text(argument.at))),
            None if self.is_lenient() => None,
            None => Some(Risk::Unknown(self.command.word_at(argument.at).map(prefix)?.to_owned())),
        }
    }

    /// Whether the value of an option is run or loaded. What a program opens for itself is, if nothing is known about its
    /// operands.
    fn loads(&self, argument: &Argument<'w>) -> bool {
        let is_group = || {
            let is_global = argument.at < self.command.sub_at();
            is_global && argument.flag.is_some_and(|name| self.reading.group_starts(name))
        };
        argument.role.is_some_and(Role::starts)
            || argument.role == Some(Role::Use) && self.row.is_all_code()
            || is_group()
    }

    /// The option in a word, with its dashes.
    fn option_text(&self, at: usize) -> String {
        let word = self.command.word_at(at).map(prefix).unwrap_or_default();
        word.split('=').next().unwrap_or_default().to_owned()
    }

    /// The argument that names the directory in which it runs.
    pub(super) fn folder(&self) -> Option<Folder> {
        let is_folder =
            |argument: &&Argument<'w>| argument.role == Some(Role::Dir) && argument.flag.is_some();
        let folders = self.reading.arguments.iter().filter(is_folder);
        folders.filter_map(|argument| hole(argument.word)).next_back().map(Folder::Argument)
    }

    /// The scripts that it runs from a directory which a text from elsewhere names.
    pub(super) fn relative_scripts(&self, folder: Option<Folder>) -> Vec<(Option<usize>, Risk)> {
        let Some(at) = folder.map(Folder::argument) else { return Vec::new() };
        let is_script = |argument: &&Argument<'w>| {
            argument.flag.is_none() && matches!(argument.role, Some(Role::Script | Role::Load | Role::Module))
        };
        let scripts =
            self.reading.arguments.iter().filter(is_script).filter_map(|argument| argument.word.literal());
        scripts
            .filter(|script| is_relative(script))
            .map(|script| (at, Risk::Folder(script.to_owned())))
            .collect()
    }
}

/// The variable that `NAME=VALUE` sets, if that controls what programs load.
fn assignment(text: &str) -> Option<Risk> {
    let name = text.trim_start_matches('=').split_once('=').map(|(name, _)| name);
    variable(name.unwrap_or_default())
}

fn variable(name: &str) -> Option<Risk> {
    (name.is_empty() || variables::loads(name)).then(|| Risk::Variable(name.to_owned()))
}
