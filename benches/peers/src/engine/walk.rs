//! A first version: a loop over all rules, a tree walk over `serde_json::Value` for each, with name
//! lookups on the way. Patterns are compiled in advance.

use hookc_benches::event::get;
use hookc_benches::rule::{Cond, Leaf};
use hookc_benches::tree;
use regex::Regex;
use serde_json::Value;

use super::{Engine, kind, parse, parse_all};
use crate::work::Work;

/// A condition with compiled patterns.
pub enum Test {
    All(Vec<Test>),
    Any(Vec<Test>),
    Not(Box<Test>),
    Regex(String, Regex),
    Leaf(Leaf),
}

pub fn prepare(cond: &Cond) -> Test {
    match cond {
        Cond::All(all) => Test::All(all.iter().map(prepare).collect()),
        Cond::Any(all) => Test::Any(all.iter().map(prepare).collect()),
        Cond::Not(inner) => Test::Not(Box::new(prepare(inner))),
        Cond::Leaf(leaf) if leaf.op == "regex" => {
            let pattern = leaf.value.as_str().unwrap_or_default();
            Test::Regex(leaf.path.clone(), Regex::new(pattern).expect("a pattern"))
        }
        Cond::Leaf(leaf) => Test::Leaf(leaf.clone()),
    }
}

impl Test {
    pub fn holds(&self, event: &Value) -> bool {
        match self {
            Self::All(all) => all.iter().all(|one| one.holds(event)),
            Self::Any(all) => all.iter().any(|one| one.holds(event)),
            Self::Not(inner) => !inner.holds(event),
            Self::Regex(path, regex) => {
                get(event, path).and_then(Value::as_str).is_some_and(|t| regex.is_match(t))
            }
            Self::Leaf(leaf) => tree::test(leaf, get(event, &leaf.path)),
        }
    }
}

struct Walk {
    rules: Vec<(&'static str, Test)>,
    kept: Vec<Value>,
}

pub fn load(work: &Work) -> Result<Box<dyn Engine>, String> {
    let rules = work.rules.iter().map(|rule| (rule.event, prepare(&rule.when))).collect();
    Ok(Box::new(Walk { rules, kept: Vec::new() }))
}

impl Engine for Walk {
    fn decide(&mut self, event: &[u8]) -> Result<Option<u32>, String> {
        Ok(first(&self.rules, &parse(event)?))
    }

    fn keep(&mut self, events: &[String]) -> Result<bool, String> {
        self.kept = parse_all(events)?;
        Ok(true)
    }

    fn decide_kept(&mut self, event: usize) -> Result<Option<u32>, String> {
        Ok(first(&self.rules, &self.kept[event]))
    }
}

fn first(rules: &[(&'static str, Test)], event: &Value) -> Option<u32> {
    let kind = kind(event);
    let at = rules.iter().position(|(name, test)| *name == kind && test.holds(event));
    at.and_then(|at| u32::try_from(at).ok())
}
