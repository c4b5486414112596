//! What executing the actions of an event gave.

use std::error::Error;

use hookc::runtime::outcome::{self, Hook, PendingAction};
use hookc::runtime::{ActionFailure, EventOutcome, Outcome as ActionOutcome};
use pyo3::prelude::*;
use pyo3::types::PyTuple;

use crate::decision::Location;
use crate::json;
use crate::verdict::Verdict;

/// A hook, as far as the runtime knows it.
#[pyclass(frozen, get_all, module = "hookc")]
pub(crate) struct HookInfo {
    pub(crate) id: String,
    rank: u32,
    mode: &'static str,
    kind: String,
    location: Option<Location>,
    on_error: Option<&'static str>,
    on_failure: Option<&'static str>,
}

impl HookInfo {
    pub(crate) fn from_hook(hook: &Hook) -> Self {
        Self {
            id: hook.label.clone(),
            rank: hook.rank,
            mode: hook.mode.name(),
            kind: hook.kind.clone(),
            location: hook.source.as_deref().and_then(Location::parse),
            on_error: hook.on_error.map(hookc::OnError::name),
            on_failure: hook.on_failure.map(hookc::OnFailure::name),
        }
    }
}

#[pymethods]
impl HookInfo {
    fn __repr__(&self) -> String {
        format!("<hookc.HookInfo {} ({})>", self.id, self.kind)
    }
}

/// A hook and what executing its action gave.
#[pyclass(frozen, get_all, module = "hookc")]
pub(crate) struct Effect {
    hook: Py<HookInfo>,
    outcome: &'static str,
    value: Option<Py<PyAny>>,
    verdict: Py<Verdict>,
    error: Option<String>,
    failure_mode: Option<&'static str>,
    exception: Option<Py<PyAny>>,
    status: Option<String>,
    remarks: Py<PyTuple>,
    tries: u32,
    seconds: f64,
}

impl Effect {
    pub(crate) fn from_runtime(py: Python<'_>, effect: &outcome::Effect) -> PyResult<Py<Self>> {
        let failure = failure(&effect.outcome);
        let own = Self {
            hook: Py::new(py, HookInfo::from_hook(&effect.hook))?,
            outcome: effect.outcome.as_str(),
            value: value(py, &effect.outcome)?,
            verdict: Py::new(py, Verdict { inner: effect.verdict() })?,
            error: error(&effect.outcome).map(str::to_owned),
            failure_mode: failure.map(|failure| failure.failure_mode.name()),
            exception: failure.and_then(|failure| exception(py, failure)),
            status: effect.status.clone(),
            remarks: PyTuple::new(py, &effect.remarks)?.unbind(),
            tries: effect.tries,
            seconds: effect.took.as_secs_f64(),
        };
        Py::new(py, own)
    }

    pub(crate) fn all<'py>(py: Python<'py>, effects: &[outcome::Effect]) -> PyResult<Bound<'py, PyTuple>> {
        let all = effects.iter().map(|effect| Self::from_runtime(py, effect));
        PyTuple::new(py, all.collect::<PyResult<Vec<_>>>()?)
    }
}

fn failure(outcome: &ActionOutcome) -> Option<&ActionFailure> {
    if let ActionOutcome::Failed(failure) = outcome { Some(failure) } else { None }
}

fn value(py: Python<'_>, outcome: &ActionOutcome) -> PyResult<Option<Py<PyAny>>> {
    let ActionOutcome::Value(value) = outcome else { return Ok(None) };
    Ok(Some(json::to_python(py, &value.to_string())?.unbind()))
}

/// Why it has no result.
fn error(outcome: &ActionOutcome) -> Option<&str> {
    match outcome {
        ActionOutcome::Skipped(why) => Some(why),
        other => failure(other).map(|failure| failure.why.as_str()),
    }
}

/// The exception of a handler.
fn exception(py: Python<'_>, failure: &ActionFailure) -> Option<Py<PyAny>> {
    let raised: &PyErr = failure.source()?.downcast_ref()?;
    Some(raised.clone_ref(py).into_value(py).into_any())
}

/// Warn and shadow hooks that matched: their infos, and their warnings.
pub(crate) fn reported(py: Python<'_>, all: &[PendingAction]) -> PyResult<(Py<PyTuple>, Py<PyTuple>)> {
    let infos = all.iter().map(|one| Py::new(py, HookInfo::from_hook(&one.hook)));
    let infos = PyTuple::new(py, infos.collect::<PyResult<Vec<_>>>()?)?;
    let warnings = PendingAction::warnings(all);
    Ok((infos.unbind(), PyTuple::new(py, warnings)?.unbind()))
}

#[pymethods]
impl Effect {
    fn __repr__(&self) -> String {
        let error = self.error.as_ref().map(|error| format!(": {error}")).unwrap_or_default();
        format!("<hookc.Effect {} {}{error}>", self.hook.get().id, self.outcome)
    }
}

/// The outcome of an event.
#[pyclass(frozen, get_all, module = "hookc")]
pub(crate) struct Outcome {
    event_type: String,
    vocabulary: Option<&'static str>,
    effects: Py<PyTuple>,
    verdict: Py<Verdict>,
    conflicts: Py<PyTuple>,
    reported: Py<PyTuple>,
    warnings: Py<PyTuple>,
}

impl Outcome {
    pub(crate) fn from_runtime(py: Python<'_>, outcome: EventOutcome) -> PyResult<Self> {
        let (verdict, conflicts) = outcome.verdict();
        let (reported, warnings) = reported(py, &outcome.reported)?;
        Ok(Self {
            vocabulary: outcome.family.map(hookc::Family::name),
            effects: Effect::all(py, &outcome.effects)?.unbind(),
            event_type: outcome.event,
            verdict: Py::new(py, Verdict { inner: verdict })?,
            conflicts: PyTuple::new(py, conflicts)?.unbind(),
            reported,
            warnings,
        })
    }
}

#[pymethods]
impl Outcome {
    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        Ok(format!("<hookc.Outcome {}: {}>", self.event_type, self.effects.bind(py).repr()?))
    }
}
