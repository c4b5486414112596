//! Options with several values: a test of a flag is about each of them.

use hookc_schema::tree::{Query, Segment, Selector, Step};

use crate::json::Json;
use crate::path;

/// The position of a test: whether it is in what allows, and how often it is negated.
#[derive(Clone, Copy)]
pub(crate) struct Place {
    pub(crate) allows: bool,
    pub(crate) negated: bool,
}

impl Place {
    pub(crate) fn not(self) -> Self {
        Self { negated: !self.negated, ..self }
    }

    /// Whether one value suffices: for a guard if the test is positive, for what allows if it is negated.
    pub(crate) fn one_suffices(self) -> bool {
        self.negated == self.allows
    }
}

/// The values of the flag at a path below `root`, if its command has several.
pub(crate) fn values(root: &Json, steps: &[Step]) -> Option<Vec<Json>> {
    let (name, before) = steps.split_last()?;
    let (flags, command) = before.split_last()?;
    if !matches!(flags, Step::Name(flags) if flags == "flags") {
        return None;
    }
    let mut all = command.to_vec();
    // Only commands of a view have them.
    path::walk(root, &[&all[..], &[Step::Name("pipes_to".to_owned())]].concat())?;
    all.extend([Step::Name("repeated".to_owned()), name.clone()]);
    match path::walk(root, &all) {
        Some(Json::Arr(values)) => Some(values.clone()),
        _ => None,
    }
}

/// The query of all values instead of the last one.
pub(crate) fn query(query: &Query) -> Option<Query> {
    let mut segments = query.segments.clone();
    let at = segments.len().checked_sub(2)?;
    match segments.get_mut(at)? {
        Segment::Child(all) if matches!(all.as_slice(), [Selector::Name(name)] if name == "flags") => {
            *all = vec![Selector::Name("repeated".to_owned())];
        }
        _ => return None,
    }
    segments.push(Segment::Child(vec![Selector::Wildcard]));
    Some(Query { segments })
}
