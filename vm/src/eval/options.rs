//! Options of a decision.

use hookc_base::{Family, Strategy};

/// Options of a decision. By default, the event and the module determine everything.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DecideOptions<'a> {
    /// The event's type, which overrides the type in the event.
    pub event: Option<&'a str>,
    /// The vocabulary, for names that several vocabularies declare.
    pub family: Option<Family>,
    /// The strategy, instead of the event type's.
    pub strategy: Option<Strategy>,
    /// Search only after this rank. To step through hooks, decide with [`Strategy::First`], execute
    /// the hook that matched, and decide again about the changed event after its rank, until no
    /// hook matches. Unless `strategy` is set, such a decision returns only the next hook, whatever
    /// the strategy of the event type.
    ///
    /// Only enforcing hooks end a step. Other hooks that match between `after` and the next one are
    /// reported with it, so that a complete walk reports each of them once.
    pub after: Option<u32>,
}
