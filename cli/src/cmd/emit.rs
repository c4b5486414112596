//! `hookc emit`: an event of an orchestrator that is another program. The context is read from
//! standard input; the control message and the results of the hooks are one JSON object.

use std::io::{self, IsTerminal};
use std::sync::atomic::{AtomicI32, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

use hookc_runtime::bridge::NestedHost;
use hookc_runtime::event::RepositoryEvent;
use hookc_runtime::log::Entry;
use hookc_runtime::turn::{self, Emitted, Guard, Session};
use hookc_runtime::{Engine, process};
use hookc_vm::Module;
use serde_json::{Map, Value, json};

use super::repository::{self, UNDECIDED, say};
use super::run::{self, Background};
use crate::args::{EmitEvent, Global};
use crate::exit::{Exit, Outcome};
use crate::{out, signals, stdio};

/// How long an answer may take after the handlers were terminated.
const SOON: Duration = Duration::from_millis(500);

pub(crate) fn run(global: &Global, args: &EmitEvent) -> Outcome {
    let ended_by = AtomicI32::new(0);
    let end = |signal, over: &Receiver<()>| {
        ended_by.store(signal, Ordering::SeqCst);
        process::terminate_all();
        // The event may never arrive.
        if over.recv_timeout(SOON) == Err(RecvTimeoutError::Timeout) {
            std::process::exit(signals::status(signal).into());
        }
    };
    let start = Instant::now();
    let call = Call { global, args, start };
    let code = signals::watched(signals::ENDING, end, || call.run())?;
    let signal = ended_by.load(Ordering::SeqCst);
    Ok(Exit::Host(if signal == 0 { code } else { signals::status(signal) }))
}

/// A call of `emit`.
struct Call<'c> {
    global: &'c Global,
    args: &'c EmitEvent,
    start: Instant,
}

impl Call<'_> {
    fn run(&self) -> Result<u8, crate::exit::Failure> {
        let (answer, code) = match context(&self.args.event) {
            Ok(context) => match self.emit(&context) {
                Ok(emitted) => (answer(&self.args.event, &emitted), code(&emitted)),
                Err(why) => {
                    self.log(&turn::event(&self.args.event, "", context.clone()), Err(&why));
                    (undecided(&self.args.event, &context, &why), UNDECIDED)
                }
            },
            Err(why) => (undecided(&self.args.event, &Map::new(), &why), UNDECIDED),
        };
        if let Some(error) = answer.get("error").and_then(Value::as_str) {
            say(error);
        }
        out::json(&format!("{answer}\n"))?;
        Ok(code)
    }

    /// # Errors
    /// No decision was possible; why.
    fn emit(&self, context: &Map<String, Value>) -> Result<Emitted, String> {
        let event = RepositoryEvent::from_name(&self.args.event);
        let off = crate::state::report_disabled();
        let module =
            if off { repository::nothing() } else { repository::module(self.global, &self.args.hooks) };
        let module = module?;
        has_caller(event, context, &module)?;
        let text = Value::Object(context.clone()).to_string();
        let background = Background::new(&self.args.logging, &self.args.host);
        let nested = NestedHost::enter(&background, module.hash(), text.as_bytes());
        let host = nested.map_err(|error| error.to_string())?;
        let engine = Engine::new(module);
        let id = context.get("session_id").and_then(Value::as_str).unwrap_or_default();
        let file = self.args.hooks.session_file.as_deref().filter(|_| !off);
        let before = repository::state(file, id)?.disabled;
        let mut session = Session::new(&engine, id).with_disabled(before.clone());
        let emitted = session.emit(event, context.clone(), &host);
        let mut emitted = emitted.map_err(|error| error.to_string())?;
        if let Some(file) = file.filter(|_| *session.disabled() != before) {
            emitted.turn.reports.extend(repository::keep(file, id, session.disabled()).err());
        }
        self.log(&emitted.turn.event, Ok(&emitted));
        Ok(emitted)
    }

    fn log(&self, event: &hookc_runtime::Event, result: Result<&Emitted, &str>) {
        let result = result.map(|emitted| &emitted.turn.handled);
        run::record(self.global, &self.args.logging, |write| {
            write(&Entry::new(&self.args.host, event, result, self.start.elapsed()));
        });
    }
}

