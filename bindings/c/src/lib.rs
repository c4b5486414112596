//! hookc for C: opaque handles, status codes, errors with their location and text.
//!
//! `include/hookc.h` is made from this crate. The rules, which the README explains:
//! - Every function checks what it can: null pointers, lengths, kinds of handles, names. It cannot
//!   check that a pointer is valid for its length, or that a handle was not freed.
//! - No panic crosses the border: it becomes `HOOKC_STATUS_INTERNAL`.
//! - The caller frees each handle that it gets, once, with the function of its kind. Text belongs to
//!   the handle that it came from.
//! - Policies, decisions, snapshots and errors never change. Any number of threads use a handle at the same time,
//!   until one frees it.
#![allow(unsafe_code, reason = "the border to C: raw pointers in, raw pointers out")]

mod border;
mod decision;
mod engine;
mod error;
mod handle;
mod policy;
mod session;
mod text;

pub use decision::{
    HookcDecision, HookcHook, hookc_decision_event, hookc_decision_free, hookc_decision_hook,
    hookc_decision_hook_count, hookc_decision_json, hookc_decision_misspelt_event, hookc_decision_reported,
    hookc_decision_reported_count, hookc_decision_step, hookc_decision_unknown, hookc_decision_unknown_cause,
    hookc_decision_unknown_count,
};
pub use engine::{
    HookcDecideOptions, HookcEngine, hookc_engine_decide, hookc_engine_free, hookc_engine_new,
    hookc_engine_reload,
};
pub use error::{
    HookcError, HookcStatus, hookc_error_code, hookc_error_column, hookc_error_diagnostics, hookc_error_file,
    hookc_error_free, hookc_error_line, hookc_error_message, hookc_error_rendered, hookc_error_status,
};
pub use policy::{
    HookcCompileOptions, HookcPolicy, HookcSource, hookc_policy_compile, hookc_policy_diagnostics,
    hookc_policy_free, hookc_policy_from_yaml, hookc_policy_load, hookc_policy_module, hookc_policy_warnings,
};
pub use session::{
    HookcSession, HookcSnapshot, hookc_session_decide, hookc_session_free, hookc_session_open,
    hookc_session_restore, hookc_session_settle, hookc_session_snapshot, hookc_snapshot_bytes,
    hookc_snapshot_free,
};
pub use text::{HookcText, hookc_text, hookc_version};
