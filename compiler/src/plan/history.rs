//! The history: monitors, what is recorded of events, and reads.
//!
//! All monitors are collected before anything else is planned, because their rows ascend by identity, and because an
//! event type without hooks can feed them.

use std::collections::{BTreeMap, HashSet};
use std::sync::Arc;

use hookc_history::{CellId, Kind};
use hookc_schema::tree::{self, Family, PartitionKey, SharedId};
use hookc_schema::{Code, Diagnostic, Span};
use hookc_vm::format::op::Op;
use hookc_vm::limits::HISTORY_FEEDS;

use super::{BoundId, Builder, CondId, ConstId, Left, Plan, QueryId, RecallId, Right, SlotId, TieId};
use crate::ir::{
    LowCond, Monitor, PastRelation, PastRight, PastTest, ReadPath, RecallValue, Rendered, TiedMonitor,
    Watch as WatchSource,
};
use crate::link::Linked;

/// Values of an event that are used together.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Tie {
    /// The values, at least one.
    pub values: Vec<TieValue>,
    /// Bits by value, from the lowest: a string is compared without regard to case.
    pub fold: u32,
}

/// A value of an event in a [`Tie`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TieValue {
    /// The value of a slot.
    Slot(SlotId),
    /// The nodes of a query.
    Query(QueryId),
    /// A value below a bound node.
    Bound(BoundId),
}

/// A monitor.
#[derive(Clone, Debug, PartialEq)]
pub struct Cell {
    /// Its identity.
    pub id: CellId,
    /// What it keeps.
    pub kind: Kind,
    /// Whose history.
    pub partition: PartitionKey,
    /// Above those of the monitors that the conditions of its watches read.
    pub level: u8,
    /// The paths of its tie.
    pub ties: usize,
    /// Whether it keeps the text of its value.
    pub keeps_text: bool,
    /// The monitors at which it starts again, ascending.
    pub anchors: Vec<usize>,
    /// The longest window in milliseconds; `None` if one has no end.
    pub retention: Option<u64>,
}

/// What is recorded of an event at one event type.
#[derive(Clone, Debug, PartialEq)]
pub struct Watch {
    /// Its condition.
    pub cond: CondId,
    /// The monitor.
    pub cell: usize,
    /// The past side of its tie.
    pub tie: Option<TieId>,
    /// What the monitor keeps of the event.
    pub values: Option<TieId>,
    /// For each conjunct `not (TIES and CONDITION)` the condition, if it has one, and the past side.
    pub excluded: Vec<(Option<CondId>, TieId)>,
    /// Bits of the verdicts.
    pub verdicts: u8,
}

/// A read of a monitor.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Recall {
    /// Which value it is.
    pub operator: RecallKind,
    /// How the value is compared.
    pub relation: Option<(tree::Op, Compared)>,
    /// The monitor.
    pub cell: usize,
    /// The current side of its tie.
    pub tie: Option<TieId>,
    /// The current side of its conjuncts.
    pub excluded: Vec<TieId>,
    /// The anchors, which are reads of their latest event.
    pub since: Vec<RecallId>,
    /// The window in milliseconds.
    pub within: Option<u64>,
    /// The watches that add the current event, ascending.
    pub now: Vec<usize>,
}

/// Which value of its events a read is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RecallKind {
    /// Whether there is one.
    Formerly,
    /// How many there are.
    Count,
    /// The sum of their numbers.
    Sum,
    /// How many different values they have.
    Distinct,
    /// The value of one of the last, from 1.
    Last(u8),
}

/// What the value of a read is compared with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Compared {
    /// A constant.
    Const(ConstId),
    /// The value of a slot.
    Slot(SlotId),
    /// A value below a bound node.
    Bound(BoundId),
    /// A lower read.
    Recall(RecallId),
}

/// The monitors of linked hooks.
#[derive(Debug, Default)]
pub(super) struct Monitors {
    cells: BTreeMap<CellId, Draft>,
    /// By event type, its watches in the order of their rows.
    watches: BTreeMap<(Family, Arc<str>), Vec<WatchDraft>>,
    /// The numbers of the monitors.
    numbers: BTreeMap<CellId, usize>,
    seen: HashSet<SharedId>,
}

