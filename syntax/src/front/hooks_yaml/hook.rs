//! One hook.

use std::collections::HashMap;

use hookc_schema::tree::{
    Cond, CondKind, Example, Family, Hook, Mode, OnError, OnFailure, Section, UncomparedSpan,
};
use hookc_schema::value::{Kind, Value};
use hookc_schema::{Code, Diagnostic, Span, Spanned, keys};

use super::{action, cond, older};
use crate::expr::when;
use crate::front::shape::{self, Keys};

const HOOK: Keys = Keys { what: "a hook", known: keys::HOOK };

const EXAMPLE: Keys = Keys { what: "an example", known: keys::EXAMPLE };

/// Reads a hook; `None` when something in it is an error.
pub(super) fn hook(value: &Value, section: Section, out: &mut Vec<Diagnostic>) -> Option<Hook> {
    let start = out.len();
    let members = shape::mapping(value, "a hook", out)?;
    let (older, members): (Vec<_>, Vec<_>) =
        members.iter().partition(|member| older::KEYS.contains(&member.key.node.as_str()));
    let older = older::Keys::read(&older, section, out);
    let mut draft = Draft { position: older.position, ..Draft::default() };
    for member in members {
        match HOOK.known.contains(&member.key.node.as_str()) {
            true => draft.read(&member.key.node, &member.value, out),
            false => out.push(HOOK.unknown(&member.key)),
        }
    }
    draft.required(value, start, out);
    let sound = !out.iter().skip(start).any(Diagnostic::is_error);
    draft.hook(value, older.section).filter(|_| sound)
}

/// The keys of a hook that were read so far.
#[derive(Default)]
struct Draft {
    id: Option<Spanned<String>>,
    events: Option<Vec<Spanned<String>>>,
    priority: Option<Spanned<hookc_schema::value::Number>>,
    enabled: Option<Spanned<bool>>,
    mode: Option<Spanned<Mode>>,
    condition: Option<Cond>,
    when: Option<Cond>,
    action: Option<hookc_schema::tree::Action>,
    on_error: Option<Spanned<OnError>>,
    on_failure: Option<Spanned<OnFailure>>,
    description: Option<Spanned<String>>,
    examples: Vec<Example>,
    /// `position`, of the older form.
    position: Option<Spanned<String>>,
    /// `event` and `action` were written, well or not.
    has: (bool, bool),
}

impl Draft {
    fn read(&mut self, key: &str, value: &Value, out: &mut Vec<Diagnostic>) {
        match key {
            "id" => self.id = id(value, out),
            "event" => {
                self.has.0 = true;
                self.events = events(value, out);
            }
            "priority" => self.priority = priority(value, out),
            "enabled" => self.enabled = shape::boolean(value, "`enabled`", out),
            "mode" => self.mode = shape::word(value, "`mode`", Mode::CHOICES, out),
            "condition" => self.condition = condition(value, out),
            "when" => self.when = expression(value, out),
            "action" => {
                self.has.1 = true;
                self.action = action::action(value, self.position.take(), out);
            }
            "on_error" => self.on_error = shape::word(value, "`on_error`", OnError::CHOICES, out),
            "on_failure" => self.on_failure = shape::word(value, "`on_failure`", OnFailure::CHOICES, out),
            "description" => self.description = shape::string(value, "`description`", out),
            _ => self.examples = examples(value, out),
        }
    }

    fn required(&self, value: &Value, start: usize, out: &mut Vec<Diagnostic>) {
        let lacks = |has: bool, key, out: &[Diagnostic]| {
            !has && !shape::misspelled(out.get(start..).unwrap_or(&[]), key)
        };
        if lacks(self.has.0, "event", out) {
            out.push(shape::missing(value, "a hook", "event").help("write `event:` with an event type"));
        }
        if lacks(self.has.1, "action", out) {
            let help = "write `action:` with a mapping that has a `type`";
            out.push(shape::missing(value, "a hook", "action").help(help));
        }
    }

    fn hook(self, value: &Value, section: Section) -> Option<Hook> {
        Some(Hook {
            span: UncomparedSpan(value.span),
            id: self.id,
            events: self.events?,
            family: Family::Thread,
            section,
            priority: self.priority,
            enabled: self.enabled,
            mode: self.mode,
            condition: both(self.condition, self.when, value.span),
            action: self.action?,
            on_error: self.on_error,
            on_failure: self.on_failure,
            description: self.description,
            examples: self.examples,
            effects: Vec::new(),
        })
    }
}

/// The `condition` and `when` of a mapping.
pub(super) fn guard(value: &Value, out: &mut Vec<Diagnostic>) -> Option<Cond> {
    let condition = value.get("condition").map(|inner| condition(inner, out));
    let when = value.get("when").map(|inner| expression(inner, out));
    both(condition.flatten(), when.flatten(), value.span)
}

/// `condition` and `when` together are `all: [condition, when]`.
fn both(condition: Option<Cond>, when: Option<Cond>, span: Span) -> Option<Cond> {
    match (condition, when) {
        (Some(condition), Some(when)) => {
            let span =
                if condition.span.source == when.span.source { condition.span.to(when.span) } else { span };
            Some(Cond { span, kind: CondKind::All(vec![condition, when]) })
        }
        (one, other) => one.or(other),
    }
}

