//! Conditions about earlier events: facts and selections as lines, values of the history on one line.

use super::{Printer, leaf, path, predicate_line, query, string};
use crate::span::Spanned;
use crate::tree::{
    Cond, CondKind, EventPattern, Extent, Fact, FactPattern, PartitionKey, Path, Recall, RecallOperator,
    Selection,
};

/// A value of the history: `count("PreToolUse" where all(a eq 1, b exists) within 10m)`.
pub(super) fn recall(recall: &Recall) -> String {
    let name = recall.operator.name();
    let of = selection(&recall.selection);
    match &recall.operator {
        RecallOperator::Count => format!("{name}({of})"),
        RecallOperator::Sum(path) => format!("{name}({} of {of})", super::path(path)),
        RecallOperator::Distinct(list) => format!("{name}({} of {of})", paths(list).join(", ")),
        RecallOperator::Last { nth, rest } => {
            let nth =
                nth.filter(|nth| nth.node != 1).map(|nth| format!("{}, ", nth.node)).unwrap_or_default();
            format!("{name}({nth}{of}){}", query(rest))
        }
    }
}

/// How far back: `10m`, `turn`.
#[must_use]
pub fn extent(extent: Extent) -> String {
    match extent {
        Extent::Duration { count, unit } => format!("{count}{}", unit.name()),
        Extent::Turn => "turn".to_owned(),
        Extent::Session => "session".to_owned(),
    }
}

fn paths(list: &[Path]) -> Vec<String> {
    list.iter().map(path).collect()
}

fn selection(selection: &Selection) -> String {
    let mut text = pattern(&selection.of);
    if let Some(since) = &selection.since {
        text += &format!(" since ({})", pattern(since));
    }
    scope(selection).into_iter().fold(text, |text, part| text + " " + &part)
}

/// The rest of a selection, without defaults.
fn scope(selection: &Selection) -> Vec<String> {
    let within = selection.within.filter(|within| within.node != Extent::Session);
    let within = within.map(|within| format!("within {}", extent(within.node)));
    let per = selection.per.filter(|per| per.node != PartitionKey::Session);
    let per = per.map(|per| format!("per {}", per.node.name()));
    let now = selection.including_now.map(|_| "including now".to_owned());
    within.into_iter().chain(per).chain(now).collect()
}

fn pattern(pattern: &EventPattern) -> String {
    match &pattern.condition {
        Some(cond) => format!("{} where {}", events(pattern), condition(cond)),
        None => events(pattern),
    }
}

/// The events of a pattern with its outcome: `denied "PreToolUse" "Stop"`.
fn events(pattern: &EventPattern) -> String {
    let outcome = pattern.outcome.map(|word| word.node.name().to_owned());
    outcome.into_iter().chain(names(&pattern.names)).collect::<Vec<_>>().join(" ")
}

fn names(names: &[Spanned<String>]) -> impl Iterator<Item = String> {
    names.iter().map(|name| string(&name.node))
}

/// A condition on one line. The recursion depth is its nesting.
fn condition(cond: &Cond) -> String {
    let several = |word: &str, parts: &[Cond]| {
        let parts: Vec<String> = parts.iter().map(condition).collect();
        format!("{word}({})", parts.join(", "))
    };
    match &cond.kind {
        CondKind::Const(value) => value.to_string(),
        CondKind::All(parts) => several("all", parts),
        CondKind::Any(parts) => several("any", parts),
        CondKind::Not(part) => several("not", std::slice::from_ref(part)),
        CondKind::Leaf(inner) => leaf(inner),
        CondKind::Quantified(inner) => {
            let (word, name) = (inner.quantifier.name(), string(&inner.name.node));
            format!("{word}({name} in {}: {})", path(&inner.path), condition(&inner.cond))
        }
        CondKind::Predicate(predicate) => predicate_line(predicate),
        CondKind::Formerly(inner) => format!("formerly({})", selection(inner)),
    }
}

impl Printer {
    pub(super) fn fact(&mut self, fact: &Fact) {
        self.line(1, &format!("fact {}", string(&fact.name.node)));
        for pattern in &fact.patterns {
            self.fact_pattern(pattern);
        }
    }

    fn fact_pattern(&mut self, fact: &FactPattern) {
        self.pattern(2, "event", &fact.pattern);
        if let Some(description) = &fact.description {
            self.line(3, &format!("description {}", string(&description.node)));
        }
        for kept in &fact.keep {
            self.line(3, &format!("keep {}", path(kept)));
        }
    }

    pub(super) fn formerly(&mut self, depth: usize, selection: &Selection) {
        self.line(depth, "formerly");
        self.pattern(depth + 1, "of", &selection.of);
        if let Some(since) = &selection.since {
            self.pattern(depth + 1, "since", since);
        }
        for part in scope(selection) {
            self.line(depth + 1, &part);
        }
    }

    fn pattern(&mut self, depth: usize, word: &str, pattern: &EventPattern) {
        self.line(depth, &format!("{word} {}", events(pattern)));
        if let Some(cond) = &pattern.condition {
            self.cond(depth + 1, cond);
        }
    }
}
