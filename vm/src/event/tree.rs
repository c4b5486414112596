//! A parsed value whose nodes can be reached by number. It serves repeated access in any order; a
//! single access goes through an [`Item`] instead.

use hookc_base::json::key_order;
use hookc_base::row_number;

use std::ops::Range;

use super::json::{Found, Kind};
use super::lex::Lexer;
use super::string::Raw;
use super::{EventError, Item, Stored};
use crate::limits::MODULE_DEPTH;

/// Storage for the nodes of one value, children before parents. It borrows nothing, so it is reused
/// for the next value without allocating.
#[derive(Debug, Default)]
pub(crate) struct Tree {
    nodes: Vec<Node>,
    /// Nodes whose parents are not complete yet.
    open: Vec<Node>,
    /// Strings and keys that differ from their text.
    own: String,
}

#[derive(Clone, Copy, Debug)]
struct Node {
    kind: Kind,
    /// The content of a string; the text of any other value.
    value: Place,
    /// The key of a member, or nothing.
    key: Place,
    /// Its children: nodes in a row.
    first: u32,
    count: u32,
}

#[derive(Clone, Copy, Debug, Default)]
struct Place {
    own: bool,
    start: u32,
    end: u32,
}

impl Place {
    /// The limits of events and modules keep positions in a text below 2^32.
    fn new(own: bool, start: usize, end: usize) -> Self {
        Self { own, start: row_number(start), end: row_number(end) }
    }

    fn range(self) -> Range<usize> {
        self.start as usize..self.end as usize
    }
}

/// A value has more nodes than the limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TooMany;

/// A parsed value with the text it was read from.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Nodes<'t> {
    tree: &'t Tree,
    text: &'t str,
}

impl Tree {
    /// Parses a value; `None` if it is absent. Members are in RFC 8785 key order. Costs one pass
    /// over the text and a sort of each object's members.
    ///
    /// # Errors
    /// It has more than `most` values.
    pub(crate) fn read<'t>(&'t mut self, item: Item<'t>, most: usize) -> Result<Option<Nodes<'t>>, TooMany> {
        self.nodes.clear();
        self.open.clear();
        self.own.clear();
        let text = match item {
            Item::Absent => return Ok(None),
            Item::Null => self.root(Kind::Null, "null"),
            Item::Bool(false) => self.root(Kind::False, "false"),
            Item::Bool(true) => self.root(Kind::True, "true"),
            Item::Num(text) => self.root(Kind::Number, text),
            Item::Str(text) => self.root(Kind::String, text),
            Item::Array(text) | Item::Object(text) => {
                let mut reader =
                    Reader { lex: Lexer::new(text, MODULE_DEPTH), tree: self, most, full: false };
                let Ok(root) = reader.value(Place::default(), 0) else {
                    return if reader.full { Err(TooMany) } else { Ok(None) };
                };
                self.nodes.push(root);
                text
            }
        };
        Ok(Some(Nodes { tree: self, text }))
    }

    /// [`Tree::read`] of the value of a slot.
    pub(crate) fn read_stored<'t>(
        &'t mut self,
        value: Stored<'t>,
        most: usize,
    ) -> Result<Option<Nodes<'t>>, TooMany> {
        let text = match value {
            Stored::Item(item) => return self.read(item, most),
            text @ Stored::Escaped(_) => text,
        };
        self.nodes.clear();
        self.open.clear();
        text.item(&mut self.own);
        let value = Place::new(true, 0, self.own.len());
        self.nodes.push(Node { kind: Kind::String, value, key: Place::default(), first: 0, count: 0 });
        Ok(Some(Nodes { tree: self, text: "" }))
    }

    /// [`Tree::again`] for the value of a slot.
    pub(crate) fn again_stored<'t>(&'t self, value: Stored<'t>) -> Option<Nodes<'t>> {
        match value {
            Stored::Item(item) => self.again(item),
            Stored::Escaped(_) => Some(Nodes { tree: self, text: "" }),
        }
    }

    /// The last result of [`Tree::read`] for the same text.
    pub(crate) fn again<'t>(&'t self, item: Item<'t>) -> Option<Nodes<'t>> {
        let text = match item {
            Item::Absent => return None,
            Item::Num(text) | Item::Str(text) | Item::Array(text) | Item::Object(text) => text,
            Item::Null | Item::Bool(_) => "",
        };
        Some(Nodes { tree: self, text })
    }

    fn root<'t>(&mut self, kind: Kind, text: &'t str) -> &'t str {
        let value = Place::new(false, 0, text.len());
        self.nodes.push(Node { kind, value, key: Place::default(), first: 0, count: 0 });
        text
    }
}

impl<'t> Nodes<'t> {
    /// The node of the whole value.
    pub(crate) fn root(self) -> usize {
        self.tree.nodes.len().saturating_sub(1)
    }

    /// Whether a node is an array.
    pub(crate) fn is_array(self, node: usize) -> bool {
        self.tree.nodes.get(node).is_some_and(|node| node.kind == Kind::Array)
    }

    /// Nodes in all.
    pub(crate) fn len(self) -> usize {
        self.tree.nodes.len()
    }