/// The context on standard input, with the type of the event.
fn context(event: &str) -> Result<Map<String, Value>, String> {
    let most = hookc_vm::limits::EVENT_BYTES;
    if io::stdin().is_terminal() {
        return Err("the context of the event is expected on standard input, as a JSON object".to_owned());
    }
    let bytes = stdio::object(most, None).map_err(|error| error.to_string())?;
    if bytes.len() > most {
        return Err(format!("the context is larger than {most} bytes"));
    }
    let mut context = turn::exact_object(&bytes)
        .map_err(|why| format!("the context on standard input cannot be read: {why}"))?;
    match context.insert("event_type".to_owned(), event.into()) {
        Some(other) if other != *event => {
            Err(format!("the context is about the event {other}, not `{event}`"))
        }
        _ => named(event, context),
    }
}

/// The context, if it names what its event is about: guards of one ability would not see a call
/// that names none.
fn named(event: &str, context: Map<String, Value>) -> Result<Map<String, Value>, String> {
    if context.get("session_id").is_some_and(|id| !id.is_string()) {
        return Err("`session_id` of the context is not text".to_owned());
    }
    let (name, value) = match RepositoryEvent::from_name(event) {
        RepositoryEvent::PreAbilityCall => ("ability_id", context.get("ability_id")),
        RepositoryEvent::PreAbilityCreate => {
            ("ability_ref.value", context.get("ability_ref").and_then(|about| about.get("value")))
        }
        _ => return Ok(context),
    };
    if value.and_then(Value::as_str).is_some_and(|text| !text.is_empty()) {
        return Ok(context);
    }
    Err(format!("the context of `{event}` has no `{name}`: expected the name of the ability, as text"))
}

/// A guard about the caller would not see a call that names none.
fn has_caller(event: RepositoryEvent, context: &Map<String, Value>, module: &Module) -> Result<(), String> {
    let is_read = event == RepositoryEvent::PreAbilityCall && module.reads(&["caller"]);
    if !is_read || context.get("caller").is_some_and(Value::is_object) {
        return Ok(());
    }
    Err("the context of `PreAbilityCall` has no `caller`, which a hook reads: expected an object with `source`".to_owned())
}

fn code(emitted: &Emitted) -> u8 {
    emitted.guard.as_ref().map_or(0, repository::status)
}

/// The answer for the orchestrator.
fn answer(event: &str, emitted: &Emitted) -> Value {
    let mut answer = Map::new();
    let mut add = |name: &str, value: Value| answer.insert(name.to_owned(), value);
    add("event_type", event.into());
    if let Some(control) = &emitted.control {
        add("control", control.clone());
    }
    if let Some(guard) = &emitted.guard {
        add("allowed", guard.is_allowed().into());
        if let Guard::Denied { reason, require_human } = guard {
            add("reason", reason.as_str().into());
            add("require_human", (*require_human).into());
        }
    }
    add("logs", json!(emitted.turn.logs));
    add("reports", json!(emitted.turn.reports));
    add("hooks", Entry::hooks(&emitted.turn.handled).into());
    Value::Object(answer)
}

/// The answer without a decision: whoever waits for the event must not continue.
fn undecided(event: &str, context: &Map<String, Value>, why: &str) -> Value {
    let given = |name: &str| context.get(name).cloned().unwrap_or_default();
    let control =
        |ready: &str| json!({"type": "control", ready: false, "source_event": event, "hook_signals": []});
    let mut answer = json!({"event_type": event, "error": why});
    let about = match RepositoryEvent::from_name(event) {
        RepositoryEvent::PromptSubmit => Some((control("turn_ready"), None)),
        RepositoryEvent::PreAbilityCreate => {
            Some((control("turn_ready_for_ability_create"), Some("ability_ref")))
        }
        RepositoryEvent::PreAbilityCall => Some((control("turn_ready_for_ability"), Some("ability_id"))),
        _ => None,
    };
    if let (Some((mut control, about)), Some(members)) = (about, answer.as_object_mut()) {
        if let (Some(name), Some(control)) = (about, control.as_object_mut()) {
            control.insert(name.to_owned(), given(name));
        }
        members.insert("control".to_owned(), control);
        members.insert("allowed".to_owned(), false.into());
    }
    answer
}
