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
pub use once::OnceStore;
pub(crate) use place::file;

use crate::action::{Action, word};
use crate::agent::{self, Answers};
use crate::effect::{Effect, Failure, Hook, Outcome, PendingAction};
use crate::event::Event;
use crate::host::{Call, Host, HostError, Reply};
use crate::log::hex;
use crate::process::{self, Status};
use crate::rule::{self, RuleMatch};
use crate::turn::HookResult;
use crate::verdict::{Change, Permission, Verdict};

/// Of an answer that says nothing that counts.
const UNREAD: &str = "its answer cannot be read";

/// How often an action is attempt under `on_error: retry` that says nothing else.
const TRIES: u64 = 3;

/// What all actions of a decision share.
#[derive(Clone, Copy)]
pub struct ActionContext<'a> {
    /// The event.
    pub event: &'a Event,
    /// Its type.
    pub name: &'a str,
    /// Its vocabulary.
    pub family: Option<Family>,
    /// The embedder.
    pub host: &'a dyn Host,
    /// What ran already in this session.
    pub once: &'a OnceStore,
    /// The content hash of the module that decided.
    pub module: [u8; 32],
    /// Which way failures fall of hooks that do not say it, if the user chose.
    pub polarity: Option<OnFailure>,
    /// Holds what a hook gave back against what it must be.
    pub check: Option<Check<'a>>,
}

/// Whether what a hook's action gave back is as it must be, and else why not.
pub type Check<'a> = &'a (dyn Fn(&Hook, &Action, &Value) -> Result<(), String> + Sync);

impl std::fmt::Debug for ActionContext<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ActionContext")
            .field("name", &self.name)
            .field("family", &self.family)
            .finish_non_exhaustive()
    }
}

/// What trying an action once came to.
struct Attempt {
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

impl From<Outcome> for Attempt {
    fn from(outcome: Outcome) -> Self {
        Self { outcome, status: None, remarks: Vec::new() }
    }
}

/// Carries an action out, as often as `on_error` has it. Never panics: a host
/// that does has failed.
#[must_use]
pub fn carry_out(due: &PendingAction, context: &ActionContext<'_>) -> Effect {
    let start = Instant::now();
    let (mut told, ended) = match ran_before(due, context) {
        true => (Vec::new(), Some(Outcome::Skipped("it ran in this session".to_owned()).into())),
        false => ruled(due, context),
    };
    let most = match (&due.action, due.hook.on_error) {
        (Ok(action), Some(OnError::Retry)) => action.count("max_retries").unwrap_or(TRIES).max(1),
        _ => 1,
    };
    let over = ended.is_some();
    let (mut tries, mut last) = (0, ended.unwrap_or_else(|| Attempt::from(Outcome::Started)));
    while u64::from(tries) < most && !over {
        tries += 1;
        last = heard(once(due, context), due, context);
        if !matches!(last.outcome, Outcome::Failed(_)) || process::is_ending() {
            break;
        }
    }
    let Attempt { outcome, status, remarks } = last;
    told.extend(remarks);
    if tries > 0 && is_once(due) {
        let (session, name) = (session(context), once_name(due, context));
        if is_done(&outcome) {
            context.once.ran(&session, &name)
        } else {
            context.once.unmark(&session, &name)
        }
    }
    Effect { hook: due.hook.clone(), outcome, status, remarks: told, tries, took: start.elapsed() }
}

/// Whether a handler that runs once has done what it is for: one that failed has
/// not, and one that refuses or stops guards on.
fn is_done(outcome: &Outcome) -> bool {
    match outcome {
        Outcome::Failed(_) => false,
        Outcome::Verdict(verdict) => verdict.permission < Some(Permission::Ask) && verdict.stop.is_none(),
        _ => true,
    }
}

/// What two handlers have in common that are the same: what they run, for whom
/// (two plugins may say the same of different files), and what comes of a failure.
pub(crate) fn likeness(due: &PendingAction, context: &ActionContext<'_>) -> Option<String> {
    let action = due.action.as_ref().ok().filter(|action| action.kind == "run")?;
    let Hook { on_error, on_failure, mode, .. } = &due.hook;
    let call = Call { hook: &due.hook, action, event: context.event };
    let places: Vec<_> = place::Handler::of(&call, context).environment().collect();
    Some(format!("{on_error:?} {on_failure:?} {mode:?} {places:?} {}", action.to_value()))
}

fn is_once(due: &PendingAction) -> bool {
    due.action.as_ref().is_ok_and(|action| action.flag("once", false))
}

/// Whether it is to run once in a session, and did. What failed has not run.
fn ran_before(due: &PendingAction, context: &ActionContext<'_>) -> bool {
    is_once(due) && context.once.has_run(&session(context), &once_name(due, context))
}

fn session<'s>(context: &ActionContext<'s>) -> Cow<'s, str> {
    context.event.text("session_id").unwrap_or_default()
}

