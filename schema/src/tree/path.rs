//! Paths into an event: shorthand paths, and JSONPath (RFC 9535).

use std::borrow::Cow;
use std::sync::Arc;

use hookc_base::ViewKind;

use super::{Recall, RecallOperator};
use crate::span::{Span, Spanned};
use crate::value::Number;

/// A path, as written and as parsed. Equality compares its meaning.
#[derive(Clone, Debug)]
pub struct Path {
    /// Its span.
    pub span: Span,
    /// As written. Equal paths of a policy share it.
    pub text: Arc<str>,
    /// As parsed.
    pub kind: PathKind,
}

impl PartialEq for Path {
    fn eq(&self, other: &Self) -> bool {
        self.kind == other.kind
    }
}

/// The spellings of a path.
#[derive(Clone, Debug, PartialEq)]
pub enum PathKind {
    /// `a.b['c'][0]`: at least one step, the first one a name. Equal paths of a policy share them.
    Short(Arc<[Step]>),
    /// `$...`
    Query(Query),
    /// `shell(PATH)...`, `file(PATH)...`
    View(Box<View>),
    /// `count(...)`, `last(...).a`: a value of the history. It has no steps.
    Recall(Box<Recall>),
}

/// A path into the view of a text: of a command line or of the path of a file.
#[derive(Clone, Debug, PartialEq)]
pub struct View {
    /// What the text is read as.
    pub kind: ViewKind,
    /// The path of the text, which selects at most one value and is not a view itself. A view without a text has `$`.
    pub source: Path,
    /// What follows the closing parenthesis, from the view on. If nothing does, it is the view.
    pub rest: Query,
}

/// One step to at most one child.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Step {
    /// A member of an object.
    Name(String),
    /// An element of an array; negative from the end.
    Index(i64),
    /// The view of the text here, see [`View`].
    View(ViewKind),
}

/// A JSONPath query: what follows `$` or `@`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Query {
    /// Its segments.
    pub segments: Vec<Segment>,
}

/// RFC 9535 §2.5
#[derive(Clone, Debug, PartialEq)]
pub enum Segment {
    /// `[...]`, `.name`, `.*`
    Child(Vec<Selector>),
    /// `..[...]`, `..name`, `..*`
    Descendant(Vec<Selector>),
}

/// RFC 9535 §2.3
#[derive(Clone, Debug, PartialEq)]
pub enum Selector {
    /// `'name'`
    Name(String),
    /// `*`
    Wildcard,
    /// `3`, `-1`
    Index(i64),
    /// `start:end:step`
    Slice {
        /// First.
        start: Option<i64>,
        /// One past the last.
        end: Option<i64>,
        /// Step, 1 when absent.
        step: Option<i64>,
    },
    /// `?...`
    Filter(Spanned<Filter>),
}

/// A logical expression of a filter (RFC 9535 §2.3.5).
#[derive(Clone, Debug, PartialEq)]
pub enum Filter {
    /// `a || b`
    Or(Vec<Filter>),
    /// `a && b`
    And(Vec<Filter>),
    /// `!a`
    Not(Box<Filter>),
    /// An existence test; `true`: from `$`, `false`: from `@`.
    Exists(bool, Query),
    /// A function that yields a truth: `match`, `search`.
    Call(Function),
    /// `a < b`
    Compare(Comparable, CompareOp, Comparable),
}

/// A comparison operator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names say it")]
pub enum CompareOp {
    Eq,
    Ne,
    Lt,
    Lte,
    Gt,
    Gte,
}

/// One side of a comparison, or an argument.
#[derive(Clone, Debug, PartialEq)]
pub enum Comparable {
    /// `null`
    Null,
    /// `true`, `false`
    Bool(bool),
    /// A number.
    Num(Number),
    /// A string.
    Str(String),
    /// A query (singular on a side of a comparison); `true`: from `$`.
    Query(bool, Query),
    /// A function that returns a value: `length`, `count`, `value`.
    Call(Box<Function>),
}

/// A function of RFC 9535 §2.4.
#[derive(Clone, Debug, PartialEq)]
#[allow(missing_docs, reason = "the names are the RFC's")]
pub enum Function {
    Length(Comparable),
    Count(bool, Query),
    Match(Comparable, Comparable),
    Search(Comparable, Comparable),
    Value(bool, Query),
}

