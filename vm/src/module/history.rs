//! The monitors of a module: their shapes, and which histories an event type concerns.

use std::collections::BTreeSet;

use hookc_base::{Family, PartitionTag};
use hookc_history::{CellId, Shape, fingerprint};

use super::{Module, Tables, row};
use crate::op::{Op, Operand};
use crate::rows::{Cell, Compared, HookTest, NODE, NONE, ParamValue, Row, TemplateForm};

/// The monitors of a module.
#[derive(Debug)]
pub(crate) struct History {
    /// By cell.
    cells: Vec<(PartitionTag, Shape)>,
    /// By partition.
    fingerprints: [u64; 4],
    /// By event type, the partitions in which its events are recorded, as bits.
    recorded: Vec<u8>,
    /// The partitions that have monitors, as bits.
    partitions: u8,
}

impl History {
    pub(super) fn new(tables: &Tables<'_>) -> Self {
        let cells: Vec<_> = tables.cells.iter().filter_map(|cell| shape(tables, cell)).collect();
        let fingerprint_by = |key: PartitionTag| {
            let shapes = cells.iter().filter(|(partition, _)| *partition == key);
            fingerprint(shapes.map(|(_, shape)| shape))
        };
        use PartitionTag::{Agent, Project, Session, User};
        let fingerprints = [Session, Agent, Project, User].map(fingerprint_by);
        let mut recorded = vec![0_u8; if cells.is_empty() { 0 } else { tables.events.len() }];
        for observed in tables.observed {
            let watches = tables.watches_of(observed.watches).iter();
            let partitions = watches.filter_map(|watch| cells.get(watch.cell.get() as usize));
            let bits = partitions.fold(0, |bits, (partition, _)| bits | bit(*partition));
            if let Some(place) = recorded.get_mut(observed.event.get() as usize) {
                *place = bits;
            }
        }
        let partitions = cells.iter().fold(0, |bits, (partition, _)| bits | bit(*partition));
        Self { cells, fingerprints, recorded, partitions }
    }

    /// Whether events of a type, by its row, are recorded in a partition.
    pub(crate) fn records(&self, event: u32, key: PartitionTag) -> bool {
        self.recorded.get(event as usize).is_some_and(|bits| bits & bit(key) != 0)
    }

    pub(crate) fn partition(&self, cell: u32) -> Option<PartitionTag> {
        self.cells.get(cell as usize).map(|(partition, _)| *partition)
    }

    pub(crate) fn shape(&self, cell: u32) -> Option<&Shape> {
        self.cells.get(cell as usize).map(|(_, shape)| shape)
    }

    /// The monitor of an identity, if it is one of the partition.
    pub(crate) fn shape_of(&self, id: CellId, key: PartitionTag) -> Option<&Shape> {
        let at = self.cells.binary_search_by_key(&id, |(_, shape)| shape.id).ok()?;
        self.cells.get(at).filter(|(partition, _)| *partition == key).map(|(_, shape)| shape)
    }

    pub(crate) fn fingerprint(&self, key: PartitionTag) -> u64 {
        self.fingerprints.get(usize::from(key.number())).copied().unwrap_or_default()
    }
}

fn bit(key: PartitionTag) -> u8 {
    1_u8.checked_shl(u32::from(key.number())).unwrap_or(0)
}

fn shape(tables: &Tables<'_>, cell: &Cell) -> Option<(PartitionTag, Shape)> {
    let form = cell.form()?;
    let anchors = tables.indices_of(cell.anchors).iter();
    let anchors =
        anchors.filter_map(|anchor| row(tables.cells, anchor.get())).map(|anchor| CellId(anchor.id));
    let retention = form.retention.map(u64::from);
    Some((form.partition, Shape { id: form.id, kind: form.kind, anchors: anchors.collect(), retention }))
}

/// The slots of the history that actions read.
pub(crate) fn recalled_slots(tables: &Tables<'_>, actions: &[u32]) -> Vec<u32> {
    let mut slots = Vec::new();
    let mut nodes: Vec<u32> = Vec::new();
    let known = actions.iter().filter_map(|action| row(tables.actions, *action));
    for (_, value) in known.flat_map(|action| tables.params_of(&action)) {
        if let ParamValue::Template(node) = value {
            nodes.push(node);
        }
    }
    let mut seen = BTreeSet::new();
    while let Some(node) = nodes.pop() {
        if !seen.insert(node) {
            continue;
        }
        match row(tables.templates, node).and_then(|node| node.form()) {
            Some(TemplateForm::Slot { slot, .. }) if slot >= tables.slots => slots.push(slot),
            Some(TemplateForm::Text(range) | TemplateForm::Array(range)) => {
                nodes.extend(tables.indices_of(range).iter().map(|child| child.get()));
            }
            Some(TemplateForm::Object(range)) => {
                nodes.extend(tables.indices_of(range).iter().skip(1).step_by(2).map(|child| child.get()));
            }
            _ => {}
        }
    }
    slots
}

