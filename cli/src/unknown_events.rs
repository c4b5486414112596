//! Unknown event types: no hook matches such an event, so a misspelled name would look like a
//! policy without an opinion.

use std::collections::BTreeMap;

use hookc_compiler::event_types::EventTypes;
use hookc_schema::terminal::escape;

use crate::args::Global;
use crate::exit::Failure;
use crate::out;

/// Names that are counted separately; a stream of invented types needs no memory.
const NAMES: usize = 100;
/// Names that are reported.
pub(crate) const SHOWN: usize = 5;

/// Rejects an unknown type in `--event`.
pub(crate) fn check(types: &EventTypes, event: Option<&str>) -> Result<(), Failure> {
    let Some(name) = event.filter(|name| !types.knows(name)) else { return Ok(()) };
    let near = types.nearest(name).map(|near| format!("; did you mean `{near}`?")).unwrap_or_default();
    Err(Failure::usage(format!("`--event {name}`: unknown event type{near}")))
}

/// The unknown types of a stream of events.
pub(crate) struct UnknownEvents<'t> {
    types: &'t EventTypes,
    /// Each with the number of its events and the line of the first.
    seen: BTreeMap<String, (usize, usize)>,
    events: usize,
}

impl<'t> UnknownEvents<'t> {
    pub(crate) fn new(types: &'t EventTypes) -> Self {
        Self { types, seen: BTreeMap::new(), events: 0 }
    }

    /// Counts an event if its type is unknown.
    pub(crate) fn note(&mut self, name: &str, line: usize) {
        if let Some((events, _)) = self.seen.get_mut(name) {
            *events += 1;
            self.events += 1;
        } else if !self.types.knows(name) {
            self.events += 1;
            if self.seen.len() < NAMES {
                self.seen.insert(name.to_owned(), (1, line));
            }
        }
    }

    /// Reports them in a line on standard error.
    pub(crate) fn report(&self, global: &Global) {
        if self.events == 0 {
            return;
        }
        let one = |(name, (_, line)): (&String, &(usize, usize))| {
            let near = self.types.nearest(name).map(|near| format!(": did you mean `{near}`?"));
            format!("`{}` (line {line}{})", escape(name), near.unwrap_or_default())
        };
        let names: Vec<String> = self.seen.iter().take(SHOWN).map(one).collect();
        let more = if self.seen.len() > SHOWN { ", ..." } else { "" };
        let events = out::plural(self.events, "event");
        let have = if self.events == 1 { "has" } else { "have" };
        let line = format!("hookc: {events} {have} an unknown type: {}{more}", names.join(", "));
        out::say(global, &line);
    }
}
