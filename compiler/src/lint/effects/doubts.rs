//! Patterns of commands that no command matches (W0661).

use hookc_base::Verb;
use hookc_schema::tree::{self, Predicate};
use hookc_schema::{Code, Diagnostic, Span};
use hookc_shell::effects::{Doubt, DoubtKind, doubts};

use super::Declarations;

/// Reports words of patterns that are no subcommand and no flag of their program.
pub(super) fn check(predicate: &Predicate, declared: &Declarations<'_>) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    for pattern in commands(predicate) {
        let text = &pattern.node.value;
        found.extend(doubts(text, declared.programs).into_iter().map(|doubt| {
            let span = pattern.node.map.span(pattern.span, doubt.range.clone());
            diagnostic(&doubt, span)
        }));
        for side in text.split(" | ") {
            declared.doubts(side.trim(), pattern.span, &mut Vec::new(), &mut found);
        }
    }
    found
}

/// The patterns of commands in a predicate.
fn commands(predicate: &Predicate) -> impl Iterator<Item = &tree::Pattern> {
    let passed: &[tree::Pattern] = match predicate {
        Predicate::Passed(of) => of,
        _ => &[],
    };
    let guards = predicate.guards().iter().flat_map(|guard| {
        let is_run = guard.verb == Verb::Run;
        let of = [&guard.of, &guard.except].into_iter().filter(move |_| is_run);
        of.chain([&guard.by, &guard.not_by]).flatten()
    });
    passed.iter().chain(guards)
}

impl<'d> Declarations<'d> {
    /// What is reported about the patterns of a set of the policy, and of the sets in it.
    fn doubts<'s>(&self, word: &'s str, used: Span, seen: &mut Vec<&'s str>, out: &mut Vec<Diagnostic>)
    where
        'd: 's,
    {
        let Some(name) = word.strip_prefix('@').filter(|name| !seen.contains(name)) else { return };
        let Some(at) = self.sets.iter().position(|set| set.name == *name) else { return };
        seen.push(name);
        for value in self.patterns.get(at).into_iter().flatten().flatten() {
            let Some(pattern) = value.as_str() else { continue };
            let at = |doubt: Doubt| diagnostic(&doubt, value.span_within(doubt.range.clone()));
            out.extend(
                doubts(pattern, self.programs).into_iter().map(|doubt| at(doubt).also(used, "used here")),
            );
            self.doubts(pattern.trim(), used, seen, out);
        }
    }
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
