//! Reads the entries of an event: groups of handlers, and handlers without a group.

use hookc_schema::agents::Id;
use hookc_schema::decode::{Fields, JSON, intended, misspelt, short};
use hookc_schema::dialect::settings::GROUP;
use hookc_schema::tree::{Cond, Family, Hook};
use hookc_schema::value::{Kind, Member, Value};
use hookc_schema::{Code, Diagnostic, Spanned, agents};

use super::extra::{Extra, HookParts};
use super::matcher::{self, LoweredMatcher, OtherTests};
use super::{Cx, agent, handler, known_tools, words};
use crate::limits;

/// Reads one item of an event's array.
pub(super) fn entry(event: &Spanned<String>, value: &Value, cx: &mut Cx<'_>) -> Vec<Hook> {
    let Kind::Map(members) = &value.kind else {
        let what = format!("an entry of `{}`", event.node);
        let new = JSON.wrong(value, &what, "an object");
        cx.report(new.help("write a group: `{\"matcher\": ..., \"hooks\": [...]}`"));
        return Vec::new();
    };
    let has = |key: &str| members.iter().any(|member| member.key.node == key);
    if has("hooks") {
        return group(event, value, members, cx);
    }
    if has("type") || has("action") {
        return alone(event, value, members, cx).into_iter().collect();
    }
    cx.report(neither(event, value, members));
    Vec::new()
}

/// The diagnostic for an entry that is neither a group nor a handler.
fn neither(event: &Spanned<String>, value: &Value, members: &[Member]) -> Diagnostic {
    let has = |key: &str| members.iter().find(|member| member.key.node == key);
    if let Some(new) = handler::kindless(value) {
        return new;
    }
    let known: Vec<&str> = GROUP.names().collect();
    if let Some(written) = intended(value, "hooks", &known) {
        return misspelt(written, &format!("a group of `{}`", event.node), "hooks");
    }
    let action = has("command").or_else(|| has("prompt")).or_else(|| has("url"));
    if let Some(member) = action.filter(|_| has("matcher").is_none()) {
        return handler::untyped(value, member);
    }
    let new = Diagnostic::new(
        Code::E0202,
        short(value),
        format!("`hooks` is missing in a group of `{}`", event.node),
    );
    new.with_label("no `hooks` here").help("write its handlers: `\"hooks\": [{\"type\": \"command\", ...}]`")
}

/// Reads a group's own keys.
struct Group {
    matcher: Matched,
    extra: Extra,
}

/// The condition of a matcher.
#[derive(Default)]
struct Matched {
    cond: Option<Cond>,
    /// The warning that the agent ignores the matcher.
    ignored: Option<Diagnostic>,
}

fn group(event: &Spanned<String>, value: &Value, members: &[Member], cx: &mut Cx<'_>) -> Vec<Hook> {
    let start = cx.out.errors();
    let Some(fields) = GROUP.read(value, JSON, cx.out) else { return Vec::new() };
    for member in &fields.others {
        other(member, cx);
    }
    let mut read_group = Group::read(event, &fields, cx);
    let sound = cx.out.errors() == start;
    let mut items: Vec<&Value> = Vec::new();
    for (_, list) in fields.sound().filter(|(key, _)| key.name == "hooks") {
        cx.kept.insert(list.key.span);
        if let Kind::Seq(list) = &list.value.kind {
            items.extend(list);
        }
    }
    if items.is_empty() && sound {
        let span = fields.value("hooks").map_or(event.span, |list| list.span);
        let new = Diagnostic::new(Code::W0290, span, "a group without handlers");
        cx.report(
            new.with_label("an empty list")
                .note("it has no effect")
                .help("write its handlers: `\"hooks\": [{\"type\": \"command\", ...}]`, or remove the group"),
        );
    }
    read_group.one_id(items.len(), cx);
    if !affords(members, items.len(), cx) {
        return Vec::new();
    }
    let hooks: Vec<Hook> = items.into_iter().filter_map(|item| read_group.handler(event, item, cx)).collect();
    // Without a valid handler, the matcher has no effect at all.
    if !hooks.is_empty() || cx.out.errors() == start {
        cx.out.extend(read_group.matcher.ignored.take());
    }
    if sound { hooks } else { Vec::new() }
}

/// Whether the file's budget allows a copy of the group's keys for each handler: the total size is
/// the product of both. The conditions are shared.
fn affords(members: &[Member], handlers: usize, cx: &mut Cx<'_>) -> bool {
    let others = members
        .iter()
        .filter(|member| !matches!(member.key.node.as_str(), "hooks" | "matcher" | "condition" | "when"));
    let size: usize = others.clone().map(|member| member.value.span.range().len()).sum();
    let copies = size.saturating_mul(handlers.saturating_sub(1));
    if let Some(rest) = cx.copy.checked_sub(copies) {
        cx.copy = rest;
        return true;
    }
    let longest = others.max_by_key(|member| member.value.span.range().len());
    let message = format!("{handlers} handlers each repeat {size} bytes of their group");
    let limit = format!("the groups of a file can expand by at most {} bytes", limits::GROUP_COPIES);
    let new = match longest {
        Some(member) => Diagnostic::new(Code::E0703, member.key.span, message).with_label("repeated by each"),
        None => Diagnostic::global(Code::E0703, message),
    };
    cx.report(new.note(limit).help("write the long keys at the handlers that need them"));
    false
}

