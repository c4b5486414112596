//! Conditions.

use hookc_schema::tree::{Cond, CondKind, Leaf, Op, Path, PathKind, Right, Step};

use super::text::{self, Style};
use super::{Operators, query};
use crate::expr::history::is_word;
use crate::expr::when::is_reserved;

/// The context of a condition, which determines whether a chain needs parentheses.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Position {
    /// On its own, or in a list.
    Top,
    /// In a chain of `or`.
    Or,
    /// In a chain of `and`.
    And,
    /// After `not`.
    Not,
}

/// The output and its style.
pub(super) struct Printer<'a> {
    pub(super) out: &'a mut String,
    pub(super) operators: Operators,
    /// Whether it is between the parentheses of a selection, where more words are reserved.
    pub(super) in_history: bool,
}

impl Printer<'_> {
    fn style(&self) -> Style {
        match self.operators {
            Operators::Words => Style::XML,
            Operators::Symbols => Style::SINGLE,
        }
    }

    /// A condition in a context.
    pub(super) fn cond(&mut self, cond: &Cond, position: Position) {
        match &cond.kind {
            CondKind::Const(truth) => self.out.push_str(if *truth { "true" } else { "false" }),
            CondKind::Not(inner) => {
                self.out.push_str("not ");
                self.cond(inner, Position::Not);
            }
            CondKind::Leaf(leaf) => self.leaf(leaf),
            CondKind::Quantified(inner) => {
                self.out.extend([inner.quantifier.name(), "(", &inner.name.node, " in "]);
                self.path(&inner.path);
                self.out.push_str(": ");
                self.cond(&inner.cond, Position::Top);
                self.out.push(')');
            }
            CondKind::Predicate(predicate) => super::predicate::print(self.out, predicate),
            CondKind::Formerly(selection) => self.formerly(selection),
            CondKind::All(items) if items.len() < 2 => self.list("all(", items),
            CondKind::Any(items) if items.len() < 2 => self.list("any(", items),
            CondKind::All(items) => {
                self.chain(items, " and ", Position::And, matches!(position, Position::And | Position::Not));
            }
            CondKind::Any(items) => self.chain(items, " or ", Position::Or, position != Position::Top),
        }
    }

    fn list(&mut self, head: &str, items: &[Cond]) {
        self.out.push_str(head);
        items.iter().for_each(|item| self.cond(item, Position::Top));
        self.out.push(')');
    }

    fn chain(&mut self, items: &[Cond], word: &str, inside: Position, group: bool) {
        if group {
            self.out.push('(');
        }
        for (at, item) in items.iter().enumerate() {
            if at > 0 {
                self.out.push_str(word);
            }
            self.cond(item, inside);
        }
        if group {
            self.out.push(')');
        }
    }

    fn leaf(&mut self, leaf: &Leaf) {
        if leaf.op.node == Op::Exists {
            self.exists(leaf);
        } else {
            self.path(&leaf.path);
            let op = leaf.op.node;
            let op = if self.operators == Operators::Words { op.as_str() } else { op.symbol() };
            self.out.extend([" ", op]);
            self.right(&leaf.right);
        }
        if leaf.ignore_case.is_some() {
            self.out.push_str(" nocase");
        }
        if leaf.assert_format.is_some() {
            self.out.push_str(" assert_format");
        }
    }

    fn exists(&mut self, leaf: &Leaf) {
        self.out.push_str("exists(");
        self.path(&leaf.path);
        if let Right::Value(value) = &leaf.right {
            self.out.push_str(", ");
            text::value(self.out, value, self.style());
        }
        self.out.push(')');
    }

    fn right(&mut self, right: &Right) {
        match right {
            Right::None => {}
            Right::Value(value) => {
                self.out.push(' ');
                text::value(self.out, value, self.style());
            }
            Right::Path(path) if begins_with_bracket(path, self.reserved()) => {
                self.out.push_str(" (");
                self.path(path);
                self.out.push(')');
            }
            Right::Path(path) => {
                self.out.push(' ');
                self.path(path);
            }
        }
    }

    pub(super) fn path(&mut self, path: &Path) {
        query::path(self.out, path, self.style(), self.reserved());
    }

    /// Whether a first segment needs brackets.
    fn reserved(&self) -> fn(&str) -> bool {
        if self.in_history { |name| needs_brackets(name) || is_word(name) } else { needs_brackets }
    }
}

/// Whether a first segment has another meaning in an expression.
fn needs_brackets(name: &str) -> bool {
    is_reserved(name) || name.starts_with(char::is_numeric)
}

fn begins_with_bracket(path: &Path, reserved: fn(&str) -> bool) -> bool {
    let mut out = String::new();
    if let PathKind::Short(steps) = &path.kind
        && let Some(first @ Step::Name(_)) = steps.first()
    {
        query::steps(&mut out, std::slice::from_ref(first), Style::SINGLE, reserved);
    }
    out.starts_with('[')
}
