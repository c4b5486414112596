//! The history: ties, monitors, what is recorded of events, and reads.

use hookc_base::{MonitorTag, RecallTag};

use super::code::{operand, tests_node};
use super::open::Reach;
use super::{Checked, Claims, Work, ascends, ensure, query, spans, within};
use crate::limits::{HISTORY_DEPTH, HISTORY_TIE_PATHS, HISTORY_VALUES, HISTORY_WINDOW};
use crate::module::{Tables, row};
use crate::op::{Op, Operand};
use crate::rows::{
    Cell, Compared, HookTest, NODE, NONE, Probe, Range, Recall, Row, SectionKind, Tie, TieValue, U32, Watch,
};

/// The number of the first slot of a recall.
fn first_slot(t: &Tables<'_>) -> u32 {
    t.slots.saturating_add(u32::try_from(t.bounds.len()).unwrap_or(u32::MAX))
}

/// The recall of a slot.
pub(super) fn recall_of(t: &Tables<'_>, slot: u32) -> Option<u32> {
    slot.checked_sub(first_slot(t)).filter(|_| slot != NODE)
}

/// Whether a slot is the value of a recall.
pub(super) fn is_value(t: &Tables<'_>, slot: u32) -> bool {
    recall_of(t, slot).and_then(|recall| row(t.recalls, recall)).is_some_and(|recall| recall.is_value())
}

/// Whether a slot is a value of the event, or one of the history that needs no bound node.
pub(super) fn is_closed(t: &Tables<'_>, slot: u32) -> bool {
    slot < t.slots
        || is_value(t, slot) && recall_of(t, slot).is_some_and(|recall| recalled(t, recall).needs == 0)
}

/// The slots that a predicate reads. Those of a predicate about nodes are its own and those of the test of a node.
pub(super) fn slots_of<'t>(t: &'t Tables<'_>, pred: &Row) -> impl Iterator<Item = u32> + use<'t> {
    let inner = |pred: &Row| if pred.op == Op::Any as u8 { row(t.preds, pred.b.get()) } else { None };
    let slots = |pred: Row| {
        let (a, b) = Op::from_number(pred.op).map_or((Operand::None, Operand::None), Op::operands);
        [(a, pred.a.get()), (b, pred.b.get())]
            .into_iter()
            .filter(|(kind, slot)| *kind == Operand::Slot && *slot != NODE)
            .map(|(_, slot)| slot)
    };
    std::iter::once(*pred).chain(inner(pred)).flat_map(slots)
}

/// Whether a predicate reads values of recalls, so that only `recalled` tests it.
pub(super) fn reads_recall(t: &Tables<'_>, pred: &Row) -> bool {
    !t.recalls.is_empty() && slots_of(t, pred).any(|slot| recall_of(t, slot).is_some())
}

/// Whether a predicate has a truth by itself: it neither tests a node nor reads values of recalls.
pub(super) fn is_whole(t: &Tables<'_>, pred: &Row) -> bool {
    !tests_node(pred) && !reads_recall(t, pred)
}

/// The rows about the history, apart from the conditions of watches.
pub(super) fn history(t: &Tables<'_>, work: &mut Work) -> Checked {
    if t.cells.is_empty() && t.recalls.is_empty() && t.watches.is_empty() && t.ties.is_empty() {
        return ensure(t.observed.is_empty(), SectionKind::Observed, 0, "an event type without watches");
    }
    let bound = query::bound_values(t, work)?;
    for (row, tie) in t.ties.iter().enumerate() {
        self::tie(t, row, tie, &bound, work)?;
    }
    cells(t, work)?;
    for (row, watch) in t.watches.iter().enumerate() {
        self::watch(t, row, watch, work)?;
    }
    for (row, read) in t.recalls.iter().enumerate() {
        recall(t, row, read, &bound, work)?;
    }
    observed(t)
}

