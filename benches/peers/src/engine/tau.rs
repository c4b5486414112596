//! `tau-engine`, the engine of Chainsaw: one YAML rule each, all optimisations. There a negated
//! absent value is false, so an absent value is represented by a text that no event has.

use std::borrow::Cow;

use hookc_benches::rule::{Cond, Leaf};
use serde_json::{Map, Value, json};
use tau_engine::{Document, Optimisations, Rule, Value as Found};

use super::{Buckets, Engine, kind, parse, parse_all, said};
use crate::work::Work;

/// The expression; leaves become identifiers.
fn expression(cond: &Cond, names: &mut Map<String, Value>) -> String {
    let mut list = |all: &[Cond], word: &str| {
        let parts: Vec<String> = all.iter().map(|one| format!("({})", expression(one, names))).collect();
        parts.join(word)
    };
    match cond {
        Cond::All(all) => list(all, " and "),
        Cond::Any(all) => list(all, " or "),
        Cond::Not(inner) => format!("not ({})", expression(inner, names)),
        Cond::Leaf(leaf) => {
            let name = format!("A{}", names.len());
            names.insert(name.clone(), json!({&leaf.path: pattern(leaf)}));
            if ["ne", "exists"].contains(&leaf.op) { format!("not {name}") } else { name }
        }
    }
}

fn pattern(leaf: &Leaf) -> Value {
    let text = leaf.value.as_str().unwrap_or_default();
    let number = &leaf.value;
    match leaf.op {
        "gt" => json!(format!(">{number}")),
        "gte" => json!(format!(">={number}")),
        "lt" => json!(format!("<{number}")),
        "lte" => json!(format!("<={number}")),
        "exists" => json!(ABSENT),
        "contains" => json!(format!("*{text}*")),
        "starts_with" => json!(format!("{text}*")),
        "ends_with" => json!(format!("*{text}")),
        "regex" => json!(format!("?{text}")),
        _ => leaf.value.clone(),
    }
}

fn rule(cond: &Cond) -> Result<Rule, String> {
    let mut detection = Map::new();
    let condition = expression(cond, &mut detection);
    detection.insert("condition".to_owned(), condition.into());
    let text = json!({"detection": detection, "true_positives": [], "true_negatives": []}).to_string();
    let all = Optimisations { coalesce: true, matrix: true, rewrite: true, shake: true };
    Ok(Rule::from_str(&text).map_err(said)?.optimise(all))
}

const ABSENT: &str = "-absent-";

struct Filled<'e>(&'e Value);

impl Document for Filled<'_> {
    fn find(&self, key: &str) -> Option<Found<'_>> {
        Some(Document::find(self.0, key).unwrap_or(Found::String(Cow::Borrowed(ABSENT))))
    }
}

struct Tau {
    rules: Buckets<Rule>,
    kept: Vec<Value>,
}

pub fn load(work: &Work) -> Result<Box<dyn Engine>, String> {
    let rules = Buckets::new(work, |rank| rule(&work.rule(rank).when))?;
    Ok(Box::new(Tau { rules, kept: Vec::new() }))
}

impl Engine for Tau {
    fn decide(&mut self, event: &[u8]) -> Result<Option<u32>, String> {
        Ok(self.first(&parse(event)?))
    }

    fn keep(&mut self, events: &[String]) -> Result<bool, String> {
        self.kept = parse_all(events)?;
        Ok(true)
    }

    fn decide_kept(&mut self, event: usize) -> Result<Option<u32>, String> {
        Ok(self.first(&self.kept[event]))
    }
}

impl Tau {
    fn first(&self, event: &Value) -> Option<u32> {
        let mut rules = self.rules.of(kind(event)).iter();
        rules.find(|(_, rule)| rule.matches(&Filled(event))).map(|(rank, _)| *rank)
    }
}
