//! The buffers of values that were read and are no longer needed. The values that follow reuse them, so
//! that a long list of hooks needs no more memory for its values than its largest hook.

use hookc_schema::value::{Kind, Member, Value};

/// How many buffers of each kind are kept.
const KEPT: usize = 1024;

/// The largest capacity of a buffer that is kept, in bytes or elements.
const LARGEST: usize = 256;

/// Empty buffers.
#[derive(Debug, Default)]
pub(crate) struct Buffers {
    strings: Vec<String>,
    items: Vec<Vec<Value>>,
    members: Vec<Vec<Member>>,
}

impl Buffers {
    /// A copy of `text`.
    pub(crate) fn string(&mut self, text: &str) -> String {
        match self.strings.pop() {
            Some(mut buffer) => {
                buffer.push_str(text);
                buffer
            }
            None => text.to_owned(),
        }
    }

    /// An empty list of elements.
    pub(super) fn items(&mut self) -> Vec<Value> {
        self.items.pop().unwrap_or_default()
    }

    /// An empty list of members.
    pub(super) fn members(&mut self) -> Vec<Member> {
        self.members.pop().unwrap_or_default()
    }

    /// Takes a value apart and keeps its buffers. Recursion is bounded by the nesting of values.
    pub(super) fn recycle(&mut self, kind: Kind) {
        match kind {
            Kind::Str(text) => self.recycle_string(text.value),
            Kind::Seq(mut items) => {
                items.drain(..).for_each(|item| self.recycle(item.kind));
                keep(&mut self.items, items);
            }
            Kind::Map(mut members) => {
                for member in members.drain(..) {
                    self.recycle_string(member.key.node);
                    self.recycle(member.value.kind);
                }
                keep(&mut self.members, members);
            }
            Kind::Null | Kind::Bool(_) | Kind::Num(_) => {}
        }
    }

    fn recycle_string(&mut self, mut text: String) {
        if (1..=LARGEST).contains(&text.capacity()) && self.strings.len() < KEPT {
            text.clear();
            self.strings.push(text);
        }
    }
}

/// Keeps an empty list, unless there are enough or it is too large.
fn keep<T>(kept: &mut Vec<Vec<T>>, list: Vec<T>) {
    if (1..=LARGEST).contains(&list.capacity()) && kept.len() < KEPT {
        kept.push(list);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hookc_schema::{Span, Spanned};

    #[test]
    fn buffers_are_empty_when_they_are_used_again() {
        let mut buffers = Buffers::default();
        let text = || Value::string("a long text", Span::default());
        let key = Spanned::new("key".to_owned(), Span::default());
        let list = Value::new(Kind::Seq(vec![text(), text()]), Span::default());
        buffers.recycle(Kind::Map(vec![Member { key, value: list }]));
        assert_eq!(buffers.strings.len(), 3);
        assert_eq!(buffers.string("new"), "new");
        assert!(buffers.items().is_empty() && buffers.items.is_empty());
        assert!(buffers.members().is_empty() && buffers.members.is_empty());
    }

    #[test]
    fn large_buffers_are_freed() {
        let mut buffers = Buffers::default();
        buffers.recycle(Kind::Str(hookc_schema::value::Text::plain("x".repeat(LARGEST + 1))));
        assert!(buffers.strings.is_empty());
    }
}
