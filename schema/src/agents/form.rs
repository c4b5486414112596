//! What an agent's own hooks file looks like.

use serde::Deserialize;

use super::load;

/// The form of a hooks file.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct Form {
    /// Ends of paths where the agent keeps such a file. One that ends with `/*.json`
    /// stands for all files of that directory.
    pub paths: Vec<String>,
    /// Keys beside `hooks` and events that the agent reads.
    pub beside: Vec<String>,
    /// Keys of an entry of an event, beside those of a handler.
    pub entry: Vec<String>,
    /// What a handler looks like.
    pub handler: Handler,
    /// How the agent reads what a handler prints: the `result` of the action.
    pub result: String,
}

/// What a handler looks like.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct Handler {
    /// The values of `type` that the agent runs; the first one is meant if it is left out.
    #[serde(deserialize_with = "load::named")]
    pub types: Vec<Kind>,
    /// Whether `type` may be left out.
    #[serde(default)]
    pub untyped: bool,
    /// Its keys.
    #[serde(deserialize_with = "load::named")]
    pub keys: Vec<Key>,
    /// Its timeout in seconds if it has none of its own.
    pub timeout: u32,
}

/// A type of handlers.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct Kind {
    /// `type`
    #[serde(skip)]
    pub name: String,
    /// The action that it becomes.
    pub action: String,
    /// The keys of which one must be there.
    pub needs: Vec<String>,
}

/// A key of a handler: in the data null, the name of a parameter, or an object.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(from = "Option<Param>")]
#[non_exhaustive]
pub struct Key {
    /// Its name.
    pub name: String,
    /// The parameter of the action that it becomes; none for what is read by the agent
    /// alone.
    pub param: Option<String>,
    /// By how much its number is divided to give that parameter.
    pub divide: u32,
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
    divide: u32,
}

impl From<Option<Param>> for Key {
    fn from(param: Option<Param>) -> Self {
        let (param, divide) = match param {
            None => (None, 1),
            Some(Param::Name(param)) => (Some(param), 1),
            Some(Param::Divided(Divided { param, divide })) => (Some(param), divide),
        };
        Self { name: String::new(), param, divide }
    }
}

impl Handler {
    /// The key of a name.
    #[must_use]
    pub fn key(&self, name: &str) -> Option<&Key> {
        self.keys.iter().find(|key| key.name == name)
    }
}
