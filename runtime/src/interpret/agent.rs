//! Tool events of coding agents: replies are verdicts.

use hookc_base::action::{Action, ResultForm};
use serde_json::Value;

use super::plain;
use super::{HostReply, Interpreter};
use crate::agent::{self, Lost};
use crate::context::ActionContext;
use crate::ended::{self, with_stderr};
use crate::event::AgentEvent;
use crate::outcome::{ActionFailure, Outcome, UNREADABLE};
use crate::process::{Ended, Status};
use crate::verdict::{Permission, Verdict};

pub(super) struct Agents;

impl Interpreter for Agents {
    fn ended(&self, ended: &Ended, form: ResultForm, context: &ActionContext<'_>) -> HostReply {
        match form {
            ResultForm::Agent | ResultForm::Gemini | ResultForm::Cursor | ResultForm::Copilot => {
                printed(ended, form, context)
            }
            ResultForm::Flat => flat(ended, context),
            ResultForm::Signals | ResultForm::Return => ended::by_output(ended),
            ResultForm::Status => status(ended, context),
        }
    }

    fn reply(&self, action: &Action, reply: HostReply, context: &ActionContext<'_>) -> HostReply {
        match action {
            Action::Prompt(prompt) => judged(reply, prompt.continue_on_block == Some(true), context),
            Action::Agent(agent) => {
                let continues = agent.more.get("continue_on_block").and_then(Value::as_bool);
                judged(reply, continues == Some(true), context)
            }
            Action::Http(_) | Action::McpTool(_) => answered(reply, context, remote_verdict),
            _ => plain::reply(action, reply),
        }
    }
}

/// A handler that prints an answer as an agent has it.
fn printed(ended: &Ended, form: ResultForm, context: &ActionContext<'_>) -> HostReply {
    let capabilities = context.host.capabilities(context.name);
    let mut verdict = agent::handler_of(form.as_str(), ended, &capabilities).map_err(|none| {
        // Where the agent itself denies when it stops waiting.
        let hangs = capabilities.timeout_denies && ended.status == Status::TimedOut;
        ActionFailure::closed_if(hangs || capabilities.can_deny() && none.may_deny, none.why)
    })?;
    if verdict == Verdict::default() {
        if agent::is_answer_on_stderr(ended) {
            return Err(ActionFailure::closed_if(capabilities.can_deny(), ON_STDERR));
        }
        let is_agent = form == ResultForm::Agent && ended.status.success();
        verdict
            .messages
            .extend(Some(()).filter(|()| is_agent).and_then(|()| agent::unread_json(&ended.stdout)));
    }
    Ok(verdict.into())
}

/// Why an answer on standard error is a failure.
const ON_STDERR: &str =
    "it prints a decision to standard error, where it is not read: print it to standard output";

/// A handler of the flat format: its exit status denies, and its output replaces the user's message
/// or becomes context for the model.
fn flat(ended: &Ended, context: &ActionContext<'_>) -> HostReply {
    // Text is context here, and may quote decisions.
    mentioned(ended, context)?;
    let (stdout, stderr) = (ended.stdout.text.trim(), ended.stderr.text.trim());
    let event = AgentEvent::from_name(context.name);
    let verdict = match ended.status {
        Status::Exited(0) if stdout.is_empty() => Verdict::default(),
        Status::Exited(0) if event == AgentEvent::UserPromptSubmit => {
            Verdict { prompt: Some(stdout.to_owned()), ..Verdict::default() }
        }
        Status::Exited(0) => Verdict::context(stdout),
        status @ Status::Exited(_) if event.flat_denies() => {
            Verdict::deny(if stderr.is_empty() { status.to_string() } else { stderr.to_owned() })
        }
        _ => return Err(ActionFailure::closed_if(event.flat_denies(), with_stderr(ended))),
    };
    Ok(verdict.into())
}

/// Interprets the exit status: 0 is no opinion, 1 to 125 deny, and anything else, including the absence of a status,
/// is a failure.
fn status(ended: &Ended, context: &ActionContext<'_>) -> HostReply {
    match ended.status {
        Status::Exited(0) => unread_answer(ended, context),
        status @ Status::Exited(1..=125) if context.can_deny() => {
            let stderr = Some(ended.stderr.text.trim()).filter(|text| !text.is_empty()).map(str::to_owned);
            let printed = || printed_answer(ended, context)?.1.reason();
            Ok(Verdict::deny(stderr.or_else(printed).unwrap_or_else(|| status.to_string())).into())
        }
        _ => Err(ActionFailure::closed(with_stderr(ended))),
    }
}

