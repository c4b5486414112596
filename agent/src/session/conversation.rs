//! The conversation of one agent, as the steps of the journal make it.

use serde_json::Value;

use super::Caller;
use crate::message::{Block, Message, Role, ToolCall, Usage, calls};
use crate::store::Step;

/// Events that are no limits, at which an agent can wait.
const EVENTS: [&str; 3] = ["before_step", "after_step", "context_window_pressure"];

/// The conversation of one agent with the model.
#[derive(Clone, Debug, Default)]
pub(crate) struct Conversation {
    /// Whose it is.
    pub(crate) caller: Caller,
    /// The messages.
    pub(crate) history: Vec<Message>,
    /// The turn of each message.
    pub(crate) turns: Vec<u64>,
    /// How many answers the model gave.
    pub(crate) turn: u64,
    /// The number of answers when the prompt was accepted, or a limit was raised.
    pub(crate) turn_of_prompt: u64,
    pub(crate) usage: Usage,
    /// Tokens of the last request and its answer.
    pub(crate) context_tokens: u64,
    /// The calls of the last answer, until all have a result.
    pub(crate) calls: Vec<OpenCall>,
    /// Whether the calls of a step are done, but not the hooks after it.
    pub(crate) owes_step_end: bool,
    /// How often hooks have prevented it from stopping since the prompt.
    pub(crate) continued: u64,
    /// The text of the last answer.
    pub(crate) last_text: String,
    pub(crate) stop_reason: Option<String>,
    /// The state of the thread policies, and of the agent's own defaults.
    pub(crate) policy_state: Option<Value>,
    pub(crate) default_state: Option<Value>,
    /// When the open escalation began, and its answer.
    pub(crate) escalated: Option<u64>,
    pub(crate) answer: Option<bool>,
    /// The limit, or the event of [`EVENTS`], at which it waits.
    pub(crate) limit: Option<String>,
    /// The event of [`EVENTS`] at which it has waited: it does not recur before the next answer.
    pub(crate) passed: Option<String>,
    /// Whether it has stopped by itself.
    pub(crate) is_finished: bool,
    /// A sub-agent in the background, and whether its result was delivered.
    pub(crate) is_background: bool,
    pub(crate) is_delivered: bool,
}

/// A call that has no final result yet.
#[derive(Clone, Debug)]
pub(crate) struct OpenCall {
    /// As the model wrote it; the input is the one that hooks have left.
    pub(crate) call: ToolCall,
    pub(crate) phase: Phase,
}

/// How far a call is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Phase {
    Planned,
    Started,
    Done { content: String, is_error: bool },
    Posted { content: String, is_error: bool, contexts: Vec<String> },
}

impl Conversation {
    /// A new one.
    pub(crate) fn new(caller: Caller) -> Self {
        Self { caller, ..Self::default() }
    }

    /// The key of its steps in the journal.
    pub(crate) fn key(&self) -> &str {
        self.caller.agent_id.as_deref().unwrap_or_default()
    }

    /// Whether something remains to do without another prompt.
    pub(crate) fn is_open(&self) -> bool {
        let last = self.history.last().map(|message| message.role);
        !self.is_finished && (!self.calls.is_empty() || last.is_some())
    }

    /// Whether the agent has waited at this event already.
    pub(crate) fn has_passed(&mut self, event: &str) -> bool {
        let has_passed = self.passed.as_deref() == Some(event);
        if has_passed {
            self.passed = None;
        }
        has_passed
    }

    /// Whether the model has answered without calls, so that the agent wants to stop.
    pub(crate) fn wants_to_stop(&self) -> bool {
        self.calls.is_empty() && self.history.last().is_some_and(|message| message.role == Role::Assistant)
    }

    /// What a step changes. Only this function changes a conversation.
    pub(crate) fn apply(&mut self, step: &Step) {
        match step {
            Step::Prompt { content } => {
                (self.is_finished, self.continued, self.turn_of_prompt) = (false, 0, self.turn);
                self.add(self.turn + 1, content.clone());
            }
            Step::Note { text, .. } | Step::Delivered { text } => {
                self.add(self.turn + 1, vec![Block::text(text)]);
            }
            Step::Continue { text } => {
                self.continued += 1;
                self.add(self.turn + 1, vec![Block::text(text)]);
            }
            Step::Reply { content, stop_reason, usage, .. } => {
                self.reply(content, stop_reason, *usage);
            }
            Step::ToolStarted { id, input } => {
                if let Some(open) = self.calls.iter_mut().find(|open| open.call.id == *id) {
                    (open.call.input, open.phase) = (input.clone(), Phase::Started);
                }
            }
            Step::ToolDone { id, content, is_error } => {
                self.phase(id, Phase::Done { content: content.clone(), is_error: *is_error });
            }
            Step::ToolPosted { id, content, is_error, contexts } => {
                let (content, is_error, contexts) = (content.clone(), *is_error, contexts.clone());
                self.phase(id, Phase::Posted { content, is_error, contexts });
                self.collect();
            }
            Step::Compacted { summary, first_kept } => self.compact(summary, *first_kept),
            Step::Thread { policy, defaults, since } => {
                self.policy_state = Some(policy.clone());
                self.default_state = Some(defaults.clone());
                (self.escalated, self.answer) = (*since, None);
            }
            Step::Answered { approved } => self.answer = Some(*approved),
            Step::Waiting { limit } => self.limit = Some(limit.clone()),
            Step::Raised { limit } => {
                self.limit = None;
                match EVENTS.contains(&limit.as_str()) {
                    true => self.passed = Some(limit.clone()),
                    false => self.turn_of_prompt = self.turn,
                }
            }
            Step::Finished { .. } => self.is_finished = true,
            Step::HooksEnded {} => self.owes_step_end = false,
            Step::Session { .. }
            | Step::Options { .. }
            | Step::Directive(_)
            | Step::SessionStarted { .. }
            | Step::Agent { .. }
            | Step::Spent { .. }
            | Step::Child(_)
            | Step::ChildrenDone { .. }
            | Step::Notified { .. }
            | Step::Disabled { .. }
            | Step::Workflow(_) => {}
        }
    }

