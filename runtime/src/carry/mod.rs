//! Carrying out one action.

mod flat;
mod once;
mod place;
mod run;

use std::borrow::Cow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Instant;

use hookc_vm::Family;
use hookc_vm::module::{OnError, OnFailure};
use serde_json::Value;

pub(crate) use flat::with_prompt;
pub use once::Once;
pub(crate) use place::file;

use crate::action::{Action, word};
use crate::agent::{self, Answers};
use crate::effect::{Due, Effect, Failure, Hook, Outcome};
use crate::event::Event;
use crate::host::{Call, Host, HostError, Reply};
use crate::log::hex;
use crate::opinion::{Change, Opinion, Permission};
use crate::process::{self, Status};
use crate::rule::{self, Judged};
use crate::turn::HookResult;

/// Of an answer that says nothing that counts.
const UNREAD: &str = "its answer cannot be read";

/// How often an action is tried under `on_error: retry` that says nothing else.
const TRIES: u64 = 3;

/// What all actions of a decision share.
#[derive(Clone, Copy)]
pub struct Setting<'a> {
    /// The event.
    pub event: &'a Event,
    /// Its type.
    pub name: &'a str,
    /// Its vocabulary.
    pub family: Option<Family>,
    /// The embedder.
    pub host: &'a dyn Host,
    /// What ran already in this session.
    pub once: &'a Once,
    /// The content hash of the module that decided.
    pub module: [u8; 32],
    /// Which way failures fall of hooks that do not say it, if the user chose.
    pub polarity: Option<OnFailure>,
    /// Holds what a hook gave back against what it must be.
    pub check: Option<Check<'a>>,
}

/// Whether what a hook's action gave back is as it must be, and else why not.
pub type Check<'a> = &'a (dyn Fn(&Hook, &Action, &Value) -> Result<(), String> + Sync);

impl std::fmt::Debug for Setting<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Setting")
            .field("name", &self.name)
            .field("family", &self.family)
            .finish_non_exhaustive()
    }
}

/// What trying an action once came to.
struct Tried {
    outcome: Outcome,
    status: Option<String>,
    remarks: Vec<String>,
}

/// Why an action failed, and which way that falls if nobody says otherwise.
struct Fault {
    why: String,
    falls: OnFailure,
    /// As [`Failure::bare`].
    bare: Option<String>,
    /// How the handler ended, if that is why.
    status: Option<String>,
}

impl Fault {
    /// One that must not pass for a yes.
    fn closed(why: impl Into<String>) -> Self {
        Self { why: why.into(), falls: OnFailure::Closed, bare: None, status: None }
    }

    /// One that the agents themselves pass over.
    fn open(why: impl Into<String>) -> Self {
        Self { why: why.into(), falls: OnFailure::Open, bare: None, status: None }
    }

    /// One that quotes, and what is to be said of it without.
    fn quoting(self, bare: impl Into<String>) -> Self {
        Self { bare: Some(bare.into()), ..self }
    }

    /// The fault of a handler that ended so.
    fn of(self, status: Status) -> Self {
        let status = (!status.success()).then(|| status.to_string());
        let bare = status.clone().unwrap_or_else(|| UNREAD.to_owned());
        Self { status, ..self.quoting(bare) }
    }

    /// One of the host's.
    fn of_host(error: &HostError) -> Self {
        Self::closed(error.to_string()).quoting(error.bare())
    }
}

impl From<Outcome> for Tried {
    fn from(outcome: Outcome) -> Self {
        Self { outcome, status: None, remarks: Vec::new() }
    }
}