/// A few values, each a slot or the nodes of a query that starts at a slot of the event.
fn tie(t: &Tables<'_>, row: usize, tie: &Tie, bound: &[bool], work: &mut Work) -> Checked {
    let bad = |good, what| ensure(good, SectionKind::Ties, row, what);
    bad(spans(tie.values, t.indices), "values out of range")?;
    let values = t.indices_of(tie.values);
    bad((1..=HISTORY_VALUES).contains(&values.len()), "no value, or too many")?;
    work.charge(size_of_val(values))?;
    let is_known = |value: &U32| match TieValue::from_number(value.get()) {
        TieValue::Slot(slot) => match slot.checked_sub(t.slots) {
            None => true,
            Some(row) => bound.get(row as usize) == Some(&true),
        },
        TieValue::Query(query) => {
            t.queries.get(query as usize).is_some_and(|query| query.slot.get() < t.slots)
        }
    };
    bad(values.iter().all(is_known), "a value out of range")?;
    let folded = tie.fold.get().checked_shr(u32::try_from(values.len()).unwrap_or(u32::MAX));
    bad(folded.unwrap_or_default() == 0, "an unknown bit")
}

fn cells(t: &Tables<'_>, work: &mut Work) -> Checked {
    let mut before = None;
    for (row, cell) in t.cells.iter().enumerate() {
        let bad = |good, what| ensure(good, SectionKind::Cells, row, what);
        bad(before.is_none_or(|before: [u8; 8]| before < cell.id), "not above the cell before it")?;
        before = Some(cell.id);
        let form = cell.form();
        bad(form.is_some(), "not a kind of cells, or a capacity beyond its limit")?;
        bad(cell.level < HISTORY_DEPTH, "nested too deep")?;
        bad(usize::from(cell.ties) <= HISTORY_TIE_PATHS, "a tie of too many values")?;
        let kept = cell.kept.get().checked_shr(cell.values.get()).unwrap_or_default();
        bad(kept == 0, "an unknown bit")?;
        let retention = cell.retention.get();
        bad(retention == NONE || (1..=HISTORY_WINDOW).contains(&retention), "a window beyond the limit")?;
        bad(spans(cell.anchors, t.indices), "anchors out of range")?;
        let anchors = t.indices_of(cell.anchors);
        work.charge(size_of_val(anchors))?;
        bad(
            anchors.len() <= hookc_history::limits::ANCHORS && ascends(anchors),
            "too many anchors, or not ascending",
        )?;
        let restarts =
            matches!(MonitorTag::from_number(cell.kind), Some(MonitorTag::Counter | MonitorTag::Total));
        bad(restarts || anchors.is_empty(), "anchors of a kind that has none")?;
        let is_anchor = |anchor: &Cell| {
            anchor.kind == MonitorTag::Recent.number()
                && anchor.ties == 0
                && anchor.partition == cell.partition
        };
        let known = |number: &U32| t.cells.get(number.get() as usize).is_some_and(is_anchor);
        bad(anchors.iter().all(known), "not an anchor")?;
    }
    Ok(())
}

/// The rows that a watch names, apart from its condition.
fn watch(t: &Tables<'_>, row: usize, watch: &Watch, work: &mut Work) -> Checked {
    let bad = |good, what| ensure(good, SectionKind::Watches, row, what);
    let cell = t.cells.get(watch.cell.get() as usize);
    bad(cell.is_some(), "the cell is out of range")?;
    let Some(cell) = cell else { return Ok(()) };
    bad(watch.zero == [0; 3], "a reserved field is not zero")?;
    bad(watch.meant().is_some() && watch.verdicts != 0, "no verdict, or an unknown one")?;
    bad(is_side(t, cell, watch.tie), "not a side of the cell's tie")?;
    let (least, most) = match MonitorTag::from_number(cell.kind) {
        Some(MonitorTag::Total | MonitorTag::Sums) => (1, 1),
        Some(MonitorTag::Distinct) => (1, HISTORY_TIE_PATHS),
        Some(MonitorTag::Last) => (cell.values.get() as usize, cell.values.get() as usize),
        _ => (0, 0),
    };
    let values =
        if watch.values.get() == NONE { Some(0) } else { values_of(t, watch.values).map(<[_]>::len) };
    bad(values.is_some_and(|values| (least..=most).contains(&values)), "not the values that the cell keeps")?;
    if cell.kind == MonitorTag::Last.number() {
        let single = |value: &U32| matches!(TieValue::from_number(value.get()), TieValue::Slot(_));
        let values = values_of(t, watch.values).unwrap_or_default();
        bad(values.iter().all(single), "a value that can be several")?;
    }
    bad(closed_tie(t, watch.tie) && closed_tie(t, watch.values), "a value of a bound node")?;
    bad(spans(watch.excluded, t.indices), "conjuncts out of range")?;
    let excluded = t.indices_of(watch.excluded);
    work.charge(size_of_val(excluded))?;
    bad(excluded.len() == conjuncts(cell).saturating_mul(2), "not the conjuncts of the cell")?;
    let is_conjunct =
        |pair: &[U32]| matches!(pair, [_, tie] if values_of(t, *tie).is_some() && closed_tie(t, *tie));
    bad(excluded.chunks(2).all(is_conjunct), "not a conjunct")
}

