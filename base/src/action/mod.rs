//! Actions as data: every kind of the built-in vocabulary with typed parameters,
//! and the kinds that a policy declares itself.
//!
//! The virtual machine renders an action as JSON. [`Action::parse`] reads that JSON
//! once; [`Action::to_value`] gives it back.
//!
//! | kind | for |
//! |---|---|
//! | `allow` `deny` `ask` `modify` `inject` | the decision itself |
//! | `run` `prompt` `agent` `script` `invoke` `http` `mcp_tool` | somebody else's decision or result |
//! | `log` `emit_event` | a record |
//! | `retry` `fail` `abort` `continue` `escalate` `call_directive` `suspend` | the control of a thread |

mod error;
mod field;
mod shared;
mod word;

use std::time::Duration;

use serde_json::{Map, Value};

pub use error::ParseActionError;
pub use field::{count, whole_number, word};
pub use word::{Backoff, HttpMethod, InputMode, LogLevel, ResultForm};

/// The directories that agents provide, which arguments of handlers use as `${NAME}`.
pub const DIRECTORIES: [&str; 3] = ["CLAUDE_PROJECT_DIR", "CLAUDE_PLUGIN_ROOT", "CLAUDE_PLUGIN_DATA"];

use field::Fields;

/// One table of kinds: the structs, the enum, the reader and the writer.
macro_rules! actions {
    ($($(#[$about:meta])* $kind:literal $name:ident {
        $($(#[$field_about:meta])* $key:literal $field:ident: $type:ty $(= $default:expr)?,)*
    })*) => {
        /// An action with its templates filled in.
        #[derive(Clone, Debug, PartialEq)]
        #[non_exhaustive]
        #[allow(clippy::large_enum_variant, reason = "an action is built once and then borrowed")]
        pub enum Action {
            $($(#[$about])* $name($name),)*
            /// A kind that the policy declares (`action_types:`).
            Declared {
                /// Its kind.
                kind: String,
                /// Its parameters; the module has checked their types.
                parameters: Map<String, Value>,
            },
        }

        /// A kind of the built-in vocabulary.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum Kind {
            $($(#[$about])* $name,)*
        }

        impl Kind {
            /// The kind that policies write so; `None` for one that a policy declares.
            #[must_use]
            pub fn parse(kind: &str) -> Option<Self> {
                match kind {
                    $($kind => Some(Self::$name),)*
                    _ => None,
                }
            }

            /// The kind, as policies write it.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self {
                    $(Self::$name => $kind,)*
                }
            }
        }

        $($(#[$about])*
        #[derive(Clone, Debug, PartialEq)]
        #[non_exhaustive]
        pub struct $name {
            $($(#[$field_about])* pub $field: $type,)*
            /// Parameters that the policy adds to this kind.
            pub more: Map<String, Value>,
        }

        impl Default for $name {
            fn default() -> Self {
                $(let $field = None::<$type>$(.or_else(|| Some($default)))?;)*
                Self { $($field: $field.unwrap_or_default(),)* more: Map::new() }
            }
        }

        impl From<$name> for Action {
            fn from(action: $name) -> Self {
                Self::$name(action)
            }
        })*

        impl Action {
            /// The kinds of the built-in vocabulary, each with its parameters.
            pub const KINDS: &[(&str, &[&str])] = &[$(($kind, &[$($key),*]),)*];

            /// Its kind, as policies write it.
            #[must_use]
            pub fn kind(&self) -> &str {
                match self {
                    $(Self::$name(_) => $kind,)*
                    Self::Declared { kind, .. } => kind,
                }
            }

            /// The parameters that the policy adds to the kind, or declares for its own.
            #[must_use]
            pub fn more(&self) -> &Map<String, Value> {
                match self {
                    $(Self::$name(own) => &own.more,)*
                    Self::Declared { parameters, .. } => parameters,
                }
            }

            fn read(kind: String, members: Map<String, Value>) -> Result<Self, ParseActionError> {
                match kind.as_str() {
                    $($kind => {
                        #[allow(unused_mut, reason = "some kinds have no parameters")]
                        let mut fields = Fields::new($kind, members);
                        Ok(Self::$name($name {
                            $($field: fields.take($key, None::<$type>$(.or_else(|| Some($default)))?)?,)*
                            more: fields.rest(),
                        }))
                    })*
                    _ => Ok(Self::Declared { kind, parameters: members }),
                }
            }

            /// Its parameters as JSON, without those that are not set.
            #[must_use]
            pub fn parameters(&self) -> Map<String, Value> {
                match self {
                    $(Self::$name(own) => {
                        let fields = [$(($key, field::Field::write(&own.$field)),)* ("", None)];
                        let set = fields.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value?)));
                        set.chain(own.more.iter().map(|(name, value)| (name.clone(), value.clone()))).collect()
                    })*
                    Self::Declared { parameters, .. } => parameters.clone(),
                }
            }
        }
    };
}

actions! {
    /// Lets it happen.
    "allow" Allow {
        /// Why.
        "reason" reason: Option<String>,
    }
    /// Does not let it happen.
    "deny" Deny {
        /// Why, for the model and the user.
        "reason" reason: Option<String>,
    }
    /// Lets the user decide.
    "ask" Ask {
        /// Why.
        "reason" reason: Option<String>,
    }
    /// Lets it happen with another input.
    "modify" Modify {
        /// The new input.
        "input" input: Option<Map<String, Value>>,
        /// Words that commands of the command line begin with, and what replaces them.
        "rewrite" rewrite: Option<Map<String, Value>>,
        /// Whether the new input is merged into the old input or replaces it.
        "mode" mode: InputMode = InputMode::Merge,
        /// Why.
        "reason" reason: Option<String>,
    }
    /// Adds something to the context.
    "inject" Inject {
        /// A text to add.
        "text" text: Option<String>,
        /// A value to add.
        "value" value: Option<Value>,
        /// A file to add.
        "file" file: Option<String>,
        /// The name under which the result is injected.
        "as" name: Option<String>,
    }
    /// Runs a command, with the event on its standard input.
    "run" Run {
        /// A command line for the shell, or the program if `args` is set.
        "command" command: Option<String>,
        /// A program and its arguments, without a shell.
        "argv" argv: Option<Vec<String>>,
        /// Arguments of the program that `command` names.
        "args" args: Option<Vec<String>>,
        /// The numbers of the arguments whose templates are safe for any value of the event.
        "trusted_args" trusted_args: Option<Vec<u64>>,
        /// Another shell than `sh`.
        "shell" shell: Option<String>,
        /// Variables added to its environment; `None` removes one.
        "env" env: Option<Vec<(String, Option<String>)>>,
        /// Its working directory.
        "cwd" cwd: Option<String>,
        /// Seconds until it is stopped.
        "timeout" timeout: Option<f64>,
        /// Whether the caller waits for the result, which can then block the event.
        "blocking" blocking: bool = true,
        /// Whether it runs in the background.
        "async" background: bool = false,
        /// Whether it runs once per session.
        "once" once: bool = false,
        /// Whether exit status 2 of a background run wakes the agent.
        "rewake" rewake: Option<bool>,
        /// The text that the agent receives then.
        "rewake_message" rewake_message: Option<String>,
        /// The text that the user sees then.
        "rewake_summary" rewake_summary: Option<String>,
        /// A permission rule that the tool's input must match.
        "if" rule: Option<String>,
        /// The format of its result.
        "result" result: ResultForm = ResultForm::Status,
        /// The status message while it runs.
        "status_message" status_message: Option<String>,
    }
    /// Asks a model.
    "prompt" Prompt {
        /// The question for the model.
        "prompt" prompt: String,
        /// Which model.
        "model" model: Option<String>,
        /// Whether it runs once per session.
        "once" once: Option<bool>,
        /// A permission rule that the tool's input must match.
        "if" rule: Option<String>,
        /// Whether a denial is returned to the model, which then continues.
        "continue_on_block" continue_on_block: Option<bool>,
        /// Seconds until it is stopped.
        "timeout" timeout: Option<f64>,
        /// The status message while it runs.
        "status_message" status_message: Option<String>,
    }
    /// Asks a sub-agent to decide.
    "agent" Agent {
        /// The task of the sub-agent.
        "prompt" prompt: String,
        /// Which sub-agent.
        "agent" agent: Option<String>,
        /// Which model.
        "model" model: Option<String>,
        /// Whether it runs once per session.
        "once" once: Option<bool>,
        /// A permission rule that the tool's input must match.
        "if" rule: Option<String>,
        /// Seconds until it is stopped.
        "timeout" timeout: Option<f64>,
        /// The status message while it runs.
        "status_message" status_message: Option<String>,
    }
    /// Calls `execute(context)` of a Python file.
    "script" Script {
        /// The file.
        "file" file: String,
        /// Scripts with the same namespace share their globals.
        "namespace" namespace: Option<String>,
        /// Seconds until it is stopped.
        "timeout" timeout: Option<f64>,
    }
    /// Calls a method of an artifact.
    "invoke" Invoke {
        /// Which artifact.
        "artifact" artifact: String,
        /// Which method.
        "method" method: String = "run".to_owned(),
        /// The arguments.
        "args" args: Map<String, Value> = Map::new(),
        /// The name in the context that the result gets.
        "inject_as" inject_as: Option<String>,
        /// The total number of calls under `on_error: retry`.
        "max_retries" max_retries: u64 = 3,
    }
    /// Sends the event to a URL.
    "http" Http {
        /// The URL.
        "url" url: String,
        /// The method.
        "method" method: HttpMethod = HttpMethod::Post,
        /// Header fields.
        "headers" headers: Option<Map<String, Value>>,
        /// The environment variables that header fields can refer to.
        "allowed_env" allowed_env: Option<Vec<String>>,
        /// The body to send instead of the event.
        "body" body: Option<Value>,
        /// Whether it runs once per session.
        "once" once: Option<bool>,
        /// A permission rule that the tool's input must match.
        "if" rule: Option<String>,
        /// Seconds until it is stopped.
        "timeout" timeout: Option<f64>,
        /// The status message while it runs.
        "status_message" status_message: Option<String>,
    }
    /// Calls a tool of an MCP server.
    "mcp_tool" McpTool {
        /// Which server.
        "server" server: String,
        /// Which tool.
        "tool" tool: String,
        /// The tool's input.
        "input" input: Map<String, Value> = Map::new(),
        /// Whether it runs once per session.
        "once" once: Option<bool>,
        /// A permission rule that the tool's input must match.
        "if" rule: Option<String>,
        /// Seconds until it is stopped.
        "timeout" timeout: Option<f64>,
        /// The status message while it runs.
        "status_message" status_message: Option<String>,
    }
    /// Writes a line to the log.
    "log" Log {
        /// The line.
        "message" message: String,
        /// The severity.
        "level" level: LogLevel = LogLevel::Info,
        /// Further facts.
        "fields" fields: Option<Map<String, Value>>,
    }
    /// Tries the failed operation again.
    "retry" Retry {
        /// The number of retries before the thread fails, not counting the first call.
        "max_attempts" max_attempts: u64 = 3,
        /// The delay between two retries.
        "backoff_policy" backoff: Backoff = Backoff::Inherit,
        /// Seconds to wait; a fixed backoff needs it.
        "delay" delay: Option<f64>,
        /// Which retry this is, from 1; set when the thread retries.
        "attempt" attempt: Option<u64>,
        /// How long to wait before it; set when the thread retries.
        "wait_seconds" wait: Option<Duration>,
    }
    /// Fails the thread.
    "fail" Fail {
        /// The message.
        "error_message" error_message: Option<String>,
    }
    /// Stops immediately, without cleanup.
    "abort" Abort {}
    /// Continues as if the event had not occurred.
    "continue" Continue {}
    /// Asks the user, or notifies the parent.
    "escalate" Escalate {
        /// `user_approval`, `parent_notification`, `both`, or what a directive returned.
        "target" target: Option<String>,
        /// The message; set if a directive returned it.
        "message" message: Option<String>,
        /// The time after which the escalation is treated as rejected.
        "timeout_seconds" timeout_seconds: u64 = 3600,
    }
    /// Runs another directive.
    "call_directive" CallDirective {
        /// Which directive.
        "directive" directive: String,
        /// Its parameters.
        "parameters" parameters: Map<String, Value> = Map::new(),
        /// Whether it runs with the permissions of this thread.
        "inherit_token" inherit_token: bool = true,
    }
    /// Pauses the thread until it is resumed.
    "suspend" Suspend {
        /// `limit`, `error`, `budget`, `approval`, or what a directive returned.
        "suspend_reason" reason: String,
        /// How the thread can resume; set if a directive returned it.
        "resume_hint" resume_hint: Option<String>,
    }
    /// Writes an event to the transcript.
    "emit_event" EmitEvent {
        /// Its type.
        "event_type" event_type: String,
        /// Its payload.
        "payload" payload: Map<String, Value> = Map::new(),
    }
}

impl Action {
    /// Reads an action as the virtual machine renders it.
    ///
    /// ```
    /// use hookc_base::action::Action;
    ///
    /// let action = Action::parse(r#"{"type": "deny", "reason": "not on Fridays"}"#)?;
    /// let Action::Deny(deny) = &action else { unreachable!() };
    /// assert_eq!(deny.reason.as_deref(), Some("not on Fridays"));
    /// # Ok::<(), hookc_base::action::ParseActionError>(())
    /// ```
    ///
    /// # Errors
    /// The JSON is not an object with a `type`, a required parameter is missing, or a parameter has
    /// another type than its kind declares. A caller that cannot parse an action must not continue
    /// as if it did not exist.
    pub fn parse(json: &str) -> Result<Self, ParseActionError> {
        Self::from_value(serde_json::from_str(json).map_err(ParseActionError::Json)?)
    }

    /// Reads an action from a JSON value.
    ///
    /// # Errors
    /// As [`Action::parse`].
    pub fn from_value(value: Value) -> Result<Self, ParseActionError> {
        let Value::Object(mut members) = value else { return Err(ParseActionError::NotAnObject) };
        match members.shift_remove("type") {
            Some(Value::String(kind)) => Self::read(kind, members),
            _ => Err(ParseActionError::NoType),
        }
    }

    /// Reads an action of a kind from its parameters.
    ///
    /// # Errors
    /// As [`Action::parse`].
    pub fn from_parameters(kind: &str, parameters: Map<String, Value>) -> Result<Self, ParseActionError> {
        Self::read(kind.to_owned(), parameters)
    }

    /// The whole action as JSON, `type` first.
    #[must_use]
    pub fn to_value(&self) -> Value {
        let mut object = Map::new();
        object.insert("type".to_owned(), Value::from(self.kind()));
        object.extend(self.parameters());
        Value::Object(object)
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "tests")]
mod tests {
    use serde_json::json;

    use super::{Action, InputMode, ParseActionError, Run};

    #[test]
    fn written_policies_read_back() {
        let values = [
            json!({"type": "modify", "input": {"a": 1}, "mode": "replace"}),
            json!({"type": "run", "argv": ["a", "b"], "timeout": 2.5, "blocking": true, "async": false,
                "once": false, "if": "Bash", "result": "agent"}),
            json!({"type": "run", "command": "x", "env": {"A": "b", "C": null}, "timeout": 30, "blocking": true,
                "async": false, "once": true, "result": "status"}),
            json!({"type": "abort"}),
            json!({"type": "page", "whom": "me"}),
            json!({"type": "fail", "error_message": "m", "of_the_policy": [1]}),
        ];
        for value in values {
            assert_eq!(Action::from_value(value.clone()).unwrap().to_value(), value);
        }
    }

    #[test]
    fn defaults_and_whole_numbers() {
        let Action::Modify(modify) =
            Action::parse(r#"{"type": "modify", "input": {}, "mode": null}"#).unwrap()
        else {
            unreachable!()
        };
        assert_eq!(modify.mode, InputMode::Merge);
        let Action::Retry(retry) = Action::parse(r#"{"type": "retry", "max_attempts": 2.0}"#).unwrap() else {
            unreachable!()
        };
        assert_eq!((retry.max_attempts, retry.delay), (2, None));
        assert!(Run::default().blocking && Action::from(Run::default()).kind() == "run");
        let page = Action::from_value(json!({"type": "page", "once": true, "max_retries": 2})).unwrap();
        assert!(page.is_once() && page.max_calls() == Some(2) && !page.is_unawaited());
    }

    #[test]
    fn errors_name_the_parameter_and_quote_nothing() {
        let error = |value| Action::from_value(value).unwrap_err().to_string();
        assert_eq!(
            error(json!({"type": "deny", "reason": 5})),
            "parameter `reason` of `deny` must be a string"
        );
        assert_eq!(error(json!({"type": "prompt"})), "`prompt` needs the parameter `prompt`");
        assert_eq!(
            error(json!({"type": "modify", "input": {}, "mode": "secret"})),
            "parameter `mode` of `modify` must be `merge` or `replace`"
        );
        assert_eq!(
            error(json!({"type": "retry", "delay": -1})),
            "parameter `delay` of `retry` must be a number of at least 0"
        );
        assert!(matches!(Action::parse("["), Err(ParseActionError::Json(_))));
        assert!(matches!(Action::parse("{}"), Err(ParseActionError::NoType)));
        assert!(matches!(Action::parse("1"), Err(ParseActionError::NotAnObject)));
    }
}
