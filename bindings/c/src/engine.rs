//! Engines: a policy that many threads decide by, and that can be replaced.

use facade::{DecideOptions, Engine};
use hookc_bindings::{Failure, family, strategy};

use crate::border::{call, make};
use crate::decision::{DecisionValue, HookcDecision};
use crate::error::{HookcError, HookcStatus};
use crate::handle::{self, Opaque};
use crate::policy::HookcPolicy;
use crate::text::{HookcText, bytes, slice};

/// Decides about events, for any number of threads at the same time. Free it with
/// `hookc_engine_free`.
#[derive(Debug)]
pub struct HookcEngine {
    _opaque: [u8; 0],
}

impl Opaque for HookcEngine {
    type Value = Engine;
    const TAG: u64 = 0x656e_6769_6e65_6803;
    const NAME: &'static str = "engine";
}

/// Options of a decision. All zero is the default.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct HookcDecideOptions {
    /// The event's type, which overrides the type in the event.
    pub event: HookcText,
    /// The vocabulary (`thread`, `agent`, `repository`, `skill`, `workflow`), for names that several
    /// declare.
    pub family: HookcText,
    /// The strategy (`first`, `all`), instead of the event type's.
    pub strategy: HookcText,
    /// Not 0: search only after the rank `after`.
    pub has_after: i32,
    /// A rank.
    pub after: u32,
}

/// An engine with a policy. The policy can be freed afterwards.
///
/// # Safety
/// Pointers are null or valid; `policy` is null or a handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hookc_engine_new(
    policy: *const HookcPolicy,
    engine: *mut *mut HookcEngine,
    error: *mut *mut HookcError,
) -> HookcStatus {
    // SAFETY: the caller's word for every pointer.
    unsafe { make("engine", engine, error, || Ok(Engine::new(handle::get(policy)?.policy.clone()))) }
}

/// Replaces the policy of an engine, while other threads decide. A decision that has begun ends with
/// the policy that it began with.
///
/// # Safety
/// `error` is null or valid; the others are null or handles.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hookc_engine_reload(
    engine: *const HookcEngine,
    policy: *const HookcPolicy,
    error: *mut *mut HookcError,
) -> HookcStatus {
    // SAFETY: the caller's word for every pointer.
    unsafe {
        call(error, || {
            let engine = handle::get(engine)?;
            engine.reload(handle::get(policy)?.policy.clone());
            Ok(())
        })
    }
}

/// Decides about an event: a JSON object in UTF-8. `options` can be null. Errors: `HOOKC_STATUS_EVENT`
/// (nothing can be decided), `HOOKC_STATUS_ARGUMENT`. A decision without hooks is no opinion, not
/// permission.
///
/// # Safety
/// Pointers are null or valid, `event` for `length` bytes; `engine` is null or a handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hookc_engine_decide(
    engine: *const HookcEngine,
    event: *const std::ffi::c_char,
    length: usize,
    options: *const HookcDecideOptions,
    decision: *mut *mut HookcDecision,
    error: *mut *mut HookcError,
) -> HookcStatus {
    // SAFETY: the caller's word for every pointer.
    unsafe {
        make("decision", decision, error, || {
            let engine = handle::get(engine)?;
            let event = bytes(event.cast(), length, "event")?;
            let options = read(options)?;
            // A reload replaces the policy at any time: the decision and its texts are of one.
            let policy = engine.policy();
            let decided =
                engine.decide_by(&policy, event, &options).map_err(|error| Failure::event(&error, event))?;
            Ok(DecisionValue::new(decided, policy))
        })
    }
}

/// The options of a decision.
///
/// # Safety
/// They are null or valid during `'a`, and so are their texts.
pub(crate) unsafe fn read<'a>(options: *const HookcDecideOptions) -> Result<DecideOptions<'a>, Failure> {
    // SAFETY: the caller's word.
    let options = unsafe { slice(options, usize::from(!options.is_null()), "options") }?;
    let Some(options) = options.first() else { return Ok(DecideOptions::default()) };
    // SAFETY: the caller's word.
    let (event, family_name, strategy_name) = unsafe {
        (options.event.get("event")?, options.family.get("family")?, options.strategy.get("strategy")?)
    };
    Ok(DecideOptions::default()
        .event(event)
        .family(family_name.map(family).transpose()?)
        .strategy(strategy_name.map(strategy).transpose()?)
        .after((options.has_after != 0).then_some(options.after)))
}

/// Frees an engine; null is left alone. Its decisions stay valid.
///
/// # Safety
/// `engine` is null or a handle that nothing uses any more.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hookc_engine_free(engine: *mut HookcEngine) {
    // SAFETY: the caller's word.
    unsafe { handle::free(engine) }
}