impl Path {
    /// The steps of a path that syntactically selects at most one value, in any spelling; `None` if
    /// it can select several.
    #[must_use]
    pub fn singular(&self) -> Option<Cow<'_, [Step]>> {
        match &self.kind {
            PathKind::Short(steps) => Some(Cow::Borrowed(steps)),
            PathKind::Query(query) => query.singular().map(Cow::Owned),
            PathKind::View(view) => {
                let mut steps = view.start()?;
                steps.extend(view.rest.singular()?);
                Some(Cow::Owned(steps))
            }
            PathKind::Recall(_) => None,
        }
    }

    /// Whether it is a field of the event: one name.
    #[must_use]
    pub fn is_field(&self, name: &str) -> bool {
        matches!(self.singular().as_deref(), Some([Step::Name(field)]) if field == name)
    }

    /// Whether it is the path of a command line: `tool_input.command`, also inside `event`.
    #[must_use]
    pub fn is_command_line(&self) -> bool {
        matches!(self.singular().as_deref(), Some([.., Step::Name(input), Step::Name(name)])
            if input == "tool_input" && name == "command")
    }

    /// Whether it leads into a member of the event, also inside `event`.
    #[must_use]
    pub fn is_in(&self, name: &str) -> bool {
        let starts = |steps: &[Step]| {
            let is_named =
                |at: usize, name: &str| matches!(steps.get(at), Some(Step::Name(own)) if own == name);
            is_named(0, name) || is_named(0, "event") && is_named(1, name)
        };
        match &self.source().kind {
            PathKind::Short(steps) => starts(steps),
            PathKind::Query(query) => starts(&query.prefix().0),
            PathKind::View(_) | PathKind::Recall(_) => false,
        }
    }

    /// Its [steps](Self::singular), shared with the path if it is in the shorthand.
    #[must_use]
    pub fn shared_steps(&self) -> Option<Arc<[Step]>> {
        match &self.kind {
            PathKind::Short(steps) => Some(Arc::clone(steps)),
            PathKind::Query(_) | PathKind::View(_) | PathKind::Recall(_) => {
                self.singular().map(|steps| steps.into_owned().into())
            }
        }
    }

    /// Whether it has [steps](Self::singular).
    #[must_use]
    pub fn is_singular(&self) -> bool {
        match &self.kind {
            PathKind::Short(_) => true,
            PathKind::Query(query) => query.is_singular(),
            PathKind::View(view) => view.source.is_singular() && view.rest.is_singular(),
            PathKind::Recall(_) => false,
        }
    }

    /// Whether it selects at most one value, as a path with [steps](Self::singular) or as a value of the history.
    #[must_use]
    pub fn is_one_value(&self) -> bool {
        match self.recall().map(|recall| &recall.operator) {
            Some(RecallOperator::Last { rest, .. }) => rest.is_singular(),
            Some(_) => true,
            None => self.is_singular(),
        }
    }

    /// Its last step, if it has [steps](Self::singular) and the last one is a name.
    #[must_use]
    pub fn last_name(&self) -> Option<Cow<'_, str>> {
        match self.singular()? {
            Cow::Borrowed([.., Step::Name(name)]) => Some(Cow::Borrowed(name)),
            Cow::Borrowed(_) => None,
            Cow::Owned(mut steps) => match steps.pop()? {
                Step::Name(name) => Some(Cow::Owned(name)),
                Step::Index(_) | Step::View(_) => None,
            },
        }
    }

    /// The view that it leads into, if that is of a kind.
    #[must_use]
    pub fn view(&self, kind: ViewKind) -> Option<&View> {
        match &self.kind {
            PathKind::View(view) if view.kind == kind => Some(view),
            PathKind::View(_) | PathKind::Short(_) | PathKind::Query(_) | PathKind::Recall(_) => None,
        }
    }

    /// Whether it starts with `$`: such a path never reads a merged field of `event`.
    #[must_use]
    pub fn is_query(&self) -> bool {
        match &self.kind {
            PathKind::Short(_) | PathKind::Recall(_) => false,
            PathKind::Query(_) => true,
            PathKind::View(view) => view.source.is_query(),
        }
    }

    /// The value of the history that it is, if it is one.
    #[must_use]
    pub fn recall(&self) -> Option<&Recall> {
        match &self.kind {
            PathKind::Recall(recall) => Some(recall),
            PathKind::Short(_) | PathKind::Query(_) | PathKind::View(_) => None,
        }
    }

    /// The path with which it starts at the event: that of the text of a view, or the path itself.
    #[must_use]
    pub fn source(&self) -> &Self {
        match &self.kind {
            PathKind::View(view) => &view.source,
            PathKind::Short(_) | PathKind::Query(_) | PathKind::Recall(_) => self,
        }
    }
}

impl View {
    /// The steps to the view itself.
    #[must_use]
    pub fn start(&self) -> Option<Vec<Step>> {
        let mut steps = self.source.singular()?.into_owned();
        steps.push(Step::View(self.kind));
        Some(steps)
    }
}

impl Query {
    /// See [`Path::singular`]; the empty list is the root itself.
    #[must_use]
    pub fn singular(&self) -> Option<Vec<Step>> {
        self.segments.iter().map(Segment::step).collect()
    }

    /// Whether each of its segments is a step.
    #[must_use]
    pub fn is_singular(&self) -> bool {
        self.segments.iter().all(Segment::is_step)
    }
}

impl Step {
    /// What the text here is read as, if it is a step to a view.
    #[must_use]
    pub const fn view(&self) -> Option<ViewKind> {
        match self {
            Self::View(kind) => Some(*kind),
            Self::Name(_) | Self::Index(_) => None,
        }
    }

    /// The steps to the text of a view, what that is read as, and the steps below the view; `None` if no step leads to
    /// a view.
    #[must_use]
    pub fn around_view(steps: &[Self]) -> Option<(&[Self], ViewKind, &[Self])> {
        let (at, kind) = steps.iter().enumerate().find_map(|(at, step)| Some((at, step.view()?)))?;
        let (source, rest) = steps.split_at_checked(at)?;
        Some((source, kind, rest.split_first()?.1))
    }

    /// The segment of a query that selects the same; `None` for a view.
    #[must_use]
    pub fn segment(&self) -> Option<Segment> {
        let selector = match self {
            Self::Name(name) => Selector::Name(name.clone()),
            Self::Index(index) => Selector::Index(*index),
            Self::View(_) => return None,
        };
        Some(Segment::Child(vec![selector]))
    }
}

impl Segment {
    /// The step that it is, if it leads to at most one child.
    pub(super) fn step(&self) -> Option<Step> {
        match self {
            Self::Child(selectors) => match selectors.as_slice() {
                [Selector::Name(name)] => Some(Step::Name(name.clone())),
                [Selector::Index(index)] => Some(Step::Index(*index)),
                _ => None,
            },
            Self::Descendant(_) => None,
        }
    }

    fn is_step(&self) -> bool {
        matches!(self, Self::Child(selectors) if matches!(selectors.as_slice(), [Selector::Name(_) | Selector::Index(_)]))
    }
}
