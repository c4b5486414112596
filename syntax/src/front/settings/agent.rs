//! Data about the agent: the keys of each handler type, and its timeouts.

use std::sync::OnceLock;

use hookc_schema::agents::{self, Agent, Id};
use hookc_schema::decode::{Key, Object};
use hookc_schema::dialect::settings;
use hookc_schema::tree::Family;
use hookc_schema::vocab::Vocabulary;

/// A type of handler.
#[derive(Debug)]
pub(crate) struct HandlerType {
    /// Its name, its action and its timeout.
    pub(crate) data: &'static agents::HandlerType,
    /// Its keys, with the parameters of the action that they set.
    pub(crate) table: &'static Object,
}

/// The types of handlers.
pub(crate) fn types() -> &'static [HandlerType] {
    static TYPES: OnceLock<Vec<HandlerType>> = OnceLock::new();
    TYPES.get_or_init(|| {
        let table = |name: &str| {
            settings::HANDLERS.iter().find(|(listed, _)| *listed == name).map(|(_, table)| *table)
        };
        let known =
            |data: &'static agents::HandlerType| Some(HandlerType { data, table: table(&data.name)? });
        claude().handlers.iter().filter_map(known).collect()
    })
}

impl HandlerType {
    /// `type`
    pub(crate) fn name(&self) -> &'static str {
        &self.data.name
    }

    /// The key that sets a parameter of the action.
    pub(crate) fn key_of(&self, param: &str) -> Option<&'static Key> {
        self.table.keys.iter().find(|key| key.becomes == Some(param))
    }

    /// The agent's timeout of a handler without one at an event, in seconds. A command has none here: the runtime
    /// knows how long the agent waits for it.
    pub(crate) fn default_seconds(&self, event: &str) -> Option<u32> {
        (self.data.action != "run").then(|| self.data.seconds(event))
    }
}

/// Whether hooks files and settings have a key in addition to events.
pub(super) fn is_beside(key: &str) -> bool {
    claude().beside.iter().any(|name| name == key)
}

/// Events about a tool call: the agent evaluates `if` there.
pub(crate) fn rule_events() -> &'static [String] {
    &claude().rule_events
}

/// Whether the agent evaluates `if` at an event.
pub(crate) fn has_rules(event: &str) -> bool {
    rule_events().iter().any(|name| name == event)
}

fn claude() -> &'static Agent {
    Id::Claude.agent()
}

/// The names of all its events.
pub(super) fn events(vocabulary: &Vocabulary) -> Vec<&str> {
    let events = vocabulary.events.keys().filter(|(family, _)| *family == Family::Agent);
    events.map(|(_, name)| name.as_str()).collect()
}
