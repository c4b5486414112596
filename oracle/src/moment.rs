//! An event as a condition sees it, with what happened before it.

use hookc_schema::tree::{Path, PathKind, Query, Step, View};
use hookc_schema::vocab::FieldSchema;

use crate::json::Json;

/// An event as a condition sees it.
#[derive(Clone, Copy)]
pub(crate) struct Moment<'a> {
    pub(crate) json: &'a Json,
    pub(crate) schema: Option<&'a FieldSchema>,
    /// What happened before it.
    pub(crate) before: Before<'a>,
    /// In a `where`: the event whose condition looks back, and how many names of quantifiers are values of it.
    pub(crate) now: Option<(&'a Moment<'a>, usize)>,
}

/// The nodes of the quantifiers around a condition, by name, the innermost last.
pub(crate) type Bound = Vec<(String, Json)>;

/// What hookc said about an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Default)]
pub enum Verdict {
    /// Nothing.
    #[default]
    None,
    /// It allowed it.
    Allow,
    /// It asked.
    Ask,
    /// It denied it.
    Deny,
}

/// Which session, agent, project and user an event is of, in this order; `None` if it does not say.
pub type Keys = [Option<String>; 4];

/// An event of the past.
#[derive(Clone, Debug)]
pub struct Record {
    /// Its type.
    pub event: String,
    /// The event.
    pub json: Json,
    /// When it came, in milliseconds.
    pub at: u64,
    /// Whose history it is in.
    pub keys: Keys,
    /// What was decided about it.
    pub verdict: Verdict,
    /// How many events had been recorded when that was known. Until then it is an event that happened without a verdict.
    pub settled: usize,
}

/// What happened before an event: the records, its time, and whose history it looks at. Without keys, each is unknown.
#[derive(Clone, Copy)]
pub(crate) struct Before<'a> {
    pub(crate) event: &'a str,
    pub(crate) records: &'a [Record],
    pub(crate) at: u64,
    pub(crate) keys: &'a Keys,
}

/// The path without its first step if that is `now`.
pub(crate) fn below_now(path: &Path) -> Option<Path> {
    let kind = match &path.kind {
        PathKind::Short(steps) => match steps.split_first() {
            Some((Step::Name(name), [])) if name == "now" => PathKind::Query(Query::default()),
            Some((Step::Name(name), rest)) if name == "now" => PathKind::Short(rest.into()),
            _ => return None,
        },
        PathKind::View(view) => {
            let source = below_now(&view.source)?;
            PathKind::View(Box::new(View { source, ..View::clone(view) }))
        }
        PathKind::Query(_) | PathKind::Recall(_) => return None,
    };
    Some(Path { kind, ..path.clone() })
}