fn conjuncts(cell: &Cell) -> usize {
    if cell.kind == MonitorTag::Differing.number() { cell.capacity.get() as usize } else { 0 }
}

fn values_of<'t>(t: &Tables<'t>, tie: U32) -> Option<&'t [U32]> {
    row(t.ties, tie.get()).map(|tie| t.indices_of(tie.values))
}

/// Whether a row of ties is a side of the tie of a cell, or both have none.
fn is_side(t: &Tables<'_>, cell: &Cell, tie: U32) -> bool {
    match tie.get() {
        NONE => cell.ties == 0,
        _ => values_of(t, tie).is_some_and(|values| values.len() == usize::from(cell.ties)),
    }
}

/// Whether no value of a tie is one of a bound node.
fn closed_tie(t: &Tables<'_>, tie: U32) -> bool {
    tie_needs(t, tie) == 0
}

/// Whether a probe can have a row of ties: none, or one of values of the event.
pub(super) fn is_event_tie(t: &Tables<'_>, tie: U32) -> bool {
    tie.get() == NONE || within(tie, t.ties) && closed_tie(t, tie)
}

/// Whether a monitor can be what a probe looks for.
pub(super) fn is_waited_for(t: &Tables<'_>, probe: &Probe, cell: U32) -> bool {
    row(t.cells, cell.get()).is_some_and(|cell| cell.partition == probe.step && is_side(t, &cell, probe.slot))
}

/// The quantifiers that the values of a tie need.
fn tie_needs(t: &Tables<'_>, tie: U32) -> u32 {
    let values = values_of(t, tie).unwrap_or_default().iter();
    values
        .map(|value| match TieValue::from_number(value.get()) {
            TieValue::Slot(slot) => slot_needs(t, slot),
            TieValue::Query(_) => 0,
        })
        .max()
        .unwrap_or_default()
}

/// The quantifiers that a slot of the event or of a bound node needs.
pub(super) fn slot_needs(t: &Tables<'_>, slot: u32) -> u32 {
    let bound = slot.checked_sub(t.slots).filter(|_| slot != NODE);
    let bound = bound.and_then(|row| t.bounds.get(row as usize));
    bound.map_or(0, |bound| bound.up.get().saturating_add(1))
}