    fn reply(&mut self, content: &[Block], stop_reason: &str, usage: Usage) {
        self.turn += 1;
        (self.owes_step_end, self.passed) = (false, None);
        self.usage.add(usage);
        self.context_tokens = usage.total();
        self.stop_reason = Some(stop_reason.to_owned());
        self.last_text = crate::message::texts(content);
        let planned = |call| OpenCall { call, phase: Phase::Planned };
        self.calls = calls(content).into_iter().map(planned).collect();
        self.history.push(Message { role: Role::Assistant, content: content.to_vec() });
        self.turns.push(self.turn);
    }

    fn phase(&mut self, id: &str, phase: Phase) {
        if let Some(open) = self.calls.iter_mut().find(|open| open.call.id == id) {
            open.phase = phase;
        }
    }

    /// If all calls have their results, these become a message.
    fn collect(&mut self) {
        let (mut results, mut more) = (Vec::new(), Vec::new());
        for open in &self.calls {
            let Phase::Posted { content, is_error, contexts } = &open.phase else { return };
            results.push(Block::ToolResult {
                tool_use_id: open.call.id.clone(),
                content: content.clone(),
                is_error: *is_error,
            });
            more.extend(contexts.iter().map(Block::text));
        }
        self.calls.clear();
        self.owes_step_end = true;
        results.append(&mut more);
        self.add(self.turn, results);
    }

    /// Adds to the last message, if that is the user's too: endpoints expect the roles in turn.
    fn add(&mut self, turn: u64, mut content: Vec<Block>) {
        match self.history.last_mut() {
            Some(last) if last.role == Role::User => last.content.append(&mut content),
            _ => {
                self.history.push(Message { role: Role::User, content });
                self.turns.push(turn);
            }
        }
    }

    fn compact(&mut self, summary: &str, first_kept: u64) {
        let kept = self.turns.iter().position(|turn| *turn >= first_kept).unwrap_or(self.history.len());
        let text = format!("A summary of the conversation so far:\n\n{summary}");
        let rest: Vec<Message> = self.history.drain(..).skip(kept).collect();
        let turns: Vec<u64> = self.turns.drain(..).skip(kept).collect();
        self.history.push(Message::user(text));
        self.turns.push(first_kept.saturating_sub(1));
        for (message, turn) in rest.into_iter().zip(turns) {
            match message.role {
                Role::User => self.add(turn, message.content),
                Role::Assistant => {
                    self.history.push(message);
                    self.turns.push(turn);
                }
            }
        }
        self.context_tokens = 0;
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{Conversation, Phase};
    use crate::message::{Block, Role, Usage};
    use crate::store::Step;

    fn call(id: &str) -> Block {
        Block::ToolUse { id: id.to_owned(), name: "Bash".to_owned(), input: json!({}), invalid: None }
    }

    fn reply(content: Vec<Block>) -> Step {
        Step::Reply { content, stop_reason: "x".to_owned(), usage: Usage::default(), position: None }
    }

    fn posted(id: &str) -> Step {
        Step::ToolPosted { id: id.to_owned(), content: id.to_owned(), is_error: false, contexts: vec![] }
    }

    #[test]
    fn results_become_a_message_when_all_are_there() {
        let mut conversation = Conversation::default();
        assert!(!conversation.is_open());
        conversation.apply(&Step::Prompt { content: vec![Block::text("go")] });
        conversation.apply(&reply(vec![call("a"), call("b")]));
        conversation.apply(&posted("b"));
        assert_eq!((conversation.history.len(), conversation.calls[0].phase.clone()), (2, Phase::Planned));
        conversation.apply(&posted("a"));
        assert_eq!((conversation.history.len(), conversation.calls.len()), (3, 0));
        let Block::ToolResult { tool_use_id, .. } = &conversation.history[2].content[0] else { panic!() };
        assert_eq!(tool_use_id, "a");
    }

    #[test]
    fn a_summary_keeps_calls_with_their_results() {
        let mut conversation = Conversation::default();
        conversation.apply(&Step::Prompt { content: vec![Block::text("go")] });
        for id in ["a", "b", "c"] {
            conversation.apply(&reply(vec![call(id)]));
            conversation.apply(&posted(id));
        }
        conversation.apply(&Step::Compacted { summary: "s".to_owned(), first_kept: 3 });
        let roles: Vec<Role> = conversation.history.iter().map(|message| message.role).collect();
        assert_eq!(roles, [Role::User, Role::Assistant, Role::User]);
        assert!(conversation.history[0].text().ends_with("s") && conversation.is_open());
    }
}
