//! An interceptor of AGENT-HOOKS 0.1 over an engine: the context of a host in, its verdict out.

use hookc_base::OnFailure;
use hookc_base::action::{Action, InputMode, Kind, Modify};
use hookc_history::Verdict;
use hookc_vm::DecideError;
use serde_json::{Map, Value, json};

use crate::{Decision, Engine, MatchedHook};

/// The points of the contract, and the event types of agents that they are.
const POINTS: [(&str, &str); 6] = [
    ("agent_startup", "SessionStart"),
    ("input", "UserPromptSubmit"),
    ("pre_tool_call", "PreToolUse"),
    ("post_tool_call", "PostToolUse"),
    ("output", "Stop"),
    ("agent_shutdown", "SessionEnd"),
];
/// Members of an event that are somewhere else in the context of a host.
const MEMBERS: [(&str, &str); 8] = [
    ("session_id", "/session/id"),
    ("prompt", "/input/content"),
    ("tool_name", "/tool_call/name"),
    ("tool_input", "/tool_call/args"),
    ("tool_use_id", "/tool_call/id"),
    ("tool_response", "/tool_result/value"),
    ("last_assistant_message", "/output/content"),
    ("reason", "/summary/reason"),
];

/// Decides at the interception points of AGENT-HOOKS 0.1, which hosts of several frameworks have. The policy is one for
/// agents: `pre_tool_call` is `PreToolUse`, and so on. Each session of the host is a [`Session`](crate::Session).
///
/// ```
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use hookc::{Engine, Interceptor, Policy};
/// use serde_json::json;
///
/// let interceptor = Interceptor::new(Engine::new(Policy::from_yaml(r#"
/// hooks:
///   - id: no_push
///     event: PreToolUse
///     when: may_push()
///     action: {type: deny, reason: "People push."}
/// "#)?));
/// let verdict = interceptor.intercept(&json!({
///     "spec": "agent-hooks/0.1",
///     "interception_point": "pre_tool_call",
///     "session": {"id": "s1"},
///     "tool_call": {"id": "1", "name": "Bash", "args": {"command": "git push"}},
///     "target": {"command": "git push"},
/// }))?;
/// assert_eq!(verdict, json!({"decision": "deny", "reason": "no_push", "message": "People push."}));
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct Interceptor {
    engine: Engine,
    directory: Option<String>,
}

impl Interceptor {
    /// An interceptor over an engine.
    #[must_use]
    pub fn new(engine: Engine) -> Self {
        Self { engine, directory: None }
    }

    /// With the directory of the agent, an absolute path: `cwd` and `project_dir` of events that have none.
    #[must_use]
    pub fn directory(self, directory: impl Into<String>) -> Self {
        Self { directory: Some(directory.into()), ..self }
    }

    /// The verdict about the context of a host. `ask` is a denial that an approval can lift. No opinion is `allow`.
    ///
    /// The reason is the id of the hook, the message its text. Nothing is executed: a hook whose action needs a handler
    /// has failed, and so has one whose condition is unknown. A failed hook denies unless it has `on_failure: open`.
    ///
    /// # Errors
    /// As [`Engine::decide`]: the host fails closed.
    pub fn intercept(&self, context: &Value) -> Result<Value, DecideError> {
        let event = self.event(context);
        let id = event.get("session_id").and_then(Value::as_str).unwrap_or_default();
        let mut answer = Value::Null;
        self.engine.session(id).decide_as(&event, |decision| {
            let composed = Composed::new(decision, context.get("target"));
            let verdict = composed.verdict();
            answer = composed.into_json();
            Some(verdict)
        })?;
        Ok(answer)
    }

    /// The context as an event: with its own members, and those that policies for agents read.
    fn event(&self, context: &Value) -> Value {
        let mut event = context.as_object().cloned().unwrap_or_default();
        for (member, pointer) in MEMBERS {
            if let Some(value) = context.pointer(pointer) {
                event.insert(member.to_owned(), value.clone());
            }
        }
        if let Some(failed) = context.pointer("/tool_result/is_error").and_then(Value::as_bool) {
            event.insert("tool_ok".to_owned(), (!failed).into());
        }
        if let Some(point) = context.get("interception_point").and_then(Value::as_str) {
            let name = POINTS.iter().find(|(name, _)| *name == point).map_or(point, |(_, event)| event);
            event.insert("hook_event_name".to_owned(), name.into());
        }
        for member in ["cwd", "project_dir"] {
            if let Some(directory) = self.directory.as_deref().filter(|_| !event.contains_key(member)) {
                event.insert(member.to_owned(), directory.into());
            }
        }
        Value::Object(event)
    }
}

/// What the hooks of a decision say together.
#[derive(Default)]
struct Composed {
    /// The strictest verdict, with the id of its hook and its text: the first of equal ones.
    strictest: Option<(Verdict, String, Option<String>)>,
    /// The id and the text of the hook that first changes the input, and the whole new input.
    change: Option<(String, Option<String>, Value)>,
    /// The fields that are changed, unless the input is replaced.
    fields: Option<Vec<String>>,
    warnings: Vec<Value>,
}

