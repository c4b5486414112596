//! Parameters that several action kinds share.

use serde_json::Value;

use super::{Action, count};

impl Action {
    /// Whether it runs once per session (`once`).
    #[must_use]
    pub fn is_once(&self) -> bool {
        match self {
            Self::Run(run) => run.once,
            Self::Prompt(prompt) => prompt.once == Some(true),
            Self::Agent(agent) => agent.once == Some(true),
            Self::Http(http) => http.once == Some(true),
            Self::McpTool(tool) => tool.once == Some(true),
            other => other.extra("once").and_then(Value::as_bool) == Some(true),
        }
    }

    /// The permission rule that the tool's input must match (`if`).
    #[must_use]
    pub fn rule(&self) -> Option<&str> {
        match self {
            Self::Run(run) => run.rule.as_deref(),
            Self::Prompt(prompt) => prompt.rule.as_deref(),
            Self::Agent(agent) => agent.rule.as_deref(),
            Self::Http(http) => http.rule.as_deref(),
            Self::McpTool(tool) => tool.rule.as_deref(),
            _ => None,
        }
    }

    /// The total number of calls under `on_error: retry` (`max_retries`), if set.
    #[must_use]
    pub fn max_calls(&self) -> Option<u64> {
        match self {
            Self::Invoke(invoke) => Some(invoke.max_retries),
            other => other.extra("max_retries").and_then(count),
        }
    }

    /// The message for people, if it has one.
    #[must_use]
    pub fn message(&self) -> Option<&str> {
        match self {
            Self::Allow(allow) => allow.reason.as_deref(),
            Self::Deny(deny) => deny.reason.as_deref(),
            Self::Ask(ask) => ask.reason.as_deref(),
            Self::Modify(modify) => modify.reason.as_deref(),
            Self::Inject(inject) => inject.text.as_deref(),
            Self::Log(log) => Some(&log.message),
            Self::Fail(fail) => fail.error_message.as_deref(),
            Self::Escalate(escalate) => escalate.message.as_deref(),
            other => {
                let names = ["reason", "text", "message", "error_message"];
                names.iter().find_map(|name| other.extra(name)?.as_str())
            }
        }
    }

    /// Whether the caller does not wait for its result, so that it cannot block anything.
    #[must_use]
    pub fn is_unawaited(&self) -> bool {
        match self {
            Self::Run(run) => run.background || run.rewake == Some(true) || !run.blocking,
            Self::Log(_) => true,
            _ => false,
        }
    }

    /// Whether the action itself is a verdict: executing it starts nothing.
    #[must_use]
    pub fn is_verdict(&self) -> bool {
        matches!(self, Self::Allow(_) | Self::Deny(_) | Self::Ask(_) | Self::Modify(_) | Self::Inject(_))
    }

    /// A parameter that the policy declares.
    fn extra(&self, name: &str) -> Option<&Value> {
        self.more().get(name)
    }
}
