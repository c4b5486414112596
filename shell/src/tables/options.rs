//! The options of a program or subcommand, for a fast search.

use super::model::{self, Operand, OptionArgument, Row};

/// Numbers in a list by an ASCII letter, from 1 on; 0 if it has none.
type Letters = [u16; 128];

/// The options of a program or subcommand.
pub(in super::super) struct Options {
    /// By name, with their dashes.
    all: Vec<(&'static str, OptionArgument)>,
    /// Those of one letter.
    letters: Letters,
    /// Each name of a flag with two names, and the other one; by name.
    same: Vec<(&'static str, &'static str)>,
    /// The first of each name of one letter.
    same_letters: Letters,
    pub(in super::super) row: Option<&'static Row>,
    /// The kinds of its operands in order, the last one for all that follow.
    operands: Vec<Operand>,
    /// Variables can precede the operands.
    pub(in super::super) sets: bool,
    /// It starts what its arguments name, so that an option which is not listed may take it as its value.
    pub(in super::super) strict: bool,
    /// What it starts is behind `--`.
    pub(in super::super) dashed: bool,
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

impl Options {
    pub(super) fn of(row: Option<&'static Row>, options: &'static str, same: &'static str) -> Self {
        let data = |takes: &OptionArgument| {
            matches!(
                takes,
                OptionArgument::Nothing
                    | OptionArgument::Data(_)
                    | OptionArgument::Joined
                    | OptionArgument::Digits
                    | OptionArgument::Program
            )
        };
        let known = || row.into_iter().flat_map(Row::known);
        // What runs is more than what takes a value; else the names of options know more.
        let mut all: Vec<_> = known().filter(|(_, takes)| !data(takes)).collect();
        all.extend(model::tokens(options));
        all.extend(known().filter(|(_, takes)| data(takes)));
        all.sort_by_key(|(name, _)| *name);
        all.dedup_by_key(|(name, _)| *name);
        let pairs = same.split_ascii_whitespace().filter_map(|pair| pair.split_once('='));
        let mut same: Vec<_> = pairs.flat_map(|(one, other)| [(one, other), (other, one)]).collect();
        same.sort_by_key(|(name, _)| *name);
        let count = row.map_or(0, |row| row.operands.split(' ').filter(|kind| *kind != "set*").count());
        let operands = row.map(|row| (0..count).map(|at| row.operand(at)).collect()).unwrap_or_default();
        Self {
            letters: letters(all.iter().map(|(name, _)| name.strip_prefix('-').unwrap_or_default())),
            all,
            same_letters: letters(same.iter().map(|(name, _)| *name)),
            same,
            row,
            operands,
            sets: row.is_some_and(Row::sets),
            strict: row.is_some_and(Row::is_strict),
            dashed: row.is_some_and(|row| row.operands == "dashed"),
        }
    }

    /// The kind of an operand; `at` counts them from 0.
    pub(in super::super) fn operand(&self, at: usize) -> Operand {
        let kind = self.operands.get(at).or_else(|| self.operands.last());
        kind.copied().unwrap_or(Operand::Data)
    }

    /// What an option takes.
    pub(in super::super) fn takes(&self, option: &str) -> Option<OptionArgument> {
        let at = match option.as_bytes() {
            [b'-', letter @ 0..128] => number(&self.letters, *letter),
            _ => self.all.binary_search_by(|(name, _)| (*name).cmp(option)).ok(),
        };
        self.all.get(at?).map(|(_, takes)| *takes)
    }

    /// Whether an option is listed, or the other name of one.
    pub(in super::super) fn lists(&self, option: &str) -> bool {
        let is_number = option.trim_start_matches('-').bytes().all(|byte| byte.is_ascii_digit());
        let has_numbers = || self.takes("-") == Some(OptionArgument::Digits);
        let is_negated = || {
            let opposite = option.strip_prefix("--no-").map(|name| format!("--{name}"));
            opposite.is_some_and(|opposite| self.takes(&opposite).is_some())
        };
        self.takes(option).is_some()
            || is_negated()
            || !self.same(option.trim_start_matches('-')).is_empty()
            || is_number && has_numbers()
    }

    /// The only long option that starts so, unless this is one itself. It has no dashes if it only has another name.
    pub(in super::super) fn abbreviated(&self, option: &str) -> Option<(&'static str, OptionArgument)> {
        let bare = option.strip_prefix("--")?;
        let from = self.all.partition_point(|(name, _)| *name < option);
        let mut near = self.all.iter().skip(from).take_while(|(name, _)| name.starts_with(option)).copied();
        let from = self.same.partition_point(|(name, _)| *name < bare);
        let others = self.same.iter().skip(from).map(|(name, _)| *name);
        let others = others.take_while(|name| name.len() > 1 && name.starts_with(bare));
        let mut others = others.filter(|name| !self.has_long(name));
        match (near.next(), others.next()) {
            (Some(first), None) => near.next().is_none().then_some(first),
            (None, Some(first)) if first != bare => {
                others.all(|name| name == first).then_some((first, OptionArgument::Nothing))
            }
            _ => None,
        }
    }

    /// Whether the list of options has a long one of this name, without its dashes.
    fn has_long(&self, bare: &str) -> bool {
        let at = self.all.binary_search_by(|(name, _)| match name.strip_prefix("--") {
            Some(own) => own.cmp(bare),
            None => (*name).cmp("--"),
        });
        at.is_ok()
    }

    /// The other names of a flag, each behind its own.
    pub(in super::super) fn same(&self, name: &str) -> &[(&'static str, &'static str)] {
        let from = match name.as_bytes() {
            [letter @ 0..128] => number(&self.same_letters, *letter),
            _ => Some(self.same.partition_point(|(own, _)| *own < name)),
        };
        let all = from.and_then(|from| self.same.get(from..)).unwrap_or_default();
        let count = all.iter().take_while(|(own, _)| *own == name).count();
        all.get(..count).unwrap_or_default()
    }
}
