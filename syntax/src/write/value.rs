//! Values of writers: without spans.

use hookc_schema::value::{Kind, Member, Value};
use hookc_schema::{Span, Spanned};

/// Members in order of adding.
#[derive(Default)]
pub(super) struct Map(pub(super) Vec<Member>);

impl Map {
    pub(super) fn put(&mut self, key: &str, value: Value) {
        self.0.push(member(key, value.kind));
    }

    pub(super) fn maybe(&mut self, key: &str, value: Option<Value>) {
        if let Some(value) = value {
            self.put(key, value);
        }
    }

    pub(super) fn done(self) -> Value {
        Value::new(Kind::Map(self.0), Span::default())
    }
}

pub(super) fn member(key: &str, kind: Kind) -> Member {
    let at = Span::default();
    Member { key: Spanned::new(key.to_owned(), at), value: Value::new(kind, at) }
}

pub(super) fn text(value: &str) -> Value {
    Value::string(value, Span::default())
}

pub(super) fn boolean(value: bool) -> Value {
    Value::new(Kind::Bool(value), Span::default())
}

pub(super) fn list(items: impl IntoIterator<Item = Value>) -> Value {
    Value::new(Kind::Seq(items.into_iter().collect()), Span::default())
}
