//! Handlers in Python: the host of the runtime.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, ThreadId};

use hookc::runtime::action::{Action, LogLevel};
use hookc::runtime::host::EventContext;
use hookc::runtime::{ActionFailure, Host, Outcome};
use pyo3::exceptions::{PyException, PyTypeError};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyBytes, PyTuple};
use serde_json::{Map, Value};

use crate::call::call;
use crate::outcome::HookInfo;
use crate::verdict::Verdict;
use crate::{error, json};

/// Bytes of a handler's result: an event's own limit.
const RESULT_BYTES: usize = 16 << 20;

/// The event that a handler executes an action for.
#[pyclass(frozen, module = "hookc")]
pub(crate) struct Context {
    event: Arc<[u8]>,
    #[pyo3(get)]
    event_type: String,
    #[pyo3(get)]
    vocabulary: Option<&'static str>,
    #[pyo3(get)]
    hook: Py<HookInfo>,
}

#[pymethods]
impl Context {
    #[getter]
    fn event<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        json::to_python(py, &String::from_utf8_lossy(&self.event))
    }

    #[getter]
    fn event_bytes<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &self.event)
    }

    fn __repr__(&self) -> String {
        format!("<hookc.Context {} for hook {}>", self.event_type, self.hook.get().id)
    }
}

/// Calls handlers by the kind of the action.
pub(crate) struct PythonHost<'a> {
    handlers: &'a HashMap<String, Py<PyAny>>,
    resolve: Option<Py<PyAny>>,
    /// The thread of the call that executes the actions, with its context variables: the runtime has other threads too.
    caller: (ThreadId, Py<PyAny>),
    /// An exception that must end the call, such as `KeyboardInterrupt`.
    raised: Mutex<Option<PyErr>>,
}

impl<'a> PythonHost<'a> {
    pub(crate) fn new(
        py: Python<'_>,
        handlers: &'a HashMap<String, Py<PyAny>>,
        resolve: Option<Py<PyAny>>,
    ) -> PyResult<Self> {
        static COPY: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
        let context = COPY.import(py, "contextvars", "copy_context")?.call0()?.unbind();
        Ok(Self { handlers, resolve, caller: (thread::current().id(), context), raised: Mutex::default() })
    }

    /// The exception that ends the call itself.
    pub(crate) fn raised(self) -> Option<PyErr> {
        self.raised.into_inner().unwrap_or_else(PoisonError::into_inner)
    }

    fn call(
        &self,
        py: Python<'_>,
        handler: &Py<PyAny>,
        action: &Action,
        context: &EventContext<'_>,
    ) -> PyResult<Outcome> {
        let hook = Py::new(py, HookInfo::from_hook(context.hook))?;
        let own = Context {
            event: context.event.bytes().into(),
            event_type: context.name.to_owned(),
            vocabulary: context.family.map(hookc::Family::name),
            hook,
        };
        let action = json::to_python(py, &action.to_value().to_string())?;
        let mut result = self.run(handler.bind(py), (action, own).into_pyobject(py)?)?;
        if result.hasattr("__await__")? {
            result = self.awaited(py, result)?;
        }
        if let Ok(verdict) = result.cast::<Verdict>() {
            return Ok(Outcome::from(verdict.get().inner.clone()));
        }
        let text = json::of_any(&result, RESULT_BYTES, "result")?;
        let value: Value = serde_json::from_slice(&text)
            .map_err(|error| error::of_value("syntax", format!("the handler's result: {error}")))?;
        Ok(Outcome::from(value))
    }

    /// Calls Python code with the context variables of the caller, in whatever thread.
    fn run<'py>(
        &self,
        callable: &Bound<'py, PyAny>,
        args: Bound<'py, PyTuple>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let (thread, context) = &self.caller;
        if *thread == thread::current().id() {
            return call(callable, args);
        }
        let py = callable.py();
        // Only one thread at a time can enter a context.
        let copy = context.bind(py).call_method0("copy")?;
        let mut all = vec![callable.clone()];
        all.extend(args);
        call(&copy.getattr("run")?, PyTuple::new(py, all)?)
    }

    fn awaited<'py>(&self, py: Python<'py>, result: Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        if let Some(resolve) = &self.resolve {
            return self.run(resolve.bind(py), (result,).into_pyobject(py)?);
        }
        // Otherwise Python warns that the coroutine was never awaited.
        if result.hasattr("close")? {
            result.call_method0("close")?;
        }
        Err(PyTypeError::new_err(
            "the handler is asynchronous: use `await engine.handle_async(event)`, or `on_async` of a thread",
        ))
    }

    /// A failure of the action, with the exception as its source.
    fn failure(&self, py: Python<'_>, raised: PyErr) -> ActionFailure {
        if !raised.is_instance_of::<PyException>(py) {
            let why = format!("the handler raised {raised}");
            self.raised.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(raised);
            return ActionFailure::failed(why);
        }
        ActionFailure::failed(raised.to_string()).with_source(raised)
    }
}

impl Host for PythonHost<'_> {
    fn perform(&self, action: &Action, context: &EventContext<'_>) -> Result<Outcome, ActionFailure> {
        let Some(handler) = self.handlers.get(action.kind()) else {
            return Err(ActionFailure::unsupported(action));
        };
        let called = Python::try_attach(|py| {
            self.call(py, handler, action, context).map_err(|raised| self.failure(py, raised))
        });
        called.unwrap_or_else(|| Err(ActionFailure::failed("the interpreter is shutting down")))
    }

    /// To the logger `hookc` of the module `logging`.
    fn log(&self, level: LogLevel, message: &str, fields: Option<&Map<String, Value>>) {
        let logged = Python::try_attach(|py| -> PyResult<()> {
            let level = match level {
                LogLevel::Debug => 10,
                LogLevel::Warn => 30,
                LogLevel::Error => 40,
                _ => 20,
            };
            let fields = fields.map(|fields| format!(" {}", Value::from(fields.clone()))).unwrap_or_default();
            let logger = py.import("logging")?.call_method1("getLogger", ("hookc",))?;
            call(&logger.getattr("log")?, (level, "%s%s", message, fields)).map(drop)
        });
        if let Some(Err(error)) = logged {
            let _none = Python::try_attach(|py| error.write_unraisable(py, None));
        }
    }
}
