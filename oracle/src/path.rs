//! Paths that select one value, and what they read.

use hookc_schema::tree::{Path, PathKind, Query, Step};
use hookc_schema::vocab::FieldSchema;

use crate::json::Json;

/// The locations that a path may read, in the order of choice.
pub(crate) struct Places {
    /// From the root; the first step is a merged field if `nested` is there.
    pub(crate) root: Vec<Step>,
    /// Under `event`, if the field is merged.
    pub(crate) nested: Option<Vec<Step>>,
}

/// The query of a path from the event that can select several values.
pub(crate) fn several(path: &Path) -> Option<&Query> {
    match &path.kind {
        PathKind::Query(query) if !path.is_singular() => Some(query),
        _ => None,
    }
}

/// Resolves a path against an event's schema: the merged fields are the root properties that the
/// schema declares, other than `event`, and does not declare inside `event`. `None` for a path that
/// can select several values.
pub(crate) fn places(path: &Path, schema: Option<&FieldSchema>) -> Option<Places> {
    let steps = path.singular()?;
    let merged = |name: &str| {
        let Some(schema) = schema else { return false };
        let inside = schema.properties.get("event").is_some_and(|e| e.properties.contains_key(name));
        name != "event" && schema.properties.contains_key(name) && !inside
    };
    let event = || Step::Name("event".to_owned());
    let places = match &*steps {
        _ if path.is_query() => None,
        [Step::Name(first), Step::Name(field), ..] if first == "event" && merged(field) => {
            Some(Places { root: steps.iter().skip(1).cloned().collect(), nested: Some(steps.to_vec()) })
        }
        [Step::Name(field), ..] if merged(field) => {
            let nested = std::iter::once(event()).chain(steps.iter().cloned()).collect();
            Some(Places { root: steps.to_vec(), nested: Some(nested) })
        }
        _ => None,
    };
    Some(places.unwrap_or(Places { root: steps.into_owned(), nested: None }))
}

impl Places {
    /// The value, or nothing.
    pub(crate) fn find<'j>(&self, event: &'j Json) -> Option<&'j Json> {
        let field = self.root.first().cloned().into_iter().collect::<Vec<_>>();
        match &self.nested {
            Some(nested) if walk(event, &field).is_none() => walk(event, nested),
            _ => walk(event, &self.root),
        }
    }

    /// Whether a key on the path is a duplicate; with `whole`, also anywhere below.
    pub(crate) fn has_duplicates(&self, event: &Json, whole: bool) -> bool {
        let nested = self.nested.iter().any(|nested| twice(event, nested, whole));
        nested || twice(event, &self.root, whole)
    }
}

/// Whether a key of `steps` is a duplicate.
pub(crate) fn twice(json: &Json, steps: &[Step], whole: bool) -> bool {
    let Some((step, rest)) = steps.split_first() else {
        return whole && json.has_duplicates();
    };
    match (step, json) {
        (Step::Name(name), Json::Obj(members)) => {
            let same: Vec<_> = members.iter().filter(|(key, _)| key == name).collect();
            same.len() > 1 || same.iter().any(|(_, value)| twice(value, rest, whole))
        }
        _ => child(json, step).is_some_and(|value| twice(value, rest, whole)),
    }
}

/// The value at `steps`.
pub(crate) fn walk<'j>(json: &'j Json, steps: &[Step]) -> Option<&'j Json> {
    steps.iter().try_fold(json, |json, step| child(json, step))
}

fn child<'j>(json: &'j Json, step: &Step) -> Option<&'j Json> {
    match (step, json) {
        (Step::Name(name), Json::Obj(members)) => members.iter().find(|(key, _)| key == name).map(|(_, v)| v),
        (Step::Index(index), Json::Arr(items)) => {
            let length = i64::try_from(items.len()).ok()?;
            let at = if *index < 0 { length.checked_add(*index)? } else { *index };
            items.get(usize::try_from(at).ok()?)
        }
        _ => None,
    }
}
