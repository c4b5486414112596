//! An `only` of an `allow` that permits more than it seems to (W0658): writes of every file, reads of secrets, exceptions
//! that are outside of it, and an empty list.

use hookc_base::Verb;
use hookc_schema::tree::{Cond, CondKind, Guard, Predicate};
use hookc_schema::{Code, Diagnostic};
use hookc_shell::effects::{PatternKind, Relation, Set, relation};
use hookc_syntax::expr::print;

use super::guard;
use crate::lint::verdict::Verdict;

/// Reports exceptions outside of `only`, among parts that must all be true: `only(reads('./**')) and not reads(@secrets)`.
pub(super) fn check(parts: &[Cond], verdict: Verdict) -> Vec<Diagnostic> {
    if verdict != Verdict::Allow {
        return Vec::new();
    }
    let only = parts.iter().find_map(|part| match part.predicate() {
        Some(Predicate::Only(guards)) => Some((part, guards)),
        _ => None,
    });
    let Some((only, guards)) = only else { return Vec::new() };
    let excepted = parts.iter().filter_map(|part| match &part.kind {
        CondKind::Not(inner) => Some((part, guard(inner)?)),
        _ => None,
    });
    excepted.filter_map(|(part, guard)| outside(part, guard, only, guards)).collect()
}

/// Whether a part of a condition is false of some files that are read, or that can be.
pub(super) fn excludes_reads(part: &Cond) -> bool {
    let inner = if let CondKind::Not(inner) = &part.kind { guard(inner) } else { None };
    inner.is_some_and(|guard| guard.verb == Verb::Read)
}

fn outside(part: &Cond, excepted: &Guard, only: &Cond, guards: &[Guard]) -> Option<Diagnostic> {
    let is_plain = excepted.by.is_empty() && excepted.not_by.is_empty() && excepted.except.is_empty();
    if excepted.is_possible || excepted.of.is_empty() || !is_plain {
        return None;
    }
    let mut guards = guards.to_vec();
    let mut is_changed = false;
    for guard in guards.iter_mut().filter(|guard| overlap(guard.verb, excepted.verb)) {
        guard.except.extend(excepted.of.iter().cloned());
        is_changed = true;
    }
    let inside = is_changed.then(|| print::predicate(&Predicate::Only(guards)))?;
    let what = "this excludes only what is certainly excluded";
    let new = Diagnostic::new(Code::W0658, part.span, what).with_label("outside of `only`");
    let new = new.also(only.span, "permits what is possibly excluded");
    let new = new.note("`cat .env$X` is not certainly a read of `.env`; `except` in `only` excludes it");
    Some(new.help(format!("write it inside: `{inside}`")))
}

/// Whether guards of two verbs can be about one effect.
fn overlap(one: Verb, other: Verb) -> bool {
    let is_change = |verb| matches!(verb, Verb::Write | Verb::Delete | Verb::Change);
    one == other || (one == Verb::Change && is_change(other)) || (other == Verb::Change && is_change(one))
}

/// Reports an `only` that permits to write every file.
pub(super) fn everything(predicate: &Predicate) -> Option<Diagnostic> {
    let Predicate::Only(guards) = predicate else { return None };
    let open = guards
        .iter()
        .find(|guard| matches!(guard.verb, Verb::Write | Verb::Change) && is_unlimited(guard))?;
    let verb = open.verb.plural();
    let what = format!("`{verb}` of every file permits everything");
    let new = Diagnostic::new(Code::W0658, open.span.0, what).with_label("no limit");
    let new = new.note("who can write every file can change what later programs do");
    Some(new.help(format!("write where it may: `{verb}('./**')`")))
}

/// Reports an `only` that lists nothing.
pub(super) fn nothing(only: &Cond) -> Option<Diagnostic> {
    matches!(only.predicate(), Some(Predicate::Only(guards)) if guards.is_empty()).then(|| {
        let what = "`only()` lists nothing: it permits only what has no effect, such as `echo` and `cd`";
        let new = Diagnostic::new(Code::W0658, only.span, what).with_label("an empty list");
        new.help("list what it may do, as in `only(reads('./**' except @secrets))`")
    })
}

/// Reports an `only` that permits to read every file of the project, which can have files with secrets.
pub(super) fn secrets(predicate: &Predicate, sets: &[Set]) -> Option<Diagnostic> {
    let Predicate::Only(guards) = predicate else { return None };
    let open = guards.iter().find(|guard| guard.verb == Verb::Read && reads_secrets(guard, sets))?;
    let new =
        Diagnostic::new(Code::W0658, open.span.0, "this permits to read `.env` and other files with secrets");
    let new = new.with_label("every file of the project");
    let written = print::predicate(&Predicate::Only(vec![open.clone()]));
    let list = written.strip_prefix("only(").and_then(|text| text.strip_suffix("))"))?;
    let sign = match (open.of.is_empty(), open.except.is_empty()) {
        (true, true) => "except",
        (false, true) => " except",
        (_, false) => ",",
    };
    Some(new.help(format!("write `{list}{sign} @secrets)`")))
}

/// Whether a list has every file of the project, and certainly excepts no file with secrets.
fn reads_secrets(guard: &Guard, sets: &[Set]) -> bool {
    let related = |pattern: &str, other| relation(PatternKind::Path, pattern, other, sets);
    let has_project = |pattern: &str| related(pattern, "./**") == Relation::Covers;
    let has_all = guard.of.is_empty() || guard.of.iter().any(|pattern| has_project(&pattern.node.value));
    let excepts = |pattern: &str| matches!(related(pattern, "./.env"), Relation::Covers | Relation::Unclear);
    has_all
        && !guard.except.iter().any(|pattern| excepts(&pattern.node.value))
        && guard.by.is_empty()
        && guard.not_by.is_empty()
}

fn is_unlimited(guard: &Guard) -> bool {
    let covers = |pattern: &str| relation(PatternKind::Path, pattern, "**", &[]) == Relation::Covers;
    let is_everything = guard.of.is_empty() || guard.of.iter().any(|pattern| covers(&pattern.node.value));
    is_everything && guard.except.is_empty() && guard.by.is_empty() && guard.not_by.is_empty()
}
