//! A hand-tuned engine: rules by event type, paths resolved to positions, typed constants, hashed
//! lists, and no tree of the event: one pass of serde keeps the values that some rule reads.

use std::borrow::Cow;
use std::collections::HashSet;
use std::fmt;

use hookc_benches::rule::{Cond, Leaf};
use regex::Regex;
use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::Value;

use super::{Buckets, Engine, parse_all, said};
use crate::work::Work;

/// A value that was read.
#[derive(Default)]
enum Read<'e> {
    #[default]
    Absent,
    Null,
    Bool,
    Number(f64),
    Text(Cow<'e, str>),
    Other,
}

/// Nested names; a leaf has a position.
#[derive(Default)]
struct Trie {
    below: Vec<(String, Trie)>,
    place: Option<usize>,
}

impl Trie {
    fn place(&mut self, path: &str, next: &mut usize) -> usize {
        let node = path.split('.').fold(self, |node, name| {
            let at = node.below.iter().position(|(known, _)| known == name).unwrap_or_else(|| {
                node.below.push((name.to_owned(), Self::default()));
                node.below.len() - 1
            });
            &mut node.below[at].1
        });
        *node.place.get_or_insert_with(|| {
            *next += 1;
            *next - 1
        })
    }
}

impl Trie {
    /// Reads a parsed event: only the members that some rule reads are looked up.
    fn read<'e>(&self, value: &'e Value, reads: &mut [Read<'e>]) {
        if let Some(place) = self.place {
            reads[place] = match value {
                Value::Null => Read::Null,
                Value::Bool(_) => Read::Bool,
                Value::Number(number) => number.as_f64().map_or(Read::Other, Read::Number),
                Value::String(text) => Read::Text(Cow::Borrowed(text)),
                Value::Array(_) | Value::Object(_) => Read::Other,
            };
        }
        for (name, below) in &self.below {
            if let Some(value) = value.get(name) {
                below.read(value, reads);
            }
        }
    }
}

struct Fill<'t, 'r, 'e>(&'t Trie, &'r mut [Read<'e>]);

impl<'e> DeserializeSeed<'e> for Fill<'_, '_, 'e> {
    type Value = ();
    fn deserialize<D: Deserializer<'e>>(self, from: D) -> Result<(), D::Error> {
        from.deserialize_any(self)
    }
}

impl<'e> Fill<'_, '_, 'e> {
    fn put<E>(self, read: Read<'e>) -> Result<(), E> {
        if let Some(place) = self.0.place {
            self.1[place] = read;
        }
        Ok(())
    }
}

impl<'e> Visitor<'e> for Fill<'_, '_, 'e> {
    type Value = ();
    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JSON")
    }
    fn visit_unit<E>(self) -> Result<(), E> {
        self.put(Read::Null)
    }
    fn visit_bool<E>(self, _value: bool) -> Result<(), E> {
        self.put(Read::Bool)
    }
    fn visit_i64<E>(self, value: i64) -> Result<(), E> {
        self.put(Read::Number(value as f64))
    }
    fn visit_u64<E>(self, value: u64) -> Result<(), E> {
        self.put(Read::Number(value as f64))
    }
    fn visit_f64<E>(self, value: f64) -> Result<(), E> {
        self.put(Read::Number(value))
    }
    fn visit_borrowed_str<E>(self, value: &'e str) -> Result<(), E> {
        self.put(Read::Text(Cow::Borrowed(value)))
    }
    fn visit_str<E>(self, value: &str) -> Result<(), E> {
        self.put(Read::Text(Cow::Owned(value.to_owned())))
    }
    fn visit_seq<A: SeqAccess<'e>>(self, mut all: A) -> Result<(), A::Error> {
        while all.next_element::<IgnoredAny>()?.is_some() {}
        self.put(Read::Other)
    }
    fn visit_map<A: MapAccess<'e>>(self, mut all: A) -> Result<(), A::Error> {
        while let Some(name) = all.next_key::<Cow<'e, str>>()? {
            match self.0.below.iter().find(|(known, _)| *known == name) {
                Some((_, below)) => all.next_value_seed(Fill(below, self.1))?,
                None => drop(all.next_value::<IgnoredAny>()?),
            }
        }
        self.put(Read::Other)
    }
}

