//! Facts and selections as the values that the front end would read them from.

use hookc_schema::Spanned;
use hookc_schema::tree::print::extent;
use hookc_schema::tree::{EventPattern, Fact, FactPattern, Selection};
use hookc_schema::value::Value;

use super::lower::{cond, cond_levels};
use crate::expr::{history, print};
use crate::write::value::{Map, boolean, list, text};

/// The levels that the value of a fact needs.
pub(super) fn fact_levels(fact: &Fact) -> usize {
    let conds = fact.patterns.iter().map(|pattern| cond_levels(pattern.pattern.condition.as_ref()));
    2 + conds.max().unwrap_or(0)
}

/// A fact: its pattern, or a list of them.
pub(super) fn fact(fact: &Fact) -> Value {
    match fact.patterns.as_slice() {
        [one] => fact_pattern(one),
        several => list(several.iter().map(fact_pattern)),
    }
}

fn fact_pattern(fact: &FactPattern) -> Value {
    let mut map = Map::default();
    map.maybe("description", fact.description.as_ref().map(|about| text(&about.node)));
    pattern_keys(&mut map, &fact.pattern);
    if !fact.keep.is_empty() {
        map.put("keep", list(fact.keep.iter().map(|path| text(&print::path(path)))));
    }
    map.done()
}

/// The value of `formerly`.
pub(super) fn selection(selection: &Selection) -> Value {
    let mut map = Map::default();
    map.put("of", events(&selection.of));
    map.maybe("within", selection.within.map(|within| text(&extent(within.node))));
    map.maybe("since", selection.since.as_ref().map(events));
    map.maybe("per", selection.per.map(|per| text(per.node.name())));
    map.maybe("including_now", selection.including_now.map(|_| boolean(true)));
    map.done()
}

/// One name that reads as one, or a pattern.
fn events(pattern: &EventPattern) -> Value {
    match pattern.names.as_slice() {
        [one] if pattern.outcome.is_none() && pattern.condition.is_none() && is_name(one) => text(&one.node),
        _ => {
            let mut map = Map::default();
            pattern_keys(&mut map, pattern);
            map.done()
        }
    }
}

fn is_name(name: &Spanned<String>) -> bool {
    history::no_name(&name.node, name.span).is_none()
}

fn pattern_keys(map: &mut Map, pattern: &EventPattern) {
    let names = match pattern.names.as_slice() {
        [one] => text(&one.node),
        several => list(several.iter().map(|name| text(&name.node))),
    };
    map.put("event", names);
    map.maybe("outcome", pattern.outcome.map(|word| text(word.node.name())));
    map.maybe("condition", pattern.condition.as_ref().map(cond));
}
