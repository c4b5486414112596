//! What an event must have so that a predicate can be true, found without reading its patterns in full.

use super::command::program_word;
use super::keys::{self, Part};
use super::pattern::braces;
use super::sets::{Sets, whole};
use super::{ALTERNATIVES, Actions, Kind, Predicate, Set, Verb, guard};
use crate::programs;

/// What an event must have so that a predicate can be true.
#[derive(Clone, Copy, Debug)]
pub struct Witness {
    /// Something unknown is enough.
    is_possible: bool,
    needed: Needed,
}

#[derive(Clone, Copy, Debug)]
enum Needed {
    Nothing,
    /// An effect of one of these kinds.
    Effect(&'static [Kind]),
    /// A command with one of these keys.
    Command(u64),
}

/// Sets in one another.
const DEPTH: usize = 8;

impl Predicate {
    /// What an event must have so that it can be true.
    #[must_use]
    pub fn witness(&self, sets: &[Set]) -> Witness {
        let sets = Sets { declared: sets, programs: Default::default() };
        let needed = match self {
            Self::Guard(guard) if guard.verb == Verb::Run && guard.of.is_empty() => Needed::Command(u64::MAX),
            Self::Guard(guard) if guard.verb == Verb::Run => {
                Needed::Command(of_patterns(&guard.of, sets, DEPTH))
            }
            Self::Guard(guard) => Needed::Effect(guard::kinds(guard.verb)),
            Self::Passed(commands) => Needed::Command(of_patterns(commands, sets, DEPTH)),
            Self::Only(_) | Self::Unknown | Self::Mentions(_) => Needed::Nothing,
        };
        let is_possible = matches!(self, Self::Guard(guard) if guard.is_possible);
        Witness { is_possible, needed }
    }
}

impl Witness {
    /// Whether an event has it; without it, the predicate is false.
    #[must_use]
    pub fn is_in(self, actions: &Actions) -> bool {
        let is_there = match self.needed {
            Needed::Nothing => true,
            Needed::Effect(kinds) => actions.kind_mask(kinds) != 0,
            Needed::Command(mask) => actions.programs & mask != 0,
        };
        is_there || self.is_possible && actions.unknown().is_some()
    }
}

/// Bits of the keys of the programs of patterns; all bits if one has a wildcard.
fn of_patterns(patterns: &[impl AsRef<str>], sets: Sets<'_>, depth: usize) -> u64 {
    let Some(depth) = depth.checked_sub(1) else { return u64::MAX };
    patterns.iter().fold(0, |mask, pattern| mask | of_pattern(pattern.as_ref(), sets, depth))
}

fn of_pattern(pattern: &str, sets: Sets<'_>, depth: usize) -> u64 {
    let word = if whole(pattern).is_some() { Some(pattern) } else { program_word(pattern) };
    let names = word.and_then(|word| braces::expand(word, ALTERNATIVES));
    let bits = names.map(|names| names.iter().fold(0, |mask, name| mask | of_name(name, sets, depth)));
    bits.unwrap_or(u64::MAX)
}

fn of_name(name: &str, sets: Sets<'_>, depth: usize) -> u64 {
    if let Some(found) = whole(name).and_then(|name| sets.find(name)) {
        return of_patterns(&found.patterns(), sets, depth);
    }
    match name {
        _ if !name.is_ascii() || name.contains(['*', '?', '[', '\\', '@']) => u64::MAX,
        _ if name.contains('/') || name.starts_with('~') => keys::bit(keys::key(Part::ProgramPath, "")),
        _ => {
            let program = |name: &str| keys::bit(keys::key(Part::Program, name));
            programs::names_of(name).fold(program(name), |mask, name| mask | program(name))
        }
    }
}
