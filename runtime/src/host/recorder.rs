//! A host for tests: records its calls and replies as prepared.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use hookc_base::action::{Action, LogLevel};
use serde_json::{Map, Value};

use super::{EventContext, Host};
use crate::outcome::{ActionFailure, Outcome};

/// One call of a host.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Recorded {
    /// The hook's label.
    pub hook: String,
    /// The kind of the action, or `log`.
    pub kind: String,
    /// The parameters.
    pub params: Map<String, Value>,
}

type Reply = Result<Value, ActionFailure>;

/// A host that records every request. It can do the kinds that it has a reply for,
/// each time with the next reply; the last one stays.
///
/// ```
/// use hookc_runtime::host::Recorder;
/// use serde_json::json;
///
/// let host = Recorder::new().with_reply("prompt", json!({"ok": true}));
/// assert!(host.asked().is_empty());
/// ```
#[derive(Debug, Default)]
pub struct Recorder {
    asked: Mutex<Vec<Recorded>>,
    replies: Mutex<HashMap<String, Vec<Reply>>>,
}

impl Recorder {
    /// A host without prepared replies.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a value as reply for an action kind.
    #[must_use]
    pub fn with_reply(self, kind: &str, value: Value) -> Self {
        self.replying(kind, Ok(value))
    }

    /// Adds a failure as reply for an action kind.
    #[must_use]
    pub fn failing(self, kind: &str, why: &str) -> Self {
        self.replying(kind, Err(ActionFailure::failed(why)))
    }

    fn replying(self, kind: &str, reply: Reply) -> Self {
        locked(&self.replies).entry(kind.to_owned()).or_default().push(reply);
        self
    }

    /// The recorded calls, in order.
    #[must_use]
    pub fn asked(&self) -> Vec<Recorded> {
        locked(&self.asked).clone()
    }

    fn note(&self, hook: &str, kind: &str, params: Map<String, Value>) {
        locked(&self.asked).push(Recorded { hook: hook.to_owned(), kind: kind.to_owned(), params });
    }
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Host for Recorder {
    fn perform(&self, action: &Action, context: &EventContext<'_>) -> Result<Outcome, ActionFailure> {
        self.note(&context.hook.label, action.kind(), action.parameters());
        let mut replies = locked(&self.replies);
        let reply = match replies.get_mut(action.kind()) {
            Some(replies) if replies.len() > 1 => replies.remove(0),
            Some(replies) => replies.first().cloned().unwrap_or(Ok(Value::Null)),
            None => Err(ActionFailure::unsupported(action)),
        };
        reply.map(Outcome::Value)
    }

    fn invoked(&self, _: &Action, context: &EventContext<'_>, caller: &str, reply: Result<&Value, &str>) {
        let mut params = Map::new();
        params.insert("caller".to_owned(), caller.into());
        let (name, value) = match reply {
            Ok(value) => ("reply", value.clone()),
            Err(why) => ("error", why.into()),
        };
        params.insert(name.to_owned(), value);
        self.note(&context.hook.label, "invoked", params);
    }

    fn log(&self, level: LogLevel, message: &str, fields: Option<&Map<String, Value>>) {
        let mut params = fields.cloned().unwrap_or_default();
        params.insert("level".to_owned(), level.as_str().into());
        params.insert("message".to_owned(), message.into());
        self.note("", "log", params);
    }
}
