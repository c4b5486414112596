//! The flags of a command along the rows of its program, and their values.

use super::{Argument, Reading};
use crate::Word;
use crate::programs::{Attribute, Opt, OptionArgument, Options, Role};

/// A flag under one of its names.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FlagReading<'w> {
    pub(crate) name: &'w str,
    pub(crate) value: Option<Word<'w>>,
    pub(crate) at: usize,
    pub(crate) is_global: bool,
    pub(crate) is_alias: bool,
    pub(crate) is_listed: bool,
    pub(crate) is_code: bool,
    /// Its option in the row, without the changes of an `if`.
    pub(super) option: Option<&'static Opt<'static>>,
}

impl<'w> FlagReading<'w> {
    /// A flag that a word implies.
    pub(super) const fn implied(name: &'w str, at: usize) -> Self {
        let (is_global, is_code, is_alias, is_listed) = (false, false, true, true);
        Self { name, value: None, at, is_global, is_alias, is_listed, is_code, option: None }
    }
}

impl<'w> Reading<'w> {
    /// The option of a flag: one that is different for this command, that of its row, or of a row around it.
    pub(crate) fn option(&self, name: &str, is_global: bool) -> Option<&'static Opt<'static>> {
        let dashed = |option: &str| option.trim_start_matches('-') == name;
        let mut given =
            self.ifs.iter().rev().filter(|_| !is_global).flat_map(|condition| condition.read_options());
        let option = given.find(|option| option.names().any(dashed));
        let option =
            option.or_else(|| self.rows().filter(|_| !is_global).find_map(|options| options.flag(name)));
        option.or_else(|| self.program?.options().flag(name))
    }

    /// The option of a flag that was read.
    fn option_of(&self, flag: FlagReading<'w>) -> Option<&'static Opt<'static>> {
        match flag.option {
            Some(option) if self.ifs.is_empty() => Some(option),
            _ => self.option(flag.name, flag.is_global),
        }
    }

    /// Whether a row lists a flag with its dashes.
    fn is_listed(&self, name: &str, is_long: bool) -> bool {
        let dashed = if is_long { format!("--{name}") } else { format!("-{name}") };
        let lists = |options: &Options<'_>| options.lists(&dashed);
        matches!(name, "help" | "version")
            || self.rows().any(lists)
            || self.program.is_some_and(|program| lists(program.options()))
    }

    pub(super) fn read_flags(&mut self) {
        for (flag, is_global, is_alias) in self.command.all_flags() {
            let option = self.option(flag.name(), is_global);
            let is_letter = flag.name().chars().count() == 1;
            let starts = |word: Word<'_>| word.text().starts_with("--");
            // `--x` is not `-x`.
            let is_other = is_letter && !is_alias && self.command.word_at(flag.at()).is_some_and(starts);
            let is_listed =
                option.is_some() && !is_other || self.is_listed(flag.name(), !is_letter || is_other);
            let is_code = option.is_some_and(is_code) && !self.is("follows");
            let (name, value, at) = (flag.name(), flag.value(), flag.at());
            self.flags.push(FlagReading { name, value, at, is_global, is_alias, is_listed, is_code, option });
            self.has_unlisted |= !is_listed;
        }
    }

    /// Reads the values of the flags.
    pub(super) fn read_values(&mut self) {
        for number in 0..self.flags.len() {
            let Some(flag) = self.flags.get(number).copied().filter(|flag| !flag.is_alias) else { continue };
            let option = self.option_of(flag);
            self.used.extend(option.filter(|option| !self.is_off(flag, option)).copied());
            if let Some((option, word)) = option.zip(flag.value)
                && self.read_fields(flag, *option, word)
            {
                continue;
            }
            let attributes = option.map(|option| option.attributes).unwrap_or_default();
            let roles = option.map(|option| option.roles).unwrap_or_default();
            let scheme = option.and_then(|option| option.scheme);
            let first = flag.value.map(|word| Argument {
                flag: Some(flag.name),
                role: roles.first().copied().flatten(),
                scheme,
                attributes,
                ..Argument::new(word, flag.at)
            });
            self.arguments.extend(first);
            // `--x ONE TWO`
            let Some(OptionArgument::Data(count @ 2..)) = option.map(|option| option.takes) else { continue };
            for (number, role) in roles.into_iter().enumerate().take(count).skip(1) {
                let at = flag.at + 1 + number;
                let Some(word) = self.command.word_at(at) else { break };
                self.arguments.push(Argument {
                    flag: Some(flag.name),
                    role,
                    attributes,
                    ..Argument::new(word, at)
                });
            }
        }
    }

    /// Whether the value of an option takes it back: `--dry-run=false`. Some parsers read the next word as the value.
    fn is_off(&self, flag: FlagReading<'w>, option: &Opt<'_>) -> bool {
        let is_dry = option.attributes.has(Attribute::Dry);
        let is_off = |value: Word<'_>| value.literal().map_or(is_dry, is_false);
        match flag.value {
            Some(value) => is_off(value),
            None => {
                is_dry
                    && self.command.word_at(flag.at + 1).is_some_and(|next| next.literal() == Some("false"))
            }
        }
    }

    /// Whether it has one of some flags, which have their dashes.
    pub(super) fn has_any<'n>(&self, names: impl Iterator<Item = &'n str>) -> bool {
        let mut names = names.map(|name| name.trim_start_matches('-'));
        names.any(|name| self.flags.iter().any(|flag| flag.name == name))
    }
}

/// Whether the value of an option means that the option is not there.
pub(crate) fn is_false(value: &str) -> bool {
    ["false", "none"].iter().any(|word| word.eq_ignore_ascii_case(value))
}

/// Whether an option has code as its value, or runs some. The command of `-exec` is a command of its own.
fn is_code(option: &Opt<'_>) -> bool {
    let has = |attribute| option.attributes.has(attribute);
    option.roles.into_iter().flatten().any(|role| role.starts() && role != Role::Command)
        || has(Attribute::Code)
        || has(Attribute::FirstIsCode)
        || has(Attribute::AllAreCode)
}
