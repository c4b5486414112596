//! The keys that hooks in YAML and in JSON have in common.

use hookc_schema::decode::{Fields, Style, YAML, short};
use hookc_schema::diag::Reported;
use hookc_schema::dialect::hooks::{EARLIER, EXAMPLE};
use hookc_schema::dialect::moment::Moment;
use hookc_schema::dialect::test::Recorded;
use hookc_schema::tree::{Cond, CondKind, EarlierEvent, Example, Mode, OnError, OnFailure};
use hookc_schema::value::{Kind, Number, Value};
use hookc_schema::{Code, Diagnostic, Diagnostics, Span, Spanned};

use crate::expr::path::PathCache;
use crate::expr::when;
use crate::front::{hooks_yaml, json};
use crate::limits;

/// The values of these keys; `None` for a missing or invalid one.
#[derive(Clone, Debug, Default)]
pub(super) struct Common {
    pub(super) id: Option<Spanned<String>>,
    pub(super) priority: Option<Spanned<Number>>,
    pub(super) enabled: Option<Spanned<bool>>,
    pub(super) mode: Option<Spanned<Mode>>,
    pub(super) condition: Option<Cond>,
    pub(super) when: Option<Cond>,
    pub(super) on_error: Option<Spanned<OnError>>,
    pub(super) on_failure: Option<Spanned<OnFailure>>,
    pub(super) description: Option<Spanned<String>>,
    pub(super) examples: Vec<Example>,
}

impl Common {
    /// Reads the keys from an object whose table contains all of them.
    pub(super) fn read(
        fields: &Fields<'_>,
        style: Style,
        paths: &mut PathCache,
        out: &mut Diagnostics,
    ) -> Self {
        let mut examples = Vec::new();
        for item in fields.items("examples") {
            examples.extend(example(item, style, out));
        }
        Self {
            id: fields.value("id").and_then(|value| id(value, style, out)),
            priority: fields.number("priority"),
            enabled: fields.boolean("enabled"),
            mode: fields.word("mode", Mode::CHOICES),
            condition: fields
                .value("condition")
                .and_then(|value| condition(value, style, limits::NESTING, (&mut *paths, &mut *out))),
            when: fields.value("when").and_then(|value| expression(value, style, limits::NESTING, out)),
            on_error: fields.word("on_error", OnError::CHOICES),
            on_failure: fields.word("on_failure", OnFailure::CHOICES),
            description: fields.string("description"),
            examples,
        }
    }
}

/// Combines `condition` and `when` of a mapping. `None` if both are missing or one is invalid.
pub(super) fn guard(
    fields: &Fields<'_>,
    whole: Span,
    room: usize,
    (paths, out): (&mut PathCache, &mut Diagnostics),
) -> Option<Cond> {
    let condition =
        fields.value("condition").and_then(|value| condition(value, YAML, room, (&mut *paths, &mut *out)));
    let when = fields.value("when").and_then(|value| expression(value, YAML, room, out));
    both(condition, when, whole)
}

/// `condition` and `when` together are `all: [condition, when]`.
pub(super) fn both(condition: Option<Cond>, when: Option<Cond>, whole: Span) -> Option<Cond> {
    match (condition, when) {
        (Some(condition), Some(when)) => {
            let span =
                if condition.span.source == when.span.source { condition.span.to(when.span) } else { whole };
            Some(Cond { span, kind: CondKind::All([condition, when].into()) })
        }
        (one, other) => one.or(other),
    }
}

fn condition(
    value: &Value,
    style: Style,
    room: usize,
    (paths, out): (&mut PathCache, &mut Diagnostics),
) -> Option<Cond> {
    match &value.kind {
        _ if style.is_json() => hooks_yaml::condition_with(&plain(value), room, (paths, out)),
        Kind::Null => empty("condition", value, out),
        Kind::Str(_) => {
            let new = Diagnostic::new(
                Code::N0274,
                value.span,
                "hookc reads an expression under `condition` as `when`",
            );
            out.push(new.with_label("an expression").help("write `when:`"));
            expression(value, style, room, out)
        }
        _ => hooks_yaml::condition_with(value, room, (paths, out)),
    }
}

