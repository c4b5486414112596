//! What the rows about the history mean: code generation writes them, the verifier, the evaluator and the disassembler
//! read them.

use hookc_base::{MonitorTag, OtherTag, PartitionTag, RecallTag, RelationTag};
use hookc_history::{CellId, Kind, Verdicts};

use super::{Cell, HookTest, INLINE, NONE, Range, Recall, U32, Watch};

/// A value of an event in a row of ties.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TieValue {
    /// The value of a slot, at most one.
    Slot(u32),
    /// The nodes of a query.
    Query(u32),
}

impl TieValue {
    /// The number in the index table.
    #[must_use]
    pub const fn number(self) -> u32 {
        match self {
            Self::Slot(slot) => slot,
            Self::Query(query) => query | INLINE,
        }
    }

    /// The value of a number in the index table.
    #[must_use]
    pub const fn from_number(number: u32) -> Self {
        match number {
            query if query & INLINE != 0 => Self::Query(query & !INLINE),
            slot => Self::Slot(slot),
        }
    }
}

/// The content of a row of cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CellForm {
    /// See [`Cell::id`].
    pub id: CellId,
    /// What it keeps.
    pub kind: Kind,
    /// Whose history it belongs to.
    pub partition: PartitionTag,
    /// See [`Cell::level`].
    pub level: u8,
    /// See [`Cell::ties`].
    pub ties: u8,
    /// See [`Cell::kept`].
    pub kept: u32,
    /// See [`Cell::anchors`].
    pub anchors: Range,
    /// Milliseconds of the longest window that is read; `None` if one has no end.
    pub retention: Option<u32>,
}

impl Cell {
    /// The row of a form.
    #[must_use]
    pub fn new(form: &CellForm) -> Self {
        let (tag, capacity, values) = match form.kind {
            Kind::Recent { capacity } => (MonitorTag::Recent, u32::from(capacity), 0),
            Kind::Differing { conjuncts } => (MonitorTag::Differing, u32::from(conjuncts), 0),
            Kind::Counter => (MonitorTag::Counter, 0, 0),
            Kind::Total => (MonitorTag::Total, 0, 0),
            Kind::Sums => (MonitorTag::Sums, 0, 0),
            Kind::Distinct { capacity } => (MonitorTag::Distinct, u32::from(capacity), 0),
            Kind::Last { capacity, values } => (MonitorTag::Last, u32::from(capacity), u32::from(values)),
        };
        Self {
            id: form.id.0,
            kind: tag.number(),
            partition: form.partition.number(),
            level: form.level,
            ties: form.ties,
            capacity: capacity.into(),
            kept: form.kept.into(),
            values: values.into(),
            anchors: form.anchors,
            retention: form.retention.unwrap_or(NONE).into(),
        }
    }

    /// The form of the row; `None` for one that no verified module has.
    #[must_use]
    pub fn form(&self) -> Option<CellForm> {
        let kind = self.monitor_kind()?;
        let partition = PartitionTag::from_number(self.partition)?;
        let form = CellForm {
            id: CellId(self.id),
            kind,
            partition,
            level: self.level,
            ties: self.ties,
            kept: self.kept.get(),
            anchors: self.anchors,
            retention: Some(self.retention.get()).filter(|retention| *retention != NONE),
        };
        (Self::new(&form) == *self).then_some(form)
    }

    /// What it keeps; `None` for a kind that is not valid.
    #[must_use]
    pub(crate) fn monitor_kind(&self) -> Option<Kind> {
        let capacity = || u16::try_from(self.capacity.get()).ok();
        let small = |number: U32| u8::try_from(number.get()).ok();
        let kind = match MonitorTag::from_number(self.kind)? {
            MonitorTag::Recent => Kind::Recent { capacity: capacity()? },
            MonitorTag::Differing => Kind::Differing { conjuncts: small(self.capacity)? },
            MonitorTag::Counter => Kind::Counter,
            MonitorTag::Total => Kind::Total,
            MonitorTag::Sums => Kind::Sums,
            MonitorTag::Distinct => Kind::Distinct { capacity: capacity()? },
            MonitorTag::Last => Kind::Last { capacity: small(self.capacity)?, values: small(self.values)? },
        };
        kind.is_valid().then_some(kind)
    }
}

impl Watch {
    /// What it tests.
    #[must_use]
    pub const fn test(&self) -> HookTest {
        HookTest::from_number(self.cond.get())
    }

    /// The verdicts with which the event is meant; `None` for an unknown bit.
    #[must_use]
    pub fn meant(&self) -> Option<Verdicts> {
        Verdicts::from_bits(self.verdicts)
    }
}

/// How a recall compares its value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Comparison {
    /// How; not [`RelationTag::None`].
    pub relation: RelationTag,
    /// With what.
    pub with: Compared,
}

/// What a recall compares its value with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Compared {
    /// A constant.
    Const(u32),
    /// The value of a slot, which can be one of a bound node.
    Slot(u32),
    /// The value of a lower recall.
    Recall(u32),
}

impl Recall {
    /// A recall of everything that a cell without a tie has.
    #[must_use]
    pub fn new(operator: RecallTag, cell: u32) -> Self {
        let empty = Range { start: U32::ZERO, length: U32::ZERO };
        Self {
            operator: operator.number(),
            relation: RelationTag::None.number(),
            with: OtherTag::Const.number(),
            back: u8::from(operator == RecallTag::Last),
            cell: cell.into(),
            tie: NONE.into(),
            excluded: empty,
            since: empty,
            within: NONE.into(),
            other: NONE.into(),
            value: U32::ZERO,
            now: empty,
        }
    }

    /// With a comparison.
    #[must_use]
    pub fn with_comparison(self, comparison: Comparison) -> Self {
        let (with, other) = match comparison.with {
            Compared::Const(constant) => (OtherTag::Const, constant),
            Compared::Slot(slot) => (OtherTag::Slot, slot),
            Compared::Recall(recall) => (OtherTag::Recall, recall),
        };
        Self { relation: comparison.relation.number(), with: with.number(), other: other.into(), ..self }
    }

    /// How it compares its value; `None` without a relation.
    #[must_use]
    pub fn comparison(&self) -> Option<Comparison> {
        let relation = RelationTag::from_number(self.relation).filter(|tag| *tag != RelationTag::None)?;
        let other = self.other.get();
        let with = match OtherTag::from_number(self.with)? {
            OtherTag::Const => Compared::Const(other),
            OtherTag::Slot => Compared::Slot(other),
            OtherTag::Recall => Compared::Recall(other),
        };
        Some(Comparison { relation, with })
    }

    /// Whether it is a value that slots can have.
    #[must_use]
    pub fn is_value(&self) -> bool {
        self.relation == RelationTag::None.number() && self.operator != RecallTag::Formerly.number()
    }

    /// Whether it can be an anchor: it is of no other scope than the whole history.
    #[must_use]
    pub fn is_anchor(&self) -> bool {
        self.operator == RecallTag::Formerly.number()
            && self.within.get() == NONE
            && self.since.length.get() == 0
            && self.now.length.get() == 0
    }
}
