//! From locations to nodes: references resolved, dynamic ones by their scope.
//!
//! A `$dynamicRef` refers to the outermost resource on the path that has its dynamic anchor (core
//! §8.2.3.2). The path matters only by which resource was the first to have each anchor: that is a
//! *scope*. A node is a location in a scope; without dynamic references there is one scope, and one
//! node per location.

use std::collections::HashMap;

use foldhash::fast::RandomState;
use hookc_base::row_number;
use hookc_schema::{Code, Diagnostic, Diagnostics};
use hookc_vm::format::keyword::Keyword;
use indexmap::IndexSet;

use super::graph::{Operand, Renumbered, Rule, Written};
use super::index::Index;
use super::read::Rules;
use crate::fault::Faults;
use crate::limits::SCHEMA_NODES;

/// Nodes, the first being the whole schema.
#[derive(Debug)]
pub(super) struct Nodes {
    /// Their rules.
    pub(super) rules: Vec<Vec<Written>>,
    /// The location of each.
    pub(super) places: Vec<usize>,
}

/// The nodes that the whole schema leads to.
pub(super) fn nodes(index: &Index<'_>, places: &[Rules], out: &mut Diagnostics) -> Option<Nodes> {
    nodes_up_to(SCHEMA_NODES, index, places, out)
}

/// Like [`nodes`], for at most `most` nodes.
fn nodes_up_to(most: usize, index: &Index<'_>, places: &[Rules], out: &mut Diagnostics) -> Option<Nodes> {
    let mut anchors: Vec<&str> =
        places.iter().flat_map(|rules| &rules.references).filter_map(|r| r.anchor.as_deref()).collect();
    anchors.sort_unstable();
    anchors.dedup();
    let mut scopes = Scopes {
        index,
        anchors,
        scopes: IndexSet::default(),
        known: HashMap::new(),
        nodes: IndexSet::default(),
        most,
        over: false,
        faults: Faults::default(),
    };
    scopes.scopes.insert(vec![None; scopes.anchors.len()]);
    scopes.node(0, 0);
    let mut rules = Vec::new();
    while let Some((place, scope)) = scopes.nodes.get_index(rules.len()).copied() {
        if scopes.over || scopes.nodes.len() > most {
            let span = index.places.first().map(|place| place.value.span).unwrap_or_default();
            let what = format!("the dynamic references of this schema expand to more than {most} schemas");
            out.push(
                Diagnostic::new(Code::E0703, span, what)
                    .help("write `$ref` where no schema needs to be replaced"),
            );
            return None;
        }
        let found = places.get(place).map(|rules| scopes.rules(rules, scope));
        rules.push(scopes.faults.known(found, Vec::new(), UNKNOWN));
    }
    if let Err(fault) = scopes.faults.check(()) {
        out.push(fault.diagnostic());
        return None;
    }
    Some(Nodes { rules, places: scopes.nodes.iter().map(|(place, _)| *place).collect() })
}

const UNKNOWN: &str = "a schema refers to a location that it does not have";

struct Scopes<'s, 'v> {
    index: &'s Index<'v>,
    /// The anchors of dynamic references.
    anchors: Vec<&'s str>,
    /// By anchor, the location in the first resource on the path.
    scopes: IndexSet<Vec<Option<usize>>, RandomState>,
    /// By scope and resource, the scope inside that resource.
    known: HashMap<(usize, usize), usize>,
    /// Locations in scopes.
    nodes: IndexSet<(usize, usize), RandomState>,
    /// The limit of nodes.
    most: usize,
    /// Whether the scopes together have more entries than the limit of nodes.
    over: bool,
    faults: Faults,
}

impl Scopes<'_, '_> {
    /// The node of a location in a scope.
    fn node(&mut self, place: usize, scope: usize) -> u32 {
        let resource = self.index.places.get(place).map(|place| place.resource);
        let resource = self.faults.known(resource, 0, UNKNOWN);
        let scope = self.passed(scope, resource);
        let (node, _) = self.nodes.insert_full((place, scope));
        row_number(node)
    }

