//! Selections and values of the history.

use std::fmt::Write as _;

use hookc_schema::tree::print::extent;
use hookc_schema::tree::{EventPattern, Recall, RecallOperator, Selection};

use super::query;
use super::text::{self, Style};
use super::when::{Position, Printer};
use crate::expr::history::is_bare;

/// A value of the history.
pub(super) fn recall(out: &mut String, recall: &Recall, style: Style) {
    out.extend([recall.operator.name(), "("]);
    let mut printer = Printer { out, operators: style.operators(), in_history: true };
    match &recall.operator {
        RecallOperator::Count => {}
        RecallOperator::Sum(path) => printer.path(path),
        RecallOperator::Distinct(paths) => {
            for (at, path) in paths.iter().enumerate() {
                if at > 0 {
                    printer.out.push_str(", ");
                }
                printer.path(path);
            }
        }
        RecallOperator::Last { nth, .. } => {
            let _infallible = nth.map(|nth| write!(printer.out, "{}, ", nth.node));
        }
    }
    if matches!(recall.operator, RecallOperator::Sum(_) | RecallOperator::Distinct(_)) {
        printer.out.push_str(" of ");
    }
    printer.selection(&recall.selection);
    out.push(')');
    if let RecallOperator::Last { rest, .. } = &recall.operator {
        query::behind_view(out, rest, style);
    }
}

impl Printer<'_> {
    /// `formerly(...)`
    pub(super) fn formerly(&mut self, selection: &Selection) {
        self.out.push_str("formerly(");
        let outside = std::mem::replace(&mut self.in_history, true);
        self.selection(selection);
        self.in_history = outside;
        self.out.push(')');
    }

    fn selection(&mut self, selection: &Selection) {
        self.pattern(&selection.of);
        if let Some(within) = selection.within {
            self.out.extend([" within ", &extent(within.node)]);
        }
        if let Some(since) = &selection.since {
            self.out.push_str(" since ");
            self.anchor(since);
        }
        if let Some(per) = selection.per {
            self.out.extend([" per ", per.node.name()]);
        }
        if selection.including_now.is_some() {
            self.out.push_str(" including now");
        }
    }

    /// One name, or a pattern in parentheses.
    fn anchor(&mut self, anchor: &EventPattern) {
        if anchor.outcome.is_none() && anchor.condition.is_none() && anchor.names.len() == 1 {
            return self.pattern(anchor);
        }
        self.out.push('(');
        self.pattern(anchor);
        self.out.push(')');
    }

    pub(super) fn pattern(&mut self, pattern: &EventPattern) {
        if let Some(word) = pattern.outcome {
            self.out.extend([word.node.name(), " "]);
        }
        for (at, name) in pattern.names.iter().enumerate() {
            if at > 0 {
                self.out.push_str(", ");
            }
            event_name(self.out, &name.node);
        }
        if let Some(cond) = &pattern.condition {
            self.out.push_str(" where ");
            self.cond(cond, Position::Top);
        }
    }
}

fn event_name(out: &mut String, name: &str) {
    if name == "*" || is_bare(name) { out.push_str(name) } else { text::literal(out, name) }
}
