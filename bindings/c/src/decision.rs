//! Decisions, which own their texts.

use std::sync::OnceLock;

use facade::{Decision, MatchedHook, Policy, with_causes};
use hookc_bindings::Failure;

use crate::border::{call, look, null};
use crate::error::{HookcError, HookcStatus};
use crate::handle::{self, Opaque};
use crate::text::HookcText;

/// Which hooks matched an event. It never changes. Free it with `hookc_decision_free`.
#[derive(Debug)]
pub struct HookcDecision {
    _opaque: [u8; 0],
}

/// A decision with the texts that C asks for.
pub(crate) struct DecisionValue {
    decision: Decision,
    /// Of the engine, if it has no hooks for the event's type.
    policy: Option<Policy>,
    json: OnceLock<String>,
    /// Why an action is not available, per hook that decides, reported hook and hook whose condition is unknown.
    errors: [Vec<Option<String>>; 3],
}

impl Opaque for HookcDecision {
    type Value = DecisionValue;
    const TAG: u64 = 0x6465_6369_6465_6804;
    const NAME: &'static str = "decision";
}

impl DecisionValue {
    /// `policy` is the one that decided.
    pub(crate) fn new(decision: Decision, policy: Policy) -> Self {
        let error = |hook: &MatchedHook| hook.to_json().err().map(|error| with_causes(&error));
        let errors = [
            decision.hooks().iter().map(error).collect(),
            decision.reported().iter().map(error).collect(),
            decision.unknown().map(|(hook, _)| error(hook)).collect(),
        ];
        let policy = Some(policy).filter(|_| decision.family().is_none());
        Self { decision, policy, json: OnceLock::new(), errors }
    }
}

/// A hook that matched. Its texts belong to the decision; those that the policy does not set are
/// empty.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct HookcHook {
    /// Its id or label; `rank N` in a module without names.
    pub id: HookcText,
    /// Its mode: `enforce`, `warn` or `shadow`.
    pub mode: HookcText,
    /// Its layer, such as `project`; empty in a module without names.
    pub layer: HookcText,
    /// `skip`, `fail` or `retry`.
    pub on_error: HookcText,
    /// Its failure mode: `open` or `closed`.
    pub on_failure: HookcText,
    /// The type of its action, such as `deny`.
    pub action_type: HookcText,
    /// Its action as compact JSON, filled in from the event; empty if it cannot be rendered.
    pub action: HookcText,
    /// Why its action cannot be rendered. The decision is valid all the same.
    pub action_error: HookcText,
    /// The name of the source that it is written in; empty in a module without names.
    pub file: HookcText,
    /// Its line, from 1; 0 in a module without names.
    pub line: u32,
    /// Its column, from 1, in characters; 0 in a module without names.
    pub column: u32,
    /// Its position among the hooks of its event type, from 0.
    pub rank: u32,
}

/// The decision as compact JSON, the same bytes in every binding, in the form of
/// `hookc schema decision`.
///
/// # Safety
/// `decision` is null or a handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hookc_decision_json(decision: *const HookcDecision) -> HookcText {
    look(|| {
        // SAFETY: the caller's word.
        let value = unsafe { handle::get(decision) }?;
        Ok(HookcText::from(value.json.get_or_init(|| value.decision.to_json()).as_str()))
    })
}

/// The event's type.
///
/// # Safety
/// `decision` is null or a handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hookc_decision_event(decision: *const HookcDecision) -> HookcText {
    // SAFETY: the caller's word.
    look(|| Ok(HookcText::from(unsafe { handle::get(decision) }?.decision.event_type())))
}

/// The event type that your program probably means, if no hook and no vocabulary knows the decision's: no hook ever
/// matches an event of a misspelt type. Empty for a known type, and for a type that resembles no
/// known one.
///
/// # Safety
/// `decision` is null or a handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hookc_decision_misspelt_event(decision: *const HookcDecision) -> HookcText {
    look(|| {
        // SAFETY: the caller's word.
        let value = unsafe { handle::get(decision) }?;
        let policy = value.policy.as_ref();
        let found = policy.and_then(|policy| policy.misspelt_event_type(value.decision.event_type()));
        Ok(HookcText::from(found.unwrap_or_default()))
    })
}

/// How many hooks decide. 0 is no opinion, not permission.
///
/// # Safety
/// `decision` is null or a handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hookc_decision_hook_count(decision: *const HookcDecision) -> usize {
    // SAFETY: the caller's word.
    look(|| Ok(unsafe { handle::get(decision) }?.decision.hooks().len()))
}

/// How many hooks match in `mode: warn` or `shadow`. They decide nothing.
///
/// # Safety
/// `decision` is null or a handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hookc_decision_reported_count(decision: *const HookcDecision) -> usize {
    // SAFETY: the caller's word.
    look(|| Ok(unsafe { handle::get(decision) }?.decision.reported().len()))
}

/// How many hooks have a condition that is unknown, because what happened before is: every condition about earlier
/// events without a session. Such a hook has failed: its `on_failure` says whether your program fails open or closed.
///
/// # Safety
/// `decision` is null or a handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hookc_decision_unknown_count(decision: *const HookcDecision) -> usize {
    // SAFETY: the caller's word.
    look(|| Ok(unsafe { handle::get(decision) }?.decision.unknown().len()))
}

