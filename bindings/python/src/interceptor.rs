//! An interceptor of AGENT-HOOKS 0.1.

use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::engine::Engine;
use crate::event::EventBytes;
use crate::{error, json};

/// Decides at the interception points of AGENT-HOOKS 0.1.
#[pyclass(frozen, module = "hookc")]
pub(crate) struct Interceptor {
    engine: Py<Engine>,
    interceptor: hookc::Interceptor,
}

#[pymethods]
impl Interceptor {
    #[new]
    #[pyo3(signature = (engine, *, directory = None))]
    fn new(engine: Bound<'_, Engine>, directory: Option<String>) -> Self {
        let interceptor = hookc::Interceptor::new(engine.get().sessions().clone());
        let interceptor = match directory {
            Some(directory) => interceptor.directory(directory),
            None => interceptor,
        };
        Self { engine: engine.unbind(), interceptor }
    }

    #[getter]
    fn engine(&self, py: Python<'_>) -> Py<Engine> {
        self.engine.clone_ref(py)
    }

    fn intercept<'py>(&self, py: Python<'py>, context: &Bound<'py, PyDict>) -> PyResult<Bound<'py, PyAny>> {
        let engine = self.engine.bind(py).get();
        let limit = engine.runtime().module().limits().event_bytes;
        let context = EventBytes::from_value(context.as_any(), limit)?;
        let parsed = serde_json::from_slice(context.as_bytes()?);
        let context = parsed.map_err(|error| error::of_value("syntax", error.to_string()))?;
        if engine.runtime().is_off() {
            return json::to_python(py, r#"{"decision":"allow"}"#);
        }
        let verdict = py.detach(|| self.interceptor.intercept(&context));
        json::to_python(py, &verdict.map_err(|error| error::of_decide(&error))?.to_string())
    }

    fn __call__<'py>(&self, py: Python<'py>, context: &Bound<'py, PyDict>) -> PyResult<Bound<'py, PyAny>> {
        self.intercept(py, context)
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        Ok(format!("<hookc.Interceptor {}>", self.engine.bind(py).repr()?))
    }
}
