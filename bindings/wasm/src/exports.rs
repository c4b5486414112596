//! The functions of the module. The [crate] describes statuses and results.
#![allow(unsafe_code, reason = "`no_mangle`: nothing else in a module has these names")]
// Tests run these functions natively, where `free` would replace the one of the C library.

use std::cell::RefCell;

use hookc_bindings::Failure;

use crate::instance::{Input, Instance};

thread_local! {
    static INSTANCE: RefCell<Instance> = RefCell::default();
}

/// Runs a call that makes a handle, and keeps its result or failure.
fn call(run: impl FnOnce(&mut Instance) -> Result<(u32, Vec<u8>), Failure>) -> i32 {
    INSTANCE.with_borrow_mut(|instance| {
        let done = run(instance);
        instance.finish(done)
    })
}

/// A buffer of `length` bytes for the host to fill; 0 if there is no memory for it. The host frees
/// it.
#[cfg_attr(target_family = "wasm", unsafe(no_mangle))]
pub extern "C" fn alloc(length: usize) -> usize {
    INSTANCE.with_borrow_mut(|instance| instance.buffers.alloc(length)).unwrap_or(0)
}

/// Frees a buffer of [`alloc`]. Freeing it twice is a failure.
#[cfg_attr(target_family = "wasm", unsafe(no_mangle))]
pub extern "C" fn free(address: usize) -> i32 {
    call(|instance| instance.buffers.free(address).map(|()| (0, Vec::new())))
}

/// Loads a compiled module. Returns its handle, from 1. The buffer can be freed afterwards.
#[cfg_attr(target_family = "wasm", unsafe(no_mangle))]
pub extern "C" fn load(module: usize, length: usize) -> i32 {
    call(|instance| Ok((instance.load(Input(module, length))?, Vec::new())))
}

/// Frees a loaded module. Its handle is never used again.
#[cfg_attr(target_family = "wasm", unsafe(no_mangle))]
pub extern "C" fn unload(handle: u32) -> i32 {
    call(|instance| instance.unload(handle).map(|()| (0, Vec::new())))
}

/// Decides about an event. The result is the decision as JSON. Options are JSON
/// (`{"event", "family", "strategy", "after"}`), or of length 0.
#[cfg_attr(target_family = "wasm", unsafe(no_mangle))]
pub extern "C" fn decide(
    handle: u32,
    event: usize,
    length: usize,
    options: usize,
    options_length: usize,
) -> i32 {
    call(|instance| Ok((0, instance.decide(handle, Input(event, length), Input(options, options_length))?)))
}

/// A session under a loaded module, from a [snapshot](session_snapshot), or a new one if the length is 0. Returns its
/// handle. The module can be unloaded afterwards.
#[cfg_attr(target_family = "wasm", unsafe(no_mangle))]
pub extern "C" fn session_open(module: u32, snapshot: usize, length: usize) -> i32 {
    call(|instance| Ok((instance.session_open(module, Input(snapshot, length))?, Vec::new())))
}

/// As [`decide`], but what happened before in the session decides too, and the event is recorded. The options need
/// `time`, in milliseconds; a time before that of the last event is raised to it. Returns the step of the event, from 1.
#[cfg_attr(target_family = "wasm", unsafe(no_mangle))]
pub extern "C" fn session_decide(
    session: u32,
    event: usize,
    length: usize,
    options: usize,
    options_length: usize,
) -> i32 {
    call(|instance| instance.session_decide(session, Input(event, length), Input(options, options_length)))
}

/// Sets the verdict (`deny`, `ask`, `allow`, `none`) about an event that waits, because an action decides that is no
/// verdict, or a condition was unknown. Returns 1, and 0 if the event of this step does not wait.
#[cfg_attr(target_family = "wasm", unsafe(no_mangle))]
pub extern "C" fn session_settle(session: u32, step: u32, verdict: usize, length: usize) -> i32 {
    call(|instance| Ok((instance.session_settle(session, step, Input(verdict, length))?, Vec::new())))
}

/// The state of a session, for [`session_open`]. The bytes are the result.
#[cfg_attr(target_family = "wasm", unsafe(no_mangle))]
pub extern "C" fn session_snapshot(session: u32) -> i32 {
    call(|instance| Ok((0, instance.session_snapshot(session)?)))
}

/// Frees a session. Its handle is never used again.
#[cfg_attr(target_family = "wasm", unsafe(no_mangle))]
pub extern "C" fn session_free(session: u32) -> i32 {
    call(|instance| instance.session_free(session).map(|()| (0, Vec::new())))
}

/// The event type that a name probably means which no hook of the module and no vocabulary has. The result is that
/// type, or empty: for a known name, and for a name that resembles no known one.
#[cfg_attr(target_family = "wasm", unsafe(no_mangle))]
pub extern "C" fn misspelt(handle: u32, name: usize, length: usize) -> i32 {
    call(|instance| Ok((0, instance.misspelt(handle, Input(name, length))?)))
}

/// Loads the shipped schema of what actions of threads return. Returns its handle: [`decide`] about `{"value": ...}` with
/// the event type `returned` has a hook if the value is valid.
#[cfg_attr(target_family = "wasm", unsafe(no_mangle))]
pub extern "C" fn returns() -> i32 {
    call(|instance| Ok((instance.returns()?, Vec::new())))
}

/// The version: the result is `{"hookc", "interface", "format", "compiler"}`. `interface` changes if a
/// function, a status or a member of a failure changes, `format` if modules do.
#[cfg_attr(target_family = "wasm", unsafe(no_mangle))]
pub extern "C" fn version() -> i32 {
    call(|_| Ok((0, Instance::version())))
}

/// The address of the result of the last call.
#[cfg_attr(target_family = "wasm", unsafe(no_mangle))]
pub extern "C" fn result_ptr() -> usize {
    INSTANCE.with_borrow(|instance| instance.result.as_ptr().expose_provenance())
}

/// The length of the result of the last call, in bytes.
#[cfg_attr(target_family = "wasm", unsafe(no_mangle))]
pub extern "C" fn result_length() -> usize {
    INSTANCE.with_borrow(|instance| instance.result.len())
}

/// Compiles sources: JSON with `sources` (each with `name`, `text`, and optionally `dialect` and
/// `layer`), and optionally `shipped_hooks` (`never`, `threads`, `always`), `strict` and `strip`.
/// Returns the handle of the module. The result is `{"rendered", "diagnostics"}`.
#[cfg(feature = "compiler")]
#[cfg_attr(target_family = "wasm", unsafe(no_mangle))]
pub extern "C" fn compile(request: usize, length: usize) -> i32 {
    call(|instance| instance.compile(Input(request, length)))
}

/// The bytes of a module, for [`load`]. They are the result.
#[cfg(feature = "compiler")]
#[cfg_attr(target_family = "wasm", unsafe(no_mangle))]
pub extern "C" fn module(handle: u32) -> i32 {
    call(|instance| Ok((0, instance.module(handle)?.bytes().to_vec())))
}

/// Explains a decision. The result is `{"event", "text", "hooks"}`: `text` as `hookc explain` shows it,
/// and for each hook of the event's type what `hookc explain --format json` writes.
#[cfg(feature = "compiler")]
#[cfg_attr(target_family = "wasm", unsafe(no_mangle))]
pub extern "C" fn explain(
    handle: u32,
    event: usize,
    length: usize,
    options: usize,
    options_length: usize,
) -> i32 {
    call(|instance| Ok((0, instance.explain(handle, Input(event, length), Input(options, options_length))?)))
}
