//! The shipped vocabulary, from the data files in `schema/data/`.
//!
//! A data file is a JSON object with the sections that a policy can declare (`events`, `operators`,
//! `combinators`, `action_types`, `return_schema`). Next to `events` it has their `family` and the
//! schema that they have in `common`. `tools-agent.json` has other sections (`tools.rs`).

use std::fmt;
use std::sync::{Arc, OnceLock};

use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};

use super::{Vocabulary, load, tools};
use crate::diag::Diagnostics;
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
    Arc::clone(BUILTIN.get_or_init(|| Arc::new(load(&mut Diagnostics::new()))))
}

/// Loads it; a test sees to it that nothing is reported.
fn load(out: &mut Diagnostics) -> Vocabulary {
    let mut vocabulary = Vocabulary::default();
    for text in FILES {
        file(&mut vocabulary, &data(text), out);
    }
    tools::load(&mut vocabulary, &data(tools::FILE), out);
    vocabulary
}

/// The value of a file of the data.
pub(super) fn data(text: &str) -> Value {
    serde_json::from_str::<Data>(text).unwrap_or_default().0
}

/// JSON as a value without spans, read without a tree in between: every compilation starts with it.
#[derive(Debug)]
pub(super) struct Data(pub(super) Value);

impl Default for Data {
    fn default() -> Self {
        Self::new(Kind::Null)
    }
}

impl Data {
    fn new(kind: Kind) -> Self {
        Self(Value::new(kind, Span::default()))
    }
}

impl<'de> Deserialize<'de> for Data {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        from.deserialize_any(Reader)
    }
}

struct Reader;

impl<'de> Visitor<'de> for Reader {
    type Value = Data;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value")
    }

    fn visit_unit<E>(self) -> Result<Data, E> {
        Ok(Data::default())
    }

    fn visit_bool<E>(self, inner: bool) -> Result<Data, E> {
        Ok(Data::new(Kind::Bool(inner)))
    }

    fn visit_i64<E>(self, inner: i64) -> Result<Data, E> {
        Ok(Data::new(Kind::Num(Number(inner.to_string()))))
    }

    fn visit_u64<E>(self, inner: u64) -> Result<Data, E> {
        Ok(Data::new(Kind::Num(Number(inner.to_string()))))
    }

    fn visit_f64<E>(self, inner: f64) -> Result<Data, E> {
        Ok(Data::new(Kind::Num(Number(serde_json::Value::from(inner).to_string()))))
    }

    fn visit_str<E>(self, inner: &str) -> Result<Data, E> {
        Ok(Data::new(Kind::Str(Text::plain(inner.to_owned()))))
    }

    fn visit_string<E>(self, inner: String) -> Result<Data, E> {
        Ok(Data::new(Kind::Str(Text::plain(inner))))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Data, A::Error> {
        let mut values = Vec::new();
        while let Some(Data(value)) = seq.next_element()? {
            values.push(value);
        }
        Ok(Data::new(Kind::Seq(values)))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Data, A::Error> {
        let mut members = Vec::new();
        while let Some((key, Data(value))) = map.next_entry::<String, Data>()? {
            members.push(Member { key: Spanned::new(key, Span::default()), value });
        }
        Ok(Data::new(Kind::Map(members)))
    }
}

fn file(vocabulary: &mut Vocabulary, data: &Value, out: &mut Diagnostics) {
    let family = data.get("family").and_then(Value::as_str).and_then(Family::from_name);
    let family = family.unwrap_or(Family::Thread);
    if let Some(common) = data.get("common") {
        vocabulary.common.insert(family, load::field(common, out));
    }
    let section = |name: &str| data.get(name).cloned();
    let declarations = Declarations {
        operators: section("operators"),
        combinators: section("combinators"),
        action_types: section("action_types"),
        return_schema: section("return_schema"),
        ..Declarations::default()
    };
    load::builtin(vocabulary, &declarations, data.get("events"), family, out);
}

#[cfg(test)]
mod tests {
    use hookc_corpus::amount;

    use super::*;

    /// Each file, and numbers and nothing, as a tree of `serde_json` has them.
    #[test]
    fn values_are_those_of_the_files() {
        fn value(json: serde_json::Value) -> Value {
            use serde_json::Value as Json;
            let member =
                |(key, inner)| Member { key: Spanned::new(key, Span::default()), value: value(inner) };
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
        let json =
            r#"[null, true, -1, 18446744073709551615, 1.5, -0.0, 1e300, "\u00e9", {"a": {}, "b": []}]"#;
        let most = amount(usize::MAX, 2_000);
        let texts = FILES.iter().copied().chain([tools::FILE, json]);
        for text in texts.filter(|text| text.len() < most) {
            assert_eq!(
                format!("{:?}", data(text)),
                format!("{:?}", value(serde_json::from_str(text).unwrap()))
            );
        }
    }

    #[test]
    fn the_data_is_consistent() {
        let mut out = Diagnostics::new();
        let vocabulary = load(&mut out);
        assert!(out.is_empty(), "the data has diagnostics: {out:?}");
        for text in FILES.iter().chain([&tools::FILE]) {
            serde_json::from_str::<serde_json::Value>(text).unwrap();
        }
        assert_eq!(vocabulary.common.len(), 5);
        assert_eq!(vocabulary.combinators.len(), 5);
        assert!(vocabulary.returns.is_some());
    }
}
