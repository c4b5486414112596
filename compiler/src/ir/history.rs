//! Conditions about earlier events: what is read of the history, and the monitors that answer.

use std::cmp::Ordering;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use hookc_history::{CellId, Kind, Verdict, Verdicts};
use hookc_schema::Span;
use hookc_schema::tree::{Family, Op, PartitionKey};
use hookc_schema::value::Value;
use hookc_schema::vocab::TypeSet;

use super::{LowCond, ReadPath};

/// A test of the history: true, false, or unknown where the state does not decide.
#[derive(Clone, Debug, PartialEq, Hash)]
pub struct PastTest {
    /// What is read.
    pub recall: RecallValue,
    /// What must be true of it.
    pub relation: PastRelation,
}

/// What a test of the history requires.
#[derive(Clone, Debug, PartialEq, Hash)]
pub enum PastRelation {
    /// An event is in the selection.
    Formerly,
    /// The number compares so: `eq`, `gt`, `gte`, `lt`, `lte`.
    Compare(Op, PastRight),
}

/// The right operand of a comparison with a value of the history.
#[derive(Clone, Debug, PartialEq, Hash)]
pub enum PastRight {
    /// A literal.
    Value(Arc<Value>),
    /// The value at a path of the current event.
    Path(ReadPath),
    /// Another number of the history.
    Recall(Box<RecallValue>),
}

/// A read of a monitor: in which scope, and for which current values of its tie.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct RecallValue {
    /// The monitor, with the current side of its tie.
    pub pattern: TiedMonitor,
    /// The window in milliseconds.
    pub within: Option<u64>,
    /// The anchors that are applied when the monitor is read. Counters and totals have anchors of their own.
    pub since: Vec<TiedMonitor>,
    /// With `including now` the type of the current event, which is then the last one of the history.
    pub now: Option<(Family, Arc<str>)>,
    /// Which of the last events `last` means, from 1; 0 for the other operators.
    pub back: u8,
    /// Whether it is the number of events.
    pub counts: bool,
    /// The declared types of the values that `last` reads.
    pub types: TypeSet,
    /// How many different values, or tuples, `distinct` can find, if their declarations limit them.
    pub most: Option<u64>,
    /// What a message calls it.
    pub text: RecallText,
}

/// How a policy spells a read. It is no part of its meaning.
#[derive(Clone, Debug, Default)]
pub struct RecallText(pub Arc<str>);

impl PartialEq for RecallText {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for RecallText {}

impl Hash for RecallText {
    fn hash<H: Hasher>(&self, _: &mut H) {}
}

impl PartialOrd for RecallText {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for RecallText {
    fn cmp(&self, _: &Self) -> Ordering {
        Ordering::Equal
    }
}

/// A monitor, and the current side of its tie.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TiedMonitor {
    /// The monitor.
    pub monitor: Arc<Monitor>,
    /// The current side of its tie, a path for each path of the past side.
    pub current: Vec<ReadPath>,
    /// The current side of each conjunct `not (TIES and ...)`.
    pub excluded: Vec<Vec<ReadPath>>,
}

/// What is kept to answer a selection. Monitors with one identity are equal, whatever their capacities and windows.
#[derive(Clone, Debug)]
pub struct Monitor {
    /// Its identity, which follows from everything below except capacities and windows.
    pub id: CellId,
    /// What it keeps, with the capacity that this reader needs.
    pub kind: Kind,
    /// Whose events it sees.
    pub partition: PartitionKey,
    /// The patterns that feed it.
    pub watches: Vec<Watch>,
    /// For each path of its tie, whether texts are compared without regard to case.
    pub folds: Vec<bool>,
    /// For each path of each conjunct `not (TIES and ...)`, whether case is ignored.
    pub excluded_folds: Vec<Vec<bool>>,
    /// The anchors at which a counter or a total starts again.
    pub anchors: Vec<Arc<Monitor>>,
    /// The window of this reader in milliseconds.
    pub retention: Option<u64>,
    /// Whether it keeps the text of its value.
    pub keeps_text: bool,
    /// 1 if the conditions of its watches have no history, otherwise one more than the highest that they read.
    pub level: u8,
}

impl PartialEq for Monitor {
    fn eq(&self, other: &Self) -> bool {
        self.id == other.id
    }
}

impl Eq for Monitor {}

impl Hash for Monitor {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.id.hash(state);
    }
}

