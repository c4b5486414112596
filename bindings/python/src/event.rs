//! Events in the forms in which Python programs have them.

use pyo3::buffer::PyBuffer;
use pyo3::exceptions::{PyTypeError, PyUnicodeEncodeError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyString};

use crate::error;
use crate::json;

/// The bytes of an event. What cannot change is read in place; other buffers are copied, because
/// another thread may write to them while the interpreter is detached.
pub(crate) enum EventBytes<'py> {
    Bytes(Bound<'py, PyBytes>),
    Text(Bound<'py, PyString>),
    Copied(Vec<u8>),
}

impl<'py> EventBytes<'py> {
    /// Of `bytes`, `str`, `dict` or a buffer of bytes; larger ones than `limit` are rejected before
    /// they are copied or converted.
    pub(crate) fn from_value(value: &Bound<'py, PyAny>, limit: usize) -> PyResult<Self> {
        if let Ok(bytes) = value.cast_exact::<PyBytes>() {
            return Ok(Self::Bytes(bytes.clone()));
        }
        if let Ok(dict) = value.cast::<PyDict>() {
            return json::of_dict(dict, limit).map(Self::Copied);
        }
        if let Ok(text) = value.cast::<PyString>() {
            return Ok(Self::Text(text.clone()));
        }
        match PyBuffer::<u8>::get(value) {
            Ok(buffer) => Self::of_buffer(value.py(), &buffer, limit),
            Err(other) if other.is_instance_of::<PyTypeError>(value.py()) => {
                Err(error::wrong_type("bytes, str, dict or a buffer of bytes", value))
            }
            // Closed (ValueError), or of other elements than bytes (BufferError).
            Err(other) => Err(other),
        }
    }

    fn of_buffer(py: Python<'py>, buffer: &PyBuffer<u8>, limit: usize) -> PyResult<Self> {
        if buffer.item_count() > limit {
            return Err(error::of_decide(&hookc::EventError::TooLarge(limit).into()));
        }
        buffer.to_vec(py).map(Self::Copied)
    }

    /// The bytes.
    pub(crate) fn as_bytes(&self) -> PyResult<&[u8]> {
        match self {
            Self::Bytes(bytes) => Ok(bytes.as_bytes()),
            Self::Copied(bytes) => Ok(bytes),
            Self::Text(text) => text.to_str().map(str::as_bytes).map_err(|error| of_text(text, error)),
        }
    }
}

/// A `str` with half a surrogate pair is an invalid event.
fn of_text(text: &Bound<'_, PyString>, error: PyErr) -> PyErr {
    let py = text.py();
    match error.is_instance_of::<PyUnicodeEncodeError>(py) {
        true => {
            let new = error::of_value("utf8", format!("the event is not UTF-8: {}", error.value(py)));
            new.set_cause(py, Some(error));
            new
        }
        false => error,
    }
}