/// A hook as no other is called: neither one of another policy, nor one whose
/// name is its rank among the hooks of another event.
fn once_name(due: &PendingAction, context: &ActionContext<'_>) -> String {
    let event = if due.hook.source.is_none() { context.name } else { "" };
    format!("{} {event} {}", hex(&context.module), due.hook.label)
}

/// Kinds of actions that have a permission rule as `if`.
const RULED: [&str; 5] = ["run", "prompt", "agent", "http", "mcp_tool"];

/// Holds the rule of a handler against the event: remarks, and how it ends if it
/// is not to run. One that cannot be judged does not keep it from running.
fn ruled(due: &PendingAction, context: &ActionContext<'_>) -> (Vec<String>, Option<Attempt>) {
    let action = due.action.as_ref().ok().filter(|action| RULED.contains(&action.kind.as_str()));
    let Some(text) = action.and_then(|action| action.text("if")) else { return (Vec::new(), None) };
    if context.family != Some(Family::Agent) && context.event.text("tool_name").is_none() {
        // Agents start no such handler; elsewhere it would be a guard that never is.
        let why = format!("it has the rule `{text}`, and the event is about no tool");
        let bare = Some("it has a permission rule, and the event is about no tool".to_owned());
        let falls = context.falls(&due.hook, OnFailure::Closed);
        return (Vec::new(), Some(Attempt::from(Outcome::Failed(Failure { why, bare, falls }))));
    }
    let places = rule::Places::of(context.event, |name| place::variable(context, name));
    match rule::judge(text, context.event, &places) {
        RuleMatch::Holds => (Vec::new(), None),
        RuleMatch::Fails => {
            // The rule may be filled in from the event, which is not for the log.
            let why = "its permission rule does not hold".to_owned();
            (Vec::new(), Some(Attempt::from(Outcome::Skipped(why))))
        }
        RuleMatch::Unknown(why) => {
            (vec![format!("whether its permission rule holds cannot be judged: {why}")], None)
        }
    }
}

fn once(due: &PendingAction, context: &ActionContext<'_>) -> Attempt {
    let attempt = match &due.action {
        Err(error) => Err(Fault::closed(error.clone()).quoting("the event gives it no valid parameters")),
        Ok(action) => catch_unwind(AssertUnwindSafe(|| act(&due.hook, action, context)))
            .unwrap_or_else(|_| Err(Fault::closed("carrying it out panicked"))),
    };
    let attempt = attempt.and_then(|attempt| read(attempt, due, context));
    attempt.unwrap_or_else(|fault| {
        let falls = context.falls(&due.hook, fault.falls);
        let failed = Outcome::Failed(Failure { why: fault.why, bare: fault.bare, falls });
        Attempt { status: fault.status, ..Attempt::from(failed) }
    })
}

/// Reads what was given back, so that what is not as it must be is a failure like
/// any other. What a repository hook refuses stands nevertheless.
fn read(mut attempt: Attempt, due: &PendingAction, context: &ActionContext<'_>) -> Result<Attempt, Fault> {
    let Outcome::Value(value) = &attempt.outcome else { return Ok(attempt) };
    if let (Some(check), Ok(action)) = (context.check, &due.action) {
        check(&due.hook, action, value)
            .map_err(|why| Fault { status: attempt.status.clone(), ..Fault::closed(why).quoting(UNREAD) })?;
    }
    if context.family == Some(Family::Repository) && !value.is_null() {
        let result = HookResult::read(value, context.name, &due.hook.label);
        if let Some(why) = &result.failed {
            if !result.refuses() {
                let fault = Fault::closed(why.as_str()).quoting("its result is none, or says that it failed");
                return Err(Fault { status: attempt.status, ..fault });
            }
            attempt.remarks.push("it refuses, and its result is wrong beside".to_owned());
        }
        attempt.outcome = Outcome::Signals(Box::new(result));
    }
    Ok(attempt)
}

