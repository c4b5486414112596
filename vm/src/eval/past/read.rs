//! Reading a recall: the cells of its pattern and its anchors, for the current event.

use std::cmp::Ordering;

use hookc_base::{PartitionTag, RecallTag, RelationTag};
use hookc_history::{
    Bounds, CellId, Decimal, Feed, History, Key, Keys, Kind, LastValue, Selection, Tied, Truth,
};

use super::super::kleene::Kleene;
use super::super::machine::Machine;
use super::value::Recalled;
use crate::event::Item;
use crate::history::{Cause, Why};
use crate::module::row;
use crate::rows::{Compared, Comparison, NONE, Recall, TieValue, U32};
use crate::stop::StopReason;

/// A monitor with the current side of its tie.
struct Side {
    id: CellId,
    kind: Kind,
    keys: Keys,
    excluded: Vec<Vec<Key>>,
}

impl Side {
    fn tied(&self) -> Tied<'_> {
        Tied { id: self.id, kind: self.kind, keys: &self.keys, excluded: &self.excluded }
    }
}

/// A number between two bounds; without an upper bound if any number of events can be missing.
struct Number {
    low: Decimal,
    high: Option<Decimal>,
}

/// A number that another one is compared with.
#[derive(Clone)]
enum Bound {
    Exact(Decimal),
    /// One with more digits than a sum has.
    Long(String),
}

impl Bound {
    fn new(text: &str) -> Self {
        Decimal::parse(text).map_or_else(|| Self::Long(text.to_owned()), Self::Exact)
    }

    /// How a number compares with this one.
    fn order(&self, number: Decimal) -> Ordering {
        match self {
            Self::Exact(exact) => number.order(*exact),
            Self::Long(text) => number.compare(text),
        }
    }
}

/// What a read gives, or why it is unknown.
pub(super) type Read<T> = Result<Result<T, Cause>, StopReason>;

macro_rules! known {
    ($read:expr) => {
        match $read {
            Ok(value) => value,
            Err(cause) => return Ok(Err(cause)),
        }
    };
}

