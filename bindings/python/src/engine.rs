//! An engine: a policy that many threads decide by, and that can be replaced.

use std::cell::RefCell;
use std::collections::{HashMap, HashSet};
use std::ffi::CString;
use std::sync::{Mutex, PoisonError};

use hookc::runtime;
use hookc::{DecideError, DecideOptions, Family, Module, OnFailure, Scratch, Strategy};
use pyo3::buffer::PyBuffer;
use pyo3::exceptions::{PyTypeError, PyUserWarning, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyMapping;
use pyo3::{PyTraverseError, PyVisit};

use crate::decision::Decision;
use crate::error;
use crate::event::EventBytes;
use crate::host::PythonHost;
use crate::outcome::Outcome;
use crate::policy::Policy;
use crate::session::Session;

thread_local! {
    /// Buffers of this thread's decisions, kept until it ends.
    static SCRATCH: RefCell<Scratch> = RefCell::default();
}

/// Runs a decision with the buffers of this thread.
pub(crate) fn with_scratch<R>(decide: impl FnOnce(&mut Scratch) -> R) -> R {
    SCRATCH.with(|scratch| decide(&mut scratch.borrow_mut()))
}

/// Actions that the runtime executes itself: a handler for one of them would never be called.
const OWN: [&str; 7] = ["allow", "deny", "ask", "modify", "inject", "run", "log"];

/// Decides about events, and executes actions with handlers in Python.
#[pyclass(frozen, subclass, module = "hookc._hookc")]
pub(crate) struct Engine {
    engine: runtime::Engine,
    /// Decides in sessions, by the policy of `engine`.
    sessions: hookc::Engine,
    policy: Mutex<Py<Policy>>,
    handlers: HashMap<String, Py<PyAny>>,
    /// Names of event types that nothing knows, and that were looked up.
    unknown: Mutex<HashSet<String>>,
}

/// The most of such names: an event can have any.
const UNKNOWN: usize = 1000;
/// A longer name is not a misspelt one, and may be as long as an event.
const NAME_BYTES: usize = 512;

#[pymethods]
impl Engine {
    #[new]
    #[pyo3(signature = (policy, handlers = None, *, failure_mode = None, max_parallel = None))]
    fn new(
        policy: &Bound<'_, Policy>,
        handlers: Option<&Bound<'_, PyMapping>>,
        failure_mode: Option<&str>,
        max_parallel: Option<usize>,
    ) -> PyResult<Self> {
        let mut engine = runtime::Engine::new(policy.get().inner.clone().into());
        if let Some(name) = failure_mode {
            let unknown = || error::unknown_name("failure_mode", name, &["open", "closed"]);
            engine = engine.default_failure_mode(Some(OnFailure::from_name(name).ok_or_else(unknown)?));
        }
        if let Some(most) = max_parallel {
            if most == 0 {
                return Err(PyValueError::new_err("max_parallel is 0: expected 1 or more"));
            }
            engine = engine.max_parallel(most);
        }
        let handlers = handlers.map(checked).transpose()?.unwrap_or_default();
        check_names(&handlers, &policy.get().inner)?;
        let sessions = hookc::Engine::new(policy.get().inner.clone());
        let (policy, unknown) = (Mutex::new(policy.clone().unbind()), Mutex::default());
        Ok(Self { engine, sessions, policy, handlers, unknown })
    }

    #[getter]
    pub(crate) fn policy(&self, py: Python<'_>) -> Py<Policy> {
        self.policy.lock().unwrap_or_else(PoisonError::into_inner).clone_ref(py)
    }

    #[getter]
    fn is_off(&self) -> bool {
        self.engine.is_off()
    }

    fn reload(&self, policy: &Bound<'_, Policy>) -> PyResult<()> {
        check_names(&self.handlers, &policy.get().inner)?;
        let new = policy.clone().unbind();
        let old = {
            let mut current = self.policy.lock().unwrap_or_else(PoisonError::into_inner);
            let swapped = self.engine.swap(policy.get().inner.clone().into());
            swapped.map_err(|error| PyValueError::new_err(error.to_string()))?;
            self.sessions.reload(policy.get().inner.clone());
            std::mem::replace(&mut *current, new)
        };
        // Dropping the last reference can run Python code: not under the lock.
        drop(old);
        Ok(())
    }

    #[pyo3(signature = (event, *, event_type = None, vocabulary = None, strategy = None, after = None))]
    pub(crate) fn decide(
        &self,
        py: Python<'_>,
        event: &Bound<'_, PyAny>,
        event_type: Option<&str>,
        vocabulary: Option<&str>,
        strategy: Option<&str>,
        after: Option<u32>,
    ) -> PyResult<Decision> {
        let options = options(event_type, vocabulary, strategy)?.after(after);
        let module = self.engine.module();
        let event = EventBytes::from_value(event, module.limits().event_bytes)?;
        let bytes = event.as_bytes()?;
        let decide = || -> Result<hookc::Decision, DecideError> {
            let decided = with_scratch(|scratch| {
                module.decide(scratch, bytes, &options).map(|decision| hookc::Decision::from(&decision))
            })?;
            Ok(if self.engine.is_off() { decided.without_hooks() } else { decided })
        };
        let decided = py.detach(decide).map_err(|error| error::of_decide(&error))?;
        if decided.family().is_none() {
            self.warn_of_name(py, &module, decided.event_type())?;
        }
        Ok(Decision::from(decided))
    }

    #[pyo3(signature = (event, *, event_type = None, vocabulary = None, strategy = None))]
    fn handle(
        &self,
        py: Python<'_>,
        event: &Bound<'_, PyAny>,
        event_type: Option<&str>,
        vocabulary: Option<&str>,
        strategy: Option<&str>,
    ) -> PyResult<Outcome> {
        self.handle_with(py, event, event_type, vocabulary, strategy, None)
    }

    /// As `handle`; `resolve` waits for what an `async` handler returned.
    #[pyo3(name = "_handle_with", signature = (event, event_type, vocabulary, strategy, resolve))]
    fn handle_with(
        &self,
        py: Python<'_>,
        event: &Bound<'_, PyAny>,
        event_type: Option<&str>,
        vocabulary: Option<&str>,
        strategy: Option<&str>,
        resolve: Option<Py<PyAny>>,
    ) -> PyResult<Outcome> {
        let options = options(event_type, vocabulary, strategy)?;
        let limit = self.engine.module().limits().event_bytes;
        let event = runtime::Event::new(EventBytes::from_value(event, limit)?.as_bytes()?);
        let host = self.host(py, resolve)?;
        let handled = py.detach(|| self.engine.handle(&event, &options, &host));
        if let Some(raised) = host.raised() {
            return Err(raised);
        }
        let handled = handled.map_err(|error| error::of_decide(&error))?;
        if handled.family.is_none() {
            self.warn_of_name(py, &self.engine.module(), &handled.event)?;
        }
        Outcome::from_runtime(py, handled)
    }

    fn session(slf: Bound<'_, Self>, id: &str) -> Session {
        let session = slf.get().sessions.session(id);
        Session::new(slf.unbind(), session)
    }

    fn restore(slf: Bound<'_, Self>, id: &str, snapshot: &Bound<'_, PyAny>) -> PyResult<Session> {
        let bytes = PyBuffer::<u8>::get(snapshot)?.to_vec(slf.py())?;
        let restored = slf.get().sessions.restore(id, &bytes);
        let session = restored.map_err(|error| error::of_snapshot(&error))?;
        Ok(Session::new(slf.unbind(), session))
    }

    fn __repr__(&self, py: Python<'_>) -> String {
        let mut kinds: Vec<&str> = self.handlers.keys().map(String::as_str).collect();
        kinds.sort_unstable();
        let policy = self.policy(py);
        format!("<hookc.Engine {:?}, handlers: {}>", policy.get().inner, kinds.join(", "))
    }

    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        self.handlers.values().try_for_each(|handler| visit.call(handler))
    }
}