/// The host hears of each call for a hook of a workflow, those that are made
/// again too: each may have cost something.
fn heard(mut attempt: Attempt, due: &PendingAction, context: &ActionContext<'_>) -> Attempt {
    let Ok(action) = &due.action else { return attempt };
    if action.kind != "invoke" || context.family != Some(Family::Workflow) {
        return attempt;
    }
    let reply = match &attempt.outcome {
        Outcome::Value(value) => Ok(value),
        Outcome::Failed(failure) => Err(failure.why.as_str()),
        _ => Ok(&Value::Null),
    };
    let call = Call { hook: &due.hook, action, event: context.event };
    let caller = context.event.text("agent_id").unwrap_or_default();
    let hear = AssertUnwindSafe(|| context.host.invoked(&call, &caller, reply));
    if catch_unwind(hear).is_err() {
        attempt.remarks.push("the host panicked when it heard of the call".to_owned());
    }
    attempt
}

impl ActionContext<'_> {
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

fn act(hook: &Hook, action: &Action, context: &ActionContext<'_>) -> Result<Attempt, Fault> {
    let call = Call { hook, action, event: context.event };
    let host = context.host;
    let reason = || action.text("reason").map(str::to_owned);
    let verdict = |verdict| Ok(Attempt::from(Outcome::Verdict(Box::new(verdict))));
    match action.kind.as_str() {
        "allow" => verdict(Verdict::of(Permission::Allow, reason())),
        "deny" => verdict(Verdict::of(Permission::Deny, reason())),
        "ask" => verdict(Verdict::of(Permission::Ask, reason())),
        "modify" => verdict(modified(action)),
        "inject" => verdict(injected(action)),
        "run" => run::run(&call, context),
        "log" => {
            let message = action.text("message").unwrap_or_default();
            host.log(action.text("level").unwrap_or("info"), message, action.object("fields"));
            Ok(Attempt::from(Outcome::Value(Value::Null)))
        }
        "prompt" => asked(host.prompt(&call), action, context),
        "agent" => asked(host.agent(&call), action, context),
        "http" => asked(host.http(&call), action, context),
        "mcp_tool" => asked(host.mcp_tool(&call), action, context),
        "script" if context.family == Some(Family::Skill) => {
            // One script's failure is nobody else's.
            value(host.script(&call)).map_err(|fault| Fault { falls: OnFailure::Open, ..fault })
        }
        "script" => value(host.script(&call)),
        "invoke" if context.family == Some(Family::Workflow) => {
            // Unless the hook says otherwise, a workflow goes on without it.
            value(host.invoke(&call)).map_err(|fault| Fault { falls: OnFailure::Open, ..fault })
        }
        "invoke" => value(host.invoke(&call)),
        "emit_event" => value(host.emit_event(&call)),
        "retry" => value(host.retry(&call)),
        "call_directive" | "escalate" | "suspend" | "fail" | "abort" | "continue" => steer(&call, context),
        _ => value(host.other(&call)),
    }
}

/// What says how a thread goes on. About an event that is no thread's the same is
/// a verdict: nobody would look at a value there.
fn steer(call: &Call<'_>, context: &ActionContext<'_>) -> Result<Attempt, Fault> {
    let (host, action) = (context.host, call.action);
    let reply = match action.kind.as_str() {
        "call_directive" => host.call_directive(call),
        "escalate" => host.escalate(call),
        "suspend" => host.suspend(call),
        _ => host.conclude(call),
    };
    if context.family == Some(Family::Thread) {
        return value(reply);
    }
    let said = |name: &str, otherwise: &str| action.text(name).unwrap_or(otherwise).to_owned();
    let verdict = match action.kind.as_str() {
        // They refuse, whatever the host makes of it.
        "fail" => Verdict::deny(said("error_message", "the policy says so")),
        "abort" => Verdict::deny("the policy aborts it"),
        "suspend" => {
            value(reply)?;
            Verdict::deny(format!("suspended: {}", said("suspend_reason", "the policy says so")))
        }
        "escalate" => answered(reply)?,
        "call_directive" => return directed(reply),
        _ => return value(reply),
    };
    Ok(Attempt::from(Outcome::Verdict(Box::new(verdict))))
}