/// Carries an action out, as often as `on_error` has it. Never panics: a host
/// that does has failed.
#[must_use]
pub fn carry_out(due: &Due, setting: &Setting<'_>) -> Effect {
    let start = Instant::now();
    let (mut told, ended) = match ran_before(due, setting) {
        true => (Vec::new(), Some(Outcome::Skipped("it ran in this session".to_owned()).into())),
        false => ruled(due, setting),
    };
    let most = match (&due.action, due.hook.on_error) {
        (Ok(action), Some(OnError::Retry)) => action.count("max_retries").unwrap_or(TRIES).max(1),
        _ => 1,
    };
    let over = ended.is_some();
    let (mut tries, mut last) = (0, ended.unwrap_or_else(|| Tried::from(Outcome::Started)));
    while u64::from(tries) < most && !over {
        tries += 1;
        last = heard(once(due, setting), due, setting);
        if !matches!(last.outcome, Outcome::Failed(_)) || process::is_ending() {
            break;
        }
    }
    let Tried { outcome, status, remarks } = last;
    told.extend(remarks);
    if tries > 0 && is_once(due) {
        let (session, name) = (session(setting), once_name(due, setting));
        if is_done(&outcome) {
            setting.once.ran(&session, &name)
        } else {
            setting.once.runs_again(&session, &name)
        }
    }
    Effect { hook: due.hook.clone(), outcome, status, remarks: told, tries, took: start.elapsed() }
}

/// Whether a handler that runs once has done what it is for: one that failed has
/// not, and one that refuses or stops guards on.
fn is_done(outcome: &Outcome) -> bool {
    match outcome {
        Outcome::Failed(_) => false,
        Outcome::Opinion(opinion) => opinion.permission < Some(Permission::Ask) && opinion.stop.is_none(),
        _ => true,
    }
}

/// What two handlers have in common that are the same: what they run, for whom
/// (two plugins may say the same of different files), and what comes of a failure.
pub(crate) fn likeness(due: &Due, setting: &Setting<'_>) -> Option<String> {
    let action = due.action.as_ref().ok().filter(|action| action.kind == "run")?;
    let Hook { on_error, on_failure, mode, .. } = &due.hook;
    let call = Call { hook: &due.hook, action, event: setting.event };
    let places: Vec<_> = place::Handler::of(&call, setting).environment().collect();
    Some(format!("{on_error:?} {on_failure:?} {mode:?} {places:?} {}", action.to_value()))
}

fn is_once(due: &Due) -> bool {
    due.action.as_ref().is_ok_and(|action| action.flag("once", false))
}

/// Whether it is to run once in a session, and did. What failed has not run.
fn ran_before(due: &Due, setting: &Setting<'_>) -> bool {
    is_once(due) && setting.once.has_run(&session(setting), &once_name(due, setting))
}

fn session<'s>(setting: &Setting<'s>) -> Cow<'s, str> {
    setting.event.text("session_id").unwrap_or_default()
}

/// A hook as no other is called: neither one of another policy, nor one whose
/// name is its rank among the hooks of another event.
fn once_name(due: &Due, setting: &Setting<'_>) -> String {
    let event = if due.hook.source.is_none() { setting.name } else { "" };
    format!("{} {event} {}", hex(&setting.module), due.hook.label)
}

/// Kinds of actions that have a permission rule as `if`.
const RULED: [&str; 5] = ["run", "prompt", "agent", "http", "mcp_tool"];

/// Holds the rule of a handler against the event: remarks, and how it ends if it
/// is not to run. One that cannot be judged does not keep it from running.
fn ruled(due: &Due, setting: &Setting<'_>) -> (Vec<String>, Option<Tried>) {
    let action = due.action.as_ref().ok().filter(|action| RULED.contains(&action.kind.as_str()));
    let Some(text) = action.and_then(|action| action.text("if")) else { return (Vec::new(), None) };
    if setting.family != Some(Family::Agent) && setting.event.text("tool_name").is_none() {
        // Agents start no such handler; elsewhere it would be a guard that never is.
        let why = format!("it has the rule `{text}`, and the event is about no tool");
        let bare = Some("it has a permission rule, and the event is about no tool".to_owned());
        let falls = setting.falls(&due.hook, OnFailure::Closed);
        return (Vec::new(), Some(Tried::from(Outcome::Failed(Failure { why, bare, falls }))));
    }
    let places = rule::Places::of(setting.event, |name| place::variable(setting, name));
    match rule::judge(text, setting.event, &places) {
        Judged::Holds => (Vec::new(), None),
        Judged::Fails => {
            // The rule may be filled in from the event, which is not for the log.
            let why = "its permission rule does not hold".to_owned();
            (Vec::new(), Some(Tried::from(Outcome::Skipped(why))))
        }
        Judged::Open(why) => {
            (vec![format!("whether its permission rule holds cannot be judged: {why}")], None)
        }
    }
}

