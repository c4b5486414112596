//! How an agent's own hooks file looks.

/// The form of a hooks file.
#[derive(Clone, Debug, PartialEq)]
pub struct Form {
    /// Whether events hold groups of handlers; else they hold handlers.
    pub groups: bool,
    /// Ends of paths where the agent keeps such a file. One that ends with `/*.json`
    /// stands for all files of that folder.
    pub paths: Vec<String>,
    /// Keys beside `hooks` and events that the agent reads.
    pub beside: Vec<String>,
    /// Keys of an entry of an event, beside those of a handler.
    pub entry: Vec<String>,
    /// How a handler looks.
    pub handler: Handler,
    /// How the agent reads what a handler prints: the `result` of the action.
    pub result: String,
}

/// How a handler looks.
#[derive(Clone, Debug, PartialEq)]
pub struct Handler {
    /// The values of `type` that the agent runs; the first one is meant if it is left out.
    pub types: Vec<Kind>,
    /// Whether `type` may be left out.
    pub untyped: bool,
    /// What it may say.
    pub keys: Vec<Key>,
    /// Seconds that it may take if it says nothing.
    pub timeout: u32,
}

/// A type of handlers.
#[derive(Clone, Debug, PartialEq)]
pub struct Kind {
    /// `type`
    pub name: String,
    /// The action that it becomes.
    pub action: String,
    /// The keys of which one must be there.
    pub needs: Vec<String>,
}

/// A key of a handler.
#[derive(Clone, Debug, PartialEq)]
pub struct Key {
    /// Its name.
    pub name: String,
    /// The parameter of the action that it becomes; none for what is read by the agent
    /// alone.
    pub param: Option<String>,
    /// By how much its number is divided to give that parameter.
    pub divide: u32,
}

impl Handler {
    /// The key of a name.
    #[must_use]
    pub fn key(&self, name: &str) -> Option<&Key> {
        self.keys.iter().find(|key| key.name == name)
    }
}
