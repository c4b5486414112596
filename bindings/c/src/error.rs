//! Errors: a status, and a handle with the details.

use hookc_bindings::{Failure, Status};

use crate::border::look;
use crate::handle::{self, Opaque};
use crate::text::HookcText;

/// How a call ended.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HookcStatus {
    /// It did what it says.
    Ok = 0,
    /// An argument is null, not UTF-8, out of range or has an unknown name.
    Argument = 1,
    /// A handle is not one of its kind.
    Handle = 2,
    /// There is not enough memory.
    Memory = 3,
    /// The bytes are not a module that this version can load.
    Module = 4,
    /// Nothing can be decided about the event: you choose whether to fail open or closed.
    Event = 5,
    /// The policy has errors.
    Policy = 6,
    /// A fault of hookc itself.
    Internal = 7,
    /// The bytes are not a snapshot of a session.
    Snapshot = 8,
}

impl From<Status> for HookcStatus {
    fn from(status: Status) -> Self {
        match status {
            Status::Argument => Self::Argument,
            Status::Handle => Self::Handle,
            Status::Memory => Self::Memory,
            Status::Module => Self::Module,
            Status::Event => Self::Event,
            Status::Policy => Self::Policy,
            Status::Snapshot => Self::Snapshot,
            _ => Self::Internal,
        }
    }
}

/// Why a call failed. Free it with `hookc_error_free`.
#[derive(Debug)]
pub struct HookcError {
    _opaque: [u8; 0],
}

impl Opaque for HookcError {
    type Value = Failure;
    const TAG: u64 = 0x6572_726f_7268_6b01;
    const NAME: &'static str = "error";
}

/// A text of a failure.
///
/// # Safety
/// As [`handle::get`].
unsafe fn text(error: *const HookcError, part: impl FnOnce(&Failure) -> &str) -> HookcText {
    // SAFETY: the caller's word.
    look(|| Ok(HookcText::from(part(unsafe { handle::get(error) }?))))
}

/// The status of the call that failed; `HOOKC_STATUS_OK` for null.
///
/// # Safety
/// `error` is null or a handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hookc_error_status(error: *const HookcError) -> HookcStatus {
    // SAFETY: the caller's word.
    look(|| Ok(Some(unsafe { handle::get(error) }?.status.into()))).unwrap_or(HookcStatus::Ok)
}

/// A short name of the problem, for programs, such as `syntax`; for a policy the code of its first error,
/// such as `E0406`. docs/bindings.md lists them.
///
/// # Safety
/// `error` is null or a handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hookc_error_code(error: *const HookcError) -> HookcText {
    // SAFETY: the caller's word.
    unsafe { text(error, |failure| failure.code) }
}

/// The problem in one line.
///
/// # Safety
/// `error` is null or a handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hookc_error_message(error: *const HookcError) -> HookcText {
    // SAFETY: the caller's word.
    unsafe { text(error, |failure| &failure.message) }
}

/// The problem as the command line shows it: for a policy with the lines of its text.
///
/// # Safety
/// `error` is null or a handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hookc_error_rendered(error: *const HookcError) -> HookcText {
    // SAFETY: the caller's word.
    unsafe { text(error, |failure| &failure.rendered) }
}

/// The diagnostics of a policy: a JSON array; `[]` for other errors.
///
/// # Safety
/// `error` is null or a handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hookc_error_diagnostics(error: *const HookcError) -> HookcText {
    // SAFETY: the caller's word.
    unsafe { text(error, |failure| &failure.diagnostics) }
}

/// The name of the source with the problem, or `event`; empty if the problem is in no text.
///
/// # Safety
/// `error` is null or a handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hookc_error_file(error: *const HookcError) -> HookcText {
    // SAFETY: the caller's word.
    unsafe { text(error, |failure| failure.location.as_ref().map_or("", |location| &location.file)) }
}

/// The line of the problem, from 1; 0 if it is in no text.
///
/// # Safety
/// `error` is null or a handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hookc_error_line(error: *const HookcError) -> u32 {
    // SAFETY: the caller's word.
    look(|| Ok(unsafe { handle::get(error) }?.location.as_ref().map_or(0, |location| location.line)))
}

/// The column of the problem, from 1, in characters; 0 if it is in no text.
///
/// # Safety
/// `error` is null or a handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hookc_error_column(error: *const HookcError) -> u32 {
    // SAFETY: the caller's word.
    look(|| Ok(unsafe { handle::get(error) }?.location.as_ref().map_or(0, |location| location.column)))
}

/// Frees an error; null is left alone.
///
/// # Safety
/// `error` is null or a handle that nothing uses any more.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hookc_error_free(error: *mut HookcError) {
    // SAFETY: the caller's word.
    unsafe { handle::free(error) }
}
