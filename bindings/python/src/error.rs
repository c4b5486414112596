//! Rust errors as exceptions. The classes are in `python/hookc/_errors.py`: a class of the stable
//! ABI of 3.11 cannot inherit from `Exception`.

use hookc::{DecideError, Diagnostics, LoadError, PolicyError, with_causes};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;

use crate::diagnostics;

/// The classes; each is imported when it is first raised.
mod class {
    pyo3::import_exception!(hookc._errors, CompileError);
    pyo3::import_exception!(hookc._errors, FileError);
    pyo3::import_exception!(hookc._errors, LoadError);
    pyo3::import_exception!(hookc._errors, EventError);
    pyo3::import_exception!(hookc._errors, ActionError);
    pyo3::import_exception!(hookc._errors, ReplayError);
    pyo3::import_exception!(hookc._errors, SnapshotError);
    pyo3::import_exception!(hookc._errors, ThreadError);
}

/// `hookc.CompileError`: the first error, and all diagnostics.
pub(crate) fn of_diagnostics(py: Python<'_>, all: &Diagnostics) -> PyErr {
    let rendered = all.to_string();
    let first = all.first_error();
    let (code, message) = (all.code(), first.map_or(rendered.as_str(), |one| &one.message));
    let location = first.and_then(|one| all.location(one));
    let location = location.map(|(file, line, column)| format!("{file}:{line}:{column}"));
    match diagnostics::tuple(py, all) {
        Ok(list) => {
            class::CompileError::new_err((code, message.to_owned(), location, rendered, list.unbind()))
        }
        Err(error) => error,
    }
}

/// `hookc.FileError`, whose cause is the `OSError`, or `hookc.CompileError`.
pub(crate) fn of_policy(py: Python<'_>, error: PolicyError) -> PyErr {
    match error {
        PolicyError::Policy(all) => of_diagnostics(py, &all),
        PolicyError::File { path, source } => of_file(py, &path, source),
        other => {
            class::FileError::new_err((other.code(), other.to_string(), None::<String>, with_causes(&other)))
        }
    }
}

/// `hookc.FileError`, whose cause is the `OSError`.
pub(crate) fn of_file(py: Python<'_>, path: &std::path::Path, source: std::io::Error) -> PyErr {
    let (path, message) = (path.display().to_string(), format!("cannot read {}", path.display()));
    let rendered = format!("{message}: {source}");
    let error = class::FileError::new_err(("file", message, Some(path), rendered));
    error.set_cause(py, Some(source.into()));
    error
}

/// `hookc.LoadError`.
pub(crate) fn of_load(error: &LoadError) -> PyErr {
    class::LoadError::new_err((error.code(), error.to_string(), None::<String>, error.to_string()))
}

/// `hookc.EventError`.
pub(crate) fn of_decide(error: &DecideError) -> PyErr {
    let offset = if let DecideError::Event(event) = error { event.offset() } else { None };
    let (location, message) = (offset.map(|at| format!("byte {at}")), error.to_string());
    class::EventError::new_err((error.code(), message.clone(), location, message, offset))
}

/// `hookc.EventError` about a value that JSON does not have.
pub(crate) fn of_value(code: &'static str, message: String) -> PyErr {
    class::EventError::new_err((code, message.clone(), None::<String>, message, None::<usize>))
}

/// `hookc.ActionError`: the action of hook `id`.
pub(crate) fn of_action(id: &str, error: &hookc::ActionError) -> PyErr {
    let message = with_causes(error);
    let rendered = format!("hook {id}: {message}");
    class::ActionError::new_err((error.code(), message, Some(id.to_owned()), rendered))
}

/// `hookc.ReplayError`.
pub(crate) fn of_replay(code: &'static str, message: String) -> PyErr {
    class::ReplayError::new_err((code, message.clone(), None::<String>, message))
}

/// `hookc.SnapshotError`.
pub(crate) fn of_snapshot(error: &hookc::SnapshotError) -> PyErr {
    let message = error.to_string();
    class::SnapshotError::new_err(("snapshot", message.clone(), None::<String>, message))
}

/// `hookc.ThreadError`.
pub(crate) fn of_thread(code: &'static str, message: String) -> PyErr {
    class::ThreadError::new_err((code, message.clone(), None::<String>, message))
}

/// `TypeError`.
pub(crate) fn wrong_type(expected: &str, found: &Bound<'_, PyAny>) -> PyErr {
    PyTypeError::new_err(format!("expected {expected}, found {}", type_name(found)))
}

/// The name of a value's type.
pub(crate) fn type_name(value: &Bound<'_, PyAny>) -> String {
    value.get_type().name().map_or_else(|_| "an object".to_owned(), |name| name.to_string())
}

/// `ValueError` about a name that is not in `known`.
pub(crate) fn unknown_name(what: &str, found: &str, known: &[&str]) -> PyErr {
    PyValueError::new_err(format!("{what} {found:?} is unknown: expected one of {}", known.join(", ")))
}
