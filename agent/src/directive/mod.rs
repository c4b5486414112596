//! Directives as threads: a thread has the policies of the project and its own hooks, a journal,
//! and a transcript that it shares with the threads that its hooks start.

mod file;
mod shared;
mod transcript;

use std::path::PathBuf;
use std::sync::{Arc, OnceLock};
use std::time::Instant;

use hookc_runtime::action::{Action, CallDirective, Escalate};
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
use crate::session::{Caller, Changes, End, Extension, Session, Start, escalation};
use crate::store::{DirectiveOf, Journal};

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
    /// The agent whose hook has started it.
    pub(crate) parent: Option<Parent<'c>>,
}

/// The agent whose hook has started a thread.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Parent<'c> {
    session: &'c Arc<Session>,
    caller: &'c Caller,
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
        let Call { directive, parameters, start, depth, has_rights, parent } = call;
        let mut common = self.common.clone();
        if !has_rights {
            (common.allow, common.permission_mode) = (Vec::new(), None);
        }
        let member = Member {
            threads: Arc::clone(self),
            directive: directive.name.clone(),
            depth,
            has_rights,
            parent: parent.map(|outer| (Arc::clone(outer.session), outer.caller.clone())),
        };
        let changes = Changes {
            policies: Some(directive.policies(&common, &self.project)?),
            system: (depth > 0).then(|| RETURNS.to_owned()),
            extension: Some(Arc::new(member)),
            model: Some(Box::new(Shared(Arc::clone(&self.model)))),
            directive: Some(DirectiveOf {
                directive: directive.name.clone(),
                hash: directive.hash(),
                parameters: parameters.clone(),
                depth,
                has_rights,
            }),
            is_quiet: parent.is_some(),
        };
        let (session, mut agent) = Session::open(&common, start, changes)?;
        if parent.is_some() && agent.is_finished {
            // Its result was not used yet.
            let (thread, end) = (session.id.clone(), End::Done(agent.last_text.clone()));
            return Ok(Ran { thread, end, usage: agent.usage });
        }
        self.open_transcript(&session)?;
        let note = |event: &str, payload: Value| self.note(&session.id, &directive.name, event, payload);
        let resumed = matches!(start, Start::Resume(_));
        note("thread_started", json!({"parameters": parameters, "resumed": resumed}))?;
        let end = match session.start(&agent)? {
            Some(end) => session.finish(&agent, end),
            None if session.has_work(&agent) => session.proceed(&mut agent)?,
            None if resumed && agent.is_finished => {
                return Err(Failure::usage("the thread has ended: there is nothing to continue"));
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
    /// The agent whose hook has started it.
    parent: Option<(Arc<Session>, Caller)>,
}

impl Member {
    /// The result of a directive that a hook calls; `None` if the session has it itself.
    fn call(
        &self,
        session: &Arc<Session>,
        caller: &Caller,
        called: &CallDirective,
        context: &EventContext<'_>,
    ) -> Option<Result<Outcome, ActionFailure>> {
        let failed = |why: String| Some(Err(ActionFailure::failed(why)));
        let directive = match Directive::named(&self.threads.project, &called.directive) {
            Ok(Some(directive)) => directive,
            Ok(None) if called.directive.ends_with(COMPACTION) => return None,
            Ok(None) => return failed(file::missing(&called.directive)),
            Err(error) => return failed(error.message),
        };
        let most = self.threads.common.max_depth();
        if self.depth >= most {
            return failed(format!("directives call directives more than {most} levels deep"));
        }
        let ran = match self.run(session, caller, called, (context, &directive)) {
            Ok(ran) => ran,
            Err(error) => return failed(format!("directive `{}`: {}", directive.name, error.message)),
        };
        let (thread, end) = ran;
        match end {
            End::Done(text) => Some(Ok(Outcome::Value(value(&text)))),
            End::Waiting(why) => {
                session.thread_waits(&thread);
                let name = &directive.name;
                let hint = format!("directive `{name}` (thread {thread}) waits: {why}");
                let suspend = json!({"reason": "approval", "resume_hint": hint});
                Some(Ok(Outcome::Value(json!({"action": "SUSPEND", "suspend": suspend}))))
            }
            other => {
                failed(format!("directive `{}` ended without a result: {}", directive.name, other.text()))
            }
        }
    }

    /// Runs a directive that a hook calls as a thread, or continues the thread that was left. Its
    /// tokens are the caller's.
    fn run(
        &self,
        session: &Arc<Session>,
        caller: &Caller,
        called: &CallDirective,
        (context, directive): (&EventContext<'_>, &Directive),
    ) -> Result<(String, End), Failure> {
        let started = Instant::now();
        let thread = session.thread_of(caller, called, context)?;
        let state = crate::store::directory(self.threads.common.state.as_deref()).map_err(Failure::usage)?;
        let call = Call {
            directive,
            parameters: &called.parameters,
            start: match Journal::has_begun(&state, &thread) {
                true => Start::Resume(&thread),
                false => Start::New(Some(&thread)),
            },
            depth: self.depth + 1,
            has_rights: self.has_rights && called.inherit_token,
            parent: Some(Parent { session, caller }),
        };
        let ran = self.threads.run(call)?;
        session.thread_spent(&thread, ran.usage, started)?;
        Ok((thread, ran.end))
    }

    /// Notifies the agent whose hook has started this thread, if the escalation is for it.
    fn notify(&self, escalate: &Escalate, hook: &str) -> Result<(), Failure> {
        let Some((session, caller)) = &self.parent else { return Ok(()) };
        if !escalation::is_for_parent(escalate) {
            return Ok(());
        }
        let text = escalation::notification(&format!("the directive `{}`", self.directive), escalate, hook);
        session.notify(caller.agent_id.as_deref().unwrap_or_default(), &text)
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
        caller: &Caller,
        action: &Action,
        context: &EventContext<'_>,
    ) -> Option<Result<Outcome, ActionFailure>> {
        let written = match action {
            Action::CallDirective(call) => return self.call(session, caller, call, context),
            Action::EmitEvent(emit_event) => {
                let payload = Value::Object(emit_event.payload.clone());
                self.threads.note(&session.id, &self.directive, &emit_event.event_type, payload)
            }
            Action::Escalate(escalate) => {
                let payload = json!({"hook": context.hook.label, "target": escalate.target,
                    "message": escalate.message, "timeout_seconds": escalate.timeout_seconds});
                let written = self.threads.note(&session.id, &self.directive, "escalation", payload);
                // A sub-agent of this thread has the thread's own agent above it.
                match caller.agent_id {
                    Some(_) => written,
                    None => written.and_then(|()| self.notify(escalate, &context.hook.label)),
                }
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
