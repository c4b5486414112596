//! A hook as a handler of the agent, if the agent executes it with the same meaning.

use hookc_base::action::Kind as ActionKind;
use hookc_schema::Span;
use hookc_schema::tree::{Action, Family, Hook, Mode, OnFailure};
use hookc_schema::value::{Kind, Number, Value};

use super::cond::At;
use crate::front::settings::agent::{self, HandlerType};
use crate::write::part;
use crate::write::value::{Map, list, text};

/// The matcher, the handler, and whether it is outside a group; `None` if the agent has no such
/// handler.
pub(super) fn handler(hook: &Hook, at: &At<'_>) -> Option<(Option<String>, Value, bool)> {
    let decides = hook.mode.is_none_or(|mode| mode.node == Mode::Enforce)
        && hook.enabled.is_none_or(|enabled| enabled.node)
        && hook.on_error.is_none()
        && hook.examples.is_empty();
    let native = native_action(hook).filter(|native| decides && (at.skill || !native.is_once()))?;
    let carried = native.param("if").and_then(Value::as_str);
    let said = at.say(hook.condition.as_ref(), carried)?;
    let mut map = Map::default();
    map.put("type", text(native.known.name()));
    native.fields(&mut map, at.event)?;
    map.maybe("if", said.rule.as_deref().map(text));
    match hook.on_failure {
        None => {}
        Some(_) if native.known.table.key("onFailure").is_none() => return None,
        Some(on) => map.put("onFailure", text(if on.node == OnFailure::Open { "continue" } else { "block" })),
    }
    let id = hook.id.as_ref().filter(|_| hook.events.len() == 1);
    map.maybe("id", id.map(|id| text(&id.node)));
    map.maybe("description", hook.description.as_ref().map(|description| text(&description.node)));
    let number = |number: &Number| Value::new(Kind::Num(number.clone()), Span::default());
    map.maybe("priority", hook.priority.as_ref().map(|priority| number(&priority.node)));
    Some((said.matcher, map.done(), native.flat))
}

/// An action that is one of the agent's own.
struct NativeAction {
    action: Action,
    known: &'static HandlerType,
    flat: bool,
}

fn native_action(hook: &Hook) -> Option<NativeAction> {
    let action = part::literal_action(&hook.action)?;
    let (known, flat) = own_type(hook, &action)?;
    Some(NativeAction { action, known, flat })
}

/// The agent's type of an action, and whether it is outside a group.
fn own_type(hook: &Hook, action: &Action) -> Option<(&'static HandlerType, bool)> {
    let named = |name: &str| agent::types().iter().find(|one| one.data.action == name);
    match action.known() {
        Some(ActionKind::Inject) if !hook.action.templates && hook.family == Family::Agent => {
            match action.params.as_slice() {
                [(key, _)] if key.node == "text" => Some((named("prompt")?, true)),
                _ => None,
            }
        }
        Some(ActionKind::Run) => match part::param(action, "result").and_then(Value::as_str) {
            Some("agent") => Some((named("run")?, false)),
            Some("flat") => Some((named("run")?, true)),
            _ => None,
        },
        _ => {
            let flat = hook.family == Family::Agent && part::param(action, "timeout").is_none();
            Some((named(&action.kind.node)?, flat))
        }
    }
}

impl NativeAction {
    fn param(&self, name: &str) -> Option<&Value> {
        part::param(&self.action, name)
    }

    /// Whether it runs once, which only a skill can express.
    fn is_once(&self) -> bool {
        self.param("once").is_some_and(|value| value.kind == Kind::Bool(true))
    }

    /// Writes the fields; `None` if a parameter is not a field.
    fn fields(&self, map: &mut Map, event: &str) -> Option<()> {
        for (name, value) in &self.action.params {
            match (name.node.as_str(), &value.kind) {
                ("result" | "if", _) => {}
                ("blocking", Kind::Bool(true)) => {}
                ("text", _) => map.put("prompt", value.clone()),
                ("argv", Kind::Seq(items)) => {
                    let (command, rest) = items.split_first()?;
                    map.put("command", command.clone());
                    map.put("args", list(rest.to_vec()));
                }
                ("timeout", _) if !self.flat && self.usual(value, event) => {}
                (name, _) => {
                    map.put(self.known.key_of(name)?.name, value.clone());
                }
            }
        }
        Some(())
    }

    /// Whether a timeout is the default.
    fn usual(&self, timeout: &Value, event: &str) -> bool {
        let background = ["async", "rewake"]
            .iter()
            .any(|name| self.param(name).is_some_and(|value| value.kind == Kind::Bool(true)));
        let Some(usual) = self.known.default_seconds(event).filter(|_| !background) else { return false };
        matches!(&timeout.kind, Kind::Num(number) if number.compare(&Number(usual.to_string())).is_eq())
    }
}
