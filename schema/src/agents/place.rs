//! Hooks files whose events are not under `hooks`: their content as if they were.

use super::{Agent, Form, Listed};
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
        let Some(form) = &self.form else { return root };
        if form.is_bare(path) && root.get("hooks").is_none() && matches!(root.kind, Kind::Map(_)) {
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
