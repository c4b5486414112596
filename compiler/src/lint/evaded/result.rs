//! The result of a condition for an event about which only the command line is known.

use foldhash::HashMap;
use hookc_schema::tree::{Cond, CondKind, Leaf, Op, PathKind, Right};
use hookc_schema::value::{Kind, Value};
use hookc_vm::format::text::fold;
use regex::Regex;

use crate::fields::{PATHS, URL};
use crate::lint::certain::absent;
use crate::lint::text;

/// The tool whose command lines a shell runs.
const TOOL: &str = "Bash";

/// The most leaves that are evaluated for a hook; beyond, nothing is known.
const LARGEST: usize = 8192;

/// The results of conditions for command lines.
#[derive(Default)]
pub(super) struct Results<'h> {
    /// Patterns, and whether they ignore case; `None` for one that is too long.
    patterns: HashMap<(&'h str, bool), Option<Regex>>,
    evaluated: usize,
}

impl<'h> Results<'h> {
    /// Starts with another hook.
    pub(super) fn start(&mut self) {
        self.evaluated = 0;
    }

    /// The result for a call of a shell with this line, if it is the same whatever else the event contains. The
    /// recursion depth is the nesting of the condition.
    pub(super) fn of(&mut self, cond: &'h Cond, line: &str) -> Option<bool> {
        match &cond.kind {
            CondKind::Const(value) => Some(*value),
            CondKind::Not(part) => self.of(part, line).map(|result| !result),
            CondKind::All(parts) => self.of_group(parts, false, line),
            CondKind::Any(parts) => self.of_group(parts, true, line),
            CondKind::Leaf(leaf) => self.of_leaf(leaf, line),
            CondKind::Quantified(_) | CondKind::Predicate(_) => None,
        }
    }

    /// `decisive` is the result of a part that decides the group.
    fn of_group(&mut self, parts: &'h [Cond], decisive: bool, line: &str) -> Option<bool> {
        let mut all = Some(!decisive);
        for part in parts {
            match self.of(part, line) {
                Some(result) if result == decisive => return Some(decisive),
                Some(_) => {}
                None => all = None,
            }
        }
        all
    }

    /// The same of a leaf.
    pub(super) fn of_leaf(&mut self, leaf: &'h Leaf, line: &str) -> Option<bool> {
        self.evaluated = self.evaluated.saturating_add(1);
        if self.evaluated > LARGEST || matches!(leaf.path.kind, PathKind::View(_)) {
            return None;
        }
        if leaf.path.is_command_line() {
            return self.of_text(leaf, line);
        }
        match leaf.path.last_name().as_deref() {
            Some("tool_name") => self.of_text(leaf, TOOL),
            // A call of a shell has no such input.
            Some(field) if leaf.path.is_in("tool_input") && (field == URL || PATHS.contains(&field)) => {
                absent(leaf)
            }
            _ => None,
        }
    }

    /// The result for a text.
    fn of_text(&mut self, leaf: &'h Leaf, text: &str) -> Option<bool> {
        let fold = leaf.ignore_case.is_some();
        let Right::Value(value) = &leaf.right else {
            return (leaf.op.node == Op::Exists && matches!(leaf.right, Right::None)).then_some(true);
        };
        let equal = |value: &Value| match value.as_str() {
            Some(own) if fold => fold::eq(own, text),
            own => own == Some(text),
        };
        match (leaf.op.node, &value.kind) {
            (Op::Eq, _) => Some(equal(value)),
            (Op::Ne, _) => Some(!equal(value)),
            (Op::In, Kind::Seq(items)) => Some(items.iter().any(equal)),
            (Op::Exists, Kind::Bool(exists)) => Some(*exists),
            (Op::Gt | Op::Gte | Op::Lt | Op::Lte, _) => Some(false),
            (Op::Regex, Kind::Str(pattern)) => {
                let compiled = || text::compiled(&pattern.value, fold);
                let found = self.patterns.entry((&*pattern.value, fold)).or_insert_with(compiled);
                found.as_ref().map(|found| found.is_match(text))
            }
            _ => text::result(leaf.op.node, fold, value, text),
        }
    }
}
