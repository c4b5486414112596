//! Threads: the steps that hooks request, and the state between events.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use hookc::runtime;
use hookc::runtime::thread::{self, Returns, State, ThreadError};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use pyo3::{PyTraverseError, PyVisit};

use crate::engine::Engine;
use crate::error;
use crate::event::EventBytes;
use crate::outcome::{Effect, reported};

/// What a thread does next.
#[pyclass(frozen, eq, get_all, module = "hookc")]
#[derive(Clone, Default, PartialEq)]
pub(crate) struct Step {
    kind: &'static str,
    hook: Option<String>,
    message: Option<String>,
    after: Option<f64>,
    attempt: Option<u64>,
    reason: Option<String>,
    resume_hint: Option<String>,
    target: Option<String>,
    timeout_seconds: Option<u64>,
    summary: Option<String>,
    prune_before_turn: Option<i64>,
}

impl Step {
    fn from_runtime(step: thread::Step) -> Self {
        let of = |kind| Self { kind, ..Self::default() };
        match step {
            thread::Step::NoOpinion => of("no_opinion"),
            thread::Step::Continue => of("continue"),
            thread::Step::Retry { after, attempt } => {
                Self { after: Some(after.as_secs_f64()), attempt: Some(attempt), ..of("retry") }
            }
            thread::Step::Fail(message) => Self { message: Some(message), ..of("fail") },
            thread::Step::Abort => of("abort"),
            thread::Step::Suspend(own) => Self {
                hook: Some(own.hook),
                reason: Some(own.reason),
                resume_hint: own.resume_hint,
                ..of("suspend")
            },
            thread::Step::Escalate(own) => Self {
                hook: Some(own.hook),
                target: Some(own.target),
                message: own.message,
                timeout_seconds: Some(own.timeout_seconds),
                ..of("escalate")
            },
            thread::Step::Compact { summary, prune_before_turn } => {
                Self { summary: Some(summary), prune_before_turn, ..of("compact") }
            }
            // A step of a later version must not be taken for permission.
            other => Self { message: Some(format!("the step is unknown: {other:?}")), ..of("fail") },
        }
    }
}

#[pymethods]
impl Step {
    fn __repr__(&self) -> String {
        let texts = [&self.message, &self.reason, &self.target, &self.summary];
        let text = texts.into_iter().flatten().next().map(|text| format!(": {text}"));
        let wait = self.after.map(|after| format!(" after {after} s"));
        format!("<hookc.Step {}{}{}>", self.kind, wait.unwrap_or_default(), text.unwrap_or_default())
    }
}

/// The outcome of an event of a thread.
#[pyclass(frozen, get_all, module = "hookc")]
pub(crate) struct Reply {
    event_type: String,
    step: Py<Step>,
    effects: Py<PyTuple>,
    by: Option<Py<PyAny>>,
    reported: Py<PyTuple>,
    warnings: Py<PyTuple>,
}

impl Reply {
    fn from_runtime(py: Python<'_>, reply: thread::Reply) -> PyResult<Self> {
        let effects = Effect::all(py, &reply.effects)?;
        let by = reply.decided.map(|at| effects.get_item(at)).transpose()?;
        let (reported, warnings) = reported(py, &reply.reported)?;
        Ok(Self {
            event_type: reply.event,
            step: Py::new(py, Step::from_runtime(reply.step))?,
            effects: effects.unbind(),
            by: by.map(Bound::unbind),
            reported,
            warnings,
        })
    }
}

#[pymethods]
impl Reply {
    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        Ok(format!("<hookc.Reply {}: {}>", self.event_type, self.step.bind(py).repr()?))
    }
}

/// A thread under the policy of an engine.
#[pyclass(frozen, subclass, module = "hookc._hookc")]
pub(crate) struct Thread {
    engine: Py<Engine>,
    /// `None` while an event is handled.
    state: Mutex<Option<State>>,
}

#[pymethods]
impl Thread {
    #[new]
    #[pyo3(signature = (engine, *, state = None))]
    fn new(engine: Py<Engine>, state: Option<&str>) -> PyResult<Self> {
        let state = state.map(restored).transpose()?.unwrap_or_default();
        Ok(Self { engine, state: Mutex::new(Some(state)) })
    }

    #[getter]
    fn engine(&self, py: Python<'_>) -> Py<Engine> {
        self.engine.clone_ref(py)
    }

    #[getter]
    fn state(&self) -> PyResult<String> {
        self.look(|state| state.to_json().to_string())
    }

