//! JSON Schemas of `matches`, draft 2020-12: from a value with spans to a graph in which every
//! reference is an edge.
//!
//! ```text
//! value ──index──▶ places, resources, anchors ──read──▶ rules per place ──scope──▶ nodes ──order──▶ Graph
//! ```
//!
//! - [`index`] finds the subschemas, assigns each resource its base URI (`$id`), and records
//!   anchors (JSON Schema core §8, §9).
//! - [`read`] turns the keywords of each location into rules, even for unreferenced ones, so that
//!   all errors are reported. An unknown keyword is an error: none is ignored.
//! - [`scope`] resolves references. The target of a `$dynamicRef` depends on the resources on the
//!   path to it, which are known here, so that locations are distinguished by that scope and no
//!   reference is left for the VM.
//! - [`order`] removes indirections, rejects circular references, and numbers the nodes so that
//!   schemas of one value precede those that use them.

mod graph;
mod index;
mod keyword;
mod literal;
mod order;
mod pattern;
mod problem;
mod read;
mod refs;
mod scope;
mod uri;

pub(crate) use graph::RuleMapper;
pub use graph::{Graph, Operand, Rule, Written};
pub use literal::Literal;

use hookc_schema::Diagnostics;
use hookc_schema::value::Value;

/// The graph of a schema; `None` if there are errors, all of which are reported. `formats` states
/// whether `format` is asserted. Linear in the schema, except for scopes of dynamic references
/// ([`SCHEMA_NODES`](crate::limits::SCHEMA_NODES)).
pub(crate) fn compile(value: &Value, formats: bool, out: &mut Diagnostics) -> Option<Graph> {
    let before = out.reported();
    let index = index::index(value, out);
    let places = read::read(&index, formats, out);
    if out.reported() > before {
        return None;
    }
    let nodes = scope::nodes(&index, &places, out)?;
    order::order(&index, &places, nodes, out)
}
