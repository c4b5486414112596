//! JSONLogic: `datalogic-rs`, events parsed into its arena, patterns as our operator over compiled ones.
//! A second engine is given events as `serde_json::Value`, as its users have them who parse events for
//! other purposes too; its interface copies them into the arena.

use datalogic_rs::bumpalo::Bump;
use datalogic_rs::operator::EvalContext;
use datalogic_rs::{ArenaExt, CustomOperator, DataValue, Engine as Logics, EvalInput, Logic};
use hookc_benches::rule::{Cond, Leaf};
use regex::Regex;
use serde_json::{Value, json};

use super::{Buckets, Engine, parse, parse_all, said};
use crate::work::Work;

struct Patterns(Vec<Regex>);

impl CustomOperator for Patterns {
    fn evaluate<'a>(
        &self,
        args: &[&'a DataValue<'a>],
        _context: &mut EvalContext<'_, 'a>,
        arena: &'a Bump,
    ) -> datalogic_rs::Result<&'a DataValue<'a>> {
        let (text, number) = (args[0].as_str(), args[1].as_i64());
        let regex = number.and_then(|number| self.0.get(usize::try_from(number).ok()?));
        Ok(arena.bool(text.zip(regex).is_some_and(|(text, regex)| regex.is_match(text))))
    }
}

fn logic(cond: &Cond, patterns: &mut Vec<Regex>) -> Result<Value, String> {
    let mut list = |all: &[Cond]| all.iter().map(|one| logic(one, patterns)).collect::<Result<Vec<_>, _>>();
    Ok(match cond {
        Cond::All(all) => json!({"and": list(all)?}),
        Cond::Any(all) => json!({"or": list(all)?}),
        Cond::Not(inner) => json!({"!": [logic(inner, patterns)?]}),
        Cond::Leaf(leaf) => test(leaf, patterns)?,
    })
}

fn test(leaf: &Leaf, patterns: &mut Vec<Regex>) -> Result<Value, String> {
    let (var, value) = (json!({"var": leaf.path}), &leaf.value);
    Ok(match leaf.op {
        "eq" => json!({"===": [var, value]}),
        "ne" => json!({"!==": [var, value]}),
        "gt" => json!({">": [var, value]}),
        "gte" => json!({">=": [var, value]}),
        "lt" => json!({"<": [var, value]}),
        "lte" => json!({"<=": [var, value]}),
        "in" => json!({"in": [var, value]}),
        "exists" => json!({"!==": [var, null]}),
        "contains" => json!({"in": [value, var]}),
        "starts_with" => json!({"starts_with": [var, value]}),
        "ends_with" => json!({"ends_with": [var, value]}),
        _ => {
            patterns.push(Regex::new(value.as_str().unwrap_or_default()).map_err(said)?);
            json!({"re": [var, patterns.len() - 1]})
        }
    })
}

struct Datalogic {
    engine: Logics,
    rules: Buckets<Logic>,
    arena: Bump,
    kept: Vec<&'static DataValue<'static>>,
}

pub fn load(work: &Work) -> Result<Box<dyn Engine>, String> {
    Ok(Box::new(prepared(work)?))
}

pub fn load_for_values(work: &Work) -> Result<Box<dyn Engine>, String> {
    Ok(Box::new(OfValues { datalogic: prepared(work)?, kept: Vec::new() }))
}

fn prepared(work: &Work) -> Result<Datalogic, String> {
    let mut patterns = Vec::new();
    let texts = Buckets::new(work, |rank| Ok(logic(&work.rule(rank).when, &mut patterns)?.to_string()))?;
    let engine = Logics::builder().add_operator("re", Patterns(patterns)).build();
    let mut all = Vec::new();
    for (event, rules) in texts.0 {
        let compiled =
            rules.iter().map(|(rank, text)| Ok((*rank, engine.compile(text.as_str()).map_err(said)?)));
        all.push((event, compiled.collect::<Result<Vec<_>, String>>()?));
    }
    Ok(Datalogic { engine, rules: Buckets(all), arena: Bump::new(), kept: Vec::new() })
}

impl Engine for Datalogic {
    fn decide(&mut self, event: &[u8]) -> Result<Option<u32>, String> {
        self.arena.reset();
        let text = std::str::from_utf8(event).map_err(said)?;
        let value: &DataValue<'_> = self.arena.alloc(DataValue::from_str(text, &self.arena).map_err(said)?);
        self.first(value)
    }

    fn keep(&mut self, events: &[String]) -> Result<bool, String> {
        // The program ends soon: the events, and what they are parsed into, may stay.
        let arena: &'static Bump = Box::leak(Box::new(Bump::new()));
        for event in events {
            let text: &'static str = arena.alloc_str(event);
            self.kept.push(arena.alloc(DataValue::from_str(text, arena).map_err(said)?));
        }
        Ok(true)
    }

    fn decide_kept(&mut self, event: usize) -> Result<Option<u32>, String> {
        self.arena.reset();
        self.first(self.kept[event])
    }
}

/// Decides about events that are `serde_json::Value`.
struct OfValues {
    datalogic: Datalogic,
    kept: Vec<Value>,
}

impl Engine for OfValues {
    fn decide(&mut self, event: &[u8]) -> Result<Option<u32>, String> {
        self.datalogic.first_of(&parse(event)?)
    }

    fn keep(&mut self, events: &[String]) -> Result<bool, String> {
        self.kept = parse_all(events)?;
        Ok(true)
    }

    fn decide_kept(&mut self, event: usize) -> Result<Option<u32>, String> {
        self.datalogic.first_of(&self.kept[event])
    }
}

impl Datalogic {
    /// Copies a value into the arena once, for all rules.
    fn first_of(&mut self, value: &Value) -> Result<Option<u32>, String> {
        self.arena.reset();
        self.first(value.into_arena_value(&self.arena).map_err(said)?)
    }

    fn first<'a>(&'a self, value: &'a DataValue<'a>) -> Result<Option<u32>, String> {
        let kind = field(value, "event").and_then(|event| field(event, "type")).and_then(DataValue::as_str);
        for (rank, rule) in self.rules.of(kind.unwrap_or_default()) {
            let result = self.engine.evaluate(rule, value, &self.arena).map_err(said)?;
            if result.as_bool() == Some(true) {
                return Ok(Some(*rank));
            }
        }
        Ok(None)
    }
}

fn field<'v>(value: &'v DataValue<'v>, name: &str) -> Option<&'v DataValue<'v>> {
    match value {
        DataValue::Object(all) => all.iter().find(|(known, _)| *known == name).map(|(_, value)| value),
        _ => None,
    }
}
