//! `cel`: a program per rule, the event as a map, patterns as our function over compiled ones.

use std::collections::HashMap;
use std::sync::Arc;

use cel::objects::{Key, Map};
use cel::{Context, Program, Value as Cel};
use hookc_benches::rule::{Cond, Leaf};
use regex::Regex;
use serde_json::Value;

use super::rhai::joined;
use super::{Buckets, Engine, kind, parse, parse_all, said};
use crate::work::{Work, always};

fn expression(cond: &Cond, patterns: &mut Vec<Regex>) -> String {
    match cond {
        Cond::All(all) => joined(all, " && ", |one| expression(one, patterns)),
        Cond::Any(all) => joined(all, " || ", |one| expression(one, patterns)),
        Cond::Not(inner) => format!("!({})", expression(inner, patterns)),
        Cond::Leaf(leaf) if always(&leaf.path) => test(leaf, patterns),
        Cond::Leaf(leaf) if leaf.op == "exists" => format!("has(e.{})", leaf.path),
        Cond::Leaf(leaf) if leaf.op == "ne" => {
            format!("!has(e.{}) || {}", leaf.path, test(leaf, patterns))
        }
        Cond::Leaf(leaf) => format!("has(e.{}) && {}", leaf.path, test(leaf, patterns)),
    }
}

fn test(leaf: &Leaf, patterns: &mut Vec<Regex>) -> String {
    let (path, value) = (format!("e.{}", leaf.path), &leaf.value);
    match leaf.op {
        "eq" => format!("{path} == {value}"),
        "ne" => format!("{path} != {value}"),
        "gt" => format!("{path} > {value}"),
        "gte" => format!("{path} >= {value}"),
        "lt" => format!("{path} < {value}"),
        "lte" => format!("{path} <= {value}"),
        "in" => format!("{path} in {value}"),
        "exists" => "true".to_owned(),
        "contains" => format!("{path}.contains({value})"),
        "starts_with" => format!("{path}.startsWith({value})"),
        "ends_with" => format!("{path}.endsWith({value})"),
        _ => {
            patterns.push(Regex::new(value.as_str().unwrap_or_default()).expect("a pattern"));
            format!("re({path}, {})", patterns.len() - 1)
        }
    }
}

fn value(json: &Value) -> Cel {
    match json {
        Value::Null => Cel::Null,
        Value::Bool(value) => Cel::Bool(*value),
        Value::Number(number) => {
            number.as_i64().map_or_else(|| Cel::Float(number.as_f64().unwrap_or_default()), Cel::Int)
        }
        Value::String(text) => Cel::String(Arc::new(text.clone())),
        Value::Array(all) => Cel::List(Arc::new(all.iter().map(value).collect())),
        Value::Object(all) => {
            let pair = |(name, one): (&String, &Value)| (Key::String(Arc::new(name.clone())), value(one));
            Cel::Map(Map { map: Arc::new(all.iter().map(pair).collect::<HashMap<_, _>>()) })
        }
    }
}

struct Programs {
    root: Context<'static, 'static>,
    rules: Buckets<Program>,
    /// The type of each event, and the event.
    kept: Vec<(String, Cel)>,
}

pub fn load(work: &Work) -> Result<Box<dyn Engine>, String> {
    let mut patterns = Vec::new();
    let rules = Buckets::new(work, |rank| {
        let text = expression(&work.rule(rank).when, &mut patterns);
        Program::compile(&text).map_err(|error| format!("{text}: {error}"))
    })?;
    let mut root = Context::default();
    root.add_function("re", move |text: Arc<String>, number: i64| {
        usize::try_from(number)
            .ok()
            .and_then(|at| patterns.get(at))
            .is_some_and(|regex| regex.is_match(&text))
    })
    .map_err(|error| format!("{error:?}"))?;
    Ok(Box::new(Programs { root, rules, kept: Vec::new() }))
}

impl Engine for Programs {
    fn decide(&mut self, event: &[u8]) -> Result<Option<u32>, String> {
        let event = parse(event)?;
        self.first(kind(&event), value(&event))
    }

    fn keep(&mut self, events: &[String]) -> Result<bool, String> {
        let events = parse_all(events)?;
        self.kept = events.iter().map(|event| (kind(event).to_owned(), value(event))).collect();
        Ok(true)
    }

    fn decide_kept(&mut self, event: usize) -> Result<Option<u32>, String> {
        let (kind, event) = &self.kept[event];
        self.first(kind, event.clone())
    }
}

impl Programs {
    fn first(&self, kind: &str, event: Cel) -> Result<Option<u32>, String> {
        let mut context = self.root.new_inner_scope();
        context.add_variable_from_value("e", event);
        for (rank, rule) in self.rules.of(kind) {
            if matches!(rule.execute(&context).map_err(said)?, Cel::Bool(true)) {
                return Ok(Some(*rank));
            }
        }
        Ok(None)
    }
}
