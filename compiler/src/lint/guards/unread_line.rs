//! Denials that a command line evades which cannot be read, if no hook of the event asks about such lines (N0664).

use std::collections::HashSet;

use hookc_base::action::Kind;
use hookc_base::input_role::InputKind;
use hookc_schema::tree::{
    Cond, CondKind, CondPart, Demand, Family, Fold, Guard, Hook, Op, Predicate, Segment, Selector, View,
    ViewKind,
};
use hookc_schema::vocab::{ToolField, Vocabulary, inputs};
use hookc_schema::{Code, Diagnostic};

/// What is known about lines that cannot be read.
pub(super) struct Asked<'h> {
    /// The events with a hook whose condition is different for such a line.
    events: HashSet<(Family, &'h str)>,
    /// The events for which the current policy has a note.
    noted: HashSet<(Family, &'h str)>,
}

impl<'h> Asked<'h> {
    pub(super) fn new(hooks: impl Iterator<Item = &'h Hook>) -> Self {
        let (mut events, mut known) = (HashSet::new(), Fold::default());
        for hook in hooks.filter(|hook| hook.decides()) {
            if hook.condition.as_ref().is_some_and(|cond| known.value(cond.whole(), &mut sees_unread)) {
                events.extend(hook.events.iter().map(|event| (hook.family, event.node.as_str())));
            }
        }
        Self { events, noted: HashSet::new() }
    }

    /// Starts a policy, which has notes of its own.
    pub(super) fn start(&mut self) {
        self.noted.clear();
    }

    /// Whether some hook asks about such lines at each event of a hook.
    pub(super) fn is_asked(&self, hook: &Hook) -> bool {
        hook.events.iter().all(|event| self.events.contains(&(hook.family, event.node.as_str())))
    }

    /// Checks a hook that denies or asks.
    pub(super) fn check(&mut self, hook: &'h Hook, vocabulary: &Vocabulary) -> Option<Diagnostic> {
        let denies = hook.action.known() == Some(Kind::Deny) && hook.decides();
        let cond = hook.condition.as_ref().filter(|cond| denies && admits_lines(cond))?;
        let is_open = |name: &&str| {
            let event = vocabulary.event(hook.family, name);
            event.is_some_and(|event| event.has_tool(ToolField::Input))
                && !self.events.contains(&(hook.family, *name))
        };
        let names = hook.events.iter().map(|event| event.node.as_str());
        let open: Vec<&str> = names.filter(is_open).collect();
        let guard = certain(cond).filter(|_| !open.is_empty())?;
        let new_events = open.into_iter().filter(|name| self.noted.insert((hook.family, *name))).count();
        (new_events > 0).then(|| report(guard))
    }
}

/// The first guard of certain effects that makes a condition true.
fn certain(cond: &Cond) -> Option<&Guard> {
    let predicates =
        cond.walk().filter(|part| !part.negated && !part.is_bound).filter_map(CondPart::predicate);
    predicates.into_iter().find_map(|predicate| match predicate {
        Predicate::Guard(guard) => Some(guard),
        _ => None,
    })
}

/// Whether a condition does not exclude the tools that run command lines, by their names.
fn admits_lines(cond: &Cond) -> bool {
    match &cond.kind {
        CondKind::All(parts) => parts.iter().all(admits_lines),
        CondKind::Leaf(leaf) if matches!(leaf.op.node, Op::Eq | Op::In) => {
            leaf.path.last_name().as_deref() != Some("tool_name")
                || leaf.texts().any(|(_, tool)| inputs(tool).any(|(_, kind)| kind == InputKind::Line))
        }
        _ => true,
    }
}

/// Whether a condition has a result of its own for a line that cannot be read, from whether its parts have.
fn sees_unread(part: CondPart<'_>, parts: Vec<bool>) -> bool {
    match part.demand() {
        Demand::Leaf(leaf) => leaf.path.view(ViewKind::Shell).is_some_and(is_about_line),
        Demand::Predicate(Predicate::Unknown | Predicate::Only(_)) => true,
        Demand::Predicate(Predicate::Guard(guard)) => guard.is_possible,
        _ => parts.contains(&true),
    }
}

/// Whether it leads to `ok`, or to the reason.
fn is_about_line(view: &View) -> bool {
    let Some(Segment::Child(names)) = view.rest.segments.first() else { return false };
    matches!(names.as_slice(), [Selector::Name(name)] if name == "ok" || name == "reason")
}

fn report(guard: &Guard) -> Diagnostic {
    let (name, possible) = (guard.name().as_str(), guard.verb.possible());
    let what = format!("`{name}` is false of a command line that cannot be read");
    let new = Diagnostic::new(Code::N0664, guard.span.0, what).with_label("such a line passes");
    new.help(format!("write `{possible}(...)`, or one hook that asks `when: unknown()`"))
}
