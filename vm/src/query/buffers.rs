//! The buffers of queries, reused by the next decision, and the work before a walk.

use std::collections::BTreeMap;

use super::bound::BoundNodes;
use super::filter::Dynamic;
use super::walk::{Done, NodeRef, Walk};
use crate::event::{Item, Nodes, Strings, TooMany, Tree};
use crate::module::{Module, row};
use crate::op::Op;
use crate::rows::{NONE, Query, Row, SelectorForm};
use crate::stop::{Budget, StopReason};
use crate::view::EventView;

/// The steps charged for each node of a parsed value, because it needs memory.
const NODE_STEPS: usize = 4;

/// Parsed values and the results of queries.
#[derive(Debug, Default)]
pub(crate) struct Buffers {
    pub(super) parsed: ParsedValues,
    /// The nodes of quantifiers.
    pub(super) nodes: BoundNodes,
    dynamic: Dynamic,
    /// Steps left in this decision.
    pub(super) budget: Budget,
    /// The number of values that this decision can still parse.
    values: usize,
}

/// The read-only input of a walk.
#[derive(Debug, Default)]
pub(super) struct ParsedValues {
    /// The parsed values of slots; the first ones, as many as `places` has, belong to this
    /// decision.
    trees: Vec<Tree>,
    /// The strings of all of them.
    strings: Strings,
    /// By slot, its tree.
    places: BTreeMap<u32, usize>,
    /// By query inside a filter, for queries that start at a slot.
    found: BTreeMap<u32, Found>,
}

/// The properties of a query that filters use.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Found {
    /// The number of its nodes.
    pub(super) count: usize,
    /// The location of the first node: its slot, and its number in that slot's tree.
    first: Option<(u32, usize)>,
}

impl ParsedValues {
    /// The parsed value of a slot; `None` if it is absent.
    pub(super) fn nodes<'w>(&'w self, source: &EventView<'w>, slot: u32) -> Option<Nodes<'w>> {
        self.nodes_of(source, self.tree(slot)?, slot)
    }

    /// The number of the tree of a slot.
    pub(super) fn tree(&self, slot: u32) -> Option<usize> {
        self.places.get(&slot).copied()
    }

    /// The parsed value of a slot whose tree is known.
    pub(super) fn nodes_of<'w>(
        &'w self,
        source: &EventView<'w>,
        tree: usize,
        slot: u32,
    ) -> Option<Nodes<'w>> {
        self.trees.get(tree)?.again_stored(source.stored(slot), &self.strings)
    }

    pub(super) fn found(&self, query: u32) -> Found {
        self.found.get(&query).copied().unwrap_or_default()
    }

    /// The only node of a query, if it has just one.
    pub(super) fn only<'w>(&'w self, source: &EventView<'w>, query: u32) -> Option<NodeRef<'w>> {
        let found = self.found(query);
        let (slot, node) = found.first.filter(|_| found.count == 1)?;
        Some(NodeRef { nodes: self.nodes(source, slot)?, node })
    }
}

impl Buffers {
    /// Starts a decision.
    pub(crate) fn start(&mut self, module: &Module) {
        // To clear an empty map is not free.
        if !self.parsed.places.is_empty() || !self.parsed.found.is_empty() {
            self.parsed.places.clear();
            self.parsed.found.clear();
        }
        self.parsed.strings.clear(module.limits().late_bytes);
        self.nodes.clear();
        self.budget = Budget::new(module.limits().query_steps, StopReason::Queries);
        self.values = module.limits().event_values;
    }

