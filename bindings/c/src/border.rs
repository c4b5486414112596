//! No panic leaves this library, and every result has one of two forms.

use std::panic::{AssertUnwindSafe, catch_unwind};

use hookc_bindings::{Failure, Status};

use crate::error::{HookcError, HookcStatus};
use crate::handle::{self, Opaque};

/// Runs a call that can fail. If it fails, `error`, unless it is null, gets a handle of the failure;
/// otherwise null.
///
/// # Safety
/// `error` is null or valid for a write.
pub(crate) unsafe fn call(
    error: *mut *mut HookcError,
    run: impl FnOnce() -> Result<(), Failure>,
) -> HookcStatus {
    let failure = match catch_unwind(AssertUnwindSafe(run)) {
        Ok(Ok(())) => None,
        Ok(Err(failure)) => Some(failure),
        Err(_) => Some(Failure::new(Status::Internal, "a fault of hookc; standard error has its message")),
    };
    let status = failure.as_ref().map_or(HookcStatus::Ok, |failure| failure.status.into());
    if !error.is_null() {
        let handle = failure.map_or(std::ptr::null_mut(), handle::new::<HookcError>);
        // SAFETY: not null; the caller says that it is valid for a write.
        unsafe { error.write(handle) };
    }
    status
}

/// Runs a call that makes a handle. `out` gets it, or null if the call fails.
///
/// # Safety
/// `out` and `error` are null or valid for a write.
pub(crate) unsafe fn make<T: Opaque>(
    name: &str,
    out: *mut *mut T,
    error: *mut *mut HookcError,
    run: impl FnOnce() -> Result<T::Value, Failure>,
) -> HookcStatus {
    let made = || {
        if out.is_null() {
            return Err(null(name));
        }
        // SAFETY: not null; the caller says that it is valid for a write.
        unsafe { out.write(std::ptr::null_mut()) };
        let value = handle::new::<T>(run()?);
        // SAFETY: as above.
        unsafe { out.write(value) };
        Ok(())
    };
    // SAFETY: the caller's word for `error`.
    unsafe { call(error, made) }
}

/// Runs a call that only looks something up; a panic or an argument of the wrong kind gives the
/// default.
pub(crate) fn look<T: Default>(run: impl FnOnce() -> Result<T, Failure>) -> T {
    catch_unwind(AssertUnwindSafe(run)).ok().and_then(Result::ok).unwrap_or_default()
}

/// The failure of a null pointer.
pub(crate) fn null(name: &str) -> Failure {
    Failure::argument(format!("`{name}` is null"))
}