impl Composed {
    fn new(decision: &Decision, target: Option<&Value>) -> Self {
        let mut composed = Self { fields: Some(Vec::new()), ..Self::default() };
        for (hook, cause) in decision.unknown() {
            composed.failed(hook, cause);
        }
        for hook in decision.hooks() {
            match hook.action() {
                Ok(action) => composed.add(hook, &action, target),
                Err(error) => composed.failed(hook, &crate::with_causes(&error)),
            }
        }
        for hook in decision.reported().iter().filter(|hook| hook.mode() == crate::Mode::Warn) {
            let message = hook.action().ok().and_then(|action| message(&action));
            composed.warn(hook, message.unwrap_or_else(|| format!("would {}", hook.kind())));
        }
        composed
    }

    fn add(&mut self, hook: &MatchedHook, action: &Action, target: Option<&Value>) {
        if let Action::Modify(modify) = action {
            return self.modify(hook, (action, modify), target);
        }
        match Kind::parse(hook.kind()).and_then(Verdict::for_kind) {
            Some(Verdict::None) => self.warn(hook, message(action).unwrap_or_else(|| hook.kind().to_owned())),
            Some(verdict) => self.decide(hook, verdict, message(action)),
            None => self.failed(hook, "an interceptor executes no handlers"),
        }
    }

    fn decide(&mut self, hook: &MatchedHook, verdict: Verdict, message: Option<String>) {
        if self.strictest.as_ref().is_none_or(|(strictest, ..)| verdict > *strictest) {
            self.strictest = Some((verdict, reason(hook), message));
        }
    }

    fn failed(&mut self, hook: &MatchedHook, cause: &str) {
        match hook.on_failure() {
            Some(OnFailure::Open) => self.warn(hook, cause.to_owned()),
            _ => self.decide(hook, Verdict::Deny, Some(cause.to_owned())),
        }
    }

    fn warn(&mut self, hook: &MatchedHook, message: String) {
        self.warnings.push(json!({"reason": reason(hook), "message": message}));
    }

    /// Changes the target. Of two hooks that change one field, the first wins.
    fn modify(&mut self, hook: &MatchedHook, (action, modify): (&Action, &Modify), target: Option<&Value>) {
        let Some(input) = modify.input.as_ref().filter(|_| modify.rewrite.is_none()) else {
            return self.failed(hook, "an interceptor does not rewrite command lines");
        };
        let old = self.change.as_ref().map(|(.., value)| value).or(target);
        let Some(Value::Object(old)) = old else {
            return self.failed(hook, "the target has no fields that could be changed");
        };
        let (mut new, is_first) = (old.clone(), self.change.is_none());
        match (&mut self.fields, modify.mode) {
            (_, InputMode::Replace) if is_first => {
                (new, self.fields) = (input.clone(), None);
            }
            (Some(fields), InputMode::Merge) => {
                for (name, value) in input {
                    if !fields.contains(name) {
                        fields.push(name.clone());
                        new.insert(name.clone(), value.clone());
                    }
                }
            }
            _ => return self.warn(hook, "an earlier hook changes the input".to_owned()),
        }
        let first = self.change.take().map(|(reason, message, _)| (reason, message));
        let (reason, message) = first.unwrap_or_else(|| (reason(hook), message(action)));
        self.change = Some((reason, message, Value::Object(new)));
    }

    /// What a history records of it.
    fn verdict(&self) -> Verdict {
        self.strictest.as_ref().map_or(Verdict::None, |(verdict, ..)| *verdict)
    }

    /// The verdict of the contract.
    fn into_json(self) -> Value {
        let mut verdict = Map::new();
        let mut set = |name: &str, value: Value| drop(verdict.insert(name.to_owned(), value));
        match (self.strictest, self.change) {
            (Some((denial @ (Verdict::Deny | Verdict::Ask), reason, message)), _) => {
                set("decision", "deny".into());
                set("reason", reason.into());
                message.into_iter().for_each(|message| set("message", message.into()));
                if denial == Verdict::Ask {
                    set("approval", json!({}));
                }
            }
            (_, Some((reason, message, value))) => {
                set("decision", "transform".into());
                set("reason", reason.into());
                message.into_iter().for_each(|message| set("message", message.into()));
                set("transform", transform(self.fields.as_deref(), value));
            }
            (allowed, None) => {
                set("decision", "allow".into());
                if let Some((_, reason, message)) = allowed {
                    set("reason", reason.into());
                    message.into_iter().for_each(|message| set("message", message.into()));
                }
            }
        }
        if !self.warnings.is_empty() {
            set("warnings", self.warnings.into());
        }
        Value::Object(verdict)
    }
}

/// The path of a change and its value: of one field, if its name is plain, otherwise of the whole target.
fn transform(fields: Option<&[String]>, value: Value) -> Value {
    if let Some([name]) = fields
        && !name.is_empty()
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
        && let Some(field) = value.get(name)
    {
        return json!({"path": format!("$target.{name}"), "value": field});
    }
    json!({"path": "$target", "value": value})
}

/// The id of a hook, without the prefix that belongs to hosts.
fn reason(hook: &MatchedHook) -> String {
    hook.id().strip_prefix("host_error:").unwrap_or(hook.id()).to_owned()
}

/// The text of an action for people.
fn message(action: &Action) -> Option<String> {
    let parameters = action.parameters();
    let text = ["reason", "message", "error_message", "suspend_reason", "text"];
    text.iter().find_map(|name| parameters.get(*name)?.as_str().map(str::to_owned))
}
