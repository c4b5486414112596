//! The keys of the language that a handler or a group may carry: the agent
//! reads none of them.

use hookc_schema::tree::{
    Action, Cond, CondKind, Example, Family, Hook, Mode, OnError, OnFailure, Section, UncomparedSpan,
};
use hookc_schema::value::{Kind, Member, Number, Value};
use hookc_schema::{Code, Diagnostic, Span, Spanned};

use super::{Cx, words};
use crate::expr::when;
use crate::front::{hooks_yaml, json};

/// The keys, with `action`.
pub(super) const KEYS: &[&str] = &[
    "id",
    "description",
    "priority",
    "enabled",
    "mode",
    "condition",
    "when",
    "action",
    "on_error",
    "on_failure",
    "examples",
];

/// How the agent spells `on_failure`.
const FAILS: [(&str, OnFailure); 2] = [("continue", OnFailure::Open), ("block", OnFailure::Closed)];

/// What of the keys was read so far.
#[derive(Debug, Default)]
pub(super) struct Extra {
    pub(super) id: Option<Spanned<String>>,
    priority: Option<Spanned<Number>>,
    enabled: Option<Spanned<bool>>,
    mode: Option<Spanned<Mode>>,
    condition: Option<Cond>,
    when: Option<Cond>,
    on_error: Option<Spanned<OnError>>,
    on_failure: Option<Spanned<OnFailure>>,
    description: Option<Spanned<String>>,
    examples: Vec<Example>,
}

impl Extra {
    /// Reads a key that is one of [`KEYS`] but `action`.
    pub(super) fn read(&mut self, member: &Member, cx: &mut Cx<'_>) {
        let (value, out) = (&member.value, &mut *cx.out);
        match member.key.node.as_str() {
            "id" => self.id = id(value, out),
            "priority" => self.priority = priority(value, out),
            "enabled" => self.enabled = words::boolean(value, "`enabled`", out),
            "mode" => self.mode = words::word(value, "`mode`", Mode::CHOICES, out),
            "condition" => self.condition = hooks_yaml::condition(&plain(value), out),
            "when" => self.when = expression(value, out),
            "on_error" => self.on_error = words::word(value, "`on_error`", OnError::CHOICES, out),
            "on_failure" => self.on_failure = words::word(value, "`on_failure`", OnFailure::CHOICES, out),
            "description" => self.description = words::string(value, "`description`", out),
            _ => self.examples = examples(value, out),
        }
    }

    /// Reads `onFailure`.
    pub(super) fn fails(&mut self, value: &Value, cx: &mut Cx<'_>) {
        self.on_failure = words::word(value, "`onFailure`", &FAILS, cx.out).or(self.on_failure);
    }

    /// The hook never runs.
    pub(super) fn switch_off(&mut self, span: Span) {
        self.enabled = Some(Spanned::new(false, span));
    }

    /// The hook of an event; what a handler does not say is as its group has
    /// it.
    pub(super) fn hook(self, event: &Spanned<String>, span: Span, group: &Self, made: Made) -> Hook {
        let mut conds = made.matcher;
        conds.extend([group.condition.clone(), group.when.clone()].into_iter().flatten());
        conds.extend(made.rule);
        conds.extend([self.condition, self.when].into_iter().flatten());
        Hook {
            span: UncomparedSpan(span),
            id: self.id.or_else(|| group.id.clone()),
            events: vec![event.clone()],
            family: Family::Agent,
            section: Section::Hooks,
            priority: self.priority.or_else(|| group.priority.clone()),
            enabled: self.enabled.or(group.enabled),
            mode: self.mode.or(group.mode),
            condition: all(conds),
            action: made.action,
            on_error: self.on_error.or(group.on_error),
            on_failure: self.on_failure.or(group.on_failure),
            description: self.description.or_else(|| group.description.clone()),
            effects: Vec::new(),
            examples: if self.examples.is_empty() { group.examples.clone() } else { self.examples },
        }
    }
}

/// What a hook is made of beside the keys of the language.
pub(super) struct Made {
    pub(super) matcher: Vec<Cond>,
    pub(super) rule: Vec<Cond>,
    pub(super) action: Action,
}

/// All of some conditions, flat.
fn all(mut conds: Vec<Cond>) -> Option<Cond> {
    let (first, last) = (conds.first()?.span, conds.last()?.span);
    if conds.len() == 1 {
        return conds.pop();
    }
    let span = if first.start <= last.end { first.to(last) } else { first };
    Some(Cond { span, kind: CondKind::All(conds) })
}

/// `action`: typed, its strings are templates.
pub(super) fn action(value: &Value, cx: &mut Cx<'_>) -> Option<Action> {
    words::object(value, "`action`", cx.out)?;
    hooks_yaml::action(&plain(value), cx.out)
}

/// A value for what reads other notations: no key twice, and the places of
/// strings without their quotes, so that another text may take their place.
fn plain(value: &Value) -> Value {
    let mut value = json::last(value);
    unquote(&mut value);
    value
}

fn unquote(value: &mut Value) {
    value.span = words::inner(value);
    match &mut value.kind {
        Kind::Seq(items) => items.iter_mut().for_each(unquote),
        Kind::Map(members) => members.iter_mut().for_each(|member| unquote(&mut member.value)),
        _ => {}
    }
}

fn expression(value: &Value, out: &mut Vec<Diagnostic>) -> Option<Cond> {
    match &value.kind {
        Kind::Str(text) => when::parse(text, value.span, out),
        Kind::Map(_) => {
            let new = words::wrong(value, "`when`", "an expression as a string");
            out.push(new.help("put an object under `condition`"));
            None
        }
        _ => {
            out.push(
                words::wrong(value, "`when`", "an expression as a string").help("write `\"when\": \"...\"`"),
            );
            None
        }
    }
}

fn id(value: &Value, out: &mut Vec<Diagnostic>) -> Option<Spanned<String>> {
    let name = words::string(value, "an id", out)?;
    let (message, help) = match name.node.as_str() {
        text if text.trim().is_empty() => ("an id cannot be empty", "write a name, or remove the key"),
        text if text.contains('#') => (
            "an id cannot contain `#`",
            "`#` is reserved for the labels of hooks without an id; write another character",
        ),
        _ => return Some(name),
    };
    out.push(Diagnostic::new(Code::E0210, name.span, message).with_label("no id").help(help));
    None
}

fn priority(value: &Value, out: &mut Vec<Diagnostic>) -> Option<Spanned<Number>> {
    if let Kind::Num(number) = &value.kind {
        return Some(Spanned::new(number.clone(), value.span));
    }
    out.push(words::wrong(value, "`priority`", "a number").help(
        "write a number; a higher priority goes \
                                                                 first",
    ));
    None
}

fn examples(value: &Value, out: &mut Vec<Diagnostic>) -> Vec<Example> {
    let items = words::array(value, "`examples`", out).unwrap_or_default();
    items.iter().filter_map(|item| example(item, out)).collect()
}

fn example(value: &Value, out: &mut Vec<Diagnostic>) -> Option<Example> {
    words::object(value, "an example", out)?;
    let (Some(event), Some(matches)) = (value.get("event"), value.get("matches")) else {
        let new = Diagnostic::new(Code::E0202, value.span, "an example needs `event` and `matches`");
        out.push(
            new.with_label("one of the two is missing").help("write `{\"event\": {...}, \"matches\": true}`"),
        );
        return None;
    };
    words::object(event, "an example's `event`", out)?;
    let matches = words::boolean(matches, "`matches`", out)?;
    Some(Example { event: json::last(event), matches: matches.node })
}