    /// The scope inside a resource.
    fn passed(&mut self, scope: usize, resource: usize) -> usize {
        if self.anchors.is_empty() {
            return scope;
        }
        if let Some(known) = self.known.get(&(scope, resource)) {
            return *known;
        }
        self.over |= self.scopes.len().saturating_mul(self.anchors.len()) > self.most;
        if self.over {
            return scope;
        }
        let anchors = self.scopes.get_index(scope).cloned();
        let mut anchors = self.faults.known(anchors, Vec::new(), "a schema in a scope that does not exist");
        if let Some(resource) = self.index.resources.get(resource) {
            for (anchor, first) in self.anchors.iter().zip(&mut anchors) {
                *first = first.or_else(|| resource.dynamic.get(anchor).copied());
            }
        }
        let (after, _) = self.scopes.insert_full(anchors);
        self.known.insert((scope, resource), after);
        after
    }

    /// The rules of a location in a scope.
    fn rules(&mut self, rules: &Rules, scope: usize) -> Vec<Written> {
        let mut nodes: Vec<u32> = Vec::new();
        for reference in &rules.references {
            let first = reference.anchor.as_deref().and_then(|anchor| self.first(anchor, scope));
            nodes.push(self.node(first.unwrap_or(reference.target), scope));
        }
        nodes.extend(rules.all_of.iter().map(|place| self.node(*place as usize, scope)));
        let mut words = Renumbered(|place| self.node(place as usize, scope));
        let mut reworded: Vec<Written> = rules.rules.iter().map(|rule| rule.reworded(&mut words)).collect();
        if !nodes.is_empty() {
            let before = reworded.partition_point(|rule| rule.keyword < Keyword::AllOf);
            reworded.insert(before, Rule { keyword: Keyword::AllOf, operand: Operand::Schemas(nodes) });
        }
        reworded
    }

    fn first(&self, anchor: &str, scope: usize) -> Option<usize> {
        let at = self.anchors.binary_search(&anchor).ok()?;
        self.scopes.get_index(scope)?.get(at).copied().flatten()
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "tests")]
mod tests {
    use hookc_schema::value::Value;
    use hookc_schema::{Diagnostics, SourceId};
    use hookc_syntax::front::yaml;

    use super::*;
    use crate::schema::{index, read};

    /// How many nodes a schema has, or the message of the limit.
    fn counted(most: usize, schema: &str) -> Result<usize, String> {
        let mut out = Diagnostics::new();
        let value: Value = yaml::read(schema, SourceId(0), &mut out).unwrap();
        let index = index::index(&value, &mut out);
        let places = read::read(&index, false, &mut out);
        assert_eq!(out.errors(), 0, "{out:?}");
        let nodes = nodes_up_to(most, &index, &places, &mut out);
        nodes.map(|nodes| nodes.places.len()).ok_or_else(|| out[0].message.clone())
    }

    #[test]
    fn the_limit_of_nodes_is_exact() {
        // A tree whose leaves another resource replaces: its locations are in two scopes.
        let schema = "{$id: 'http://e/', $dynamicAnchor: node, properties: {a: {$ref: tree}, b: {$ref: other}}, \
                      $defs: {t: {$id: tree, $dynamicAnchor: node, items: {$dynamicRef: '#node'}}, \
                      o: {$id: other, $dynamicAnchor: leaf, items: {$dynamicRef: '#leaf'}, not: {$ref: tree}}}}";
        let nodes = counted(SCHEMA_NODES, schema).unwrap();
        assert!(nodes > 5, "{nodes}");
        assert_eq!(counted(nodes, schema), Ok(nodes));
        let message =
            format!("the dynamic references of this schema expand to more than {} schemas", nodes - 1);
        assert_eq!(counted(nodes - 1, schema), Err(message));
    }
}
