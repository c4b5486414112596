//! `expect:` of a test.

use hookc_schema::decode::{Fields, YAML, short};
use hookc_schema::dialect::test::{EXPECT, EXPECTED_HOOK, EventErrorKind, Verdict};
use hookc_schema::value::{Kind, Member, Value};
use hookc_schema::{Code, Diagnostic, Diagnostics, Spanned};

use super::suite::{Expect, ExpectedError, ExpectedHook, ExpectedVerdict};

const WRITE: &str = "write `deny`, `ask`, `allow`, `none`, or the id of the hook that decides";
/// The word for no hook.
const NONE: &str = "none";

/// Reads the expected decision about an event; `None` if it is invalid.
pub(super) fn read(value: &Value, out: &mut Diagnostics) -> Option<Expect> {
    match &value.kind {
        Kind::Str(_) => word(value, out),
        Kind::Seq(items) => Some(Expect { hooks: Some(hooks(items, out)), ..Expect::default() }),
        Kind::Map(_) => mapping(value, out),
        _ => {
            let new =
                YAML.wrong(value, "`expect`", "a verdict, a hook, `none`, a list of hooks, or a mapping");
            out.push(new.help(WRITE));
            None
        }
    }
}

/// A verdict, `none`, or the id of a hook.
fn word(value: &Value, out: &mut Diagnostics) -> Option<Expect> {
    let id = YAML.string(value, "a hook's id", out)?;
    if let Some(verdict) = Verdict::of_action(&id.node) {
        let verdict = Some(ExpectedVerdict { verdict, reason: None });
        return Some(Expect { verdict, ..Expect::default() });
    }
    let hooks = if id.node == NONE { Vec::new() } else { vec![ExpectedHook::new(id)] };
    Some(Expect { hooks: Some(hooks), ..Expect::default() })
}

fn hooks(items: &[Value], out: &mut Diagnostics) -> Vec<ExpectedHook> {
    items.iter().filter_map(|item| hook(item, out)).collect()
}

/// A hook of a list: its id, or a mapping.
fn hook(value: &Value, out: &mut Diagnostics) -> Option<ExpectedHook> {
    if !matches!(value.kind, Kind::Map(_)) {
        let id = YAML.string(value, EXPECTED_HOOK.what, out)?;
        return if id.node == NONE { no_none(&id, out) } else { Some(ExpectedHook::new(id)) };
    }
    ExpectedHook::read(&EXPECTED_HOOK.read(value, YAML, out)?)
}

fn no_none(id: &Spanned<String>, out: &mut Diagnostics) -> Option<ExpectedHook> {
    let new = Diagnostic::new(Code::E0204, id.span, "a list of hooks cannot contain `none`");
    out.push(new.with_label("not an allowed value").help("write an empty list, `[]`"));
    None
}

impl ExpectedHook {
    fn new(id: Spanned<String>) -> Self {
        Self { id, action: Vec::new(), fails: false }
    }

    /// The keys that are about one hook.
    fn read(fields: &Fields<'_>) -> Option<Self> {
        let action = fields.value("action").map(action).unwrap_or_default();
        let fails = fields.boolean("action_error").is_some_and(|fails| fails.node);
        Some(Self { id: fields.string("hook")?, action, fails })
    }
}

/// `KIND` alone is `{type: KIND}`.
fn action(value: &Value) -> Vec<(String, Value)> {
    match &value.kind {
        Kind::Map(members) => {
            members.iter().map(|member| (member.key.node.clone(), member.value.clone())).collect()
        }
        _ => vec![("type".to_owned(), value.clone())],
    }
}

fn mapping(value: &Value, out: &mut Diagnostics) -> Option<Expect> {
    let fields = EXPECT.read(value, YAML, out)?;
    let mut expect = Expect::default();
    let list = fields.value("hooks").filter(|_| !fields.has("hook"));
    expect.hooks = list.map(|_| hooks(fields.items("hooks"), out));
    expect.reported = ids(&fields, "reported");
    expect.unknown = ids(&fields, "unknown");
    expect.verdict = Verdict::ALL.iter().find_map(|&verdict| {
        Some(ExpectedVerdict { verdict, reason: Some(fields.string(verdict.name())?.node) })
    });
    expect.modify = fields.value("modify").map(action);
    expect.error = fields.value("error").and_then(|value| error(value, out));
    let about = fields.sound().find(|(key, _)| matches!(key.name, "action" | "action_error"));
    if fields.has("hook") || about.is_some() {
        expect.hooks = Some(one(&fields, about.map(|(_, member)| member), out)?);
    }
    whole(value, expect, out)
}

/// A list of ids of hooks.
fn ids(fields: &Fields<'_>, key: &'static str) -> Option<Vec<Spanned<String>>> {
    let id = |id: &Value| Some(Spanned::new(id.as_str()?.to_owned(), id.span));
    fields.value(key).map(|_| fields.items(key).iter().filter_map(id).collect())
}

/// The hook that decides; an action needs one.
fn one(fields: &Fields<'_>, about: Option<&Member>, out: &mut Diagnostics) -> Option<Vec<ExpectedHook>> {
    let id = fields.string("hook");
    let none = id.as_ref().is_none_or(|id| id.node == NONE);
    let wrong = id.is_none() && fields.has("hook");
    if let Some(about) = about.filter(|_| none && !wrong) {
        let message = format!("`expect` with `{}` needs `hook`", about.key.node);
        let new = Diagnostic::new(Code::E0202, about.key.span, message).with_label("no hook");
        out.push(new.help("write `hook:` with the id of the hook that has the action"));
        return None;
    }
    let hook = ExpectedHook::read(fields)?;
    Some(if none { Vec::new() } else { vec![hook] })
}

/// An expectation must not be empty or contradict itself.
fn whole(value: &Value, expect: Expect, out: &mut Diagnostics) -> Option<Expect> {
    let decides = expect.verdict.is_some()
        || expect.modify.is_some()
        || expect.hooks.is_some()
        || expect.reported.is_some()
        || expect.unknown.is_some();
    if expect.error.is_some() && decides {
        let message = "`expect` with `error` allows no other key: the event has no decision";
        let new = Diagnostic::new(Code::E0201, short(value), message).with_label("extra");
        out.push(new.help("remove `error` or the other keys"));
        return None;
    }
    if value.kind == Kind::Map(Vec::new()) {
        let new =
            Diagnostic::new(Code::E0202, value.span, "`expect` is empty").with_label("an empty mapping");
        out.push(new.help(WRITE));
        return None;
    }
    Some(expect)
}

/// `true`, or the name of a kind.
fn error(value: &Value, out: &mut Diagnostics) -> Option<ExpectedError> {
    if value.kind == Kind::Bool(true) {
        return Some(ExpectedError::Any);
    }
    YAML.word(value, "`error`", EventErrorKind::CHOICES, out).map(|kind| ExpectedError::Kind(kind.node))
}
