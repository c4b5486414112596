//! Asks the model, and retries after an error if the policy requires it.

use std::collections::HashSet;
use std::sync::Arc;
use std::time::{Duration, Instant};

use hookc_runtime::thread::Step as Next;
use serde_json::{Map, json};

use super::{Conversation, End, Session};
use crate::failure::Failure;
use crate::message::{Block, ToolSpec};
use crate::model::{Delta, ModelError, Reply, Request};
use crate::output::Event;
use crate::{classify, signals};

/// A longer wait before a retry ends the run.
const LONGEST_WAIT: Duration = Duration::from_secs(600);

impl Session {
    /// The next answer for a conversation, or how it ends without one.
    pub(super) fn ask(
        self: &Arc<Self>,
        agent: &mut Conversation,
        tools: &[ToolSpec],
    ) -> Result<Result<Reply, End>, Failure> {
        let (origin, system) = (agent.caller.origin(), self.system());
        let mut retries = 0_u64;
        // A thread that handles an error is continued before the model is asked again.
        let mut left = self.left_error(agent);
        loop {
            let started = Instant::now();
            let max_tokens = self.limits.output_tokens;
            let request = Request { system: &system, messages: &agent.history, tools, max_tokens };
            let mut sink = |delta: Delta| self.output.event(&origin, &Event::Delta(delta));
            let asked = match left.take() {
                Some((error, made)) => {
                    retries = made;
                    Err(error)
                }
                None => self.model.ask(&request, &mut sink),
            };
            match asked {
                Ok(mut reply) => {
                    make_ids_unique(&mut reply.content);
                    self.spend(reply.usage, started);
                    self.thread_succeeded(agent)?;
                    return Ok(Ok(reply));
                }
                Err(_) if signals::interrupted().is_some() => {
                    return Ok(Err(End::Interrupted(signals::interrupted().unwrap_or_default())));
                }
                Err(error) => match self.failed(agent, &error, retries)? {
                    Ok(wait) => {
                        self.output.event(&origin, &Event::Error { error, retry_ms: Some(millis(wait)) });
                        self.wait(wait);
                        retries += 1;
                    }
                    Err(end) => {
                        self.output.event(&origin, &Event::Error { error, retry_ms: None });
                        return Ok(Err(end));
                    }
                },
            }
        }
    }

    /// The wait until the next try, or the end.
    fn failed(
        self: &Arc<Self>,
        agent: &mut Conversation,
        error: &ModelError,
        retries: u64,
    ) -> Result<Result<Duration, End>, Failure> {
        let mut more = Map::new();
        more.insert("error".to_owned(), error.to_value());
        more.insert("classification".to_owned(), classify::classification(error));
        more.insert("retries".to_owned(), retries.into());
        let step = self.thread_event(agent, "error", more)?;
        if let Some(code) = signals::interrupted() {
            return Ok(Err(End::Interrupted(code)));
        }
        let end = match step {
            Next::Retry { after, .. } if after > LONGEST_WAIT => End::Failed(format!(
                "{error}; the next try would be in {} s, more than {} s",
                after.as_secs(),
                LONGEST_WAIT.as_secs()
            )),
            Next::Retry { after, .. } => return Ok(Ok(after)),
            Next::Fail(why) => End::Failed(format!("{error}; {why}")),
            step => self.step_end(&step).unwrap_or_else(|| End::Failed(error.to_string())),
        };
        if matches!(end, End::Failed(_)) {
            let details = json!({"error": error.kind, "error_details": error.message,
                "last_assistant_message": agent.last_text});
            self.fire(&agent.caller, "StopFailure", details);
        }
        Ok(Err(end))
    }

    /// The end that a step of a thread is, if it is one.
    pub(super) fn step_end(&self, step: &Next) -> Option<End> {
        if let Some(code) = signals::interrupted() {
            return Some(End::Interrupted(code));
        }
        match step {
            Next::Fail(why) => Some(End::Failed(why.clone())),
            Next::Abort => Some(End::Failed("the policy aborts the thread".to_owned())),
            Next::Suspend(suspension) => {
                Some(End::Waiting(format!("suspended by hook {}: {}", suspension.hook, suspension.reason)))
            }
            Next::Escalate(escalation) => Some(End::Waiting(format!(
                "hook {} waits for an approval: `hookc-agent answer {} yes`, then `--resume {}`",
                escalation.hook, self.id, self.id
            ))),
            _ => None,
        }
    }

    /// Waits, unless a signal arrives.
    fn wait(&self, most: Duration) {
        let start = Instant::now();
        while start.elapsed() < most && signals::interrupted().is_none() {
            std::thread::sleep(Duration::from_millis(50).min(most.saturating_sub(start.elapsed())));
        }
    }
}

fn millis(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}

/// Results are found by the ids of their calls: a model that repeats one gets others.
fn make_ids_unique(content: &mut [Block]) {
    let mut seen = HashSet::new();
    for (n, block) in content.iter_mut().enumerate() {
        if let Block::ToolUse { id, .. } = block {
            if id.is_empty() || seen.contains(id) {
                *id = format!("{id}_{n}");
            }
            seen.insert(id.clone());
        }
    }
}
