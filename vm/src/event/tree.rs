//! A parsed value whose nodes can be reached by number. It serves repeated access in any order; a
//! single access goes through an [`Item`] instead.

use std::collections::HashMap;
use std::ops::Range;

use hookc_base::json::key_order;
use hookc_base::row_number;

use super::json::{Found, Kind};
use super::lex::Lexer;
use super::string::Raw;
use super::{EventError, Item, Stored};
use crate::limits::MODULE_DEPTH;

/// Members among which a key is found faster one by one than by halves.
const FEW: usize = 24;

/// Storage for the nodes of one value, children before parents. It borrows nothing, so it is reused
/// for the next value without allocating.
#[derive(Debug, Default)]
pub(crate) struct Tree {
    nodes: Vec<Node>,
    /// Nodes whose parents are not complete yet.
    open: Vec<Node>,
    /// The strings of a value that shares them with no other.
    own: Strings,
    /// The text of a value of a parsed event.
    written: String,
}

/// Strings and keys that differ from their text. Several trees can share them: values that overlap,
/// such as an object and one of its members, then have the same strings once.
#[derive(Debug, Default)]
pub(crate) struct Strings {
    text: String,
    /// Where those are that have at least [`SHARED`] bytes, by the address of their text.
    known: HashMap<usize, Place>,
    /// The length of strings that are decoded when they are read.
    late: usize,
}

/// Strings of as many bytes are looked up before they are decoded: shorter ones take less than a
/// node.
const SHARED: usize = 64;

impl Strings {
    /// Forgets the strings. Values with escapes of `late` bytes are decoded when they are read.
    pub(crate) fn clear(&mut self, late: usize) {
        self.text.clear();
        self.known.clear();
        self.late = late;
    }

    /// The bytes of all strings.
    pub(crate) fn len(&self) -> usize {
        self.text.len()
    }

    /// Appends a string, unless it is there.
    fn add(&mut self, text: &str, decode: impl FnOnce(&mut String)) -> Place {
        let address = text.as_ptr().addr();
        if let Some(known) = self.known.get(&address).filter(|_| text.len() >= SHARED) {
            return *known;
        }
        let start = self.text.len();
        decode(&mut self.text);
        let place = Place::new(Of::Strings, start, self.text.len());
        if text.len() >= SHARED {
            self.known.insert(address, place);
        }
        place
    }
}

#[derive(Clone, Copy, Debug)]
struct Node {
    kind: Kind,
    /// The content of a string, with its escapes if it is long; the text of any other value.
    value: Place,
    /// The key of a member, or nothing.
    key: Place,
    /// Its children: nodes in a row.
    first: u32,
    count: u32,
}

#[derive(Clone, Copy, Debug, Default)]
struct Place {
    of: Of,
    start: u32,
    end: u32,
}

/// What a place is in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Of {
    /// The text of the value.
    #[default]
    Text,
    /// The text of the value, where it is a long string with escapes.
    Late,
    /// [`Strings`].
    Strings,
}

