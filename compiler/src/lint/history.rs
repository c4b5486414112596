//! Conditions about the past in a hook: an `allow` because something has not happened (W0681), or by what tools report
//! only later (W0683), a hook that fails open where the history is unknown (N0682), a selection that has no events
//! because its session starts, and one that never includes the current event despite `including now` (W0684).

use std::collections::HashMap;

use hookc_base::action::Kind;
use hookc_schema::tree::{
    Cond, CondKind, CondPart, Family, Hook, OnFailure, Op, PartitionKey, Right, Selection,
};
use hookc_schema::vocab::Vocabulary;
use hookc_schema::{Code, Diagnostic, Span};

use crate::ir::{CheckedEvent, LowCond, Monitor, PastRelation, PastTest, RecallValue, Watch};

/// What a hook with conditions about the past should not leave open, and selections that are always empty. `events` are
/// its events, checked.
pub(crate) fn check(hook: &Hook, events: &[CheckedEvent], vocabulary: &Vocabulary) -> Vec<Diagnostic> {
    let cond = hook.condition.as_ref().filter(|_| hook.is_enabled());
    let past: Vec<CondPart<'_>> =
        cond.into_iter().flat_map(Cond::walk).filter(|part| part.selections().next().is_some()).collect();
    let mut found = Vec::new();
    if !past.is_empty() && hook.decides() {
        found = if hook.action.known() == Some(Kind::Allow) {
            allowed(&past, events, vocabulary)
        } else {
            fails_open(hook).into_iter().collect()
        };
    }
    if !past.is_empty() && starts_history(hook, events) {
        let selections = past.iter().flat_map(|part| part.selections());
        found.extend(selections.filter(|selection| is_of_session(selection)).map(empty));
    }
    found.extend(never_included(&past, events));
    found
}

/// Reports `including now` where the current event is never one of those that the selection is about.
fn never_included(past: &[CondPart<'_>], events: &[CheckedEvent]) -> Vec<Diagnostic> {
    let mut reads = HashMap::new();
    events.iter().for_each(|event| including_now(&event.cond, &mut reads));
    let report = |part: &CondPart<'_>| {
        let including = part.selections().find_map(|selection| selection.including_now)?;
        if *reads.get(&part.cond.span)? {
            return None;
        }
        let what = "`including now` adds nothing: the current event is never one of these";
        let new = Diagnostic::new(Code::W0684, including.span, what).with_label("not in the selection");
        Some(new.help("remove it, or name the type of the current event in the selection"))
    };
    past.iter().filter_map(report).collect()
}

/// For each condition with reads that include the current event, whether one of them can have it.
fn including_now(cond: &LowCond, found: &mut HashMap<Span, bool>) {
    let mut add = |span, read: &RecallValue| {
        if read.now.is_some() {
            *found.entry(span).or_default() |= read.can_include_now();
        }
    };
    match cond {
        LowCond::Const(_) | LowCond::Effects(_) => {}
        LowCond::All(parts) | LowCond::Any(parts) => parts.iter().for_each(|part| including_now(part, found)),
        LowCond::Not(part) => including_now(part, found),
        LowCond::Some(some) => including_now(&some.node.cond, found),
        LowCond::Test(test) => {
            test.node.recalls().for_each(|read| add(test.span, read));
        }
        LowCond::Past(past) => {
            past.node.recalls().for_each(|read| add(past.span, read));
        }
    }
}