/// A read fits its cell, and refers to lower ones.
fn recall(t: &Tables<'_>, row: usize, recall: &Recall, bound: &[bool], work: &mut Work) -> Checked {
    let bad = |good, what| ensure(good, SectionKind::Recalls, row, what);
    let cell = t.cells.get(recall.cell.get() as usize);
    bad(cell.is_some(), "the cell is out of range")?;
    let (Some(cell), Some(operator)) = (cell, RecallTag::from_number(recall.operator)) else {
        return bad(false, "an unknown operator");
    };
    bad(fits(operator, recall, cell), "an operator that the cell does not answer")?;
    bad(is_side(t, cell, recall.tie), "not a side of the cell's tie")?;
    let within = recall.within.get();
    bad(within == NONE || (1..=HISTORY_WINDOW).contains(&within), "a window beyond the limit")?;
    let ranges = [recall.excluded, recall.since, recall.now];
    bad(ranges.iter().all(|range| spans(*range, t.indices)), "a range out of range")?;
    ranges.iter().try_for_each(|range| work.charge(size_of_val(t.indices_of(*range))))?;
    let excluded = t.indices_of(recall.excluded);
    bad(excluded.len() == conjuncts(cell), "not the conjuncts of the cell")?;
    bad(excluded.iter().all(|tie| self::within(*tie, t.ties)), "a conjunct out of range")?;
    let since = t.indices_of(recall.since);
    bad(since.len() <= hookc_history::limits::ANCHORS, "too many anchors")?;
    let anchor = |number: &U32| {
        let lower = t.recalls.get(..row).and_then(|lower| lower.get(number.get() as usize));
        let of_partition = |anchor: &Recall| {
            t.cells.get(anchor.cell.get() as usize).is_some_and(|other| other.partition == cell.partition)
        };
        lower.is_some_and(|anchor| anchor.is_anchor() && of_partition(anchor))
    };
    bad(since.iter().all(anchor), "not an anchor, or not a lower one")?;
    bad(compared(t, row, recall, bound), "a comparison that is not valid, or out of range")?;
    now(t, row, recall)
}

/// Whether an operator reads such a cell, and the fields for it are set.
fn fits(operator: RecallTag, recall: &Recall, cell: &Cell) -> bool {
    let kind = MonitorTag::from_number(cell.kind);
    let is_last = operator == RecallTag::Last;
    let place = if is_last {
        (1..=cell.capacity.get()).contains(&u32::from(recall.back)) && recall.value.get() < cell.values.get()
    } else {
        recall.back == 0 && recall.value.get() == 0
    };
    place
        && match operator {
            RecallTag::Formerly => {
                matches!(kind, Some(MonitorTag::Recent | MonitorTag::Differing)) && recall.relation == 0
            }
            RecallTag::Count => matches!(kind, Some(MonitorTag::Recent | MonitorTag::Counter)),
            RecallTag::Sum => matches!(kind, Some(MonitorTag::Total | MonitorTag::Sums)),
            RecallTag::Distinct => kind == Some(MonitorTag::Distinct),
            RecallTag::Last => kind == Some(MonitorTag::Last) && recall.relation == 0,
        }
}

/// Whether what a recall is compared with is there.
fn compared(t: &Tables<'_>, row: usize, recall: &Recall, bound: &[bool]) -> bool {
    let Some(comparison) = recall.comparison() else {
        return (recall.relation, recall.with, recall.other.get()) == (0, 0, NONE);
    };
    match comparison.with {
        Compared::Const(constant) => operand(t, Operand::Const, constant, None),
        Compared::Slot(slot) => match slot.checked_sub(t.slots) {
            None => true,
            Some(row) => bound.get(row as usize) == Some(&true),
        },
        Compared::Recall(other) => {
            let lower = t.recalls.get(..row).and_then(|lower| lower.get(other as usize));
            lower.is_some_and(|lower| lower.is_value() && lower.operator != RecallTag::Last.number())
        }
    }
}

/// The watches that add the current event feed the cells that are read.
fn now(t: &Tables<'_>, row: usize, recall: &Recall) -> Checked {
    let bad = |good, what| ensure(good, SectionKind::Recalls, row, what);
    let watches = t.indices_of(recall.now);
    bad(ascends(watches), "watches that do not ascend")?;
    let feeds = |number: &U32| {
        let watch = t.watches.get(number.get() as usize);
        watch.is_some_and(|watch| cells_of(t, recall).any(|cell| cell == watch.cell.get()))
    };
    bad(watches.iter().all(feeds), "a watch out of range, or of another cell")
}

/// The cells that a recall reads, apart from the recall that it is compared with.
fn cells_of<'t>(t: &'t Tables<'_>, recall: &Recall) -> impl Iterator<Item = u32> + use<'t> {
    let since = t.indices_of(recall.since).iter().filter_map(|number| row(t.recalls, number.get()));
    let anchors = row(t.cells, recall.cell.get()).map_or(&[][..], |cell| t.indices_of(cell.anchors));
    let since = since.map(|anchor| anchor.cell.get());
    std::iter::once(recall.cell.get()).chain(since).chain(anchors.iter().map(|cell| cell.get()))
}

