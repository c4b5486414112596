//! Runs the steps of a workflow: the model decides, hooks look at it, the action runs.
//!
//! ```text
//! pre_decision ─▶ model ─▶ post_decision ─▶ action ─▶ post_action
//!                                              └─────▶ on_error
//! ```

use std::sync::Arc;
use std::time::Instant;

use hookc_runtime::log::{Entry, Log};
use hookc_runtime::workflow::{Point, PointOutcome, Workflow};
use hookc_runtime::{Event, workflow};
use serde_json::{Map, Value, json};

use super::calls::{Market, PointHost};
use super::effects::Known;
use super::file::{Step, WorkflowFile};
use crate::failure::complain;
use crate::message::{Block, Message, ToolSpec, calls, texts};
use crate::model::Request;
use crate::signals;

/// The tool with which a model calls an artifact.
const INVOKE: &str = "invoke";

/// A run of a workflow.
#[derive(Clone, Copy)]
pub(crate) struct Run<'r> {
    pub(crate) market: &'r Arc<Market>,
    pub(crate) file: &'r WorkflowFile,
    /// 0 for the workflow that was started, one more for each that an artifact runs.
    pub(crate) depth: u32,
    pub(crate) log: Option<&'r Log>,
}

/// The records of the steps that ran.
#[derive(Debug, Default)]
pub(crate) struct Ran {
    pub(crate) records: Vec<Value>,
    /// Why the workflow ended before its last step.
    aborted: Option<String>,
    /// Whether the run can be continued: the model failed, or a signal arrived.
    pub(crate) is_left: bool,
    last: Value,
}

impl Ran {
    /// Why a step was not done, if one was not.
    pub(crate) fn failure(&self) -> Option<String> {
        let error_of = |record: &Value| record.get("error").and_then(Value::as_str).map(str::to_owned);
        self.aborted.clone().or_else(|| self.records.iter().find_map(error_of))
    }

    pub(crate) fn is_aborted(&self) -> bool {
        self.aborted.is_some()
    }

    pub(crate) fn last_result(&self) -> Value {
        self.last.clone()
    }
}

/// Why a step ended early.
struct Aborted {
    why: String,
    /// Whether it can be continued: the next attempt may end in another way.
    is_left: bool,
}

impl Aborted {
    /// By a hook, or by what the model has answered.
    fn ended(why: impl Into<String>) -> Self {
        Self { why: why.into(), is_left: false }
    }

    /// By a signal, a failed request, or a file that cannot be read.
    fn left(why: impl Into<String>) -> Self {
        Self { why: why.into(), is_left: true }
    }
}

