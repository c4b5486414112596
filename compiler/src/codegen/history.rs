//! The history: ties, monitors, what is recorded of events, and reads.

use hookc_base::row_number;
use hookc_schema::tree::Op;
use hookc_vm::format::{
    Cell, CellForm, Compared, Comparison, Image, MonitorKind, NONE, Observed, Range, Recall, RecallTag,
    RelationTag, Tie, TieValue, Watch,
};

use super::blocks::Blocks;
use super::tables::{optional, pick};
use crate::fault::Faults;
use crate::plan::{self, Plan, RecallKind};
use crate::rows::{partition, range};

/// Fills the tables but those of what is recorded.
pub(super) fn add(plan: &Plan, image: &mut Image, faults: &Faults) {
    let slots = image.slots;
    for row in &plan.ties {
        let values = pick(image, row.values.iter().map(|value| tie_value(*value, slots).number()));
        image.ties.push(Tie { values, fold: row.fold.into() });
    }
    for row in &plan.cells {
        let cell = cell(row, image, faults);
        image.cells.push(cell);
    }
    for row in &plan.recalls {
        let recall = recall(row, slots, image, faults);
        image.recalls.push(recall);
    }
}

/// Values below bound nodes are numbered after `slots`.
fn tie_value(value: plan::TieValue, slots: u32) -> TieValue {
    match value {
        plan::TieValue::Slot(slot) => TieValue::Slot(slot.0),
        plan::TieValue::Bound(bound) => TieValue::Slot(slots.saturating_add(bound.0)),
        plan::TieValue::Query(query) => TieValue::Query(query.0),
    }
}

/// A length of time, which the checker limits.
fn window(window: u64, faults: &Faults) -> u32 {
    faults.known(u32::try_from(window).ok(), NONE, "a window of time is longer than a module can have")
}

fn cell(row: &plan::Cell, image: &mut Image, faults: &Faults) -> Cell {
    let anchors = pick(image, row.anchors.iter().map(|anchor| row_number(*anchor)));
    let keeps = row.keeps_text && matches!(row.kind, MonitorKind::Last { .. });
    Cell::new(&CellForm {
        id: row.id,
        kind: row.kind,
        partition: partition(row.partition),
        level: row.level,
        ties: faults.known(u8::try_from(row.ties).ok(), 0, "a monitor has more ties than a module can have"),
        kept: u32::from(keeps),
        anchors,
        retention: row.retention.map(|length| window(length, faults)),
    })
}

fn recall(row: &plan::Recall, slots: u32, image: &mut Image, faults: &Faults) -> Recall {
    let (operator, back) = match row.operator {
        RecallKind::Formerly => (RecallTag::Formerly, 0),
        RecallKind::Count => (RecallTag::Count, 0),
        RecallKind::Sum => (RecallTag::Sum, 0),
        RecallKind::Distinct => (RecallTag::Distinct, 0),
        RecallKind::Last(back) => (RecallTag::Last, back),
    };
    let read = Recall {
        back,
        tie: optional(row.tie.map(|tie| tie.0)).into(),
        excluded: pick(image, row.excluded.iter().map(|tie| tie.0)),
        since: pick(image, row.since.iter().map(|anchor| anchor.0)),
        within: row.within.map_or(NONE, |length| window(length, faults)).into(),
        now: pick(image, row.now.iter().map(|watch| row_number(*watch))),
        ..Recall::new(operator, row_number(row.cell))
    };
    match row.relation {
        Some((op, other)) => {
            read.with_comparison(Comparison { relation: relation(op, faults), with: compared(other, slots) })
        }
        None => read,
    }
}

fn relation(op: Op, faults: &Faults) -> RelationTag {
    let tag = match op {
        Op::Eq => Some(RelationTag::Eq),
        Op::Gt => Some(RelationTag::Gt),
        Op::Gte => Some(RelationTag::Gte),
        Op::Lt => Some(RelationTag::Lt),
        Op::Lte => Some(RelationTag::Lte),
        _ => None,
    };
    faults.known(tag, RelationTag::Eq, "what is read of the history is compared with another operator")
}

fn compared(other: plan::Compared, slots: u32) -> Compared {
    match other {
        plan::Compared::Const(id) => Compared::Const(id.0),
        plan::Compared::Slot(slot) => Compared::Slot(slot.0),
        plan::Compared::Bound(bound) => Compared::Slot(slots.saturating_add(bound.0)),
        plan::Compared::Recall(recall) => Compared::Recall(recall.0),
    }
}

/// What is recorded of the events of a type, whose row is the last one.
pub(super) fn observe(plan: &Plan, event: &plan::Event, blocks: &Blocks<'_>, image: &mut Image) {
    if event.watches.is_empty() {
        return;
    }
    let start = image.watches.len();
    for row in &event.watches {
        let watch = watch(plan, row, blocks, image);
        image.watches.push(watch);
    }
    let watches: Range = range(start, image.watches.len());
    let event = row_number(image.events.len().saturating_sub(1)).into();
    image.observed.push(Observed { event, watches, index: NONE.into() });
}

fn watch(plan: &Plan, row: &plan::Watch, blocks: &Blocks<'_>, image: &mut Image) -> Watch {
    let pairs = row.excluded.iter().flat_map(|(cond, tie)| {
        let test = cond.map_or(NONE, |cond| blocks.test(plan, cond).number());
        [test, tie.0]
    });
    let excluded = pick(image, pairs);
    Watch {
        cond: blocks.test(plan, row.cond).number().into(),
        cell: row_number(row.cell).into(),
        tie: optional(row.tie.map(|tie| tie.0)).into(),
        values: optional(row.values.map(|tie| tie.0)).into(),
        excluded,
        verdicts: row.verdicts,
        zero: [0; 3],
    }
}
