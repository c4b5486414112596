//! Where the hooks of a file are: under `hooks`, or at the root of a hooks
//! file without that key.

use hookc_schema::tree::{Family, Hook};
use hookc_schema::value::{Kind, Member, Value};
use hookc_schema::{Code, Diagnostic, Spanned};

use super::{Cx, agent, group, words};
use crate::front::shape::short;

/// The hooks of a file.
pub(super) fn hooks(root: &Value, cx: &mut Cx<'_>) -> Vec<Hook> {
    let Some(members) = words::object(root, "a settings file", cx.out) else { return Vec::new() };
    let mut hooks = Vec::new();
    let mut has = false;
    for member in members {
        match member.key.node.as_str() {
            "hooks" => {
                has = true;
                cx.kept.insert(member.key.span);
                hooks.extend(section(&member.value, cx));
            }
            "disableAllHooks" if member.value.kind == Kind::Bool(true) => cx.tell(off(&member.key)),
            _ => {}
        }
    }
    if !has && members.iter().any(|member| is_event(&member.key.node, cx) || is_list(&member.value)) {
        return members.iter().flat_map(|member| event(member, true, cx)).collect();
    }
    for member in members {
        beside(member, has, cx);
    }
    hooks
}

/// Whether a root value is a list of handlers, or of groups of them.
fn is_list(value: &Value) -> bool {
    let Kind::Seq(items) = &value.kind else { return false };
    let is = |item: &Value| item.get("hooks").is_some_and(|hooks| matches!(hooks.kind, Kind::Seq(_)));
    items.first().is_some_and(is)
}

fn is_event(name: &str, cx: &Cx<'_>) -> bool {
    cx.vocabulary.events.contains_key(&(Family::Agent, name.to_owned()))
}

fn off(key: &Spanned<String>) -> Diagnostic {
    Diagnostic::new(Code::W0239, key.span, "`disableAllHooks` switches all hooks off")
        .saying("on here")
        .note("Claude Code runs none of them; here they are compiled all the same")
        .help("remove it")
}

/// A root key beside `hooks`, or where there are none: what looks like hooks
/// and is none is told, all else is not ours.
fn beside(member: &Member, has: bool, cx: &mut Cx<'_>) {
    let (name, span) = (&member.key.node, member.key.span);
    let data = matches!(member.value.kind, Kind::Map(_) | Kind::Seq(_));
    if has && data && is_event(name, cx) {
        let message = format!("the event `{name}` stands beside `hooks`");
        let new = Diagnostic::new(Code::W0232, span, message).saying("not read here");
        cx.tell(new.help("move it into `hooks`"));
    } else if !has && data && name != "hooks" && cx.near(name, &["hooks"]).is_some() {
        let message = format!("settings have no key `{name}`");
        cx.tell(
            Diagnostic::new(Code::W0232, span, message).saying("not read").did_you_mean(Some("hooks"), span),
        );
    }
}

/// The value of `hooks`: events, or the names of files that have them.
fn section(value: &Value, cx: &mut Cx<'_>) -> Vec<Hook> {
    let names = match &value.kind {
        Kind::Str(_) => true,
        Kind::Seq(items) => !items.is_empty() && items.iter().all(|item| item.as_str().is_some()),
        _ => false,
    };
    if names {
        let message = "the hooks stand in another file";
        let new = Diagnostic::new(Code::W0242, short(value), message).saying("named here");
        cx.tell(new.help("give that file to hookc too"));
        return Vec::new();
    }
    events(value, cx)
}

/// Events to what stands under each.
pub(super) fn events(value: &Value, cx: &mut Cx<'_>) -> Vec<Hook> {
    if let Kind::Seq(items) = &value.kind {
        if items.is_empty() {
            return Vec::new();
        }
        let new = words::wrong(value, "`hooks`", "an object of events");
        let named = items.iter().any(|item| item.get("event").is_some());
        cx.tell(match named {
            true => new.help("a list of hooks is a hooks file: read it with `--dialect hooks-yaml`"),
            false => new.help("write its groups under their events: `{\"PreToolUse\": [...]}`"),
        });
        return Vec::new();
    }
    let members = words::object(value, "`hooks`", cx.out).unwrap_or_default();
    members.iter().flat_map(|member| event(member, false, cx)).collect()
}

/// An event and its groups. At the root of a file, other keys are none of
/// ours.
fn event(member: &Member, root: bool, cx: &mut Cx<'_>) -> Vec<Hook> {
    let name = &member.key.node;
    if words::is_comment(name) {
        cx.tell(words::comment(&member.key));
        return Vec::new();
    }
    let known = is_event(name, cx);
    let Kind::Seq(items) = &member.value.kind else {
        if known {
            words::array(&member.value, &format!("`{name}`"), cx.out);
        } else if !root && !agent::BESIDE.contains(&name.as_str()) {
            no_event(member, cx);
        }
        return Vec::new();
    };
    if root && !known && !is_list(&member.value) {
        return Vec::new();
    }
    cx.kept.insert(member.key.span);
    items.iter().flat_map(|item| group::entry(&member.key, item, cx)).collect()
}

fn no_event(member: &Member, cx: &mut Cx<'_>) {
    let (name, span) = (&member.key.node, member.key.span);
    let vocabulary = std::sync::Arc::clone(&cx.vocabulary);
    let names = agent::events(&vocabulary);
    let near = agent::like(name).or_else(|| cx.near(name, &names));
    let new = Diagnostic::new(Code::W0245, span, format!("`{name}` is no event of coding agents"));
    let new = new.saying("left out").help("`hooks` holds events, each with an array of groups");
    cx.tell(new.did_you_mean(near, span));
}
