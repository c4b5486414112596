//! For which tools each leaf of a condition matters. Linear in the condition.

use std::collections::HashMap;

use hookc_schema::tree::{Cond, CondKind, Leaf};

use super::set::ToolSet;
use super::{Table, is_tool_name, leaf};

/// What a condition determines about the tool.
pub(in crate::check) struct Narrowed {
    /// By leaf, the tools for which it matters; any tool for absent leaves.
    leaves: HashMap<*const Leaf, ToolSet>,
    /// The tools for which the whole is true.
    whole: ToolSet,
}

impl Default for Narrowed {
    fn default() -> Self {
        Self { leaves: HashMap::new(), whole: ToolSet::ALL }
    }
}

impl Narrowed {
    /// The tools for which a leaf matters.
    pub(in crate::check) fn at(&self, leaf: &Leaf) -> ToolSet {
        self.leaves.get(&std::ptr::from_ref(leaf)).copied().unwrap_or(ToolSet::ALL)
    }

    /// The tools for which the whole condition is true.
    pub(in crate::check) fn whole(&self) -> ToolSet {
        self.whole
    }
}

/// Reads a condition.
pub(in crate::check) fn narrow(cond: Option<&Cond>, table: &mut Table<'_>) -> Narrowed {
    let Some(cond) = cond.filter(|cond| tests_tool(cond)) else { return Narrowed::default() };
    let says = says(cond, table);
    let mut narrowed = Narrowed { leaves: HashMap::new(), whole: says.when_true() };
    spread(cond, &says, ToolSet::ALL, &mut narrowed.leaves);
    narrowed
}

fn tests_tool(cond: &Cond) -> bool {
    match &cond.kind {
        CondKind::Const(_) => false,
        CondKind::All(parts) | CondKind::Any(parts) => parts.iter().any(tests_tool),
        CondKind::Not(part) => tests_tool(part),
        CondKind::Leaf(leaf) => is_tool_name(&leaf.path),
    }
}

/// The tools for which a condition is false and true, and the same for its parts.
struct Says {
    when: [ToolSet; 2],
    parts: Vec<Says>,
}

impl Says {
    fn when_false(&self) -> ToolSet {
        let [when_false, _] = self.when;
        when_false
    }

    fn when_true(&self) -> ToolSet {
        let [_, when_true] = self.when;
        when_true
    }
}

fn says(cond: &Cond, table: &mut Table<'_>) -> Says {
    let (parts, all): (&[Cond], _) = match &cond.kind {
        CondKind::Const(true) => return Says { when: [ToolSet::NONE, ToolSet::ALL], parts: Vec::new() },
        CondKind::Const(false) => return Says { when: [ToolSet::ALL, ToolSet::NONE], parts: Vec::new() },
        CondKind::Leaf(leaf) => return Says { when: leaf::says(leaf, table), parts: Vec::new() },
        CondKind::Not(part) => {
            let part = says(part, table);
            return Says { when: [part.when_true(), part.when_false()], parts: vec![part] };
        }
        CondKind::All(parts) => (parts, true),
        CondKind::Any(parts) => (parts, false),
    };
    let parts: Vec<Says> = parts.iter().map(|part| says(part, table)).collect();
    let both = |side: fn(&Says) -> ToolSet| parts.iter().map(side).fold(ToolSet::ALL, ToolSet::and);
    let either = |side: fn(&Says) -> ToolSet| parts.iter().map(side).fold(ToolSet::NONE, ToolSet::or);
    let when = match all {
        true => [either(Says::when_false), both(Says::when_true)],
        false => [both(Says::when_false), either(Says::when_true)],
    };
    Says { when, parts }
}

/// Hands the tools for which a condition matters down to its leaves.
fn spread(cond: &Cond, says: &Says, tools: ToolSet, leaves: &mut HashMap<*const Leaf, ToolSet>) {
    match &cond.kind {
        CondKind::Const(_) => {}
        CondKind::Leaf(leaf) => {
            if tools != ToolSet::ALL {
                leaves.insert(std::ptr::from_ref(&**leaf), tools);
            }
        }
        CondKind::Not(part) => {
            if let Some(says) = says.parts.first() {
                spread(part, says, tools, leaves);
            }
        }
        CondKind::All(parts) => group(parts, says, tools, Says::when_true, leaves),
        CondKind::Any(parts) => group(parts, says, tools, Says::when_false, leaves),
    }
}

/// A part of a group matters where all others are on their neutral side.
fn group(
    parts: &[Cond],
    says: &Says,
    tools: ToolSet,
    neutral: fn(&Says) -> ToolSet,
    leaves: &mut HashMap<*const Leaf, ToolSet>,
) {
    let mut behind = vec![ToolSet::ALL];
    for part in says.parts.iter().skip(1).rev() {
        let last = behind.last().copied().unwrap_or(ToolSet::ALL);
        behind.push(last.and(neutral(part)));
    }
    let mut before = tools;
    for ((part, says), behind) in parts.iter().zip(&says.parts).zip(behind.iter().rev()) {
        spread(part, says, before.and(*behind), leaves);
        before = before.and(neutral(says));
    }
}