fn once(due: &Due, setting: &Setting<'_>) -> Tried {
    let tried = match &due.action {
        Err(error) => Err(Fault::closed(error.clone()).quoting("the event gives it no valid parameters")),
        Ok(action) => catch_unwind(AssertUnwindSafe(|| act(&due.hook, action, setting)))
            .unwrap_or_else(|_| Err(Fault::closed("carrying it out panicked"))),
    };
    let tried = tried.and_then(|tried| read(tried, due, setting));
    tried.unwrap_or_else(|fault| {
        let falls = setting.falls(&due.hook, fault.falls);
        let failed = Outcome::Failed(Failure { why: fault.why, bare: fault.bare, falls });
        Tried { status: fault.status, ..Tried::from(failed) }
    })
}

/// Reads what was given back, so that what is not as it must be is a failure like
/// any other. What a repository hook refuses stands nevertheless.
fn read(mut tried: Tried, due: &Due, setting: &Setting<'_>) -> Result<Tried, Fault> {
    let Outcome::Value(value) = &tried.outcome else { return Ok(tried) };
    if let (Some(check), Ok(action)) = (setting.check, &due.action) {
        check(&due.hook, action, value)
            .map_err(|why| Fault { status: tried.status.clone(), ..Fault::closed(why).quoting(UNREAD) })?;
    }
    if setting.family == Some(Family::Repository) && !value.is_null() {
        let result = HookResult::read(value, setting.name, &due.hook.label);
        if let Some(why) = &result.failed {
            if !result.refuses() {
                let fault = Fault::closed(why.as_str()).quoting("its result is none, or says that it failed");
                return Err(Fault { status: tried.status, ..fault });
            }
            tried.remarks.push("it refuses, and its result is wrong beside".to_owned());
        }
        tried.outcome = Outcome::Signals(Box::new(result));
    }
    Ok(tried)
}

/// The host hears of each call for a hook of a workflow, those that are made
/// again too: each may have cost something.
fn heard(mut tried: Tried, due: &Due, setting: &Setting<'_>) -> Tried {
    let Ok(action) = &due.action else { return tried };
    if action.kind != "invoke" || setting.family != Some(Family::Workflow) {
        return tried;
    }
    let reply = match &tried.outcome {
        Outcome::Value(value) => Ok(value),
        Outcome::Failed(failure) => Err(failure.why.as_str()),
        _ => Ok(&Value::Null),
    };
    let call = Call { hook: &due.hook, action, event: setting.event };
    let caller = setting.event.text("agent_id").unwrap_or_default();
    let hear = AssertUnwindSafe(|| setting.host.invoked(&call, &caller, reply));
    if catch_unwind(hear).is_err() {
        tried.remarks.push("the host panicked when it heard of the call".to_owned());
    }
    tried
}

impl Setting<'_> {
    /// An agent that was kept from stopping already may stop, unless the hook says
    /// otherwise: it cannot mend what fails here.
    pub(crate) fn falls(&self, hook: &Hook, otherwise: OnFailure) -> OnFailure {
        let again = self.family == Some(Family::Agent) && self.event.stops_again(self.name);
        let again = again.then_some(OnFailure::Open);
        falls(hook, (self.family, self.name), again.or(self.polarity), otherwise)
    }
}

