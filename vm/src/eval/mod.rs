//! Deciding: from an event's slots to the hooks that match.
//!
//! Each condition and each predicate is evaluated at most once per decision, and only if a visited
//! hook needs it. Once the scratch has grown to the module, only the canonical text of a number and
//! rendering allocate.

mod actions;
mod cost;
mod decision;
mod elements;
mod error;
mod kleene;
mod machine;
mod options;
mod past;
mod probe;
mod scratch;
mod search;
mod some;
mod test;
mod trace;

pub use decision::{Decision, MatchedHook, UnknownHook};
pub use error::DecideError;
pub use options::DecideOptions;
pub use probe::Probe;
pub use scratch::Scratch;
pub use trace::{Deciding, Trace, Traced, Verdict};

use serde_json::Value;

use crate::event::{Item, Origin};
use crate::module::Module;
use search::Views;

impl Module {
    /// Decides about an event: scans it, finds its type, and searches for matching hooks by the
    /// strategy of the event type.
    ///
    /// Costs one pass over the event, then in the worst case the hooks of the event type with their
    /// conditions and predicates, each once. The decision borrows from `scratch` and `event`.
    ///
    /// # Errors
    /// The event is invalid, has no type or an ambiguous one, has a duplicate key on a path that is
    /// read, a pattern could not be compiled, or the schemas or queries exceeded their steps. The
    /// caller's failure mode applies.
    pub fn decide<'a>(
        &'a self,
        scratch: &'a mut Scratch,
        event: &'a [u8],
        ask: &DecideOptions<'a>,
    ) -> Result<Decision<'a>, DecideError> {
        search::decide(self, scratch, event, ask)
    }

    /// Decides about a parsed value. A `Value` cannot contain duplicate keys, and numbers have the
    /// value that it prints. Only the values that the decision reads are visited, and none is copied;
    /// an array or object is written as text if a condition looks into it.
    ///
    /// # Errors
    /// As [`Module::decide`]; limits apply to the values that are read.
    pub fn decide_value<'a>(
        &'a self,
        scratch: &'a mut Scratch,
        event: &'a Value,
        ask: &DecideOptions<'a>,
    ) -> Result<Decision<'a>, DecideError> {
        search::decide_value(self, scratch, event, ask)
    }

    /// Evaluates every hook of the event's type, in rank order, including those after the deciding
    /// one, and explains the result.
    ///
    /// # Errors
    /// As [`Module::decide`].
    pub fn trace<'a>(
        &'a self,
        scratch: &'a mut Scratch,
        event: &'a [u8],
        ask: &DecideOptions<'a>,
    ) -> Result<Trace, DecideError> {
        trace::trace(self, scratch, event, ask)
    }

    /// Calls `each` with the nodes of query `query` of the module, in order, until it returns
    /// `false`. `ask` determines the event type whose reads apply; no hook is visited.
    ///
    /// # Errors
    /// As [`Module::decide`].
    pub fn nodes<'a>(
        &'a self,
        scratch: &'a mut Scratch,
        event: &'a [u8],
        ask: &DecideOptions<'a>,
        query: u32,
        each: &mut dyn FnMut(Item<'_>) -> bool,
    ) -> Result<(), DecideError> {
        let tables = self.tables_in_place();
        let (text, row) = search::open_text(self, tables, scratch, event, (ask, Views::Whole))?;
        let input = (Origin::Text(text), row, ask.history);
        let machine = search::Prepared::new(self, tables, scratch, input).machine;
        let walked = machine.queries.each(&machine.view, query, &mut |_, node| Ok(each(node)));
        walked.map_err(|stop| machine.explain(stop))
    }

    /// Lays an event open, to ask single hooks of its type about it.
    ///
    /// # Errors
    /// As [`Module::decide`].
    pub fn probe<'a>(
        &'a self,
        scratch: &'a mut Scratch,
        event: &'a [u8],
        ask: &DecideOptions<'a>,
    ) -> Result<Probe<'a>, DecideError> {
        let tables = self.tables_in_place();
        let (text, row) = search::open_text(self, tables, scratch, event, (ask, Views::Whole))?;
        Ok(Probe::new(self, *tables, scratch, (text, row), ask))
    }
}
