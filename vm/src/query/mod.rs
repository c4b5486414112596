//! Queries: JSONPath (RFC 9535) over an event.
//!
//! ```text
//! slot ──take apart──▶ tree ──segments, selectors, filters──▶ nodes, one by one
//! ```
//!
//! The singular beginning of a path is a slot, found by the scan. Only its
//! value is taken apart ([`Tree`](crate::event)), once per decision; the rest
//! of the path is a walk over the tree's nodes, which hands out node after
//! node and keeps no list of them. Every step of a walk goes down into the
//! value, so that its recursion is as deep as the event; filters within
//! filters are as deep as the verifier allows. A query within a filter that
//! does not begin at the node at hand has the same nodes whatever that node
//! is, so it is evaluated once, before the walk.
//!
//! The nodes of a path that looks below everything for everything are as many
//! as a power of the event's size: what all queries of a decision may do is
//! bounded by [`QUERY_STEPS`](crate::limits::QUERY_STEPS).
//!
//! Members come in RFC 8785 key order, since RFC 9535 leaves it open.

mod buffers;
mod filter;
pub mod iregexp;
mod walk;

pub(crate) use buffers::{Buffers, Source};
