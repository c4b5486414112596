//! Decisions, with what matched.

use std::sync::Arc;

use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyTuple;

use crate::{error, json};

/// Which hooks matched an event. No hooks: no opinion, which is not permission.
#[pyclass(frozen, module = "hookc")]
pub(crate) struct Decision {
    inner: Arc<hookc::Decision>,
    hooks: PyOnceLock<Py<PyTuple>>,
    reported: PyOnceLock<Py<PyTuple>>,
    unknown: PyOnceLock<Py<PyTuple>>,
}

impl From<hookc::Decision> for Decision {
    fn from(inner: hookc::Decision) -> Self {
        let [hooks, reported, unknown] = [const { PyOnceLock::new() }; 3];
        Self { inner: Arc::new(inner), hooks, reported, unknown }
    }
}

/// The hooks of one list as a tuple.
fn tuple(py: Python<'_>, of: &Arc<hookc::Decision>, list: List) -> PyResult<Py<PyTuple>> {
    let hook = |index| Py::new(py, Hook { of: Arc::clone(of), list, index });
    let all = (0..list.count(of)).map(hook).collect::<PyResult<Vec<_>>>()?;
    Ok(PyTuple::new(py, all)?.unbind())
}

#[pymethods]
impl Decision {
    #[getter]
    fn event_type(&self) -> &str {
        self.inner.event_type()
    }

    #[getter]
    fn vocabulary(&self) -> Option<&'static str> {
        self.inner.family().map(hookc::Family::name)
    }

    #[getter]
    fn strategy(&self) -> &'static str {
        self.inner.strategy().name()
    }

    #[getter]
    fn hooks<'py>(&self, py: Python<'py>) -> PyResult<&Bound<'py, PyTuple>> {
        let made = self.hooks.get_or_try_init(py, || tuple(py, &self.inner, List::Hooks))?;
        Ok(made.bind(py))
    }

    #[getter]
    fn reported<'py>(&self, py: Python<'py>) -> PyResult<&Bound<'py, PyTuple>> {
        let made = self.reported.get_or_try_init(py, || tuple(py, &self.inner, List::Reported))?;
        Ok(made.bind(py))
    }

    #[getter]
    fn unknown<'py>(&self, py: Python<'py>) -> PyResult<&Bound<'py, PyTuple>> {
        let made = self.unknown.get_or_try_init(py, || tuple(py, &self.inner, List::Unknown))?;
        Ok(made.bind(py))
    }

    #[getter]
    fn step(&self) -> Option<u64> {
        self.inner.step()
    }

    fn to_json(&self) -> String {
        self.inner.to_json()
    }

    fn __repr__(&self) -> String {
        let hooks: Vec<String> =
            self.inner.hooks().iter().map(|hook| format!("{} ({})", hook.id(), hook.kind())).collect();
        let hooks = if hooks.is_empty() { "no opinion".to_owned() } else { hooks.join(", ") };
        format!("<hookc.Decision {}: {hooks}>", self.inner.event_type())
    }
}

#[derive(Clone, Copy)]
enum List {
    Hooks,
    Reported,
    Unknown,
}

impl List {
    fn count(self, decision: &hookc::Decision) -> usize {
        match self {
            Self::Hooks => decision.hooks().len(),
            Self::Reported => decision.reported().len(),
            Self::Unknown => decision.unknown().len(),
        }
    }

    fn get(self, decision: &hookc::Decision, index: usize) -> Option<&hookc::MatchedHook> {
        match self {
            Self::Hooks => decision.hooks().get(index),
            Self::Reported => decision.reported().get(index),
            Self::Unknown => decision.unknown().nth(index).map(|(hook, _)| hook),
        }
    }
}

/// A hook that matched, with its action filled in from the event.
#[pyclass(frozen, module = "hookc")]
pub(crate) struct Hook {
    of: Arc<hookc::Decision>,
    list: List,
    index: usize,
}

impl Hook {
    fn hook(&self) -> PyResult<&hookc::MatchedHook> {
        let missing = || pyo3::exceptions::PyRuntimeError::new_err("the decision has no such hook");
        self.list.get(&self.of, self.index).ok_or_else(missing)
    }
}

#[pymethods]
impl Hook {
    #[getter]
    fn id(&self) -> PyResult<&str> {
        self.hook().map(hookc::MatchedHook::id)
    }

    #[getter]
    fn rank(&self) -> PyResult<u32> {
        self.hook().map(hookc::MatchedHook::rank)
    }

    #[getter]
    fn mode(&self) -> PyResult<&'static str> {
        Ok(self.hook()?.mode().name())
    }

    #[getter]
    fn layer(&self) -> PyResult<Option<&'static str>> {
        Ok(self.hook()?.layer().map(hookc::Layer::name))
    }

    #[getter]
    fn location(&self) -> PyResult<Option<Location>> {
        let own =
            |one: &hookc::Location| Location { file: one.file.clone(), line: one.line, column: one.column };
        Ok(self.hook()?.location().map(own))
    }

    #[getter]
    fn on_error(&self) -> PyResult<Option<&'static str>> {
        Ok(self.hook()?.on_error().map(hookc::OnError::name))
    }

    #[getter]
    fn on_failure(&self) -> PyResult<Option<&'static str>> {
        Ok(self.hook()?.on_failure().map(hookc::OnFailure::name))
    }

    #[getter]
    fn kind(&self) -> PyResult<&str> {
        self.hook().map(hookc::MatchedHook::kind)
    }

    #[getter]
    fn action<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        json::to_python(py, self.action_json()?)
    }

    #[getter]
    fn action_json(&self) -> PyResult<&str> {
        let hook = self.hook()?;
        hook.to_json().map_err(|error| error::of_action(hook.id(), &error))
    }

    #[getter]
    fn cause(&self) -> Option<&str> {
        let is_unknown = matches!(self.list, List::Unknown);
        self.of.unknown().nth(self.index).filter(|_| is_unknown).map(|(_, cause)| cause)
    }

    fn __repr__(&self) -> PyResult<String> {
        let hook = self.hook()?;
        Ok(format!("<hookc.Hook {} ({})>", hook.id(), hook.kind()))
    }
}

/// Where a hook is written.
#[pyclass(frozen, eq, hash, get_all, module = "hookc")]
#[derive(Clone, PartialEq, Eq, Hash)]
pub(crate) struct Location {
    pub(crate) file: String,
    pub(crate) line: u32,
    pub(crate) column: u32,
}

impl Location {
    /// `file:line:column`.
    pub(crate) fn text(&self) -> String {
        let Self { file, line, column } = self;
        format!("{file}:{line}:{column}")
    }

    /// Of `file:line:column`.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let (rest, column) = text.rsplit_once(':')?;
        let (file, line) = rest.rsplit_once(':')?;
        Some(Self { file: file.to_owned(), line: line.parse().ok()?, column: column.parse().ok()? })
    }
}

#[pymethods]
impl Location {
    fn __str__(&self) -> String {
        self.text()
    }

    fn __repr__(&self) -> String {
        format!("<hookc.Location {}>", self.text())
    }
}
