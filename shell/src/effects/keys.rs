//! Keys: which patterns can match an object or a command, without comparing them.
//!
//! A pattern has keys of which an object that it matches has one: the name of its program, a whole name of its path, the
//! extension or the first bytes of its last name. A pattern without keys can match everything. Keys are hashes, so that
//! they can offer a pattern too many, and never one too few.

use super::pattern::path::PathPattern;
use super::pattern::reading::Reading;
use super::{Scheme, Text};
use crate::programs::{Row, spellings};
use crate::token::{Range, long, short, within};

/// What a key is about, so that equal texts in different parts have different keys.
#[derive(Clone, Copy)]
pub(super) enum Part {
    Program,
    ProgramPath,
    /// The first word of a subcommand.
    Verb,
    /// A name between slashes.
    Name,
    /// What follows the last dot of the last name.
    Extension,
    /// The first bytes of the last name.
    Start,
    Scheme,
    /// Everything below a directory: a pattern that starts at a place can be there.
    Tree,
}

pub(super) type Key = u32;

/// The bytes of a key of [`Part::Start`].
pub(super) const START: usize = 3;

/// The bit of a mask that each object and each list with a pattern without keys has.
const ALWAYS: u64 = 1 << 63;

/// The key of a text, in any case of ASCII letters.
pub(super) fn key(part: Part, text: &str) -> Key {
    let start = 0x811c_9dc5 ^ (part as u32 + 1).wrapping_mul(0x9e37_79b9);
    let mixed = |hash: u32, byte: u8| (hash ^ u32::from(byte.to_ascii_lowercase())).wrapping_mul(0x0100_0193);
    let hash = text.bytes().fold(start, mixed);
    hash ^ hash >> 15
}

/// A bit for a key; the last one is [`ALWAYS`].
pub(super) const fn bit(key: Key) -> u64 {
    1 << (key % 63)
}

/// The keys of an object in a list.
#[derive(Clone, Copy, Debug)]
pub(super) struct StoredKeys {
    mask: u64,
    range: Range,
    is_tree: bool,
}

impl Default for StoredKeys {
    fn default() -> Self {
        Self { mask: u64::MAX, range: (0, 0), is_tree: false }
    }
}

impl StoredKeys {
    /// The bits of all keys; all bits for a tree, for every reading.
    pub(super) const fn mask(self) -> u64 {
        if self.is_tree { u64::MAX } else { self.mask }
    }

    pub(super) fn get(self, list: &[Key]) -> Keys<'_> {
        Keys { mask: self.mask, list: within(list, self.range), is_tree: self.is_tree }
    }

    fn add(list: &mut Vec<Key>, keys: impl Iterator<Item = Key>) -> Self {
        let from = list.len();
        list.extend(keys);
        let mask = list.iter().skip(from).fold(ALWAYS, |mask, key| mask | bit(*key));
        Self { mask, range: (short(from), short(list.len())), is_tree: false }
    }

    /// The keys of a command: the spellings of its name, the other names of its row, and whether its program has a path.
    pub(super) fn for_command(
        name: Option<&str>,
        row: Option<&Row>,
        has_path: bool,
        list: &mut Vec<Key>,
    ) -> Self {
        if name.is_some_and(|name| !name.is_ascii()) {
            return Self::default();
        }
        let names = name.into_iter().flat_map(spellings).chain(row.into_iter().flat_map(Row::same_program));
        let names = names.map(|name| key(Part::Program, name));
        Self::add(list, names.chain(has_path.then(|| key(Part::ProgramPath, ""))))
    }

    /// The keys of the object of an effect. Unknown parts can match any pattern.
    pub(super) fn for_object(scheme: Scheme, object: Text<'_>, is_tree: bool, list: &mut Vec<Key>) -> Self {
        match scheme {
            Scheme::Variable | Scheme::Ref | Scheme::Store => {
                Self::add(list, std::iter::once(key(Part::Scheme, scheme.prefix())))
            }
            Scheme::File if object.holes.is_empty() && object.text.is_ascii() => {
                let names = object.text.split('/').filter(|name| !name.is_empty());
                let last = object.text.rsplit_once('/').map_or(object.text, |(_, last)| last);
                let extension = last.rsplit_once('.').map(|(_, extension)| key(Part::Extension, extension));
                let start = last.get(..START).map(|start| key(Part::Start, start));
                let names = names.map(|name| key(Part::Name, name));
                let tree = is_tree.then(|| key(Part::Tree, ""));
                let keys = Self::add(list, names.chain(extension).chain(start).chain(tree));
                Self { is_tree, ..keys }
            }
            _ => Self::default(),
        }
    }
}

