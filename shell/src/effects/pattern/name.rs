//! Patterns of hosts, packages and branches.

use super::glob::{Glob, Syntax};
use super::machine::Meter;
use super::reading::Reading;
use super::{UNKNOWN, without};
use crate::HoleKind;
use crate::effects::{PatternKind, Text, hosts};
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
        let address = if part == Part::Host { hosts::canonical(pattern) } else { None };
        Ok(Self { glob: Glob::new(address.as_deref().unwrap_or(pattern), Syntax::Text), part })
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
                let colon = colons.next();
                let either = |object: Text<'_>| {
                    matches(object) || colon.is_some_and(|colon| without(object, colon + 1, matches))
                };
                either(object) || reading.is_wide() && unversioned(object, colon.unwrap_or_default(), either)
            }
            Part::AfterLastColon => match colons.next_back() {
                Some(colon) => without(object, colon + 1, matches),
                None => matches(object),
            },
        }
    }
}

/// The characters between a package and its version, or its extras: `left-pad@1`, `requests>=2`, `flask[async]`.
/// A `:` is one before a version, `rails:7.0`, `symfony/console:^7`.
const BEFORE_VERSION: [char; 12] = ['@', '=', '<', '>', '~', '!', '[', '(', ';', ',', ' ', ':'];

/// Calls `then` with a package without its version. Its manager ends at a place of the text. The `@` of a scope
/// (`@types/node`) is a part of its name, and an address has no version.
fn unversioned(package: Text<'_>, manager: usize, then: impl FnOnce(Text<'_>) -> bool) -> bool {
    let is_inside = |at: usize| {
        let next = package.holes.partition_point(|hole| long(hole.to) <= at);
        package.holes.get(next).is_some_and(|hole| long(hole.from) < at)
    };
    let byte = |at: usize| package.text.as_bytes().get(at).copied().unwrap_or_default();
    let is_start = |at: usize| at == 0 || byte(at - 1) == b':';
    let has_version = |at: usize| {
        let next = byte(at + 1);
        byte(at) != b':' || at > manager && (next.is_ascii_digit() || b"^~<>=!*".contains(&next))
    };
    let mut ends = package.text.match_indices(BEFORE_VERSION).map(|(at, _)| at);
    let Some(end) = ends.find(|at| !is_start(*at) && !is_inside(*at) && has_version(*at)) else {
        return false;
    };
    let name = package.text.get(..end).unwrap_or_default();
    let holes = package.holes.iter().take_while(|hole| long(hole.to) <= end).count();
    let holes = package.holes.get(..holes).unwrap_or_default();
    !name.contains("://") && then(Text { text: name, holes })
}
