//! `rhai`: an expression per rule, patterns as our function over compiled ones.

use hookc_benches::rule::{Cond, Leaf};
use regex::Regex;
use rhai::{AST, Dynamic, Engine as Rhai, ImmutableString, Scope};

use super::{Buckets, Engine, said};
use crate::work::Work;

pub(super) fn joined(all: &[Cond], word: &str, mut one: impl FnMut(&Cond) -> String) -> String {
    all.iter().map(|cond| format!("({})", one(cond))).collect::<Vec<_>>().join(word)
}

fn expression(cond: &Cond, patterns: &mut Vec<Regex>) -> String {
    match cond {
        Cond::All(all) => joined(all, " && ", |one| expression(one, patterns)),
        Cond::Any(all) => joined(all, " || ", |one| expression(one, patterns)),
        Cond::Not(inner) => format!("!({})", expression(inner, patterns)),
        Cond::Leaf(leaf) => test(leaf, patterns),
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
        "exists" => format!("{path} != ()"),
        "contains" | "starts_with" | "ends_with" => format!("{path}.{}({value})", leaf.op),
        _ => {
            patterns.push(Regex::new(value.as_str().unwrap_or_default()).expect("a pattern"));
            format!("re({path}, {})", patterns.len() - 1)
        }
    }
}

struct Rules {
    engine: Rhai,
    rules: Buckets<AST>,
    /// The type of each event, and the scope with it.
    kept: Vec<(String, Scope<'static>)>,
}

pub fn load(work: &Work) -> Result<Box<dyn Engine>, String> {
    let mut patterns = Vec::new();
    let texts = Buckets::new(work, |rank| Ok(expression(&work.rule(rank).when, &mut patterns)))?;
    let mut engine = Rhai::new();
    engine.set_max_expr_depths(0, 0);
    engine.register_fn("re", move |text: ImmutableString, number: i64| {
        usize::try_from(number)
            .ok()
            .and_then(|at| patterns.get(at))
            .is_some_and(|regex| regex.is_match(&text))
    });
    let mut all = Vec::new();
    for (event, rules) in texts.0 {
        let compiled =
            rules.iter().map(|(rank, text)| Ok((*rank, engine.compile_expression(text).map_err(said)?)));
        all.push((event, compiled.collect::<Result<Vec<_>, String>>()?));
    }
    Ok(Box::new(Rules { engine, rules: Buckets(all), kept: Vec::new() }))
}

impl Engine for Rules {
    fn decide(&mut self, event: &[u8]) -> Result<Option<u32>, String> {
        let (kind, mut scope) = scope(event)?;
        first(&self.engine, self.rules.of(&kind), &mut scope)
    }

    fn keep(&mut self, events: &[String]) -> Result<bool, String> {
        self.kept = events.iter().map(|event| scope(event.as_bytes())).collect::<Result<_, _>>()?;
        Ok(true)
    }

    fn decide_kept(&mut self, event: usize) -> Result<Option<u32>, String> {
        let (kind, scope) = &mut self.kept[event];
        first(&self.engine, self.rules.of(kind), scope)
    }
}

/// The type of an event, and a scope with the event.
fn scope(event: &[u8]) -> Result<(String, Scope<'static>), String> {
    let event: Dynamic = serde_json::from_slice(event).map_err(said)?;
    let kind = {
        let map = event.as_map_ref().map_err(said)?;
        let inner = map.get("event").ok_or("no type")?.as_map_ref().map_err(said)?;
        inner.get("type").and_then(|kind| kind.clone().into_string().ok()).unwrap_or_default()
    };
    let mut scope = Scope::new();
    scope.push_constant_dynamic("e", event);
    Ok((kind, scope))
}

fn first(engine: &Rhai, rules: &[(u32, AST)], scope: &mut Scope<'static>) -> Result<Option<u32>, String> {
    for (rank, rule) in rules {
        if engine.eval_ast_with_scope::<bool>(scope, rule).map_err(said)? {
            return Ok(Some(*rank));
        }
    }
    Ok(None)
}
