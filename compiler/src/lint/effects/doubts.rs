//! Patterns of commands that no command matches (W0661).

use hookc_base::Verb;
use hookc_schema::tree::{self, Predicate};
use hookc_schema::{Code, Diagnostic, Span};
use hookc_shell::effects::{Doubt, DoubtKind, Meant, as_meant, doubts};

use super::Declarations;
use super::listed::listed;

/// Reports words of patterns that are no subcommand and no flag of their program.
pub(super) fn check(predicate: &Predicate, declared: &Declarations<'_>) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    for one in commands(predicate).flat_map(|patterns| listed(patterns, declared)) {
        let new = |doubt: &Doubt| one.also_used(diagnostic(doubt, one.span_within(doubt.range.clone())));
        let doubts = doubts(one.text, declared.programs);
        if doubts.is_empty()
            && let Some(meant) = as_meant(one.text, declared.programs)
        {
            let span = one.span_within(0..one.text.len());
            found.push(one.also_used(misread(&meant, one.text, span)));
        }
        found.extend(doubts.iter().map(new));
    }
    found
}

fn misread(meant: &Meant, pattern: &str, span: Span) -> Diagnostic {
    let title = format!("the command line `{pattern}` does not match this pattern");
    let new = Diagnostic::new(Code::W0661, span, title);
    match meant {
        Meant::Pattern(other) => {
            new.with_label("read as a flag and an operand").did_you_mean(Some(other), span)
        }
        Meant::Unknown => new
            .with_label("not the command line")
            .help(format!("see what the line runs with `hookc effects '{pattern}'`, and write that")),
    }
}

/// The lists of patterns of commands in a predicate.
fn commands(predicate: &Predicate) -> impl Iterator<Item = &[tree::Pattern]> {
    let passed: &[tree::Pattern] = match predicate {
        Predicate::Passed(of) => of,
        _ => &[],
    };
    let guards = predicate.guards().iter().flat_map(|guard| {
        let is_run = guard.verb == Verb::Run;
        let of = [&guard.of, &guard.except].into_iter().filter(move |_| is_run);
        of.chain([&guard.by, &guard.not_by]).map(Vec::as_slice)
    });
    std::iter::once(passed).chain(guards)
}

fn diagnostic(doubt: &Doubt, span: Span) -> Diagnostic {
    let Doubt { program, word, .. } = doubt;
    let (what, label) = match doubt.kind {
        DoubtKind::Subcommand => (format!("`{program}` has no subcommand `{word}`"), "no command has it"),
        DoubtKind::Flag => (format!("`{program}` has no flag `{word}`"), "no command has it"),
        DoubtKind::Value => (
            format!("`{word}` of `{program}` takes a value, and a pattern has it after `=`"),
            "a flag, and an operand",
        ),
    };
    Diagnostic::new(Code::W0661, span, what).with_label(label).did_you_mean(doubt.closest.as_deref(), span)
}