#[derive(Debug)]
struct Draft {
    monitor: Arc<Monitor>,
    kind: Kind,
    retention: Option<u64>,
}

/// A watch before it has its row.
#[derive(Clone, Debug)]
pub(super) struct WatchDraft {
    monitor: Arc<Monitor>,
    at: usize,
    /// Its row.
    number: usize,
}

impl WatchDraft {
    pub(super) fn source(&self) -> Option<&WatchSource> {
        self.monitor.watches.get(self.at)
    }
}

impl Monitors {
    /// Collects the monitors that the hooks need. Linear in the conditions.
    pub(super) fn collect(linked: &Linked) -> Self {
        let mut monitors = Self::default();
        for hook in linked.events.iter().flat_map(|event| &event.hooks) {
            monitors.condition(&hook.cond);
            hook.action.params.iter().for_each(|(_, param)| monitors.rendered(&param.value));
        }
        monitors.number();
        monitors
    }

    /// The recursion is as deep as conditions nest, and as history in the conditions of events.
    fn condition(&mut self, cond: &LowCond) {
        if cond.shared().is_some_and(|id| !self.seen.insert(id)) {
            return;
        }
        match cond {
            LowCond::Const(_) | LowCond::Effects(_) => {}
            LowCond::All(parts) | LowCond::Any(parts) => parts.iter().for_each(|part| self.condition(part)),
            LowCond::Not(part) => self.condition(part),
            LowCond::Some(some) => self.condition(&some.node.cond),
            LowCond::Test(test) => test.node.paths().for_each(|path| self.path(path)),
            LowCond::Past(past) => past.node.recalls().for_each(|recall| self.recall(recall)),
        }
    }

    fn rendered(&mut self, value: &Rendered) {
        match value {
            Rendered::Const(_) | Rendered::Because(_) => {}
            Rendered::Slot(path, _) => self.path(path),
            Rendered::Text(parts) | Rendered::Seq(parts) => parts.iter().for_each(|part| self.rendered(part)),
            Rendered::Map(members) => members.iter().for_each(|(_, value)| self.rendered(value)),
        }
    }

    fn path(&mut self, path: &ReadPath) {
        if let ReadPath::Recall(recall) = path {
            self.recall(recall);
        }
    }

    fn recall(&mut self, recall: &RecallValue) {
        recall.monitors(&mut |monitor| self.monitor(monitor));
    }

    fn monitor(&mut self, monitor: &Arc<Monitor>) {
        if let Some(known) = self.cells.get_mut(&monitor.id) {
            known.kind = larger(known.kind, monitor.kind);
            known.retention = known.retention.zip(monitor.retention).map(|(one, other)| one.max(other));
            return;
        }
        let draft = Draft { monitor: Arc::clone(monitor), kind: monitor.kind, retention: monitor.retention };
        self.cells.insert(monitor.id, draft);
        for watch in &monitor.watches {
            self.condition(&watch.cond);
            watch.excluded.iter().for_each(|excluded| self.condition(&excluded.cond));
        }
        monitor.anchors.iter().for_each(|anchor| self.monitor(anchor));
    }

    /// Numbers monitors by their identity, and watches by event type and monitor.
    fn number(&mut self) {
        self.numbers = self.cells.keys().enumerate().map(|(at, id)| (*id, at)).collect();
        for draft in self.cells.values() {
            for (at, watch) in draft.monitor.watches.iter().enumerate() {
                let watches = self.watches.entry((watch.family, Arc::clone(&watch.event))).or_default();
                watches.push(WatchDraft { monitor: Arc::clone(&draft.monitor), at, number: 0 });
            }
        }
        let numbered = self.watches.values_mut().flatten().enumerate();
        numbered.for_each(|(number, watch)| watch.number = number);
    }

    /// The event types that feed monitors.
    pub(super) fn observed(&self) -> impl Iterator<Item = (Family, &str)> {
        self.watches.keys().map(|(family, name)| (*family, &**name))
    }

    /// The watches of an event type.
    pub(super) fn watches_of(&self, family: Family, name: &str) -> Vec<WatchDraft> {
        self.watches.get(&(family, name.into())).cloned().unwrap_or_default()
    }

    fn number_of(&self, monitor: &Monitor) -> Option<usize> {
        self.numbers.get(&monitor.id).copied()
    }

