//! For which tools each leaf of a condition matters. Linear in the condition.

use std::collections::HashMap;

use hookc_schema::tree::{Cond, CondKind, Leaf, Quantified};

use super::set::ToolSet;
use super::{Table, is_tool_name, leaf};

/// What a condition determines about the tool.
pub(in crate::check) struct Narrowed {
    /// By leaf, the tools for which it matters; any tool for absent leaves.
    leaves: HashMap<*const Leaf, ToolSet>,
    /// The same by quantifier.
    quantifiers: HashMap<*const Quantified, ToolSet>,
    /// The tools for which the whole is true.
    whole: ToolSet,
}

impl Default for Narrowed {
    fn default() -> Self {
        Self { leaves: HashMap::new(), quantifiers: HashMap::new(), whole: ToolSet::ALL }
    }
}

impl Narrowed {
    /// The tools for which a leaf matters.
    pub(in crate::check) fn at(&self, leaf: &Leaf) -> ToolSet {
        self.leaves.get(&std::ptr::from_ref(leaf)).copied().unwrap_or(ToolSet::ALL)
    }

    /// The tools for which a quantifier matters.
    pub(in crate::check) fn at_quantifier(&self, quantified: &Quantified) -> ToolSet {
        self.quantifiers.get(&std::ptr::from_ref(quantified)).copied().unwrap_or(ToolSet::ALL)
    }

    /// The tools for which the whole condition is true.
    pub(in crate::check) fn whole(&self) -> ToolSet {
        self.whole
    }
}

/// Reads a condition.
pub(in crate::check) fn narrow(cond: Option<&Cond>, table: &mut Table<'_>) -> Narrowed {
    let Some(cond) = cond.filter(|cond| tests_tool(cond)) else { return Narrowed::default() };
    let says = tools_by_result(cond, table);
    let mut narrowed = Narrowed { whole: says.when_true(), ..Narrowed::default() };
    spread(cond, &says, ToolSet::ALL, &mut narrowed);
    narrowed
}

fn tests_tool(cond: &Cond) -> bool {
    match &cond.kind {
        CondKind::Const(_) => false,
        CondKind::All(parts) | CondKind::Any(parts) => parts.iter().any(tests_tool),
        CondKind::Not(part) => tests_tool(part),
        CondKind::Leaf(leaf) => is_tool_name(&leaf.path),
        CondKind::Quantified(inner) => tests_tool(&inner.cond),
    }
}

/// The tools for which a condition is false and true, and the same for its parts.
struct ToolsByResult {
    when: [ToolSet; 2],
    parts: Vec<ToolsByResult>,
}

impl ToolsByResult {
    fn when_false(&self) -> ToolSet {
        let [when_false, _] = self.when;
        when_false
    }

    fn when_true(&self) -> ToolSet {
        let [_, when_true] = self.when;
        when_true
    }
}

fn tools_by_result(cond: &Cond, table: &mut Table<'_>) -> ToolsByResult {
    let (parts, all): (&[Cond], _) = match &cond.kind {
        CondKind::Const(true) => {
            return ToolsByResult { when: [ToolSet::NONE, ToolSet::ALL], parts: Vec::new() };
        }
        CondKind::Const(false) => {
            return ToolsByResult { when: [ToolSet::ALL, ToolSet::NONE], parts: Vec::new() };
        }
        CondKind::Leaf(leaf) => {
            return ToolsByResult { when: leaf::tools_by_result(leaf, table), parts: Vec::new() };
        }
        // Which nodes there are decides, whatever the tool.
        CondKind::Quantified(inner) => {
            let parts = vec![tools_by_result(&inner.cond, table)];
            return ToolsByResult { when: [ToolSet::ALL; 2], parts };
        }
        CondKind::Not(part) => {
            let part = tools_by_result(part, table);
            return ToolsByResult { when: [part.when_true(), part.when_false()], parts: vec![part] };
        }
        CondKind::All(parts) => (parts, true),
        CondKind::Any(parts) => (parts, false),
    };
    let parts: Vec<ToolsByResult> = parts.iter().map(|part| tools_by_result(part, table)).collect();
    let both = |side: fn(&ToolsByResult) -> ToolSet| parts.iter().map(side).fold(ToolSet::ALL, ToolSet::and);
    let either =
        |side: fn(&ToolsByResult) -> ToolSet| parts.iter().map(side).fold(ToolSet::NONE, ToolSet::or);
    let when = match all {
        true => [either(ToolsByResult::when_false), both(ToolsByResult::when_true)],
        false => [both(ToolsByResult::when_false), either(ToolsByResult::when_true)],
    };
    ToolsByResult { when, parts }
}

/// Hands the tools for which a condition matters down to its leaves.
fn spread(cond: &Cond, says: &ToolsByResult, tools: ToolSet, to: &mut Narrowed) {
    match &cond.kind {
        CondKind::Const(_) => {}
        CondKind::Leaf(leaf) => {
            if tools != ToolSet::ALL {
                to.leaves.insert(std::ptr::from_ref(&**leaf), tools);
            }
        }
        CondKind::Quantified(inner) => {
            if tools != ToolSet::ALL {
                to.quantifiers.insert(std::ptr::from_ref(&**inner), tools);
            }
            if let Some(says) = says.parts.first() {
                spread(&inner.cond, says, tools, to);
            }
        }
        CondKind::Not(part) => {
            if let Some(says) = says.parts.first() {
                spread(part, says, tools, to);
            }
        }
        CondKind::All(parts) => group(parts, says, tools, ToolsByResult::when_true, to),
        CondKind::Any(parts) => group(parts, says, tools, ToolsByResult::when_false, to),
    }
}

/// A part of a group matters where all others are on their neutral side.
fn group(
    parts: &[Cond],
    says: &ToolsByResult,
    tools: ToolSet,
    neutral: fn(&ToolsByResult) -> ToolSet,
    to: &mut Narrowed,
) {
    let mut behind = vec![ToolSet::ALL];
    for part in says.parts.iter().skip(1).rev() {
        let last = behind.last().copied().unwrap_or(ToolSet::ALL);
        behind.push(last.and(neutral(part)));
    }
    let mut before = tools;
    for ((part, says), behind) in parts.iter().zip(&says.parts).zip(behind.iter().rev()) {
        spread(part, says, before.and(*behind), to);
        before = before.and(neutral(says));
    }
}
