//! What queries need room for, kept from one decision to the next, and what is
//! done before a walk.

use std::collections::BTreeMap;

use super::filter::Dynamic;
use super::walk::{Done, Spot, Walk};
use crate::eval::Stop;
use crate::event::{Item, Nodes, Slots, TooMany, Tree};
use crate::module::format::{NONE, Query, Row};
use crate::module::{Module, Tables, row};
use crate::op::Op;

/// Steps that a node of a value that is taken apart counts for: it takes room.
const NODE_STEPS: usize = 4;

/// A scanned event beside its module.
#[derive(Clone, Copy)]
pub(crate) struct Source<'s> {
    pub(crate) module: &'s Module,
    pub(crate) tables: Tables<'s>,
    pub(crate) slots: &'s Slots,
    pub(crate) event: &'s str,
}

impl<'s> Source<'s> {
    pub(crate) fn item(&self, slot: u32) -> Item<'s> {
        self.slots.get_in(slot, self.event)
    }
}

/// Room for values taken apart and what is known of queries.
#[derive(Debug, Default)]
pub(crate) struct Room {
    known: Known,
    dynamic: Dynamic,
    /// Steps left in this decision.
    left: usize,
    /// Values that may still be taken apart in this decision.
    values: usize,
}

/// What a walk only reads.
#[derive(Debug, Default)]
pub(super) struct Known {
    /// The values of slots taken apart; of these, as many as `places` has are
    /// of this decision.
    trees: Vec<Tree>,
    /// By slot, its tree.
    places: BTreeMap<u32, usize>,
    /// By query within a filter, for those that begin at a slot.
    found: BTreeMap<u32, Found>,
}

/// What filters ask of a query.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Found {
    /// How many nodes it has.
    pub(super) count: usize,
    /// The place of the first: its slot, and its number in that slot's tree.
    first: Option<(u32, usize)>,
}

impl Known {
    /// The value of a slot that has been taken apart; `None` if it is absent.
    pub(super) fn nodes<'w>(&'w self, source: &Source<'w>, slot: u32) -> Option<Nodes<'w>> {
        let place = self.places.get(&slot)?;
        self.trees.get(*place)?.again(source.item(slot))
    }

    pub(super) fn found(&self, query: u32) -> Found {
        self.found.get(&query).copied().unwrap_or_default()
    }

    /// The only node of a query, if it has just one.
    pub(super) fn only<'w>(&'w self, source: &Source<'w>, query: u32) -> Option<Spot<'w>> {
        let found = self.found(query);
        let (slot, node) = found.first.filter(|_| found.count == 1)?;
        Some(Spot { nodes: self.nodes(source, slot)?, node })
    }
}

impl Room {
    /// Begins a decision.
    pub(crate) fn start(&mut self, module: &Module) {
        self.known.places.clear();
        self.known.found.clear();
        self.left = module.limits().query_steps;
        self.values = module.limits().event_values;
    }

    /// Hands the nodes of a query that begins at a slot to `each`, in order,
    /// until it says `false`.
    pub(crate) fn each(
        &mut self,
        source: &Source<'_>,
        query: u32,
        each: &mut dyn FnMut(Item<'_>) -> Done,
    ) -> Result<(), Stop> {
        let Some(found) = row(source.tables.queries, query) else { return Ok(()) };
        self.prepare(source, &found)?;
        self.walk(source, &found, &mut |walk, spot| {
            let item = spot.item();
            walk.read(item)?;
            each(item)
        })
    }

    fn walk(
        &mut self,
        source: &Source<'_>,
        query: &Query,
        each: &mut dyn FnMut(&mut Walk<'_>, Spot<'_>) -> Done,
    ) -> Result<(), Stop> {
        let Some(nodes) = self.known.nodes(source, query.slot.get()) else { return Ok(()) };
        let mut walk =
            Walk { source: *source, known: &self.known, dynamic: &mut self.dynamic, left: &mut self.left };
        let start = Spot { nodes, node: nodes.root() };
        walk.segments(source.tables.segments_of(query), start, each).map(drop)
    }

    fn charge(&mut self, steps: usize) -> Result<(), Stop> {
        self.left = self.left.checked_sub(steps).ok_or(Stop::Queries)?;
        Ok(())
    }

    /// Takes apart what a query looks at, and evaluates the queries within its
    /// filters that begin at a slot. The recursion is as deep as filters are
    /// within one another, which the verifier bounds.
    fn prepare(&mut self, source: &Source<'_>, query: &Query) -> Result<(), Stop> {
        let slot = query.slot.get();
        if slot != NONE {
            self.take_apart(source, slot)?;
        }
        for segment in source.tables.segments_of(query) {
            self.charge(1)?;
            for selector in source.tables.selectors_of(segment) {
                if selector.tag == super::walk::FILTER {
                    self.prepare_filter(source, super::walk::filter_of(selector))?;
                }
            }
        }
        Ok(())
    }

    fn take_apart(&mut self, source: &Source<'_>, slot: u32) -> Result<(), Stop> {
        if self.known.places.contains_key(&slot) {
            return Ok(());
        }
        let place = self.known.places.len();
        if self.known.trees.len() <= place {
            self.known.trees.push(Tree::default());
        }
        let Some(tree) = self.known.trees.get_mut(place) else { return Ok(()) };
        let nodes = tree.read(source.item(slot), self.values).map_err(|TooMany| Stop::Values)?;
        let nodes = nodes.map_or(0, Nodes::len);
        self.values = self.values.saturating_sub(nodes);
        self.known.places.insert(slot, place);
        self.charge(nodes.saturating_mul(NODE_STEPS))
    }

    fn prepare_filter(&mut self, source: &Source<'_>, filter: u32) -> Result<(), Stop> {
        self.charge(1)?;
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

    fn prepare_value(&mut self, source: &Source<'_>, value: u32) -> Result<(), Stop> {
        self.charge(1)?;
        let Some(Row { op, a, .. }) = row(source.tables.values, value) else { return Ok(()) };
        match Op::from_number(op) {
            Some(Op::Only | Op::Count) => self.prepare_nested(source, a.get()),
            Some(Op::Length) => self.prepare_value(source, a.get()),
            _ => Ok(()),
        }
    }

    fn prepare_nested(&mut self, source: &Source<'_>, query: u32) -> Result<(), Stop> {
        let Some(nested) = row(source.tables.queries, query) else { return Ok(()) };
        let slot = nested.slot.get();
        if slot == NONE {
            return self.prepare(source, &nested);
        }
        if self.known.found.contains_key(&query) {
            return Ok(());
        }
        self.prepare(source, &nested)?;
        let mut found = Found::default();
        self.walk(source, &nested, &mut |_, spot| {
            found.first.get_or_insert((slot, spot.node));
            found.count = found.count.saturating_add(1);
            Ok(true)
        })?;
        self.known.found.insert(query, found);
        Ok(())
    }
}