/// Reports an `allow` because something has not happened, or by what tools report only later.
fn allowed(past: &[CondPart<'_>], events: &[CheckedEvent], vocabulary: &Vocabulary) -> Vec<Diagnostic> {
    let absent = past.iter().find(|part| part.negated && matches!(part.cond.kind, CondKind::Formerly(_)));
    let absent = absent.map(|part| {
        let what = "this allows because something has not happened";
        let new = Diagnostic::new(Code::W0681, part.cond.span, what).with_label("true if it was not seen");
        new.help("deny or ask if it has happened, and leave the rest to the agent")
    });
    let late = |event: &CheckedEvent| late(&event.cond, false, vocabulary);
    let late = events.iter().filter(|event| is_prevented(event)).find_map(late);
    absent.into_iter().chain(late).collect()
}

/// Reports a hook that fails open.
fn fails_open(hook: &Hook) -> Option<Diagnostic> {
    let open = hook.on_failure.filter(|mode| mode.node == OnFailure::Open)?;
    let what = "this hook lets events pass where the history is unknown";
    let new =
        Diagnostic::new(Code::N0682, open.span, what).with_label("also if its file is locked or damaged");
    Some(new.help("to deny then, write `on_failure: closed`"))
}

fn is_prevented(event: &CheckedEvent) -> bool {
    event.declared.as_ref().is_some_and(|event| event.prevents)
}

/// The first read that an event which comes after its tool could make false, if it is one of a call that still runs.
fn late(cond: &LowCond, negated: bool, vocabulary: &Vocabulary) -> Option<Diagnostic> {
    match cond {
        LowCond::Const(_) | LowCond::Effects(_) => None,
        LowCond::All(parts) | LowCond::Any(parts) => {
            parts.iter().find_map(|part| late(part, negated, vocabulary))
        }
        LowCond::Not(part) => late(part, !negated, vocabulary),
        LowCond::Some(some) => late(&some.node.cond, negated, vocabulary),
        LowCond::Test(test) => test.node.recalls().find_map(|read| late_in(read, true, vocabulary)),
        LowCond::Past(past) => late_in(&past.node.recall, is_upper_bound(&past.node, negated), vocabulary),
    }
}

/// Whether a further event can make a test of a number false. W0681 is about `formerly`.
fn is_upper_bound(past: &PastTest, negated: bool) -> bool {
    match past.relation {
        PastRelation::Formerly => false,
        PastRelation::Compare(Op::Gt | Op::Gte, _) => negated,
        PastRelation::Compare(Op::Lt | Op::Lte, _) => !negated,
        PastRelation::Compare(..) => true,
    }
}

fn late_in(read: &RecallValue, with_pattern: bool, vocabulary: &Vocabulary) -> Option<Diagnostic> {
    let pattern = Some(&*read.pattern.monitor).filter(|_| with_pattern);
    pattern.into_iter().chain(read.anchors()).find_map(|monitor| report_late(monitor, vocabulary))
}

fn report_late(monitor: &Monitor, vocabulary: &Vocabulary) -> Option<Diagnostic> {
    let comes = |watch: &Watch| {
        let event = vocabulary.event(watch.family, &watch.event)?;
        event.comes.as_ref().filter(|_| !event.prevents)
    };
    let (watch, comes) = monitor.watches.iter().find_map(|watch| Some((watch, comes(watch)?)))?;
    let what = format!("this `allow` depends on `{}`, which comes {comes}", watch.event);
    let new =
        Diagnostic::new(Code::W0683, watch.span, what).with_label("not recorded of a call that still runs");
    Some(new.help("write `PreToolUse` here, which is recorded before the tool runs, or deny the other calls"))
}

/// The event with which a thread begins, and the one with which a session begins if it has this source.
const THREAD: &str = "thread_started";
const SESSION: (&str, &str, &str) = ("SessionStart", "source", "startup");

/// Whether every event of a hook is the first one of its session.
fn starts_history(hook: &Hook, events: &[CheckedEvent]) -> bool {
    let (name, field, value) = SESSION;
    let is_source = |part: CondPart<'_>| {
        let leaf = part.leaf().filter(|leaf| leaf.op.node == Op::Eq && leaf.path.is_field(field));
        let right = leaf.map(|leaf| &leaf.right);
        matches!(right, Some(Right::Value(right)) if right.as_str() == Some(value))
    };
    let is_required = || {
        let cond = hook.condition.as_ref();
        cond.is_some_and(|cond| match &cond.kind {
            CondKind::All(parts) => parts.iter().any(|part| is_source(part.whole())),
            _ => is_source(cond.whole()),
        })
    };
    events.iter().all(|event| match event.family {
        Family::Thread => event.name.node == THREAD,
        Family::Agent => event.name.node == name && is_required(),
        _ => false,
    })
}

fn is_of_session(selection: &Selection) -> bool {
    let per = selection.per.map(|per| per.node);
    matches!(per, None | Some(PartitionKey::Session | PartitionKey::Agent))
        && selection.including_now.is_none()
}

fn empty(selection: &Selection) -> Diagnostic {
    let what = "nothing has happened before this event, with which the session starts";
    let new = Diagnostic::new(Code::W0684, selection.span.0, what).with_label("always empty");
    new.help("write another event for the hook, or `per project` with `within` and a duration")
}
