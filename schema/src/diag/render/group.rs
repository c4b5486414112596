//! Equal diagnostics as one. About one line, it has several labels: four wrong names in a list are one problem for a
//! reader. A warning that many lines repeat is shown for the first of them.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::hash::Hash;

use crate::Sources;
use crate::diag::{Diagnostic, Severity};

/// Characters of a help that fits into a label.
const HELP: usize = 48;

/// How many equal warnings of a file are shown each.
const REPEATED: usize = 3;

/// The lines that are named for the others.
const LINES: usize = 8;

/// The diagnostics for people: of neighbours about one line that say the same, there is one.
#[must_use]
pub fn grouped(diagnostics: &[Diagnostic], sources: &Sources) -> Vec<Diagnostic> {
    let is_alike = |a: &Diagnostic, b: &Diagnostic| is_alike(a, b, sources);
    let found: Vec<Diagnostic> = diagnostics.chunk_by(is_alike).flat_map(one).collect();
    without_repetitions(found, sources)
}

/// What two warnings that say the same have in common.
fn repeated_part(one: &Diagnostic) -> Option<impl Eq + Hash> {
    let source = one.span()?.source;
    let is_warning = one.severity == Severity::Warning;
    is_warning.then_some((one.code, one.message.as_str(), one.help.as_deref(), one.notes.as_slice(), source))
}

/// The first of those warnings that more than [`REPEATED`] places repeat, with the lines of the others.
fn without_repetitions(found: Vec<Diagnostic>, sources: &Sources) -> Vec<Diagnostic> {
    let mut places: HashMap<_, Vec<usize>> = HashMap::new();
    for (at, one) in found.iter().enumerate() {
        if let Some(part) = repeated_part(one) {
            places.entry(part).or_default().push(at);
        }
    }
    let mut notes: HashMap<usize, Option<String>> = HashMap::new();
    for places in places.into_values().filter(|places| places.len() > REPEATED) {
        let others = || places.iter().skip(1).filter_map(|at| found.get(*at)?.span());
        let lines = others().take(LINES).map(|span| sources.line_col(span).0.to_string());
        let lines = lines.collect::<Vec<_>>().join(", ");
        let more = others().count().saturating_sub(LINES);
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        notes.extend(places.iter().skip(1).map(|at| (*at, None)));
        notes
            .extend(places.first().map(|at| (*at, Some(format!("the same is true in lines {lines}{more}")))));
    }
    let shown = found.into_iter().enumerate().filter_map(|(at, one)| match notes.remove(&at) {
        None => Some(one),
        Some(note) => note.map(|note| one.note(note)),
    });
    shown.collect()
}

/// Whether two diagnostics differ at most in the names that they quote and in their places on one line.
fn is_alike(a: &Diagnostic, b: &Diagnostic, sources: &Sources) -> bool {
    let ([first], [second]) = (a.labels.as_slice(), b.labels.as_slice()) else { return false };
    let line = |diagnostic: &Diagnostic| Some(sources.line_col(diagnostic.span()?).0);
    let is_short = |one: &Diagnostic| one.help.as_ref().is_none_or(|help| help.chars().count() <= HELP);
    (a.code, a.severity, first.span.source) == (b.code, b.severity, second.span.source)
        && line(a) == line(b)
        && (a.help == b.help || is_short(a) && is_short(b))
        && difference(&a.message, &b.message) != Difference::Text
}

/// How two messages differ.
#[derive(Debug, PartialEq)]
enum Difference<'m> {
    None,
    /// One name that they quote.
    Names(&'m str, &'m str),
    Text,
}

fn difference<'m>(a: &'m str, b: &'m str) -> Difference<'m> {
    let (mut first, mut second) = (a.split('`'), b.split('`'));
    let mut found = Difference::None;
    for at in 0.. {
        match (first.next(), second.next()) {
            (None, None) => return found,
            (Some(a), Some(b)) if a == b => {}
            // Every second part is quoted.
            (Some(a), Some(b)) if at % 2 == 1 && found == Difference::None => found = Difference::Names(a, b),
            _ => return Difference::Text,
        }
    }
    Difference::Text
}

