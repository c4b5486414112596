//! Predicates about effects that decide something else than they seem to, and lists of them that permit too much or
//! have no effect.

mod denial;
mod denied_lines;
pub(crate) mod limit;
mod lists;
pub(crate) mod named;
mod permit;
mod success;
mod unread;

use std::collections::HashSet;

use foldhash::HashMap;
use hookc_schema::tree::{Cond, CondKind, Guard, Hook, Policy, Predicate, SharedId};
use hookc_schema::vocab::Vocabulary;
use hookc_schema::{Diagnostic, Diagnostics};
use hookc_shell::effects::Set;

pub(crate) use denied_lines::{is_about_lines, is_whole};

/// What the checks of all hooks share.
pub(super) struct Shared<'h> {
    /// The conditions that were checked, whether they are negated, and for which action.
    seen: HashSet<(SharedId, bool, Decision)>,
    lines: denied_lines::Known<'h>,
    unread: unread::Asked<'h>,
    /// The sets of the current policy.
    sets: Vec<Set>,
}

/// What an action decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Decision {
    Allow,
    Deny,
    Other,
}

impl Decision {
    fn of_hook(hook: &Hook) -> Self {
        match hook.action.kind.node.as_str() {
            "allow" => Self::Allow,
            "deny" | "ask" => Self::Deny,
            _ => Self::Other,
        }
    }
}

/// A predicate in a condition.
#[derive(Clone, Copy)]
struct Found<'h> {
    cond: &'h Cond,
    predicate: &'h Predicate,
    negated: bool,
}

impl<'h> Shared<'h> {
    pub(super) fn new(policies: &'h [Policy]) -> Self {
        let unread = unread::Asked::new(policies.iter().flat_map(|policy| &policy.hooks));
        Self { seen: HashSet::new(), lines: HashMap::default(), unread, sets: Vec::new() }
    }

    /// Starts a policy, whose sets are its own.
    pub(super) fn start(&mut self, sets: Vec<Set>) {
        self.sets = sets;
        self.unread.start();
    }

    pub(super) fn check(&mut self, hook: &'h Hook, vocabulary: &Vocabulary, out: &mut Diagnostics) {
        let Some(cond) = &hook.condition else { return };
        let decision = Decision::of_hook(hook);
        let mut new = Vec::new();
        self.walk((cond, false), &[], decision, &mut new);
        if decision == Decision::Deny {
            new.extend(denied_lines::check(cond, &mut self.lines, self.unread.is_asked(hook)));
            new.extend(self.unread.check(hook, vocabulary));
        }
        out.extend(new);
    }

    /// Checks each predicate of a condition, which is negated or not. `around` are the guards that must be true too. The
    /// recursion depth is the nesting of the condition.
    fn walk(
        &mut self,
        (cond, negated): (&'h Cond, bool),
        around: &[&'h Guard],
        decision: Decision,
        out: &mut Vec<Diagnostic>,
    ) {
        if cond.shared().is_some_and(|id| !self.seen.insert((id, negated, decision))) {
            return;
        }
        match &cond.kind {
            CondKind::Const(_) | CondKind::Leaf(_) => {}
            CondKind::Not(part) => self.walk((part, !negated), around, decision, out),
            CondKind::Quantified(inner) => self.walk((&inner.cond, negated), &[], decision, out),
            CondKind::All(parts) if !negated => {
                let guards: Vec<&Guard> = parts.iter().filter_map(guard).collect();
                let around = if guards.is_empty() { around } else { &guards };
                out.extend(permit::check(parts, decision));
                out.extend(success::check(parts));
                parts.iter().for_each(|part| self.walk((part, negated), around, decision, out));
            }
            CondKind::All(parts) | CondKind::Any(parts) => {
                parts.iter().for_each(|part| self.walk((part, negated), around, decision, out));
            }
            CondKind::Predicate(predicate) => {
                self.predicate(Found { cond, predicate, negated }, around, decision, out);
            }
        }
    }

    fn predicate(
        &self,
        found: Found<'h>,
        around: &[&'h Guard],
        decision: Decision,
        out: &mut Vec<Diagnostic>,
    ) {
        match decision {
            Decision::Deny => out.extend(denial::check(found, around)),
            Decision::Allow => out.extend(permit::everything(found)),
            Decision::Other => {}
        }
        lists::check(found.predicate, &self.sets, out);
    }
}

/// A condition that is a guard.
fn guard(cond: &Cond) -> Option<&Guard> {
    match &cond.kind {
        CondKind::Predicate(predicate) => match &**predicate {
            Predicate::Guard(guard) => Some(guard),
            _ => None,
        },
        _ => None,
    }
}
