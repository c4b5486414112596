//! What stands under an event: groups of handlers, and handlers without one.

use hookc_schema::tree::{Cond, Family, Hook};
use hookc_schema::value::{Kind, Member, Value};
use hookc_schema::{Code, Diagnostic, Spanned};

use super::extra::{Extra, Made};
use super::matcher::{self, Lowered};
use super::{Cx, extra, handler, words};
use crate::front::shape::short;
use crate::limits;

/// Reads one item of an event's array.
pub(super) fn entry(event: &Spanned<String>, value: &Value, cx: &mut Cx<'_>) -> Vec<Hook> {
    let Kind::Map(members) = &value.kind else {
        let what = format!("an entry of `{}`", event.node);
        let new = words::wrong(value, &what, "an object");
        cx.report(new.help("write a group: `{\"matcher\": ..., \"hooks\": [...]}`"));
        return Vec::new();
    };
    let has = |key: &str| members.iter().any(|member| member.key.node == key);
    if has("hooks") {
        return group(event, members, cx);
    }
    if has("type") || has("action") {
        return alone(event, value, members, cx).into_iter().collect();
    }
    cx.report(neither(event, value, members));
    Vec::new()
}

/// An entry that is neither a group nor a handler.
fn neither(event: &Spanned<String>, value: &Value, members: &[Member]) -> Diagnostic {
    let has = |key: &str| members.iter().find(|member| member.key.node == key);
    if let Some(member) = has("command").or_else(|| has("prompt")).or_else(|| has("url")) {
        return handler::untyped(value, member);
    }
    let new = Diagnostic::new(
        Code::E0202,
        short(value),
        format!("`hooks` is missing in a group of `{}`", event.node),
    );
    new.with_label("no `hooks` here").help("write its handlers: `\"hooks\": [{\"type\": \"command\", ...}]`")
}

/// A group's own keys.
#[derive(Default)]
struct Group {
    matcher: Vec<Cond>,
    extra: Extra,
}

fn group(event: &Spanned<String>, members: &[Member], cx: &mut Cx<'_>) -> Vec<Hook> {
    let start = cx.out.len();
    let mut own = Group::default();
    for member in members {
        own.read(event, member, cx);
    }
    let sound = !cx.out.iter().skip(start).any(Diagnostic::is_error);
    let lists = members.iter().filter(|member| member.key.node == "hooks");
    let mut items = Vec::new();
    for list in lists {
        cx.kept.insert(list.key.span);
        items.extend(words::array(&list.value, "a group's `hooks`", cx.out).unwrap_or_default());
    }
    if items.is_empty() && sound {
        let span = members.iter().find(|member| member.key.node == "hooks").map(|list| list.value.span);
        let new = Diagnostic::new(Code::W0290, span.unwrap_or(event.span), "a group without handlers");
        cx.report(
            new.with_label("an empty list")
                .note("it has no effect")
                .help("write its handlers: `\"hooks\": [{\"type\": \"command\", ...}]`, or remove the group"),
        );
    }
    own.one_id(items.len(), cx);
    if !affords(members, items.len(), cx) {
        return Vec::new();
    }
    let hooks: Vec<Hook> = items.iter().filter_map(|item| own.handler(event, item, cx)).collect();
    if sound { hooks } else { Vec::new() }
}

/// Whether each handler can have its copy of what the group says: the product
/// of both grows faster than the file.
fn affords(members: &[Member], handlers: usize, cx: &mut Cx<'_>) -> bool {
    let own = members.iter().filter(|member| member.key.node != "hooks");
    let size: usize = own.clone().map(|member| member.value.span.range().len()).sum();
    let copies = size.saturating_mul(handlers.saturating_sub(1));
    if let Some(rest) = cx.copy.checked_sub(copies) {
        cx.copy = rest;
        return true;
    }
    let longest = own.max_by_key(|member| member.value.span.range().len());
    let message = format!("{handlers} handlers each repeat the {size}-byte condition of their group");
    let limit = format!("the groups of a file can expand by at most {} bytes", limits::GROUP_COPIES);
    let new = match longest {
        Some(member) => Diagnostic::new(Code::E0703, member.key.span, message).with_label("repeated by each"),
        None => Diagnostic::global(Code::E0703, message),
    };
    cx.report(new.note(limit).help("write a shorter pattern, or run one handler that does all the work"));
    false
}