/// The answer of an agent, printed by a handler whose output is not read. What denies or asks counts, because the event
/// must not pass in silence; what allows or changes something is reported, because only the policy grants that.
fn unread_answer(ended: &Ended, context: &ActionContext<'_>) -> HostReply {
    let Some((form, verdict)) = printed_answer(ended, context) else {
        let message = mentioned(ended, context)?;
        return Ok(message.map(Verdict::message).unwrap_or_default().into());
    };
    let Verdict { permission, reasons, stop, messages, .. } = verdict.clone();
    match () {
        () if agent::denies(&verdict) && context.can_deny() => {
            Ok(Verdict { permission, reasons, stop, messages, ..Verdict::default() }.into())
        }
        () if verdict == Verdict::default() => {
            Ok(mentioned(ended, context)?.map(Verdict::message).unwrap_or_default().into())
        }
        () => {
            let form = form.as_str();
            let reported = format!("a hook printed an answer, which is only read with `result: {form}`");
            Ok(Verdict::message(reported).into())
        }
    }
}

/// The answer that a handler prints in the form of an agent, and that form.
fn printed_answer(ended: &Ended, context: &ActionContext<'_>) -> Option<(ResultForm, Verdict)> {
    let capabilities = context.host.capabilities(context.name);
    agent::prints_object(&ended.stdout).then_some(())?;
    let ended = Ended { status: Status::Exited(0), ..ended.clone() };
    let forms = [ResultForm::Agent, ResultForm::Cursor, ResultForm::Copilot, ResultForm::Gemini];
    forms.into_iter().find_map(|form| {
        agent::handler_of(form.as_str(), &ended, &capabilities).ok().map(|verdict| (form, verdict))
    })
}

/// What to report about the output of a handler that is not read. If it succeeded and printed a decision there, it has
/// failed: its decision would be lost.
fn mentioned(ended: &Ended, context: &ActionContext<'_>) -> Result<Option<String>, ActionFailure> {
    match agent::lost(ended).filter(|_| ended.status.success()) {
        Some(Lost::Denial) => {
            let why = "it prints an object with a decision, which is only read with `result: agent`";
            Err(ActionFailure::closed_if(context.can_deny(), why.to_owned()))
        }
        Some(Lost::Mention(message)) => Ok(Some(message)),
        None => Ok(None),
    }
}

/// The result of a host; a value is interpreted.
fn answered(
    reply: HostReply,
    context: &ActionContext<'_>,
    interpret: impl FnOnce(&Value) -> Result<Verdict, ActionFailure>,
) -> HostReply {
    let outcome = reply.map_err(|failure| {
        // An agent that wants to stop cannot fix it, and would continue forever.
        let stops = failure.is_unsupported() && AgentEvent::from_name(context.name).is_stop();
        if stops { ActionFailure::open(failure.why) } else { failure }
    })?;
    let mut verdict = match outcome {
        Outcome::Value(value) => interpret(&value)?,
        Outcome::Verdict(verdict) => *verdict,
        other => return Ok(other),
    };
    if !context.can_deny() {
        if verdict.permission >= Some(Permission::Ask) {
            let reason = verdict.reason().map(|reason| format!(": {reason}")).unwrap_or_default();
            verdict.messages.push(format!("it denies, but {} cannot be denied{reason}", context.name));
            verdict.reasons.clear();
        }
        verdict.permission = None;
    }
    Ok(verdict.into())
}

/// A remote hook's answer.
fn remote_verdict(value: &Value) -> Result<Verdict, ActionFailure> {
    agent::prompted(value).map_err(|why| ActionFailure::closed(why).with_bare(UNREADABLE))
}

/// A model's answer: a yes or a no, and no text.
fn judged(reply: HostReply, continues: bool, context: &ActionContext<'_>) -> HostReply {
    answered(reply, context, |value| {
        if agent::is_text(value) {
            return Err(ActionFailure::closed(agent::TEXT_ANSWER));
        }
        let no_answer = || ActionFailure::closed(agent::NO_ANSWER);
        if !value.is_object() && !value.is_string() {
            return Err(no_answer());
        }
        let mut verdict = remote_verdict(value)?;
        if !agent::is_answer(value) {
            return Err(no_answer());
        }
        agent::refused(value, &mut verdict, context.name, continues);
        Ok(verdict)
    })
}
