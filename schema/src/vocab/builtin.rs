//! The shipped vocabulary, from the data files in `schema/data/`.
//!
//! A data file is a JSON object with the sections that a policy can declare (`events`, `operators`,
//! `combinators`, `action_types`, `return_schema`). Next to `events` it has their `family` and the
//! schema that they have in `common`. `tools-agent.json` has other sections (`tools.rs`).

use std::sync::{Arc, OnceLock};

use super::{Vocabulary, load, tools};
use crate::diag::Diagnostic;
use crate::span::{Span, Spanned};
use crate::tree::{Declarations, Family};
use crate::value::{Kind, Member, Number, Text, Value};

const FILES: &[&str] = &[
    include_str!("../../data/events-thread.json"),
    include_str!("../../data/events-agent.json"),
    include_str!("../../data/events-repository.json"),
    include_str!("../../data/events-skill.json"),
    include_str!("../../data/events-workflow.json"),
    include_str!("../../data/operators.json"),
    include_str!("../../data/actions-thread.json"),
    include_str!("../../data/actions-tool.json"),
    RETURNS,
];

/// The shipped section `return_schema` as JSON, for programs that validate with it.
pub const RETURNS: &str = include_str!("../../data/return.json");

/// The one copy.
pub(super) fn shared() -> Arc<Vocabulary> {
    static BUILTIN: OnceLock<Arc<Vocabulary>> = OnceLock::new();
    Arc::clone(BUILTIN.get_or_init(|| Arc::new(load(&mut Vec::new()))))
}

/// Loads it; a test sees to it that nothing is reported.
fn load(out: &mut Vec<Diagnostic>) -> Vocabulary {
    let mut all = Vocabulary::default();
    for text in FILES {
        file(&mut all, &data(text), out);
    }
    tools::load(&mut all, &data(tools::FILE), out);
    all
}

/// The value of a file of the data.
pub(super) fn data(text: &str) -> Value {
    value(serde_json::from_str::<serde_json::Value>(text).unwrap_or_default())
}

fn file(all: &mut Vocabulary, data: &Value, out: &mut Vec<Diagnostic>) {
    let family = data.get("family").and_then(Value::as_str).and_then(Family::from_name);
    let family = family.unwrap_or(Family::Thread);
    if let Some(common) = data.get("common") {
        all.common.insert(family, load::field(common, out));
    }
    let section = |name: &str| data.get(name).cloned();
    let own = Declarations {
        events: None,
        operators: section("operators"),
        combinators: section("combinators"),
        action_types: section("action_types"),
        event_context_schema: None,
        return_schema: section("return_schema"),
        wrappers: None,
    };
    load::builtin(all, &own, data.get("events"), family, out);
}

/// JSON as a value without spans.
fn value(json: serde_json::Value) -> Value {
    use serde_json::Value as Json;
    let member = |(key, inner)| Member { key: Spanned::new(key, Span::default()), value: value(inner) };
    let kind = match json {
        Json::Null => Kind::Null,
        Json::Bool(inner) => Kind::Bool(inner),
        Json::Number(inner) => Kind::Num(Number(inner.to_string())),
        Json::String(inner) => Kind::Str(Text::plain(inner)),
        Json::Array(inner) => Kind::Seq(inner.into_iter().map(value).collect()),
        Json::Object(inner) => Kind::Map(inner.into_iter().map(member).collect()),
    };
    Value::new(kind, Span::default())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_data_is_consistent() {
        let mut out = Vec::new();
        let all = load(&mut out);
        assert_eq!(out, [], "the data has no diagnostics");
        for text in FILES.iter().chain([&tools::FILE]) {
            serde_json::from_str::<serde_json::Value>(text).unwrap();
        }
        assert_eq!(all.common.len(), 5);
        assert_eq!(all.combinators.len(), 5);
        assert!(all.returns.is_some());
    }
}