impl Place {
    /// The limits of events and modules keep positions in a text below 2^32.
    fn new(of: Of, start: usize, end: usize) -> Self {
        Self { of, start: row_number(start), end: row_number(end) }
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
    strings: &'t Strings,
    text: &'t str,
}

impl Tree {
    /// Parses a value; `None` if it is absent. Members are in RFC 8785 key order. Costs one pass
    /// over the text and a sort of each object's members.
    ///
    /// # Errors
    /// It has more than `most` values.
    pub(crate) fn read<'t>(
        &'t mut self,
        item: Item<'t>,
        most: usize,
        late: usize,
    ) -> Result<Option<Nodes<'t>>, TooMany> {
        let mut strings = std::mem::take(&mut self.own);
        strings.clear(late);
        let text = self.parse(item, &mut strings, most);
        self.own = strings;
        Ok(text?.map(|text| Nodes { tree: self, strings: &self.own, text }))
    }

    fn parse<'t>(
        &mut self,
        item: Item<'t>,
        strings: &mut Strings,
        most: usize,
    ) -> Result<Option<&'t str>, TooMany> {
        self.nodes.clear();
        self.open.clear();
        let text = match item {
            Item::Absent => return Ok(None),
            Item::Null => self.root(Kind::Null, "null"),
            Item::Bool(false) => self.root(Kind::False, "false"),
            Item::Bool(true) => self.root(Kind::True, "true"),
            Item::Num(text) => self.root(Kind::Number, text),
            Item::Str(text) => self.root(Kind::String, text),
            Item::Array(text) | Item::Object(text) => {
                let lex = Lexer::new(text, MODULE_DEPTH);
                let mut reader = Reader { lex, tree: self, strings, most, full: false };
                let Ok(root) = reader.value(Place::default(), 0) else {
                    return if reader.full { Err(TooMany) } else { Ok(None) };
                };
                self.nodes.push(root);
                text
            }
        };
        Ok(Some(text))
    }

    /// [`Tree::read`] of the value of a slot, with shared strings; the number of its nodes.
    pub(crate) fn read_stored(
        &mut self,
        value: Stored<'_>,
        strings: &mut Strings,
        most: usize,
    ) -> Result<usize, TooMany> {
        match value {
            Stored::Item(item) => {
                let parsed = self.parse(item, strings, most)?;
                Ok(parsed.map_or(0, |_| self.nodes.len()))
            }
            Stored::Escaped(text) => {
                self.nodes.clear();
                self.open.clear();
                let value = Place::new(Of::Late, 0, text.raw().len());
                self.nodes.push(Node {
                    kind: Kind::String,
                    value,
                    key: Place::default(),
                    first: 0,
                    count: 0,
                });
                Ok(1)
            }
            Stored::Parsed(parsed) => {
                let mut text = std::mem::take(&mut self.written);
                let parsed = self.parse(parsed.item(&mut text), strings, most).map(|text| text.is_some());
                self.written = text;
                Ok(if parsed? { self.nodes.len() } else { 0 })
            }
        }
    }

    /// The last result of [`Tree::read_stored`] for the same value.
    pub(crate) fn again_stored<'t>(&'t self, value: Stored<'t>, strings: &'t Strings) -> Option<Nodes<'t>> {
        let text = match value {
            Stored::Item(item) => text_of(item)?,
            Stored::Escaped(text) => text.raw(),
            Stored::Parsed(_) => &self.written,
        };
        Some(Nodes { tree: self, strings, text })
    }

    /// The last result of [`Tree::read`] for the same text.
    pub(crate) fn again<'t>(&'t self, item: Item<'t>) -> Option<Nodes<'t>> {
        Some(Nodes { tree: self, strings: &self.own, text: text_of(item)? })
    }

    /// The bytes of the strings that it does not share.
    pub(crate) fn own_len(&self) -> usize {
        self.own.len()
    }

    fn root<'t>(&mut self, kind: Kind, text: &'t str) -> &'t str {
        let value = Place::new(Of::Text, 0, text.len());
        self.nodes.push(Node { kind, value, key: Place::default(), first: 0, count: 0 });
        text
    }
}

/// The text in which the places of a value are; `None` if it is absent.
fn text_of(item: Item<'_>) -> Option<&str> {
    match item {
        Item::Absent => None,
        Item::Num(text) | Item::Str(text) | Item::Array(text) | Item::Object(text) => Some(text),
        Item::Null | Item::Bool(_) => Some(""),
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
    pub(crate) fn stored(self, node: usize) -> Stored<'t> {
        let Some(node) = self.tree.nodes.get(node) else { return Stored::Item(Item::Absent) };
        let text = self.text(node.value);
        match node.value.of {
            Of::Late => Stored::escaped(text),
            Of::Text | Of::Strings => Stored::Item(Item::new(node.kind, text)),
        }
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
        let found = if members.len() <= FEW {
            // Lengths tell most keys apart.
            let is_named =
                |member: &Node| member.key.range().len() == key.len() && self.text(member.key) == key;
            members.iter().position(is_named)?
        } else {
            members.binary_search_by(|member| key_order(self.text(member.key), key)).ok()?
        };
        place.start.checked_add(found)
    }

    fn text(self, place: Place) -> &'t str {
        let text = if place.of == Of::Strings { self.strings.text.as_str() } else { self.text };
        text.get(place.range()).unwrap_or_default()
    }
}

