//! Facts, and conditions about earlier events.

use hookc_schema::tree::print::extent;
use hookc_schema::tree::{Cond, EventPattern, Fact, FactPattern, Selection};

use super::value::expressible;
use super::{Attributes, Xml, needs_expression};
use crate::expr::print;
use crate::write::{Loss, history};

impl Xml<'_> {
    /// `<facts>`, if there are any; the facts that XML cannot express are omitted and returned.
    pub(super) fn facts(&mut self, facts: &[Fact]) -> Vec<Loss> {
        let is_lost = |fact: &&Fact| loss(fact).is_some();
        let mut written = facts.iter().filter(|fact| !is_lost(fact)).peekable();
        if written.peek().is_some() {
            self.open("facts", &[]);
            for fact in written {
                fact.patterns.iter().for_each(|pattern| self.fact(&fact.name.node, pattern));
            }
            self.close("facts");
        }
        facts.iter().filter_map(loss).collect()
    }

    fn fact(&mut self, name: &str, fact: &FactPattern) {
        let events = names(&fact.pattern);
        let mut attributes: Attributes<'_> = vec![("name", name), ("event", &events)];
        let when = expression(&fact.pattern);
        attributes.extend(rest(&fact.pattern, when.as_deref()));
        let cond = fact.pattern.condition.as_ref().filter(|_| when.is_none());
        if cond.is_none() && fact.description.is_none() && fact.keep.is_empty() {
            return self.empty("fact", &attributes);
        }
        self.open("fact", &attributes);
        if let Some(description) = &fact.description {
            self.text("description", &[], &description.node);
        }
        if let Some(cond) = cond {
            self.condition(cond);
        }
        fact.keep.iter().for_each(|path| self.text("keep", &[], &print::path(path)));
        self.close("fact");
    }

    pub(super) fn formerly(&mut self, selection: &Selection) {
        let within = selection.within.map(|within| extent(within.node));
        let mut attributes: Attributes<'_> = Vec::new();
        attributes.extend(within.as_deref().map(|within| ("within", within)));
        attributes.extend(selection.per.map(|per| ("per", per.node.name())));
        attributes.extend(selection.including_now.map(|_| ("including-now", "true")));
        self.open("formerly", &attributes);
        self.pattern("of", &selection.of);
        if let Some(since) = &selection.since {
            self.pattern("since", since);
        }
        self.close("formerly");
    }

    fn pattern(&mut self, element: &str, pattern: &EventPattern) {
        let events = names(pattern);
        let is_fact = pattern.names.len() == 1 && self.facts.contains(events.as_str());
        let mut attributes: Attributes<'_> = vec![(if is_fact { "fact" } else { "event" }, &events)];
        attributes.extend(rest(pattern, None));
        let Some(cond) = &pattern.condition else { return self.empty(element, &attributes) };
        self.open(element, &attributes);
        self.condition(cond);
        self.close(element);
    }
}

fn names(pattern: &EventPattern) -> String {
    pattern.names.iter().map(|name| name.node.as_str()).collect::<Vec<_>>().join(", ")
}

/// The attributes of a pattern after its events.
fn rest<'a>(pattern: &EventPattern, when: Option<&'a str>) -> Attributes<'a> {
    let outcome = pattern.outcome.map(|word| ("outcome", word.node.name()));
    outcome.into_iter().chain(when.map(|when| ("when", when))).collect()
}

/// The condition of a fact as an expression, if elements cannot express it.
fn expression(pattern: &EventPattern) -> Option<String> {
    let cond = pattern.condition.as_ref().filter(|cond| needs_expression(cond))?;
    Some(print::when(cond, print::Operators::Words))
}

/// Whether the patterns of a condition have names that the attribute `event` cannot have.
pub(super) fn has_unusual_names(cond: &Cond) -> bool {
    let mut found = false;
    cond.event_patterns(&mut |pattern| found |= is_unusual(pattern));
    found
}

fn is_unusual(pattern: &EventPattern) -> bool {
    let wrong = |name: &str| {
        name.is_empty() || name.contains(',') || name.trim_matches(super::white) != name || !expressible(name)
    };
    pattern.names.iter().any(|name| wrong(&name.node))
}

/// Why a fact cannot be written, if so.
fn loss(fact: &Fact) -> Option<Loss> {
    if fact.patterns.iter().any(|pattern| is_unusual(&pattern.pattern)) {
        return Some(history::loss(fact, "the name of an event contains a comma or outer whitespace"));
    }
    let texts = fact.patterns.iter().flat_map(|pattern| {
        let description = pattern.description.iter().map(|text| text.node.clone());
        description.chain(pattern.keep.iter().map(print::path))
    });
    let conds = fact.patterns.iter().filter_map(|pattern| pattern.pattern.condition.as_ref());
    let mut texts = texts.chain(std::iter::once(fact.name.node.clone()));
    let is_lost = texts.any(|text| !expressible(&text))
        || conds.filter_map(super::loss::path_or_pattern).next().is_some();
    is_lost.then(|| history::loss(fact, "it contains a character that XML does not allow"))
}
