//! Sessions: what happened before decides conditions about earlier events.

use facade::{Engine, Session};
use hookc_bindings::{Failure, verdict};

use crate::border::{call, make, null};
use crate::decision::{DecisionValue, HookcDecision};
use crate::engine::{HookcDecideOptions, HookcEngine, read};
use crate::error::{HookcError, HookcStatus};
use crate::handle::{self, Opaque};
use crate::text::{HookcText, bytes};

/// A session of an engine: it remembers what conditions about earlier events need. Any number of threads use it; its
/// decisions are made one after the other. Free it with `hookc_session_free`.
#[derive(Debug)]
pub struct HookcSession {
    _opaque: [u8; 0],
}

/// A session, and the engine whose policy its texts are of.
pub(crate) struct SessionValue {
    engine: Engine,
    session: Session,
}

impl Opaque for HookcSession {
    type Value = SessionValue;
    const TAG: u64 = 0x7365_7373_696f_6e05;
    const NAME: &'static str = "session";
}

/// The state of a session as bytes. Free it with `hookc_snapshot_free`.
#[derive(Debug)]
pub struct HookcSnapshot {
    _opaque: [u8; 0],
}

impl Opaque for HookcSnapshot {
    type Value = Vec<u8>;
    const TAG: u64 = 0x736e_6170_7368_6f06;
    const NAME: &'static str = "snapshot";
}

/// The session of an engine with this id, which begins now unless the engine knows it. The engine can be freed
/// afterwards.
///
/// # Safety
/// Pointers are null or valid; `engine` is null or a handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hookc_session_open(
    engine: *const HookcEngine,
    id: HookcText,
    session: *mut *mut HookcSession,
    error: *mut *mut HookcError,
) -> HookcStatus {
    // SAFETY: the caller's word for every pointer.
    unsafe {
        make("session", session, error, || {
            let engine = handle::get(engine)?.clone();
            Ok(SessionValue { session: engine.session(required(id)?), engine })
        })
    }
}

/// A session from the bytes of a snapshot, which replaces the one of the engine with this id. The policy may have
/// changed. Errors: `HOOKC_STATUS_SNAPSHOT`.
///
/// # Safety
/// Pointers are null or valid, `snapshot` for `length` bytes; `engine` is null or a handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hookc_session_restore(
    engine: *const HookcEngine,
    id: HookcText,
    snapshot: *const u8,
    length: usize,
    session: *mut *mut HookcSession,
    error: *mut *mut HookcError,
) -> HookcStatus {
    // SAFETY: the caller's word for every pointer.
    unsafe {
        make("session", session, error, || {
            let engine = handle::get(engine)?.clone();
            let snapshot = bytes(snapshot, length, "snapshot")?;
            let restored = engine.restore(required(id)?, snapshot);
            let session = restored.map_err(|error| Failure::snapshot(&error))?;
            Ok(SessionValue { engine, session })
        })
    }
}

/// Decides about an event as `hookc_engine_decide`, and records it. `time` is in milliseconds, such as those since
/// 1970; a time before that of the last event is raised to it. An event that is an error is not recorded.
///
/// The event is recorded with the verdict of the hooks (`deny`, `ask`, `allow` and the actions of threads). If another
/// action decides, or a condition was unknown, it waits for `hookc_session_settle`: until then others see it as one
/// that happened.
///
/// # Safety
/// Pointers are null or valid, `event` for `length` bytes; `session` is null or a handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hookc_session_decide(
    session: *const HookcSession,
    event: *const std::ffi::c_char,
    length: usize,
    time: u64,
    options: *const HookcDecideOptions,
    decision: *mut *mut HookcDecision,
    error: *mut *mut HookcError,
) -> HookcStatus {
    // SAFETY: the caller's word for every pointer.
    unsafe {
        make("decision", decision, error, || {
            let SessionValue { engine, session } = handle::get(session)?;
            let event = bytes(event.cast(), length, "event")?;
            // Of a decision about an unknown type of event: it looks for a similar name.
            let policy = engine.policy();
            let decided = session
                .decide_at(event, time, &read(options)?)
                .map_err(|error| Failure::event(&error, event))?;
            Ok(DecisionValue::new(decided, policy))
        })
    }
}

/// Sets the verdict about an event that waits: `deny`, `ask`, `allow` or `none`. `step` is that of its decision.
/// `waited` can be null; it gets 1 if the event waited, and 0 if it did not: then nothing changes. Errors:
/// `HOOKC_STATUS_ARGUMENT`.
///
/// # Safety
/// Pointers are null or valid; `session` is null or a handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hookc_session_settle(
    session: *const HookcSession,
    step: u64,
    verdict_name: HookcText,
    waited: *mut i32,
    error: *mut *mut HookcError,
) -> HookcStatus {
    // SAFETY: the caller's word for every pointer.
    unsafe {
        call(error, || {
            let session = &handle::get(session)?.session;
            let name = verdict_name.get("verdict_name")?.ok_or_else(|| null("verdict_name"))?;
            let settled = session.settle(step, verdict(name)?);
            if !waited.is_null() && waited.is_aligned() {
                waited.write(settled.into());
            }
            Ok(())
        })
    }
}

/// The state of a session, for `hookc_session_restore`. It has hashes of values, with the key of these hashes, and the
/// numbers and texts that the policy keeps. Events that wait are settled by time alone after they are restored.
///
/// # Safety
/// Pointers are null or valid; `session` is null or a handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hookc_session_snapshot(
    session: *const HookcSession,
    snapshot: *mut *mut HookcSnapshot,
    error: *mut *mut HookcError,
) -> HookcStatus {
    // SAFETY: the caller's word for every pointer.
    unsafe { make("snapshot", snapshot, error, || Ok(handle::get(session)?.session.snapshot())) }
}

/// The bytes of a snapshot, which are valid until it is freed. `length` gets their number. Null and 0 for something
/// else than a snapshot.
///
/// # Safety
/// `length` is null or valid; `snapshot` is null or a handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hookc_snapshot_bytes(
    snapshot: *const HookcSnapshot,
    length: *mut usize,
) -> *const u8 {
    // SAFETY: the caller's word.
    let found = unsafe { handle::get(snapshot) }.map(Vec::as_slice);
    let (data, count) = found.map_or((std::ptr::null(), 0), |bytes| (bytes.as_ptr(), bytes.len()));
    if !length.is_null() && length.is_aligned() {
        // SAFETY: not null and aligned; the caller says that it is valid for a write.
        unsafe { length.write(count) };
    }
    data
}

/// The id of a session, which must be given.
///
/// # Safety
/// `id` is valid during `'a`.
unsafe fn required<'a>(id: HookcText) -> Result<&'a str, Failure> {
    // SAFETY: the caller's word.
    unsafe { id.get("id") }?.ok_or_else(|| null("id"))
}

/// Frees a handle of a session; null is left alone. The engine keeps the session under its id.
///
/// # Safety
/// `session` is null or a handle that nothing uses any more.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hookc_session_free(session: *mut HookcSession) {
    // SAFETY: the caller's word.
    unsafe { handle::free(session) }
}

/// Frees a snapshot, and with it its bytes; null is left alone.
///
/// # Safety
/// `snapshot` is null or a handle that nothing uses any more.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hookc_snapshot_free(snapshot: *mut HookcSnapshot) {
    // SAFETY: the caller's word.
    unsafe { handle::free(snapshot) }
}
