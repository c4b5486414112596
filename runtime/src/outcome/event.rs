//! The outcome of an event.

use std::collections::{HashMap, HashSet};

use hookc_base::Family;

use super::{Effect, Outcome, PendingAction, unknown_history};
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
    /// The event in the history of its session.
    pub history: HistoryNote,
}

/// An event in the history of its session.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct HistoryNote {
    /// Its number, if it was recorded.
    pub step: Option<u64>,
    /// Why the history was unknown, in one word for the log.
    pub unknown: Option<&'static str>,
}

impl EventOutcome {
    /// The combined verdict of all hooks, and their conflicts. Hooks that are unknown for the same reason have one message.
    #[must_use]
    pub fn verdict(&self) -> (Verdict, Vec<String>) {
        // One agrees with itself, and may be as long as an event.
        if let [one] = self.effects.as_slice() {
            return (one.verdict(), Vec::new());
        }
        verdict::merge(&unknown_history::verdicts(&self.effects))
    }

    /// Adds the outcome of the same event about something else, without duplicates.
    pub fn add(&mut self, other: &Self) {
        let mut by_hook: HashMap<&str, Vec<&Effect>> = HashMap::new();
        for effect in &self.effects {
            by_hook.entry(&effect.hook.label).or_default().push(effect);
        }
        let mut new = Vec::new();
        for effect in &other.effects {
            let same = by_hook.entry(&effect.hook.label).or_default();
            if !same.iter().any(|other| other.outcome == effect.outcome) {
                same.push(effect);
                new.push(effect.clone());
            }
        }
        self.effects.extend(new);
        let mut known: HashSet<&str> =
            self.reported.iter().map(|action| action.hook.label.as_str()).collect();
        let new = other.reported.iter().filter(|pending| known.insert(&pending.hook.label));
        let new: Vec<_> = new.cloned().collect();
        self.reported.extend(new);
    }

    /// Leaves so many characters of each text for the model or the user.
    pub(crate) fn shorten(&mut self, characters: usize) {
        for effect in &mut self.effects {
            match &mut effect.outcome {
                Outcome::Verdict(verdict) => {
                    let Verdict { reasons, contexts, messages, stop, .. } = verdict.as_mut();
                    let texts = reasons.iter_mut().chain(contexts).chain(messages).chain(stop);
                    texts.for_each(|text| shorten(text, characters));
                }
                Outcome::Failed(failure) => shorten(&mut failure.why, characters),
                _ => {}
            }
        }
    }
}

fn shorten(text: &mut String, characters: usize) {
    if let Some((at, _)) = text.char_indices().nth(characters) {
        text.truncate(at);
        text.shrink_to_fit();
    }
}

/// Bytes as hexadecimal digits.
pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
