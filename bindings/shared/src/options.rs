//! Options of a decision, by name.

use hookc::{DecideOptions, Family, Strategy, Verdict};
use serde::Deserialize;

use crate::Failure;

/// Options of a decision as JSON: `{"event", "family", "strategy", "after", "time"}`, each optional. `time` is for
/// sessions alone.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Options {
    event: Option<String>,
    family: Option<String>,
    strategy: Option<String>,
    after: Option<u32>,
    time: Option<u64>,
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

    /// The options of a decision outside of a session.
    ///
    /// # Errors
    /// A name is unknown, or a time is given.
    pub fn decide(&self) -> Result<DecideOptions<'_>, Failure> {
        match self.time {
            Some(_) => Err(Failure::argument("`time` is an option of decisions in a session")),
            None => self.without_time(),
        }
    }

    /// The options of a decision in a session, with its time in milliseconds.
    ///
    /// # Errors
    /// A name is unknown, or there is no time.
    pub fn decide_at(&self) -> Result<(DecideOptions<'_>, u64), Failure> {
        let missing =
            || Failure::argument("a decision in a session needs the option `time`, in milliseconds");
        Ok((self.without_time()?, self.time.ok_or_else(missing)?))
    }

    fn without_time(&self) -> Result<DecideOptions<'_>, Failure> {
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

/// The verdict of a name.
///
/// # Errors
/// There is no such verdict.
pub fn verdict(name: &str) -> Result<Verdict, Failure> {
    named("verdict", name, Verdict::CHOICES)
}

/// What a name stands for; if it is unknown, the failure lists the names.
pub(crate) fn named<T: Copy>(kind: &str, name: &str, choices: &[(&str, T)]) -> Result<T, Failure> {
    let found = choices.iter().find(|(text, _)| *text == name);
    found.map(|(_, one)| *one).ok_or_else(|| {
        let names: Vec<String> = choices.iter().map(|(text, _)| format!("`{text}`")).collect();
        Failure::argument(format!("unknown {kind} `{name}`: expected {}", names.join(", ")))
    })
}
