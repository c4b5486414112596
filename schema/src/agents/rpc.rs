//! Messages of JSON-RPC that contain events.

use serde::Deserialize;

use super::load;

/// How the events of a program reach `hookc run` if each is in a message of JSON-RPC, one in a line.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct Rpc {
    /// The only version of messages, as they have it.
    pub version: String,
    /// The release of the protocol with this version.
    pub release: String,
    /// Requests, which ask for a decision.
    pub intercept: Method,
    /// Notifications, which are not answered.
    pub observe: Method,
    /// The codes of errors that JSON-RPC does not have.
    pub errors: RpcErrors,
}

/// A method, and what its events have.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct Method {
    /// Its name.
    #[serde(rename = "method")]
    pub name: String,
    /// The types of its events.
    pub events: Vec<String>,
    /// Paths of texts that an event has.
    pub texts: Vec<String>,
    /// Paths of objects that an event has.
    #[serde(default)]
    pub objects: Vec<String>,
    /// Paths of texts, and the only values of each.
    #[serde(default, deserialize_with = "load::pairs")]
    pub values: Vec<(String, Vec<String>)>,
}

/// Codes of errors.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct RpcErrors {
    /// The version of the message is another one.
    pub version: i32,
    /// The method has no events of this type.
    pub event: i32,
    /// The event was not decided, or its decision cannot be said.
    pub internal: i32,
}
