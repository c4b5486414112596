//! Deciding: from an event's slots to the hooks that match.
//!
//! Each condition and each predicate is evaluated at most once per decision,
//! and only when a hook that is looked at needs it. Nothing is allocated once
//! the scratch has grown to the module, but for a number's canonical text and
//! for rendering.

pub(crate) mod compare;
mod decision;
mod error;
mod machine;
mod options;
mod probe;
mod scratch;
mod search;
mod trace;

pub(crate) use decision::View;
pub use decision::{Decision, MatchedHook};
pub use error::DecideError;
pub(crate) use error::Stop;
pub use options::DecideOptions;
pub use probe::Probe;
pub use scratch::Scratch;
pub use trace::{Deciding, Trace, Traced, Verdict};

use serde_json::Value;

use crate::event::Item;
use crate::module::Module;
use search::Source;

impl Module {
    /// Decides about an event: scans it, finds its type, and looks for the
    /// hooks that match by the event type's strategy.
    ///
    /// Costs one pass over the event, then at worst the event type's hooks
    /// with the conditions and predicates they need, each once. All that the
    /// decision borrows lies in `scratch` and `event`.
    ///
    /// # Errors
    /// The event is none, has no type or one that several vocabularies know,
    /// has a duplicate on a read path, a pattern could not be built, or the
    /// schemas or queries took more steps than they may. The caller's chosen polarity applies.
    pub fn decide<'a>(
        &'a self,
        scratch: &'a mut Scratch,
        event: &'a [u8],
        ask: &DecideOptions<'a>,
    ) -> Result<Decision<'a>, DecideError> {
        search::decide(self, scratch, Source::Bytes(event), ask)
    }

    /// The same from a parsed value. A `Value` has no duplicates left to
    /// refuse, and numbers count as it prints them.
    ///
    /// # Errors
    /// As [`Module::decide`].
    pub fn decide_value<'a>(
        &'a self,
        scratch: &'a mut Scratch,
        event: &'a Value,
        ask: &DecideOptions<'a>,
    ) -> Result<Decision<'a>, DecideError> {
        search::decide(self, scratch, Source::Value(event), ask)
    }

    /// What every hook of the event's type says about it, in rank order, and
    /// why. Evaluates all of them, also those behind the deciding one.
    ///
    /// # Errors
    /// As [`Module::decide`].
    pub fn trace<'a>(
        &'a self,
        scratch: &'a mut Scratch,
        event: &'a [u8],
        ask: &DecideOptions<'a>,
    ) -> Result<Trace, DecideError> {
        trace::trace(self, scratch, Source::Bytes(event), ask)
    }

    /// Hands the nodes of query `query` of the module to `each`, in order,
    /// until it says `false`. `ask` names the event type whose reads count; no
    /// hook is looked at.
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
        let machine = search::prepare(self, scratch, Source::Bytes(event), ask)?.machine;
        let walked = machine.queries.each(&machine.source(), query, &mut |node| Ok(each(node)));
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
        search::prepare(self, scratch, Source::Bytes(event), ask).map(Probe::new)
    }
}
