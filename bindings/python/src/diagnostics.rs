//! Diagnostics of the compiler.

use hookc::{Diagnostics, Severity};
use pyo3::prelude::*;
use pyo3::types::PyTuple;

use crate::decision::Location;

/// An error, a warning or a note of the compiler.
#[pyclass(frozen, get_all, module = "hookc")]
pub(crate) struct Diagnostic {
    code: String,
    severity: &'static str,
    message: String,
    location: Option<Py<Location>>,
    help: Option<String>,
}

#[pymethods]
impl Diagnostic {
    fn __repr__(&self) -> String {
        let Self { code, severity, message, location, .. } = self;
        let location = location.as_ref().map(|one| format!("{}: ", one.get().text())).unwrap_or_default();
        format!("<hookc.Diagnostic {location}{severity} [{code}]: {message}>")
    }
}

/// All of them, in source order.
pub(crate) fn tuple<'py>(py: Python<'py>, all: &Diagnostics) -> PyResult<Bound<'py, PyTuple>> {
    let each = |one: &hookc::Diagnostic| {
        let location = all
            .location(one)
            .map(|(file, line, column)| Py::new(py, Location { file: file.to_owned(), line, column }));
        let severity = match one.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
            _ => "note",
        };
        let location = location.transpose()?;
        let (code, message) = (one.code.name().to_owned(), one.message.clone());
        Py::new(py, Diagnostic { code, severity, message, location, help: one.help.clone() })
    };
    PyTuple::new(py, all.iter().map(each).collect::<PyResult<Vec<_>>>()?)
}
