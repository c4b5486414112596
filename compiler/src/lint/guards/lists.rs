//! Lists of patterns: programs of `only` that run anything (W0662), exceptions without effect, and patterns that
//! another one covers (W0663).

use hookc_base::Verb;
use hookc_schema::tree::{Guard, Pattern, Predicate};
use hookc_schema::{Code, Diagnostic};
use hookc_shell::effects::{Anything, Comparable, List, PatternKind, Relation, Runs, Set, runs_anything};
use hookc_syntax::expr::print;

/// As many patterns of a list are compared with each other.
const COMPARED: usize = 64;

/// Checks the lists of a predicate.
pub(super) fn check(predicate: &Predicate, sets: &[Set], out: &mut Vec<Diagnostic>) {
    if let Predicate::Only(guards) = predicate {
        let runs = guards.iter().filter(|guard| guard.verb == Verb::Run);
        let patterns = runs.flat_map(|guard| &guard.of);
        out.extend(patterns.filter_map(|pattern| anything(pattern, sets)));
    }
    for guard in predicate.guards() {
        exceptions(guard, sets, out);
        let lists = [(List::Of, &guard.of), (List::Except, &guard.except), (List::By, &guard.by)];
        for (list, patterns) in lists.into_iter().chain([(List::NotBy, &guard.not_by)]) {
            covered(patterns, PatternKind::for_list(guard.verb, list), sets, out);
        }
    }
    if let Predicate::Mentions(of) = predicate {
        covered(of, PatternKind::Text, sets, out);
    }
    if let Predicate::Passed(of) = predicate {
        covered(of, PatternKind::Command, sets, out);
    }
}

/// A program that runs anything.
fn anything(pattern: &Pattern, sets: &[Set]) -> Option<Diagnostic> {
    let Anything { program, what } = runs_anything(&pattern.node.value, sets)?;
    let (runs, permits, arguments) = match what {
        Runs::Program => ("is any program", "its files and hosts must be listed, and nothing else", None),
        Runs::Command => (
            "runs any command",
            "what it starts is permitted only if the list permits that too",
            Some("cargo test"),
        ),
        Runs::Elsewhere => {
            ("runs any command elsewhere", "nothing looks at what that command does", Some("NAME uptime"))
        }
        Runs::Script => {
            ("runs any script", "only a script that the pattern names is permitted", Some("./check.sh"))
        }
        Runs::Code => ("runs any code", "the code can start every command", None),
    };
    let new = Diagnostic::new(Code::W0662, pattern.span, format!("`{program}` {runs}"));
    let new = new.with_label("the pattern does not say which").note(permits);
    Some(new.help(match arguments {
        Some(arguments) => format!("write what it may run, such as '{program} {arguments}'"),
        None => "name the commands that may run, such as 'cargo test'".to_owned(),
    }))
}

/// Exceptions that exclude nothing or everything.
fn exceptions(guard: &Guard, sets: &[Set], out: &mut Vec<Diagnostic>) {
    let kind = PatternKind::for_list(guard.verb, List::Of);
    if guard.of.is_empty() || guard.of.len() > COMPARED || guard.except.is_empty() {
        return;
    }
    let of: Vec<Comparable<'_>> =
        guard.of.iter().map(|pattern| Comparable::new(kind, text(pattern), sets)).collect();
    for except in guard.except.iter().take(COMPARED) {
        let read = Comparable::new(kind, text(except), sets);
        let (what, help) = if of.iter().all(|of| read.relation(of) == Relation::Disjoint) {
            ("this exception excludes nothing", "remove it, or write a part of what the guard is about")
        } else if of.iter().all(|of| read.relation(of) == Relation::Covers) {
            ("this exception excludes everything", "write a part of what the guard is about")
        } else {
            continue;
        };
        let new = Diagnostic::new(Code::W0663, except.span, what);
        out.push(new.with_label("after `except`").help(help));
    }
}

/// Patterns that another one of the list covers.
fn covered(patterns: &[Pattern], kind: PatternKind, sets: &[Set], out: &mut Vec<Diagnostic>) {
    let patterns = patterns.get(..COMPARED.min(patterns.len())).unwrap_or_default();
    let read: Vec<(&Pattern, Comparable<'_>)> =
        patterns.iter().map(|pattern| (pattern, Comparable::new(kind, text(pattern), sets))).collect();
    for (at, (pattern, one)) in read.iter().enumerate() {
        let covers = |(other_at, (_, other)): &(usize, &(&Pattern, Comparable<'_>))| {
            // Of two equal ones, the second is redundant.
            *other_at != at
                && other.relation(one) == Relation::Covers
                && (*other_at < at || one.relation(other) != Relation::Covers)
        };
        let Some((_, (other, _))) = read.iter().enumerate().find(covers) else { continue };
        let what = format!("{} covers this pattern", print::literal(text(other)));
        let new = Diagnostic::new(Code::W0663, pattern.span, what).with_label("has no effect");
        out.push(new.also(other.span, "the other pattern").help("remove it"));
    }
}

fn text(pattern: &Pattern) -> &str {
    &pattern.node.value
}
