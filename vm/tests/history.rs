//! The history in the VM: verifier errors.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    reason = "tests"
)]

use crate::common;

use common::{Asm, BOUND, T, opened, range, refused, selector};
use hookc_vm::format::op::Op;
use hookc_vm::format::{
    Cell, CellForm, CellId, Compared, Comparison, HISTORY, Header, HookTest, Image, MonitorKind, NONE,
    Observed, PartitionTag, Range, Recall, RecallTag, RelationTag, Tie, TieValue, Verdicts, Watch,
};
use hookc_vm::limits::HISTORY_DEPTH;
use hookc_vm::{Family, LoadError, Mode, Module, Strategy};
use zerocopy::FromBytes;

const LATEST: MonitorKind = MonitorKind::Recent { capacity: 1 };

/// What a test adds to the tables about the history. Ties are values, as slots of the finished image.
#[derive(Default)]
struct History {
    ties: Vec<(Vec<TieValue>, u32)>,
    cells: Vec<CellForm>,
    watches: Vec<Watch>,
    recalls: Vec<Recall>,
}

/// A range of the index table with these numbers.
fn pick(image: &mut Image, numbers: &[u32]) -> Range {
    let start = image.indices.len();
    image.indices.extend(numbers.iter().map(|number| zerocopy::little_endian::U32::new(*number)));
    range(start, numbers.len())
}

fn cell(id: u8, kind: MonitorKind) -> CellForm {
    CellForm {
        id: CellId([id; 8]),
        kind,
        partition: PartitionTag::Session,
        level: 0,
        ties: 0,
        kept: 0,
        anchors: range(0, 0),
        retention: None,
    }
}

fn watch(test: HookTest, cell: u32) -> Watch {
    Watch {
        cond: test.number().into(),
        cell: cell.into(),
        tie: NONE.into(),
        values: NONE.into(),
        excluded: range(0, 0),
        verdicts: Verdicts::HAPPENED.bits(),
        zero: [0; 3],
    }
}

impl History {
    /// The image with them, all watches being of the first event type.
    fn add_to(self, mut image: Image) -> Image {
        for (values, fold) in self.ties {
            let numbers: Vec<u32> = values.iter().map(|value| value.number()).collect();
            let values = pick(&mut image, &numbers);
            image.ties.push(Tie { values, fold: fold.into() });
        }
        image.cells = self.cells.iter().map(Cell::new).collect();
        image.recalls = self.recalls;
        if !self.watches.is_empty() {
            let watches = range(0, self.watches.len());
            image.observed = vec![Observed { event: 0.into(), watches, index: NONE.into() }];
        }
        image.watches = self.watches;
        image
    }
}

/// An event type that is recorded, with two cells of two levels, ties, and a hook that reads both and a value. Cell 0 is
/// tied by `v`, cell 1 keeps the last value of `w`; cell 2 is an anchor.
fn watching() -> Image {
    let mut asm = Asm::new();
    let (v, w) = (asm.slot("v"), asm.slot("w"));
    let text = asm.constant("\"t\"");
    let tested = asm.pred(Op::Exists, v, 0);
    let formerly = asm.pred(Op::Past, 1, 0);
    // The slots of recalls come after one bound row, which is assembled as slot BOUND.
    let read = asm.pred(Op::Eq, BOUND + 1 + 2, text);
    let recalled = asm.pred(Op::Recalled, read, 0);
    let whole = asm.query(v, &[(false, &[selector(1, 0)])]);
    let nodes = asm.bound(NONE, whole);
    let inner = asm.cond(&[(Op::UnlessPred, tested, 2)]);
    asm.pred(Op::Some, nodes, inner);
    let cond = asm.cond(&[(Op::UnlessPred, formerly, 3), (Op::UnlessPred, recalled, 3), (Op::Yes, 0, 0)]);
    let action = asm.action("deny", &[("reason", T::Slot(BOUND + 1 + 2), None)]);
    asm.event(Family::Thread, "e", Strategy::First);
    asm.hook(cond, action, Mode::Enforce);
    let mut image = asm.finish();
    let last = image.slots + 1 + 2;
    for node in image.templates.iter_mut().filter(|node| node.tag.get() == 1) {
        node.a = last.into();
    }
    let anchors = pick(&mut image, &[2]);
    let since = pick(&mut image, &[0]);
    let now = pick(&mut image, &[0]);
    let tied = CellForm { ties: 1, level: 1, retention: Some(60_000), ..cell(1, LATEST) };
    let kept = CellForm { kept: 1, ..cell(2, MonitorKind::Last { capacity: 2, values: 1 }) };
    let counter = CellForm { anchors, level: 3, ..cell(4, MonitorKind::Counter) };
    let read_tied =
        Recall { tie: 0.into(), since, within: 60_000.into(), now, ..Recall::new(RecallTag::Formerly, 0) };
    let counted = Comparison { relation: RelationTag::Gte, with: Compared::Slot(w) };
    let history = History {
        ties: vec![(vec![TieValue::Slot(v)], 1), (vec![TieValue::Query(0)], 0), (vec![TieValue::Slot(w)], 0)],
        cells: vec![tied, kept, cell(3, LATEST), counter],
        watches: vec![
            Watch { tie: 1.into(), ..watch(HookTest::Pred(recalled), 0) },
            Watch { values: 2.into(), ..watch(HookTest::Pred(tested), 1) },
            watch(HookTest::Pred(tested), 2),
            watch(HookTest::Cond(cond), 3),
        ],
        recalls: vec![
            Recall::new(RecallTag::Formerly, 2),
            read_tied,
            Recall { back: 2, ..Recall::new(RecallTag::Last, 1) },
            Recall::new(RecallTag::Count, 3).with_comparison(counted),
        ],
    };
    history.add_to(image)
}

