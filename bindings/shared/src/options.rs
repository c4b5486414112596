//! Options of a decision, by name.

use hookc::{DecideOptions, Family, Strategy};
use serde::Deserialize;

use crate::Failure;

/// Options of a decision as JSON: `{"event", "family", "strategy", "after"}`, each optional.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Options {
    event: Option<String>,
    family: Option<String>,
    strategy: Option<String>,
    after: Option<u32>,
}

impl Options {
    /// Reads options; no bytes are no options.
    ///
    /// # Errors
    /// The bytes are not such JSON.
    pub fn read(bytes: &[u8]) -> Result<Self, Failure> {
        if bytes.is_empty() {
            return Ok(Self::default());
        }
        serde_json::from_slice(bytes).map_err(|error| Failure::argument(format!("the options: {error}")))
    }

    /// The options.
    ///
    /// # Errors
    /// A name is unknown.
    pub fn decide(&self) -> Result<DecideOptions<'_>, Failure> {
        Ok(DecideOptions::default()
            .event(self.event.as_deref())
            .family(self.family.as_deref().map(family).transpose()?)
            .strategy(self.strategy.as_deref().map(strategy).transpose()?)
            .after(self.after))
    }
}

/// The vocabulary of a name.
///
/// # Errors
/// There is no such vocabulary.
pub fn family(name: &str) -> Result<Family, Failure> {
    named("vocabulary", name, Family::CHOICES)
}

/// The strategy of a name.
///
/// # Errors
/// There is no such strategy.
pub fn strategy(name: &str) -> Result<Strategy, Failure> {
    named("strategy", name, Strategy::CHOICES)
}

/// What a name stands for; if it is unknown, the failure lists the names.
pub(crate) fn named<T: Copy>(kind: &str, name: &str, choices: &[(&str, T)]) -> Result<T, Failure> {
    let found = choices.iter().find(|(text, _)| *text == name);
    found.map(|(_, one)| *one).ok_or_else(|| {
        let names: Vec<String> = choices.iter().map(|(text, _)| format!("`{text}`")).collect();
        Failure::argument(format!("unknown {kind} `{name}`: expected {}", names.join(", ")))
    })
}
