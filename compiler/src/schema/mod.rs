//! JSON Schemas of `matches`, draft 2020-12: from a value with places to a
//! graph in which every reference is an edge.
//!
//! ```text
//! value ──index──▶ places, resources, anchors ──read──▶ rules per place ──scope──▶ nodes ──order──▶ Graph
//! ```
//!
//! - [`index`] finds the subschemas, gives each resource its base URI (`$id`),
//!   and notes anchors (JSON Schema core §8, §9).
//! - [`read`] turns the keywords of each place into rules, whether anything
//!   leads there or not, so that everything wrong is reported. A keyword that it
//!   does not know is an error: none is ignored.
//! - [`scope`] follows references. What a `$dynamicRef` leads to depends on
//!   the resources passed on the way, which are known here, so that places are
//!   told apart by that scope and no reference is left for the VM.
//! - [`order`] drops detours, refuses references in a circle, and numbers the
//!   nodes so that schemas of one value come before what uses them.

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

pub(crate) use graph::Words;
pub use graph::{Graph, Operand, Rule, Written};
pub use literal::Literal;

use hookc_schema::Diagnostic;
use hookc_schema::value::Value;

/// The graph of a schema; what is wrong is reported, all of it, and then there is
/// none. `formats` says whether `format` is asserted. Linear in the schema,
/// but for scopes of dynamic references
/// ([`SCHEMA_NODES`](crate::limits::SCHEMA_NODES)).
pub(crate) fn compile(value: &Value, formats: bool, out: &mut Vec<Diagnostic>) -> Option<Graph> {
    let before = out.len();
    let index = index::index(value, out);
    let places = read::read(&index, formats, out);
    if out.len() > before {
        return None;
    }
    let nodes = scope::nodes(&index, &places, out)?;
    order::order(&index, &places, nodes, out)
}
