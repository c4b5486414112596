//! Calls of hookc in the settings of agents that cannot do what they are for: the line keeps the event from them, or their
//! answer from the agent (W0685), or discards the status with which a failure denies (W0629).

mod commands;
mod streams;
mod walk;
mod words;

use std::borrow::Cow;

use hookc_schema::agents::{
    self, Agent, Capability, DenialStyle, DenyingExit, Event, Given, UnstartedDenial, ZeroTimeout,
};
use hookc_schema::tree::Hook;
use hookc_schema::value::{Kind, Value};
use hookc_schema::{Code, Diagnostic, Diagnostics, Span};
use hookc_shell::programs::interpreters::is_shell;

use super::exit_status::reader;

use walk::{Cause, Fate, Way, fates};

/// A shorter time is no time for an answer.
const SHORTEST: f64 = 0.1;

/// What a line does to a call.
struct Fault {
    code: Code,
    cause: Cause,
    what: String,
    label: &'static str,
    leads_to: String,
    help: &'static str,
}

/// Checks a handler that an agent runs. Returns whether it calls hookc.
pub(super) fn check(hook: &Hook, agent: Option<&'static str>, out: &mut Diagnostics) -> bool {
    // Settings without a path may be those of Claude Code; a policy has its own handlers.
    let by_result = || reader(hook.param("result")?.as_str()?);
    let agent = agent.or_else(by_result).filter(|_| !hook.action.templates).and_then(agents::by_name);
    let native = agent.and_then(|agent| hook.events.iter().find_map(|event| agent.native(&event.node)));
    let words = hook.param("argv");
    let command = words.or_else(|| hook.param("command"));
    let (Some(agent), Some(native), Some(command)) = (agent, native, command) else { return false };
    let is_of_sh = |shell: &Value| shell.as_str().is_some_and(is_shell);
    if !hook.param("shell").is_none_or(is_of_sh) {
        return false;
    }
    let texts = |list: &'_ Value| -> Vec<String> {
        list.items().iter().filter_map(Value::as_str).map(str::to_owned).collect()
    };
    let args = hook.param("args");
    let line = match (words, command.as_str(), args) {
        (Some(words), ..) => Cow::Owned(quoted(&texts(words))),
        (None, Some(program), Some(args)) => {
            Cow::Owned(quoted(&[vec![program.to_owned()], texts(args)].concat()))
        }
        (None, Some(line), None) => Cow::Borrowed(line),
        (None, None, _) => return false,
    };
    let fates = fates_of(&line, native);
    let span = |cause: &Cause| match cause {
        Some(range) if words.is_none() && args.is_none() => command.span_within(range.clone()),
        _ => command.span,
    };
    let limit = hook.param("timeout").and_then(seconds).filter(|_| !fates.is_empty());
    let too_short = || own_limit(limit?, agent, native);
    out.extend(fault(&fates, agent, native).or_else(too_short).map(|fault| fault.diagnostic(span)));
    if fates.is_empty() {
        out.extend(other_verb(&line, agent, native).map(|fault| fault.diagnostic(span)));
    }
    !fates.is_empty()
}

/// A call of hookc that decides about an event, and whose output no agent reads.
fn other_verb(line: &str, agent: &Agent, native: &Event) -> Option<Fault> {
    let verb = OTHER_VERBS.iter().find(|verb| line.contains(*verb))?;
    let found = fates(line, is_other_verb, native.exit());
    (!found.is_empty()).then(|| Fault {
        code: Code::W0685,
        cause: None,
        what: format!("`hookc {verb}` does not answer an agent"),
        label: "not `hookc run`",
        leads_to: passes(agent, native),
        help: "write `hookc run --host NAME POLICY`, or run `hookc install`",
    })
}

/// Verbs that decide about an event, for people.
const OTHER_VERBS: [&str; 3] = ["eval", "explain", "replay"];

fn is_other_verb(words: &[&str]) -> bool {
    let name = words.first().and_then(|program| program.rsplit(['/', '\\']).next());
    let verb = words.iter().skip(1).find(|word| !word.starts_with('-'));
    name == Some("hookc") && verb.is_some_and(|verb| OTHER_VERBS.contains(verb))
}

/// What is wrong with the calls of hookc in a script that an agent runs at one of its events.
#[must_use]
pub fn in_script(text: &str, agent: &Agent, event: &str) -> Option<Diagnostic> {
    let native = agent.event(event)?;
    let fault = fault(&fates_of(text, native), agent, native)?;
    Some(fault.diagnostic(|_| Span::default()))
}

fn fates_of(line: &str, native: &Event) -> Vec<Fate> {
    if line.contains("run") { fates(line, is_call, native.exit()) } else { Vec::new() }
}

/// What a line does to its calls, if that is wrong of each of them.
fn fault(fates: &[Fate], agent: &Agent, native: &Event) -> Option<Fault> {
    let first = |found: Option<Vec<Fault>>| found.and_then(|found| found.into_iter().next());
    let dead = first(fates.iter().map(|fate| lost(fate, agent, native)).collect());
    dead.or_else(|| first(fates.iter().map(|fate| lost_status(fate, agent, native)).collect()))
}

impl Fault {
    fn diagnostic(self, span: impl Fn(&Cause) -> Span) -> Diagnostic {
        let new = Diagnostic::new(self.code, span(&self.cause), self.what).with_label(self.label);
        new.note(self.leads_to).help(self.help)
    }
}