    /// Calls `each` with the nodes of a query that starts at a slot, in order, until it returns
    /// `false`; it charges what it does with them to the budget.
    pub(crate) fn each(
        &mut self,
        source: &EventView<'_>,
        query: u32,
        each: &mut dyn FnMut(&mut Budget, Item<'_>) -> Done,
    ) -> Result<(), StopReason> {
        let Some(found) = row(source.tables.queries, query) else { return Ok(()) };
        self.prepare(source, &found)?;
        let mut decoded = String::new();
        self.walk(source, &found, &mut |walk, node_ref| {
            let item = node_ref.stored().item(&mut decoded);
            walk.read(item)?;
            each(walk.budget, item)
        })
    }

    fn walk(
        &mut self,
        source: &EventView<'_>,
        query: &Query,
        each: &mut dyn FnMut(&mut Walk<'_>, NodeRef<'_>) -> Done,
    ) -> Result<(), StopReason> {
        let Some(nodes) = self.parsed.nodes(source, query.slot.get()) else { return Ok(()) };
        let root = nodes.root();
        self.walk_from(source, query, (query.slot.get(), root), each)
    }

    /// Walks from a node of a slot's value.
    pub(super) fn walk_from(
        &mut self,
        source: &EventView<'_>,
        query: &Query,
        (slot, node): (u32, usize),
        each: &mut dyn FnMut(&mut Walk<'_>, NodeRef<'_>) -> Done,
    ) -> Result<(), StopReason> {
        let Some(nodes) = self.parsed.nodes(source, slot) else { return Ok(()) };
        let mut walk = Walk {
            source: *source,
            parsed: &self.parsed,
            dynamic: &mut self.dynamic,
            budget: &mut self.budget,
        };
        walk.segments(source.tables.segments_of(query), NodeRef { nodes, node }, each).map(drop)
    }

    /// Parses the values that a query reads, and evaluates the queries inside its filters that
    /// start at a slot. The recursion depth is the nesting of filters, which the verifier bounds.
    pub(super) fn prepare(&mut self, source: &EventView<'_>, query: &Query) -> Result<(), StopReason> {
        let slot = query.slot.get();
        if slot != NONE {
            self.parse_slot(source, slot)?;
        }
        for segment in source.tables.segments_of(query) {
            self.budget.charge(1)?;
            for selector in source.tables.selectors_of(segment) {
                if let Some(SelectorForm::Filter(filter)) = selector.form() {
                    self.prepare_filter(source, filter)?;
                }
            }
        }
        Ok(())
    }

    fn parse_slot(&mut self, source: &EventView<'_>, slot: u32) -> Result<(), StopReason> {
        if self.parsed.places.contains_key(&slot) {
            return Ok(());
        }
        let place = self.parsed.places.len();
        if self.parsed.trees.len() <= place {
            self.parsed.trees.push(Tree::default());
        }
        let ParsedValues { trees, strings, .. } = &mut self.parsed;
        let Some(tree) = trees.get_mut(place) else { return Ok(()) };
        let nodes = tree.read_stored(source.stored(slot), strings, self.values);
        let nodes = nodes.map_err(|TooMany| StopReason::Values)?;
        self.values = self.values.saturating_sub(nodes);
        self.parsed.places.insert(slot, place);
        self.budget.charge(nodes.saturating_mul(NODE_STEPS))
    }

    fn prepare_filter(&mut self, source: &EventView<'_>, filter: u32) -> Result<(), StopReason> {
        self.budget.charge(1)?;
        let Some(Row { op, a, b, .. }) = row(source.tables.filters, filter) else { return Ok(()) };
        let (a, b) = (a.get(), b.get());
        match Op::from_number(op) {
            Some(Op::All | Op::OneOf) => (a..=b).try_for_each(|inner| self.prepare_filter(source, inner)),
            Some(Op::Not) => self.prepare_filter(source, a),
            Some(Op::Has) => self.prepare_nested(source, a),
            Some(Op::Match) => self.prepare_value(source, a),
            Some(_) => {
                self.prepare_value(source, a)?;
                self.prepare_value(source, b)
            }
            None => Ok(()),
        }
    }

    fn prepare_value(&mut self, source: &EventView<'_>, value: u32) -> Result<(), StopReason> {
        self.budget.charge(1)?;
        let Some(Row { op, a, .. }) = row(source.tables.values, value) else { return Ok(()) };
        match Op::from_number(op) {
            Some(Op::Only | Op::Count) => self.prepare_nested(source, a.get()),
            Some(Op::Length) => self.prepare_value(source, a.get()),
            _ => Ok(()),
        }
    }

    fn prepare_nested(&mut self, source: &EventView<'_>, query: u32) -> Result<(), StopReason> {
        let Some(nested) = row(source.tables.queries, query) else { return Ok(()) };
        let slot = nested.slot.get();
        if slot == NONE {
            return self.prepare(source, &nested);
        }
        if self.parsed.found.contains_key(&query) {
            return Ok(());
        }
        self.prepare(source, &nested)?;
        let mut found = Found::default();
        self.walk(source, &nested, &mut |_, node_ref| {
            found.first.get_or_insert((slot, node_ref.node));
            found.count = found.count.saturating_add(1);
            Ok(true)
        })?;
        self.parsed.found.insert(query, found);
        Ok(())
    }
}