#[test]
fn modules_with_history_load() {
    let bytes = watching().encode();
    assert_eq!(Module::load(bytes.clone()).map(drop), Ok(()));
    assert_eq!(opened(&bytes), Ok(()));
    let (header, _) = Header::ref_from_prefix(&bytes).unwrap();
    assert_eq!(header.features.get(), HISTORY);
    let plain = Image::minimal().encode();
    let (header, _) = Header::ref_from_prefix(&plain).unwrap();
    assert_eq!(header.features.get(), 0);
}

#[test]
fn the_feature_bit_is_set_if_and_only_if_there_is_history() {
    for (image, features) in
        [(watching(), 0_u8), (Image::minimal(), 1), (watching(), 3), (Image::minimal(), 2)]
    {
        let mut bytes = image.encode();
        bytes[std::mem::offset_of!(Header, features)] = features;
        common::rehash(&mut bytes);
        assert_eq!(Module::load(bytes).map(drop), Err(LoadError::Features(u32::from(features))));
    }
}

#[test]
fn rows_about_the_history_are_verified() {
    refused(
        watching,
        &[
            (|i| i.ties[0].values.length = 0.into(), "ties row 0: no value, or too many"),
            (|i| i.ties[0].values.start = 1000.into(), "ties row 0: values out of range"),
            (|i| i.ties[0].fold = 2.into(), "ties row 0: an unknown bit"),
            (|i| i.cells[1].id = [1; 8], "cells row 1: not above the cell before it"),
            (|i| i.cells[0].kind = 7, "cells row 0: not a kind of cells, or a capacity beyond its limit"),
            (|i| i.cells[0].capacity = 1002.into(), "cells row 0: not a kind of cells"),
            (|i| i.cells[0].partition = 4, "cells row 0: not a kind of cells"),
            (|i| i.cells[0].values = 1.into(), "cells row 0: not a kind of cells"),
            (|i| i.cells[0].level = HISTORY_DEPTH, "cells row 0: nested too deep"),
            (|i| i.cells[0].ties = 5, "cells row 0: a tie of too many values"),
            (|i| i.cells[0].kept = 1.into(), "cells row 0: an unknown bit"),
            (|i| i.cells[1].kept = 2.into(), "cells row 1: an unknown bit"),
            (|i| i.cells[0].retention = 0.into(), "cells row 0: a window beyond the limit"),
            (|i| i.cells[0].anchors = i.cells[3].anchors, "cells row 0: anchors of a kind that has none"),
            (|i| i.cells[3].anchors.length = 3.into(), "cells row 3: too many anchors"),
            (|i| i.cells[2].partition = 1, "not an anchor"),
            (|i| i.watches[0].cell = 9.into(), "watches row 0: the cell is out of range"),
            (|i| i.watches[0].zero[1] = 1, "watches row 0: a reserved field is not zero"),
            (|i| i.watches[0].verdicts = 0, "watches row 0: no verdict, or an unknown one"),
            (|i| i.watches[0].verdicts = 16, "watches row 0: no verdict, or an unknown one"),
            (|i| i.watches[0].tie = NONE.into(), "watches row 0: not a side of the cell's tie"),
            (|i| i.watches[2].tie = 0.into(), "watches row 2: not a side of the cell's tie"),
            (|i| i.watches[1].values = NONE.into(), "watches row 1: not the values that the cell keeps"),
            (|i| i.watches[1].values = 1.into(), "watches row 1: a value that can be several"),
            (|i| i.watches[2].values = 2.into(), "watches row 2: not the values that the cell keeps"),
            (|i| i.watches[1].excluded.length = 2.into(), "watches row 1: not the conjuncts of the cell"),
            (|i| i.watches[2].cond = 99.into(), "watches row 2: a condition is out of range"),
            (
                |i| i.watches[2].cond = HookTest::Pred(2).number().into(),
                "watches row 2: a condition is out of range, or",
            ),
            (|i| i.cells[0].level = 0, "watches row 0: the condition reads a cell that is not below its own"),
            (|i| i.cells[3].level = 1, "watches row 3: the condition reads a cell that is not below its own"),
            (|i| i.recalls[1].cell = 9.into(), "recalls row 1: the cell is out of range"),
            (|i| i.recalls[1].operator = 5, "recalls row 1: an unknown operator"),
            (|i| i.recalls[1].operator = 2, "recalls row 1: an operator that the cell does not answer"),
            (|i| i.recalls[1].back = 1, "recalls row 1: an operator that the cell does not answer"),
            (|i| i.recalls[2].back = 3, "recalls row 2: an operator that the cell does not answer"),
            (|i| i.recalls[2].value = 1.into(), "recalls row 2: an operator that the cell does not answer"),
            (|i| i.recalls[1].tie = NONE.into(), "recalls row 1: not a side of the cell's tie"),
            (|i| i.recalls[1].within = 0.into(), "recalls row 1: a window beyond the limit"),
            (
                |i| i.recalls[1].since.start = i.ties[0].values.start,
                "recalls row 1: not an anchor, or not a lower one",
            ),
            (|i| i.recalls[1].since.start = 1000.into(), "recalls row 1: a range out of range"),
            (|i| i.recalls[3].relation = 0, "recalls row 3: a comparison that is not valid"),
            (|i| i.recalls[3].relation = 6, "recalls row 3: a comparison that is not valid"),
            (|i| i.recalls[3].with = 3, "recalls row 3: a comparison that is not valid"),
            (
                |i| i.recalls[3].other = 99.into(),
                "recalls row 3: a comparison that is not valid, or out of range",
            ),
            (|i| i.recalls[3].with = 2, "recalls row 3: a comparison that is not valid, or out of range"),
            (|i| i.watches[0].cell = 3.into(), "watches row 0: not a side"),
            (
                |i| i.recalls[3].now = i.recalls[1].now,
                "recalls row 3: a watch out of range, or of another cell",
            ),
            (|i| i.observed[0].event = 9.into(), "observed row 0: the event type is out of range"),
            (|i| i.observed[0].watches.length = 0.into(), "observed row 0: an event type without watches"),
            (|i| i.observed[0].watches.length = 3.into(), "watches row 4: a watch belongs to no event type"),
            (|i| i.observed[0].watches.length = 5.into(), "observed row 0: watches out of range"),
            (|i| i.observed[0].index = 0.into(), "observed row 0: the index of its watches is out of range"),
            (|i| i.preds[1].a = 9.into(), "preds row 1: operand a is out of range"),
            (|i| i.preds[3].a = 0.into(), "preds row 3: `recalled` of a predicate that reads no recall"),
            (|i| i.preds[3].a = 3.into(), "preds row 3: `recalled` of a predicate that reads no recall"),
            (|i| i.preds[2].a = (i.preds[2].a.get() - 1).into(), "preds row 2: operand a is out of range"),
        ],
    );
}