impl Engine {
    /// The engine of the runtime.
    pub(crate) fn runtime(&self) -> &runtime::Engine {
        &self.engine
    }

    /// The engine of the sessions.
    pub(crate) fn sessions(&self) -> &hookc::Engine {
        &self.sessions
    }

    pub(crate) fn host(&self, py: Python<'_>, resolve: Option<Py<PyAny>>) -> PyResult<PythonHost<'_>> {
        PythonHost::new(py, &self.handlers, resolve)
    }

    /// Warns once of the name of an event type that is probably misspelt: no hook of the module ever matches.
    pub(crate) fn warn_of_name(&self, py: Python<'_>, module: &Module, name: &str) -> PyResult<()> {
        {
            let mut unknown = self.unknown.lock().unwrap_or_else(PoisonError::into_inner);
            if name.len() > NAME_BYTES || unknown.len() >= UNKNOWN || !unknown.insert(name.to_owned()) {
                return Ok(());
            }
        }
        let near = module.misspelt_event_type(name);
        let text = near.map(|near| {
            format!("no hook and no vocabulary knows the event type {name:?}: did you mean {near:?}?")
        });
        match text.and_then(|text| CString::new(text).ok()) {
            Some(text) => PyErr::warn(py, &py.get_type::<PyUserWarning>(), &text, 1),
            None => Ok(()),
        }
    }
}

/// Handlers by the kind of their action.
fn checked(handlers: &Bound<'_, PyMapping>) -> PyResult<HashMap<String, Py<PyAny>>> {
    let mut all = HashMap::new();
    for item in handlers.items()? {
        let (kind, handler): (String, Bound<'_, PyAny>) = item.extract()?;
        if OWN.contains(&kind.as_str()) {
            return Err(PyValueError::new_err(format!(
                "the runtime executes {kind:?} itself and would never call its handler"
            )));
        }
        if !handler.is_callable() {
            let name = error::type_name(&handler);
            return Err(PyTypeError::new_err(format!(
                "the handler of {kind:?} is of type {name}: expected a callable"
            )));
        }
        all.insert(kind, handler.unbind());
    }
    Ok(all)
}

/// A misspelt handler would never be called, and its hooks would deny.
fn check_names(handlers: &HashMap<String, Py<PyAny>>, policy: &hookc::Policy) -> PyResult<()> {
    let mut names: Vec<&str> = handlers.keys().map(String::as_str).collect();
    names.sort_unstable();
    match policy.module().misspelt_kind(&names) {
        Some((name, kind)) => Err(PyValueError::new_err(format!(
            "there is no action of type {name:?}: did you mean a handler for {kind:?}?"
        ))),
        None => Ok(()),
    }
}

/// Options of a decision, by their names.
pub(crate) fn options<'a>(
    event_type: Option<&'a str>,
    vocabulary: Option<&str>,
    strategy: Option<&str>,
) -> PyResult<DecideOptions<'a>> {
    let family = vocabulary.map(|name| {
        let known: Vec<&str> = Family::ALL.iter().map(|family| family.name()).collect();
        Family::from_name(name).ok_or_else(|| error::unknown_name("the vocabulary", name, &known))
    });
    let strategy = strategy.map(|name| {
        Strategy::from_name(name).ok_or_else(|| error::unknown_name("the strategy", name, &["first", "all"]))
    });
    Ok(DecideOptions::default().event(event_type).family(family.transpose()?).strategy(strategy.transpose()?))
}