fn condition(value: &Value, out: &mut Vec<Diagnostic>) -> Option<Cond> {
    match &value.kind {
        Kind::Null => {
            let new = Diagnostic::new(Code::E0206, value.span, "`condition` is empty").with_label("empty");
            out.push(new.help("remove the key for a hook that always matches"));
            None
        }
        Kind::Str(_) => {
            let new = Diagnostic::new(
                Code::N0274,
                value.span,
                "hookc reads an expression under `condition` as \
                                                          `when`",
            );
            out.push(new.with_label("an expression").help("write `when:`"));
            expression(value, out)
        }
        _ => cond::condition(value, out),
    }
}

fn expression(value: &Value, out: &mut Vec<Diagnostic>) -> Option<Cond> {
    match &value.kind {
        Kind::Str(text) => when::parse(text, value.span, out),
        Kind::Null => {
            let new = Diagnostic::new(Code::E0206, value.span, "`when` is empty").with_label("empty");
            out.push(new.help("remove the key for a hook that always matches"));
            None
        }
        Kind::Map(_) => {
            let new = shape::wrong(value, "`when`", "an expression as a string");
            out.push(new.help("put a mapping under `condition:`"));
            None
        }
        _ => {
            let new = shape::wrong(value, "`when`", "an expression as a string");
            out.push(new.help("write `when: \"...\"`"));
            None
        }
    }
}

fn id(value: &Value, out: &mut Vec<Diagnostic>) -> Option<Spanned<String>> {
    let message = match value.as_str() {
        None => format!("an id must be a string, not {}", shape::noun(value)),
        Some(text) if text.trim().is_empty() => "an id cannot be empty".to_owned(),
        Some(text) if text.contains('#') => "an id cannot contain `#`".to_owned(),
        Some(text) => return Some(Spanned::new(text.to_owned(), value.span)),
    };
    let help = match value.kind {
        Kind::Num(_) | Kind::Bool(_) => "put it in quotes",
        Kind::Str(_) => {
            "`#` is reserved for the labels of hooks without an id; write a name of letters, digits, `-` \
             and `_`"
        }
        _ => "write a name, or remove the key",
    };
    out.push(Diagnostic::new(Code::E0210, shape::short(value), message).with_label("no id").help(help));
    None
}

fn events(value: &Value, out: &mut Vec<Diagnostic>) -> Option<Vec<Spanned<String>>> {
    let names = match &value.kind {
        Kind::Seq(items) if items.is_empty() => {
            let new = Diagnostic::new(Code::E0203, value.span, "`event` names no event type");
            out.push(new.with_label("an empty list").help("write at least one event type"));
            return None;
        }
        Kind::Seq(items) => items.iter().map(|item| event(item, out)).collect::<Vec<_>>(),
        Kind::Str(_) => vec![event(value, out)],
        _ => {
            let new = shape::wrong(value, "`event`", "an event type or a list of event types");
            out.push(new.help("write the name of an event type"));
            return None;
        }
    };
    let names: Option<Vec<_>> = names.into_iter().collect();
    names.filter(|names| unrepeated(names, out))
}

fn event(value: &Value, out: &mut Vec<Diagnostic>) -> Option<Spanned<String>> {
    let name = shape::string(value, "an event type", out)?;
    if name.node.is_empty() {
        let new = Diagnostic::new(Code::E0203, value.span, "the name of an event type is empty");
        out.push(new.with_label("empty").help("write the name of an event type"));
        return None;
    }
    Some(name)
}

fn unrepeated(names: &[Spanned<String>], out: &mut Vec<Diagnostic>) -> bool {
    let mut seen = HashMap::new();
    let mut sound = true;
    for name in names {
        if let Some(first) = seen.insert(name.node.as_str(), name.span) {
            sound = false;
            let new = Diagnostic::new(Code::E0212, name.span, format!("duplicate event `{}`", name.node));
            out.push(new.with_label("again here").also(first, "first here").help("remove one of the two"));
        }
    }
    sound
}

fn priority(value: &Value, out: &mut Vec<Diagnostic>) -> Option<Spanned<hookc_schema::value::Number>> {
    if let Kind::Num(number) = &value.kind {
        return Some(Spanned::new(number.clone(), value.span));
    }
    let new = shape::wrong(value, "`priority`", "a number");
    let quoted = value.as_str().is_some_and(|text| text.parse::<f64>().is_ok());
    out.push(new.help(if quoted {
        "remove the quotes"
    } else {
        "write a number; a higher priority goes \
                                                                first"
    }));
    None
}

fn examples(value: &Value, out: &mut Vec<Diagnostic>) -> Vec<Example> {
    let items = shape::list(value, "`examples`", out).unwrap_or_default();
    items.iter().filter_map(|item| example(item, out)).collect()
}

fn example(value: &Value, out: &mut Vec<Diagnostic>) -> Option<Example> {
    let members = shape::mapping(value, "an example", out)?;
    let known = EXAMPLE.admit(members, out).len();
    let (event, matches) = (value.get("event"), value.get("matches"));
    if event.is_none() {
        out.push(shape::missing(value, "an example", "event").help("write the event as a mapping"));
    }
    if matches.is_none() {
        out.push(
            shape::missing(value, "an example", "matches").help("write `matches: true` or `matches: false`"),
        );
    }
    let event = event.filter(|event| shape::mapping(event, "an example's `event`", out).is_some());
    let matches = matches.and_then(|matches| shape::boolean(matches, "`matches`", out));
    let (event, matches) = (event?.clone(), matches?.node);
    (known == members.len()).then_some(Example { event, matches })
}