    /// The watches of an event type that feed what a read looks at, ascending.
    fn now(&self, recall: &RecallValue) -> Vec<usize> {
        let Some((family, name)) = &recall.now else { return Vec::new() };
        let mut cells = HashSet::new();
        recall.monitors(&mut |monitor| {
            cells.insert(monitor.id);
        });
        let watches = self.watches.get(&(*family, Arc::clone(name))).into_iter().flatten();
        watches.filter(|watch| cells.contains(&watch.monitor.id)).map(|watch| watch.number).collect()
    }

    /// The rows of the monitors.
    pub(super) fn cells(&self) -> Vec<Cell> {
        let cell = |draft: &Draft| {
            let monitor = &draft.monitor;
            let mut anchors: Vec<usize> =
                monitor.anchors.iter().filter_map(|anchor| self.number_of(anchor)).collect();
            anchors.sort_unstable();
            anchors.dedup();
            Cell {
                id: monitor.id,
                kind: draft.kind,
                partition: monitor.partition,
                level: monitor.level.saturating_sub(1),
                ties: monitor.folds.len(),
                keeps_text: monitor.keeps_text,
                anchors,
                retention: draft.retention,
            }
        };
        self.cells.values().map(cell).collect()
    }
}

/// The most different ties of an event type: the values of each are hashed for every event.
const TIES: usize = 64;

/// Reports an event type whose events would cost too much to record.
pub(super) fn over_limit(name: &str, drafts: &[WatchDraft], watches: &[Watch]) -> Option<Diagnostic> {
    let ties: HashSet<TieId> =
        watches.iter().flat_map(|watch| watch.tie.into_iter().chain(watch.values)).collect();
    let cells: HashSet<usize> = watches.iter().map(|watch| watch.cell).collect();
    let what = if ties.len() > TIES {
        format!("conditions about the past compare more than {TIES} paths of `{name}`")
    } else if cells.len() > HISTORY_FEEDS {
        format!("more than {HISTORY_FEEDS} different conditions about `{name}` in the past")
    } else {
        return None;
    };
    let span = drafts.last().and_then(WatchDraft::source).map_or_else(Span::default, |source| source.span);
    let new = Diagnostic::new(Code::E0703, span, what).with_label("exceeds the limit");
    Some(new.help("compare the same paths in all conditions, or compile several modules"))
}

/// The kind with the larger capacity.
fn larger(one: Kind, other: Kind) -> Kind {
    match (one, other) {
        (Kind::Recent { capacity: a }, Kind::Recent { capacity: b }) => Kind::Recent { capacity: a.max(b) },
        (Kind::Distinct { capacity: a }, Kind::Distinct { capacity: b }) => {
            Kind::Distinct { capacity: a.max(b) }
        }
        (Kind::Last { capacity: a, values }, Kind::Last { capacity: b, .. }) => {
            Kind::Last { capacity: a.max(b), values }
        }
        _ => one,
    }
}

impl Builder {
    /// The condition of a test of the history.
    pub(super) fn past(&mut self, test: &PastTest) -> CondId {
        let relation = match &test.relation {
            PastRelation::Formerly => None,
            PastRelation::Compare(op, right) => Some((*op, self.compared(right))),
        };
        let recall = self.recall(&test.recall, relation);
        self.test_of(Op::Past, Left::Recall(recall), Right::None)
    }

    fn compared(&mut self, right: &PastRight) -> Compared {
        match right {
            PastRight::Value(value) => Compared::Const(self.pool.constant(value)),
            PastRight::Recall(recall) => Compared::Recall(self.recall(recall, None)),
            PastRight::Path(ReadPath::Bound(up, steps)) => Compared::Bound(self.bound(*up, steps, false)),
            PastRight::Path(path) => Compared::Slot(self.slot(path)),
        }
    }

    /// A value of the history.
    pub(super) fn recall_value(&mut self, recall: &RecallValue) -> RecallId {
        self.recall(recall, None)
    }

