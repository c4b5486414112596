//! A workflow's hooks: at each of the four timing points one hook after the
//! other, each seeing what the ones before it have injected.
//!
//! The context is an object, which conditions and arguments read. After each
//! hook the next one that matches is looked for over the changed context. The
//! whole point is decided by one module, whatever is reloaded meanwhile.

use std::fmt;

use hookc_vm::module::OnFailure;
use hookc_vm::{Ask, DecideError, Family, Scratch, Strategy};
use serde_json::{Map, Value};

use crate::action::Action;
use crate::carry::{self, Once, Setting};
use crate::effect::{Due, Effect, Outcome};
use crate::engine::Engine;
use crate::event::Event;
use crate::host::{Call, Host};

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

/// What the hooks of a point came to.
#[derive(Debug, Default)]
pub struct Ran {
    /// The context with what was injected.
    pub context: Map<String, Value>,
    /// The prompt in place of the step's own (`_prompt`).
    pub prompt: Option<String>,
    /// What goes before the system prompt (`_system_prompt`).
    pub system_prompt: Option<String>,
    /// Every hook that ran.
    pub effects: Vec<Effect>,
    /// What somebody should hear of; also what hooks of `mode: warn` would have
    /// done.
    pub warnings: Vec<String>,
    /// Why the step fails, if it does.
    pub failed: Option<String>,
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
    once: Once,
    depth: u32,
}

impl<'e> Workflow<'e> {
    /// With the usual limit of depth.
    #[must_use]
    pub fn new(engine: &'e Engine) -> Self {
        Self { engine, once: Once::default(), depth: DEPTH }
    }

    /// With another limit of depth.
    #[must_use]
    pub fn deep(mut self, depth: u32) -> Self {
        self.depth = depth;
        self
    }

    /// Runs the hooks of a point over a context. `depth` is 0 where a workflow
    /// begins, and one more than its caller's for a point that a hook's artifact
    /// leads to. A failure of a hook that skips is a warning; one that fails ends
    /// the point, with what was injected so far.
    ///
    /// # Errors
    /// It is too deep, or nothing could be decided.
    pub fn run(
        &self,
        point: Point,
        context: Map<String, Value>,
        depth: u32,
        host: &dyn Host,
    ) -> Result<Ran, WorkflowError> {
        if depth >= self.depth {
            return Err(WorkflowError::Depth(self.depth));
        }
        let mut ran = Ran { context, ..Ran::default() };
        if self.engine.is_off() {
            return Ok(ran);
        }
        let (module, mut scratch) = (self.engine.module(), Scratch::new());
        let mut after = None;
        loop {
            let event = Event::of(Value::Object(ran.context.clone()));
            let ask = Ask {
                event: Some(point.name()),
                family: Some(Family::Workflow),
                strategy: Some(Strategy::First),
                after,
            };
            let decided = module.decide(&mut scratch, event.bytes(), &ask).map_err(WorkflowError::Decide)?;
            ran.warnings.extend(decided.reported().filter_map(|fired| Due::of(&fired).warning()));
            let Some(due) = decided.hooks().next().map(|fired| Due::of(&fired)) else { return Ok(ran) };
            after = Some(due.hook.rank);
            let setting = Setting {
                event: &event,
                name: point.name(),
                family: Some(Family::Workflow),
                host,
                once: &self.once,
                module: module.hash(),
                polarity: None,
                check: None,
            };
            one(&due, &setting, &mut ran);
            if ran.failed.is_some() {
                return Ok(ran);
            }
        }
    }
}

/// One hook, and what comes of it. A refusal ends the step, as a failure does.
fn one(due: &Due, setting: &Setting<'_>, ran: &mut Ran) {
    let effect = carry::carry_out(due, setting);
    if let Ok(action) = &due.action {
        taken(due, action, &effect, setting, ran);
    }
    match &effect.outcome {
        Outcome::Failed(failure) => {
            let text = format!("hook {} failed: {}", due.hook.label, failure.why);
            match failure.falls {
                OnFailure::Closed => ran.failed = Some(text),
                OnFailure::Open => ran.warnings.push(text),
            }
        }
        Outcome::Opinion(opinion) => ran.failed = opinion.refusal(&due.hook.label),
        _ => {}
    }
    ran.effects.push(effect);
}

/// The host hears of the call, and the context gets what came of it.
fn taken(due: &Due, action: &Action, effect: &Effect, setting: &Setting<'_>, ran: &mut Ran) {
    let reply = match &effect.outcome {
        Outcome::Value(value) => Ok(value),
        Outcome::Failed(failure) => Err(failure.why.as_str()),
        _ => Ok(&Value::Null),
    };
    if action.kind == "invoke" {
        let caller = setting.event.text("agent_id").unwrap_or_default();
        setting.host.invoked(&Call { hook: &due.hook, action, event: setting.event }, caller, reply);
    }
    if let Outcome::Value(value) = &effect.outcome {
        inject(action.text("inject_as"), value, ran);
    }
    if let ("inject", Outcome::Opinion(_)) = (action.kind.as_str(), &effect.outcome) {
        let value = action.get("value").or_else(|| action.get("text")).cloned().unwrap_or_default();
        inject(action.text("as"), &value, ran);
    }
}

/// Puts a result where its hook wants it; nowhere without a name.
fn inject(name: Option<&str>, value: &Value, ran: &mut Ran) {
    let Some(name) = name.filter(|name| *name != "null") else { return };
    let place = match name {
        "_prompt" => &mut ran.prompt,
        "_system_prompt" => &mut ran.system_prompt,
        _ => {
            ran.context.insert(name.to_owned(), value.clone());
            return;
        }
    };
    if place.is_some() {
        ran.warnings.push(format!("two hooks inject `{name}`: the last one counts"));
    }
    *place = Some(crate::action::word(value));
    ran.context.insert(name.to_owned(), value.clone());
}