impl Module {
    /// Whether it has conditions about earlier events.
    #[must_use]
    pub fn has_history(&self) -> bool {
        !self.tables_in_place().cells.is_empty()
    }

    /// Whether its history keeps texts of events.
    #[must_use]
    pub fn keeps_texts(&self) -> bool {
        self.tables_in_place().cells.iter().any(|cell| cell.kept.get() != 0)
    }

    /// Whether it has conditions about the history of a partition.
    #[must_use]
    pub fn has_history_of(&self, key: PartitionTag) -> bool {
        self.has_history() && self.history().partitions & bit(key) != 0
    }

    /// The partitions whose history decisions about an event type read or record, in the order in which a program locks
    /// them. `family` is for names that several vocabularies declare.
    ///
    /// ```
    /// # let module = hookc_vm::Module::load(include_bytes!("../../examples/policy.hookc"))?;
    /// assert!(!module.has_history() && module.observes("PreToolUse", None).is_empty());
    /// # Ok::<(), hookc_vm::LoadError>(())
    /// ```
    #[must_use]
    pub fn observes(&self, event: &str, family: Option<Family>) -> Vec<PartitionTag> {
        let tables = self.tables_in_place();
        let rows = tables.events.iter().enumerate().filter(|(_, row)| {
            tables.str(row.name.get()) == event && family.is_none_or(|family| row.family == family.number())
        });
        let mut reach = Reach { tables, seen: BTreeSet::new(), left: Vec::new(), cells: BTreeSet::new() };
        for (number, event) in rows.filter(|_| self.has_history()) {
            reach.left.extend(tables.hooks_of(event).iter().map(|hook| hook.test()));
            for hook in tables.hooks_of(event) {
                for slot in recalled_slots(tables, &[hook.action.get()]) {
                    reach.slot(slot);
                }
            }
            let observed = u32::try_from(number).ok().and_then(|number| tables.observed_of(number));
            for watch in observed.map(|observed| tables.watches_of(observed.watches)).unwrap_or_default() {
                reach.left.push(watch.test());
                let parts = tables.indices_of(watch.excluded).iter().step_by(2);
                let parts = parts.filter(|test| test.get() != NONE);
                reach.left.extend(parts.map(|test| HookTest::from_number(test.get())));
                reach.cells.insert(watch.cell.get());
            }
        }
        let partitions = reach.all().into_iter().filter_map(|cell| row(tables.cells, cell));
        let partitions = partitions.filter_map(|cell| PartitionTag::from_number(cell.partition));
        partitions.collect::<BTreeSet<_>>().into_iter().collect()
    }
}

/// The cells that conditions read. Rows that are not verified yet can lead in circles.
struct Reach<'t, 'm> {
    tables: &'t Tables<'m>,
    seen: BTreeSet<u32>,
    left: Vec<HookTest>,
    cells: BTreeSet<u32>,
}

impl Reach<'_, '_> {
    fn all(mut self) -> BTreeSet<u32> {
        while let Some(test) = self.left.pop() {
            if !self.seen.insert(test.number()) {
                continue;
            }
            match test {
                HookTest::Cond(cond) => self.cond(cond),
                HookTest::Pred(pred) => {
                    if let Some(row) = row(self.tables.preds, pred) {
                        self.pred(&row);
                    }
                }
            }
        }
        self.cells
    }

    fn cond(&mut self, cond: u32) {
        for code in self.tables.block(cond) {
            match Op::from_number(code.op).map(|op| op.operands().0) {
                Some(Operand::Cond) => self.left.push(HookTest::Cond(code.a.get())),
                Some(Operand::Pred) => self.left.push(HookTest::Pred(code.a.get())),
                _ => {}
            }
        }
    }

    fn pred(&mut self, pred: &Row) {
        let (a, b) = Op::from_number(pred.op).map_or((Operand::None, Operand::None), Op::operands);
        for (kind, number) in [(a, pred.a.get()), (b, pred.b.get())] {
            match kind {
                Operand::Cond => self.left.push(HookTest::Cond(number)),
                Operand::Pred => self.left.push(HookTest::Pred(number)),
                Operand::Recall => self.recall(number),
                Operand::Slot if number != NODE => self.slot(number),
                _ => {}
            }
        }
    }

    fn slot(&mut self, slot: u32) {
        let bounds = u32::try_from(self.tables.bounds.len()).unwrap_or(u32::MAX);
        if let Some(recall) = slot.checked_sub(self.tables.slots.saturating_add(bounds)) {
            self.recall(recall);
        }
    }

    fn recall(&mut self, number: u32) {
        let Some(recall) = row(self.tables.recalls, number) else { return };
        let other = match recall.comparison().map(|comparison| comparison.with) {
            Some(Compared::Recall(other)) => row(self.tables.recalls, other),
            _ => None,
        };
        for read in std::iter::once(recall).chain(other) {
            self.cells.insert(read.cell.get());
            for watch in self.tables.indices_of(read.now) {
                if let Some(watch) = row(self.tables.watches, watch.get()) {
                    self.left.push(watch.test());
                }
            }
        }
    }
}
