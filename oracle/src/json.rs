//! JSON with exact numbers and every member as written, read incrementally with serde_json so that
//! numbers stay text.

use std::fmt::{self, Write};

use hookc_schema::value::{Kind, Value};
use serde::de::{Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;

use crate::decimal::Decimal;

/// A JSON value.
#[derive(Clone, Debug)]
pub enum Json {
    /// `null`
    Null,
    /// `true`, `false`
    Bool(bool),
    /// A number.
    Num(Number),
    /// A string.
    Str(String),
    /// An array.
    Arr(Vec<Json>),
    /// An object, members as written, duplicates and all.
    Obj(Vec<(String, Json)>),
}

/// An exact number.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Number(pub(crate) Decimal);

/// Why the oracle rejects an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// Not JSON, not UTF-8, not an object, too deep, a lone surrogate, an
    /// exponent beyond the limit.
    Malformed,
    /// A key twice on a read path.
    Duplicate,
    /// No type was named.
    NoType,
}

/// Deepest nesting, the root being 1.
const DEPTH: usize = 128;

impl Json {
    /// Reads a JSON text.
    ///
    /// # Errors
    /// [`Refusal::Malformed`]
    pub fn parse(bytes: &[u8]) -> Result<Self, Refusal> {
        let text = std::str::from_utf8(bytes).map_err(|_| Refusal::Malformed)?;
        let raw: &RawValue = serde_json::from_str(text).map_err(|_| Refusal::Malformed)?;
        Self::read(raw.get(), 1)
    }

    fn read(text: &str, depth: usize) -> Result<Self, Refusal> {
        let bad = |_| Refusal::Malformed;
        match text.as_bytes().first() {
            Some(b'{' | b'[') if depth > DEPTH => Err(Refusal::Malformed),
            Some(b'{') => {
                let mut reader = serde_json::Deserializer::from_str(text);
                let members = reader.deserialize_map(Members).map_err(bad)?;
                let read = |(key, raw): (String, Box<RawValue>)| Ok((key, Self::read(raw.get(), depth + 1)?));
                Ok(Self::Obj(members.into_iter().map(read).collect::<Result<_, _>>()?))
            }
            Some(b'[') => {
                let items: Vec<&RawValue> = serde_json::from_str(text).map_err(bad)?;
                Ok(Self::Arr(
                    items.iter().map(|raw| Self::read(raw.get(), depth + 1)).collect::<Result<_, _>>()?,
                ))
            }
            Some(b'"') => serde_json::from_str(text).map(Self::Str).map_err(bad),
            Some(b't') => Ok(Self::Bool(true)),
            Some(b'f') => Ok(Self::Bool(false)),
            Some(b'n') => Ok(Self::Null),
            _ => Decimal::parse(text).map(|d| Self::Num(Number(d))).ok_or(Refusal::Malformed),
        }
    }

    /// Reads a value of a source, whose numbers are within the limits.
    #[must_use]
    pub fn from_value(value: &Value) -> Self {
        match &value.kind {
            Kind::Null => Self::Null,
            Kind::Bool(truth) => Self::Bool(*truth),
            Kind::Num(number) => Decimal::parse(&number.0).map_or(Self::Null, |d| Self::Num(Number(d))),
            Kind::Str(text) => Self::Str(text.value.clone()),
            Kind::Seq(items) => Self::Arr(items.iter().map(Self::from_value).collect()),
            Kind::Map(members) => {
                Self::Obj(members.iter().map(|m| (m.key.node.clone(), Self::from_value(&m.value))).collect())
            }
        }
    }

    /// Deep equality; objects by member in any order.
    #[must_use]
    pub fn same(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Null, Self::Null) => true,
            (Self::Bool(a), Self::Bool(b)) => a == b,
            (Self::Num(a), Self::Num(b)) => a == b,
            (Self::Str(a), Self::Str(b)) => a == b,
            (Self::Arr(a), Self::Arr(b)) => a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a.same(b)),
            (Self::Obj(a), Self::Obj(b)) => {
                let has = |(key, value): &(String, Self)| b.iter().any(|(k, v)| k == key && value.same(v));
                a.len() == b.len() && a.iter().all(has)
            }
            _ => false,
        }
    }

    /// The text of a string, number or boolean.
    pub(crate) fn text(&self) -> Option<String> {
        match self {
            Self::Str(text) => Some(text.clone()),
            Self::Num(number) => Some(number.0.text()),
            Self::Bool(truth) => Some(truth.to_string()),
            _ => None,
        }
    }

    /// Whether some object in it has a duplicate key.
    pub(crate) fn has_duplicates(&self) -> bool {
        match self {
            Self::Arr(items) => items.iter().any(Self::has_duplicates),
            Self::Obj(members) => {
                let twice =
                    |(n, (key, _)): (usize, &(String, Self))| members.iter().take(n).any(|(k, _)| k == key);
                members.iter().enumerate().any(twice) || members.iter().any(|(_, v)| v.has_duplicates())
            }
            _ => false,
        }
    }

    /// Compact JSON: members in RFC 8785 order, numbers by their text.
    #[must_use]
    pub fn canonical(&self) -> String {
        match self {
            Self::Null => "null".to_owned(),
            Self::Bool(_) | Self::Num(_) => self.text().unwrap_or_default(),
            Self::Str(text) => quote(text),
            Self::Arr(items) => {
                let items: Vec<_> = items.iter().map(Self::canonical).collect();
                format!("[{}]", items.join(","))
            }
            Self::Obj(members) => {
                let mut members: Vec<_> = members.iter().collect();
                members.sort_by(|(a, _), (b, _)| a.encode_utf16().cmp(b.encode_utf16()));
                let members: Vec<_> = members
                    .iter()
                    .map(|(key, value)| format!("{}:{}", quote(key), value.canonical()))
                    .collect();
                format!("{{{}}}", members.join(","))
            }
        }
    }
}

fn quote(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        let _ = match c {
            '"' => out.write_str("\\\""),
            '\\' => out.write_str("\\\\"),
            '\u{8}' => out.write_str("\\b"),
            '\u{c}' => out.write_str("\\f"),
            '\n' => out.write_str("\\n"),
            '\r' => out.write_str("\\r"),
            '\t' => out.write_str("\\t"),
            c if c < ' ' => write!(out, "\\u{:04x}", u32::from(c)),
            c => out.write_char(c),
        };
    }
    out.push('"');
    out
}

struct Members;

impl<'de> Visitor<'de> for Members {
    type Value = Vec<(String, Box<RawValue>)>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut members = Vec::new();
        while let Some(member) = map.next_entry()? {
            members.push(member);
        }
        Ok(members)
    }
}
