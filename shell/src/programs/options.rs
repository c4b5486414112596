//! The options of a program or subcommand, for a fast search.

use std::sync::OnceLock;

use super::escapes::Escapes;
use super::model::{self, If, Operand, Row};
use super::notation::{Opt, OptionArgument, Place};

/// Numbers in a list by an ASCII letter, from 1 on; 0 if it has none.
type Letters = [u16; 128];

/// The options and operands of a program or subcommand.
#[derive(Debug)]
pub struct Options<'r> {
    /// Each option with its names, in the order of the row.
    listed: Vec<Opt<'r>>,
    /// By name, with their dashes.
    by_name: Vec<(&'r str, OptionArgument, usize)>,
    /// Those of one letter.
    letters: Letters,
    /// Each name of an option with several names, and another one; by name.
    same: Vec<(&'r str, &'r str)>,
    /// The first of each name of one letter.
    same_letters: Letters,
    /// The row.
    pub row: &'r Row,
    /// What its operands are; `None` if nothing is known about them.
    pub places: Option<Vec<Place>>,
    /// What its operands after `--` are.
    pub after: Vec<Place>,
    /// The kinds of its operands in order, the last one for all that follow.
    kinds: Vec<Operand>,
    /// What finds code for a shell in its code.
    escapes: OnceLock<Escapes>,
    /// Some of its operands are command lines for a shell, one in each word.
    pub(crate) has_lines: bool,
    /// Some of its options are others with a flag.
    pub(crate) changes_options: bool,
    /// Variables can precede the operands.
    pub(crate) sets: bool,
    /// It starts what its arguments name, so that an option which is not listed may take it as its value.
    pub(crate) strict: bool,
    /// What it starts is after `--`.
    pub(crate) dashed: bool,
}

/// The numbers of names of one letter; of equal names, the first one.
fn letters<'n>(names: impl Iterator<Item = &'n str>) -> Letters {
    let mut letters = [0; 128];
    for (number, name) in (1..).zip(names) {
        let [byte] = name.as_bytes() else { continue };
        if let Some(letter) = letters.get_mut(usize::from(*byte)).filter(|letter| **letter == 0) {
            *letter = number;
        }
    }
    letters
}

fn number(letters: &Letters, byte: u8) -> Option<usize> {
    usize::from(letters.get(usize::from(byte)).copied()?).checked_sub(1)
}

/// The name of an option without its dashes.
fn bare(name: &str) -> &str {
    name.trim_start_matches('-')
}

impl<'r> Options<'r> {
    /// The options of a row.
    #[must_use]
    pub fn from_row(row: &'r Row) -> Self {
        let listed: Vec<Opt<'r>> = row.options().collect();
        let numbered = listed.iter().enumerate();
        let mut options: Vec<_> = numbered
            .flat_map(|(at, option)| option.names().map(move |name| (name, option.takes, at)))
            .collect();
        options.sort_by_key(|(name, ..)| *name);
        options.dedup_by_key(|(name, ..)| *name);
        let mut same = Vec::new();
        for option in &listed {
            for name in option.names() {
                same.extend(
                    option.names().filter(|other| *other != name).map(|other| (bare(name), bare(other))),
                );
            }
        }
        same.sort_by_key(|(name, _)| *name);
        Self {
            letters: letters(options.iter().map(|(name, ..)| name.strip_prefix('-').unwrap_or_default())),
            same_letters: letters(same.iter().map(|(name, _)| *name)),
            escapes: OnceLock::new(),
            has_lines: row.operands().is_some_and(|places| places.iter().any(|place| place.role.is_line())),
            places: row.operands(),
            after: row.after(),
            kinds: row.kinds(),
            changes_options: row.ifs().iter().any(If::changes_options),
            sets: row.sets(),
            strict: row.is_strict(),
            dashed: row.is_dashed(),
            listed,
            by_name: options,
            same,
            row,
        }
    }

    /// What finds code for a shell in its code.
    pub(crate) fn escapes(&self) -> &Escapes {
        self.escapes.get_or_init(|| Escapes::new(self.row.text("escapes").unwrap_or_default()))
    }

    /// Each option with its names, in the order of the row.
    #[must_use]
    pub fn listed(&self) -> &[Opt<'r>] {
        &self.listed
    }

    /// The kind of an operand; `at` counts them from 0.
    pub(crate) fn operand(&self, at: usize) -> Operand {
        model::operand(&self.kinds, at)
    }

    fn find(&self, option: &str) -> Option<(&'r str, OptionArgument, usize)> {
        let at = match option.as_bytes() {
            [b'-', letter @ 0..128] => number(&self.letters, *letter),
            _ => self.by_name.binary_search_by(|(name, ..)| (*name).cmp(option)).ok(),
        };
        self.by_name.get(at?).copied()
    }

    /// The option of a name, with its dashes.
    #[must_use]
    pub fn option(&self, name: &str) -> Option<&Opt<'r>> {
        self.listed.get(self.find(name)?.2)
    }

    /// The option of a flag, whose name has no dashes.
    #[must_use]
    pub fn flag(&self, name: &str) -> Option<&Opt<'r>> {
        let dashed = |dashes: &str| {
            // What does not start with the dashes comes before or after all that does.
            let order = |(known, ..): &(&str, _, _)| match known.strip_prefix(dashes) {
                Some(bare) => bare.cmp(name),
                None => (*known).cmp(dashes),
            };
            self.by_name.binary_search_by(order).ok()
        };
        let at = match name.as_bytes() {
            [letter @ 0..128] => number(&self.letters, *letter),
            [_, _, ..] => dashed("--").or_else(|| dashed("-")),
            _ => dashed("-"),
        };
        self.listed.get(self.by_name.get(at?)?.2)
    }

    /// What an option takes.
    #[must_use]
    pub fn takes(&self, option: &str) -> Option<OptionArgument> {
        self.find(option).map(|(_, takes, _)| takes)
    }

    /// Whether an option is listed.
    #[must_use]
    pub fn lists(&self, option: &str) -> bool {
        let is_number = option.trim_start_matches('-').bytes().all(|byte| byte.is_ascii_digit());
        let has_numbers = || self.takes("-") == Some(OptionArgument::Digits);
        let is_negated = || {
            let opposite = option.strip_prefix("--no-").map(|name| format!("--{name}"));
            opposite.is_some_and(|opposite| self.takes(&opposite).is_some())
        };
        self.takes(option).is_some() || is_negated() || is_number && has_numbers()
    }

    /// The only long option that starts so, unless this is one itself.
    #[must_use]
    pub fn abbreviated(&self, option: &str) -> Option<(&'r str, OptionArgument)> {
        if !option.starts_with("--") {
            return None;
        }
        let from = self.by_name.partition_point(|(name, ..)| *name < option);
        let mut near = self.by_name.iter().skip(from).take_while(|(name, ..)| name.starts_with(option));
        let (name, takes, _) = *near.next()?;
        near.next().is_none().then_some((name, takes))
    }

    /// The other names of a flag, each after the name that it belongs to; without dashes.
    #[must_use]
    pub fn same(&self, name: &str) -> &[(&'r str, &'r str)] {
        let from = match name.as_bytes() {
            [letter @ 0..128] => number(&self.same_letters, *letter),
            _ => Some(self.same.partition_point(|(known, _)| *known < name)),
        };
        let options = from.and_then(|from| self.same.get(from..)).unwrap_or_default();
        let count = options.iter().take_while(|(known, _)| *known == name).count();
        options.get(..count).unwrap_or_default()
    }
}
