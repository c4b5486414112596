//! Nodes that quantifiers bind, and values below them.
//!
//! The nodes of a quantifier are stored before its condition runs: the condition may walk other
//! queries. A bound node is a number in a parsed value of this decision, so that binding borrows
//! nothing.

use std::ops::Range;

use hookc_base::row_number;

use super::buffers::Buffers;
use super::walk::{NodeRef, below};
use crate::event::{Decoded, Item, Stored};
use crate::module::row;
use crate::rows::{Bound, NONE, Query};
use crate::stop::StopReason;
use crate::view::EventView;

/// The steps charged for each stored node, because it needs memory.
const NODE_STEPS: usize = 16;

/// A node of a parsed value.
#[derive(Clone, Copy, Debug)]
pub(super) struct BoundNode {
    /// The slot of the value, and the number of its tree.
    slot: u32,
    tree: u32,
    node: u32,
}

/// The nodes of the quantifiers that are being evaluated.
#[derive(Debug, Default)]
pub(super) struct BoundNodes {
    /// The nodes that each quantifier visits, those of outer ones first.
    found: Vec<BoundNode>,
    /// The bound nodes, the innermost last.
    bound: Vec<BoundNode>,
}

impl BoundNodes {
    pub(super) fn clear(&mut self) {
        self.found.clear();
        self.bound.clear();
    }

    /// The node that the quantifier binds which is `up` further out.
    fn at(&self, up: u32) -> Option<BoundNode> {
        let last = self.bound.len().checked_sub(1)?;
        self.bound.get(last.checked_sub(up as usize)?).copied()
    }
}

impl Buffers {
    /// Charges steps of queries.
    pub(crate) fn charge(&mut self, steps: usize) -> Result<(), StopReason> {
        self.budget.charge(steps)
    }

    /// Finds the nodes of a row of the table of bounds; [`release`](Self::release) forgets them.
    pub(crate) fn find(&mut self, source: &EventView<'_>, bound: u32) -> Result<Range<usize>, StopReason> {
        let start = self.nodes.found.len();
        let mut found = std::mem::take(&mut self.nodes.found);
        let done = self.find_into(source, bound, &mut found);
        self.nodes.found = found;
        let range = start..self.nodes.found.len();
        done.map(|()| range)
    }

    fn find_into(
        &mut self,
        source: &EventView<'_>,
        bound: u32,
        found: &mut Vec<BoundNode>,
    ) -> Result<(), StopReason> {
        self.budget.charge(1)?;
        let Some(Bound { up, query }) = row(source.tables.bounds, bound) else { return Ok(()) };
        let Some(query) = row(source.tables.queries, query.get()) else { return Ok(()) };
        let start = match up.get() {
            NONE => self.start_of(source, &query)?,
            up => self.nodes.at(up),
        };
        let Some(start) = start else { return Ok(()) };
        self.walk_from(source, &query, (start.slot, start.node as usize), &mut |walk, node_ref| {
            walk.budget.charge(NODE_STEPS)?;
            let node = row_number(node_ref.node);
            found.push(BoundNode { node, ..start });
            Ok(true)
        })
    }

    /// The node of a query's slot.
    fn start_of(&mut self, source: &EventView<'_>, query: &Query) -> Result<Option<BoundNode>, StopReason> {
        self.prepare(source, query)?;
        let slot = query.slot.get();
        let tree = self.parsed.tree(slot);
        let nodes = self.parsed.nodes(source, slot);
        Ok(tree.zip(nodes).map(|(tree, nodes)| BoundNode {
            slot,
            tree: row_number(tree),
            node: row_number(nodes.root()),
        }))
    }

    /// Binds a found node.
    pub(crate) fn bind(&mut self, at: usize) {
        if let Some(node) = self.nodes.found.get(at) {
            self.nodes.bound.push(*node);
        }
    }

    /// Ends the last binding.
    pub(crate) fn unbind(&mut self) {
        self.nodes.bound.pop();
    }

    /// Forgets the found nodes from `start` on.
    pub(crate) fn release(&mut self, start: usize) {
        self.nodes.found.truncate(start);
    }

    /// The value of a found node.
    pub(crate) fn found_item<'w>(
        &'w self,
        source: &EventView<'w>,
        at: usize,
        decoded: &'w mut String,
    ) -> Item<'w> {
        let node = self.nodes.found.get(at).and_then(|node| self.node_ref(source, *node));
        node.map_or(Item::Absent, |node| node.stored().item(decoded))
    }

    fn node_ref<'w>(&'w self, source: &EventView<'w>, node: BoundNode) -> Option<NodeRef<'w>> {
        let nodes = self.parsed.nodes_of(source, node.tree as usize, node.slot)?;
        Some(NodeRef { nodes, node: node.node as usize })
    }

    /// The value of a slot of predicates: of the event, or below a bound node.
    pub(crate) fn operand<'w>(
        &'w self,
        source: &EventView<'w>,
        slot: u32,
        late: &'w mut Decoded,
    ) -> Item<'w> {
        match slot.checked_sub(source.tables.slots) {
            None => late.read(slot, source.stored(slot)),
            Some(bound) => self.value(source, bound).map_or(Item::Absent, |value| late.read_node(value)),
        }
    }

    fn value<'w>(&'w self, source: &EventView<'w>, bound: u32) -> Option<Stored<'w>> {
        let Bound { up, query } = row(source.tables.bounds, bound)?;
        let query = row(source.tables.queries, query.get())?;
        let start = self.node_ref(source, self.nodes.at(up.get())?)?;
        below(source.tables, &query, start).map(NodeRef::stored)
    }
}
