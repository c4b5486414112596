//! Options of a decision.

use hookc_base::{Family, Strategy};

use crate::history::Histories;

/// Options of a decision. By default, the event and the module determine everything.
///
/// ```
/// use hookc_vm::{DecideOptions, Family, Strategy};
///
/// let options = DecideOptions::default().event("Stop").family(Family::Agent).strategy(Strategy::All);
/// assert_eq!(options.event, Some("Stop"));
/// ```
#[derive(Clone, Copy, Debug, Default)]
#[non_exhaustive]
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
    /// What happened before the event. Without it conditions about earlier events are unknown, and the decision has no
    /// record.
    pub history: Option<&'a Histories<'a>>,
}

impl<'a> DecideOptions<'a> {
    /// Sets the event's type.
    #[must_use]
    pub fn event(mut self, event: impl Into<Option<&'a str>>) -> Self {
        self.event = event.into();
        self
    }

    /// Sets the vocabulary.
    #[must_use]
    pub fn family(mut self, family: impl Into<Option<Family>>) -> Self {
        self.family = family.into();
        self
    }

    /// Sets the strategy.
    #[must_use]
    pub fn strategy(mut self, strategy: impl Into<Option<Strategy>>) -> Self {
        self.strategy = strategy.into();
        self
    }

    /// Reads these histories, and records for them.
    #[must_use]
    pub fn history(mut self, histories: impl Into<Option<&'a Histories<'a>>>) -> Self {
        self.history = histories.into();
        self
    }

    /// Searches only after a rank.
    #[must_use]
    pub fn after(mut self, rank: impl Into<Option<u32>>) -> Self {
        self.after = rank.into();
        self
    }
}
