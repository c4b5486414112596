//! The workload: `mixed`, whole or reduced to what every engine can express.

use hookc_benches::rule::{Cond, Leaf, Rule, ranked_rules};
use hookc_benches::{Shape, Spec, Workload, event, rule, tree};
use serde_json::{Value, json};

/// Rules in the order in which they decide, events, and the right answers.
pub struct Work {
    /// Without patterns and fractions.
    pub reduced: bool,
    /// By rank.
    pub rules: Vec<Rule>,
    /// For hookc.
    pub yaml: String,
    /// Bytes of each event.
    pub events: Vec<String>,
    /// The rank of the rule that decides, if one does.
    pub expected: Vec<Option<u32>>,
}

impl Work {
    pub fn new(hooks: usize, events: usize, reduced: bool) -> Self {
        let mut made = Workload::new(Spec::new(Shape::Mixed, hooks, events));
        if reduced {
            made.rules.iter_mut().for_each(|rule| reduce(&mut rule.when));
            made.events.iter_mut().for_each(|event| *event = whole_numbers(event));
        }
        let rules: Vec<Rule> = ranked_rules(&made.rules).into_iter().cloned().collect();
        let prepared: Vec<crate::engine::walk::Test> =
            rules.iter().map(|rule| crate::engine::walk::prepare(&rule.when)).collect();
        let expected = made.events.iter().map(|text| answer(&rules, &prepared, text)).collect();
        Self { reduced, yaml: rule::yaml(&made.rules), rules, events: made.events, expected }
    }

    pub fn name(&self) -> &'static str {
        if self.reduced { "reduced" } else { "mixed" }
    }

    /// The ranks of each event type's rules.
    pub fn by_event(&self) -> Vec<(&'static str, Vec<u32>)> {
        let mut all: Vec<(&'static str, Vec<u32>)> = Vec::new();
        for (rank, rule) in self.rules.iter().enumerate() {
            let rank = u32::try_from(rank).unwrap_or(u32::MAX);
            match all.iter_mut().find(|(event, _)| *event == rule.event) {
                Some((_, ranks)) => ranks.push(rank),
                None => all.push((rule.event, vec![rank])),
            }
        }
        all
    }

    pub fn rule(&self, rank: u32) -> &Rule {
        &self.rules[rank as usize]
    }

    /// For engines of other languages.
    pub fn json(&self) -> Value {
        json!(self.rules)
    }
}

fn answer(rules: &[Rule], prepared: &[crate::engine::walk::Test], text: &str) -> Option<u32> {
    let value: Value = serde_json::from_str(text).ok()?;
    let kind = value.pointer("/event/type")?.as_str()?;
    let at = rules.iter().zip(prepared).position(|(rule, test)| rule.event == kind && test.holds(&value))?;
    // The judge of patterns as written, where they are few enough to build.
    debug_assert!(tree::holds(&rules[at].when, &value));
    u32::try_from(at).ok()
}

/// Patterns become prefixes, fractions become whole numbers.
fn reduce(cond: &mut Cond) {
    match cond {
        Cond::All(all) | Cond::Any(all) => all.iter_mut().for_each(reduce),
        Cond::Not(inner) => reduce(inner),
        Cond::Leaf(leaf) => reduce_leaf(leaf),
    }
}

fn reduce_leaf(leaf: &mut Leaf) {
    if leaf.op == "regex" {
        let text = leaf.value.as_str().unwrap_or_default();
        leaf.value = text.trim_start_matches('^').replace("[0-9]+$", "").into();
        leaf.op = "starts_with";
    }
    if leaf.path == "cost.spend" {
        leaf.value = json!(leaf.value.as_f64().unwrap_or_default() as i64 + 1);
    }
}

fn whole_numbers(text: &str) -> String {
    let mut value: Value = serde_json::from_str(text).expect("an event");
    let spend = event::get(&value, "cost.spend").and_then(Value::as_f64).unwrap_or_default();
    value["cost"]["spend"] = json!(spend as i64);
    value.to_string()
}

/// A condition as alternatives of leaves, plain or negated: for engines whose rules are
/// conjunctions.
pub fn alternatives(cond: &Cond, wanted: bool) -> Vec<Vec<(&Leaf, bool)>> {
    match (cond, wanted) {
        (Cond::Leaf(leaf), wanted) => vec![vec![(leaf, wanted)]],
        (Cond::Not(inner), wanted) => alternatives(inner, !wanted),
        (Cond::Any(all), true) | (Cond::All(all), false) => {
            all.iter().flat_map(|one| alternatives(one, wanted)).collect()
        }
        (Cond::All(all), true) | (Cond::Any(all), false) => {
            all.iter().fold(vec![Vec::new()], |before, one| {
                let next = alternatives(one, wanted);
                before.iter().flat_map(|b| next.iter().map(move |n| [b.as_slice(), n].concat())).collect()
            })
        }
    }
}

/// Whether every event of the workload has a value at this path.
pub fn always(path: &str) -> bool {
    path != "error.code"
}
