//! The outcome of an event.

use hookc_base::Family;

use super::{Effect, PendingAction};
use crate::verdict::{self, Verdict};

/// The outcome of an event.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct EventOutcome {
    /// Its type.
    pub event: String,
    /// Its vocabulary, if the policy has hooks for it.
    pub family: Option<Family>,
    /// The hooks that decided, in order, with what executing their actions gave.
    pub effects: Vec<Effect>,
    /// Warn and shadow hooks that matched.
    pub reported: Vec<PendingAction>,
    /// The content hash of the module that decided.
    pub module: [u8; 32],
}

impl EventOutcome {
    /// The combined verdict of all hooks, and their conflicts.
    #[must_use]
    pub fn verdict(&self) -> (Verdict, Vec<String>) {
        // One agrees with itself, and may be as long as an event.
        if let [one] = self.effects.as_slice() {
            return (one.verdict(), Vec::new());
        }
        let all: Vec<Verdict> = self.effects.iter().map(Effect::verdict).collect();
        verdict::merge(&all)
    }

    /// Adds the outcome of the same event about something else, without duplicates.
    pub fn add(&mut self, other: Self) {
        for effect in other.effects {
            let same = |own: &Effect| own.hook.label == effect.hook.label && own.outcome == effect.outcome;
            if !self.effects.iter().any(same) {
                self.effects.push(effect);
            }
        }
        for pending in other.reported {
            if !self.reported.iter().any(|own| own.hook.label == pending.hook.label) {
                self.reported.push(pending);
            }
        }
    }
}

/// Bytes as hexadecimal digits.
pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