struct Reader<'r, 't> {
    lex: Lexer<'t>,
    tree: &'r mut Tree,
    strings: &'r mut Strings,
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
                node.value = match raw.escaped && raw.text.len() >= self.strings.late {
                    true => Place::new(Of::Late, start.saturating_add(1), self.lex.at().saturating_sub(1)),
                    false => self.keep(raw, start),
                };
                return Ok(node);
            }
            _ => self.lex.scalar(kind)?,
        }
        node.value = Place::new(Of::Text, start, self.lex.at());
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
            return Place::new(Of::Text, start, start.saturating_add(raw.text.len()));
        }
        self.strings.add(raw.text, |out| raw.decode_into(out))
    }

    fn key(&mut self) -> Found<Place> {
        let start = self.lex.at();
        let raw = self.lex.key()?;
        Ok(self.keep(raw, start))
    }

    fn sort(&mut self, base: usize) {
        let (open, text) = (&mut self.tree.open, &self.strings.text);
        let key = |node: &Node| {
            let place = node.key.range();
            if node.key.of == Of::Strings { text.get(place) } else { Some(self.lex.within(place)) }
                .unwrap_or_default()
        };
        if let Some(members) = open.get_mut(base..) {
            members.sort_by(|a, b| key_order(key(a), key(b)));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn item(nodes: Nodes<'_>, node: usize) -> Item<'_> {
        match nodes.stored(node) {
            Stored::Item(item) => item,
            Stored::Escaped(_) | Stored::Parsed(_) => panic!("no item"),
        }
    }

    #[test]
    fn long_strings_are_decoded_when_they_are_read() {
        let text = r#"{"a": "\u0061bc\n", "b\u0061bcd": "plain and long", "c": ["\n", "\u0061bc\n"]}"#;
        let (mut tree, mut strings) = (Tree::default(), Strings::default());
        strings.clear(5);
        assert_eq!(tree.read_stored(Stored::Item(Item::Object(text)), &mut strings, 9), Ok(6));
        assert_eq!(strings.len(), "babcd\n".len());
        let nodes = tree.again_stored(Stored::Item(Item::Object(text)), &strings).unwrap();
        let mut decoded = String::new();
        let a = nodes.member(nodes.root(), "a").unwrap();
        assert!(matches!(nodes.stored(a), Stored::Escaped(_)));
        assert!(matches!(nodes.stored(a).item(&mut decoded), Item::Str("abc\n")));
        let b = nodes.member(nodes.root(), "babcd").unwrap();
        assert!(matches!(item(nodes, b), Item::Str("plain and long")));
    }

    #[test]
    fn nodes_by_number_and_by_key() {
        let text = r#"{"b": [1, "x\n", {}], "\u0061": {"k": null}, "": true}"#;
        let mut tree = Tree::default();
        let nodes = tree.read(Item::Object(text), 8, usize::MAX).unwrap().unwrap();
        let root = nodes.root();
        let keys: Vec<&str> = nodes.children(root).map(|node| nodes.key(node)).collect();
        assert_eq!(keys, ["", "a", "b"]);
        let b = nodes.member(root, "b").unwrap();
        let items: Vec<String> = nodes.children(b).map(|node| format!("{:?}", item(nodes, node))).collect();
        assert_eq!(items, ["Num(\"1\")", "Str(\"x\\n\")", "Object(\"{}\")"]);
        assert!(nodes.member(root, "c").is_none() && nodes.member(b, "x").is_none());
        assert!(matches!(item(nodes, root), Item::Object(whole) if whole == text));
        assert!(tree.read(Item::Absent, 8, 0).unwrap().is_none());
        assert_eq!(tree.read(Item::Object(text), 7, 0).unwrap_err(), TooMany);
        let nodes = tree.read(Item::Str("plain"), 8, 0).unwrap().unwrap();
        assert!(matches!(item(nodes, nodes.root()), Item::Str("plain")));
    }
}
