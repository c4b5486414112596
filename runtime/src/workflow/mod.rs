//! A workflow's hooks: at each of the four timing points one hook after the
//! other, each seeing what the ones before it have injected.
//!
//! The context is an object, which conditions and arguments read. After each hook the next matching
//! one is searched with the changed context. One module decides the whole point, whatever is
//! reloaded meanwhile.

mod history;
mod outcome;

use std::fmt;

use hookc_base::action::Action;
use hookc_base::{Family, OnFailure, Strategy};
use hookc_vm::{DecideError, DecideOptions, Histories, Module, Scratch};
use serde_json::{Map, Value};

pub use outcome::PointOutcome;

use history::{PointDecision, PointHistory, chosen};

use crate::context::ActionContext;
use crate::engine::{Decided, Engine, run_action};
use crate::history::{Records, SharedHistory, views};
use crate::host::Host;
use crate::outcome::{Effect, Outcome, PendingAction};

/// The maximum depth of hooks that trigger hooks, for one agent.
pub const DEPTH: u32 = 5;

hookc_base::named_enums! {
    /// When hooks run.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    #[non_exhaustive]
    pub enum Point as_str {
        /// Before the model is asked.
        PreDecision "pre_decision";
        /// After the model has answered, before any action.
        PostDecision "post_decision";
        /// After the action.
        PostAction "post_action";
        /// After the action has failed.
        OnError "on_error";
    }
}

/// Why hooks could not run.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum WorkflowError {
    /// No decision was possible.
    Decide(DecideError),
    /// Hooks led to hooks deeper than this.
    Depth(u32),
}

impl fmt::Display for WorkflowError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Decide(_) => f.write_str("nothing can be decided about the context"),
            Self::Depth(limit) => write!(f, "hooks trigger hooks more than {limit} levels deep"),
        }
    }
}

impl std::error::Error for WorkflowError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Decide(error) => Some(error),
            Self::Depth(_) => None,
        }
    }
}

/// The hooks of one agent's workflow.
///
/// ```
/// use hookc_runtime::Engine;
/// use hookc_runtime::host::NoopHost;
/// use hookc_runtime::workflow::{Point, Workflow};
/// use hookc_vm::Module;
/// use serde_json::{Map, json};
///
/// # #[cfg(feature = "compiler")] {
/// # use hookc_compiler::{Input, Options, compile};
/// # let mut sources = hookc_schema::Sources::new();
/// # let source = sources.add("hooks.yaml", "hooks: [{event: pre_decision, action: {type: inject, value: 7, as: luck}}]");
/// # let input = Input::new(source);
/// # let bytes = compile(&mut sources, &[input], &Options::default()).module.unwrap();
/// let engine = Engine::new(Module::load(bytes).unwrap());
/// let outcome = Workflow::new(&engine).run(Point::PreDecision, Map::new(), 0, &NoopHost).unwrap();
/// assert_eq!(outcome.context["luck"], json!(7));
/// # }
/// ```
#[derive(Debug)]
pub struct Workflow<'e> {
    engine: &'e Engine,
    depth: u32,
    history: Option<SharedHistory>,
}

impl<'e> Workflow<'e> {
    /// With the usual limit of depth.
    #[must_use]
    pub fn new(engine: &'e Engine) -> Self {
        Self { engine, depth: DEPTH, history: None }
    }

    /// With another limit of depth.
    #[must_use]
    pub fn with_depth(mut self, depth: u32) -> Self {
        self.depth = depth;
        self
    }

    /// With the histories of sessions, for conditions about earlier events; without them, such conditions are unknown.
    /// The hooks of a point see one history, and the point is recorded after the last of them. It fails if other hooks
    /// would have run by what another program recorded meanwhile.
    #[must_use]
    pub fn with_history(mut self, history: SharedHistory) -> Self {
        self.history = Some(history);
        self
    }

