//! Replaces sets and braces in patterns.

use std::ops::Range;

use hookc_base::suggest;

use super::super::command::tokens;
use super::super::pattern::braces;
use super::super::pattern::choice::{Choice, Part};
use super::super::{ALTERNATIVES, InSet, PatternKind, ProblemKind, Set};
use super::{ShippedSet, names, shipped_sets, whole};
use crate::programs::Programs;

/// The sets that patterns can name.
#[derive(Clone, Copy, Debug)]
pub(in super::super) struct Sets<'s> {
    pub(in super::super) declared: &'s [Set],
    /// The programs that patterns of commands can name.
    pub(in super::super) programs: &'s Programs,
}

/// What is wrong with a pattern, and where.
#[derive(Clone, Debug)]
pub(in super::super) struct Fault {
    pub(in super::super) range: Range<usize>,
    pub(in super::super) in_set: Option<Box<InSet>>,
    pub(in super::super) kind: ProblemKind,
}

impl Fault {
    pub(in super::super) fn unreadable(pattern: &str, reason: impl Into<String>) -> Self {
        Self { range: 0..pattern.len(), in_set: None, kind: ProblemKind::Unreadable(reason.into()) }
    }

    fn too_many(pattern: &str) -> Self {
        Self { range: 0..pattern.len(), in_set: None, kind: ProblemKind::TooMany }
    }
}

/// A set of either origin.
#[derive(Clone, Copy)]
pub(in super::super) enum Found<'s> {
    Own(&'s Set),
    Shipped(&'static ShippedSet),
}

impl<'s> Found<'s> {
    pub(in super::super) fn patterns(self) -> Vec<&'s str> {
        match self {
            Self::Own(set) => set.of.iter().map(String::as_str).collect(),
            Self::Shipped(set) => set.of.to_vec(),
        }
    }

    pub(in super::super) fn except(self) -> Vec<&'s str> {
        match self {
            Self::Own(set) => set.except.iter().map(String::as_str).collect(),
            Self::Shipped(set) => set.except.to_vec(),
        }
    }
}

/// Makes a pattern of an alternative.
pub(in super::super) type Make<'m, P> = &'m dyn Fn(&str) -> Result<P, Fault>;

/// The work of one pattern of a list.
struct Expansion<'s, 'm, P> {
    sets: Sets<'s>,
    kind: PatternKind,
    make: Make<'m, P>,
    /// The sets around, outermost first.
    open: Vec<String>,
    /// The alternatives so far.
    count: usize,
}

impl<'s> Sets<'s> {
    /// The set of a name: that of the policy before the one that ships with the program.
    pub(in super::super) fn find(self, name: &str) -> Option<Found<'s>> {
        let declared = self.declared.iter().find(|set| set.name == name).map(Found::Own);
        declared.or_else(|| shipped_sets().iter().find(|set| set.name == name).map(Found::Shipped))
    }

    pub(in super::super) fn unknown(self, name: &str, range: Range<usize>) -> Fault {
        let names = self
            .declared
            .iter()
            .map(|set| set.name.as_str())
            .chain(shipped_sets().iter().map(|set| set.name));
        let closest = suggest::nearest_spelling(name, names).map(str::to_owned);
        Fault { range, in_set: None, kind: ProblemKind::UnknownSet { name: name.to_owned(), closest } }
    }

    /// The kind of a set; none if nothing says what the patterns of a policy's set are about.
    pub(in super::super) fn kind(self, name: &str) -> Option<PatternKind> {
        let mut open = vec![name];
        let mut seen: Vec<&str> = Vec::new();
        while let Some(name) = open.pop() {
            match self.find(name) {
                Some(Found::Shipped(set)) => return Some(set.kind),
                Some(Found::Own(set)) if !seen.contains(&name) => {
                    seen.push(name);
                    open.extend(set.of.iter().filter_map(|pattern| whole(pattern)));
                }
                _ => {}
            }
        }
        None
    }

    /// The patterns of a list. Patterns of commands have braces and sets within words, which `make` reads.
    pub(in super::super) fn choice<P>(
        self,
        patterns: &[impl AsRef<str>],
        kind: PatternKind,
        make: Make<'_, P>,
    ) -> Result<Choice<P>, (usize, Fault)> {
        let mut choice = Choice::default();
        for (at, pattern) in patterns.iter().enumerate() {
            let mut expansion = Expansion { sets: self, kind, make, open: Vec::new(), count: 0 };
            expansion.add(pattern.as_ref(), &mut choice).map_err(|fault| (at, fault))?;
        }
        Ok(choice)
    }
}

