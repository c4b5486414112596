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
}

/// `hookc.CompileError`: the first error, and all diagnostics.
pub(crate) fn of_diagnostics(py: Python<'_>, all: &Diagnostics) -> PyErr {
    let rendered = all.to_string();
    let first = all.iter().find(|one| one.severity == hookc::Severity::Error);
    let (code, message) =
        first.map_or(("internal", rendered.as_str()), |one| (one.code.name(), one.message.as_str()));
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
        other => class::FileError::new_err(("file", other.to_string(), None::<String>, with_causes(&other))),
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
    let code = match error {
        LoadError::NotAModule | LoadError::TooShort(_) => "not_a_module",
        LoadError::Version(_) => "version",
        LoadError::Features(_) => "features",
        LoadError::TooLarge(_) => "too_large",
        _ => "damaged",
    };
    class::LoadError::new_err((code, error.to_string(), None::<String>, error.to_string()))
}

/// `hookc.EventError`.
pub(crate) fn of_decide(error: &DecideError) -> PyErr {
    let (code, offset) = decide_code(error);
    let message = error.to_string();
    class::EventError::new_err((
        code,
        message.clone(),
        offset.map(|at| format!("byte {at}")),
        message,
        offset,
    ))
}

/// The code of an error, and the byte of the event that it is about.
fn decide_code(error: &DecideError) -> (&'static str, Option<usize>) {
    use hookc::EventError as E;
    match error {
        DecideError::Event(event) => match event {
            E::TooLarge(_) => ("too_large", None),
            E::TooDeep(_) => ("too_deep", None),
            E::Utf8(at) => ("utf8", Some(*at)),
            E::Syntax(at, _) => ("syntax", Some(*at)),
            E::NotAnObject => ("not_an_object", None),
            E::Surrogate(at) => ("surrogate", Some(*at)),
            E::Exponent(at) => ("exponent", Some(*at)),
            E::Duplicate(_) => ("duplicate_key", None),
            E::NoType => ("no_type", None),
            E::AmbiguousType(_) => ("ambiguous_type", None),
            _ => ("event", None),
        },
        DecideError::Pattern { .. } => ("pattern", None),
        DecideError::Values(_) => ("values", None),
        DecideError::QuerySteps(_) => ("query_steps", None),
        DecideError::SchemaSteps(_) => ("schema_steps", None),
        DecideError::SchemaDepth(_) => ("schema_depth", None),
        _ => ("decision", None),
    }
}

/// `hookc.EventError` about a value that JSON does not have.
pub(crate) fn of_value(code: &'static str, message: String) -> PyErr {
    class::EventError::new_err((code, message.clone(), None::<String>, message, None::<usize>))
}

/// `hookc.ActionError`: the action of hook `id`.
pub(crate) fn of_action(id: &str, error: &hookc::ActionError) -> PyErr {
    let message = with_causes(error);
    let rendered = format!("hook {id}: {message}");
    class::ActionError::new_err(("action", message, Some(id.to_owned()), rendered))
}

/// `hookc.ReplayError`.
pub(crate) fn of_replay(code: &'static str, message: String) -> PyErr {
    class::ReplayError::new_err((code, message.clone(), None::<String>, message))
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