/// An escalation: nothing to say if it was approved; until somebody has answered
/// it is asked.
fn answered(reply: Reply) -> Result<Verdict, Fault> {
    let reply = reply.map_err(|error| Fault::of_host(&error))?;
    Ok(match approved(&reply) {
        Some(true) => Verdict::default(),
        Some(false) => Verdict::deny("the escalation was refused"),
        None => Verdict::of(Permission::Ask, Some("nobody has answered the escalation yet".to_owned())),
    })
}

/// What a host says about an escalation; `None` for no answer yet.
pub(crate) fn approved(reply: &Value) -> Option<bool> {
    reply.as_bool().or_else(|| reply.get("approved").and_then(Value::as_bool))
}

/// What a directive returned about an event that is no thread's.
fn directed(reply: Reply) -> Result<Attempt, Fault> {
    let reply = reply.map_err(|error| Fault::of_host(&error))?;
    let text = |name: &str| reply.get(name).and_then(Value::as_str);
    let reason = || text("error_message").or_else(|| text("error")).unwrap_or("a directive says so");
    let verdict = match text("action") {
        Some("FAIL" | "ABORT" | "SUSPEND") => Verdict::deny(reason()),
        Some("ESCALATE") => Verdict::of(Permission::Ask, Some(reason().to_owned())),
        Some(other @ ("RETRY" | "CALL")) => {
            return Err(Fault::closed(format!("it returned `{other}`, which only a thread can do")));
        }
        _ => return Ok(Attempt::from(Outcome::Value(reply))),
    };
    Ok(Attempt::from(Outcome::Verdict(Box::new(verdict))))
}

fn value(reply: Reply) -> Result<Attempt, Fault> {
    reply.map(|value| Attempt::from(Outcome::Value(value))).map_err(|error| Fault::of_host(&error))
}

/// A model or a remote hook was asked: about an agent's event it has a verdict.
fn asked(reply: Reply, action: &Action, context: &ActionContext<'_>) -> Result<Attempt, Fault> {
    let Some(answers) = answers(context) else {
        // A model's yes or no is one about an ability, too.
        return match &reply {
            Ok(said) if context.family == Some(Family::Repository) && agent::is_judgement(said) => {
                let verdict = agent::prompted(said).map_err(|why| Fault::closed(why).quoting(UNREAD))?;
                Ok(Attempt::from(Outcome::Verdict(Box::new(verdict))))
            }
            _ => value(reply),
        };
    };
    let reply = reply.map_err(|error| match error {
        // An agent that wants to stop cannot mend it, and would go on for ever.
        HostError::Unsupported(_) if agent::is_stop(context.name) => Fault::open(error.to_string()),
        _ => Fault::of_host(&error),
    })?;
    let judges = matches!(action.kind.as_str(), "prompt" | "agent");
    if judges && agent::is_text(&reply) {
        let why = "a model answered with text, and neither with `{\"ok\": true}` nor `{\"ok\": false}`";
        return Err(Fault::closed(why));
    }
    let mut verdict = agent::prompted(&reply).map_err(|why| Fault::closed(why).quoting(UNREAD))?;
    if judges {
        agent::refused(&reply, &mut verdict, context.name, action.flag("continue_on_block", false));
    }
    if !answers.can_refuse() {
        verdict.permission = None;
    }
    Ok(Attempt::from(Outcome::Verdict(Box::new(verdict))))
}

/// What the event can be answered with, if it is an agent's.
fn answers(context: &ActionContext<'_>) -> Option<Answers> {
    (context.family == Some(Family::Agent)).then(|| context.host.answers(context.name))
}

fn modified(action: &Action) -> Verdict {
    let fields = action.object("input").cloned().unwrap_or_default();
    let change = Change { whole: action.text("mode") == Some("replace"), fields };
    Verdict {
        change: Some(change),
        messages: action.text("reason").map(str::to_owned).into_iter().collect(),
        ..Verdict::default()
    }
}

fn injected(action: &Action) -> Verdict {
    let text = action.get("text").or_else(|| action.get("value")).map(word).unwrap_or_default();
    let text = match action.text("as") {
        Some(name) => format!("{name}: {text}"),
        None => text,
    };
    if text.is_empty() { Verdict::default() } else { Verdict::context(text) }
}
