//! A decision as JSON: one form, whichever crate, command or binding writes it. `hookc schema decision` describes it.

use std::error::Error;
use std::fmt::Write;

use crate::json::push_string;
use crate::text::with_causes;
use crate::{Family, Layer, Mode, OnError, OnFailure, Strategy};

/// Which of the optional members a decision has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(clippy::exhaustive_enums, reason = "the callers are crates of this workspace")]
pub enum Detail {
    /// Without `family`, `strategy`, `layer`, and `rank` next to an id: the lines of `hookc eval`.
    Short,
    /// All that are known: the decisions of the bindings.
    Full,
}

/// Writes a decision: the event's type, then the hooks that decide, then those that are reported.
#[derive(Debug)]
#[must_use = "`end` closes the object"]
pub struct DecisionWriter<'o> {
    out: &'o mut String,
    detail: Detail,
    separator: &'static str,
}

/// A matched hook, as a decision in JSON has it.
#[derive(Debug)]
#[allow(clippy::exhaustive_structs, reason = "the callers are crates of this workspace")]
pub struct HookFields<'a> {
    /// Its id or label, if the module has it.
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
    /// The kind of its action.
    pub kind: &'a str,
    /// Its action as compact JSON, which is copied unchanged, or why it cannot be rendered.
    pub action: Result<&'a str, &'a dyn Error>,
    /// Why its condition is unknown, if it is.
    pub cause: Option<&'a str>,
}

impl<'o> DecisionWriter<'o> {
    /// Starts an object at the end of `out`.
    pub fn start(event: &str, detail: Detail, out: &'o mut String) -> Self {
        out.push_str("{\"event\":");
        push_string(event, out);
        out.push_str(",\"decision\":[");
        Self { out, detail, separator: "" }
    }

    /// Adds a hook: one that decides, after [`reported`](Self::reported) one that is reported, and after
    /// [`unknown`](Self::unknown) one whose condition is unknown.
    pub fn hook(&mut self, hook: &HookFields<'_>) {
        self.out.push_str(self.separator);
        self.separator = ",";
        hook.push(self.detail, self.out);
    }

    /// Ends the hooks that decide. Without reported hooks, their list is left out.
    pub fn reported(&mut self) {
        self.separator = "],\"reported\":[";
    }

    /// Ends the reported hooks. Without hooks whose condition is unknown, their list is left out.
    pub fn unknown(&mut self) {
        self.separator = "],\"unknown\":[";
    }

    /// Ends the decision; `family` is the vocabulary of the event's type, if the policy has hooks for it.
    pub fn end(self, family: Option<Family>, strategy: Strategy) {
        self.out.push(']');
        if self.detail == Detail::Full {
            push_name("family", family.map(Family::name), self.out);
            push_name("strategy", Some(strategy.name()), self.out);
        }
        self.out.push('}');
    }
}

impl HookFields<'_> {
    /// Adds the hook as an object to the end of `out`.
    pub fn push(&self, detail: Detail, out: &mut String) {
        match self.id {
            Some(id) => {
                out.push_str("{\"hook\":");
                push_string(id, out);
            }
            None => drop(write!(out, "{{\"rank\":{}", self.rank)),
        }
        if let Some((file, line, column)) = self.location {
            push_name("source", Some(&format!("{file}:{line}:{column}")), out);
        }
        push_name("mode", Some(self.mode.name()), out);
        match self.action {
            Ok(action) => drop(write!(out, ",\"action\":{action}")),
            Err(error) => {
                out.push_str(",\"action\":{\"type\":");
                push_string(self.kind, out);
                out.push('}');
                push_name("action_error", Some(&with_causes(error)), out);
            }
        }
        push_name("cause", self.cause, out);
        push_name("on_error", self.on_error.map(OnError::name), out);
        push_name("on_failure", self.on_failure.map(OnFailure::name), out);
        if detail == Detail::Full {
            if self.id.is_some() {
                let _ = write!(out, ",\"rank\":{}", self.rank);
            }
            push_name("layer", self.layer.map(Layer::name), out);
        }
        out.push('}');
    }
}

/// Adds a member with a text; without a text, no member.
fn push_name(key: &str, text: Option<&str>, out: &mut String) {
    if let Some(text) = text {
        let _ = write!(out, ",\"{key}\":");
        push_string(text, out);
    }
}
