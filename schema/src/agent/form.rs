//! The format of an agent's own hooks file.

/// The form of a hooks file.
#[derive(Clone, Debug, PartialEq)]
pub struct Form {
    /// Whether an event maps to groups of handlers; otherwise it maps to handlers.
    pub groups: bool,
    /// Path suffixes of such files. A suffix that ends with `/*.json` matches all files of that
    /// directory.
    pub paths: Vec<String>,
    /// Keys that the agent reads, besides `hooks` and events.
    pub beside: Vec<String>,
    /// Keys of an entry of an event, besides those of a handler.
    pub entry: Vec<String>,
    /// The format of a handler.
    pub handler: Handler,
    /// How the agent reads the output of a handler: the `result` of the action.
    pub result: String,
}

/// The format of a handler.
#[derive(Clone, Debug, PartialEq)]
pub struct Handler {
    /// The values of `type` that the agent runs; the first one is the default.
    pub types: Vec<Kind>,
    /// Whether `type` is optional.
    pub untyped: bool,
    /// The allowed values.
    pub keys: Vec<Key>,
    /// The default timeout in seconds.
    pub timeout: u32,
}

/// A type of handlers.
#[derive(Clone, Debug, PartialEq)]
pub struct Kind {
    /// `type`
    pub name: String,
    /// The action that it becomes.
    pub action: String,
    /// The keys, one of which is required.
    pub needs: Vec<String>,
}

/// A key of a handler.
#[derive(Clone, Debug, PartialEq)]
pub struct Key {
    /// Its name.
    pub name: String,
    /// The parameter of the resulting action; `None` for a key that only the agent reads.
    pub param: Option<String>,
    /// The divisor that converts its number to that parameter.
    pub divide: u32,
}

impl Handler {
    /// The key of a name.
    #[must_use]
    pub fn key(&self, name: &str) -> Option<&Key> {
        self.keys.iter().find(|key| key.name == name)
    }
}
