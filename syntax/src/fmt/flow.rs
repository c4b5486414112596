//! Values on one line, in brackets.

use super::node::{Collection, Entry, Node, Shape};
use super::order::{Role, ordered};
use super::scalar;

/// The node on one line of at most `room` characters; `None` if it does not fit, contains comments,
/// or was written on several lines.
pub(super) fn line(node: &Node<'_>, role: Role, room: usize) -> Option<String> {
    let mut line = Line { out: String::new(), room };
    line.node(node, role).then_some(line.out)
}

struct Line {
    out: String,
    room: usize,
}

impl Line {
    fn push(&mut self, text: &str) -> bool {
        self.out.push_str(text);
        // Bytes first: counting characters of each prefix would be quadratic.
        self.out.len() <= self.room || self.out.chars().count() <= self.room
    }

    fn node(&mut self, node: &Node<'_>, role: Role) -> bool {
        if !self.props(node) {
            return false;
        }
        match &node.shape {
            Shape::Empty => self.push("null"),
            Shape::Scalar(scalar) => self.push(&scalar::line(scalar, role, false)),
            Shape::Alias(name) => self.push(name),
            Shape::Collection(inner) => {
                let empty = inner.entries.is_empty() && inner.tail.is_empty();
                (inner.flow || empty) && self.collection(inner, role)
            }
        }
    }

    fn collection(&mut self, collection: &Collection<'_>, role: Role) -> bool {
        let (open, close) = if collection.mapping { ("{", "}") } else { ("[", "]") };
        if !collection.tail.is_empty() || !self.push(open) {
            return false;
        }
        for (at, entry) in ordered(collection, role).into_iter().enumerate() {
            if (at > 0 && !self.push(", ")) || !self.entry(entry, role) {
                return false;
            }
        }
        self.push(close)
    }

    fn entry(&mut self, entry: &Entry<'_>, role: Role) -> bool {
        if !entry.above.is_empty() || entry.trailing.is_some() {
            return false;
        }
        entry.key.as_ref().is_none_or(|key| self.key(key)) && self.node(&entry.value, role.within(entry))
    }

    fn key(&mut self, key: &Node<'_>) -> bool {
        self.props(key)
            && match &key.shape {
                Shape::Scalar(scalar) => self.push(&scalar::key(scalar)) && self.push(": "),
                Shape::Alias(name) => self.push(name) && self.push(" : "),
                Shape::Empty | Shape::Collection(_) => false,
            }
    }

    fn props(&mut self, node: &Node<'_>) -> bool {
        node.props.as_ref().is_none_or(|props| self.push(props) && self.push(" "))
    }
}