    /// The value of a node.
    pub(crate) fn item(self, node: usize) -> Item<'t> {
        let Some(node) = self.tree.nodes.get(node) else { return Item::Absent };
        Item::new(node.kind, self.text(node.value))
    }

    /// The key of a member; empty for any other node.
    pub(crate) fn key(self, node: usize) -> &'t str {
        self.tree.nodes.get(node).map_or("", |node| self.text(node.key))
    }

    /// The elements of an array in order, the members of an object in RFC 8785 key order; none for
    /// other kinds.
    pub(crate) fn children(self, node: usize) -> Range<usize> {
        let place = |node: &Node| node.first as usize..node.first.saturating_add(node.count) as usize;
        self.tree.nodes.get(node).map_or(0..0, place)
    }

    /// The member of an object by its key.
    pub(crate) fn member(self, node: usize, key: &str) -> Option<usize> {
        let object = self.tree.nodes.get(node).is_some_and(|node| node.kind == Kind::Object);
        let place = if object { self.children(node) } else { 0..0 };
        let members = self.tree.nodes.get(place.clone())?;
        let found = members.binary_search_by(|member| key_order(self.text(member.key), key)).ok()?;
        place.start.checked_add(found)
    }

    fn text(self, place: Place) -> &'t str {
        let text = if place.own { self.tree.own.as_str() } else { self.text };
        text.get(place.range()).unwrap_or_default()
    }
}

struct Reader<'r, 't> {
    lex: Lexer<'t>,
    tree: &'r mut Tree,
    /// The allowed number of nodes, including the root.
    most: usize,
    /// The limit was exceeded.
    full: bool,
}

impl Reader<'_, '_> {
    /// Reads a value; its children are then in the tree. The recursion is as
    /// deep as the lexer allows.
    fn value(&mut self, key: Place, depth: usize) -> Found<Node> {
        let kind = self.lex.kind()?;
        let start = self.lex.at();
        let mut node = Node { kind, value: Place::default(), key, first: 0, count: 0 };
        match kind {
            Kind::Array | Kind::Object => (node.first, node.count) = self.children(kind, depth)?,
            Kind::String => {
                let raw = self.lex.string()?;
                node.value = self.keep(raw, start);
                return Ok(node);
            }
            _ => self.lex.scalar(kind)?,
        }
        node.value = Place::new(false, start, self.lex.at());
        Ok(node)
    }

    fn children(&mut self, kind: Kind, depth: usize) -> Found<(u32, u32)> {
        let depth = self.lex.deeper(depth)?;
        let close = if kind == Kind::Object { b'}' } else { b']' };
        let base = self.tree.open.len();
        let mut more = self.lex.open(close);
        while more {
            let key = if kind == Kind::Object { self.key()? } else { Place::default() };
            self.count()?;
            let child = self.value(key, depth)?;
            self.tree.open.push(child);
            more = self.lex.more(close)?;
        }
        if kind == Kind::Object {
            self.sort(base);
        }
        let first = self.tree.nodes.len();
        self.tree.nodes.extend(self.tree.open.drain(base..));
        Ok((row_number(first), row_number(self.tree.nodes.len().saturating_sub(first))))
    }

    /// Checks that one more child fits, plus the root.
    fn count(&mut self) -> Found<()> {
        let nodes = self.tree.nodes.len().saturating_add(self.tree.open.len());
        self.full = nodes.saturating_add(2) > self.most;
        if self.full { Err(Box::new(EventError::TooLarge(self.most))) } else { Ok(()) }
    }

    /// A string that starts at `start`, without quotes and escapes.
    fn keep(&mut self, raw: Raw<'_>, start: usize) -> Place {
        let start = start.saturating_add(1);
        if !raw.escaped {
            return Place::new(false, start, start.saturating_add(raw.text.len()));
        }
        let start = self.tree.own.len();
        raw.decode_into(&mut self.tree.own);
        Place::new(true, start, self.tree.own.len())
    }

    fn key(&mut self) -> Found<Place> {
        let start = self.lex.at();
        let raw = self.lex.key()?;
        Ok(self.keep(raw, start))
    }

    fn sort(&mut self, base: usize) {
        let Tree { open, own, .. } = &mut *self.tree;
        let key = |node: &Node| {
            let place = node.key.range();
            if node.key.own { own.get(place) } else { Some(self.lex.within(place)) }.unwrap_or_default()
        };
        if let Some(members) = open.get_mut(base..) {
            members.sort_by(|a, b| key_order(key(a), key(b)));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nodes_by_number_and_by_key() {
        let text = r#"{"b": [1, "x\n", {}], "\u0061": {"k": null}, "": true}"#;
        let mut tree = Tree::default();
        let nodes = tree.read(Item::Object(text), 8).unwrap().unwrap();
        let root = nodes.root();
        let keys: Vec<&str> = nodes.children(root).map(|node| nodes.key(node)).collect();
        assert_eq!(keys, ["", "a", "b"]);
        let b = nodes.member(root, "b").unwrap();
        let items: Vec<String> = nodes.children(b).map(|node| format!("{:?}", nodes.item(node))).collect();
        assert_eq!(items, ["Num(\"1\")", "Str(\"x\\n\")", "Object(\"{}\")"]);
        assert!(nodes.member(root, "c").is_none() && nodes.member(b, "x").is_none());
        assert!(matches!(nodes.item(root), Item::Object(whole) if whole == text));
        assert!(tree.read(Item::Absent, 8).unwrap().is_none());
        assert_eq!(tree.read(Item::Object(text), 7).unwrap_err(), TooMany);
        let nodes = tree.read(Item::Str("plain"), 8).unwrap().unwrap();
        assert!(matches!(nodes.item(nodes.root()), Item::Str("plain")));
    }
}
