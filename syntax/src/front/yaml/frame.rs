//! Collections under construction.

use std::ops::Range;

use hookc_schema::value::{Kind, Member, Value};
use hookc_schema::{Code, Diagnostic, Diagnostics, Span, Spanned};

use super::buffers::Buffers;
use super::events::Layout;
use super::keys::Keys;

/// A complete value with its size: nodes, and levels of collections.
#[derive(Clone, Debug)]
pub(super) struct Node {
    pub(super) value: Value,
    pub(super) nodes: usize,
    pub(super) height: usize,
}

impl Node {
    pub(super) fn leaf(value: Value) -> Self {
        Self { value, nodes: 1, height: 0 }
    }
}

/// A collection that is not complete.
#[derive(Debug)]
pub(super) struct Frame {
    pub(super) layout: Layout,
    /// From its start to the end of its last child.
    pub(super) range: Range<usize>,
    pub(super) anchor: usize,
    pub(super) body: Body,
    nodes: usize,
    height: usize,
}

/// Its content so far.
#[derive(Debug)]
pub(super) enum Body {
    Seq(Vec<Value>),
    Map(Box<MapBody>),
}

/// A mapping so far.
#[derive(Debug)]
pub(super) struct MapBody {
    pub(super) members: Vec<Member>,
    pub(super) keys: Keys,
    /// The value of `<<` and its span.
    pub(super) merge: Option<(Span, Option<Value>)>,
    pending: Pending,
}

/// The role of the next node of a mapping.
#[derive(Debug)]
pub(super) enum Pending {
    /// A key.
    Key,
    /// The value of this key.
    Value(String, Span),
    /// The value of `<<`.
    Merge(Span),
    /// The value of a key that cannot be used.
    Dropped,
}

impl Body {
    pub(super) fn seq(buffers: &mut Buffers) -> Self {
        Self::Seq(buffers.items())
    }

    pub(super) fn map(buffers: &mut Buffers) -> Self {
        Self::Map(Box::new(MapBody {
            members: buffers.members(),
            keys: Keys::default(),
            merge: None,
            pending: Pending::Key,
        }))
    }
}

impl Frame {
    pub(super) fn new(body: Body, layout: Layout, range: Range<usize>, anchor: usize) -> Self {
        Self { layout, range, anchor, body, nodes: 1, height: 1 }
    }

    /// Whether the next node is a key.
    pub(super) fn wants_key(&self) -> bool {
        matches!(&self.body, Body::Map(map) if matches!(map.pending, Pending::Key))
    }

    /// Whether the next node is the value of `key`.
    pub(super) fn expects(&self, key: &str) -> bool {
        matches!(&self.body, Body::Map(map) if matches!(&map.pending, Pending::Value(name, _) if name == key))
    }

    /// The collection as a value.
    pub(super) fn finish(self, span: Span) -> Node {
        let kind = match self.body {
            Body::Seq(items) => Kind::Seq(items),
            Body::Map(map) => Kind::Map(map.members),
        };
        Node { value: Value::new(kind, span), nodes: self.nodes, height: self.height }
    }

    /// The next key with its span.
    pub(super) fn key(&mut self, pending: Pending, span: Span, out: &mut Diagnostics) {
        self.range.end = self.range.end.max(span.end as usize);
        let Body::Map(map) = &mut self.body else { return };
        map.pending = map.admit(pending, out);
    }

    /// The next child.
    pub(super) fn take(&mut self, node: Node, out: &mut Diagnostics) {
        self.nodes = self.nodes.saturating_add(node.nodes);
        self.height = self.height.max(node.height + 1);
        self.range.end = self.range.end.max(node.value.span.end as usize);
        match &mut self.body {
            Body::Seq(items) => items.push(node.value),
            Body::Map(map) => map.take(node.value, out),
        }
    }
}

impl MapBody {
    /// The key, unless it was written before.
    fn admit(&mut self, pending: Pending, out: &mut Diagnostics) -> Pending {
        let (name, span, first) = match &pending {
            Pending::Value(name, span) => {
                let first = self.keys.find(&self.members, name);
                (name.as_str(), *span, first.and_then(|at| self.members.get(at)).map(|m| m.key.span))
            }
            Pending::Merge(span) => ("<<", *span, self.merge.as_ref().map(|(first, _)| *first)),
            Pending::Key | Pending::Dropped => return pending,
        };
        let Some(first) = first else {
            if let Pending::Merge(span) = pending {
                self.merge = Some((span, None));
            }
            return pending;
        };
        let new = Diagnostic::new(Code::E0102, span, format!("duplicate key `{name}`"));
        let help = if name == "<<" { "write one `<<` with a list" } else { "remove one of the two" };
        out.push(new.with_label("again here").also(first, "first here").help(help));
        Pending::Dropped
    }

    fn take(&mut self, value: Value, out: &mut Diagnostics) {
        match std::mem::replace(&mut self.pending, Pending::Key) {
            Pending::Value(key, span) => {
                self.members.push(Member { key: Spanned::new(key, span), value });
                self.keys.pushed(&self.members);
            }
            Pending::Merge(_) => {
                if let Some((_, merge)) = &mut self.merge {
                    *merge = Some(value);
                }
            }
            Pending::Dropped => {}
            Pending::Key => {
                let new = Diagnostic::new(Code::E0105, value.span, format!("{} as a key", value.noun()));
                out.push(new.with_label("not a scalar").help("JSON keys are strings: write a string"));
                self.pending = Pending::Dropped;
            }
        }
    }
}