    #[getter]
    fn retries<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let all = PyDict::new(py);
        for (hook, made) in self.look(|state| state.retries.clone())? {
            all.set_item(hook, made)?;
        }
        Ok(all)
    }

    /// The step that the thread waits at.
    #[getter]
    fn waits(&self) -> PyResult<Option<Step>> {
        self.look(|state| {
            let suspended = state.suspended.clone().map(thread::Step::Suspend);
            suspended.or_else(|| state.escalation.clone().map(thread::Step::Escalate)).map(Step::from_runtime)
        })
    }

    fn on(&self, py: Python<'_>, event: &Bound<'_, PyAny>) -> PyResult<Reply> {
        self.on_with(py, event, None)
    }

    /// As `on`; `resolve` waits for what an `async` handler returned.
    #[pyo3(name = "_on_with", signature = (event, resolve))]
    fn on_with(
        &self,
        py: Python<'_>,
        event: &Bound<'_, PyAny>,
        resolve: Option<Py<PyAny>>,
    ) -> PyResult<Reply> {
        let engine = self.engine.bind(py).get();
        let returns = engine.policy(py).get().inner.returns();
        let returns = returns.map_err(|error| PyValueError::new_err(hookc::with_causes(&error)))?;
        let limit = engine.runtime().module().limits().event_bytes;
        let event = runtime::Event::new(EventBytes::from_value(event, limit)?.as_bytes()?);
        let host = engine.host(py, resolve)?;
        let handled = self.taking(|state| {
            let (state, handled) = py.detach(|| {
                let mut thread = thread::Thread::restore(engine.runtime(), &returns, state);
                let handled = thread.on(&event, &host);
                (thread.state().clone(), handled)
            });
            match host.raised() {
                Some(raised) => Err(raised),
                None => Ok((state, handled)),
            }
        })?;
        let reply = handled.map_err(|error| match error {
            ThreadError::Decide(error) => error::of_decide(&error),
            other => error::of_thread("waiting", other.to_string()),
        })?;
        if reply.family.is_none() {
            engine.warn_of_name(py, &engine.runtime().module(), &reply.event)?;
        }
        Reply::from_runtime(py, reply)
    }

    fn succeeded(&self, py: Python<'_>) -> PyResult<()> {
        self.change(py, |thread| thread.succeeded())
    }

    fn resume(&self, py: Python<'_>) -> PyResult<bool> {
        self.change(py, |thread| thread.resume())
    }

    fn answered(&self, py: Python<'_>, approved: bool) -> PyResult<Step> {
        self.change(py, |thread| Step::from_runtime(thread.answered(approved)))
    }

    fn expire_escalation(&self, py: Python<'_>, waited: f64) -> PyResult<Option<Step>> {
        let waited = Duration::try_from_secs_f64(waited)
            .map_err(|_| PyValueError::new_err(format!("waited is {waited}: expected seconds from 0")))?;
        self.change(py, |thread| thread.expire_escalation(waited).map(Step::from_runtime))
    }

    fn __repr__(&self) -> String {
        let state = self.state().unwrap_or_else(|_| "handles an event".to_owned());
        format!("<hookc.Thread {state}>")
    }

    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        visit.call(&self.engine)
    }
}

impl Thread {
    fn lock(&self) -> MutexGuard<'_, Option<State>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn look<R>(&self, read: impl FnOnce(&State) -> R) -> PyResult<R> {
        self.lock().as_ref().map(read).ok_or_else(busy)
    }

    /// Takes the state for a call, and puts back the one that it gives; after a failure the old one.
    fn taking<R>(&self, call: impl FnOnce(State) -> PyResult<(State, R)>) -> PyResult<R> {
        let old = self.lock().take().ok_or_else(busy)?;
        let mut restore = Restore { thread: self, state: Some(old.clone()) };
        let (state, result) = call(old)?;
        restore.state = Some(state);
        Ok(result)
    }

    fn change<R>(&self, py: Python<'_>, change: impl FnOnce(&mut thread::Thread<'_>) -> R) -> PyResult<R> {
        let returns = Returns::builtin().map_err(|error| PyValueError::new_err(error.to_string()))?;
        let engine = self.engine.bind(py).get();
        self.taking(|state| {
            let mut thread = thread::Thread::restore(engine.runtime(), &returns, state);
            let result = change(&mut thread);
            Ok((thread.state().clone(), result))
        })
    }
}

/// Puts a state back, also if a call panics.
struct Restore<'a> {
    thread: &'a Thread,
    state: Option<State>,
}

impl Drop for Restore<'_> {
    fn drop(&mut self) {
        *self.thread.lock() = self.state.take();
    }
}

fn busy() -> PyErr {
    error::of_thread("busy", "the thread handles another event: a thread has one event at a time".to_owned())
}

fn restored(text: &str) -> PyResult<State> {
    let wrong =
        |why: String| error::of_thread("state", format!("the state of the thread is not valid: {why}"));
    let value = serde_json::from_str(text).map_err(|error| wrong(error.to_string()))?;
    State::from_json(&value).map_err(|error| wrong(error.to_string()))
}
