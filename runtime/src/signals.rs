//! The output of repository hooks: a `HookResult` with its signals.

use hookc_schema::suggest::nearest;
use serde_json::{Map, Value};

use crate::agent::denies_within;
use crate::event::RepositoryEvent;
use crate::verdict::{DENIED, Permission, Verdict};

/// The members of a result.
const MEMBERS: [&str; 4] = ["hook_signals", "logs", "usage_recorded", "error"];

/// Wrong names for the list of signals.
const SIGNALS: [&str; 4] = ["signal", "signals", "hooks", "results"];

/// Keys with which signals, handlers of coding agents, threads and models deny: at the top of a
/// result they would have no effect.
const FOREIGN: [&str; 14] = [
    "source_event",
    "hook_id",
    "kind",
    "code",
    "payload",
    "decision",
    "permissionDecision",
    "hookSpecificOutput",
    "continue",
    "action",
    "ok",
    "allow",
    "deny",
    "require_human",
];

/// A result that was read.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct HookResult {
    /// Valid signals; empty for events without signals. For a failed hook only denials, which stay
    /// valid whatever else is wrong.
    pub signals: Vec<Value>,
    /// Lines for the log.
    pub logs: Vec<String>,
    /// What was ignored, and why.
    pub reports: Vec<String>,
    /// Why the hook has failed, if it has: it returned no result, it reports a failure, one of its
    /// signals is invalid, or a signal is in the wrong place.
    pub failed: Option<String>,
}

impl HookResult {
    /// Reads a result for an event; `null` is an empty one. If nothing waits for signals, unknown
    /// members belong to the infrastructure; otherwise they are reported.
    #[must_use]
    pub fn read(value: &Value, event: &str, hook: &str) -> Self {
        let mut result = Self::default();
        match value {
            Value::Null => {}
            Value::Object(members) => result.members(members, event, hook),
            _ => result.fail("its result is not an object"),
        }
        if result.failed.is_some() {
            result.signals.retain(is_refusal);
        }
        result
    }

    /// Whether a value has a member of a result.
    pub(crate) fn is_in(value: &Value) -> bool {
        MEMBERS.iter().any(|name| value.get(name).is_some())
    }

    /// Whether it denies.
    #[must_use]
    pub fn denies(&self) -> bool {
        self.signals.iter().any(is_refusal)
    }

    /// The decision of its guards, for programs without abilities; one that requires a human asks.
    pub(crate) fn verdict(&self) -> Verdict {
        let reason = |signal: &Value| Some(signal.pointer("/payload/reason")?.as_str()?.to_owned());
        let reasons = self.signals.iter().filter(|signal| is_refusal(signal)).filter_map(reason).collect();
        let human = |signal: &Value| signal.pointer("/payload/require_human") == Some(&Value::Bool(true));
        let asks = self.signals.iter().filter(|signal| is_refusal(signal)).any(human);
        let permission = self.denies().then_some(if asks { Permission::Ask } else { Permission::Deny });
        Verdict {
            permission,
            reasons,
            messages: self.failed.clone().into_iter().collect(),
            ..Verdict::default()
        }
    }

    /// If there are several errors, the first is reported.
    fn fail(&mut self, why: impl Into<String>) {
        self.failed.get_or_insert(why.into());
    }

    fn members(&mut self, members: &Map<String, Value>, event: &str, hook: &str) {
        if let Some(error) = members.get("error").filter(|error| !error.is_null()) {
            self.fail(own_error(error));
        }
        if let Some(logs) = members.get("logs").filter(|logs| !logs.is_null()) {
            self.logs(logs);
        }
        if members.get("usage_recorded").is_some_and(|flag| !flag.is_boolean()) {
            self.fail("`usage_recorded` is neither true nor false");
        }
        if RepositoryEvent::from_name(event).is_awaited() {
            for (name, value) in members.iter().filter(|(name, _)| !MEMBERS.contains(&name.as_str())) {
                match ignored(name, value) {
                    Ok(report) => self.reports.push(report),
                    Err(why) => self.fail(why),
                }
            }
        }
        match members.get("hook_signals") {
            None | Some(Value::Null) => {}
            Some(Value::Array(signals)) if RepositoryEvent::from_name(event).is_awaited() => {
                self.signals(signals, event, hook)
            }
            Some(Value::Array(signals)) if signals.is_empty() => {}
            Some(Value::Array(_)) => self.reports.push(format!("signals are ignored: {event} has none")),
            Some(_) => self.fail("`hook_signals` is not a list"),
        }
    }

    fn logs(&mut self, logs: &Value) {
        let Some(lines) = logs.as_array() else { return self.fail("`logs` is not a list") };
        self.logs = lines.iter().filter_map(Value::as_str).map(str::to_owned).collect();
        if self.logs.len() < lines.len() {
            self.fail("`logs` contains a value that is not a string");
        }
    }

    fn signals(&mut self, signals: &[Value], event: &str, hook: &str) {
        for one in signals {
            if let Err(why) = signal(one, event) {
                self.fail(why);
                continue;
            }
            if one.get("hook_id").and_then(Value::as_str) != Some(hook) {
                let other = one.get("hook_id").unwrap_or(&Value::Null);
                self.reports.push(format!("a signal has a different `hook_id`: {other}"));
            }
            self.signals.push(one.clone());
        }
    }
}