impl<P> Expansion<'_, '_, P> {
    fn add(&mut self, pattern: &str, out: &mut Choice<P>) -> Result<(), Fault> {
        if let Some(name) = whole(pattern) {
            return self.add_set(name, "", "", 0..pattern.len(), out);
        }
        if self.kind == PatternKind::Text {
            return self.add_one(pattern, pattern, out);
        }
        if self.kind == PatternKind::Command {
            let alternatives =
                tokens::alternatives(pattern, ALTERNATIVES).ok_or_else(|| Fault::too_many(pattern))?;
            return alternatives.iter().try_for_each(|alternative| match whole(alternative) {
                Some(name) => self.add_set(name, "", "", 0..pattern.len(), out),
                None => self.add_one(alternative, pattern, out),
            });
        }
        let alternatives = braces::expand(pattern, ALTERNATIVES).ok_or_else(|| Fault::too_many(pattern))?;
        alternatives.iter().try_for_each(|alternative| self.add_alternative(alternative, pattern, out))
    }

    /// Adds a pattern without braces.
    fn add_alternative(
        &mut self,
        alternative: &str,
        pattern: &str,
        out: &mut Choice<P>,
    ) -> Result<(), Fault> {
        let Some((range, name)) = names(alternative).next() else {
            return self.add_one(alternative, pattern, out);
        };
        let before = alternative.get(..range.start).unwrap_or_default();
        let after = alternative.get(range.end..).unwrap_or_default();
        let at =
            names(pattern).find(|(_, other)| *other == name).map_or(0..pattern.len(), |(range, _)| range);
        self.add_set(name, before, after, at, out)
    }

    fn add_one(&mut self, alternative: &str, pattern: &str, out: &mut Choice<P>) -> Result<(), Fault> {
        self.count += 1;
        if self.count > ALTERNATIVES {
            return Err(Fault::too_many(pattern));
        }
        out.of.push((self.make)(alternative).map_err(|fault| {
            let range = if alternative == pattern { fault.range } else { 0..pattern.len() };
            Fault { range, ..fault }
        })?);
        Ok(())
    }

    /// Adds the patterns of a set, each between two texts.
    fn add_set(
        &mut self,
        name: &str,
        before: &str,
        after: &str,
        range: Range<usize>,
        out: &mut Choice<P>,
    ) -> Result<(), Fault> {
        let set = self.sets.find(name).ok_or_else(|| self.sets.unknown(name, range.clone()))?;
        let is_whole = before.is_empty() && after.is_empty();
        let at = |kind| Fault { range: range.clone(), in_set: None, kind };
        if self.open.iter().any(|open| open == name) {
            return Err(at(ProblemKind::Recursive { name: name.to_owned() }));
        }
        if let Found::Shipped(set) = set
            && is_whole
            && set.kind != self.kind
        {
            let name = name.to_owned();
            return Err(at(ProblemKind::WrongSet { name, kind: set.kind, expected: self.kind }));
        }
        self.count += 1;
        if self.count > ALTERNATIVES {
            return Err(at(ProblemKind::TooMany));
        }
        self.open.push(name.to_owned());
        let of = self.in_set(&set.patterns(), (before, after), false, name, &range);
        let except = self.in_set(&set.except(), (before, after), true, name, &range);
        self.open.pop();
        let (of, except) = (of?, except?);
        if except.is_empty() {
            out.of.extend(of.of);
            out.parts.extend(of.parts);
        } else {
            out.parts.push(Part { of, except });
        }
        Ok(())
    }

    fn in_set(
        &mut self,
        patterns: &[&str],
        (before, after): (&str, &str),
        is_except: bool,
        name: &str,
        range: &Range<usize>,
    ) -> Result<Choice<P>, Fault> {
        let mut choice = Choice::default();
        for (at, pattern) in patterns.iter().enumerate() {
            let is_whole = before.is_empty() && after.is_empty();
            let added = if is_whole {
                self.add(pattern, &mut choice)
            } else {
                self.add(&format!("{before}{pattern}{after}"), &mut choice)
            };
            added.map_err(|fault| {
                let is_declared = matches!(self.sets.find(name), Some(Found::Own(_)));
                let inner = fault.in_set.or_else(|| {
                    let range = if is_whole { fault.range } else { 0..pattern.len() };
                    is_declared.then(|| Box::new(InSet { name: name.to_owned(), is_except, at, range }))
                });
                Fault { range: range.clone(), in_set: inner, kind: fault.kind }
            })?;
        }
        Ok(choice)
    }
}
