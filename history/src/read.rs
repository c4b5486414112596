//! Reading a selection: its value, or that it is unknown.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use crate::cell::{Body, Cell};
use crate::decimal::Decimal;
use crate::key::Key;
use crate::limits::Limits;
use crate::monitor::Monitor;
use crate::record::{Feed, Value, Verdict};
use crate::shape::{CellId, Kind};
use crate::stamp::{Bounds, Scope, Stamp, Truth};
use crate::state::State;

/// A monitor, and the current side of its tie.
#[derive(Clone, Copy, Debug)]
pub struct Tied<'a> {
    /// The monitor.
    pub id: CellId,
    /// Its kind.
    pub kind: Kind,
    /// [`Key::UNTIED`] alone without a tie; else each combination of the results of the tie's current side: none if
    /// one is absent.
    pub keys: &'a [Key],
    /// For each conjunct `not (TIES and ...)` the current keys; for [`Kind::Differing`].
    pub excluded: &'a [Vec<Key>],
}

impl Tied<'static> {
    /// A monitor without a tie.
    #[must_use]
    pub fn untied(id: CellId, kind: Kind) -> Self {
        Self { id, kind, keys: &[Key::UNTIED], excluded: &[] }
    }
}

/// What a condition asks for.
#[derive(Clone, Copy, Debug)]
pub struct Selection<'a> {
    /// The pattern.
    pub pattern: Tied<'a>,
    /// The window in milliseconds.
    pub within: Option<u64>,
    /// The anchors: the scope starts at the later one. [`Kind::Counter`] and [`Kind::Total`] have anchors of their own.
    pub since: &'a [Tied<'a>],
    /// With `including now`, what the current event adds to these monitors.
    pub now: Option<&'a [Feed]>,
}

/// The latest match of a pattern.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Latest {
    /// The latest one that is certain.
    pub(crate) certain: Option<Stamp>,
    /// The latest possible one that is not kept.
    pub(crate) possible: Option<Stamp>,
}

/// The cells that a selection looks at.
#[derive(Default)]
struct Found<'a> {
    /// Nearly every event has one key.
    first: Option<Cow<'a, Cell>>,
    rest: Vec<Cow<'a, Cell>>,
    /// The latest event that may be in the selection without being in a cell.
    possible: Option<Stamp>,
}

impl<'a> Found<'a> {
    fn push(&mut self, cell: Cow<'a, Cell>) {
        match self.first {
            Some(_) => self.rest.push(cell),
            None => self.first = Some(cell),
        }
    }

    fn cells(&self) -> impl Iterator<Item = &Cell> {
        self.first.iter().chain(&self.rest).map(|cell| &**cell)
    }

    fn latest(&self, excluded: &[Vec<Key>]) -> Latest {
        let several = excluded.iter().any(|keys| keys.len() > 1);
        let mut latest = Latest { certain: None, possible: self.possible };
        for cell in self.cells() {
            latest.certain = latest.certain.max(cell.latest(excluded));
            if let (Body::Differing(entries), true) = (&cell.body, several) {
                latest.possible = latest.possible.max(entries.pruned);
            }
        }
        latest
    }
}

impl Cell {
    /// The latest match that is kept.
    pub(crate) fn latest(&self, excluded: &[Vec<Key>]) -> Option<Stamp> {
        match &self.body {
            Body::Recent(recent) => recent.last(),
            Body::Differing(entries) => entries.latest(excluded),
            Body::Sums(sums) => sums.last(),
            Body::Last(entries) => entries.back().map(|(stamp, _)| *stamp),
            Body::Distinct(entries) => entries.iter().map(|(stamp, _)| *stamp).max(),
            Body::Counter { .. } | Body::Total(_) => None,
        }
    }
}

/// What [`History::last`] finds.
#[derive(Clone, Debug, PartialEq)]
pub enum LastValue {
    /// It cannot be known.
    Unknown,
    /// There is no such event, or it has no value at the path.
    Absent,
    /// The value.
    Known(Value),
}