    /// Runs the hooks of a point over a context. `depth` is 0 at the start of a workflow, and one
    /// more than its caller's for a point that a hook's artifact triggers. A failure ends the
    /// point, with the injected values so far, if the hook has `on_error: fail` or the failure
    /// fails closed; otherwise it is a warning.
    ///
    /// # Errors
    /// It is nested too deep, or no decision was possible.
    pub fn run(
        &self,
        point: Point,
        context: Map<String, Value>,
        depth: u32,
        host: &dyn Host,
    ) -> Result<PointOutcome, WorkflowError> {
        if depth >= self.depth {
            return Err(WorkflowError::Depth(self.depth));
        }
        let module = self.engine.module();
        let mut ran = PointOutcome::new(point, context, module.hash());
        if self.engine.is_off() {
            return Ok(ran);
        }
        let history = PointHistory::load(self.history.as_ref(), &module, || ran.event(), point);
        let (secret, histories) = (history.secret(), history.histories());
        let (views, mut decisions) = (views(&secret, &histories), Vec::new());
        let each = |decision| decisions.extend(history.is_recorded().then_some(decision));
        let records = self.steps((point, &module), &views, &mut ran, host, each);
        drop(histories);
        let records = match records {
            Ok(records) => records,
            Err(error) => return ran.undecided(error).map_err(WorkflowError::Decide),
        };
        let failure = history.record((&decisions, records), ran.failed.is_some(), (point, &module));
        ran.unrecorded(failure, self.engine.failure_mode());
        Ok(ran)
    }

    /// Runs the hooks one after the other. `each` receives the decisions. Returns the records of the last one.
    fn steps(
        &self,
        (point, module): (Point, &Module),
        histories: &Histories<'_>,
        ran: &mut PointOutcome,
        host: &dyn Host,
        mut each: impl FnMut(PointDecision),
    ) -> Result<Records, DecideError> {
        let (mut scratch, mut after) = (Scratch::new(), None);
        loop {
            let event = ran.event();
            let options = options(point).after(after).history(histories);
            let decision = module.decide(&mut scratch, event.bytes(), &options)?;
            let decided = Decided::new(&decision, module);
            let chosen = chosen(&decided);
            ran.warnings.extend(PendingAction::warnings(&decided.reported));
            ran.reported.extend(decided.reported);
            let pending = decided.pending.into_iter().next();
            if let Some(pending) = &pending {
                let name = (Some(Family::Workflow), point.as_str());
                let context = self.engine.context(&event, name, host, (module.hash(), module.programs()));
                one(pending, &context, ran);
            }
            each(PointDecision { event, after, chosen });
            if pending.is_none() || ran.failed.is_some() {
                return Ok(decided.records);
            }
            after = chosen.map(|(rank, _)| rank);
        }
    }
}

/// The first hook of a point decides, and then those after it.
fn options<'a>(point: Point) -> DecideOptions<'a> {
    let (family, strategy) = (Some(Family::Workflow), Some(Strategy::First));
    DecideOptions::default().event(point.as_str()).family(family).strategy(strategy)
}

/// One hook, and the consequence of its effect for the step. A denial ends the step, as a failure
/// does.
fn one(pending: &PendingAction, context: &ActionContext<'_>, outcome: &mut PointOutcome) {
    let (effect, label) = (run_action(pending, context), &pending.hook.label);
    if let Ok(action) = &pending.action {
        inject(label, action, &effect, outcome);
    }
    match &effect.outcome {
        Outcome::Failed(failure) => {
            let text = format!("hook {label} failed: {}", failure.why);
            match failure.failure_mode {
                OnFailure::Closed => outcome.failed = Some(text),
                OnFailure::Open => outcome.warnings.push(text),
            }
        }
        Outcome::Verdict(verdict) => {
            if verdict.change.is_some() {
                outcome.warnings.push(format!("hook {label} changes an input: a step has none"));
            }
            outcome.failed = verdict.refusal(label);
        }
        _ => {}
    }
    outcome.effects.push(effect);
}

/// The context gets the result of a hook.
fn inject(hook: &str, action: &Action, effect: &Effect, outcome: &mut PointOutcome) {
    match (&effect.outcome, action) {
        (Outcome::Value(value), Action::Invoke(invoke)) => {
            outcome.inject(hook, invoke.inject_as.as_deref(), value)
        }
        (Outcome::Value(value), other) => {
            outcome.inject(hook, other.more().get("inject_as").and_then(Value::as_str), value);
        }
        (Outcome::Verdict(verdict), Action::Inject(inject)) => match &inject.name {
            Some(name) => {
                let text = || inject.text.as_deref().map(Value::from);
                let file = || {
                    verdict
                        .contexts
                        .first()
                        .filter(|_| inject.file.is_some())
                        .map(|text| Value::from(&**text))
                };
                let value = inject.value.clone().or_else(text).or_else(file).unwrap_or(Value::Null);
                outcome.inject(hook, Some(name), &value);
            }
            None => outcome.warnings.push(format!("hook {hook} injects without `as`, so its text is lost")),
        },
        _ => {}
    }
}
