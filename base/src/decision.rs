//! A decision as JSON: one text, whichever crate or binding writes it.

use std::error::Error;
use std::fmt::Write;

use crate::json::push_string;
use crate::text::with_causes;
use crate::{Family, Layer, Mode, OnError, OnFailure, Strategy};

/// The error of a matched hook whose action is not available; its cause follows it.
pub const ACTION_NOT_RENDERED: &str = "the action cannot be rendered";

/// Writes a decision: the event's type, then the hooks that decide, then those that are reported.
#[derive(Debug)]
#[must_use = "`end` closes the object"]
pub struct DecisionWriter<'o> {
    out: &'o mut String,
    separator: &'static str,
}

/// A matched hook, as a decision in JSON has it.
#[derive(Debug)]
#[allow(clippy::exhaustive_structs, reason = "the callers are crates of this workspace")]
pub struct HookFields<'a> {
    /// Its id or label; `rank N` without one.
    pub id: Option<&'a str>,
    /// Its position among the hooks of its event type, from 0.
    pub rank: u32,
    /// Whether it decides, warns, or is only logged.
    pub mode: Mode,
    /// Its layer, if the module has it.
    pub layer: Option<Layer>,
    /// File, line and column of its source, if the module has them.
    pub location: Option<(&'a str, u32, u32)>,
    /// How an error of its action is handled, if declared.
    pub on_error: Option<OnError>,
    /// Its failure mode, if declared.
    pub on_failure: Option<OnFailure>,
    /// Its action as compact JSON, which is copied unchanged, or why it cannot be rendered.
    pub action: Result<&'a str, &'a dyn Error>,
}

impl<'o> DecisionWriter<'o> {
    /// Starts an object at the end of `out`.
    pub fn start(event: &str, family: Option<Family>, strategy: Strategy, out: &'o mut String) -> Self {
        out.push_str("{\"event\":");
        push_string(event, out);
        push_name(",\"family\":", family.map(Family::name), out);
        push_name(",\"strategy\":", Some(strategy.name()), out);
        out.push_str(",\"hooks\":[");
        Self { out, separator: "" }
    }

    /// Adds a hook: one that decides, or after [`reported`](Self::reported) one that is reported.
    pub fn hook(&mut self, hook: &HookFields<'_>) {
        self.out.push_str(self.separator);
        self.separator = ",";
        hook.push(self.out);
    }

    /// Ends the hooks that decide.
    pub fn reported(&mut self) {
        self.out.push_str("],\"reported\":[");
        self.separator = "";
    }

    /// Ends the decision.
    pub fn end(self) {
        self.out.push_str("]}");
    }
}

impl HookFields<'_> {
    fn push(&self, out: &mut String) {
        out.push_str("{\"id\":");
        match self.id {
            Some(id) => push_string(id, out),
            None => drop(write!(out, "\"rank {}\"", self.rank)),
        }
        let _ = write!(out, ",\"rank\":{}", self.rank);
        push_name(",\"mode\":", Some(self.mode.name()), out);
        push_name(",\"layer\":", self.layer.map(Layer::name), out);
        match self.location {
            Some((file, line, column)) => {
                out.push_str(",\"location\":{\"file\":");
                push_string(file, out);
                let _ = write!(out, ",\"line\":{line},\"column\":{column}}}");
            }
            None => out.push_str(",\"location\":null"),
        }
        push_name(",\"on_error\":", self.on_error.map(OnError::name), out);
        push_name(",\"on_failure\":", self.on_failure.map(OnFailure::name), out);
        match self.action {
            Ok(action) => {
                let _ = write!(out, ",\"action\":{action},\"error\":null");
            }
            Err(error) => {
                out.push_str(",\"action\":null,\"error\":");
                push_string(&format!("{ACTION_NOT_RENDERED}: {}", with_causes(error)), out);
            }
        }
        out.push('}');
    }
}

fn push_name(key: &str, name: Option<&str>, out: &mut String) {
    out.push_str(key);
    match name {
        Some(name) => push_string(name, out),
        None => out.push_str("null"),
    }
}