/// Why the condition of the unknown hook of an index is unknown; empty if there is no such hook.
///
/// # Safety
/// `decision` is null or a handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hookc_decision_unknown_cause(
    decision: *const HookcDecision,
    index: usize,
) -> HookcText {
    look(|| {
        // SAFETY: the caller's word.
        let value = unsafe { handle::get(decision) }?;
        Ok(HookcText::from(value.decision.unknown().nth(index).map_or("", |(_, cause)| cause)))
    })
}

/// The number of the event in its session, for `hookc_session_settle`; 0 for a decision of an engine.
///
/// # Safety
/// `decision` is null or a handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hookc_decision_step(decision: *const HookcDecision) -> u64 {
    // SAFETY: the caller's word.
    look(|| Ok(unsafe { handle::get(decision) }?.decision.step().unwrap_or(0)))
}

/// Writes the hook of an index to `hook`, in the order of the policy. Errors: `HOOKC_STATUS_ARGUMENT`.
///
/// # Safety
/// Pointers are null or valid; `decision` is null or a handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hookc_decision_hook(
    decision: *const HookcDecision,
    index: usize,
    hook: *mut HookcHook,
    error: *mut *mut HookcError,
) -> HookcStatus {
    // SAFETY: the caller's word.
    unsafe { write(decision, 0, index, hook, error) }
}

/// Writes the reported hook of an index to `hook`. Errors: `HOOKC_STATUS_ARGUMENT`.
///
/// # Safety
/// Pointers are null or valid; `decision` is null or a handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hookc_decision_reported(
    decision: *const HookcDecision,
    index: usize,
    hook: *mut HookcHook,
    error: *mut *mut HookcError,
) -> HookcStatus {
    // SAFETY: the caller's word.
    unsafe { write(decision, 1, index, hook, error) }
}

/// Writes the hook of an index whose condition is unknown to `hook`. Errors: `HOOKC_STATUS_ARGUMENT`.
///
/// # Safety
/// Pointers are null or valid; `decision` is null or a handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hookc_decision_unknown(
    decision: *const HookcDecision,
    index: usize,
    hook: *mut HookcHook,
    error: *mut *mut HookcError,
) -> HookcStatus {
    // SAFETY: the caller's word.
    unsafe { write(decision, 2, index, hook, error) }
}

/// # Safety
/// As [`hookc_decision_hook`].
unsafe fn write(
    decision: *const HookcDecision,
    list: usize,
    index: usize,
    hook: *mut HookcHook,
    error: *mut *mut HookcError,
) -> HookcStatus {
    let run = || {
        // SAFETY: the caller's word.
        let DecisionValue { decision, errors, .. } = unsafe { handle::get(decision) }?;
        if hook.is_null() || !hook.is_aligned() {
            return Err(null("hook"));
        }
        let (hook_at_index, count) = match list {
            0 => (decision.hooks().get(index), decision.hooks().len()),
            1 => (decision.reported().get(index), decision.reported().len()),
            _ => (decision.unknown().nth(index).map(|(hook, _)| hook), decision.unknown().len()),
        };
        let error = errors.get(list).and_then(|errors| errors.get(index)).and_then(Option::as_deref);
        let found = hook_at_index.map(|found| view(found, error));
        let outside = || Failure::argument(format!("there is no hook {index} of {count}"));
        let found = found.ok_or_else(outside)?;
        // SAFETY: not null and aligned; the caller says that it is valid for a write.
        unsafe { hook.write(found) };
        Ok(())
    };
    // SAFETY: the caller's word for `error`.
    unsafe { call(error, run) }
}

fn view(hook: &MatchedHook, error: Option<&str>) -> HookcHook {
    let text = |name: Option<&'static str>| HookcText::from(name.unwrap_or(""));
    let location = hook.location();
    HookcHook {
        id: hook.id().into(),
        mode: hook.mode().name().into(),
        layer: text(hook.layer().map(facade::Layer::name)),
        on_error: text(hook.on_error().map(facade::OnError::name)),
        on_failure: text(hook.on_failure().map(facade::OnFailure::name)),
        action_type: hook.kind().into(),
        action: hook.to_json().unwrap_or("").into(),
        action_error: error.unwrap_or("").into(),
        file: location.map_or("", |location| &location.file).into(),
        line: location.map_or(0, |location| location.line),
        column: location.map_or(0, |location| location.column),
        rank: hook.rank(),
    }
}

/// Frees a decision, and with it all its texts; null is left alone.
///
/// # Safety
/// `decision` is null or a handle that nothing uses any more.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hookc_decision_free(decision: *mut HookcDecision) {
    // SAFETY: the caller's word.
    unsafe { handle::free(decision) }
}

#[cfg(test)]
mod tests {
    use super::DecisionValue;
    use facade::{Engine, Policy};

    #[test]
    fn a_decision_keeps_the_policy_only_for_an_unknown_type() {
        let policy = Policy::from_yaml("hooks: [{event: Stop, action: {type: deny}}]").unwrap();
        let engine = Engine::new(policy);
        for (event, is_kept) in [("Stop", false), ("Stopp", true)] {
            let decision = engine.decide(format!("{{\"hook_event_name\": \"{event}\"}}").as_str()).unwrap();
            assert_eq!(DecisionValue::new(decision, engine.policy()).policy.is_some(), is_kept, "{event}");
        }
    }
}