impl Run<'_> {
    /// Runs all steps. The context begins with `given`; `each` gets the record of every action.
    pub(crate) fn steps(&self, given: Map<String, Value>, each: &mut dyn FnMut(&Value)) -> Ran {
        let mut ran = Ran::default();
        let mut context = self.file.context.clone();
        context.extend(given);
        for step in &self.file.steps {
            if let Err(Aborted { why, is_left }) = self.step(step, &mut context, &mut ran, each) {
                let record = json!({"step": step.name, "status": "aborted", "error": why});
                each(&record);
                ran.records.push(record);
                (ran.aborted, ran.is_left) = (Some(why), is_left);
                return ran;
            }
        }
        ran
    }

    fn step(
        &self,
        step: &Step,
        context: &mut Map<String, Value>,
        ran: &mut Ran,
        each: &mut dyn FnMut(&Value),
    ) -> Result<(), Aborted> {
        if signals::interrupted().is_some() {
            return Err(Aborted::left("interrupted by a signal"));
        }
        let more = [
            ("agent_id", Some(self.market.agent.as_str())),
            ("workflow", self.file.name.as_deref()),
            ("step", Some(step.name.as_str())),
            ("current_goal", self.file.goal.as_deref()),
        ];
        for (name, value) in more {
            if let Some(value) = value {
                context.insert(name.to_owned(), value.into());
            }
        }
        let before = self.point(Point::PreDecision, context)?;
        let prompt = before.prompt.as_deref().unwrap_or(&step.prompt);
        let actions = self.decide(prompt, before.system_prompt.as_deref(), context)?;
        for action in actions {
            context.insert("proposed_action".to_owned(), action);
            self.point(Point::PostDecision, context)?;
            // A hook can replace the action.
            let action = context.remove("proposed_action").unwrap_or_default();
            let record = self.act(&step.name, action, context)?;
            let show = |_| {
                each(&record);
                Ok(Value::Null)
            };
            let shown = self.market.effects.remember("record", || None, show).and_then(|shown| shown);
            shown.map_err(Aborted::left)?;
            if let Some(result) = record.get("result") {
                ran.last = result.clone();
            }
            ran.records.push(record);
        }
        Ok(())
    }

    /// Executes an action, and runs the hooks after it.
    fn act(&self, step: &str, action: Value, context: &mut Map<String, Value>) -> Result<Value, Aborted> {
        let result = self.execute(&action);
        let mut record = json!({"step": step, "action": action});
        let (status, name, value, point) = match result {
            Ok(value) => ("done", "result", value, Point::PostAction),
            Err(why) => ("failed", "error", Value::from(why), Point::OnError),
        };
        if let Value::Object(members) = &mut record {
            members.insert("status".to_owned(), status.into());
            members.insert(name.to_owned(), value.clone());
        }
        if point == Point::PostAction {
            context.insert("last_action".to_owned(), action);
            context.insert("last_result".to_owned(), value);
        } else {
            context.insert("failed_action".to_owned(), action);
            context.insert("error_message".to_owned(), value);
        }
        self.point(point, context)?;
        Ok(record)
    }

    /// Executes an action: a call of an artifact, or an answer.
    fn execute(&self, action: &Value) -> Result<Value, String> {
        let text = |name: &str| action.get(name).and_then(Value::as_str);
        match text("type") {
            Some("answer") => Ok(action.get("text").cloned().unwrap_or_default()),
            Some(INVOKE) => {
                let artifact = text("artifact_id").ok_or("the action has no `artifact_id`")?;
                let method = text("method").unwrap_or("run");
                let none = Map::new();
                let args = match action.get("args") {
                    None | Some(Value::Null) => &none,
                    Some(args) => args.as_object().ok_or("`args` of the action is not an object")?,
                };
                self.market.call(self.file, None, (artifact, method, args), self.depth)
            }
            _ => Err(format!("unknown action: {action}")),
        }
    }

    /// Asks the model; what it answers is one action or several.
    fn decide(
        &self,
        prompt: &str,
        before: Option<&str>,
        context: &Map<String, Value>,
    ) -> Result<Vec<Value>, Aborted> {
        let known = Value::Object(context.clone());
        let messages = [Message::user(format!("{prompt}\n\nContext:\n{known:#}"))];
        let system = before.into_iter().chain(self.file.system.as_deref()).collect::<Vec<_>>().join("\n");
        let (tools, max_tokens) = (self.tools(), self.market.max_tokens);
        let request = Request { system: &system, messages: &messages, tools: &tools, max_tokens };
        let content = self.ask(&request)?;
        let calls = calls(&content);
        if calls.is_empty() {
            return Ok(vec![json!({"type": "answer", "text": texts(&content)})]);
        }
        let action = |call: crate::message::ToolCall| match (call.invalid, call.name == INVOKE) {
            (Some(why), _) => {
                Err(Aborted::ended(format!("the model called `{}` with an invalid input: {why}", call.name)))
            }
            (None, false) => {
                Err(Aborted::ended(format!("the model called `{}`, which does not exist", call.name)))
            }
            (None, true) => {
                let mut action = call.input.as_object().cloned().unwrap_or_default();
                action.insert("type".to_owned(), INVOKE.into());
                Ok(Value::Object(action))
            }
        };
        calls.into_iter().map(action).collect()
    }

    /// The answer of the model, which is asked once. A failed request is not an answer.
    fn ask(&self, request: &Request<'_>) -> Result<Vec<Block>, Aborted> {
        let Market { model, effects, .. } = &**self.market;
        let known = effects.begin("model").map_err(Aborted::left)?;
        let effect = match known {
            Known::Done(result, _) => {
                let content = result.map_err(Aborted::ended)?;
                return serde_json::from_value(content).map_err(|error| Aborted::left(error.to_string()));
            }
            Known::Begun(effect) | Known::New(effect) => effect,
        };
        let reply = model.ask(request, &mut |_| {});
        let reply = reply.map_err(|error| Aborted::left(format!("the model failed: {error}")))?;
        effects.done(effect, Ok(json!(reply.content)), model.position()).map_err(Aborted::left)?;
        Ok(reply.content)
    }

    fn tools(&self) -> Vec<ToolSpec> {
        let methods = |(id, listed): (&String, &super::artifact::Artifact)| {
            format!("{id} ({})", listed.methods().collect::<Vec<_>>().join(", "))
        };
        let known: Vec<String> = self.file.artifacts.iter().map(methods).collect();
        if known.is_empty() {
            return Vec::new();
        }
        let properties = json!({
            "artifact_id": {"type": "string", "description": "Which artifact"},
            "method": {"type": "string", "description": "Which of its methods"},
            "args": {"type": "object", "description": "Its arguments"},
        });
        let about = format!("Calls an artifact: {}.", known.join(", "));
        vec![crate::tools::spec(INVOKE, &about, properties, &["artifact_id", "method"])]
    }

    /// Runs the hooks of a point; their results are in the context afterwards.
    fn point(&self, point: Point, context: &mut Map<String, Value>) -> Result<PointOutcome, Aborted> {
        let start = Instant::now();
        let balance = self.market.balance_here().map_err(Aborted::left)?;
        context.insert("balance".to_owned(), balance);
        let host = PointHost { market: self.market, file: self.file, depth: self.depth };
        let workflow = Workflow::new(&self.file.engine).with_depth(self.market.depth);
        let event = self.log.map(|_| Event::from_value(Value::Object(context.clone())));
        let ran = workflow.run(point, std::mem::take(context), self.depth, &host);
        let mut ran = ran.map_err(|error| Aborted::ended(cause(&error)))?;
        if signals::interrupted().is_some() {
            return Err(Aborted::left("interrupted by a signal"));
        }
        if let Some(why) = self.market.effects.broken() {
            return Err(Aborted::left(why));
        }
        let report = |_| {
            self.report(&ran, event.as_ref(), start);
            Ok(Value::Null)
        };
        let reported = self.market.effects.remember("point", || None, report).and_then(|done| done);
        reported.map_err(Aborted::left)?;
        *context = std::mem::take(&mut ran.context);
        match ran.failed.take() {
            Some(why) => Err(Aborted::ended(why)),
            None => Ok(ran),
        }
    }

    /// Shows the warnings of a point, and logs it.
    fn report(&self, ran: &PointOutcome, event: Option<&Event>, start: Instant) {
        ran.warnings.iter().for_each(|warning| complain(warning));
        if let (Some(log), Some(event)) = (self.log, event) {
            let outcome = ran.to_event_outcome();
            if let Err(error) = log.write(&Entry::new("workflow", event, Ok(&outcome), start.elapsed())) {
                complain(&format!("the log cannot be written: {error}"));
            }
        }
    }
}

/// An error with its cause.
fn cause(error: &workflow::WorkflowError) -> String {
    match std::error::Error::source(error) {
        Some(cause) => format!("{error}: {cause}"),
        None => error.to_string(),
    }
}
