//! Hooks files whose events are not under `hooks`: their content as if they were.

use super::{Agent, EventNames, Form, Listed};
use crate::span::{Span, Spanned};
use crate::value::{Kind, Member, Value};

impl Form {
    /// Whether the events of a file are members of the file itself, by its path with `/`.
    #[must_use]
    pub fn is_bare(&self, path: &str) -> bool {
        let is_at = |suffix: &String| {
            path.strip_suffix(suffix.as_str())
                .is_some_and(|before| before.is_empty() || before.ends_with('/'))
        };
        self.bare.iter().any(is_at)
    }
}

impl Agent {
    /// The content of a hooks file with its events under `hooks`. Spans are those of the file.
    #[must_use]
    pub fn under_hooks(&self, path: &str, root: Value) -> Value {
        let mut root = self.moved_under_hooks(path, root);
        let Kind::Map(members) = &mut root.kind else { return root };
        for member in members.iter_mut().filter(|member| member.key.node == "hooks") {
            if let Kind::Map(events) = &mut member.value.kind {
                self.name_events(events);
            }
        }
        root
    }

    /// Whether the events of a file are members of the file itself.
    #[must_use]
    pub fn has_bare_events(&self, path: &str, root: &Value) -> bool {
        let Some(form) = &self.form else { return false };
        let is_event = |member: &Member| {
            let name = member.key.node.as_str();
            self.event(name).is_some() || self.event_name(name).is_some()
        };
        root.get("hooks").is_none()
            && matches!(root.kind, Kind::Map(_))
            && (form.is_bare(path) || form.bare_too && root.members().iter().any(is_event))
    }

    /// Gives events the names that the agent sends.
    fn name_events(&self, events: &mut [Member]) {
        let names: Vec<_> = events.iter().map(|event| self.event_name(&event.key.node)).collect();
        let may_repeat = self.form.as_ref().is_some_and(|form| form.event_names == EventNames::Any);
        for (at, name) in names.into_iter().enumerate() {
            let Some(name) = name else { continue };
            let is_new = || events.iter().all(|other| other.key.node != name);
            if (may_repeat || is_new())
                && let Some(event) = events.get_mut(at)
            {
                name.clone_into(&mut event.key.node);
            }
        }
    }

    /// The name of an event that a hooks file has in another spelling.
    fn event_name(&self, written: &str) -> Option<&str> {
        let plain = |name: &str| name.replace('_', "").to_ascii_lowercase();
        let names = self.events.iter().map(|event| event.name.as_str()).filter(|name| *name != written);
        match self.form.as_ref()?.event_names {
            EventNames::Exact => None,
            EventNames::Snake => names.into_iter().find(|name| in_snake_case(name) == written),
            EventNames::Any => names.into_iter().find(|name| plain(name) == plain(written)),
        }
    }

    fn moved_under_hooks(&self, path: &str, root: Value) -> Value {
        let Some(form) = &self.form else { return root };
        if self.has_bare_events(path, &root) {
            let span = root.span;
            return Value::new(Kind::Map(vec![hooks(Span { end: span.start, ..span }, root)]), span);
        }
        match root.kind {
            Kind::Map(members) if form.named.is_some() => {
                let named = members.into_iter().map(|member| match member.value.kind {
                    Kind::Map(_) => hooks(member.key.span, member.value),
                    _ => member,
                });
                Value::new(Kind::Map(named.collect()), root.span)
            }
            kind => Value::new(kind, root.span),
        }
    }

    /// Like [`under_hooks`](Self::under_hooks), and of a list of hooks each is an event with one handler.
    #[must_use]
    pub fn by_event(&self, path: &str, root: Value) -> Value {
        let mut root = self.under_hooks(path, root);
        let listed = self.form.as_ref().and_then(|form| form.listed.as_ref());
        if let (Some(listed), Kind::Map(members)) = (listed, &mut root.kind) {
            for member in members.iter_mut().filter(|member| member.key.node == "hooks") {
                if let Kind::Seq(items) = &member.value.kind {
                    let events = items.iter().filter_map(|item| event_of(item, listed)).collect();
                    member.value = Value::new(Kind::Map(events), member.value.span);
                }
            }
        }
        root
    }
}

/// The entries under `hooks` of what [`Agent::by_event`] returns, each with its event, in order. A repeated key has all of
/// its entries.
pub fn entries(root: &Value) -> impl Iterator<Item = (&Member, &Value)> {
    let hooks = root.members().iter().filter(|member| member.key.node == "hooks");
    let events = hooks.flat_map(|hooks| hooks.value.members());
    events.flat_map(|event| event.value.items().iter().map(move |entry| (event, entry)))
}

/// The handlers of an entry: those of a group, or the entry itself.
#[must_use]
pub fn handlers(entry: &Value) -> &[Value] {
    entry.get("hooks").map_or(std::slice::from_ref(entry), Value::items)
}

/// `PreToolUse` as `pre_tool_use`.
fn in_snake_case(name: &str) -> String {
    let mut written = String::new();
    for c in name.chars() {
        if c.is_ascii_uppercase() && !written.is_empty() {
            written.push('_');
        }
        written.push(c.to_ascii_lowercase());
    }
    written
}

fn hooks(span: Span, value: Value) -> Member {
    Member { key: Spanned::new("hooks".to_owned(), span), value }
}

/// A hook of a list as an event with the handler. The handler has the members of the hook too.
fn event_of(item: &Value, listed: &Listed) -> Option<Member> {
    let event = item.get(&listed.event)?;
    let key = Spanned::new(event.as_str()?.to_owned(), event.span);
    let handler = item.get(&listed.handler).map(Value::members).unwrap_or_default();
    let others = item.members().iter().filter(|member| member.key.node != listed.handler);
    let joined = Value::new(Kind::Map(handler.iter().chain(others).cloned().collect()), item.span);
    Some(Member { key, value: Value::new(Kind::Seq(vec![joined]), item.span) })
}
