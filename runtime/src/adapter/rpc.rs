//! Events in messages of JSON-RPC: what a line asks for, and the line that answers it.
//!
//! Methods, members and codes are data ([`Rpc`]). A request that is wrong gets an error, which the sender handles like a
//! guard that failed; a notification is never answered.

use std::fmt::Display;

use hookc_schema::agents::{Method, Rpc};
use serde_json::value::RawValue;
use serde_json::{Value, json};

use super::members::Members;
use super::read::value_at;
use super::{Answer, capped};
use crate::escaped::decoded;

/// The codes of JSON-RPC.
const PARSE: i32 = -32700;
const REQUEST: i32 = -32600;
const METHOD: i32 = -32601;
const PARAMS: i32 = -32602;

/// What a line asks for.
#[derive(Debug)]
pub enum Message {
    /// A decision about an event.
    Intercept(Vec<u8>, Request),
    /// Nothing: an event that is over, or that nobody waits for.
    Observe(Vec<u8>),
    /// Nothing that can be done: the line that says why.
    Rejected(String),
    /// A notification that is wrong, and why.
    Ignored(String),
}

/// A request for a decision.
#[derive(Debug)]
pub struct Request {
    rpc: &'static Rpc,
    id: String,
    /// Whether the sender can deny the event.
    can_deny: bool,
}

/// Why a message is wrong.
struct Fault {
    code: i32,
    why: String,
}

impl Fault {
    fn new(code: i32, why: impl Display) -> Self {
        Self { code, why: why.to_string() }
    }
}

impl Request {
    /// The line with an answer. A denial that the sender cannot enforce is an error.
    #[must_use]
    pub fn response(&self, answer: &Answer) -> String {
        let effect = answer.stdout.to_string();
        let effect = effect.trim();
        if effect.is_empty() && answer.code > 1 {
            return self.failure(answer.stderr.trim());
        }
        if !effect.is_empty() && !self.can_deny {
            return self
                .failure("the policy denies the event, and the request does not offer the effect `deny`");
        }
        let version = Value::from(self.rpc.version.as_str());
        let id = &self.id;
        format!(
            r#"{{"jsonrpc":"2.0","id":{id},"result":{{"protocolVersion":{version},"effects":[{effect}]}}}}"#
        )
    }

    /// The line if nothing was decided.
    #[must_use]
    pub fn failure(&self, why: &str) -> String {
        error(self.rpc, &self.id, &Fault::new(self.rpc.errors.internal, why))
    }
}

/// The line with an error.
fn error(rpc: &Rpc, id: &str, fault: &Fault) -> String {
    let (code, message) = (fault.code, capped(&fault.why));
    let error = match code == rpc.errors.version {
        true => json!({"code": code, "message": message, "data": {"supported": [rpc.version]}}),
        false => json!({"code": code, "message": message}),
    };
    format!(r#"{{"jsonrpc":"2.0","id":{id},"error":{error}}}"#)
}

/// The error for a line that is longer than `most` bytes.
#[must_use]
pub fn too_long(rpc: &Rpc, most: usize) -> String {
    error(rpc, "null", &Fault::new(REQUEST, format!("the message is longer than {most} bytes")))
}

/// What a line asks for.
#[must_use]
pub fn read(rpc: &'static Rpc, line: &[u8]) -> Message {
    let rejected = |code, why: &dyn Display| Message::Rejected(error(rpc, "null", &Fault::new(code, why)));
    if let Err(error) = serde_json::from_slice::<&RawValue>(line) {
        return rejected(PARSE, &format!("the message is not JSON: {error}"));
    }
    match Members::read_as(line, "the message") {
        Ok(members) => Sent { rpc, members }.message(),
        Err(error) => rejected(REQUEST, &error),
    }
}

/// A message that is an object.
struct Sent<'m> {
    rpc: &'static Rpc,
    members: Members<'m>,
}

