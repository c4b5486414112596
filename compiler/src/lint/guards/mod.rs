//! Predicates about effects that decide something else than they seem to, and lists of them that permit too much or
//! have no effect.

mod denial;
mod denied_lines;
pub(crate) mod limit;
mod lists;
pub(crate) mod named;
mod permit;
mod split_command;
mod tool_success;
mod unread_line;

use std::collections::HashSet;

use hookc_schema::tree::{Cond, CondKind, CondPart, Guard, Hook, Policy, Predicate, SharedId};
use hookc_schema::vocab::Vocabulary;
use hookc_schema::{Diagnostic, Diagnostics, Span};
use hookc_shell::effects::Set;

pub(crate) use denied_lines::{is_about_lines, is_whole};

use super::verdict::Verdict;

/// What the checks of all hooks share.
pub(super) struct Shared<'h> {
    /// The conditions that were checked, whether they are negated, and for which verdict.
    seen: HashSet<(SharedId, bool, Verdict)>,
    lines: denied_lines::Known<'h>,
    unread: unread_line::Asked<'h>,
    /// The sets of the current policy.
    sets: Vec<Set>,
    /// Each `only` next to an exception that belongs into it.
    narrowed: HashSet<Span>,
}

impl<'h> Shared<'h> {
    pub(super) fn new(policies: &'h [Policy]) -> Self {
        let unread = unread_line::Asked::new(policies.iter().flat_map(|policy| &policy.hooks));
        Self {
            seen: HashSet::new(),
            lines: Default::default(),
            unread,
            sets: Vec::new(),
            narrowed: HashSet::new(),
        }
    }

    /// Starts a policy, whose sets are its own.
    pub(super) fn start(&mut self, sets: Vec<Set>) {
        self.sets = sets;
        self.unread.start();
    }

    pub(super) fn check(&mut self, hook: &'h Hook, vocabulary: &Vocabulary, out: &mut Diagnostics) {
        let Some(cond) = &hook.condition else { return };
        let verdict = Verdict::from_kind(&hook.action.kind.node);
        let mut new = Vec::new();
        self.walk(cond.whole(), &[], verdict, &mut new);
        if verdict.restricts() {
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
        verdict: Verdict,
        out: &mut Vec<Diagnostic>,
    ) {
        // A denial and a question are checked alike.
        let alike = verdict.min(Verdict::Ask);
        if part.cond.shared().is_some_and(|id| !self.seen.insert((id, part.negated, alike))) {
            return;
        }
        let mut guards: Vec<&Guard> = Vec::new();
        match &part.cond.kind {
            CondKind::All(parts) if !part.negated => {
                guards.extend(parts.iter().filter_map(guard));
                let outside = permit::check(parts, verdict);
                if !outside.is_empty() || parts.iter().any(permit::excludes_reads) {
                    self.narrowed.extend(parts.iter().map(|part| part.span));
                }
                out.extend(outside);
                out.extend(tool_success::check(parts));
                out.extend(split_command::check(parts));
            }
            CondKind::Predicate(predicate) => {
                match verdict {
                    Verdict::Ask | Verdict::Deny => out.extend(denial::check(part, predicate, around)),
                    Verdict::Allow if !part.negated => {
                        out.extend(permit::everything(predicate));
                        out.extend(permit::nothing(part.cond));
                        let is_narrowed = self.narrowed.contains(&part.cond.span);
                        out.extend(permit::secrets(predicate, &self.sets).filter(|_| !is_narrowed));
                    }
                    Verdict::Allow | Verdict::None => {}
                }
                lists::check(predicate, &self.sets, out);
            }
            _ => {}
        }
        let starts_anew = !guards.is_empty() || matches!(part.cond.kind, CondKind::Quantified(_));
        let around = if starts_anew { &guards } else { around };
        part.parts().for_each(|inner| self.walk(inner, around, verdict, out));
    }
}

/// A condition that is a guard.
fn guard(cond: &Cond) -> Option<&Guard> {
    match cond.predicate() {
        Some(Predicate::Guard(guard)) => Some(guard),
        _ => None,
    }
}