/// The history as one event sees it.
#[derive(Clone, Copy, Debug)]
pub struct History<'a> {
    pub(crate) state: &'a State,
    pub(crate) limits: &'a Limits,
    pub(crate) time: u64,
}

impl<'a> History<'a> {
    /// The time of the event.
    #[must_use]
    pub fn time(&self) -> u64 {
        self.time
    }

    /// Calls `each` with the monitors in which a selection with one of these keys may find an event: in all others, it
    /// is empty, and known to be so. `false` if that is not known, because the history began before it was recorded, or
    /// the monitors of the module are not those of the last record; `fingerprint` is that of the module.
    #[must_use]
    pub fn find(&self, fingerprint: u64, keys: &[Key], each: &mut dyn FnMut(CellId)) -> bool {
        let is_known = self.state.unseen.is_none() && self.state.fingerprint == fingerprint;
        if is_known {
            self.state.find(keys, self.time, each);
        }
        is_known
    }

    /// Whether an event is in the selection; for [`crate::Kind::Recent`] and [`crate::Kind::Differing`].
    #[must_use]
    pub fn formerly(&self, selection: &Selection<'_>) -> Truth {
        let latest = self.matches(selection);
        let scope = self.scope(selection);
        if latest.certain.is_some_and(|stamp| scope.surely_contains(stamp)) {
            Truth::True
        } else if scope.may_reach(latest.certain) || scope.may_reach(latest.possible) {
            Truth::Unknown
        } else {
            Truth::False
        }
    }

    /// The latest event that matches the pattern, whatever the scope; for explanations.
    #[must_use]
    pub fn latest(&self, selection: &Selection<'_>) -> Option<Stamp> {
        self.matches(selection).certain
    }

    /// The latest event that matches the pattern, whatever its tie, and had another verdict than the pattern asks for; for
    /// explanations.
    #[must_use]
    pub fn passed_over(&self, selection: &Selection<'_>) -> Option<(Stamp, Verdict)> {
        self.state.monitors.get(&selection.pattern.id)?.passed_over
    }

    /// From when on a monitor has watched: since the first event with the policies that have it.
    #[must_use]
    pub fn watched_since(&self, cell: CellId) -> Stamp {
        self.state.monitors.get(&cell).map_or(self.state.adopted, |monitor| monitor.watched_since)
    }

    fn matches(&self, selection: &Selection<'_>) -> Latest {
        self.found(&selection.pattern, selection.now, 0).latest(selection.pattern.excluded)
    }

    /// How many are; for [`crate::Kind::Recent`], up to its capacity, and [`crate::Kind::Counter`].
    #[must_use]
    pub fn count(&self, selection: &Selection<'_>) -> Bounds {
        if selection.pattern.kind == Kind::Counter {
            return self.counter(selection);
        }
        let found = self.found(&selection.pattern, selection.now, 0);
        let scope = self.scope(selection);
        let recents = || {
            found.cells().filter_map(|cell| match &cell.body {
                Body::Recent(recent) => Some(recent),
                _ => None,
            })
        };
        if found.rest.is_empty() {
            let (low, high) = recents().next().map_or((0, 0), |recent| recent.within(&scope));
            return scope.bounds(low, high, found.possible);
        }
        // An event with several keys is in several cells.
        let merged: BTreeSet<Stamp> = recents().flat_map(|recent| recent.iter()).collect();
        bounds(&scope, found.possible, merged.into_iter())
    }

    /// How many different values; up to the capacity.
    #[must_use]
    pub fn distinct(&self, selection: &Selection<'_>) -> Bounds {
        let found = self.found(&selection.pattern, selection.now, 0);
        let scope = self.scope(selection);
        if let (true, Some(Body::Distinct(entries))) =
            (found.rest.is_empty(), found.first.as_ref().map(|cell| &cell.body))
        {
            return bounds(&scope, found.possible, entries.iter().map(|(stamp, _)| *stamp));
        }
        let mut latest: BTreeMap<Key, Stamp> = BTreeMap::new();
        for cell in found.cells() {
            let Body::Distinct(entries) = &cell.body else { continue };
            for (stamp, value) in entries {
                let last = latest.entry(*value).or_insert(*stamp);
                *last = (*last).max(*stamp);
            }
        }
        bounds(&scope, found.possible, latest.into_values())
    }

