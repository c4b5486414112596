//! Predicates about effects that decide something else than they seem to, and lists of them that permit too much or
//! have no effect.

mod denial;
mod denied_lines;
pub(crate) mod limit;
mod lists;
pub(crate) mod named;
mod permit;
mod tool_success;
mod unread_line;

use std::collections::HashSet;

use hookc_schema::tree::{Cond, CondKind, CondPart, Guard, Hook, Policy, Predicate, SharedId};
use hookc_schema::vocab::Vocabulary;
use hookc_schema::{Diagnostic, Diagnostics};
use hookc_shell::effects::Set;

pub(crate) use denied_lines::{is_about_lines, is_whole};

/// What the checks of all hooks share.
pub(super) struct Shared<'h> {
    /// The conditions that were checked, whether they are negated, and for which action.
    seen: HashSet<(SharedId, bool, Decision)>,
    lines: denied_lines::Known<'h>,
    unread: unread_line::Asked<'h>,
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

impl<'h> Shared<'h> {
    pub(super) fn new(policies: &'h [Policy]) -> Self {
        let unread = unread_line::Asked::new(policies.iter().flat_map(|policy| &policy.hooks));
        Self { seen: HashSet::new(), lines: Default::default(), unread, sets: Vec::new() }
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
        self.walk(cond.whole(), &[], decision, &mut new);
        if decision == Decision::Deny {
            new.extend(denied_lines::check(cond, &mut self.lines, self.unread.is_asked(hook)));
            new.extend(self.unread.check(hook, vocabulary));
        }
        out.extend(new);
    }

    /// Checks each predicate of a condition. `around` are the guards that must be true too. The recursion depth is the
    /// nesting of the condition.
    fn walk(
        &mut self,
        part: CondPart<'h>,
        around: &[&'h Guard],
        decision: Decision,
        out: &mut Vec<Diagnostic>,
    ) {
        if part.cond.shared().is_some_and(|id| !self.seen.insert((id, part.negated, decision))) {
            return;
        }
        let mut guards: Vec<&Guard> = Vec::new();
        match &part.cond.kind {
            CondKind::All(parts) if !part.negated => {
                guards.extend(parts.iter().filter_map(guard));
                out.extend(permit::check(parts, decision));
                out.extend(tool_success::check(parts));
            }
            CondKind::Predicate(predicate) => {
                match decision {
                    Decision::Deny => out.extend(denial::check(part, predicate, around)),
                    Decision::Allow if !part.negated => out.extend(permit::everything(predicate)),
                    Decision::Allow | Decision::Other => {}
                }
                lists::check(predicate, &self.sets, out);
            }
            _ => {}
        }
        let starts_anew = !guards.is_empty() || matches!(part.cond.kind, CondKind::Quantified(_));
        let around = if starts_anew { &guards } else { around };
        part.parts().for_each(|inner| self.walk(inner, around, decision, out));
    }
}

/// A condition that is a guard.
fn guard(cond: &Cond) -> Option<&Guard> {
    match cond.predicate() {
        Some(Predicate::Guard(guard)) => Some(guard),
        _ => None,
    }
}
