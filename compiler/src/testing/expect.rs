//! `expect:` of a test.

use hookc_schema::value::{Kind, Member, Value};
use hookc_schema::{Code, Diagnostic, Spanned};
use hookc_syntax::front::shape;

use super::keys::{EVENT_ERRORS, EXPECT, EventErrorKind, HOOK, Mapping};
use super::read::twice;
use super::suite::{Expect, ExpectedHook};

/// The word for no hook.
const NONE: &str = "none";

/// Reads what must come of an event; `None` when it makes no sense.
pub(super) fn read(value: &Value, out: &mut Vec<Diagnostic>) -> Option<Expect> {
    match &value.kind {
        Kind::Str(_) => Some(Expect { hooks: Some(one_or_none(value, out)?), ..Expect::default() }),
        Kind::Seq(items) => Some(Expect { hooks: Some(hooks(items, out)), ..Expect::default() }),
        Kind::Map(members) => mapping(value, members, out),
        _ => {
            let new = shape::wrong(value, "`expect`", "a hook, `none`, a list of hooks, or a mapping");
            out.push(new.help("write the id of the hook that decides, or `none`"));
            None
        }
    }
}

fn one_or_none(value: &Value, out: &mut Vec<Diagnostic>) -> Option<Vec<ExpectedHook>> {
    let id = shape::string(value, "a hook's id", out)?;
    Some(if id.node == NONE { Vec::new() } else { vec![ExpectedHook::of(id)] })
}

fn hooks(items: &[Value], out: &mut Vec<Diagnostic>) -> Vec<ExpectedHook> {
    items.iter().filter_map(|item| hook(item, out)).collect()
}

/// A hook of a list: its id, or a mapping.
fn hook(value: &Value, out: &mut Vec<Diagnostic>) -> Option<ExpectedHook> {
    let Kind::Map(members) = &value.kind else {
        let id = shape::string(value, HOOK.what, out)?;
        return if id.node == NONE { no_none(&id, out) } else { Some(ExpectedHook::of(id)) };
    };
    let mut draft = Draft::default();
    draft.read(HOOK, members, out);
    if draft.id.is_none() && !draft.reported {
        out.push(shape::missing(value, HOOK.what, "hook").help("write `hook:` with the id of the hook"));
    }
    draft.hook()
}

fn no_none(id: &Spanned<String>, out: &mut Vec<Diagnostic>) -> Option<ExpectedHook> {
    let new = Diagnostic::new(Code::E0204, id.span, "a list of hooks cannot contain `none`");
    out.push(new.with_label("not an allowed value").help("write an empty list, `[]`"));
    None
}

impl ExpectedHook {
    fn of(id: Spanned<String>) -> Self {
        Self { id, action: Vec::new(), fails: false }
    }
}

/// The keys about one hook that were read so far.
#[derive(Default)]
struct Draft<'v> {
    id: Option<Spanned<String>>,
    action: Vec<(String, Value)>,
    fails: bool,
    /// The first key that is about the hook's action.
    about: Option<&'v Member>,
    /// `hook` was written, but is invalid.
    reported: bool,
}

impl<'v> Draft<'v> {
    /// Reads the keys about the hook, and returns the others.
    fn read(&mut self, keys: Mapping, members: &'v [Member], out: &mut Vec<Diagnostic>) -> Vec<&'v Member> {
        let mut others = Vec::new();
        for member in keys.admit(members, out) {
            match member.key.node.as_str() {
                "hook" => {
                    self.id = shape::string(&member.value, "`hook`", out);
                    self.reported = self.id.is_none();
                }
                "action" => {
                    self.about = self.about.or(Some(member));
                    self.action = action(&member.value, out);
                }
                "action_error" => {
                    self.about = self.about.or(Some(member));
                    let fails = shape::boolean(&member.value, "`action_error`", out);
                    self.fails = fails.is_some_and(|fails| fails.node);
                }
                _ => others.push(member),
            }
        }
        others
    }

    /// The hook that decides; an action needs one.
    fn one_or_none(self, out: &mut Vec<Diagnostic>) -> Option<Vec<ExpectedHook>> {
        let none = self.id.as_ref().is_none_or(|id| id.node == NONE);
        if let Some(about) = self.about.filter(|_| none && !self.reported) {
            let message = format!("`expect` with `{}` needs `hook`", about.key.node);
            let new = Diagnostic::new(Code::E0202, about.key.span, message).with_label("no hook");
            out.push(new.help("write `hook:` with the id of the hook that has the action"));
            return None;
        }
        let hook = self.hook()?;
        Some(if none { Vec::new() } else { vec![hook] })
    }

    fn hook(self) -> Option<ExpectedHook> {
        Some(ExpectedHook { id: self.id?, action: self.action, fails: self.fails })
    }
}

/// `KIND` alone is `{type: KIND}`.
fn action(value: &Value, out: &mut Vec<Diagnostic>) -> Vec<(String, Value)> {
    match &value.kind {
        Kind::Str(_) => vec![("type".to_owned(), value.clone())],
        Kind::Map(members) => {
            members.iter().map(|member| (member.key.node.clone(), member.value.clone())).collect()
        }
        _ => {
            let new = shape::wrong(value, "`action`", "an action's kind or a mapping of its fields");
            out.push(new.help("write the fields to compare; other fields are ignored"));
            Vec::new()
        }
    }
}

fn mapping(value: &Value, members: &[Member], out: &mut Vec<Diagnostic>) -> Option<Expect> {
    let mut expect = Expect::default();
    let mut draft = Draft::default();
    let has_hook = members.iter().any(|member| member.key.node == "hook");
    for Member { key, value } in draft.read(EXPECT, members, out) {
        match key.node.as_str() {
            "hooks" if has_hook => out.push(twice(EXPECT.what, key, "hook", "hooks")),
            "hooks" => {
                expect.hooks = Some(hooks(shape::list(value, "`hooks`", out).unwrap_or_default(), out));
            }
            "reported" => expect.reported = Some(ids(value, out)),
            _ => expect.error = error(value, out),
        }
    }
    if has_hook || draft.about.is_some() {
        expect.hooks = Some(draft.one_or_none(out)?);
    }
    whole(value, expect, out)
}

fn ids(value: &Value, out: &mut Vec<Diagnostic>) -> Vec<Spanned<String>> {
    let items = shape::list(value, "`reported`", out).unwrap_or_default();
    items.iter().filter_map(|item| shape::string(item, "a hook's id", out)).collect()
}

/// An expectation must not be empty or contradict itself.
fn whole(value: &Value, expect: Expect, out: &mut Vec<Diagnostic>) -> Option<Expect> {
    if expect.error.is_some() && (expect.hooks.is_some() || expect.reported.is_some()) {
        let message = "`expect` with `error` allows no other key: the event has no decision";
        let new = Diagnostic::new(Code::E0201, shape::short(value), message).with_label("extra");
        out.push(new.help("remove `error` or the other keys"));
        return None;
    }
    if value.kind == Kind::Map(Vec::new()) {
        let new =
            Diagnostic::new(Code::E0202, value.span, "`expect` is empty").with_label("an empty mapping");
        out.push(new.help("write the id of the hook that decides, or `none`"));
        return None;
    }
    Some(expect)
}

/// `true`, or the name of a kind.
fn error(value: &Value, out: &mut Vec<Diagnostic>) -> Option<Option<EventErrorKind>> {
    if value.kind == Kind::Bool(true) {
        return Some(None);
    }
    shape::word(value, "`error`", EVENT_ERRORS, out).map(|kind| Some(kind.node))
}