enum Test {
    All(Vec<Test>),
    Any(Vec<Test>),
    Not(Box<Test>),
    Is(usize, String),
    Number(usize, &'static str, f64),
    In(usize, HashSet<String>),
    Exists(usize),
    Contains(usize, String),
    Starts(usize, String),
    Ends(usize, String),
    Regex(usize, Regex),
}

struct Builder {
    trie: Trie,
    places: usize,
}

impl Builder {
    fn test(&mut self, cond: &Cond) -> Result<Test, String> {
        let all =
            |own: &mut Self, all: &[Cond]| all.iter().map(|one| own.test(one)).collect::<Result<Vec<_>, _>>();
        Ok(match cond {
            Cond::All(list) => Test::All(all(self, list)?),
            Cond::Any(list) => Test::Any(all(self, list)?),
            Cond::Not(inner) => Test::Not(Box::new(self.test(inner)?)),
            Cond::Leaf(leaf) => self.leaf(leaf)?,
        })
    }

    fn leaf(&mut self, leaf: &Leaf) -> Result<Test, String> {
        let at = self.trie.place(&leaf.path, &mut self.places);
        let text = || leaf.value.as_str().map(str::to_owned).ok_or("only text is compared");
        Ok(match leaf.op {
            "eq" => Test::Is(at, text()?),
            "ne" => Test::Not(Box::new(Test::Is(at, text()?))),
            "in" => {
                let all = leaf.value.as_array().into_iter().flatten();
                Test::In(at, all.filter_map(Value::as_str).map(str::to_owned).collect())
            }
            "exists" => Test::Exists(at),
            "contains" => Test::Contains(at, text()?),
            "starts_with" => Test::Starts(at, text()?),
            "ends_with" => Test::Ends(at, text()?),
            "regex" => Test::Regex(at, Regex::new(&text()?).map_err(said)?),
            op => Test::Number(at, op, leaf.value.as_f64().ok_or("only numbers are ordered")?),
        })
    }
}

impl Test {
    fn holds(&self, event: &[Read<'_>]) -> bool {
        let text = |at: &usize| match &event[*at] {
            Read::Text(text) => Some(text.as_ref()),
            _ => None,
        };
        match self {
            Self::All(all) => all.iter().all(|one| one.holds(event)),
            Self::Any(all) => all.iter().any(|one| one.holds(event)),
            Self::Not(inner) => !inner.holds(event),
            Self::Is(at, want) => text(at) == Some(want),
            Self::In(at, want) => text(at).is_some_and(|text| want.contains(text)),
            Self::Exists(at) => !matches!(event[*at], Read::Absent | Read::Null),
            Self::Contains(at, want) => text(at).is_some_and(|text| text.contains(want.as_str())),
            Self::Starts(at, want) => text(at).is_some_and(|text| text.starts_with(want.as_str())),
            Self::Ends(at, want) => text(at).is_some_and(|text| text.ends_with(want.as_str())),
            Self::Regex(at, want) => text(at).is_some_and(|text| want.is_match(text)),
            Self::Number(at, op, want) => match &event[*at] {
                Read::Number(number) => hookc_benches::tree::ordered(op, *number, *want),
                _ => false,
            },
        }
    }
}

struct Tuned {
    trie: Trie,
    places: usize,
    kind: usize,
    rules: Buckets<Test>,
    kept: Vec<Value>,
}

pub fn load(work: &Work) -> Result<Box<dyn Engine>, String> {
    let mut builder = Builder { trie: Trie::default(), places: 0 };
    let kind = builder.trie.place("event.type", &mut builder.places);
    let rules = Buckets::new(work, |rank| builder.test(&work.rule(rank).when))?;
    Ok(Box::new(Tuned { trie: builder.trie, places: builder.places, kind, rules, kept: Vec::new() }))
}

impl Engine for Tuned {
    fn decide(&mut self, event: &[u8]) -> Result<Option<u32>, String> {
        let mut reads = self.reads();
        let mut json = serde_json::Deserializer::from_slice(event);
        Fill(&self.trie, &mut reads).deserialize(&mut json).map_err(said)?;
        json.end().map_err(said)?;
        Ok(self.first(&reads))
    }

    fn keep(&mut self, events: &[String]) -> Result<bool, String> {
        self.kept = parse_all(events)?;
        Ok(true)
    }

    fn decide_kept(&mut self, event: usize) -> Result<Option<u32>, String> {
        let mut reads = self.reads();
        self.trie.read(&self.kept[event], &mut reads);
        Ok(self.first(&reads))
    }
}

impl Tuned {
    fn reads<'e>(&self) -> Vec<Read<'e>> {
        let mut reads = Vec::new();
        reads.resize_with(self.places, Read::default);
        reads
    }

    fn first(&self, event: &[Read<'_>]) -> Option<u32> {
        let Read::Text(kind) = &event[self.kind] else { return None };
        self.rules.of(kind).iter().find(|(_, test)| test.holds(event)).map(|(rank, _)| *rank)
    }
}