/// Which way a failure falls at an event: as the hook says, then as the user says,
/// then `otherwise`. The one place that decides it.
pub(crate) fn falls(
    hook: &Hook,
    (family, event): (Option<Family>, &str),
    polarity: Option<OnFailure>,
    otherwise: OnFailure,
) -> OnFailure {
    // A task is begun without what a hook that failed would have added to it.
    let open = family == Some(Family::Repository) && event == "PromptSubmit";
    let otherwise = if open { OnFailure::Open } else { otherwise };
    hook.falls().or(polarity).unwrap_or(otherwise)
}

fn act(hook: &Hook, action: &Action, setting: &Setting<'_>) -> Result<Tried, Fault> {
    let call = Call { hook, action, event: setting.event };
    let host = setting.host;
    let reason = || action.text("reason").map(str::to_owned);
    let opinion = |opinion| Ok(Tried::from(Outcome::Opinion(Box::new(opinion))));
    match action.kind.as_str() {
        "allow" => opinion(Opinion::of(Permission::Allow, reason())),
        "deny" => opinion(Opinion::of(Permission::Deny, reason())),
        "ask" => opinion(Opinion::of(Permission::Ask, reason())),
        "modify" => opinion(modified(action)),
        "inject" => opinion(injected(action)),
        "run" => run::run(&call, setting),
        "log" => {
            let message = action.text("message").unwrap_or_default();
            host.log(action.text("level").unwrap_or("info"), message, action.object("fields"));
            Ok(Tried::from(Outcome::Value(Value::Null)))
        }
        "prompt" => asked(host.prompt(&call), action, setting),
        "agent" => asked(host.agent(&call), action, setting),
        "http" => asked(host.http(&call), action, setting),
        "mcp_tool" => asked(host.mcp_tool(&call), action, setting),
        "script" if setting.family == Some(Family::Skill) => {
            // One script's failure is nobody else's.
            value(host.script(&call)).map_err(|fault| Fault { falls: OnFailure::Open, ..fault })
        }
        "script" => value(host.script(&call)),
        "invoke" if setting.family == Some(Family::Workflow) => {
            // Unless the hook says otherwise, a workflow goes on without it.
            value(host.invoke(&call)).map_err(|fault| Fault { falls: OnFailure::Open, ..fault })
        }
        "invoke" => value(host.invoke(&call)),
        "emit_event" => value(host.emit_event(&call)),
        "retry" => value(host.retry(&call)),
        "call_directive" | "escalate" | "suspend" | "fail" | "abort" | "continue" => steer(&call, setting),
        _ => value(host.other(&call)),
    }
}

/// What says how a thread goes on. About an event that is no thread's the same is
/// an opinion: nobody would look at a value there.
fn steer(call: &Call<'_>, setting: &Setting<'_>) -> Result<Tried, Fault> {
    let (host, action) = (setting.host, call.action);
    let reply = match action.kind.as_str() {
        "call_directive" => host.call_directive(call),
        "escalate" => host.escalate(call),
        "suspend" => host.suspend(call),
        _ => host.conclude(call),
    };
    if setting.family == Some(Family::Thread) {
        return value(reply);
    }
    let said = |name: &str, otherwise: &str| action.text(name).unwrap_or(otherwise).to_owned();
    let opinion = match action.kind.as_str() {
        // They refuse, whatever the host makes of it.
        "fail" => Opinion::deny(said("error_message", "the policy says so")),
        "abort" => Opinion::deny("the policy aborts it"),
        "suspend" => {
            value(reply)?;
            Opinion::deny(format!("suspended: {}", said("suspend_reason", "the policy says so")))
        }
        "escalate" => answered(reply)?,
        "call_directive" => return directed(reply),
        _ => return value(reply),
    };
    Ok(Tried::from(Outcome::Opinion(Box::new(opinion))))
}

/// An escalation: nothing to say if it was approved; until somebody has answered
/// it is asked.
fn answered(reply: Reply) -> Result<Opinion, Fault> {
    let reply = reply.map_err(|error| Fault::of_host(&error))?;
    Ok(match approved(&reply) {
        Some(true) => Opinion::default(),
        Some(false) => Opinion::deny("the escalation was refused"),
        None => Opinion::of(Permission::Ask, Some("nobody has answered the escalation yet".to_owned())),
    })
}

