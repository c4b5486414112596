//! Paths in messages, in the shorthand: `a.b['x-y'][0]`.

use hookc_base::json::push_string;

use super::Trie;
use super::duplicate::Step;
use crate::rows::{Edge, NONE};

/// The path of a node.
pub(super) fn of_node(trie: Trie<'_>, node: u32) -> String {
    let parents = parents(trie);
    let mut way = Vec::new();
    let mut node = node;
    // Parents have lower numbers than their children, so this ends.
    while let Some((parent, edge)) = place(node).and_then(|node| *parents.get(node)?) {
        way.push(edge);
        if parent >= node {
            break;
        }
        node = parent;
    }
    let mut path = String::new();
    for edge in way.iter().rev() {
        if edge.name.get() == NONE {
            push_index(&mut path, edge.index.get());
        } else {
            push_name(&mut path, &String::from_utf8_lossy(trie.name(edge)));
        }
    }
    path
}

/// The path of something inside the value of a slot.
pub(super) fn inside_slot(trie: Trie<'_>, slot: u32, steps: &[Step]) -> String {
    let node = trie.nodes.iter().zip(0..).find(|(node, _)| node.slot.get() == slot);
    let mut path = node.map_or_else(String::new, |(_, number)| of_node(trie, number));
    for step in steps {
        match step {
            Step::Name(name) => push_name(&mut path, name),
            Step::Index(index) => push_index(&mut path, index),
        }
    }
    path
}

/// Per node, its parent and the edge that leads to it.
fn parents<'m>(trie: Trie<'m>) -> Vec<Option<(u32, &'m Edge)>> {
    let mut parents = vec![None; trie.nodes.len()];
    for (node, number) in trie.nodes.iter().zip(0..) {
        let (names, indexes) = trie.edges_of(node);
        for edge in names.iter().chain(indexes) {
            if let Some(child) = place(edge.node.get()).and_then(|child| parents.get_mut(child)) {
                *child = Some((number, edge));
            }
        }
    }
    parents
}

fn place(number: u32) -> Option<usize> {
    usize::try_from(number).ok()
}

fn push_index(path: &mut String, index: impl std::fmt::Display) {
    path.push_str(&format!("[{index}]"));
}

fn push_name(path: &mut String, name: &str) {
    let word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    if name.starts_with(|c| word(c) && !c.is_ascii_digit()) && name.chars().all(word) {
        if !path.is_empty() {
            path.push('.');
        }
        path.push_str(name);
        return;
    }
    let mut quoted = String::new();
    push_string(name, &mut quoted);
    let content = quoted.get(1..quoted.len().saturating_sub(1)).unwrap_or_default();
    path.push_str(&format!("['{}']", content.replace('\'', "\\'").replace("\\\"", "\"")));
}