/// What a read needs: quantifiers, and a level above those of its cells. The rows are verified.
pub(super) fn recalled(t: &Tables<'_>, number: u32) -> Reach {
    let Some(recall) = row(t.recalls, number) else { return Reach::default() };
    let other = match recall.comparison().map(|comparison| comparison.with) {
        Some(Compared::Recall(other)) => {
            row(t.recalls, other).map_or_else(Reach::default, |other| single(t, &other))
        }
        Some(Compared::Slot(slot)) => Reach { needs: slot_needs(t, slot), ..Reach::default() },
        _ => Reach::default(),
    };
    single(t, &recall).and(other)
}

/// Like the above, without what it is compared with.
fn single(t: &Tables<'_>, recall: &Recall) -> Reach {
    let since = t.indices_of(recall.since).iter().filter_map(|number| row(t.recalls, number.get()));
    let sides = std::iter::once(*recall).chain(since);
    let needs = sides.flat_map(|side| {
        let excluded = t.indices_of(side.excluded).iter().copied();
        std::iter::once(side.tie).chain(excluded).map(|tie| tie_needs(t, tie))
    });
    let levels = cells_of(t, recall).filter_map(|cell| row(t.cells, cell)).map(|cell| cell.level);
    let level = levels.map(|level| level.saturating_add(1)).max().unwrap_or_default();
    Reach { needs: needs.max().unwrap_or_default(), level, ..Reach::default() }
}

/// The tests of a watch: its condition, and the other parts of its conjuncts.
pub(super) fn tests_of<'t>(t: &Tables<'t>, watch: &Watch) -> impl Iterator<Item = HookTest> + use<'t> {
    let parts = t.indices_of(watch.excluded).iter().step_by(2).filter(|test| test.get() != NONE);
    std::iter::once(watch.test()).chain(parts.map(|test| HookTest::from_number(test.get())))
}

/// The tests of a watch are rows that have a truth by themselves.
pub(super) fn watch_tests(t: &Tables<'_>, row: usize, watch: &Watch) -> Checked {
    let known = |test: HookTest| match test {
        HookTest::Cond(cond) => (cond as usize) < t.conds.len(),
        HookTest::Pred(pred) => t.preds.get(pred as usize).is_some_and(|pred| is_whole(t, pred)),
    };
    let what = "a condition is out of range, or tests a node";
    ensure(tests_of(t, watch).all(known), SectionKind::Watches, row, what)
}

/// What the tests of a watch reach fits its cell.
pub(super) fn watch_reach(t: &Tables<'_>, row: usize, watch: &Watch, reach: Reach) -> Checked {
    let bad = |good, what| ensure(good, SectionKind::Watches, row, what);
    bad(reach.needs == 0, "the condition reads a bound node")?;
    let level = t.cells.get(watch.cell.get() as usize).map_or(0, |cell| cell.level);
    bad(reach.level <= level, "the condition reads a cell that is not below its own")
}

/// Event types that are recorded ascend, and share all watches among them.
fn observed(t: &Tables<'_>) -> Checked {
    let mut claims = Claims::new(t.watches.len());
    let mut before = None;
    for (row, observed) in t.observed.iter().enumerate() {
        let bad = |good, what| ensure(good, SectionKind::Observed, row, what);
        bad(within(observed.event, t.events), "the event type is out of range")?;
        let event = observed.event.get();
        bad(before.is_none_or(|before| before < event), "not above the event type before it")?;
        before = Some(event);
        bad(observed.watches.length.get() > 0, "an event type without watches")?;
        bad(claims.take(observed.watches), "watches out of range, or another event type's")?;
    }
    ensure(claims.all(), SectionKind::Watches, t.watches.len(), "a watch belongs to no event type")
}

/// The watches of an event type, with their numbers.
pub(super) fn watches_of<'t>(t: &Tables<'t>, event: u32) -> impl Iterator<Item = (u32, &'t Watch)> + use<'t> {
    let range = t.observed_of(event).map_or(Range { start: U32::ZERO, length: U32::ZERO }, |row| row.watches);
    (range.start.get()..).zip(t.watches_of(range))
}
