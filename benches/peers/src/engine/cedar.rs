//! `cedar-policy`: a `permit` per rule, a policy set per event type, and as context the fields that
//! some rule reads. It does not support patterns and fractions.

use std::collections::BTreeMap;

use cedar_policy::{
    Authorizer, Context, Entities, EntityUid, Policy, PolicyId, PolicySet, Request, RestrictedExpression,
};
use hookc_benches::rule::{Cond, Leaf};
use serde_json::Value;

use super::rhai::joined;
use super::{Engine, kind, parse, parse_all, said};
use crate::work::{Work, always};

fn expression(cond: &Cond) -> String {
    match cond {
        Cond::All(all) => joined(all, " && ", expression),
        Cond::Any(all) => joined(all, " || ", expression),
        Cond::Not(inner) => format!("!({})", expression(inner)),
        Cond::Leaf(leaf) => test(leaf),
    }
}

fn test(leaf: &Leaf) -> String {
    let (path, value) = (format!("context.{}", leaf.path), &leaf.value);
    let text = value.as_str().unwrap_or_default();
    let plain = match leaf.op {
        "eq" => format!("{path} == {value}"),
        "ne" => format!("{path} != {value}"),
        "gt" => format!("{path} > {value}"),
        "gte" => format!("{path} >= {value}"),
        "lt" => format!("{path} < {value}"),
        "lte" => format!("{path} <= {value}"),
        "in" => format!("{value}.contains({path})"),
        "contains" => format!("{path} like \"*{text}*\""),
        "starts_with" => format!("{path} like \"{text}*\""),
        "ends_with" => format!("{path} like \"*{text}\""),
        _ => "true".to_owned(),
    };
    let Some((parent, name)) = path.rsplit_once('.').filter(|_| !always(&leaf.path)) else { return plain };
    if leaf.op == "ne" {
        format!("!({parent} has {name}) || {plain}")
    } else {
        format!("{parent} has {name} && {plain}")
    }
}

/// Names that some rule reads, below one another.
#[derive(Default)]
struct Names(BTreeMap<String, Names>);

impl Names {
    fn add(&mut self, cond: &Cond) {
        match cond {
            Cond::All(all) | Cond::Any(all) => all.iter().for_each(|one| self.add(one)),
            Cond::Not(inner) => self.add(inner),
            Cond::Leaf(leaf) => {
                leaf.path.split('.').fold(self, |names, name| names.0.entry(name.to_owned()).or_default());
            }
        }
    }

    fn of(&self, event: &Value) -> Result<Vec<(String, RestrictedExpression)>, String> {
        let there = self.0.iter().filter_map(|(name, below)| Some((name, below, event.get(name)?)));
        there.map(|(name, below, value)| Ok((name.clone(), below.one(value)?))).collect()
    }

    fn one(&self, value: &Value) -> Result<RestrictedExpression, String> {
        Ok(match value {
            Value::String(text) => RestrictedExpression::new_string(text.clone()),
            Value::Number(number) => RestrictedExpression::new_long(number.as_i64().ok_or("a fraction")?),
            value => RestrictedExpression::new_record(self.of(value)?).map_err(said)?,
        })
    }
}

struct Cedar {
    reads: Names,
    authorizer: Authorizer,
    entities: Entities,
    sets: Vec<(&'static str, PolicySet)>,
    names: [EntityUid; 3],
    /// The type of each event, and its request.
    kept: Vec<(String, Request)>,
}

pub fn load(work: &Work) -> Result<Box<dyn Engine>, String> {
    let mut reads = Names::default();
    work.rules.iter().for_each(|rule| reads.add(&rule.when));
    let mut sets = Vec::new();
    for (event, ranks) in work.by_event() {
        let mut set = PolicySet::new();
        for rank in ranks {
            let text = format!(
                "permit(principal, action, resource) when {{ {} }};",
                expression(&work.rule(rank).when)
            );
            let policy = Policy::parse(Some(PolicyId::new(rank.to_string())), &text)
                .map_err(|e| format!("{text}: {e}"))?;
            set.add(policy).map_err(said)?;
        }
        sets.push((event, set));
    }
    let name = |text: &str| text.parse::<EntityUid>().map_err(said);
    let names = [name("Agent::\"a\"")?, name("Action::\"decide\"")?, name("Thread::\"t\"")?];
    Ok(Box::new(Cedar {
        reads,
        authorizer: Authorizer::new(),
        entities: Entities::empty(),
        sets,
        names,
        kept: Vec::new(),
    }))
}

impl Engine for Cedar {
    fn decide(&mut self, event: &[u8]) -> Result<Option<u32>, String> {
        let (kind, request) = self.request(&parse(event)?)?;
        self.first(&kind, &request)
    }

    fn keep(&mut self, events: &[String]) -> Result<bool, String> {
        let events = parse_all(events)?;
        self.kept = events.iter().map(|event| self.request(event)).collect::<Result<_, _>>()?;
        Ok(true)
    }

    fn decide_kept(&mut self, event: usize) -> Result<Option<u32>, String> {
        let (kind, request) = &self.kept[event];
        self.first(kind, request)
    }
}

impl Cedar {
    /// The type of an event, and a request with the event as its context.
    fn request(&self, event: &Value) -> Result<(String, Request), String> {
        let context = Context::from_pairs(self.reads.of(event)?).map_err(said)?;
        let [principal, action, resource] = self.names.clone();
        let request = Request::new(principal, action, resource, context, None).map_err(said)?;
        Ok((kind(event).to_owned(), request))
    }

    fn first(&self, kind: &str, request: &Request) -> Result<Option<u32>, String> {
        let Some((_, set)) = self.sets.iter().find(|(name, _)| *name == kind) else { return Ok(None) };
        let response = self.authorizer.is_authorized(request, set, &self.entities);
        if let Some(error) = response.diagnostics().errors().next() {
            return Err(error.to_string());
        }
        let rank = |id: &PolicyId| -> Option<u32> { AsRef::<str>::as_ref(id).parse().ok() };
        Ok(response.diagnostics().reason().filter_map(rank).min())
    }
}
