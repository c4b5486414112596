//! What executing the actions of an event gave.

use std::error::Error;

use hookc::runtime::outcome::{self, Hook};
use hookc::runtime::{EventOutcome, Outcome as ActionOutcome};
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
    pub(crate) fn of(hook: &Hook) -> Self {
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
    pub(crate) fn of(py: Python<'_>, effect: &outcome::Effect) -> PyResult<Py<Self>> {
        let value = match &effect.outcome {
            ActionOutcome::Value(value) => Some(json::to_python(py, &value.to_string())?.unbind()),
            _ => None,
        };
        let failure = match &effect.outcome {
            ActionOutcome::Failed(failure) => Some(failure),
            _ => None,
        };
        let raised = failure.and_then(|failure| failure.source()).and_then(|source| source.downcast_ref());
        let own = Self {
            hook: Py::new(py, HookInfo::of(&effect.hook))?,
            outcome: effect.outcome.as_str(),
            value,
            verdict: Py::new(py, Verdict { inner: effect.verdict() })?,
            error: match &effect.outcome {
                ActionOutcome::Skipped(why) => Some(why.clone()),
                _ => failure.map(|failure| failure.why.clone()),
            },
            failure_mode: failure.map(|failure| failure.failure_mode.name()),
            exception: raised.map(|raised: &PyErr| raised.clone_ref(py).into_value(py).into_any()),
            status: effect.status.clone(),
            remarks: PyTuple::new(py, &effect.remarks)?.unbind(),
            tries: effect.tries,
            seconds: effect.took.as_secs_f64(),
        };
        Py::new(py, own)
    }
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
    pub(crate) fn of(py: Python<'_>, outcome: EventOutcome) -> PyResult<Self> {
        let (verdict, conflicts) = outcome.verdict();
        let effects =
            outcome.effects.iter().map(|effect| Effect::of(py, effect)).collect::<PyResult<Vec<_>>>()?;
        let reported = outcome.reported.iter().map(|one| Py::new(py, HookInfo::of(&one.hook)));
        let reported = reported.collect::<PyResult<Vec<_>>>()?;
        let warnings: Vec<String> = outcome.reported.iter().filter_map(|one| one.warning()).collect();
        Ok(Self {
            event_type: outcome.event,
            vocabulary: outcome.family.map(hookc::Family::name),
            effects: PyTuple::new(py, effects)?.unbind(),
            verdict: Py::new(py, Verdict { inner: verdict })?,
            conflicts: PyTuple::new(py, conflicts)?.unbind(),
            reported: PyTuple::new(py, reported)?.unbind(),
            warnings: PyTuple::new(py, warnings)?.unbind(),
        })
    }
}

#[pymethods]
impl Outcome {
    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        Ok(format!("<hookc.Outcome {}: {}>", self.event_type, self.effects.bind(py).repr()?))
    }
}
