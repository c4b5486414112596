//! What a caller may say beside the event.

use crate::module::{Family, Strategy};

/// What is asked about an event; the default asks what the event and the
/// module say themselves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DecideOptions<'a> {
    /// The event's type, if the caller knows it better than the event.
    pub event: Option<&'a str>,
    /// The vocabulary, for names that several of them know.
    pub family: Option<Family>,
    /// The strategy, instead of the event type's.
    pub strategy: Option<Strategy>,
    /// Look only behind this rank. Stepping: ask with [`Strategy::First`], carry
    /// out what fired, and ask again, over the changed event, with the rank
    /// that fired, until nothing fires. Unless `strategy` says otherwise, such
    /// a question is for the next hook alone, whatever the event type says.
    ///
    /// Only enforcing hooks are stopped at; the others that match between
    /// `after` and the next one are reported with it, so that a whole walk
    /// reports each of them once.
    pub after: Option<u32>,
}