    fn recall(&mut self, recall: &RecallValue, relation: Option<(tree::Op, Compared)>) -> RecallId {
        let since = recall.since.iter().map(|anchor| self.anchor(anchor)).collect();
        let kind = match recall.pattern.monitor.kind {
            Kind::Last { .. } => RecallKind::Last(recall.back),
            Kind::Total | Kind::Sums => RecallKind::Sum,
            Kind::Distinct { .. } => RecallKind::Distinct,
            Kind::Differing { .. } => RecallKind::Formerly,
            Kind::Counter => RecallKind::Count,
            Kind::Recent { .. } if recall.counts => RecallKind::Count,
            Kind::Recent { .. } => RecallKind::Formerly,
        };
        let row = self.read(&recall.pattern, kind);
        let now = self.monitors.now(recall);
        self.add_recall(Recall { relation, since, within: recall.within, now, ..row })
    }

    /// The read of an anchor: its latest event in the whole history.
    fn anchor(&mut self, anchor: &TiedMonitor) -> RecallId {
        let row = self.read(anchor, RecallKind::Formerly);
        self.add_recall(row)
    }

    fn add_recall(&mut self, recall: Recall) -> RecallId {
        RecallId::new(self.recalls.add(recall))
    }

    fn read(&mut self, tied: &TiedMonitor, operator: RecallKind) -> Recall {
        let monitor = &tied.monitor;
        let cell = self.faults.known(
            self.monitors.number_of(monitor),
            0,
            "a read of a monitor that no condition has",
        );
        let tie = self.tie(&tied.current, &monitor.folds);
        let sides = tied.excluded.iter().zip(&monitor.excluded_folds);
        let excluded = sides.filter_map(|(paths, folds)| self.tie(paths, folds)).collect();
        Recall {
            operator,
            relation: None,
            cell,
            tie,
            excluded,
            since: Vec::new(),
            within: None,
            now: Vec::new(),
        }
    }

    /// One side of a tie; `None` without paths.
    fn tie(&mut self, paths: &[ReadPath], folds: &[bool]) -> Option<TieId> {
        if paths.is_empty() {
            return None;
        }
        let values = paths.iter().map(|path| self.tie_value(path)).collect();
        let bits = folds.iter().enumerate().filter(|(_, fold)| **fold);
        let bit = |at: usize| u32::try_from(at).ok().and_then(|at| 1_u32.checked_shl(at));
        let fold = bits
            .fold(0, |bits, (at, _)| bits | self.faults.known(bit(at), 0, "a tie with more paths than bits"));
        Some(TieId::new(self.ties.add(Tie { values, fold })))
    }

    fn tie_value(&mut self, path: &ReadPath) -> TieValue {
        match path {
            ReadPath::Nodes(nodes) => TieValue::Query(self.nodes(nodes)),
            ReadPath::Bound(up, steps) => TieValue::Bound(self.bound(*up, steps, false)),
            path => TieValue::Slot(self.slot(path)),
        }
    }

    /// The row of what is recorded of an event.
    pub(super) fn watch(&mut self, draft: &WatchDraft) -> Option<Watch> {
        let source = draft.source()?;
        let monitor = Arc::clone(&draft.monitor);
        let cell = self.monitors.number_of(&monitor)?;
        let cond = self.condition(&source.cond);
        let tie = self.tie(&source.keys, &monitor.folds);
        let values = self.tie(&source.values, &[]);
        let mut excluded = Vec::with_capacity(source.excluded.len());
        for (one, folds) in source.excluded.iter().zip(&monitor.excluded_folds) {
            let cond = if one.cond == LowCond::Const(true) { None } else { Some(self.condition(&one.cond)) };
            excluded.extend(self.tie(&one.keys, folds).map(|tie| (cond, tie)));
        }
        Some(Watch { cond, cell, tie, values, excluded, verdicts: source.verdicts.bits() })
    }
}

impl Tie {
    /// The row with other numbers for its slots.
    pub(super) fn renumbered(&self, slot: impl Fn(SlotId) -> SlotId) -> Self {
        let value = |value: &TieValue| match value {
            TieValue::Slot(id) => TieValue::Slot(slot(*id)),
            other => *other,
        };
        Self { values: self.values.iter().map(value).collect(), fold: self.fold }
    }
}

impl Recall {
    /// The row with other numbers for its slot and its constant.
    pub(super) fn renumbered(
        self,
        slot: impl Fn(SlotId) -> SlotId,
        constant: impl Fn(ConstId) -> ConstId,
    ) -> Self {
        let compared = |compared| match compared {
            Compared::Const(id) => Compared::Const(constant(id)),
            Compared::Slot(id) => Compared::Slot(slot(id)),
            other @ (Compared::Bound(_) | Compared::Recall(_)) => other,
        };
        Self { relation: self.relation.map(|(op, other)| (op, compared(other))), ..self }
    }
}