/// What a host says about an escalation; `None` for no answer yet.
pub(crate) fn approved(reply: &Value) -> Option<bool> {
    reply.as_bool().or_else(|| reply.get("approved").and_then(Value::as_bool))
}

/// What a directive returned about an event that is no thread's.
fn directed(reply: Reply) -> Result<Tried, Fault> {
    let reply = reply.map_err(|error| Fault::of_host(&error))?;
    let text = |name: &str| reply.get(name).and_then(Value::as_str);
    let reason = || text("error_message").or_else(|| text("error")).unwrap_or("a directive says so");
    let opinion = match text("action") {
        Some("FAIL" | "ABORT" | "SUSPEND") => Opinion::deny(reason()),
        Some("ESCALATE") => Opinion::of(Permission::Ask, Some(reason().to_owned())),
        Some(other @ ("RETRY" | "CALL")) => {
            return Err(Fault::closed(format!("it returned `{other}`, which only a thread can do")));
        }
        _ => return Ok(Tried::from(Outcome::Value(reply))),
    };
    Ok(Tried::from(Outcome::Opinion(Box::new(opinion))))
}

fn value(reply: Reply) -> Result<Tried, Fault> {
    reply.map(|value| Tried::from(Outcome::Value(value))).map_err(|error| Fault::of_host(&error))
}

/// A model or a remote hook was asked: about an agent's event it has an opinion.
fn asked(reply: Reply, action: &Action, setting: &Setting<'_>) -> Result<Tried, Fault> {
    let Some(answers) = answers(setting) else {
        // A model's yes or no is one about an ability, too.
        return match &reply {
            Ok(said) if setting.family == Some(Family::Repository) && agent::is_judgement(said) => {
                let opinion = agent::prompted(said).map_err(|why| Fault::closed(why).quoting(UNREAD))?;
                Ok(Tried::from(Outcome::Opinion(Box::new(opinion))))
            }
            _ => value(reply),
        };
    };
    let reply = reply.map_err(|error| match error {
        // An agent that wants to stop cannot mend it, and would go on for ever.
        HostError::Unsupported(_) if agent::is_stop(setting.name) => Fault::open(error.to_string()),
        _ => Fault::of_host(&error),
    })?;
    let judges = matches!(action.kind.as_str(), "prompt" | "agent");
    if judges && agent::is_text(&reply) {
        let why = "a model answered with text, and neither with `{\"ok\": true}` nor `{\"ok\": false}`";
        return Err(Fault::closed(why));
    }
    let mut opinion = agent::prompted(&reply).map_err(|why| Fault::closed(why).quoting(UNREAD))?;
    if judges {
        agent::refused(&reply, &mut opinion, setting.name, action.flag("continue_on_block", false));
    }
    if !answers.can_refuse() {
        opinion.permission = None;
    }
    Ok(Tried::from(Outcome::Opinion(Box::new(opinion))))
}

/// What the event can be answered with, if it is an agent's.
fn answers(setting: &Setting<'_>) -> Option<Answers> {
    (setting.family == Some(Family::Agent)).then(|| setting.host.answers(setting.name))
}

fn modified(action: &Action) -> Opinion {
    let fields = action.object("input").cloned().unwrap_or_default();
    let change = Change { whole: action.text("mode") == Some("replace"), fields };
    Opinion {
        change: Some(change),
        messages: action.text("reason").map(str::to_owned).into_iter().collect(),
        ..Opinion::default()
    }
}

fn injected(action: &Action) -> Opinion {
    let text = action.get("text").or_else(|| action.get("value")).map(word).unwrap_or_default();
    let text = match action.text("as") {
        Some(name) => format!("{name}: {text}"),
        None => text,
    };
    if text.is_empty() { Opinion::default() } else { Opinion::context(text) }
}
