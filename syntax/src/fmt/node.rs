//! What is kept of a text: nodes as written, each with the comments above and next to it.

use std::borrow::Cow;

use crate::front::yaml::events::Style;

/// A text.
#[derive(Debug, Default)]
pub(super) struct Document<'a> {
    /// The lines up to `---`, if it was written.
    pub(super) prefix: Vec<&'a str>,
    /// Comments of the file as a whole.
    pub(super) head: Vec<Comment<'a>>,
    pub(super) root: Option<Node<'a>>,
    /// Comments after everything.
    pub(super) tail: Vec<Comment<'a>>,
}

/// A comment on its own line.
#[derive(Clone, Copy, Debug)]
pub(super) struct Comment<'a> {
    /// From its `#`.
    pub(super) text: &'a str,
    /// An empty line precedes it.
    pub(super) gap: bool,
}

/// A member of a mapping, or an item of a list.
#[derive(Debug)]
pub(super) struct Entry<'a> {
    pub(super) above: Vec<Comment<'a>>,
    /// An empty line precedes it, after its comments.
    pub(super) gap: bool,
    /// The key; lists have none.
    pub(super) key: Option<Node<'a>>,
    pub(super) value: Node<'a>,
    /// The comment that ends its line.
    pub(super) trailing: Option<&'a str>,
}

/// A value or a key.
#[derive(Debug, Default)]
pub(super) struct Node<'a> {
    /// Anchor and tag as written.
    pub(super) props: Option<String>,
    pub(super) shape: Shape<'a>,
    /// Anchors or aliases are in it: its parts stay in order.
    pub(super) fixed: bool,
}

#[derive(Debug, Default)]
pub(super) enum Shape<'a> {
    /// An omitted value.
    #[default]
    Empty,
    Scalar(Scalar<'a>),
    /// `*name`
    Alias(&'a str),
    Collection(Collection<'a>),
}

#[derive(Debug)]
pub(super) struct Collection<'a> {
    pub(super) mapping: bool,
    /// It was written in brackets.
    pub(super) flow: bool,
    pub(super) entries: Vec<Entry<'a>>,
    /// Comments after its last entry.
    pub(super) tail: Vec<Comment<'a>>,
}

#[derive(Debug)]
pub(super) struct Scalar<'a> {
    /// Decoded.
    pub(super) text: Cow<'a, str>,
    pub(super) style: Style,
    /// As written, including quotes; for a block scalar, the lines after its header.
    pub(super) raw: &'a str,
    /// A tag determines its type: it stays as written.
    pub(super) tagged: bool,
}

impl<'a> Node<'a> {
    /// The collection in it, unless that is empty.
    pub(super) fn full(&self) -> Option<&Collection<'a>> {
        match &self.shape {
            Shape::Collection(inner) if !inner.entries.is_empty() => Some(inner),
            _ => None,
        }
    }

    /// The text of a key that sorts.
    pub(super) fn name(&self) -> Option<&str> {
        match &self.shape {
            Shape::Scalar(scalar) => Some(&scalar.text),
            _ => None,
        }
    }
}

/// The comment that names a schema for editors.
const MODELINE: &str = "# yaml-language-server:";

impl Document<'_> {
    /// Parts the comments of the whole file from those of its first key: an
    /// empty line does, and the line for editors is always the file's.
    pub(super) fn lift_head(&mut self) {
        let Some(Shape::Collection(root)) = self.root.as_mut().map(|root| &mut root.shape) else { return };
        let Some(first) = root.entries.first_mut() else { return };
        let last = first.above.iter().rposition(|comment| comment.gap).unwrap_or(0);
        let gap = if first.gap { first.above.len() } else { last };
        let modeline = first.above.iter().position(|comment| comment.text.starts_with(MODELINE));
        let modeline = modeline.map_or(0, |at| at + 1);
        self.head.extend(first.above.drain(..gap.max(modeline)));
        first.gap = false;
        if let Some(comment) = first.above.first_mut() {
            comment.gap = false;
        }
    }
}
