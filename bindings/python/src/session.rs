//! Sessions: what happened before decides conditions about earlier events.

use std::time::{SystemTime, UNIX_EPOCH};

use hookc::Verdict;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::decision::Decision;
use crate::engine::{Engine, options};
use crate::error;
use crate::event::EventBytes;

/// A session of an engine.
#[pyclass(frozen, module = "hookc")]
pub(crate) struct Session {
    engine: Py<Engine>,
    session: hookc::Session,
}

impl Session {
    pub(crate) fn new(engine: Py<Engine>, session: hookc::Session) -> Self {
        Self { engine, session }
    }
}

#[pymethods]
impl Session {
    #[getter]
    fn id(&self) -> &str {
        self.session.id()
    }

    #[pyo3(signature = (
        event, *, time = None, event_type = None, vocabulary = None, strategy = None, after = None
    ))]
    #[allow(clippy::too_many_arguments, reason = "they are the options of `Engine.decide`, and the time")]
    fn decide(
        &self,
        py: Python<'_>,
        event: &Bound<'_, PyAny>,
        time: Option<u64>,
        event_type: Option<&str>,
        vocabulary: Option<&str>,
        strategy: Option<&str>,
        after: Option<u32>,
    ) -> PyResult<Decision> {
        let engine = self.engine.bind(py).get();
        if engine.runtime().is_off() {
            return engine.decide(py, event, event_type, vocabulary, strategy, after);
        }
        let options = options(event_type, vocabulary, strategy)?.after(after);
        let module = engine.runtime().module();
        let event = EventBytes::from_value(event, module.limits().event_bytes)?;
        let (bytes, time) = (event.as_bytes()?, time.unwrap_or_else(now));
        let decided = py.detach(|| self.session.decide_at(bytes, time, &options));
        let decided = decided.map_err(|error| error::of_decide(&error))?;
        if decided.family().is_none() {
            engine.warn_of_name(py, &module, decided.event_type())?;
        }
        Ok(Decision::from(decided))
    }

    fn settle(&self, py: Python<'_>, step: u64, verdict: &str) -> PyResult<bool> {
        let found = Verdict::CHOICES.iter().find(|(name, _)| *name == verdict);
        let Some((_, verdict)) = found.copied() else {
            let names: Vec<&str> = Verdict::CHOICES.iter().map(|(name, _)| *name).collect();
            return Err(error::unknown_name("the verdict", verdict, &names));
        };
        Ok(py.detach(|| self.session.settle(step, verdict)))
    }

    fn snapshot<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &py.detach(|| self.session.snapshot()))
    }

    fn __repr__(&self) -> String {
        format!("<hookc.Session {:?}>", self.session.id())
    }
}

/// Milliseconds since 1970.
fn now() -> u64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(now.as_millis()).unwrap_or(u64::MAX)
}
