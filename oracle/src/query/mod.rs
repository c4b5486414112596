//! Paths that can select several values, with `jsonpath-rust` (RFC 9535).
//!
//! That crate compares numbers as `f64` and treats close ones as equal. So that exact numbers
//! decide, every number of the event and of the query first gets a stand-in that `f64` can
//! represent, in the same order ([`scale`]); the nodes are found on these.
//!
//! The generator avoids the known differences of the crate from RFC 9535; `tests/jsonpath.rs` lists
//! them with the reason.

mod ast;
mod scale;
mod tree;

use hookc_schema::tree::{Part, Query, Segment, Selector, Step};
use jsonpath_rust::parser::parse_json_path;
use jsonpath_rust::query::js_path_process;

use crate::json::Json;
use crate::path;
use scale::Scale;

/// The nodes of a JSONPath in a JSON value, in order, as canonical JSON; `None` if `jsonpath-rust`
/// rejects the path or the value is not JSON.
#[must_use]
pub fn select(path: &str, json: &[u8]) -> Option<Vec<String>> {
    select_by(&parse(path)?, json)
}

/// Like `select`, for a parsed path; `None` if the value is not JSON.
#[must_use]
pub fn select_by(query: &Query, json: &[u8]) -> Option<Vec<String>> {
    let json = Json::parse(json).ok()?;
    Some(nodes(query, &json).iter().map(Json::canonical).collect())
}

/// The nodes of a query in order.
pub(crate) fn nodes(query: &Query, event: &Json) -> Vec<Json> {
    let scale = Scale::new(query, event);
    let image = scale.image(event);
    let query = ast::query(query, &|number| scale.stand_in(number));
    let found = js_path_process(&query, &image).unwrap_or_default();
    found.into_iter().map(|node| scale.original(node.val)).collect()
}

/// The member with a view next to the event, for queries below it.
const VIEW: &str = "the view";

/// The nodes of a query below a view; queries from `$` in its filters start at the event.
pub(crate) fn nodes_below(rest: &Query, view: Json, event: &Json) -> Vec<Json> {
    let Json::Obj(members) = event else { return Vec::new() };
    let mut members = members.clone();
    members.push((VIEW.to_owned(), view));
    let mut query = Query { segments: vec![Segment::Child(vec![Selector::Name(VIEW.to_owned())])] };
    query.segments.extend(rest.segments.iter().cloned());
    nodes(&query, &Json::Obj(members))
}

/// Whether something that the query uses whole has a duplicate key, or there is one on the path to
/// it: the start of the query, and the starts of the queries from `$` inside its filters.
pub(crate) fn has_duplicates(query: &Query, event: &Json) -> bool {
    path::twice(event, &begin(query), true) || filters_have_duplicates(query, event)
}

/// Like `has_duplicates`, for the queries from `$` inside its filters only.
pub(crate) fn filters_have_duplicates(query: &Query, event: &Json) -> bool {
    let mut begins = Vec::new();
    query.parts(&mut |part| {
        if let Part::Query(true, inner) = part {
            begins.push(begin(inner));
        }
    });
    begins.iter().any(|steps| path::twice(event, steps, true))
}

/// The steps before the first segment that can select several nodes.
fn begin(query: &Query) -> Vec<Step> {
    let longest = (0..=query.segments.len()).rev();
    let singular = |length: usize| {
        let segments = query.segments.iter().take(length).cloned().collect();
        Query { segments }.singular()
    };
    longest.into_iter().find_map(singular).unwrap_or_default()
}

/// Reads the text of a query.
pub(crate) fn parse(text: &str) -> Option<Query> {
    parse_json_path(text).ok().map(|query| tree::query(&query))
}
