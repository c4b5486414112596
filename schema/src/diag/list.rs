//! The list that stages append to: a limited number of each code and source, and the count of the others.

use std::collections::{BTreeMap, HashSet};
use std::ops::{Deref, DerefMut};

use super::{Code, Diagnostic, Severity, sort};
use crate::limits;
use crate::span::{SourceId, Span};

/// Diagnostics in the order in which they are reported. Of each code and source, the first
/// [`limits::DIAGNOSTICS`] are kept; [`Self::finish`] says how many others there were.
///
/// ```
/// use hookc_schema::{Code, Diagnostic, Diagnostics, SourceId, Span, limits};
///
/// let mut out = Diagnostics::new();
/// for at in 0..limits::DIAGNOSTICS + 5 {
///     out.push(Diagnostic::new(Code::E0202, Span::new(SourceId(0), at..at), "no action"));
/// }
/// assert_eq!(out.errors(), limits::DIAGNOSTICS + 5);
/// let diagnostics = out.finish();
/// assert_eq!(diagnostics.len(), limits::DIAGNOSTICS + 1);
/// assert_eq!(diagnostics.last().map(|last| last.message.as_str()), Some("5 more diagnostics are omitted"));
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Diagnostics {
    kept: Vec<Diagnostic>,
    tallies: BTreeMap<Kind, Tally>,
    reported: usize,
    errors: usize,
}

/// What is counted together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Kind {
    source: Option<SourceId>,
    code: Code,
    severity: Severity,
}

#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Tally {
    kept: usize,
    left_out: usize,
    /// The span of the first one that was left out.
    first: Option<Span>,
}

impl Tally {
    fn add(&mut self, other: Self) {
        self.kept += other.kept;
        self.left_out += other.left_out;
        self.first = self.first.or(other.first);
    }
}

impl Diagnostics {
    /// An empty list.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds the diagnostic of a code at a span, or counts it if there are enough of its kind; only the
    /// former makes it.
    pub fn push_with(&mut self, code: Code, span: Span, new: impl FnOnce() -> Diagnostic) {
        let kind = Kind { source: Some(span.source), code, severity: code.severity() };
        match self.tallies.get_mut(&kind).filter(|tally| tally.kept >= limits::DIAGNOSTICS) {
            Some(tally) => {
                tally.add(Tally { kept: 0, left_out: 1, first: Some(span) });
                self.reported += 1;
                self.errors += usize::from(kind.severity == Severity::Error);
            }
            None => self.push(new()),
        }
    }

    /// Adds a diagnostic, or counts it if there are enough of its kind.
    pub fn push(&mut self, new: Diagnostic) {
        let span = new.span();
        let kind = Kind { source: span.map(|span| span.source), code: new.code, severity: new.severity };
        self.reported += 1;
        self.errors += usize::from(new.is_error());
        let tally = self.tallies.entry(kind).or_default();
        if tally.kept < limits::DIAGNOSTICS {
            tally.kept += 1;
            self.kept.push(new);
        } else {
            tally.add(Tally { kept: 0, left_out: 1, first: span });
        }
    }

    /// Moves all of `other` to the end of this list.
    pub fn append(&mut self, other: &mut Self) {
        let Self { kept, tallies, .. } = std::mem::take(other);
        self.extend(kept);
        for (kind, tally) in tallies.into_iter().filter(|(_, tally)| tally.left_out > 0) {
            self.reported += tally.left_out;
            self.errors += if kind.severity == Severity::Error { tally.left_out } else { 0 };
            self.tallies.entry(kind).or_default().add(Tally { kept: 0, ..tally });
        }
    }

    /// How many are kept now, for [`Diagnostics::since`].
    #[must_use]
    pub fn mark(&self) -> usize {
        self.kept.len()
    }

    /// Those that were kept since a mark.
    pub fn since(&mut self, mark: usize) -> &mut [Diagnostic] {
        self.kept.get_mut(mark..).unwrap_or_default()
    }

    /// How many were reported, including those that are left out.
    #[must_use]
    pub fn reported(&self) -> usize {
        self.reported
    }

    /// How many errors were reported, including those that are left out.
    #[must_use]
    pub fn errors(&self) -> usize {
        self.errors
    }

    /// Keeps only those that `keep` selects. The count of others does not change.
    pub fn retain(&mut self, keep: impl FnMut(&Diagnostic) -> bool) {
        self.kept.retain(keep);
    }

