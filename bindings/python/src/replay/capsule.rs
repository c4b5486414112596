//! The capsules of the Arrow C stream interface, the only unsafe code of this crate.
#![allow(unsafe_code, reason = "a capsule contains a pointer to a struct of the C stream interface")]

use arrow_array::RecordBatchReader;
use arrow_array::ffi_stream::{FFI_ArrowArrayStream, RecordBatchStreamReader};
use arrow_schema::Schema;
use arrow_schema::ffi::FFI_ArrowSchema;
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyCapsuleMethods};

use super::Replay;
use crate::error;

/// The name that the interface gives to capsules of streams.
const NAME: &std::ffi::CStr = c"arrow_array_stream";

/// Takes the stream out of an object that has one.
pub(super) fn import(object: &Bound<'_, PyAny>) -> PyResult<Box<dyn RecordBatchReader + Send>> {
    if !object.hasattr("__arrow_c_stream__")? {
        let expected =
            "an object with __arrow_c_stream__ (a pyarrow table or reader, a DuckDB relation, ...)";
        return Err(error::wrong_type(expected, object));
    }
    let capsule = object.call_method0("__arrow_c_stream__")?;
    let capsule = capsule
        .cast::<PyCapsule>()
        .map_err(|_| error::wrong_type("a capsule from __arrow_c_stream__", &capsule))?;
    let pointer = capsule.pointer_checked(Some(NAME))?.cast::<FFI_ArrowArrayStream>();
    // SAFETY: a capsule of this name points to a stream of the C interface, and is alive. Its owner
    // has given it away with the capsule: it is moved out, and marked as released there.
    let reader = unsafe { RecordBatchStreamReader::from_raw(pointer.as_ptr()) };
    let reader =
        reader.map_err(|error| error::of_replay("stream", format!("the stream cannot be read: {error}")))?;
    Ok(Box::new(reader))
}

/// The schema of a stream, for consumers that ask before they read.
pub(super) fn schema<'py>(py: Python<'py>, schema: &Schema) -> PyResult<Bound<'py, PyCapsule>> {
    let exported =
        FFI_ArrowSchema::try_from(schema).map_err(|error| error::of_replay("stream", error.to_string()))?;
    PyCapsule::new_with_value(py, exported, c"arrow_schema")
}

/// Gives a stream away.
pub(super) fn export(py: Python<'_>, replay: Replay) -> PyResult<Bound<'_, PyCapsule>> {
    let stream = FFI_ArrowArrayStream::new(Box::new(replay));
    PyCapsule::new_with_value(py, stream, NAME)
}
