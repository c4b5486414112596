//! Answers whose form is data ([`AnswerPart`]). An agent without such data that extends Claude Code has that agent's
//! answers, without what only Claude Code reads.

use hookc_schema::agents::{AnswerPart, Capability, Content, DenyingExit, Given, Id};
use serde_json::{Map, Value};

use super::object::{Json, Object};
use super::{Adapter, Answer, Incoming, Printed, capped, claude, joined, passed, refused};
use crate::event::Event;
use crate::verdict::{Permission, Verdict};

impl Adapter for Id {
    fn id(&self) -> Id {
        *self
    }

    fn answer(&self, incoming: &Incoming, verdict: &Verdict) -> Answer {
        let mut verdict = incoming.limited(verdict);
        (verdict.more, verdict.decision, verdict.terminal) = (Map::new(), Map::new(), None);
        let allows = self.agent().writes(&incoming.native, Capability::Allow);
        verdict.permission =
            verdict.permission.filter(|permission| *permission != Permission::Allow || allows);
        match self.agent().answer.as_slice() {
            [] => claude::answer(incoming, &verdict),
            parts => written(incoming, &verdict, parts),
        }
    }

    /// An agent that wants an answer in any case gets the one without an opinion.
    fn pass(&self, incoming: Option<&Incoming>, reason: &str) -> Answer {
        let is_neutral = |part: &AnswerPart| part.given == Given::Neutral;
        let Some(incoming) = incoming.filter(|_| self.agent().answer.iter().any(is_neutral)) else {
            return passed(incoming, reason);
        };
        self.answer(incoming, &Verdict { messages: vec![reason.to_owned()], ..Verdict::default() })
    }

    fn without_opinion(&self, event: Option<&str>) -> Answer {
        unread(*self, event).map(|incoming| self.answer(&incoming, &Verdict::default())).unwrap_or_default()
    }

    /// Where no exit status denies, the answer to an event before a tool does.
    fn refuse_unread(&self, event: Option<&str>, _: &[u8], reason: &str) -> Answer {
        let Some(incoming) = unread(*self, event) else { return self.refuse(None, reason) };
        match incoming.capabilities.can_deny() && incoming.denying_exit() != DenyingExit::Two {
            true => self.refuse(Some(&incoming), reason),
            false => self.refuse(None, reason),
        }
    }

    /// Where every exit status except 0 denies, the answer says so too: such an agent may read either.
    fn refuse(&self, incoming: Option<&Incoming>, reason: &str) -> Answer {
        let is_any = |incoming: &&Incoming| {
            incoming.capabilities.can_deny()
                && incoming.denying_exit() == DenyingExit::Any
                && !incoming.stops_again()
        };
        match incoming.filter(is_any) {
            Some(incoming) => {
                let answer = self.answer(incoming, &Verdict::deny(reason));
                Answer { stdout: answer.stdout, ..Answer::status(2, reason) }
            }
            None => refused(self, incoming, reason),
        }
    }
}

/// An event that was not read: that of the call, or else the one before a tool.
fn unread(id: Id, event: Option<&str>) -> Option<Incoming> {
    let agent = id.agent();
    let before = || agent.native("PreToolUse").map(|event| event.name.as_str());
    let native = event.or_else(before)?;
    let name = agent.translated(native).to_owned();
    Some(Incoming::new(agent, Event::new("{}"), name, native.to_owned()))
}

fn written(incoming: &Incoming, verdict: &Verdict, parts: &[AnswerPart]) -> Answer {
    let (mut object, mut printed, mut status) = (Object::default(), None, None);
    let mut shows_messages = false;
    for part in parts.iter().filter(|part| part.at.is_empty() || part.at.contains(&incoming.native)) {
        if !is_given(part.given, verdict) {
            continue;
        }
        for (path, content) in &part.put {
            shows_messages |= matches!(content, Content::Messages | Content::Notes);
            if let Some(value) = value(content, incoming, verdict) {
                object.put_at(path, value);
            }
        }
        printed = printed.or_else(|| text(part.print.as_ref()?, incoming, verdict));
        status = status.or(part.exit);
    }
    let mut answer = Answer::json(object);
    if let Some(text) = printed {
        answer.stdout = Printed::line(text);
    }
    if let Some(code) = status {
        let reason = verdict.stop.clone().or_else(|| verdict.reason()).unwrap_or_default();
        answer.code = code;
        answer.stderr = format!("{}\n", capped(&reason));
    }
    if shows_messages { answer } else { answer.with_messages(&verdict.messages) }
}

fn is_given(given: Given, verdict: &Verdict) -> bool {
    let has = |permission| verdict.permission == Some(permission);
    match given {
        Given::Allow => has(Permission::Allow),
        Given::Deny => has(Permission::Deny),
        Given::Ask => has(Permission::Ask),
        Given::Decision => verdict.permission.is_some(),
        Given::Neutral => verdict.permission.is_none() && verdict.stop.is_none(),
        Given::Modify => verdict.change.is_some(),
        Given::Inject => !verdict.contexts.is_empty(),
        Given::Output => verdict.output.is_some(),
        Given::Prompt => verdict.prompt.is_some(),
        Given::Stop => verdict.stop.is_some(),
        Given::Message => !verdict.messages.is_empty(),
    }
}

/// A value as plain text.
fn text(content: &Content, incoming: &Incoming, verdict: &Verdict) -> Option<String> {
    match value(content, incoming, verdict)? {
        Json::Value(Value::String(text)) => Some(text),
        _ => None,
    }
}

/// A value of the answer; `None` if the verdict has none.
fn value(content: &Content, incoming: &Incoming, verdict: &Verdict) -> Option<Json> {
    let value = match content {
        Content::Fixed(value) => Some(value.clone()),
        Content::Event => Some(Value::from(incoming.native.as_str())),
        Content::Decision => verdict.permission.map(|permission| Value::from(claude::word(permission))),
        Content::Reason => joined(&verdict.reasons),
        Content::Notes => {
            joined(&verdict.reasons.iter().chain(&verdict.messages).cloned().collect::<Vec<_>>())
        }
        Content::Messages => joined(&verdict.messages),
        Content::Context => joined(&verdict.contexts),
        Content::Input => {
            return verdict.change.as_ref().map(|change| incoming.changed_json(change));
        }
        Content::Output => verdict.output.clone(),
        Content::Prompt => verdict.prompt.clone().map(Value::from),
        Content::Stop => joined(verdict.stop.as_slice()),
    };
    value.map(Json::Value)
}
