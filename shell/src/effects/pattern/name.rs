//! Patterns of hosts, packages and branches.

use super::glob::{Glob, Syntax};
use super::machine::Meter;
use super::reading::Reading;
use super::{UNKNOWN, without};
use crate::HoleKind;
use crate::effects::{PatternKind, Text};
use crate::token::long;

/// A glob over a host, a package with or without its manager, or a branch with or without its remote.
#[derive(Clone, Debug)]
pub(crate) struct NamePattern {
    glob: Glob,
    part: Part,
}

/// Which part of an object is compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    Whole,
    /// The whole, about which nothing is known if it has unknown text: `a$X` can be `a.example@b`.
    Host,
    /// The whole, or what follows the first colon.
    AlsoAfterFirstColon,
    /// What follows the last colon.
    AfterLastColon,
}

impl NamePattern {
    pub(crate) fn new(pattern: &str, kind: PatternKind) -> Result<Self, String> {
        if pattern.is_empty() {
            return Err("it is empty".to_owned());
        }
        let part = match kind {
            PatternKind::Host => Part::Host,
            PatternKind::Package => Part::AlsoAfterFirstColon,
            PatternKind::Branch if !pattern.contains(':') => Part::AfterLastColon,
            _ => Part::Whole,
        };
        Ok(Self { glob: Glob::new(pattern, Syntax::Text), part })
    }

    /// Whether it matches all that another pattern matches. It can be false although it does.
    pub(crate) fn includes(&self, other: &Self) -> bool {
        self.part == other.part && self.glob.includes(&other.glob)
    }

    /// Whether something matches both patterns. It can be true although nothing does.
    pub(crate) fn overlaps(&self, other: &Self) -> bool {
        self.part != other.part || self.part == Part::AlsoAfterFirstColon || self.glob.overlaps(&other.glob)
    }

    pub(crate) fn has(&self, object: Text<'_>, reading: Reading, meter: &Meter) -> bool {
        let matches = |text: Text<'_>| self.glob.matches(text, reading.how(), reading.case(), meter);
        let is_known =
            |at: &usize| object.holes.iter().all(|hole| !(long(hole.from)..long(hole.to)).contains(at));
        let mut colons = object.text.match_indices(':').map(|(at, _)| at).filter(is_known);
        match self.part {
            Part::Host if object.holes.iter().any(|hole| hole.kind == HoleKind::Text) => matches(UNKNOWN),
            Part::Whole | Part::Host => matches(object),
            Part::AlsoAfterFirstColon => {
                let named = |text: Text<'_>| matches(text) || reading.is_wide() && unversioned(text, matches);
                named(object) || colons.next().is_some_and(|colon| without(object, colon + 1, named))
            }
            Part::AfterLastColon => match colons.next_back() {
                Some(colon) => without(object, colon + 1, matches),
                None => matches(object),
            },
        }
    }
}

/// The characters between a package and its version, or its extras: `left-pad@1`, `requests>=2`, `flask[async]`.
const BEFORE_VERSION: [char; 11] = ['@', '=', '<', '>', '~', '!', '[', '(', ';', ',', ' '];

/// Calls `then` with a package without its version. The `@` of a scope (`@types/node`) is a part of its name, and an
/// address has no version.
fn unversioned(package: Text<'_>, then: impl FnOnce(Text<'_>) -> bool) -> bool {
    let is_inside = |at: usize| {
        let next = package.holes.partition_point(|hole| long(hole.to) <= at);
        package.holes.get(next).is_some_and(|hole| long(hole.from) < at)
    };
    let is_start = |at: usize| at == 0 || package.text.as_bytes().get(at - 1) == Some(&b':');
    let mut ends = package.text.match_indices(BEFORE_VERSION).map(|(at, _)| at);
    let Some(end) = ends.find(|at| !is_start(*at) && !is_inside(*at)) else { return false };
    let name = package.text.get(..end).unwrap_or_default();
    let holes = package.holes.iter().take_while(|hole| long(hole.to) <= end).count();
    let holes = package.holes.get(..holes).unwrap_or_default();
    !name.contains("://") && then(Text { text: name, holes })
}