impl Machine<'_> {
    /// Whether a recall is true.
    pub(super) fn truth_of_recall(&mut self, recall: &Recall) -> Result<Kleene, StopReason> {
        let comparison = recall.comparison();
        let read = match comparison {
            Some(comparison) => self.compared_recall(recall, comparison)?,
            None => self.read(recall, &|history, selection, _| match history.formerly(selection) {
                Truth::True => Some(true),
                Truth::False => Some(false),
                Truth::Unknown => None,
            })?,
        };
        Ok(match read {
            Ok(true) => Kleene::True,
            Ok(false) => Kleene::False,
            Err(cause) => Kleene::Unknown(cause),
        })
    }

    /// The value of a recall.
    pub(super) fn value_of(&mut self, number: u32) -> Read<Recalled> {
        let recall = row(self.view.tables.recalls, number).ok_or(StopReason::Unverified)?;
        let (back, value) = (usize::from(recall.back), recall.value.get() as usize);
        let operator = RecallTag::from_number(recall.operator).ok_or(StopReason::Unverified)?;
        let count = |bounds: Bounds| bounds.known().map(|number| Recalled::Number(number.to_string()));
        self.read(&recall, &|history, selection, _| match operator {
            RecallTag::Count => count(history.count(selection)),
            RecallTag::Distinct => count(history.distinct(selection)),
            RecallTag::Sum => history.sum(selection).map(|sum| Recalled::Number(sum.to_string())),
            RecallTag::Last => match history.last(selection, back, value) {
                LastValue::Unknown => None,
                LastValue::Absent => Some(Recalled::Absent),
                LastValue::Known(found) => Some(Recalled::new(&found)),
            },
            RecallTag::Formerly => None,
        })
    }

    fn compared_recall(&mut self, recall: &Recall, comparison: Comparison) -> Read<bool> {
        let right = match comparison.with {
            Compared::Const(constant) => number(self.view.tables.constant(constant)),
            Compared::Slot(slot) => {
                let mut found = None;
                self.each_value(TieValue::Slot(slot), &mut |item| {
                    found = number(item);
                    false
                })?;
                found
            }
            Compared::Recall(other) => {
                let other = row(self.view.tables.recalls, other).ok_or(StopReason::Unverified)?;
                let Number { low, high } = known!(self.number_of(&other)?);
                Some((Bound::Exact(low), high.map(Bound::Exact)))
            }
        };
        // What is no number is neither equal to one nor in an order with it.
        let Some(right) = right else { return Ok(Ok(false)) };
        let left = known!(self.number_of(recall)?);
        let key = self.partition_of(recall)?;
        Ok(relate(comparison.relation, &left, &right).ok_or(Cause { key, why: Why::Incomplete }))
    }

    fn number_of(&mut self, recall: &Recall) -> Read<Number> {
        let operator = RecallTag::from_number(recall.operator).ok_or(StopReason::Unverified)?;
        self.read(recall, &|history, selection, _| match operator {
            RecallTag::Count => bounded(history.count(selection)),
            RecallTag::Distinct => bounded(history.distinct(selection)),
            RecallTag::Sum => history.sum(selection).map(|sum| Number { low: sum, high: Some(sum) }),
            RecallTag::Formerly | RecallTag::Last => None,
        })
    }

    fn partition_of(&self, recall: &Recall) -> Result<PartitionTag, StopReason> {
        let cell = row(self.view.tables.cells, recall.cell.get()).ok_or(StopReason::Unverified)?;
        PartitionTag::from_number(cell.partition).ok_or(StopReason::Unverified)
    }

    /// What `find` finds in the selection of a recall, if that is known.
    pub(super) fn read<T>(
        &mut self,
        recall: &Recall,
        find: &dyn Fn(&History<'_>, &Selection<'_>, u64) -> Option<T>,
    ) -> Read<T> {
        let key = self.partition_of(recall)?;
        let (partition, time, secret) = known!(self.part(key));
        let crowded = Cause { key, why: Why::Crowded };
        let Some(pattern) = self.side(recall, secret)? else { return Ok(Err(crowded)) };
        let mut anchors = Vec::new();
        for number in self.view.tables.indices_of(recall.since) {
            let anchor = row(self.view.tables.recalls, number.get()).ok_or(StopReason::Unverified)?;
            let Some(anchor) = self.side(&anchor, secret)? else { return Ok(Err(crowded)) };
            anchors.push(anchor);
        }
        let now = self.now(recall)?;
        let since: Vec<Tied<'_>> = anchors.iter().map(Side::tied).collect();
        let within = Some(u64::from(recall.within.get())).filter(|_| recall.within.get() != NONE);
        let selection = Selection { pattern: pattern.tied(), within, since: &since, now: now.as_deref() };
        let found = find(&partition.at(time), &selection, time);
        Ok(found.ok_or(Cause { key, why: Why::Incomplete }))
    }

    /// The cell of a recall with the keys of the event; `None` if the event has too many.
    fn side(&mut self, recall: &Recall, secret: &hookc_history::Secret) -> Result<Option<Side>, StopReason> {
        let tables = self.view.tables;
        let cell = row(tables.cells, recall.cell.get()).ok_or(StopReason::Unverified)?;
        let kind = cell.monitor_kind().ok_or(StopReason::Unverified)?;
        let keys = match recall.tie.get() {
            NONE => Some(Keys::UNTIED),
            tie => self.keys(tie, secret)?,
        };
        let Some(keys) = keys else { return Ok(None) };
        let mut excluded = Vec::new();
        for tie in tables.indices_of(recall.excluded) {
            let Some(keys) = self.keys(tie.get(), secret)? else { return Ok(None) };
            excluded.push(keys.to_vec());
        }
        Ok(Some(Side { id: CellId(cell.id), kind, keys, excluded }))
    }

    /// With `including now`, what the current event adds to the cells of a recall.
    fn now(&mut self, recall: &Recall) -> Result<Option<Vec<Feed>>, StopReason> {
        let watches = self.view.tables.indices_of(recall.now);
        if watches.is_empty() {
            return Ok(None);
        }
        let mut feeds: Vec<Feed> = Vec::new();
        for watch in watches {
            let Some(feed) = self.feed(watch.get())? else { continue };
            match feeds.iter_mut().find(|other| other.cell == feed.cell) {
                Some(other) => other.unite(feed),
                None => feeds.push(feed),
            }
        }
        Ok(Some(feeds))
    }

    /// Whether a recall reads no bound node, so that it has one value for the event.
    pub(super) fn is_closed(&self, recall: &Recall) -> bool {
        let tables = self.view.tables;
        let is_closed_tie = |tie: U32| row(tables.ties, tie.get()).is_none_or(|tie| self.is_closed_tie(&tie));
        let is_closed_side = |side: &Recall| {
            is_closed_tie(side.tie) && tables.indices_of(side.excluded).iter().all(|tie| is_closed_tie(*tie))
        };
        let read = |number: U32| row(tables.recalls, number.get());
        let other = match recall.comparison().map(|comparison| comparison.with) {
            Some(Compared::Slot(slot)) if slot >= tables.slots => return false,
            Some(Compared::Recall(other)) => row(tables.recalls, other),
            _ => None,
        };
        std::iter::once(*recall).chain(other).all(|recall| {
            let mut since = tables.indices_of(recall.since).iter().filter_map(|number| read(*number));
            is_closed_side(&recall) && since.all(|anchor| is_closed_side(&anchor))
        })
    }
}

fn bounded(bounds: Bounds) -> Option<Number> {
    Some(Number { low: Decimal::from_count(bounds.low), high: bounds.high.map(Decimal::from_count) })
}

/// The bounds of a number of the event: it is known.
fn number(item: Item<'_>) -> Option<(Bound, Option<Bound>)> {
    match item {
        Item::Num(text) => {
            let exact = Bound::new(text);
            Some((exact.clone(), Some(exact)))
        }
        _ => None,
    }
}

/// Whether a relation is true of two numbers, as far as their bounds decide.
fn relate(relation: RelationTag, left: &Number, right: &(Bound, Option<Bound>)) -> Option<bool> {
    let (low, high) = (&right.0, right.1.as_ref());
    // Whether the left number is surely greater, or surely less.
    let order = |wanted: Ordering| -> Option<bool> {
        let (surely, surely_not) = if wanted.is_gt() {
            (
                high.is_some_and(|high| high.order(left.low).is_gt()),
                left.high.is_some_and(|high| low.order(high).is_le()),
            )
        } else {
            (
                left.high.is_some_and(|high| low.order(high).is_lt()),
                high.is_some_and(|high| high.order(left.low).is_ge()),
            )
        };
        if surely { Some(true) } else { surely_not.then_some(false) }
    };
    match relation {
        RelationTag::Gt => order(Ordering::Greater),
        RelationTag::Lt => order(Ordering::Less),
        RelationTag::Gte => order(Ordering::Less).map(|less| !less),
        RelationTag::Lte => order(Ordering::Greater).map(|greater| !greater),
        RelationTag::Eq => match (order(Ordering::Greater), order(Ordering::Less)) {
            (Some(true), _) | (_, Some(true)) => Some(false),
            (Some(false), Some(false)) => Some(true),
            _ => None,
        },
        RelationTag::None => None,
    }
}
