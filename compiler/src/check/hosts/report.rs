//! How it is reported that an agent cannot execute an action.

use hookc_base::action::Kind;
use hookc_schema::agents::{self, Agent, Capability};
use hookc_schema::tree::{Hook, OnError, OnFailure};
use hookc_schema::{Code, Diagnostic, Spanned};

use super::outcome::Outcome;
use crate::names::joined;

/// A hook at one of its events.
pub(super) struct Report<'h> {
    pub(super) hook: &'h Hook,
    pub(super) event: &'h Spanned<String>,
}

impl Report<'_> {
    fn kind(&self) -> &str {
        &self.hook.action.kind.node
    }

    /// No agent that is known can do it.
    pub(super) fn no_agent(&self, outcome: &Outcome) -> Diagnostic {
        let does = if matches!(outcome, Outcome::Fails { .. }) { "executes" } else { "supports" };
        let what = format!("no agent {does} `{}` at `{}`", self.kind(), self.event.node);
        let hosts: Vec<&'static Agent> = agents::answered().collect();
        self.diagnostic(Code::W0430, what, outcome, &hosts)
    }

    /// These agents cannot do it.
    pub(super) fn at_agents(&self, outcome: &Outcome, agents: &[&'static Agent]) -> Diagnostic {
        let (code, what) = finding(outcome, agents, &self.event.node, self.kind());
        self.diagnostic(code, what, outcome, agents)
    }

    fn diagnostic(
        &self,
        code: Code,
        what: String,
        outcome: &Outcome,
        agents: &[&'static Agent],
    ) -> Diagnostic {
        let (kind, event) = (self.hook.action.kind.span, self.event.span);
        let span = if *outcome == Outcome::NoEvent { event } else { kind };
        let new = Diagnostic::new(code, span, what).with_label(label(outcome));
        let new = if event == span { new } else { new.also(event, "at this event") };
        new.note(self.note(outcome)).help(self.help(outcome, agents))
    }

    /// What would happen at run time.
    fn note(&self, outcome: &Outcome) -> String {
        let opens = match (self.hook.on_failure, self.hook.on_error) {
            (Some(on), _) => on.node == OnFailure::Open,
            (None, Some(on)) => on.node == OnError::Skip,
            (None, None) => false,
        };
        let text = match outcome {
            Outcome::NoEvent => "the hook would never run",
            Outcome::Fails { denied: true } if !opens => {
                "`hookc run` fails the hook, which denies every event that it matches"
            }
            Outcome::Fails { .. } => {
                "`hookc run` fails the hook and shows the reason to the user; the event continues"
            }
            Outcome::Denied(Capability::Modify) => {
                "`hookc run` denies the event, because it cannot change the input"
            }
            Outcome::Denied(_) => "`hookc run` denies the event, because it cannot ask the user",
            Outcome::Lost(Capability::Deny) => {
                "`hookc run` shows the reason to the user, and the event continues"
            }
            Outcome::Lost(_) => "`hookc run` shows the request to the user, and the event continues",
            Outcome::Dropped(_) => {
                "the agent drops what hooks answer to this event, as it documents; `hookc run` answers \
                 nevertheless, for versions that read it"
            }
            Outcome::Limited(caveat) => *caveat,
            Outcome::Named(event) => {
                return format!("the agent takes another prompt only at its event `{event}`");
            }
            Outcome::NoEffect(Capability::Allow) | Outcome::Done => "the agent asks the user as usual",
            Outcome::NoEffect(_) => "`hookc run` shows the text to the user; the model does not read it",
        };
        text.to_owned()
    }

    /// What to write instead.
    fn help(&self, outcome: &Outcome, agents: &[&'static Agent]) -> String {
        let deny_or = |what: &str, capability| match events(agents, capability) {
            Some(events) => format!("write `deny`, or {what} at {events}"),
            None => "write `deny`".to_owned(),
        };
        let elsewhere = |what: &str, capability| match events(agents, capability) {
            Some(events) => format!("{what} at {events}"),
            None => format!("remove the hook: {} cannot {what} at any event", names(agents)),
        };
        match outcome {
            Outcome::NoEvent => "remove the event, or keep the hook for the agents that send it".to_owned(),
            Outcome::Fails { denied } => self.instead(*denied, agents),
            Outcome::Denied(Capability::Modify) => deny_or("change the input", Capability::Modify),
            Outcome::Denied(_) if self.event.node == "PreToolUse" => {
                let others = others(agents, &self.event.node, Capability::Ask);
                format!("write `deny`, or keep the hook for agents that can ask{others}")
            }
            Outcome::Denied(capability) => deny_or("ask", *capability),
            Outcome::Lost(Capability::Ask) => elsewhere("ask", Capability::Ask),
            Outcome::Lost(Capability::Modify) => elsewhere("change the input", Capability::Modify),
            Outcome::Lost(_) | Outcome::Dropped(Capability::Deny) => elsewhere("deny", Capability::Deny),
            Outcome::NoEffect(Capability::Inject) | Outcome::Dropped(Capability::Inject) => {
                elsewhere("inject", Capability::Inject)
            }
            Outcome::Named(event) => {
                format!("replace the member `prompt`, and install the policy with `--event {event}`")
            }
            Outcome::NoEffect(_) | Outcome::Dropped(_) | Outcome::Limited(_) | Outcome::Done => {
                "remove the hook, or keep it for agents that read it".to_owned()
            }
        }
    }

    /// What to write for an action that `hookc run` cannot execute.
    fn instead(&self, denied: bool, agents: &[&'static Agent]) -> String {
        let asks = agents
            .iter()
            .any(|agent| agent.events_of(&self.event.node).any(|native| native.can(Capability::Ask)));
        match self.hook.action.known() {
            Some(Kind::Escalate | Kind::Suspend) if asks => "write `ask`: the user decides".to_owned(),
            Some(Kind::Escalate | Kind::Suspend) if denied => {
                "write `deny`, or start a program with `run`".to_owned()
            }
            Some(Kind::Prompt | Kind::Agent | Kind::Http | Kind::McpTool) => {
                "start a program with `run`, or put a handler of this type into the agent's own settings"
                    .to_owned()
            }
            _ => "start a program with `run`; only threads and workflows have this action".to_owned(),
        }
    }
}

/// What agents cannot do, with the code for it.
fn finding(outcome: &Outcome, agents: &[&'static Agent], event: &str, kind: &str) -> (Code, String) {
    let names = names(agents);
    let form = |one, several| number(agents, one, several);
    match outcome {
        Outcome::NoEvent => (Code::W0434, format!("{names} never {} `{event}`", form("sends", "send"))),
        Outcome::Fails { .. } => (Code::E0431, format!("{names} cannot execute `{kind}` at `{event}`")),
        Outcome::Dropped(Capability::Deny) => {
            let (ignores, it) = (form("ignores", "ignore"), form("it", "they"));
            let what =
                format!("{names} {ignores} the answer of hooks at `{event}`, so {it} cannot deny the event");
            (Code::E0431, what)
        }
        Outcome::Lost(Capability::Deny) => (Code::E0431, format!("{names} cannot deny `{event}`")),
        Outcome::Lost(_) => {
            (Code::E0431, format!("{names} {} not support `{kind}` at `{event}`", form("does", "do")))
        }
        Outcome::Denied(_) => {
            (Code::W0432, format!("{names} {} instead of `{kind}` at `{event}`", form("denies", "deny")))
        }
        Outcome::Limited(_) => {
            (Code::W0433, format!("`{kind}` does less than it says at `{event}` of {names}"))
        }
        Outcome::NoEffect(_) | Outcome::Dropped(_) | Outcome::Named(_) | Outcome::Done => {
            (Code::W0433, format!("`{kind}` has no effect at `{event}` of {names}"))
        }
    }
}

/// The text of E0431.
pub(super) fn unsupported(
    outcome: &Outcome,
    agent: &'static Agent,
    event: &str,
    kind: &str,
) -> Option<String> {
    let (code, what) = finding(outcome, &[agent], event, kind);
    (code == Code::E0431).then_some(what)
}

fn label(outcome: &Outcome) -> &'static str {
    match outcome {
        Outcome::NoEvent => "never sent",
        Outcome::Fails { .. } => "always fails",
        Outcome::Denied(_) => "always denied",
        Outcome::Lost(_) | Outcome::Dropped(Capability::Deny) => "does not deny",
        Outcome::Limited(_) => "limited",
        Outcome::NoEffect(_) | Outcome::Dropped(_) | Outcome::Named(_) | Outcome::Done => "no effect",
    }
}

/// `Claude Code`; `Codex CLI and Cursor`; `Codex CLI, Cursor and Gemini CLI`.
fn names(agents: &[&'static Agent]) -> String {
    joined(&agents.iter().map(|agent| agent.label.clone()).collect::<Vec<_>>())
}

/// The form of a word for one agent or for several.
fn number<'w>(agents: &[&'static Agent], one: &'w str, several: &'w str) -> &'w str {
    if agents.len() == 1 { one } else { several }
}

/// How many events a help names.
const NAMED: usize = 4;

/// The events of the vocabulary at which all of these agents can do it, as far as any can.
fn events(agents: &[&'static Agent], capability: Capability) -> Option<String> {
    let can = |agent: &Agent, event: &str| {
        agent.events_of(event).next().is_some_and(|native| native.can(capability))
    };
    let events = agents.first().into_iter().flat_map(|agent| &agent.events);
    let mut found: Vec<&str> = Vec::new();
    for event in events.map(|native| native.event.as_str()) {
        let most = agents.iter().filter(|agent| can(agent, event)).count();
        if most > 0 && (most == agents.len() || agents.len() > 2) && !found.contains(&event) {
            found.push(event);
        }
    }
    let (last, rest) = found.get(..found.len().min(NAMED))?.split_last()?;
    let more = if found.len() > NAMED { " and others" } else { "" };
    Some(match rest {
        [] => format!("`{last}`"),
        _ if more.is_empty() => format!("`{}` or `{last}`", rest.join("`, `")),
        _ => format!("`{}`, `{last}`{more}", rest.join("`, `")),
    })
}

/// The agents' other names of the event under which they can.
fn others(agents: &[&'static Agent], event: &str, capability: Capability) -> String {
    let natives = agents.iter().flat_map(|agent| agent.events_of(event).skip(1));
    let names: Vec<String> = natives
        .filter(|native| native.can(capability))
        .map(|native| format!("`--event {}`", native.name))
        .collect();
    match names.as_slice() {
        [] => String::new(),
        names => format!(" (this agent does if installed with {})", names.join(" or ")),
    }
}