impl PartialOrd for Monitor {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Monitor {
    fn cmp(&self, other: &Self) -> Ordering {
        self.id.cmp(&other.id)
    }
}

/// A pattern at one event type, and what its events add to a monitor.
#[derive(Clone, Debug)]
pub struct Watch {
    /// The vocabulary of the event type.
    pub family: Family,
    /// The event type.
    pub event: Arc<str>,
    /// The verdicts with which an event matches.
    pub verdicts: Verdicts,
    /// The condition, without ties.
    pub cond: LowCond,
    /// The past side of the tie.
    pub keys: Vec<ReadPath>,
    /// For each conjunct `not (TIES and CONDITION)`, what it excludes.
    pub excluded: Vec<Excluded>,
    /// The paths of the values that are kept.
    pub values: Vec<ReadPath>,
    /// The pattern in its source.
    pub span: Span,
}

/// The past side of a conjunct `not (TIES and CONDITION)`.
#[derive(Clone, Debug)]
pub struct Excluded {
    /// Where this is false, it excludes nothing.
    pub cond: LowCond,
    /// The past side of its ties.
    pub keys: Vec<ReadPath>,
}

impl RecallValue {
    /// Calls `each` with every monitor that it reads, and those that they need.
    pub fn monitors<'r>(&'r self, each: &mut impl FnMut(&'r Arc<Monitor>)) {
        for tied in std::iter::once(&self.pattern).chain(&self.since) {
            tied.monitor.anchors.iter().for_each(&mut *each);
            each(&tied.monitor);
        }
    }

    /// The paths of the current event that it reads.
    pub fn paths(&self) -> impl Iterator<Item = &ReadPath> {
        let tied = std::iter::once(&self.pattern).chain(&self.since);
        tied.flat_map(|tied| tied.current.iter().chain(tied.excluded.iter().flatten()))
    }

    /// Whether the current event can be one of those that it, or an anchor, is about. It has no verdict yet.
    #[must_use]
    pub(crate) fn can_include_now(&self) -> bool {
        let Some((family, event)) = &self.now else { return false };
        let is_now = |watch: &Watch| {
            (watch.family, &watch.event) == (*family, event) && watch.verdicts.contains(Verdict::None)
        };
        let mut can = false;
        self.monitors(&mut |monitor| can |= monitor.watches.iter().any(is_now));
        can
    }

    /// The highest level of the monitors that it reads.
    #[must_use]
    pub fn level(&self) -> u8 {
        let mut level = 0;
        self.monitors(&mut |monitor| level = level.max(monitor.level));
        level
    }
}

impl PastTest {
    /// What it reads of the history: one value, or two that are compared.
    pub fn recalls(&self) -> impl Iterator<Item = &RecallValue> {
        let second = match &self.relation {
            PastRelation::Compare(_, PastRight::Recall(second)) => Some(second.as_ref()),
            PastRelation::Compare(..) | PastRelation::Formerly => None,
        };
        std::iter::once(&self.recall).chain(second)
    }

    /// The paths of the current event that it reads: those of its ties, and its right operand.
    pub fn paths(&self) -> impl Iterator<Item = &ReadPath> {
        let right = match &self.relation {
            PastRelation::Compare(_, PastRight::Path(path)) => Some(path),
            PastRelation::Compare(..) | PastRelation::Formerly => None,
        };
        self.recalls().flat_map(RecallValue::paths).chain(right)
    }
}

impl LowCond {
    /// Calls `each` with every monitor that it reads, and with whether selections start at it. The conditions of its
    /// patterns follow if `each` says so. Recursion is bounded by the nesting that front ends let through.
    pub fn monitors<'c>(&'c self, each: &mut dyn FnMut(&'c Monitor, bool) -> bool) {
        match self {
            Self::Const(_) | Self::Effects(_) => {}
            Self::All(parts) | Self::Any(parts) => parts.iter().for_each(|part| part.monitors(each)),
            Self::Not(part) => part.monitors(each),
            Self::Some(some) => some.node.cond.monitors(each),
            Self::Past(past) => past.node.recalls().for_each(|read| read.with_inner(each)),
            Self::Test(test) => test.node.recalls().for_each(|read| read.with_inner(each)),
        }
    }
}

impl RecallValue {
    /// The monitors at which its selection starts.
    pub fn anchors(&self) -> impl Iterator<Item = &Monitor> {
        let restarts = self.pattern.monitor.anchors.iter();
        restarts.chain(self.since.iter().map(|tied| &tied.monitor)).map(|monitor| &**monitor)
    }

    fn with_inner<'c>(&'c self, each: &mut dyn FnMut(&'c Monitor, bool) -> bool) {
        let pattern: &Monitor = &self.pattern.monitor;
        for (monitor, is_anchor) in
            [(pattern, false)].into_iter().chain(self.anchors().map(|one| (one, true)))
        {
            if each(monitor, is_anchor) {
                monitor.watches.iter().for_each(|watch| watch.cond.monitors(each));
            }
        }
    }
}