impl Group {
    fn read(&mut self, event: &Spanned<String>, member: &Member, cx: &mut Cx<'_>) {
        match member.key.node.as_str() {
            "hooks" => {}
            "matcher" => self.matcher = matched(event, &member.value, cx).into_iter().collect(),
            "action" => {
                let new =
                    Diagnostic::new(Code::E0205, member.key.span, "a group has both `hooks` and `action`");
                cx.report(new.with_label("the second").help("write each as a separate entry"));
            }
            key if extra::KEYS.contains(&key) => self.extra.read(member, cx),
            key if words::is_comment(key) => cx.report(words::comment(&member.key)),
            _ => unread(member, cx),
        }
    }

    /// An id names one hook.
    fn one_id(&mut self, handlers: usize, cx: &mut Cx<'_>) {
        let Some(id) = self.extra.id.take_if(|_| handlers > 1) else { return };
        let message = format!("an `id` for {handlers} handlers");
        let new = Diagnostic::new(Code::W0232, id.span, message).with_label("ambiguous");
        cx.report(new.help("give each handler its own `id`"));
    }

    fn handler(&self, event: &Spanned<String>, value: &Value, cx: &mut Cx<'_>) -> Option<Hook> {
        let members = words::object(value, "a handler", cx.out)?;
        let read = handler::handler(event, value, members, false, cx)?;
        let made = Made { matcher: self.matcher.clone(), rule: read.rule, action: read.action };
        Some(read.extra.hook(event, value.span, &self.extra, made))
    }
}

/// A key of a group that nobody reads.
fn unread(member: &Member, cx: &mut Cx<'_>) {
    let (key, span) = (&member.key.node, member.key.span);
    let near = cx.near(key, &["matcher", "hooks"]);
    let new =
        Diagnostic::new(Code::W0232, span, format!("a group has no key `{key}`")).with_label("not read");
    let new = new.help("its keys are `matcher` and `hooks`, and those of the language");
    cx.report(new.did_you_mean(near, span));
}

/// A handler, or a typed action, that stands in no group.
fn alone(event: &Spanned<String>, value: &Value, members: &[Member], cx: &mut Cx<'_>) -> Option<Hook> {
    let start = cx.out.len();
    let mut conds = Vec::new();
    for member in members.iter().filter(|member| member.key.node == "matcher") {
        conds = matched(event, &member.value, cx).into_iter().collect();
    }
    let sound = !cx.out.iter().skip(start).any(Diagnostic::is_error);
    let read = handler::handler(event, value, members, true, cx)?;
    if read.typed {
        let made = Made { matcher: conds, rule: read.rule, action: read.action };
        return sound.then(|| read.extra.hook(event, value.span, &Extra::default(), made));
    }
    let (_, count) = cx.flat.get_or_insert((short(value), 0));
    *count += 1;
    let made = Made { matcher: conds, rule: read.rule, action: read.action };
    sound.then(|| read.extra.hook(event, value.span, &Extra::default(), made))
}

/// The condition of a matcher, if it is one.
fn matched(event: &Spanned<String>, value: &Value, cx: &mut Cx<'_>) -> Option<Cond> {
    let text = words::text(value, "`matcher`", cx.out)?;
    let known = cx.vocabulary.events.get(&(Family::Agent, event.node.clone()));
    let Some(subject) = known.and_then(|known| known.matcher.clone()) else {
        if !matches!(text.value.as_str(), "" | "*" | ".*") {
            cx.report(unmatched(event, value, known.is_some()));
        }
        return None;
    };
    let lowered = matcher::lower(text, value.span, &subject, cx.out)?;
    if subject.path == "tool_name"
        && let Some(new) = matcher::no_tool(&text.value, value.span)
    {
        cx.report(new);
    }
    match lowered {
        Lowered::All => None,
        Lowered::Cond(cond) => Some(cond),
    }
}

fn unmatched(event: &Spanned<String>, value: &Value, known: bool) -> Diagnostic {
    let name = &event.node;
    let message = match known {
        true => format!("events of type `{name}` have no field for a matcher"),
        false => format!("which field a matcher of `{name}` tests is unknown"),
    };
    let new = Diagnostic::new(Code::W0236, value.span, message).with_label("ignored: every event matches");
    match known {
        true => new.help("remove the matcher; test other fields with `when`"),
        false => new.help("write it as `when`"),
    }
}