impl Sent<'_> {
    fn message(&self) -> Message {
        self.checked().unwrap_or_else(|fault| match (self.members.has("id"), self.id()) {
            (false, _) => Message::Ignored(fault.why),
            (true, id) => Message::Rejected(error(self.rpc, id.unwrap_or("null"), &fault)),
        })
    }

    /// The identifier of a request, as written.
    fn id(&self) -> Option<&str> {
        let raw = self.members.get("id")?.get();
        let is_integer = || serde_json::from_str::<Value>(raw).is_ok_and(|id| id.is_i64() || id.is_u64());
        (decoded(raw).is_some_and(|id| !id.is_empty()) || is_integer()).then_some(raw)
    }

    fn checked(&self) -> Result<Message, Fault> {
        let text = |name| self.members.text(name);
        if text("jsonrpc").as_deref() != Some("2.0") {
            return Err(Fault::new(REQUEST, "the message has no `\"jsonrpc\": \"2.0\"`"));
        }
        let is_request = self.members.has("id");
        if is_request && self.id().is_none() {
            return Err(Fault::new(REQUEST, "`id` is neither a text nor an integer"));
        }
        let name = text("method").ok_or_else(|| Fault::new(REQUEST, "the message has no `method`"))?;
        let method = self.method(&name)?;
        let params = object(&self.members, "params", REQUEST)?;
        self.check_version(&params)?;
        let is_intercept = name == self.rpc.intercept.name;
        match (is_intercept, is_request) {
            (true, false) => return Err(Fault::new(REQUEST, format!("`{name}` has no `id`"))),
            (false, true) => {
                return Err(Fault::new(REQUEST, format!("`{name}` has an `id`, and is not answered")));
            }
            _ => {}
        }
        let event = object(&params, "event", PARAMS)?;
        check_event(self.rpc, method, &event)?;
        if is_intercept && text("id") != event.text("id") {
            return Err(Fault::new(REQUEST, "`id` is not that of the event"));
        }
        let bytes = params.get("event").map(|event| event.get().as_bytes().to_vec()).unwrap_or_default();
        if !is_intercept {
            return Ok(Message::Observe(bytes));
        }
        let effects = object(&params, "capabilities", PARAMS)?;
        let effects =
            effects.get("effects").map(|effects| serde_json::from_str::<Vec<&RawValue>>(effects.get()));
        let Some(Ok(effects)) = effects else {
            return Err(Fault::new(PARAMS, "`capabilities.effects` is not a list"));
        };
        let can_deny = effects.iter().any(|effect| decoded(effect.get()).as_deref() == Some("deny"));
        let id = self.id().unwrap_or("null").to_owned();
        Ok(Message::Intercept(bytes, Request { rpc: self.rpc, id, can_deny }))
    }

    fn method(&self, name: &str) -> Result<&'static Method, Fault> {
        let Rpc { intercept, observe, .. } = self.rpc;
        let found = [intercept, observe].into_iter().find(|method| method.name == name);
        found.ok_or_else(|| {
            let known = format!("the methods are `{}` and `{}`", intercept.name, observe.name);
            Fault::new(METHOD, format!("there is no method `{}`: {known}", capped(name)))
        })
    }

    fn check_version(&self, params: &Members<'_>) -> Result<(), Fault> {
        let Rpc { version, release, errors, .. } = self.rpc;
        let sent = params.get("protocolVersion").map(RawValue::get);
        if sent.and_then(decoded).as_ref() == Some(version) {
            return Ok(());
        }
        let sent = sent.map_or("missing", capped);
        Err(Fault::new(
            errors.version,
            format!(
                "`protocolVersion` is {sent}: hookc has the version \"{version}\" of the release {release} alone"
            ),
        ))
    }
}

/// A member that is an object.
fn object<'m>(members: &'m Members<'_>, name: &str, code: i32) -> Result<Members<'m>, Fault> {
    let raw = members.get(name).map(RawValue::get).filter(|raw| raw.starts_with('{'));
    let raw = raw.ok_or_else(|| Fault::new(code, format!("`{name}` is not an object")))?;
    Members::read_as(raw.as_bytes(), name).map_err(|error| Fault::new(code, error))
}

/// Checks that an event is one of a method and has what it must have.
fn check_event(rpc: &Rpc, method: &Method, event: &Members<'_>) -> Result<(), Fault> {
    let kind = event.text("type").unwrap_or_default();
    if !method.events.contains(&kind) {
        let events = method.events.join("`, `");
        let why = format!("`{}` has no event `{}`: its events are `{events}`", method.name, capped(&kind));
        return Err(Fault::new(rpc.errors.event, why));
    }
    let text = |path: &String| value_at(event, path).and_then(|value| decoded(value.get()));
    let invalid = |path: &str, what: &str| Err(Fault::new(PARAMS, format!("`{path}` of the event {what}")));
    for path in &method.texts {
        if text(path).is_none_or(|text| text.is_empty()) {
            return invalid(path, "is not a text");
        }
    }
    for path in &method.objects {
        if !value_at(event, path).is_some_and(|value| value.get().starts_with('{')) {
            return invalid(path, "is not an object");
        }
    }
    for (path, values) in &method.values {
        if text(path).is_some_and(|text| !values.contains(&text)) {
            return invalid(path, &format!("is not one of `{}`", values.join("`, `")));
        }
    }
    Ok(())
}