impl Group {
    fn read(event: &Spanned<String>, fields: &Fields<'_>, cx: &mut Cx<'_>) -> Self {
        let extra = Extra::read(fields, cx);
        let matcher = fields.value("matcher").and_then(|value| matched(event, value, cx));
        Self { matcher: matcher.unwrap_or_default(), extra }
    }

    /// Reports an id that several hooks would share.
    fn one_id(&mut self, handlers: usize, cx: &mut Cx<'_>) {
        let Some(id) = self.extra.0.id.take_if(|_| handlers > 1) else { return };
        let message = format!("an `id` for {handlers} handlers");
        let new = Diagnostic::new(Code::W0232, id.span, message).with_label("ambiguous");
        cx.report(new.help("give each handler its own `id`"));
    }

    fn handler(&self, event: &Spanned<String>, value: &Value, cx: &mut Cx<'_>) -> Option<Hook> {
        let members = JSON.mapping(value, "a handler", cx.out)?;
        let read = handler::handler(event, value, members, false, cx)?;
        let matcher = self.matcher.cond.iter().cloned().collect();
        let made = HookParts { matcher, rule: read.rule, action: read.action };
        Some(read.extra.hook(event, value.span, &self.extra, made))
    }
}

/// The diagnostic for an unknown key of a group.
fn other(member: &Member, cx: &mut Cx<'_>) {
    let (key, span) = (&member.key.node, member.key.span);
    if key == "action" {
        let new = Diagnostic::new(Code::E0205, span, "a group has both `hooks` and `action`");
        return cx.report(new.with_label("the second").help("write each as a separate entry"));
    }
    if words::is_comment(key) {
        return cx.comment(&member.key);
    }
    let near = cx.near(key, &["matcher", "hooks"]);
    let new =
        Diagnostic::new(Code::W0232, span, format!("a group has no key `{key}`")).with_label("not read");
    let new = new.help("its keys are `matcher` and `hooks`, and those of the language");
    cx.report(new.did_you_mean(near, span));
}

/// Reads a handler, or a typed action, outside a group.
fn alone(event: &Spanned<String>, value: &Value, members: &[Member], cx: &mut Cx<'_>) -> Option<Hook> {
    let start = cx.out.errors();
    let mut matcher = Matched::default();
    for member in members.iter().filter(|member| member.key.node == "matcher") {
        matcher = matched(event, &member.value, cx).unwrap_or_default();
    }
    let sound = cx.out.errors() == start;
    let read = handler::handler(event, value, members, true, cx)?;
    cx.out.extend(matcher.ignored);
    let conds = matcher.cond.into_iter().collect();
    if read.typed {
        let made = HookParts { matcher: conds, rule: read.rule, action: read.action };
        return sound.then(|| read.extra.hook(event, value.span, &Extra::default(), made));
    }
    let (_, count) = cx.flat.get_or_insert((short(value), 0));
    *count += 1;
    let made = HookParts { matcher: conds, rule: read.rule, action: read.action };
    sound.then(|| read.extra.hook(event, value.span, &Extra::default(), made))
}

/// Lowers a matcher; `None` if it matches everything, or after an error was reported.
fn matched(event: &Spanned<String>, value: &Value, cx: &mut Cx<'_>) -> Option<Matched> {
    let text = JSON.text(value, "`matcher`", cx.out)?;
    let known = cx.vocabulary.events.get(&(Family::Agent, event.node.clone()));
    let Some(subject) = known.and_then(|known| known.matcher.clone()) else {
        // An event under a name that never occurs is an error of its own.
        let is_sent = known.is_some() || !is_misnamed(&event.node, cx);
        let is_ignored = is_sent && !matches!(text.value.as_str(), "" | "*" | ".*");
        let ignored = is_ignored.then(|| unmatched(event, value, known.is_some()));
        return Some(Matched { cond: None, ignored });
    };
    let lowered = matcher::lower(text, value.span, (&subject, OtherTests::When), cx.out)?;
    if subject.path == "tool_name"
        && let Some(new) = matcher::no_tool(&text.value, value.span)
            .or_else(|| known_tools::mistaken(Id::Claude.agent(), &text.value, value.span))
    {
        cx.report(new);
    }
    match lowered {
        LoweredMatcher::All => None,
        LoweredMatcher::Cond(cond) => Some(Matched { cond: Some(cond), ignored: None }),
    }
}

/// Whether the compiler reports the name of an event as one that never occurs.
fn is_misnamed(name: &str, cx: &Cx<'_>) -> bool {
    let known = agent::events(&cx.vocabulary).into_iter();
    agents::intended_event(Family::Agent, name, None, known).is_some()
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
