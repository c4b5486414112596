//! A workflow's hooks: at each of the four timing points one hook after the
//! other, each seeing what the ones before it have injected.
//!
//! The context is an object, which conditions and arguments read. After each
//! hook the next one that matches is looked for over the changed context. The
//! whole point is decided by one module, whatever is reloaded meanwhile.

mod ran;

use std::fmt;

use hookc_vm::module::OnFailure;
use hookc_vm::{DecideError, DecideOptions, Family, MatchedHook, Scratch, Strategy};
use serde_json::{Map, Value};

pub use ran::PointOutcome;

use crate::action::Action;
use crate::carry::{self, ActionContext};
use crate::effect::{Effect, Outcome, PendingAction};
use crate::engine::Engine;
use crate::host::Host;

/// How deep hooks may lead to hooks that lead to hooks, for one agent.
pub const DEPTH: u32 = 5;

/// When hooks run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Point {
    /// Before the model is asked.
    PreDecision,
    /// After the model has answered, before anything is done.
    PostDecision,
    /// After the action.
    PostAction,
    /// After the action has failed.
    OnError,
}

impl Point {
    /// The event type.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::PreDecision => "pre_decision",
            Self::PostDecision => "post_decision",
            Self::PostAction => "post_action",
            Self::OnError => "on_error",
        }
    }
}

/// Why hooks could not run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WorkflowError {
    /// Nothing could be decided.
    Decide(DecideError),
    /// Hooks led to hooks deeper than this.
    Depth(u32),
}

impl fmt::Display for WorkflowError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Decide(error) => error.fmt(f),
            Self::Depth(limit) => write!(f, "hooks lead to hooks more than {limit} deep"),
        }
    }
}

impl std::error::Error for WorkflowError {}

/// The hooks of one agent's workflow.
#[derive(Debug)]
pub struct Workflow<'e> {
    engine: &'e Engine,
    depth: u32,
}

impl<'e> Workflow<'e> {
    /// With the usual limit of depth.
    #[must_use]
    pub fn new(engine: &'e Engine) -> Self {
        Self { engine, depth: DEPTH }
    }

    /// With another limit of depth.
    #[must_use]
    pub fn deep(mut self, depth: u32) -> Self {
        self.depth = depth;
        self
    }

    /// Runs the hooks of a point over a context. `depth` is 0 where a workflow
    /// begins, and one more than its caller's for a point that a hook's artifact
    /// leads to. A failure ends the point, with what was injected so far, if the
    /// hook says `on_error: fail` or the failure falls closed; else it is a warning.
    ///
    /// # Errors
    /// It is too deep, or nothing could be decided.
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
        let (module, mut scratch) = (self.engine.module(), Scratch::new());
        let mut ran = PointOutcome::new(point, context, module.hash());
        if self.engine.is_off() {
            return Ok(ran);
        }
        let mut after = None;
        loop {
            let event = ran.event();
            let ask = DecideOptions {
                event: Some(point.name()),
                family: Some(Family::Workflow),
                strategy: Some(Strategy::First),
                after,
            };
            let decided = match module.decide(&mut scratch, event.bytes(), &ask) {
                Ok(decided) => decided,
                Err(error) => return ran.undecided(error).map_err(WorkflowError::Decide),
            };
            ran.warnings.extend(decided.reported().filter_map(|fired| PendingAction::of(&fired).warning()));
            let due_of = |fired: MatchedHook<'_>| PendingAction::of(&fired);
            ran.reported.extend(decided.reported().map(due_of));
            let Some(due) = decided.hooks().next().map(due_of) else { return Ok(ran) };
            after = Some(due.hook.rank);
            let context = ActionContext {
                event: &event,
                name: point.name(),
                family: Some(Family::Workflow),
                host,
                once: self.engine.once(),
                module: module.hash(),
                polarity: self.engine.polarity(),
                check: None,
            };
            one(&due, &context, &mut ran);
            if ran.failed.is_some() {
                return Ok(ran);
            }
        }
    }
}

/// One hook, and what comes of it. A refusal ends the step, as a failure does.
fn one(due: &PendingAction, context: &ActionContext<'_>, ran: &mut PointOutcome) {
    let effect = carry::carry_out(due, context);
    if let Ok(action) = &due.action {
        inject(&due.hook.label, action, &effect, ran);
    }
    match &effect.outcome {
        Outcome::Failed(failure) => {
            let text = format!("hook {} failed: {}", due.hook.label, failure.why);
            match failure.falls {
                OnFailure::Closed => ran.failed = Some(text),
                OnFailure::Open => ran.warnings.push(text),
            }
        }
        Outcome::Verdict(verdict) => {
            if verdict.change.is_some() {
                ran.warnings.push(format!("hook {} changes an input: a step has none", due.hook.label));
            }
            ran.failed = verdict.refusal(&due.hook.label);
        }
        _ => {}
    }
    ran.effects.push(effect);
}

/// The context gets what came of a hook.
fn inject(hook: &str, action: &Action, effect: &Effect, ran: &mut PointOutcome) {
    match (&effect.outcome, action.kind.as_str()) {
        (Outcome::Value(value), _) => ran.inject(hook, action.text("inject_as"), value),
        (Outcome::Verdict(_), "inject") => match action.text("as") {
            Some(name) => {
                let value = action.get("value").or_else(|| action.get("text")).unwrap_or(&Value::Null);
                ran.inject(hook, Some(name), value);
            }
            None => ran.warnings.push(format!("hook {hook} injects without `as`: nobody sees it")),
        },
        _ => {}
    }
}