/// Whether a valid signal denies.
fn is_refusal(signal: &Value) -> bool {
    signal.get("code").and_then(Value::as_str) == Some(DENIED)
        && signal.get("kind").and_then(Value::as_str) == Some("ability_guard")
}

/// The message for an unknown member of a result.
///
/// # Errors
/// The author may have intended a signal: ignoring it would lose a denial.
fn ignored(name: &str, value: &Value) -> Result<String, String> {
    let near = nearest(name, MEMBERS);
    if SIGNALS.contains(&name) || near == Some("hook_signals") {
        return Err(format!("`{name}` is not a member of a result; did you mean `hook_signals`?"));
    }
    if FOREIGN.iter().any(|listed| folded(listed) == folded(name))
        || contains_signal(value)
        || denies_within(value)
    {
        return Err(format!(
            "`{name}` is not a member of a result: a hook returns signals in `hook_signals`"
        ));
    }
    let near = near.map(|near| format!("; did you mean `{near}`?")).unwrap_or_default();
    Ok(format!("`{name}` is ignored: a result has no such member{near}"))
}

/// A name regardless of case and separators.
fn folded(name: &str) -> String {
    name.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// Whether a value contains a signal, or a list of signals. The depth is limited by that of parsed
/// JSON.
fn contains_signal(value: &Value) -> bool {
    match value {
        Value::Object(members) => {
            members.iter().any(|(name, value)| folded(name) == "hooksignals" || contains_signal(value))
        }
        Value::Array(items) => items.iter().any(contains_signal),
        Value::String(text) => text == DENIED,
        _ => false,
    }
}

fn own_error(error: &Value) -> String {
    let text = |name: &str| error.get(name).and_then(Value::as_str);
    match (text("code"), text("message")) {
        (Some(code), Some(message)) => format!("{code}: {message}"),
        _ => "`error` has no `code` and `message`".to_owned(),
    }
}

/// Validates a signal against the rules of its event and kind.
///
/// # Errors
/// The first violation.
fn signal(signal: &Value, event: &str) -> Result<(), String> {
    let text = |name: &str| signal.get(name).and_then(Value::as_str).filter(|text| !text.is_empty());
    let must = |name: &str| text(name).ok_or(format!("a signal has no `{name}`"));
    let source = must("source_event")?;
    if source != event {
        return Err(format!("a signal is from `{source}`, not from `{event}`"));
    }
    must("hook_id")?;
    let (kind, code) = (must("kind")?, must("code")?);
    let severity = signal.get("severity").filter(|severity| !severity.is_null());
    if severity.is_some_and(|value| !["info", "warning", "error"].iter().any(|known| value == known)) {
        return Err("`severity` must be info, warning or error".to_owned());
    }
    let payload = signal.get("payload").and_then(Value::as_object).ok_or("a signal has no `payload`")?;
    match (RepositoryEvent::from_name(event), kind) {
        (RepositoryEvent::PromptSubmit, "routing_hint") => routing(payload),
        (RepositoryEvent::PromptSubmit, "normalized_intent") => {
            strings(payload, &["scope", "topic", "stage", "raw_input_snippet"])
        }
        (RepositoryEvent::PreAbilityCall | RepositoryEvent::PreAbilityCreate, "ability_guard") => {
            guard(payload, code)
        }
        _ => Err(format!("a signal of kind `{kind}` is not supported at {event}")),
    }
}

fn strings(payload: &Map<String, Value>, names: &[&str]) -> Result<(), String> {
    match names.iter().find(|name| payload.get(**name).is_some_and(|value| !value.is_string())) {
        Some(name) => Err(format!("`payload.{name}` is not a string")),
        None => Ok(()),
    }
}

fn routing(payload: &Map<String, Value>) -> Result<(), String> {
    for (list, named) in [("suggested_abilities", "id"), ("suggested_documents", "path")] {
        let Some(items) = payload.get(list) else { continue };
        for item in items.as_array().ok_or(format!("`payload.{list}` is not a list"))? {
            let item =
                item.as_object().ok_or(format!("`payload.{list}` contains a value that is not an object"))?;
            if !item.get(named).is_some_and(Value::is_string) {
                return Err(format!("`payload.{list}` has an entry without `{named}`"));
            }
            strings(item, &["reason"])?;
            let confidence = item.get("confidence").map(|value| value.as_f64().unwrap_or(-1.0));
            if confidence.is_some_and(|share| !(0.0..=1.0).contains(&share)) {
                return Err("`confidence` must be a number from 0 to 1".to_owned());
            }
        }
    }
    Ok(())
}

fn guard(payload: &Map<String, Value>, code: &str) -> Result<(), String> {
    if !matches!(code, "ABILITY_ALLOWED" | DENIED) {
        return Err(format!("a guard returned `{code}`, expected ABILITY_ALLOWED or ABILITY_DENIED"));
    }
    if !payload.get("ability_id").is_some_and(Value::is_string) {
        return Err("a guard has no `payload.ability_id`".to_owned());
    }
    if code == DENIED && !payload.get("reason").is_some_and(Value::is_string) {
        return Err("a guard that denies has no `payload.reason`".to_owned());
    }
    strings(payload, &["reason"])?;
    match payload.get("require_human") {
        None | Some(Value::Bool(_)) => Ok(()),
        Some(_) => Err("`payload.require_human` is neither true nor false".to_owned()),
    }
}
