//! The history in the VM: verifier errors, and decisions that read and record it.

use crate::common;

use common::{Asm, BOUND, T, opened, range, refused, selector};
use hookc_history::{Limits, Outcome, Partition, Secret, Verdict};
use hookc_vm::format::op::Op;
use hookc_vm::format::{
    Cell, CellForm, CellId, CellName, Compared, Comparison, HISTORY, Header, HookTest, Image, MonitorKind,
    NONE, Observed, PartitionTag, Range, Recall, RecallTag, RelationTag, Str, Tie, TieValue, Verdicts, Watch,
};
use hookc_vm::limits::HISTORY_DEPTH;
use hookc_vm::{DecideOptions, Family, Histories, LoadError, Mode, Module, Scratch, Strategy};
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

/// Names monitors.
fn name(image: &mut Image, cells: &[u32], length: u32) {
    let text = Str { offset: 0.into(), length: length.into() };
    image.cell_names = cells.iter().map(|cell| CellName { cell: (*cell).into(), text }).collect();
}

#[test]
fn monitors_have_the_names_that_are_written() {
    let mut image = watching();
    image.names.splice(0..0, *b"edited");
    image.labels.clear();
    image.locations.clear();
    name(&mut image, &[1], 6);
    let bytes = image.encode();
    let module = Module::load(bytes.clone()).unwrap();
    let tables = module.tables().unwrap();
    assert_eq!([0, 1, 2].map(|cell| tables.cell_name(cell)), [None, Some("edited"), None]);
    assert!(Module::open(bytes).is_ok());
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
            (|i| name(i, &[9], 0), "cell_names row 0: the monitor is out of range, or not ascending"),
            (|i| name(i, &[0, 1, 1], 0), "cell_names row 2: the monitor is out of range, or not ascending"),
            (|i| name(i, &[0, 1], 10_000), "cell_names row 0: not a range of whole characters"),
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

/// A session: events are decided about and recorded.
struct Session {
    module: Module,
    secret: Secret,
    partition: Partition,
    time: u64,
}

/// The ranks that decide, and those whose condition is unknown.
type Ranks = (Vec<u32>, Vec<u32>);

impl Session {
    fn new(module: &Module, partition: Partition) -> Self {
        Self { module: module.clone(), secret: Secret::new([7; 32]), partition, time: 0 }
    }

    /// Decides about an event a second later, and records it with a verdict.
    fn event(&mut self, event: &str, verdict: Verdict) -> Ranks {
        self.time += 1_000;
        let histories = Histories::new(&self.secret).with(PartitionTag::Session, &self.partition, self.time);
        let ask = DecideOptions::default().history(&histories);
        let (mut scratch, mut other) = (Scratch::new(), Scratch::new());
        let decision = self.module.decide(&mut scratch, event.as_bytes(), &ask).unwrap();
        let ranks = (
            decision.hooks().map(|hook| hook.rank()).collect(),
            decision.unknown().map(|unknown| unknown.hook.rank()).collect(),
        );
        let mut record = decision.record(PartitionTag::Session).unwrap();
        let value = serde_json::from_str(event).unwrap();
        let of_value = self.module.decide_value(&mut other, &value, &ask).unwrap();
        assert_eq!(of_value.record(PartitionTag::Session).unwrap(), record, "{event}");
        assert_eq!(common::ranks(&of_value).0, ranks.0, "{event}");
        assert!(decision.record(PartitionTag::User).is_none());
        record.outcome = Outcome::Settled(verdict);
        self.partition.apply(record);
        ranks
    }

    fn happened(&mut self, event: &str) -> Ranks {
        self.event(event, Verdict::None)
    }
}

/// An event type `e` with a hook for each predicate and condition that `hooks` returns.
fn module(
    hooks: impl FnOnce(&mut Asm) -> Vec<HookTest>,
    history: impl FnOnce(&mut Image, [u32; 3]) -> History,
) -> Module {
    let mut asm = Asm::new();
    let slots = ["v", "w", "n"].map(|name| asm.slot(name));
    asm.event(Family::Thread, "e", Strategy::All);
    let action =
        asm.action("deny", &[("reason", T::Text(vec![T::Const("\"was \""), T::Slot(slots[0])]), None)]);
    for test in hooks(&mut asm) {
        asm.hook(test.number(), action, Mode::Enforce);
    }
    let mut image = asm.finish();
    let history = history(&mut image, slots);
    Module::load(history.add_to(image).encode()).unwrap()
}

fn pasts(asm: &mut Asm, recalls: u32) -> Vec<HookTest> {
    (0..recalls).map(|recall| HookTest::Pred(asm.pred(Op::Past, recall, 0))).collect()
}

fn none(ranks: Vec<u32>) -> Ranks {
    (ranks, Vec::new())
}

/// `formerly(e where exists(w) and v == now.v)`, and the same with `denied`, without regard to case, and `any` of
/// several values.
#[test]
fn ties_and_outcomes() {
    let module = module(
        |asm| {
            let w = asm.slot("w");
            let query = asm.slot("v");
            asm.query(query, &[(true, &[selector(1, 0)])]);
            let hooks = pasts(asm, 4);
            asm.pred(Op::Exists, w, 0);
            hooks
        },
        |_, [v, ..]| {
            let there = HookTest::Pred(4);
            let tied = |id| CellForm { ties: 1, ..cell(id, LATEST) };
            let side = |cell, tie: u32| Watch { tie: tie.into(), ..watch(there, cell) };
            let read = |cell, tie: u32| Recall { tie: tie.into(), ..Recall::new(RecallTag::Formerly, cell) };
            History {
                ties: vec![
                    (vec![TieValue::Slot(v)], 0),
                    (vec![TieValue::Slot(v)], 1),
                    (vec![TieValue::Query(0)], 0),
                ],
                cells: vec![tied(1), tied(2), tied(3), tied(4)],
                watches: vec![
                    side(0, 0),
                    Watch { verdicts: Verdicts::DENIED.bits(), ..side(1, 0) },
                    side(2, 1),
                    side(3, 2),
                ],
                recalls: vec![read(0, 0), read(1, 0), read(2, 1), read(3, 0)],
            }
        },
    );
    let mut session = Session::new(&module, Partition::new(Limits::default()));
    for (event, verdict, ranks) in [
        (r#"{"event_type":"e","v":"a","w":1}"#, Verdict::None, vec![]),
        (r#"{"event_type":"e","v":"a"}"#, Verdict::None, vec![0, 2]),
        (r#"{"event_type":"e","v":"A"}"#, Verdict::None, vec![2]),
        (r#"{"event_type":"e","v":"b","w":1}"#, Verdict::Deny, vec![]),
        (r#"{"event_type":"e","v":"b"}"#, Verdict::None, vec![1]),
        (r#"{"event_type":"e"}"#, Verdict::None, vec![]),
        (r#"{"event_type":"e","v":null,"w":1}"#, Verdict::None, vec![]),
        (r#"{"event_type":"e","v":null}"#, Verdict::None, vec![0, 2]),
        (r#"{"event_type":"e","v":{"y":[1.0,"x"],"z":true},"w":1}"#, Verdict::None, vec![]),
        (r#"{"event_type":"e","v":{"z":true,"y":[1,"x"]}}"#, Verdict::None, vec![0, 2]),
        (r#"{"event_type":"e","v":true}"#, Verdict::None, vec![3]),
        (r#"{"event_type":"e","v":"x"}"#, Verdict::None, vec![3]),
    ] {
        assert_eq!(session.event(event, verdict), none(ranks), "{event}");
    }
}

/// `formerly(v since w)`, `count(v within 2s) >= 2`, `sum(n of v including now) > w`, `count(v) > count(w)`, and
/// `formerly(e where formerly(v) and exists(w))`.
#[test]
fn scopes_numbers_and_nesting() {
    let module = module(
        |asm| {
            let (v, w) = (asm.slot("v"), asm.slot("w"));
            asm.constant("2");
            let hooks = [1, 2, 3, 5, 6].map(|recall| HookTest::Pred(asm.pred(Op::Past, recall, 0)));
            let v = asm.pred(Op::Exists, v, 0);
            let w = asm.pred(Op::Exists, w, 0);
            let formerly = asm.pred(Op::Past, 7, 0);
            assert_eq!((v, w), (5, 6));
            asm.cond(&[(Op::UnlessPred, w, 3), (Op::UnlessPred, formerly, 3)]);
            hooks.to_vec()
        },
        |image, [_, w, n]| {
            let (of_v, of_w) = (HookTest::Pred(5), HookTest::Pred(6));
            let since = pick(image, &[0]);
            let now = pick(image, &[3]);
            let compared = |relation, with| Comparison { relation, with };
            let total = Recall { now, ..Recall::new(RecallTag::Sum, 3) };
            let recent = Recall { within: 2_000.into(), ..Recall::new(RecallTag::Count, 2) };
            History {
                ties: vec![(vec![TieValue::Slot(n)], 0)],
                cells: vec![
                    cell(1, LATEST),
                    cell(2, LATEST),
                    CellForm { retention: Some(2_000), ..cell(3, MonitorKind::Recent { capacity: 2 }) },
                    cell(4, MonitorKind::Total),
                    cell(5, MonitorKind::Counter),
                    cell(6, MonitorKind::Counter),
                    CellForm { level: 1, ..cell(7, LATEST) },
                ],
                watches: vec![
                    watch(of_v, 0),
                    watch(of_w, 1),
                    watch(of_v, 2),
                    Watch { values: 0.into(), ..watch(of_v, 3) },
                    watch(of_v, 4),
                    watch(of_w, 5),
                    watch(HookTest::Cond(0), 6),
                ],
                recalls: vec![
                    Recall::new(RecallTag::Formerly, 1),
                    Recall { since, ..Recall::new(RecallTag::Formerly, 0) },
                    recent.with_comparison(compared(RelationTag::Gte, Compared::Const(0))),
                    total.with_comparison(compared(RelationTag::Gt, Compared::Slot(w))),
                    Recall::new(RecallTag::Count, 5),
                    Recall::new(RecallTag::Count, 4)
                        .with_comparison(compared(RelationTag::Gt, Compared::Recall(4))),
                    Recall::new(RecallTag::Formerly, 6),
                    Recall::new(RecallTag::Formerly, 0),
                ],
            }
        },
    );
    let mut session = Session::new(&module, Partition::new(Limits::default()));
    for (event, ranks) in [
        // Rank 2 is about the sum, this event included.
        (r#"{"event_type":"e","v":1,"n":2.5}"#, vec![]),
        (r#"{"event_type":"e","v":1,"n":"2","w":2}"#, vec![0, 2, 3]),
        (r#"{"event_type":"e","v":1,"n":0.5,"w":3}"#, vec![0, 1, 3, 4]),
        (r#"{"event_type":"e","w":2.9}"#, vec![0, 1, 2, 3, 4]),
        (r#"{"event_type":"e"}"#, vec![4]),
        (r#"{"event_type":"e","w":"9"}"#, vec![4]),
    ] {
        assert_eq!(session.happened(event), none(ranks), "{event}");
    }
}

/// A value whose text is not kept, one whose text is, and a number: `last(v) == "a"`, `last(v) == w`, `w starts_with
/// last(w)`, `last(n) > 3`, `exists(last(v))`.
#[test]
fn values_of_the_last_event() {
    let module = module(
        |asm| {
            let (w, there) = (asm.slot("w"), asm.slot("event_type"));
            let (text, three) = (asm.constant("\"a\""), asm.constant("3"));
            let list = asm.list(&["\"c\"", "[1,2]"]);
            let [v_of, w_of, n_of] = [BOUND, BOUND + 1, BOUND + 2];
            let tests = [
                (Op::Eq, v_of, text),
                (Op::EqSlot, v_of, w),
                (Op::StartsWithSlot, w, w_of),
                (Op::Gt, n_of, three),
                (Op::Exists, v_of, 0),
                (Op::In, v_of, list),
                (Op::Contains, v_of, text),
            ];
            let hooks = tests.map(|(op, a, b)| {
                let test = asm.pred(op, a, b);
                HookTest::Pred(asm.pred(Op::Recalled, test, 0))
            });
            asm.pred(Op::Exists, there, 0);
            hooks.to_vec()
        },
        |_, [v, w, n]| {
            let values = [v, w, n].map(TieValue::Slot).to_vec();
            let last = |value: u32| Recall { value: value.into(), ..Recall::new(RecallTag::Last, 0) };
            let kept = MonitorKind::Last { capacity: 1, values: 3 };
            History {
                ties: vec![(values, 0)],
                cells: vec![CellForm { kept: 2, ..cell(1, kept) }],
                watches: vec![Watch { values: 0.into(), ..watch(HookTest::Pred(14), 0) }],
                recalls: vec![last(0), last(1), last(2)],
            }
        },
    );
    let mut session = Session::new(&module, Partition::new(Limits::default()));
    for (event, ranks, unknown) in [
        (r#"{"event_type":"e","v":"a","w":"p","n":4}"#, vec![], vec![]),
        (r#"{"event_type":"e","v":[1,2],"w":"pq","n":2}"#, vec![0, 2, 3, 4], vec![6]),
        (r#"{"event_type":"e","v":7,"w":[1,2.0]}"#, vec![1, 4, 5], vec![6]),
        // A number is kept, so its text is known: it does not have the text `a`.
        (r#"{"event_type":"e","v":null,"w":7}"#, vec![1, 4], vec![]),
        // A null is as absent for `exists`, but its text is not kept.
        (r#"{"event_type":"e","w":null,"n":9}"#, vec![1], vec![6]),
        (r#"{"event_type":"e"}"#, vec![3], vec![]),
    ] {
        assert_eq!(session.happened(event), (ranks, unknown), "{event}");
    }
}

/// A condition about an unknown history has a truth if the rest of it decides.
#[test]
fn conditions_have_three_truths() {
    let module = module(
        |asm| {
            let (v, n) = (asm.slot("v"), asm.slot("n"));
            let past = asm.pred(Op::Past, 0, 0);
            let there = asm.pred(Op::Exists, n, 0);
            let both = asm.cond(&[(Op::UnlessPred, past, 3), (Op::UnlessPred, there, 3)]);
            let either = asm.cond(&[(Op::IfPred, past, 2), (Op::UnlessPred, there, 3)]);
            let negated = asm.cond(&[(Op::IfPred, past, 2)]);
            let nested = asm.cond(&[(Op::UnlessCond, both, 3), (Op::UnlessCond, either, 3)]);
            // some(x in v: x exists and formerly(...)), some(x in v: not (x exists and formerly(...)))
            let [children, node] = [asm.query(v, &[(false, &[selector(1, 0)])]), asm.query(NONE, &[])];
            let nodes = asm.bound(NONE, children);
            asm.bound(0, node);
            let open = asm.pred(Op::Exists, BOUND + 1, 0);
            let inner = asm.cond(&[(Op::UnlessBound, open, 3), (Op::UnlessPred, past, 3)]);
            let outer = asm.cond(&[(Op::IfBound, open, 2)]);
            let some = asm.pred(Op::Some, nodes, inner);
            let missing = asm.pred(Op::Some, nodes, outer);
            let with_missing = asm.cond(&[(Op::IfPred, some, 2), (Op::UnlessPred, missing, 3)]);
            [both, either, negated, nested]
                .map(HookTest::Cond)
                .into_iter()
                .chain([HookTest::Pred(past), HookTest::Pred(some), HookTest::Cond(with_missing)])
                .collect()
        },
        |_, _| History {
            cells: vec![cell(1, LATEST)],
            watches: vec![watch(HookTest::Pred(1), 0)],
            recalls: vec![Recall::new(RecallTag::Formerly, 0)],
            ..History::default()
        },
    );
    let mut session = Session::new(&module, Partition::unseen(Limits::default(), 0));
    for (event, ranks, unknown) in [
        (r#"{"event_type":"e","v":[]}"#, vec![], vec![1, 2, 4]),
        (r#"{"event_type":"e","v":[1]}"#, vec![], vec![1, 2, 4, 5, 6]),
        (r#"{"event_type":"e","v":[null]}"#, vec![6], vec![1, 2, 4]),
        (r#"{"event_type":"e","v":[null,1],"n":1}"#, vec![1, 6], vec![0, 2, 3, 4, 5]),
        // Now it is known.
        (r#"{"event_type":"e","v":[1],"n":1}"#, vec![0, 1, 3, 4, 5, 6], vec![]),
    ] {
        let (found, not_known) = session.happened(event);
        assert_eq!((found, not_known), (ranks, unknown), "{event}");
    }
    // Without a history, everything is unknown, and traces say so.
    let event = br#"{"event_type":"e","v":[1]}"#;
    let mut scratch = Scratch::new();
    let ask = DecideOptions::default();
    let decision = module.decide(&mut scratch, event, &ask).unwrap();
    let causes: Vec<String> = decision.unknown().map(|unknown| unknown.cause.to_string()).collect();
    assert_eq!(causes.len(), 5);
    assert_eq!(causes[0], "the history of the session is unknown: no history is kept");
    assert!(decision.record(PartitionTag::Session).is_none());
    let trace = module.trace(&mut Scratch::new(), event, &ask).unwrap();
    let verdicts: Vec<_> = trace.hooks().iter().map(|hook| hook.verdict.as_str()).collect();
    assert_eq!(verdicts, ["no match", "unknown", "unknown", "no match", "unknown", "unknown", "unknown"]);
    assert!(module.probe(&mut scratch, event, &ask).unwrap().holds(4).is_err());
    assert_eq!(module.observes("e", None), [PartitionTag::Session]);
}

/// Two events with different values of `v` than now: `formerly(e where not (v == now.v))`.
#[test]
fn negated_ties() {
    let module = module(
        |asm| {
            let there = asm.slot("event_type");
            let hooks = pasts(asm, 1);
            asm.pred(Op::Exists, there, 0);
            hooks
        },
        |image, [v, ..]| {
            let past = pick(image, &[NONE, 0]);
            let current = pick(image, &[0]);
            History {
                ties: vec![(vec![TieValue::Slot(v)], 0)],
                cells: vec![cell(1, MonitorKind::Differing { conjuncts: 1 })],
                watches: vec![Watch { excluded: past, ..watch(HookTest::Pred(1), 0) }],
                recalls: vec![Recall { excluded: current, ..Recall::new(RecallTag::Formerly, 0) }],
            }
        },
    );
    let mut session = Session::new(&module, Partition::new(Limits::default()));
    for (event, ranks) in [
        (r#"{"event_type":"e","v":1}"#, vec![]),
        (r#"{"event_type":"e","v":1.0}"#, vec![]),
        (r#"{"event_type":"e","v":2}"#, vec![0]),
        (r#"{"event_type":"e","v":2}"#, vec![0]),
        (r#"{"event_type":"e"}"#, vec![0]),
    ] {
        assert_eq!(session.happened(event), none(ranks), "{event}");
    }
}