    /// The sum of the numbers; `None` if it is unknown.
    #[must_use]
    pub fn sum(&self, selection: &Selection<'_>) -> Option<Decimal> {
        if selection.pattern.kind == Kind::Total {
            return self.total(selection);
        }
        let found = self.found(&selection.pattern, selection.now, 0);
        let scope = self.scope(selection);
        if scope.may_reach(found.possible) {
            return None;
        }
        let sums = || {
            found.cells().filter_map(|cell| match &cell.body {
                Body::Sums(sums) => Some(sums),
                _ => None,
            })
        };
        if found.rest.is_empty() {
            return sums().next().map_or(Some(Decimal::ZERO), |sums| sums.sum(&scope));
        }
        // An event with several keys is in several cells.
        let entries: BTreeMap<Stamp, Decimal> = sums().flat_map(|sums| sums.within(&scope)).collect();
        entries.into_iter().try_fold(Decimal::ZERO, |sum, (stamp, number)| {
            if scope.surely_contains(stamp) { sum.plus(number) } else { None }
        })
    }

    /// The value at a path, by its index, of the `back`-th last event, 1 for the last.
    #[must_use]
    pub fn last(&self, selection: &Selection<'_>, back: usize, path: usize) -> LastValue {
        let found = self.found(&selection.pattern, selection.now, 0);
        let scope = self.scope(selection);
        let mut entries = BTreeMap::new();
        for cell in found.cells() {
            if let Body::Last(kept) = &cell.body {
                entries.extend(kept.iter().map(|(stamp, values)| (*stamp, values)));
            }
        }
        let entry = back.checked_sub(1).and_then(|later| entries.iter().rev().nth(later));
        let entry = entry.filter(|(stamp, _)| scope.may_contain(**stamp));
        let is_later = |stamp: &Stamp| found.possible.is_some_and(|possible| possible.number > stamp.number);
        match entry {
            Some((stamp, _)) if is_later(stamp) || !scope.surely_contains(*stamp) => LastValue::Unknown,
            None if scope.may_reach(found.possible) => LastValue::Unknown,
            Some((_, values)) => {
                values.get(path).cloned().flatten().map_or(LastValue::Absent, LastValue::Known)
            }
            None => LastValue::Absent,
        }
    }

    fn counter(&self, selection: &Selection<'_>) -> Bounds {
        let (low, high, found) = self.restarting(selection);
        let counts = || {
            found.cells().filter_map(|cell| match cell.body {
                Body::Counter { count, start } if start >= low => Some(count),
                _ => None,
            })
        };
        let most = counts().fold(0_u64, u64::saturating_add);
        let least = if high > low { 0 } else { counts().max().unwrap_or(0) };
        let is_open = found.possible.is_some_and(|stamp| stamp.number >= low);
        Bounds { low: least, high: (!is_open).then_some(most) }
    }

    fn total(&self, selection: &Selection<'_>) -> Option<Decimal> {
        let (low, high, found) = self.restarting(selection);
        let is_fed = found.cells().next().is_some();
        if (high > low && is_fed) || found.possible.is_some_and(|stamp| stamp.number >= low) {
            return None;
        }
        let mut sums = found.cells().filter_map(|cell| match &cell.body {
            Body::Total(total) if total.start >= low => Some(total.sum),
            _ => None,
        });
        // The sums of several keys can have events in common.
        let sum = sums.next().unwrap_or(Decimal::ZERO);
        sums.next().is_none().then_some(sum)
    }

