//! From nodes to the graph: indirections removed, circles rejected, nodes numbered.

use hookc_schema::{Code, Diagnostic, Diagnostics, Span};
use hookc_vm::format::keyword::Keyword;
use hookc_vm::limits::MODULE_DEPTH;

use super::graph::{Graph, Operand, Renumbered, Written};
use super::index::Index;
use super::problem;
use super::read::Rules;
use super::scope::Nodes;
use crate::fault::Faults;

/// The graph of nodes; a circle of references about one value is reported.
pub(super) fn order(
    index: &Index<'_>,
    places: &[Rules],
    nodes: Nodes,
    out: &mut Diagnostics,
) -> Option<Graph> {
    let whole = index.places.first().map(|place| place.value.span).unwrap_or_default();
    let inner: Vec<Vec<usize>> = nodes.rules.iter().map(|rules| edges(rules, Written::inner)).collect();
    let sorted = match sorted(&inner, 0..inner.len()) {
        Ok(sorted) => sorted,
        Err(circle) => {
            let (span, place) = reference(places, &nodes, &circle).unwrap_or((whole, 0));
            let new = problem::unresolved(
                span,
                "circular references: this schema refers to itself",
                "part of the circle",
            );
            let help = "a schema can refer to itself for members and elements, but not for the same value";
            out.push(problem::within(new.help(help), index, place));
            return None;
        }
    };
    let faults = Faults::default();
    let graph = match faults.check(graph(&nodes.rules, &sorted, &faults)) {
        Ok(graph) => graph,
        Err(fault) => {
            out.push(fault.diagnostic());
            return None;
        }
    };
    if depth(&graph) > MODULE_DEPTH {
        let what = format!("schemas of one value are nested deeper than {MODULE_DEPTH}");
        out.push(Diagnostic::new(Code::E0703, whole, what).with_label("part of a chain of references"));
        return None;
    }
    Some(graph)
}

fn edges(rules: &[Written], of: fn(&Written) -> Vec<u32>) -> Vec<usize> {
    rules.iter().flat_map(of).map(|node| node as usize).collect()
}

/// The nodes reachable from `start`, each after all nodes that it refers to; or a circle. Not
/// recursive: references can form long chains.
fn sorted(edges: &[Vec<usize>], start: impl Iterator<Item = usize>) -> Result<Vec<usize>, Vec<usize>> {
    // 0 not seen, 1 on the way, 2 done.
    let mut state = vec![0_u8; edges.len()];
    let mut done = Vec::with_capacity(edges.len());
    let mut way: Vec<(usize, usize)> = Vec::new();
    for first in start {
        if state.get(first) == Some(&0) {
            set(&mut state, first, 1);
            way.push((first, 0));
        }
        while let Some((node, next)) = way.last_mut() {
            let below = edges.get(*node).and_then(|edges| edges.get(*next)).copied();
            *next += 1;
            match below.map(|below| (below, state.get(below).copied())) {
                Some((below, Some(0))) => {
                    set(&mut state, below, 1);
                    way.push((below, 0));
                }
                Some((below, Some(1))) => {
                    let from = way.iter().position(|(node, _)| *node == below).unwrap_or(0);
                    return Err(way.iter().skip(from).map(|(node, _)| *node).collect());
                }
                Some(_) => {}
                None => {
                    set(&mut state, *node, 2);
                    done.push(*node);
                    way.pop();
                }
            }
        }
    }
    Ok(done)
}

fn set(state: &mut [u8], node: usize, to: u8) {
    if let Some(state) = state.get_mut(node) {
        *state = to;
    }
}

/// The first reference in the source on a circle, with its location.
fn reference(places: &[Rules], nodes: &Nodes, circle: &[usize]) -> Option<(Span, usize)> {
    let first_reference = |node: &usize| {
        let place = *nodes.places.get(*node)?;
        places.get(place)?.references.first().map(|reference| (reference.span, place))
    };
    circle.iter().filter_map(first_reference).min()
}

/// The nesting depth of inner schemas, which have lower numbers.
fn depth(graph: &Graph) -> usize {
    let mut depths: Vec<usize> = Vec::with_capacity(graph.nodes.len());
    for rules in &graph.nodes {
        let below = edges(rules, Written::inner).into_iter().filter_map(|node| depths.get(node));
        depths.push(below.max().map_or(0, |depth| depth + 1));
    }
    depths.into_iter().max().unwrap_or(0)
}

const UNKNOWN: &str = "a schema refers to a node that it does not have";

/// Numbers the nodes reachable from the whole schema: after all nodes that they refer to if there
/// are no circles, and always after their inner ones.
fn graph(rules: &[Vec<Written>], by_inner: &[usize], faults: &Faults) -> Graph {
    let alias = aliases(rules, by_inner, faults);
    let through = |node: usize| alias.get(node).copied().unwrap_or(node);
    let edges_by = |of: fn(&Written) -> Vec<u32>| -> Vec<Vec<usize>> {
        rules.iter().map(|rules| edges(rules, of).into_iter().map(through).collect()).collect()
    };
    let outer = reachable(&edges_by(Written::schemas), through(0));
    let order = sorted(&edges_by(Written::inner), outer.into_iter()).ok();
    let order = faults.known(order, Vec::new(), "a circle of schemas that an earlier check did not find");
    let mut numbers = vec![0_u32; rules.len()];
    for (number, node) in (0..).zip(&order) {
        faults.put(&mut numbers, *node, number, UNKNOWN);
    }
    let number = |node: u32| faults.known(numbers.get(through(node as usize)).copied(), 0, UNKNOWN);
    let nodes = order.iter().filter_map(|node| rules.get(*node));
    let reworded =
        |rules: &Vec<Written>| rules.iter().map(|rule| rule.reworded(&mut Renumbered(number))).collect();
    Graph { nodes: nodes.map(reworded).collect(), root: number(0) }
}

/// A node that only refers to another one is that one.
fn aliases(rules: &[Vec<Written>], by_inner: &[usize], faults: &Faults) -> Vec<usize> {
    let mut alias: Vec<usize> = (0..rules.len()).collect();
    for node in by_inner {
        let Some([rule]) = rules.get(*node).map(Vec::as_slice) else { continue };
        if let (Keyword::AllOf, Operand::Schemas(schemas)) = (rule.keyword, &rule.operand)
            && let [one] = schemas.as_slice()
        {
            let target = faults.known(alias.get(*one as usize).copied(), *node, UNKNOWN);
            faults.put(&mut alias, *node, target, UNKNOWN);
        }
    }
    alias
}

/// All nodes reachable from a node, each after those that it refers to unless a circle prevents it.
fn reachable(edges: &[Vec<usize>], start: usize) -> Vec<usize> {
    let mut seen = vec![0_u8; edges.len()];
    let mut done = Vec::new();
    let mut way = vec![(start, 0)];
    set(&mut seen, start, 1);
    while let Some((node, next)) = way.last_mut() {
        let below = edges.get(*node).and_then(|edges| edges.get(*next)).copied();
        *next += 1;
        match below {
            Some(below) if seen.get(below) == Some(&0) => {
                set(&mut seen, below, 1);
                way.push((below, 0));
            }
            Some(_) => {}
            None => {
                done.push(*node);
                way.pop();
            }
        }
    }
    done
}
