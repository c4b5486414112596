//! Directives as threads: a thread has the policies of the project and its own hooks, a journal,
//! and a transcript that it shares with the threads that its hooks start.

mod file;
mod shared;
mod transcript;

use std::path::PathBuf;
use std::sync::{Arc, OnceLock};
use std::time::Instant;

use hookc_runtime::action::{Action, CallDirective};
use hookc_runtime::host::EventContext;
use hookc_runtime::{ActionFailure, Outcome};
use serde_json::{Map, Value, json};

pub(crate) use file::Directive;
pub(crate) use shared::Shared;
pub(crate) use transcript::Transcript;

use crate::args::Common;
use crate::failure::Failure;
use crate::message::Usage;
use crate::model::Model;
use crate::session::{Caller, Changes, End, Extension, Session, Start};
use crate::store::Step;

/// What a hook has started, for the model of a thread.
const RETURNS: &str = "A hook has started this thread. Your last answer must be one JSON object and nothing else: \
{\"action\": \"RETRY\"}, FAIL, ABORT or CONTINUE; ESCALATE with `escalation`, SUSPEND with `suspend`, CALL with \
`call`; or {\"compaction\": {\"summary\": ..., \"prune_before_turn\": ...}}.";

/// The directive that the agent has itself, if the project has none of this name.
const COMPACTION: &str = "/default_compaction";

/// What all threads of a run share.
#[derive(Debug)]
pub(crate) struct Threads {
    pub(crate) common: Common,
    pub(crate) project: PathBuf,
    pub(crate) model: Arc<dyn Model>,
    pub(crate) transcript: OnceLock<Transcript>,
}

/// How a thread is started.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Call<'c> {
    pub(crate) directive: &'c Directive,
    pub(crate) parameters: &'c Map<String, Value>,
    pub(crate) start: Start<'c>,
    /// 0 for the first thread, one more for each that a hook starts.
    pub(crate) depth: u32,
    /// Whether it has the rights that the user gave to the first thread.
    pub(crate) has_rights: bool,
}

/// The result of a thread.
#[derive(Debug)]
pub(crate) struct Ran {
    pub(crate) thread: String,
    pub(crate) end: End,
    pub(crate) usage: Usage,
}

impl Threads {
    /// Runs a thread until it ends or waits. The first one opens the transcript.
    ///
    /// # Errors
    /// It could not be started, or its state could not be saved.
    pub(crate) fn run(self: &Arc<Self>, call: Call<'_>) -> Result<Ran, Failure> {
        let Call { directive, parameters, start, depth, has_rights } = call;
        let mut common = self.common.clone();
        if !has_rights {
            (common.allow, common.permission_mode) = (Vec::new(), None);
        }
        let own = Member { threads: Arc::clone(self), directive: directive.name.clone(), depth, has_rights };
        let changes = Changes {
            policies: Some(directive.policies(&common, &self.project)?),
            system: (depth > 0).then(|| RETURNS.to_owned()),
            extension: Some(Arc::new(own)),
            model: Some(Box::new(Shared(Arc::clone(&self.model)))),
            is_quiet: depth > 0,
        };
        let (session, mut agent) = Session::open(&common, start, changes)?;
        self.open_transcript(&session)?;
        let note = |event: &str, payload: Value| self.note(&session.id, &directive.name, event, payload);
        note(
            "thread_started",
            json!({"parameters": parameters, "resumed": matches!(start, Start::Resume(_))}),
        )?;
        let end = match session.start(&agent)? {
            Some(end) => session.finish(&agent, end),
            None if matches!(start, Start::Resume(_)) && session.has_work(&agent) => {
                session.proceed(&mut agent)?
            }
            None if matches!(start, Start::Resume(_)) => {
                return Err(Failure::usage("the thread has nothing to continue"));
            }
            None => session.submit(&mut agent, &prompt(directive, parameters))?,
        };
        session.close(&agent, "other");
        note("thread_ended", json!({"status": end.subtype(), "text": end.text()}))?;
        Ok(Ran { thread: session.id.clone(), end, usage: agent.usage })
    }

    fn open_transcript(&self, session: &Session) -> Result<(), Failure> {
        if self.transcript.get().is_some() {
            return Ok(());
        }
        let directory = crate::store::directory(self.common.state.as_deref()).map_err(Failure::usage)?;
        let path = directory.join(format!("{}.transcript.jsonl", session.id));
        let opened = Transcript::open(&path);
        let opened = opened.map_err(|error| Failure::usage(format!("{}: {error}", path.display())))?;
        let _ = self.transcript.set(opened);
        Ok(())
    }

