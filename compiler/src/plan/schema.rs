//! Schemas of `matches`, each once.
//!
//! Equal nodes of all schemas are one. A node that a circle of references
//! passes through is reported from others only with its whole schema: then equal
//! schemas are one.

use std::collections::HashMap;
use std::sync::Arc;

use hookc_base::row_number;
use hookc_vm::format::op::Op;

use super::simple_schema::simple_schema;
use super::{Builder, ConstId, ListId, PatternId, Right, SchemaId, StrId};
use crate::schema::{Graph, Literal, Rule, RuleMapper, Written};

/// A keyword of a schema; schemas in it are [`SchemaId`]s by number.
pub type SchemaRule = Rule<ConstId, ListId, PatternId, StrId>;

/// Any other would make a schema apply another one.
const UNNUMBERED: &str = "a schema refers to one that the plan does not have";

/// Schemas under construction.
#[derive(Debug, Default)]
pub(super) struct Schemas {
    pub(super) rows: Vec<Vec<SchemaRule>>,
    /// Rows that no circle passes through.
    known: HashMap<Vec<SchemaRule>, u32>,
    graphs: HashMap<Arc<Graph>, SchemaId>,
}

impl Builder {
    /// The operation of `matches` with its right operand: another predicate's if that is
    /// equivalent.
    pub(super) fn matches(&mut self, graph: &Arc<Graph>) -> (Op, Right) {
        match simple_schema(graph).and_then(|schema| self.leaf(&schema)) {
            Some(leaf) => leaf,
            None => (Op::Matches, Right::Schema(self.schema(graph))),
        }
    }

    fn schema(&mut self, graph: &Arc<Graph>) -> SchemaId {
        if let Some(known) = self.schemas.graphs.get(graph) {
            return *known;
        }
        let free = free(graph);
        let mut numbers: Vec<u32> = vec![0; graph.nodes.len()];
        for (node, rules) in graph.nodes.iter().enumerate().filter(|(node, _)| free.get(*node) == Some(&true))
        {
            let row = self.row(rules, &numbers);
            let next = row_number(self.schemas.rows.len());
            let number = *self.schemas.known.entry(row).or_insert_with_key(|row| {
                self.schemas.rows.push(row.clone());
                next
            });
            self.faults.put(&mut numbers, node, number, UNNUMBERED);
        }
        let rest = || (0..graph.nodes.len()).filter(|node| free.get(*node) == Some(&false));
        let first = row_number(self.schemas.rows.len());
        for (node, number) in rest().zip(first..) {
            self.faults.put(&mut numbers, node, number, UNNUMBERED);
        }
        for rules in rest().filter_map(|node| graph.nodes.get(node)) {
            let row = self.row(rules, &numbers);
            self.schemas.rows.push(row);
        }
        let root = numbers.get(graph.root as usize).copied();
        let root = SchemaId(self.faults.known(root, 0, UNNUMBERED));
        self.schemas.graphs.insert(Arc::clone(graph), root);
        root
    }

    fn row(&mut self, rules: &[Written], numbers: &[u32]) -> Vec<SchemaRule> {
        let mut words = Pooled { builder: self, numbers };
        rules.iter().map(|rule| rule.reworded(&mut words)).collect()
    }
}

/// By node, whether it reaches no circle: then all nodes that it refers to have lower numbers.
fn free(graph: &Graph) -> Vec<bool> {
    let mut free: Vec<bool> = Vec::with_capacity(graph.nodes.len());
    for rules in &graph.nodes {
        let below = rules.iter().flat_map(Rule::schemas);
        let is_free = below.into_iter().all(|node| free.get(node as usize) == Some(&true));
        free.push(is_free);
    }
    free
}

/// The pool's types for the parts of rules.
struct Pooled<'b, 'n> {
    builder: &'b mut Builder,
    numbers: &'n [u32],
}

impl RuleMapper<Literal, Vec<Literal>, String, String> for Pooled<'_, '_> {
    type Const = ConstId;
    type List = ListId;
    type Pattern = PatternId;
    type Name = StrId;

    fn constant(&mut self, constant: &Literal) -> ConstId {
        self.builder.pool.literal(constant)
    }

    fn list(&mut self, list: &Vec<Literal>) -> ListId {
        self.builder.pool.literals(list)
    }

    fn pattern(&mut self, pattern: &String) -> PatternId {
        self.builder.pool.pattern(pattern)
    }

    fn name(&mut self, name: &String) -> StrId {
        self.builder.pool.string(name)
    }

    fn schema(&mut self, schema: u32) -> u32 {
        let number = self.numbers.get(schema as usize).copied();
        self.builder.faults.known(number, 0, UNNUMBERED)
    }
}

/// Constants get their final numbers.
pub(super) struct Finished<F>(pub(super) F);

impl<F: FnMut(ConstId) -> ConstId> RuleMapper<ConstId, ListId, PatternId, StrId> for Finished<F> {
    type Const = ConstId;
    type List = ListId;
    type Pattern = PatternId;
    type Name = StrId;

    fn constant(&mut self, constant: &ConstId) -> ConstId {
        (self.0)(*constant)
    }

    fn list(&mut self, list: &ListId) -> ListId {
        *list
    }

    fn pattern(&mut self, pattern: &PatternId) -> PatternId {
        *pattern
    }

    fn name(&mut self, name: &StrId) -> StrId {
        *name
    }

    fn schema(&mut self, schema: u32) -> u32 {
        schema
    }
}
