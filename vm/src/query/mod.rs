//! Queries: JSONPath (RFC 9535) over an event.
//!
//! ```text
//! slot ──take apart──▶ tree ──segments, selectors, filters──▶ nodes, one by one
//! ```
//!
//! The singular prefix of a path is a slot, found by the scan. Only its value is parsed
//! ([`Tree`](crate::event)), once per decision; the rest of the path is a walk over the nodes of
//! the tree, which yields node after node and keeps no list. Every step goes down into the value,
//! so the recursion depth is that of the event; the verifier bounds the nesting of filters. A query
//! inside a filter that does not start at the current node has the same nodes for every node, so it
//! is evaluated once, before the walk.
//!
//! A path that selects every descendant of every descendant has a power of the event's size as
//! number of nodes. [`QUERY_STEPS`](crate::limits::QUERY_STEPS) bounds the work of all queries of a
//! decision.
//!
//! Members come in RFC 8785 key order, since RFC 9535 leaves it open.

mod bound;
mod buffers;
mod filter;
pub(crate) mod iregexp;
mod walk;

pub(crate) use buffers::Buffers;