    /// The range of a counter's last anchor, and its cells.
    fn restarting(&self, selection: &Selection<'_>) -> (u64, u64, Found<'a>) {
        let anchors = self.state.monitors.get(&selection.pattern.id).map_or(&[][..], |found| &found.anchors);
        let anchors = anchors.iter().map(|id| Tied::untied(*id, Kind::Recent { capacity: 1 }));
        let (low, high) = self.range(anchors, selection.now);
        (low, high, self.found(&selection.pattern, selection.now, low))
    }

    fn scope(&self, selection: &Selection<'_>) -> Scope {
        let (low, high) = self.range(selection.since.iter().copied(), selection.now);
        let not_before = selection.within.map_or(0, |within| self.time.saturating_sub(within));
        Scope { low, high, not_before }
    }

    /// The number of the latest anchor: the certain one, and the latest possible one.
    fn range<'b>(&self, anchors: impl Iterator<Item = Tied<'b>>, now: Option<&[Feed]>) -> (u64, u64) {
        let mut range = (0, 0);
        for anchor in anchors {
            let latest = self.found(&anchor, now, 0).latest(anchor.excluded);
            let number = |stamp: Option<Stamp>| stamp.map_or(0, |stamp| stamp.number);
            range = (range.0.max(number(latest.certain)), range.1.max(number(latest.possible)));
        }
        (range.0, range.0.max(range.1))
    }

    /// The cells of a monitor, with what the current event adds.
    fn found(&self, tied: &Tied<'_>, now: Option<&[Feed]>, start: u64) -> Found<'a> {
        let monitor = self.state.monitors.get(&tied.id);
        let feed = now.and_then(|feeds| feeds.iter().find(|feed| feed.cell == tied.id));
        let feed = feed.and_then(|feed| Some((feed, feed.certainty(Verdict::None)?)));
        let stamp = self.state.next(self.time);
        let unseen = self.state.unseen.map(|time| Stamp { number: 0, time });
        let dropped = monitor.map_or(unseen, |monitor| monitor.dropped);
        let mut found = Found {
            possible: monitor.and_then(|monitor| monitor.uncertain(self.state.last())),
            ..Found::default()
        };
        if feed.is_some_and(|(feed, _)| feed.is_crowded(self.limits.event_keys)) {
            found.possible = Some(stamp);
        }
        for (index, key) in tied.keys.iter().enumerate() {
            if tied.keys.iter().take(index).any(|earlier| earlier == key) {
                continue;
            }
            let cell = monitor.and_then(|monitor| monitor.cells.get(key));
            let cell = match feed.filter(|(feed, _)| feed.keys.contains(key)) {
                Some((feed, certain)) if !feed.is_crowded(self.limits.event_keys) => {
                    let new = || Cell::new(tied.kind, stamp, dropped);
                    let mut cell = cell.map_or_else(new, Cow::into_owned);
                    if certain {
                        cell.feed(stamp, &feed.value, &self.rules(monitor, tied.kind, stamp, start));
                    } else if !feed.is_excluded(tied.excluded) {
                        cell.doubt(stamp);
                    }
                    Some(Cow::Owned(cell))
                }
                _ => cell,
            };
            let possible = cell.as_ref().map_or(dropped, |cell| cell.possible);
            found.possible = found.possible.max(possible);
            cell.into_iter().for_each(|cell| found.push(cell));
        }
        found
    }

    fn rules(&self, monitor: Option<&Monitor>, kind: Kind, stamp: Stamp, start: u64) -> crate::cell::Rules {
        match monitor {
            Some(monitor) => monitor.rules(stamp.time, start, self.limits),
            None => crate::cell::Rules { kind, start, not_before: 0, sum: self.limits.sum },
        }
    }
}

/// How many of these events are in the scope.
fn bounds(scope: &Scope, possible: Option<Stamp>, stamps: impl Iterator<Item = Stamp>) -> Bounds {
    let (mut low, mut high) = (0_usize, 0_usize);
    for stamp in stamps {
        low = low.saturating_add(usize::from(scope.surely_contains(stamp)));
        high = high.saturating_add(usize::from(scope.may_contain(stamp)));
    }
    scope.bounds(low, high, possible)
}
