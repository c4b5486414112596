//! Verdicts: what a handler can return, and what all hooks of an event say together.

use hookc::runtime::verdict::{self, Change, Permission};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use serde_json::Value;

use crate::{error, json};

/// Bytes of an input or output: an event's own limit.
const VALUE_BYTES: usize = 16 << 20;

/// A verdict about an event.
#[pyclass(frozen, eq, module = "hookc")]
#[derive(PartialEq)]
pub(crate) struct Verdict {
    pub(crate) inner: verdict::Verdict,
}

const PERMISSIONS: [(&str, Permission); 4] = [
    ("allow", Permission::Allow),
    ("ask", Permission::Ask),
    ("defer", Permission::Defer),
    ("deny", Permission::Deny),
];

fn permission(name: &str) -> PyResult<Permission> {
    let found = PERMISSIONS.iter().find(|(known, _)| *known == name).map(|(_, permission)| *permission);
    found.ok_or_else(|| error::unknown_name("the permission", name, &PERMISSIONS.map(|(known, _)| known)))
}

fn value(value: &Bound<'_, PyAny>, name: &'static str) -> PyResult<Value> {
    let text = json::of_any(value, VALUE_BYTES, name)?;
    serde_json::from_slice(&text).map_err(|error| error::of_value("syntax", error.to_string()))
}

#[pymethods]
impl Verdict {
    #[new]
    #[pyo3(signature = (
        permission = None, *, reason = None, context = None, message = None, stop = None, prompt = None,
        input = None, output = None
    ))]
    #[allow(clippy::too_many_arguments, reason = "the keywords of the Python class")]
    fn new(
        permission: Option<&str>,
        reason: Option<String>,
        context: Option<String>,
        message: Option<String>,
        stop: Option<String>,
        prompt: Option<String>,
        input: Option<&Bound<'_, PyDict>>,
        output: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        let mut inner = verdict::Verdict::default();
        inner.permission = permission.map(self::permission).transpose()?;
        inner.reasons.extend(reason);
        inner.contexts.extend(context);
        inner.messages.extend(message);
        (inner.stop, inner.prompt) = (stop, prompt);
        if let Some(Value::Object(fields)) = input.map(|input| value(input, "input")).transpose()? {
            inner.change = Some(Change::of_fields(fields));
        }
        inner.output = output.map(|output| value(output, "output")).transpose()?;
        Ok(Self { inner })
    }

    #[getter]
    fn permission(&self) -> Option<&'static str> {
        let own = self.inner.permission?;
        PERMISSIONS.iter().find(|(_, permission)| *permission == own).map(|(name, _)| *name)
    }

    #[getter]
    fn reason(&self) -> Option<String> {
        self.inner.reason()
    }

    #[getter]
    fn contexts<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, &self.inner.contexts)
    }

    #[getter]
    fn messages<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, &self.inner.messages)
    }

    #[getter]
    fn stop(&self) -> Option<&str> {
        self.inner.stop.as_deref()
    }

    #[getter]
    fn prompt(&self) -> Option<&str> {
        self.inner.prompt.as_deref()
    }

    /// The changed fields of the tool's input; with `input_is_whole`, the whole input.
    #[getter]
    fn input<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        let text = self.inner.change.as_ref().map(|change| Value::from(change.fields.clone()).to_string());
        text.map(|text| json::to_python(py, &text)).transpose()
    }

    #[getter]
    fn input_is_whole(&self) -> bool {
        self.inner.change.as_ref().is_some_and(|change| change.whole)
    }

    #[getter]
    fn output<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        self.inner.output.as_ref().map(|output| json::to_python(py, &output.to_string())).transpose()
    }

    fn __repr__(&self) -> String {
        let reason = self.reason().map(|reason| format!(", reason={reason:?}")).unwrap_or_default();
        format!("<hookc.Verdict {}{reason}>", self.permission().unwrap_or("no opinion"))
    }
}