impl Plan {
    /// A monitor as text.
    pub(super) fn cell_text(&self, at: usize) -> String {
        let Some(cell) = self.cells.get(at) else { return String::new() };
        let id: String = cell.id.0.iter().map(|byte| format!("{byte:02x}")).collect();
        let mut out = format!("{id} {} of the {}", kind_text(cell.kind), cell.partition.name());
        if cell.ties > 0 {
            out.push_str(&format!(", {} tied", cell.ties));
        }
        if cell.keeps_text {
            out.push_str(", with its text");
        }
        for anchor in &cell.anchors {
            out.push_str(&format!(", since cell{anchor}"));
        }
        out.extend(cell.retention.map(|window| format!(", within {window} ms")));
        out
    }

    /// A read as text.
    pub(super) fn recall_text(&self, at: usize, constant: impl Fn(ConstId) -> String) -> String {
        let Some(recall) = self.recalls.get(at) else { return String::new() };
        let mut out = format!("{}(cell{}", recall.operator.text(), recall.cell);
        out.extend(recall.tie.map(|tie| format!(" where {tie}")));
        out.extend(recall.excluded.iter().map(|tie| format!(" but {tie}")));
        out.extend(recall.within.map(|window| format!(" within {window} ms")));
        out.extend(recall.since.iter().map(|anchor| format!(" since {anchor}")));
        out.extend(recall.now.iter().map(|watch| format!(" and w{watch}")));
        out.push(')');
        if let Some((op, other)) = recall.relation {
            let other = match other {
                Compared::Const(id) => constant(id),
                Compared::Slot(slot) => slot.to_string(),
                Compared::Bound(bound) => bound.to_string(),
                Compared::Recall(recall) => recall.to_string(),
            };
            out.push_str(&format!(" {} {other}", op.name()));
        }
        out
    }

    /// Values that are used together, as text.
    pub(super) fn tie_text(&self, at: usize) -> String {
        let Some(tie) = self.ties.get(at) else { return String::new() };
        let value = |(at, value): (usize, &TieValue)| {
            let is_folded =
                u32::try_from(at).ok().and_then(|at| tie.fold.checked_shr(at)).unwrap_or(0) & 1 == 1;
            let text = match value {
                TieValue::Slot(slot) => slot.to_string(),
                TieValue::Query(query) => query.to_string(),
                TieValue::Bound(bound) => bound.to_string(),
            };
            if is_folded { format!("{text} nocase") } else { text }
        };
        tie.values.iter().enumerate().map(value).collect::<Vec<_>>().join(", ")
    }
}

impl Watch {
    /// The row as text.
    pub(super) fn text(&self) -> String {
        let mut out = format!("cell{} if {}", self.cell, self.cond);
        out.extend(self.tie.map(|tie| format!(" tie {tie}")));
        for (cond, tie) in &self.excluded {
            out.push_str(&format!(" but {tie}"));
            out.extend(cond.map(|cond| format!(" if {cond}")));
        }
        out.extend(self.values.map(|values| format!(" values {values}")));
        out.push_str(&format!(" verdicts {:04b}", self.verdicts));
        out
    }
}

impl RecallKind {
    fn text(self) -> String {
        match self {
            Self::Formerly => "formerly".to_owned(),
            Self::Count => "count".to_owned(),
            Self::Sum => "sum".to_owned(),
            Self::Distinct => "distinct".to_owned(),
            Self::Last(back) => format!("last {back} "),
        }
    }
}

/// What a monitor keeps, as text.
pub(crate) fn kind_text(kind: Kind) -> String {
    match kind {
        Kind::Recent { capacity } => format!("recent {capacity}"),
        Kind::Differing { conjuncts } => format!("differing {conjuncts}"),
        Kind::Counter => "counter".to_owned(),
        Kind::Total => "total".to_owned(),
        Kind::Sums => "sums".to_owned(),
        Kind::Distinct { capacity } => format!("distinct {capacity}"),
        Kind::Last { capacity, .. } => format!("last {capacity}"),
    }
}
