//! Calls of Python code by threads that the interpreter may not outlive.
#![allow(
    unsafe_code,
    reason = "CPython ends a thread by unwinding its stack, which PyO3 does not expect of this call"
)]

use std::time::Duration;

use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::PyTuple;

unsafe extern "C-unwind" {
    fn PyObject_Call(
        callable: *mut ffi::PyObject,
        args: *mut ffi::PyObject,
        kwargs: *mut ffi::PyObject,
    ) -> *mut ffi::PyObject;
}

/// Waits for the end of the process when it is dropped.
struct WaitForExit;

impl Drop for WaitForExit {
    fn drop(&mut self) {
        loop {
            std::thread::sleep(Duration::from_secs(3600));
        }
    }
}

/// Calls Python code that can wait or run long.
///
/// Before version 3.14, CPython ends a daemon thread that takes the GIL after the end of the interpreter by
/// unwinding its stack. Rust aborts the process where it would have to stop that, so the thread waits
/// instead, as it does since 3.14.
pub(crate) fn call<'py, A>(callable: &Bound<'py, PyAny>, args: A) -> PyResult<Bound<'py, PyAny>>
where
    A: IntoPyObject<'py, Target = PyTuple, Output = Bound<'py, PyTuple>>,
    PyErr: From<A::Error>,
{
    let py = callable.py();
    let args = args.into_pyobject(py)?;
    let unwound = WaitForExit;
    // SAFETY: the interpreter is attached, and both objects are alive during the call.
    let result = unsafe { PyObject_Call(callable.as_ptr(), args.as_ptr(), std::ptr::null_mut()) };
    std::mem::forget(unwound);
    // SAFETY: a new reference, or null with an exception.
    unsafe { Bound::from_owned_ptr_or_err(py, result) }
}