/// What says the same as all of some diagnostics.
fn one(alike: &[Diagnostic]) -> Vec<Diagnostic> {
    let Some((first, rest)) = alike.split_first().filter(|(_, rest)| !rest.is_empty()) else {
        return alike.to_vec();
    };
    let differing = rest.iter().filter_map(|other| match difference(&first.message, &other.message) {
        Difference::Names(name, other) => Some((name, other)),
        Difference::None | Difference::Text => None,
    });
    let mut group = Diagnostic { fix: None, labels: Vec::new(), ..first.clone() };
    let mut listed = Vec::new();
    for (name, other) in differing {
        if listed.is_empty() {
            listed.push(name);
        }
        // Messages that differ in another name than the others do are told apart by their labels.
        if listed.first() == Some(&name) && !listed.contains(&other) {
            listed.push(other);
        }
    }
    if let [name, others @ ..] = listed.as_slice() {
        let quoted = format!("`{name}`");
        let list = others.iter().fold(quoted.clone(), |mut list, other| {
            let _ = write!(list, ", `{other}`");
            list
        });
        group.message = first.message.replacen(&quoted, &list, 1);
    }
    let is_one_help = rest.iter().all(|other| other.help == first.help);
    if !is_one_help {
        group.help = None;
    }
    for diagnostic in alike {
        group.labels.extend(diagnostic.labels.iter().cloned().map(|mut label| {
            if let Some(help) = diagnostic.help.as_ref().filter(|_| !is_one_help) {
                label.text.clone_from(help);
            }
            label
        }));
        let new: Vec<String> =
            diagnostic.notes.iter().filter(|note| !group.notes.contains(note)).cloned().collect();
        group.notes.extend(new);
    }
    vec![group]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diag::Code;
    use crate::span::Span;

    #[test]
    fn names_of_one_list_are_one_diagnostic() {
        let mut sources = Sources::new();
        let source = sources.add("a.yaml", "when: tool in ['bash', 'read', 'edit']\nand: 'bash'\n");
        let new = |at: std::ops::Range<usize>, name: &str, help: &str| {
            let new =
                Diagnostic::new(Code::W0426, Span::new(source, at), format!("no tool has the name `{name}`"));
            new.with_label("not a name").help(help)
        };
        let found = [
            new(15..21, "bash", "write `Bash`"),
            new(23..29, "read", "write `Read`"),
            new(31..37, "edit", "write `Edit`"),
            new(44..50, "bash", "write `Bash`"),
        ];
        let grouped = grouped(&found, &sources);
        let [list, other] = grouped.as_slice() else { panic!("{grouped:?}") };
        assert_eq!(list.message, "no tool has the name `bash`, `read`, `edit`");
        let labels: Vec<&str> = list.labels.iter().map(|label| label.text.as_str()).collect();
        assert_eq!((labels, &list.help), (vec!["write `Bash`", "write `Read`", "write `Edit`"], &None));
        assert_eq!(other, &found[3]);
    }

    #[test]
    fn warnings_that_many_lines_repeat_are_shown_once() {
        let mut sources = Sources::new();
        let source = sources.add("a.yaml", "a\nb\nc\nd\n");
        let new = |at: usize| Diagnostic::new(Code::W0432, Span::new(source, at..at + 1), "this is denied");
        let lines: Vec<Diagnostic> = [0, 2, 4, 6].map(new).into();
        let found = grouped(&lines, &sources);
        let [one] = found.as_slice() else { panic!("{found:?}") };
        assert_eq!(
            (one.span(), &one.notes),
            (lines[0].span(), &vec!["the same is true in lines 2, 3, 4".to_owned()])
        );
        assert_eq!(grouped(&lines[1..], &sources), lines[1..]);
        let errors: Vec<Diagnostic> =
            lines.into_iter().map(|one| Diagnostic { severity: Severity::Error, ..one }).collect();
        assert_eq!(grouped(&errors, &sources), errors);
    }

    #[test]
    fn the_same_twice_keeps_its_help() {
        let mut sources = Sources::new();
        let source = sources.add("a.yaml", "when: a.b == 1 or a.b == 2\n");
        let new = |at| Diagnostic::new(Code::W0416, Span::new(source, at), "no field `b`").help("write `c`");
        let grouped = grouped(&[new(8..9), new(20..21)], &sources);
        let [one] = grouped.as_slice() else { panic!("{grouped:?}") };
        assert_eq!((one.labels.len(), one.help.as_deref()), (2, Some("write `c`")));
    }

    #[test]
    fn messages_that_say_something_else_stay_apart() {
        assert_eq!(difference("no `a` in `b`", "no `c` in `d`"), Difference::Text);
        assert_eq!(difference("no `a`", "not `a`"), Difference::Text);
        assert_eq!(difference("no `a`", "no `b`"), Difference::Names("a", "b"));
        assert_eq!(difference("no `a`", "no `a`"), Difference::None);
    }
}