    fn note(&self, thread: &str, directive: &str, event: &str, payload: Value) -> Result<(), Failure> {
        let Some(transcript) = self.transcript.get() else { return Ok(()) };
        let written = transcript.write(thread, directive, event, payload);
        written.map_err(|error| Failure::failed(format!("the transcript cannot be written: {error}")))
    }
}

/// The prompt of a thread: the whole directive, and its parameters.
fn prompt(directive: &Directive, parameters: &Map<String, Value>) -> String {
    let Directive { name, text, .. } = directive;
    let mut prompt = format!("Follow the directive `{name}`:\n\n{text}");
    if !parameters.is_empty() {
        prompt.push_str(&format!("\n\nParameters:\n{:#}", Value::Object(parameters.clone())));
    }
    prompt
}

/// A thread of a run.
#[derive(Debug)]
pub(crate) struct Member {
    threads: Arc<Threads>,
    directive: String,
    /// 0 for the first thread.
    depth: u32,
    /// Whether it has the rights that the user gave to the first thread.
    has_rights: bool,
}

impl Member {
    /// The result of a directive that a hook calls; `None` if the session has it itself.
    fn call(&self, session: &Arc<Session>, own: &CallDirective) -> Option<Result<Outcome, ActionFailure>> {
        let failed = |why: String| Some(Err(ActionFailure::failed(why)));
        let directive = match Directive::named(&self.threads.project, &own.directive) {
            Ok(Some(directive)) => directive,
            Ok(None) if own.directive.ends_with(COMPACTION) => return None,
            Ok(None) => return failed(file::missing(&own.directive)),
            Err(error) => return failed(error.message),
        };
        let most = self.threads.common.max_depth;
        if self.depth >= most {
            return failed(format!("directives call directives more than {most} levels deep"));
        }
        let started = Instant::now();
        let threads = &self.threads;
        let call = Call {
            directive: &directive,
            parameters: &own.parameters,
            start: Start::New(None),
            depth: self.depth + 1,
            has_rights: self.has_rights && own.inherit_token,
        };
        let ran = match threads.run(call) {
            Ok(ran) => ran,
            Err(error) => return failed(format!("directive `{}`: {}", directive.name, error.message)),
        };
        // Its tokens are the caller's.
        session.spend(ran.usage, started);
        let spent = Step::Spent { usage: ran.usage, position: threads.model.position() };
        if let Err(error) = session.note(spent) {
            return failed(error.message);
        }
        match ran.end {
            End::Done(text) => Some(Ok(Outcome::Value(value(&text)))),
            End::Waiting(why) => {
                let name = &directive.name;
                let hint = format!("directive `{name}` (thread {}) waits: {why}", ran.thread);
                let suspend = json!({"reason": "approval", "resume_hint": hint});
                Some(Ok(Outcome::Value(json!({"action": "SUSPEND", "suspend": suspend}))))
            }
            other => {
                failed(format!("directive `{}` ended without a result: {}", directive.name, other.text()))
            }
        }
    }
}

/// The answer of a thread, without a Markdown fence around it; text that is not JSON is not a
/// return object, and is rejected as one.
fn value(text: &str) -> Value {
    let text = text.trim();
    let inner = text.strip_prefix("```").and_then(|rest| rest.strip_suffix("```"));
    let inner = inner.map_or(text, |inner| inner.strip_prefix("json").unwrap_or(inner).trim());
    serde_json::from_str(inner).unwrap_or_else(|_| text.into())
}

impl Extension for Member {
    fn perform(
        &self,
        session: &Arc<Session>,
        _: &Caller,
        action: &Action,
        context: &EventContext<'_>,
    ) -> Option<Result<Outcome, ActionFailure>> {
        let written = match action {
            Action::CallDirective(own) => return self.call(session, own),
            Action::EmitEvent(own) => {
                let payload = Value::Object(own.payload.clone());
                self.threads.note(&session.id, &self.directive, &own.event_type, payload)
            }
            Action::Escalate(own) => {
                let payload = json!({"hook": context.hook.label, "target": own.target,
                    "message": own.message, "timeout_seconds": own.timeout_seconds});
                self.threads.note(&session.id, &self.directive, "escalation", payload)
            }
            _ => Ok(()),
        };
        // The session does the rest: it shows the record, and asks.
        written.err().map(|error| Err(ActionFailure::failed(error.message)))
    }

    fn event_members(&self, _: &Caller) -> Map<String, Value> {
        Map::from_iter([("directive".to_owned(), Value::from(self.directive.as_str()))])
    }
}
