//! References: `$ref` and `$dynamicRef` (core §8.2.3).

use hookc_schema::value::{Kind, Value};
use hookc_schema::{Diagnostic, Span, suggest};

use super::index::Index;
use super::{problem, uri};

/// A reference to a location.
#[derive(Clone, Debug)]
pub(super) struct Reference {
    /// Its span.
    pub(super) span: Span,
    /// Its target.
    pub(super) target: usize,
    /// For a dynamic reference, the anchor by which the outermost resource on the path can replace
    /// the target.
    pub(super) anchor: Option<String>,
}

type ReadResult<T> = Result<T, Box<Diagnostic>>;

/// The reference of a keyword at a location.
pub(super) fn read(index: &Index<'_>, place: usize, keyword: &str, value: &Value) -> ReadResult<Reference> {
    let Some(text) = value.as_str() else {
        let what = format!("`{keyword}` takes a URI");
        let new = problem::unfit(value.span, &what, &format!("this is {}", value.noun()));
        return Err(Box::new(new.help("write a URI in quotes: `\"#/$defs/name\"`")));
    };
    let base = index.places.get(place).and_then(|place| index.resources.get(place.resource));
    let full = uri::resolve(base.map_or("", |base| base.uri.as_str()), text);
    let (resource, fragment) = full.split_once('#').unwrap_or((&full, ""));
    let Some(resource) = index.resource_of(resource) else {
        let what = format!("`{keyword}` refers to `{text}`, which is not in this schema");
        let new = problem::unresolved(value.span, &what, "hookc fetches nothing");
        return Err(Box::new(new.help("copy that schema into `$defs`, with its `$id`")));
    };
    let fragment = uri::decoded(fragment).unwrap_or_else(|| fragment.to_owned());
    let (target, dynamic) = target(index, resource, &fragment, value)?;
    let anchor = (dynamic && keyword == "$dynamicRef").then(|| fragment.clone());
    Ok(Reference { span: value.span, target, anchor })
}

/// The location of a fragment, and whether a dynamic anchor names it.
fn target(index: &Index<'_>, resource: usize, fragment: &str, value: &Value) -> ReadResult<(usize, bool)> {
    let nothing = |what: &str| problem::unresolved(value.span, what, "no such schema");
    let Some(resource) = index.resources.get(resource) else { return Err(Box::new(nothing("no schema"))) };
    if fragment.is_empty() {
        return Ok((resource.root, false));
    }
    if fragment.starts_with('/') {
        let steps = fragment.split('/').skip(1).map(|step| step.replace("~1", "/").replace("~0", "~"));
        let steps: Vec<String> = steps.collect();
        return match index.walk(resource.root, &steps) {
            Some(place) => Ok((place, false)),
            None => Err(Box::new(pointless(index, resource.root, &steps, fragment, value.span))),
        };
    }
    if let Some(place) = resource.anchors.get(fragment) {
        return Ok((*place, resource.dynamic.get(fragment) == Some(place)));
    }
    let mut names: Vec<&str> = resource.anchors.keys().copied().collect();
    names.sort_unstable();
    names.truncate(FEW);
    let new = nothing(&format!("no schema has the anchor `{fragment}`"));
    Err(Box::new(match suggest::nearest_spelling(fragment, names) {
        Some(near) => new.help(format!("did you mean `#{near}`?")),
        None => new.help(format!("write `$anchor: \"{fragment}\"` in the intended schema")),
    }))
}

/// A JSON Pointer (RFC 6901) that leads to no schema.
fn pointless(index: &Index<'_>, root: usize, steps: &[String], pointer: &str, span: Span) -> Diagnostic {
    let mut at = index.places.get(root).map(|place| place.value);
    for step in steps {
        let below = at.and_then(|value| match &value.kind {
            Kind::Map(_) => value.get(step),
            Kind::Seq(items) => step.parse::<usize>().ok().and_then(|step| items.get(step)),
            _ => None,
        });
        if below.is_none() {
            let new = problem::unresolved(span, &format!("no value at `#{pointer}`"), "no such schema");
            return match at.and_then(|value| near(value, step)) {
                Some(near) => new.help(format!("did you mean `{near}`?")),
                None => new.help("write a pointer to a schema, such as `#/$defs/name`"),
            };
        }
        at = below;
    }
    let new = problem::unresolved(span, &format!("no schema at `#{pointer}`"), "not a schema");
    new.help("put the intended schema under `$defs`")
}

/// A name among few.
fn near<'v>(value: &'v Value, step: &str) -> Option<&'v str> {
    match &value.kind {
        Kind::Map(members) if members.len() <= FEW => {
            suggest::nearest_spelling(step, members.iter().map(|member| member.key.node.as_str()))
        }
        _ => None,
    }
}

/// The maximum number of names that are compared for a suggestion.
const FEW: usize = 200;