    /// Makes all diagnostics of the selected codes errors.
    pub fn raise(&mut self, selected: impl Fn(Code) -> bool) {
        for raised in self.kept.iter_mut().filter(|kept| selected(kept.code)) {
            raised.severity = Severity::Error;
        }
        for (mut kind, tally) in std::mem::take(&mut self.tallies) {
            if selected(kind.code) && kind.severity != Severity::Error {
                kind.severity = Severity::Error;
                self.errors += tally.kept + tally.left_out;
            }
            self.tallies.entry(kind).or_default().add(tally);
        }
    }

    /// Sorts them by source and span, and removes exact duplicates.
    pub fn sort(&mut self) {
        sort(&mut self.kept);
    }

    /// Returns them in source order, without those that [`Diagnostic::unless`] removes. W0648 follows each source that has
    /// too many, and counts the rest.
    #[must_use]
    pub fn finish(mut self) -> Vec<Diagnostic> {
        let mut sources: BTreeMap<Option<SourceId>, Vec<(Kind, Tally)>> = BTreeMap::new();
        for (kind, tally) in self.tallies.into_iter().filter(|(_, tally)| tally.left_out > 0) {
            sources.entry(kind.source).or_default().push((kind, tally));
        }
        let spans = self.kept.iter().filter_map(|kept| Some((kept.code, kept.span()?)));
        let spans: HashSet<(Code, Span)> =
            if self.kept.iter().any(|kept| kept.unless.is_some()) { spans.collect() } else { HashSet::new() };
        let is_useless =
            |kept: &Diagnostic| kept.unless.zip(kept.span()).is_some_and(|at| spans.contains(&at));
        self.kept.retain(|kept| !is_useless(kept));
        self.kept.extend(sources.values().map(|tallies| left_out(tallies)));
        sort(&mut self.kept);
        self.kept
    }
}

/// W0648 for one source.
fn left_out(tallies: &[(Kind, Tally)]) -> Diagnostic {
    let count: usize = tallies.iter().map(|(_, tally)| tally.left_out).sum();
    let (noun, verb) = if count == 1 { ("diagnostic", "is") } else { ("diagnostics", "are") };
    let message = format!("{count} more {noun} {verb} omitted");
    let first = tallies.iter().filter_map(|(_, tally)| tally.first).min();
    let mut new = match first {
        Some(span) => Diagnostic::new(Code::W0648, span, message).with_label("the first of them is here"),
        None => Diagnostic::global(Code::W0648, message),
    };
    new.severity = tallies.iter().map(|(kind, _)| kind.severity).max().unwrap_or(new.severity);
    for (kind, tally) in tallies {
        new = new.note(format!("{} of {}: {}", tally.left_out, kind.code, kind.code.title()));
    }
    new.help(format!("correct the first {} of each code, and check again", limits::DIAGNOSTICS))
}

impl Deref for Diagnostics {
    type Target = [Diagnostic];

    fn deref(&self) -> &[Diagnostic] {
        &self.kept
    }
}

impl DerefMut for Diagnostics {
    fn deref_mut(&mut self) -> &mut [Diagnostic] {
        &mut self.kept
    }
}

impl<const N: usize> PartialEq<[Diagnostic; N]> for Diagnostics {
    fn eq(&self, other: &[Diagnostic; N]) -> bool {
        self.kept == other && self.tallies.values().all(|tally| tally.left_out == 0)
    }
}

impl Extend<Diagnostic> for Diagnostics {
    fn extend<T: IntoIterator<Item = Diagnostic>>(&mut self, more: T) {
        more.into_iter().for_each(|new| self.push(new));
    }
}

impl FromIterator<Diagnostic> for Diagnostics {
    fn from_iter<T: IntoIterator<Item = Diagnostic>>(items: T) -> Self {
        let mut new = Self::new();
        new.extend(items);
        new
    }
}

impl IntoIterator for Diagnostics {
    type Item = Diagnostic;
    type IntoIter = std::vec::IntoIter<Diagnostic>;

    /// All of [`Self::finish`].
    fn into_iter(self) -> Self::IntoIter {
        self.finish().into_iter()
    }
}

impl<'a> IntoIterator for &'a Diagnostics {
    type Item = &'a Diagnostic;
    type IntoIter = std::slice::Iter<'a, Diagnostic>;

    fn into_iter(self) -> Self::IntoIter {
        self.kept.iter()
    }
}