fn expression(value: &Value, style: Style, room: usize, out: &mut Diagnostics) -> Option<Cond> {
    match &value.kind {
        Kind::Str(text) => return when::parse_within(text, value.span, room, out),
        Kind::Null if !style.is_json() => return empty("when", value, out),
        _ => {}
    }
    let help = match (&value.kind, style.is_json()) {
        (Kind::Map(_), true) => "put an object under `condition`",
        (Kind::Map(_), false) => "put a mapping under `condition:`",
        (_, true) => "write `\"when\": \"...\"`",
        (_, false) => "write `when: \"...\"`",
    };
    out.push(style.wrong(value, "`when`", "an expression as a string").help(help));
    None
}

fn empty(key: &str, value: &Value, out: &mut Diagnostics) -> Option<Cond> {
    let new = Diagnostic::new(Code::E0206, value.span, format!("`{key}` is empty")).with_label("empty");
    out.push(new.help("remove the key for a hook that always matches"));
    None
}

fn id(value: &Value, style: Style, out: &mut Diagnostics) -> Option<Spanned<String>> {
    let message = match value.as_str() {
        None if style.is_json() => return style.string(value, "an id", out),
        None => format!("an id must be a string, not {}", style.noun(value)),
        Some(text) if text.trim().is_empty() => "an id cannot be empty".to_owned(),
        Some(text) if text.contains('#') => "an id cannot contain `#`".to_owned(),
        Some(text) => return Some(Spanned::new(text.to_owned(), value.span)),
    };
    let help = match value.kind {
        Kind::Num(_) | Kind::Bool(_) => "put it in quotes",
        Kind::Str(_) => {
            "`#` is reserved for the labels of hooks without an id; write a name of letters, digits, `-` and `_`"
        }
        _ => "write a name, or remove the key",
    };
    out.push(Diagnostic::new(Code::E0210, short(value), message).with_label("no id").help(help));
    None
}

fn example(value: &Value, style: Style, out: &mut Diagnostics) -> Option<Example> {
    let fields = EXAMPLE.read(value, style, out)?;
    let event = fields.value("event")?;
    let event = if style.is_json() { json::last(event) } else { event.clone() };
    let matches = fields.boolean("matches")?.node;
    let history: Option<Vec<_>> =
        fields.items("history").iter().map(|item| earlier(item, style, out)).collect();
    let at = time(fields.value("at"), style, out).ok()?;
    fields.others.is_empty().then_some(Example { event, matches, history: history?, at })
}

fn earlier(value: &Value, style: Style, out: &mut Diagnostics) -> Option<EarlierEvent> {
    let fields = EARLIER.read(value, style, out)?;
    let event = fields.value("event")?;
    let event = if style.is_json() { json::last(event) } else { event.clone() };
    let at = time(fields.value("at"), style, out).ok()?;
    let outcome = fields.word("outcome", Recorded::CHOICES);
    let is_sound = fields.others.is_empty() && outcome.is_some() == fields.has("outcome");
    is_sound.then_some(EarlierEvent { event, at, outcome })
}

fn time(
    value: Option<&Value>,
    style: Style,
    out: &mut Diagnostics,
) -> Result<Option<Spanned<String>>, Reported> {
    let Some(value) = value else { return Ok(None) };
    moment(Some(style.string(value, "`at`", out).ok_or(Reported)?), out)
}

/// A text that says when something happens.
pub(super) fn moment(
    text: Option<Spanned<String>>,
    out: &mut Diagnostics,
) -> Result<Option<Spanned<String>>, Reported> {
    match text.as_ref().map(Moment::read) {
        Some(Err(wrong)) => {
            out.push(*wrong);
            Err(Reported)
        }
        Some(Ok(_)) | None => Ok(text),
    }
}

/// Converts a JSON value for readers of other notations: without repeated keys, and with spans of
/// strings that exclude the quotes, so that a fix can replace the text.
pub(super) fn plain(value: &Value) -> Value {
    let mut value = json::last(value);
    unquote(&mut value);
    value
}

fn unquote(value: &mut Value) {
    value.span = inner(value);
    match &mut value.kind {
        Kind::Seq(items) => items.iter_mut().for_each(unquote),
        Kind::Map(members) => members.iter_mut().for_each(|member| unquote(&mut member.value)),
        _ => {}
    }
}

/// The span of a string's text, without its quotes.
pub(super) fn inner(value: &Value) -> Span {
    value.as_str().map_or(value.span, |text| value.span_within(0..text.len()))
}