/// Whether the words of a command are a call of `hookc run`, under whatever name.
fn is_call(words: &[&str]) -> bool {
    let Some((program, rest)) = words.split_first() else { return false };
    let name = program.rsplit(['/', '\\']).next().unwrap_or(program);
    let mut options = rest.iter().enumerate();
    let host = options.find_map(|(at, word)| match *word {
        "--host" => rest.get(at.saturating_add(1)).copied(),
        word => word.strip_prefix("--host="),
    });
    let is_known = host.is_some_and(|host| agents::by_name(host).is_some());
    rest.contains(&"run") && (is_known || matches!(name, "hookc" | "hookc.exe"))
}

/// Why a call does not get the event, or the agent not the answer.
fn lost(fate: &Fate, agent: &Agent, native: &Event) -> Option<Fault> {
    let fault = |cause: &Cause, what: &str, label, help| {
        Some(Fault {
            code: Code::W0685,
            cause: cause.clone(),
            what: what.to_owned(),
            label,
            leads_to: passes(agent, native),
            help,
        })
    };
    if let Way::Lost(cause) = &fate.runs {
        return fault(cause, "this call of hookc never runs", "because of this", "write the call alone");
    }
    if let Way::Lost(cause) = &fate.is_awaited {
        let help = "remove the `&`: the agent waits for the call";
        return fault(cause, "nothing waits for this call of hookc", "it runs in the background", help);
    }
    if let Way::Lost(cause) = &fate.input {
        let help = "remove it: the agent writes the event to the standard input of the line";
        return fault(cause, "this call of hookc does not get the event", "takes its input", help);
    }
    if let Some(limit) = fate.limit.map(|limit| limit.as_secs_f64()).filter(|limit| *limit < SHORTEST) {
        return Some(too_short(limit, agent, native));
    }
    if !Capability::ALL.iter().any(|capability| native.is_written(*capability)) {
        return None;
    }
    match (is_by_status(agent, native), &fate.status, &fate.output, &fate.is_alone) {
        (true, Way::Lost(cause), ..) => {
            let what = "the status with which this call of hookc denies is discarded";
            fault(cause, what, "the line ends with another status", "remove it: the agent reads the status")
        }
        (false, _, Way::Lost(cause), _) => {
            let help = "remove it: the agent reads the answer from the standard output of the line";
            fault(cause, "the answer of this call of hookc is lost", "it goes elsewhere", help)
        }
        (false, ..) if agent.ignores_exit.is_none() && matches!(fate.success, Way::Lost(_)) => {
            let Way::Lost(cause) = &fate.success else { return None };
            let what = "the line fails after this call of hookc: its answer is not read";
            fault(cause, what, "fails", "remove it: the agent reads an answer if the line ends with 0")
        }
        (false, _, _, Way::Lost(cause)) => {
            let what = "another text is next to the answer of this call of hookc";
            fault(cause, what, "printed too", "write the text to standard error: `>&2`")
        }
        _ => None,
    }
}

/// A call that is ended after some seconds, without an answer.
fn too_short(limit: f64, agent: &Agent, native: &Event) -> Fault {
    Fault {
        code: Code::W0685,
        cause: None,
        what: format!("this call of hookc is ended after {limit} s, before it answers"),
        label: "too short",
        leads_to: passes(agent, native),
        help: "remove `timeout`: hookc ends in time for the agent",
    }
}

/// A handler's own timeout with which its call of hookc cannot answer.
fn own_limit(limit: f64, agent: &Agent, native: &Event) -> Option<Fault> {
    if limit != 0.0 {
        return (limit > 0.0 && limit < SHORTEST).then(|| too_short(limit, agent, native));
    }
    let new = too_short(limit, agent, native);
    Some(match agent.zero_timeout? {
        ZeroTimeout::End => new,
        ZeroTimeout::Drop => {
            Fault { what: format!("{} ignores a handler with a timeout of 0", agent.label), ..new }
        }
    })
}

/// The seconds of a timeout.
fn seconds(timeout: &Value) -> Option<f64> {
    let Kind::Num(number) = &timeout.kind else { return None };
    number.0.parse().ok()
}

/// Where a failure of a call does not deny, although the agent would read its status.
fn lost_status(fate: &Fate, agent: &Agent, native: &Event) -> Option<Fault> {
    let is_read = agent.denial_without_program(&native.name) == Some(UnstartedDenial::ExitStatus);
    let Way::Lost(cause) = &fate.status else { return None };
    (is_read && native.can(Capability::Deny)).then(|| Fault {
        code: Code::W0629,
        cause: cause.clone(),
        what: "the exit status of this call of hookc is discarded".to_owned(),
        label: "the line ends with another status",
        leads_to: format!("`{}` passes at {} if hookc is missing or fails", native.name, agent.label),
        help: "write `|| exit 2` directly after the call, and nothing else",
    })
}

/// Whether an agent denies by the exit status alone.
fn is_by_status(agent: &Agent, native: &Event) -> bool {
    let is_here = |at: &[String]| at.is_empty() || at.contains(&native.name);
    let mut denials = agent.answer.iter().filter(|part| part.given == Given::Deny && is_here(&part.at));
    let is_exit = denials.next().map(|part| part.exit.is_some());
    native.exit() != DenyingExit::None && is_exit.unwrap_or(native.denial == DenialStyle::Status)
}

/// What an agent does without an answer.
fn passes(agent: &Agent, native: &Event) -> String {
    match native.can(Capability::Deny) {
        true => format!("{} does not get the denials of the policy at `{}`", agent.label, native.name),
        false => format!("{} does not get what the policy answers to `{}`", agent.label, native.name),
    }
}

/// A line with these words.
fn quoted(words: &[String]) -> String {
    let words: Vec<String> = words.iter().map(|word| format!("'{}'", word.replace('\'', "'\\''"))).collect();
    words.join(" ")
}
