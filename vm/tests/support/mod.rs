//! Shared by several tests: a path trie from a list of paths.
#![allow(dead_code, reason = "not every test needs all of it")]

use std::collections::BTreeMap;

use hookc_vm::format::event::Trie;
use hookc_vm::format::{Derived, Edge, NONE, Node, Range, U32};

/// A step of a path.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Step {
    Name(String),
    Index(i64),
}

/// A trie with the data it borrows from.
#[derive(Debug, Default)]
pub(crate) struct Tables {
    nodes: Vec<Node>,
    edges: Vec<Edge>,
    strings: Vec<U32>,
    text: Vec<u8>,
    pub(crate) derived: Vec<Derived>,
    slots: u32,
}

#[derive(Default)]
struct Build {
    slot: Option<u32>,
    children: BTreeMap<Step, Build>,
}

impl Tables {
    /// Slot `i` captures path `i`, of steps as in `a.0.-1.b`; an empty path is the root.
    pub(crate) fn new(paths: &[&str]) -> Self {
        let steps: Vec<Vec<Step>> = paths.iter().map(|path| steps(path)).collect();
        Self::of_steps(&steps)
    }

    pub(crate) fn of_steps(paths: &[Vec<Step>]) -> Self {
        let mut root = Build::default();
        for (slot, path) in paths.iter().enumerate() {
            let mut node = &mut root;
            for step in path {
                node = node.children.entry(step.clone()).or_default();
            }
            assert!(node.slot.replace(slot as u32).is_none(), "a path twice");
        }
        let mut tables = Self { slots: paths.len() as u32, ..Self::default() };
        tables.write(vec![root]);
        tables
    }

    /// Writes level by level, so that children have higher numbers.
    fn write(&mut self, level: Vec<Build>) {
        let mut below = Vec::new();
        let children: usize = level.iter().map(|build| build.children.len()).sum();
        if level.is_empty() {
            return;
        }
        let mut child = self.nodes.len() + level.len();
        for build in level {
            let range = Range {
                start: (self.edges.len() as u32).into(),
                length: (build.children.len() as u32).into(),
            };
            self.nodes.push(Node { edges: range, slot: build.slot.unwrap_or(NONE).into() });
            for (step, node) in build.children {
                let (name, index) = match step {
                    Step::Name(name) => (self.string(&name), 0),
                    Step::Index(index) => (NONE, index),
                };
                self.edges.push(Edge { name: name.into(), index: index.into(), node: (child as u32).into() });
                child += 1;
                below.push(node);
            }
        }
        assert_eq!(below.len(), children);
        self.write(below);
    }

    fn string(&mut self, name: &str) -> u32 {
        self.text.extend(name.as_bytes());
        self.strings.push((self.text.len() as u32).into());
        self.strings.len() as u32 - 1
    }

    pub(crate) fn derive(mut self, guard: u32, root: u32, nested: u32) -> Self {
        self.derived.push(Derived { guard: guard.into(), root: root.into(), nested: nested.into() });
        self.slots += 1;
        self
    }

    pub(crate) fn trie(&self) -> Trie<'_> {
        Trie {
            nodes: &self.nodes,
            edges: &self.edges,
            strings: &self.strings,
            text: &self.text,
            derived: &self.derived,
            slots: self.slots,
        }
    }

    /// All nodes.
    pub(crate) fn all_nodes(&self) -> Vec<zerocopy::little_endian::U32> {
        (0..self.nodes.len() as u32).map(Into::into).collect()
    }
}

pub(crate) fn steps(path: &str) -> Vec<Step> {
    let step = |text: &str| text.parse().map_or_else(|_| Step::Name(text.to_owned()), Step::Index);
    path.split('.').filter(|text| !text.is_empty()).map(step).collect()
}
