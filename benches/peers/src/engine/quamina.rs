//! `quamina`: automata over fields. A rule is one pattern per alternative; leaves on one path
//! become one list of the allowed values.

use std::collections::BTreeMap;

use hookc_benches::rule::Leaf;
use serde_json::{Map, Value, json};

use super::{Engine, said};
use crate::work::{Work, alternatives};

/// The allowed values of a field.
#[derive(Default)]
struct Field {
    allowed: Option<Vec<Value>>,
    refused: Vec<Value>,
    low: Option<(f64, bool)>,
    high: Option<(f64, bool)>,
    shape: Option<Value>,
    exists: Option<bool>,
}

impl Field {
    fn add(&mut self, leaf: &Leaf, wanted: bool) -> Result<(), String> {
        let value = &leaf.value;
        let number = value.as_f64().unwrap_or_default();
        match (leaf.op, wanted) {
            ("eq", true) | ("ne", false) => self.allow(vec![value.clone()]),
            ("eq", false) | ("ne", true) => self.refused.push(value.clone()),
            ("in", true) => self.allow(value.as_array().cloned().unwrap_or_default()),
            ("in", false) => self.refused.extend(value.as_array().into_iter().flatten().cloned()),
            ("exists", wanted) => self.exists = Some(wanted),
            ("gt", true) | ("lte", false) => self.above(number, false),
            ("gte", true) | ("lt", false) => self.above(number, true),
            ("lt", true) | ("gte", false) => self.below(number, false),
            ("lte", true) | ("gt", false) => self.below(number, true),
            (op, true) => {
                let text = value.as_str().unwrap_or_default();
                let shape = match op {
                    "starts_with" => json!({"prefix": text}),
                    "ends_with" => json!({"suffix": text}),
                    _ => json!({"wildcard": format!("*{text}*")}),
                };
                if self.shape.replace(shape).is_some() {
                    return Err("two pieces of one text".to_owned());
                }
            }
            (op, false) => return Err(format!("no negated {op}")),
        }
        Ok(())
    }

    fn allow(&mut self, values: Vec<Value>) {
        self.allowed = Some(match self.allowed.take() {
            Some(before) => before.into_iter().filter(|one| values.contains(one)).collect(),
            None => values,
        });
    }

    fn above(&mut self, number: f64, equal: bool) {
        if self.low.is_none_or(|(low, _)| low <= number) {
            self.low = Some((number, equal));
        }
    }

    fn below(&mut self, number: f64, equal: bool) {
        if self.high.is_none_or(|(high, _)| high >= number) {
            self.high = Some((number, equal));
        }
    }

    /// `None`: must be absent.
    fn pattern(self) -> Option<Vec<Value>> {
        if let Some(allowed) = self.allowed {
            let left: Vec<Value> = allowed.into_iter().filter(|one| !self.refused.contains(one)).collect();
            return (!left.is_empty() && self.exists != Some(false)).then_some(left);
        }
        if let Some(shape) = self.shape {
            return Some(vec![shape]);
        }
        if self.low.is_some() || self.high.is_some() {
            if let (Some((low, with)), Some((high, too))) = (self.low, self.high)
                && (low > high || (low == high && !(with && too)))
            {
                return None;
            }
            let mut bounds = Vec::new();
            for (bound, plain, equal) in [(self.low, ">", ">="), (self.high, "<", "<=")] {
                if let Some((number, with)) = bound {
                    bounds.push(json!(if with { equal } else { plain }));
                    bounds.push(json!(number));
                }
            }
            return Some(vec![json!({"numeric": bounds})]);
        }
        match (self.exists, self.refused.is_empty()) {
            (Some(wanted), _) => Some(vec![json!({"exists": wanted})]),
            (None, false) => Some(vec![json!({"anything-but": self.refused})]),
            (None, true) => None,
        }
    }
}

fn pattern(event: &str, leaves: &[(&Leaf, bool)]) -> Result<Option<String>, String> {
    let mut fields: BTreeMap<&str, Field> = BTreeMap::new();
    for (leaf, wanted) in leaves {
        fields.entry(&leaf.path).or_default().add(leaf, *wanted)?;
    }
    let mut root = json!({"event": {"type": [event]}});
    for (path, field) in fields {
        let Some(list) = field.pattern() else { return Ok(None) };
        let mut place = &mut root;
        for name in path.split('.') {
            place = place
                .as_object_mut()
                .ok_or("a field within a value")?
                .entry(name)
                .or_insert_with(|| Map::new().into());
        }
        *place = list.into();
    }
    Ok(Some(root.to_string()))
}

struct Patterns(quamina::Quamina<u32>);

pub fn load(work: &Work) -> Result<Box<dyn Engine>, String> {
    let mut all = quamina::Quamina::new();
    for (rank, rule) in work.rules.iter().enumerate() {
        let rank = u32::try_from(rank).map_err(said)?;
        for leaves in alternatives(&rule.when, true) {
            if let Some(pattern) = pattern(rule.event, &leaves)? {
                all.add_pattern(rank, &pattern).map_err(|error| format!("{pattern}: {error}"))?;
            }
        }
    }
    Ok(Box::new(Patterns(all)))
}

impl Engine for Patterns {
    fn decide(&mut self, event: &[u8]) -> Result<Option<u32>, String> {
        Ok(self.0.matches_for_event(event).map_err(said)?.into_iter().min())
    }
}
