//! Threads that hooks of this session start (`call_directive`): they are continued, not started again,
//! if the session was left while they ran. And notifications from below.

use hookc_runtime::action::CallDirective;
use hookc_runtime::host::EventContext;
use serde_json::Value;

use super::{Caller, Conversation, Session};
use crate::failure::Failure;
use crate::id;
use crate::message::Usage;
use crate::model::ModelError;
use crate::store::{Child, Step};

/// A thread whose result was not used yet.
#[derive(Clone, Debug)]
pub(super) struct OpenThread {
    /// The agent whose event it is.
    pub(super) agent: String,
    pub(super) child: Child,
    /// Its tokens that are counted already.
    pub(super) spent: Usage,
    /// Whether the hooks of the current event have called it: a second call is another thread.
    is_called: bool,
    is_waiting: bool,
}

impl OpenThread {
    pub(super) fn new(agent: &str, child: Child) -> Self {
        Self { agent: agent.to_owned(), child, spent: Usage::default(), is_called: false, is_waiting: false }
    }
}

impl Session {
    /// The thread of a directive that a hook calls: the one that was left, or a new one.
    ///
    /// # Errors
    /// The state cannot be saved.
    pub(crate) fn thread_of(
        &self,
        caller: &Caller,
        call: &CallDirective,
        context: &EventContext<'_>,
    ) -> Result<String, Failure> {
        let agent = caller.agent_id.clone().unwrap_or_default();
        let is_left = |open: &&mut OpenThread| {
            let Child { hook, directive, parameters, .. } = &open.child;
            let is_own = *hook == context.hook.label && *directive == call.directive;
            open.agent == agent && !open.is_called && is_own && *parameters == call.parameters
        };
        let mut state = self.state();
        if let Some(left) = state.threads.iter_mut().find(is_left) {
            left.is_called = true;
            return Ok(left.child.thread.clone());
        }
        drop(state);
        let child = Child {
            thread: id::uuid(),
            hook: context.hook.label.clone(),
            directive: call.directive.clone(),
            parameters: call.parameters.clone(),
            event: context.event.value().clone(),
            position: self.model.position(),
        };
        self.write(&agent, Step::Child(child.clone()))?;
        let thread = child.thread.clone();
        self.state().threads.push(OpenThread { is_called: true, ..OpenThread::new(&agent, child) });
        Ok(thread)
    }

    /// Counts the tokens of a thread that have not been counted yet.
    ///
    /// # Errors
    /// The state cannot be saved.
    pub(crate) fn thread_spent(
        &self,
        thread: &str,
        usage: Usage,
        started: std::time::Instant,
    ) -> Result<(), Failure> {
        let counted =
            self.state().threads.iter().find(|open| open.child.thread == thread).map(|own| own.spent);
        let counted = counted.unwrap_or_default();
        let new = Usage {
            input_tokens: usage.input_tokens.saturating_sub(counted.input_tokens),
            output_tokens: usage.output_tokens.saturating_sub(counted.output_tokens),
        };
        self.spend(new, started);
        self.state().child_spent(thread, new);
        self.note(Step::Spent {
            usage: new,
            position: self.model.position(),
            thread: Some(thread.to_owned()),
        })
    }

    /// A thread that a hook has started waits, or was interrupted.
    pub(crate) fn thread_waits(&self, thread: &str) {
        for open in self.state().threads.iter_mut().filter(|own| own.child.thread == thread) {
            open.is_waiting = true;
        }
    }

    /// The hooks of an agent's event have been called: the threads that they have called, and whether
    /// one of these waits.
    pub(super) fn threads_called(&self, agent: &str) -> (Vec<String>, bool) {
        let mut state = self.state();
        let (mut called, mut waits) = (Vec::new(), false);
        for thread in state.threads.iter_mut().filter(|own| own.agent == agent && own.is_called) {
            called.push(thread.child.thread.clone());
            waits |= thread.is_waiting;
            (thread.is_called, thread.is_waiting) = (false, false);
        }
        state.child_waits = waits;
        (called, waits)
    }

    /// The results of threads for a summary were used, if there were some.
    pub(super) fn compaction_done(&self) -> Option<Step> {
        let threads = std::mem::take(&mut self.state().compacting);
        self.state().children_done(&threads);
        (!threads.is_empty()).then_some(Step::ChildrenDone { threads })
    }

    /// The error of the model at which the session was left, if a thread handles it.
    pub(super) fn left_error(&self, agent: &Conversation) -> Option<(ModelError, u64)> {
        let state = self.state();
        let thread = state.threads.iter().find(|own| own.agent == agent.key() && !own.is_called)?;
        let event = &thread.child.event;
        (event.pointer("/event/type").and_then(Value::as_str) == Some("error")).then_some(())?;
        let retries = event.get("retries").and_then(Value::as_u64).unwrap_or_default();
        Some((ModelError::from_value(event.get("error")?), retries))
    }

    /// Notifies an agent of this session: its model reads the text with the next request.
    ///
    /// # Errors
    /// The state cannot be saved.
    pub(crate) fn notify(&self, agent: &str, text: &str) -> Result<(), Failure> {
        self.note(Step::Notified { to: agent.to_owned(), text: text.to_owned() })?;
        self.state().notices.push((agent.to_owned(), text.to_owned()));
        Ok(())
    }

    /// Adds the notifications for an agent to its conversation.
    pub(super) fn deliver_notices(&self, agent: &mut Conversation) -> Result<(), Failure> {
        loop {
            let next = self.state().next_notice(agent.key());
            let Some(text) = next else { return Ok(()) };
            self.record(agent, Step::Delivered { text })?;
        }
    }
}
