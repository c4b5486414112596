//! The format of an agent's own hooks file.

use serde::Deserialize;

use super::{Id, load};

/// The format of a hooks file.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct Form {
    /// Suffixes of the paths of such files. A suffix `/*.json` matches all files of that directory.
    pub paths: Vec<String>,
    /// Keys that the agent reads in addition to `hooks` and events.
    pub beside: Vec<String>,
    /// The only keys next to `hooks` in JSON, if any other key makes the agent ignore the file.
    pub root: Option<Vec<String>>,
    /// Suffixes of files whose events are members of the file itself, if it has no `hooks`.
    #[serde(default)]
    pub bare: Vec<String>,
    /// Whether events can also be members of the file itself, if it has no `hooks`.
    #[serde(default)]
    pub bare_too: bool,
    /// How the names of events can be written.
    #[serde(default)]
    pub event_names: EventNames,
    /// How a matcher is compared with the name of a tool.
    #[serde(default)]
    pub matching: Matching,
    /// The events at which a matcher is compared only with the agent's own names of tools, not with those of Claude Code.
    #[serde(default)]
    pub own_names_at: Vec<String>,
    /// Other names of tools that a list can have, and the agent's own ones.
    #[serde(default, deserialize_with = "load::pairs")]
    pub aliases: Vec<(String, String)>,
    /// The name of the set of events that `install` writes, if a file has such sets by name in place of `hooks`.
    pub named: Option<String>,
    /// The members of a hook, if `hooks` can also be a list.
    pub listed: Option<Listed>,
    /// Keys of an entry of an event, in addition to those of a handler.
    pub entry: Vec<String>,
    /// What a handler looks like.
    pub handler: Handler,
    /// The start of the names of MCP servers' tools that matchers test, if that is not `mcp__`.
    #[serde(default)]
    pub mcp: Option<String>,
    /// How the agent reads a handler's output: the `result` of the action.
    pub result: String,
}

/// How the names of events can be written in a hooks file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum EventNames {
    /// As the agent sends them.
    #[default]
    Exact,
    /// Also in lower case with underscores between the words. Two spellings of one event are an error.
    Snake,
    /// In any case, with underscores anywhere.
    Any,
}

/// How a matcher is compared with the name of a tool.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Matching {
    /// A pattern of JavaScript that matches anywhere in the name.
    #[default]
    Search,
    /// A name, or a pattern that matches the whole name: one between slashes, or with a character that no name has.
    Whole,
    /// A pattern of JavaScript that matches the whole name.
    Anchored,
    /// A pattern without look-around and back-references, as Go and Rust have it, that matches anywhere in the name.
    Linear,
    /// A list of whole names between `|`, with letters, digits and `_` alone; otherwise [`Self::Linear`]. `*` matches
    /// everything.
    Exact,
    /// A list of names between `|`, or a pattern of JavaScript that matches anywhere in the name. `*` and `.*` in a list
    /// match everything, and what starts with `^` or `(` is no list.
    Listed,
}

/// The members of a hook in a list.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct Listed {
    /// The member with the name of the event.
    pub event: String,
    /// The member with the handler. Other keys of the handler are members of the hook.
    pub handler: String,
    /// The member that can disable the hook.
    pub enabled: String,
}

/// What a handler looks like.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct Handler {
    /// The values of `type` that the agent runs; the first one is the default.
    #[serde(deserialize_with = "load::named")]
    pub types: Vec<Kind>,
    /// The values of `type` that the agent runs and hookc has no action for.
    #[serde(default)]
    pub unconverted: Vec<String>,
    /// Whether `type` is optional.
    #[serde(default)]
    pub untyped: bool,
    /// Its keys.
    #[serde(deserialize_with = "load::named")]
    pub keys: Vec<Key>,
    /// Its timeout in seconds if it has none of its own.
    pub timeout: u32,
    /// The shortest timeout in seconds: the agent raises a shorter one.
    #[serde(default)]
    pub least: u32,
    /// Whether a handler is invalid if its timeout is not a whole number.
    #[serde(default)]
    pub whole: bool,
}

/// A type of handlers.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct Kind {
    /// `type`
    #[serde(skip)]
    pub name: String,
    /// The resulting action.
    pub action: String,
    /// At least one of these keys is required; none if the list is empty.
    pub needs: Vec<String>,
    /// Whether the agent reads such a handler and does not run it.
    #[serde(default)]
    pub skipped: bool,
    /// The events at which the agent does not run such a handler.
    #[serde(default)]
    pub except: Vec<String>,
    /// The first version of the agent that runs such a handler.
    pub since: Option<String>,
}

/// A type of handlers in Claude Code's format. The keys are in the table of that name
/// (`dialect/settings.rs`).
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct HandlerType {
    /// `type`
    #[serde(skip)]
    pub name: String,
    /// The resulting action.
    pub action: String,
    /// The timeout in seconds of a handler without one.
    pub timeout: u32,
    /// Whether the timeout of an event replaces it.
    #[serde(default)]
    pub by_event: bool,
}

impl HandlerType {
    /// The timeout in seconds of a handler without one at an event.
    #[must_use]
    pub fn seconds(&self, event: &str) -> u32 {
        let of_event =
            Id::Claude.agent().event(event).filter(|_| self.by_event).and_then(|event| event.timeout);
        of_event.unwrap_or(self.timeout)
    }
}

/// A key of a handler. In the data it is `null`, the name of a parameter, or an object.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(try_from = "Option<Param>")]
#[non_exhaustive]
pub struct Key {
    /// Its name.
    pub name: String,
    /// The parameter of the action that the key sets; `None` if only the agent reads the key.
    pub param: Option<String>,
    /// The divisor that converts its number to the parameter.
    pub divide: u32,
    /// The smallest number that is divided: the agent reads smaller ones as they are.
    pub from: u32,
    /// The text that means yes, if the key is not a boolean.
    pub yes: Option<String>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Param {
    Name(String),
    Divided(Divided),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Divided {
    param: String,
    /// A [`serde_json::Number`]: the only type that a variant of this enum can have whatever the features of
    /// serde_json in a program are.
    #[serde(default)]
    divide: Option<serde_json::Number>,
    #[serde(default)]
    from: Option<serde_json::Number>,
    #[serde(default)]
    yes: Option<String>,
}

impl TryFrom<Option<Param>> for Key {
    type Error = String;

    fn try_from(param: Option<Param>) -> Result<Self, String> {
        let number = |number: serde_json::Number| {
            let small = number.as_u64().and_then(|number| u32::try_from(number).ok());
            small.ok_or_else(|| format!("{number} is not a number of seconds"))
        };
        let mut key = Self { name: String::new(), param: None, divide: 1, from: 0, yes: None };
        match param {
            None => {}
            Some(Param::Name(param)) => key.param = Some(param),
            Some(Param::Divided(Divided { param, divide, from, yes })) => {
                (key.param, key.yes) = (Some(param), yes);
                key.divide = divide.map_or(Ok(1), number)?;
                key.from = from.map_or(Ok(0), number)?;
            }
        }
        Ok(key)
    }
}

impl Handler {
    /// The key with a name.
    #[must_use]
    pub fn key(&self, name: &str) -> Option<&Key> {
        self.keys.iter().find(|key| key.name == name)
    }
}