/// The keys of an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Keys<'a> {
    mask: u64,
    list: &'a [Key],
    is_tree: bool,
}

impl Keys<'_> {
    /// The keys for a reading. A reading of what may be below a tree gets all keys.
    pub(super) const fn read(self, reading: Reading) -> Self {
        match reading {
            Reading::May | Reading::Exclude if self.is_tree => {
                Self { mask: u64::MAX, list: &[], is_tree: false }
            }
            _ => self,
        }
    }

    /// Whether every pattern can match.
    const fn is_open(self) -> bool {
        self.mask == u64::MAX
    }
}

/// A pattern with keys.
pub(super) trait Keyed {
    /// The keys of which each object that it matches has one; none if it can match without any.
    fn keys(&self) -> Option<Vec<Key>>;
}

impl Keyed for PathPattern {
    fn keys(&self) -> Option<Vec<Key>> {
        let tree = self.has_place().then(|| key(Part::Tree, ""));
        self.key().map(|key| std::iter::once(key).chain(tree).collect())
    }
}

/// The patterns of a list by their keys.
#[derive(Clone, Debug, Default)]
pub(super) struct Index {
    keyed: Vec<(Key, u32)>,
    /// Patterns without keys.
    rest: Vec<u32>,
    /// Bits of all keys, also those of the sets in the list.
    mask: u64,
    /// A Bloom filter: most searches for missing keys end here.
    filter: Vec<u64>,
}

impl Index {
    pub(super) fn new<'p, P: Keyed + 'p>(patterns: impl Iterator<Item = &'p P>, inner: u64) -> Self {
        let mut index = Self { mask: inner, ..Self::default() };
        for (number, pattern) in (0..).zip(patterns) {
            match pattern.keys() {
                Some(keys) => {
                    index.mask |= keys.iter().fold(0, |mask, key| mask | bit(*key));
                    index.keyed.extend(keys.into_iter().map(|key| (key, number)));
                }
                None => {
                    index.mask |= ALWAYS;
                    index.rest.push(number);
                }
            }
        }
        index.keyed.sort_unstable();
        index.keyed.dedup();
        index.filter = vec![0; (index.keyed.len() / 8).next_power_of_two()];
        let last = index.filter.len() - 1;
        for (key, _) in &index.keyed {
            let word = index.filter.get_mut(long(key >> 6) & last);
            word.into_iter().for_each(|word| *word |= 1 << (key % u64::BITS));
        }
        index
    }

    /// The keys of which each object has one that a pattern matches; none if one has no keys.
    pub(super) fn keys(&self) -> Option<Vec<Key>> {
        self.rest.is_empty().then(|| self.keyed.iter().map(|(key, _)| *key).collect())
    }

    /// The numbers of the patterns with a key.
    fn near(&self, key: Key) -> impl Iterator<Item = u32> + '_ {
        let word = self.filter.get(long(key >> 6) & self.filter.len().saturating_sub(1));
        let may_have = word.is_some_and(|word| word >> (key % u64::BITS) & 1 != 0);
        let from =
            if may_have { self.keyed.partition_point(|known| *known < (key, 0)) } else { self.keyed.len() };
        let near = self.keyed.iter().skip(from).take_while(move |(known, _)| *known == key);
        near.map(|(_, number)| *number)
    }

    /// Calls `see` with the number of each pattern that has one of some keys, perhaps more than once.
    pub(super) fn each(&self, keys: Keys<'_>, see: &mut dyn FnMut(u32)) {
        match keys.is_open() {
            true => self.keyed.iter().for_each(|(_, number)| see(*number)),
            false => keys.list.iter().flat_map(|key| self.near(*key)).for_each(see),
        }
    }

    pub(super) const fn mask(&self) -> u64 {
        self.mask
    }

    /// Whether a pattern of the list or of its sets can match.
    pub(super) const fn can_match(&self, keys: Keys<'_>) -> bool {
        self.mask & keys.mask != 0
    }

    /// The first pattern of the list that can match and for which a test is true.
    pub(super) fn find<'p, P>(
        &self,
        keys: Keys<'_>,
        patterns: &'p [P],
        test: &dyn Fn(&P) -> bool,
    ) -> Option<&'p P> {
        if keys.is_open() {
            return patterns.iter().find(|pattern| test(pattern));
        }
        let mut near: Vec<u32> = keys.list.iter().flat_map(|key| self.near(*key)).collect();
        if !near.is_empty() {
            near.extend(&self.rest);
            near.sort_unstable();
            near.dedup();
        }
        let near = if near.is_empty() { &self.rest } else { &near };
        let mut near = near.iter().filter_map(|number| patterns.get(long(*number)));
        near.find(|pattern| test(pattern))
    }
}
