//! A host for tests: writes down what it is asked, and answers as told.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use serde_json::{Map, Value};

use super::{Call, Host, HostError, Reply, unsupported};

/// One thing that a host was asked.
#[derive(Clone, Debug, PartialEq)]
pub struct Recorded {
    /// The hook's label.
    pub hook: String,
    /// The kind of the action, or `log`.
    pub kind: String,
    /// The parameters.
    pub params: Map<String, Value>,
}

/// A host that writes down every request. It can do the kinds that it has a
/// reply for, each time with the next reply; the last one stays.
#[derive(Debug, Default)]
pub struct Recorder {
    asked: Mutex<Vec<Recorded>>,
    replies: Mutex<HashMap<String, Vec<Reply>>>,
}

impl Recorder {
    /// A host that can do nothing yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a reply for an action kind.
    #[must_use]
    pub fn replying(self, kind: &str, reply: Reply) -> Self {
        locked(&self.replies).entry(kind.to_owned()).or_default().push(reply);
        self
    }

    /// Adds a value as reply for an action kind.
    #[must_use]
    pub fn giving(self, kind: &str, value: Value) -> Self {
        self.replying(kind, Ok(value))
    }

    /// Adds a failure as reply for an action kind.
    #[must_use]
    pub fn failing(self, kind: &str, why: &str) -> Self {
        self.replying(kind, Err(HostError::Failed(why.to_owned())))
    }

    /// What was asked so far, in order.
    #[must_use]
    pub fn asked(&self) -> Vec<Recorded> {
        locked(&self.asked).clone()
    }

    fn note(&self, hook: &str, kind: &str, params: Map<String, Value>) {
        locked(&self.asked).push(Recorded { hook: hook.to_owned(), kind: kind.to_owned(), params });
    }

    fn answer(&self, call: &Call<'_>) -> Reply {
        self.note(&call.hook.label, &call.action.kind, call.action.params.clone());
        let mut all = locked(&self.replies);
        match all.get_mut(&call.action.kind) {
            Some(replies) if replies.len() > 1 => replies.remove(0),
            Some(replies) => replies.first().cloned().unwrap_or(Ok(Value::Null)),
            None => unsupported(call),
        }
    }
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Host for Recorder {
    fn prompt(&self, call: &Call<'_>) -> Reply {
        self.answer(call)
    }
    fn agent(&self, call: &Call<'_>) -> Reply {
        self.answer(call)
    }
    fn http(&self, call: &Call<'_>) -> Reply {
        self.answer(call)
    }
    fn mcp_tool(&self, call: &Call<'_>) -> Reply {
        self.answer(call)
    }
    fn script(&self, call: &Call<'_>) -> Reply {
        self.answer(call)
    }
    fn invoke(&self, call: &Call<'_>) -> Reply {
        self.answer(call)
    }
    fn call_directive(&self, call: &Call<'_>) -> Reply {
        self.answer(call)
    }
    fn emit_event(&self, call: &Call<'_>) -> Reply {
        self.answer(call)
    }
    fn escalate(&self, call: &Call<'_>) -> Reply {
        self.answer(call)
    }
    fn suspend(&self, call: &Call<'_>) -> Reply {
        self.answer(call)
    }
    fn retry(&self, call: &Call<'_>) -> Reply {
        self.answer(call)
    }
    fn conclude(&self, call: &Call<'_>) -> Reply {
        self.answer(call).or(Ok(Value::Null))
    }
    fn other(&self, call: &Call<'_>) -> Reply {
        self.answer(call)
    }
    fn invoked(&self, call: &Call<'_>, caller: &str, reply: Result<&Value, &str>) {
        let mut params = Map::new();
        params.insert("caller".to_owned(), caller.into());
        let (name, value) = match reply {
            Ok(value) => ("reply", value.clone()),
            Err(why) => ("error", why.into()),
        };
        params.insert(name.to_owned(), value);
        self.note(&call.hook.label, "invoked", params);
    }
    fn log(&self, level: &str, message: &str, fields: Option<&Map<String, Value>>) {
        let mut params = fields.cloned().unwrap_or_default();
        params.insert("level".to_owned(), level.into());
        params.insert("message".to_owned(), message.into());
        self.note("", "log", params);
    }
}
