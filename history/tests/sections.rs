//! Monitors with many cells, which are read from the bytes of a snapshot when their keys are asked for.

use hookc_history::{
    Bounds, CellId, Change, Feed, Key, Keys, Kind, Limits, Outcome, Partition, Record, Secret, Selection,
    Shape, Tied, Truth, Verdict, Verdicts,
};
use rapidhash::v3::{RapidSecrets, rapidhash_v3_seeded};

use crate::harness::{KINDS, value};

/// The keys of each monitor: far more than are kept one after the other.
const KEYS: u16 = 300;
const HEADER: usize = 12;
const FRAME: usize = 16;

fn key(number: u16) -> Key {
    Secret::new([9; 32]).key([number.to_string()])
}

fn shapes() -> Vec<Shape> {
    let shape = |(name, kind)| Shape {
        id: CellId([name; 8]),
        kind,
        anchors: Vec::new(),
        retention: (kind == Kind::Recent { capacity: 2 }).then_some(100_000),
    };
    (0..).zip(KINDS).map(shape).collect()
}

/// An event with the key of its number that feeds all monitors.
fn record(number: u16, partition: &Partition) -> Record {
    let feed = |shape: &Shape| {
        let value = value(shape.kind, key(number), &number.to_string());
        let new = (!partition.has(shape.id)).then(|| shape.clone());
        let feed = Feed::untied(shape.id, Verdicts::HAPPENED).with_shape(new);
        feed.with_keys(Keys::from(key(number % KEYS))).with_value(value)
    };
    Record { feeds: shapes().iter().map(feed).collect(), ..Record::new(u64::from(number) * 100) }
}

/// A partition after events with all keys, some of them twice.
fn partition() -> Partition {
    let mut partition = Partition::new(Limits::default());
    for number in 0..KEYS + 40 {
        let record = record(number, &partition);
        partition.apply(record);
    }
    partition
}

/// What a partition answers about a key, from each monitor.
fn answers(partition: &Partition, number: u16) -> String {
    let (keys, other) = ([key(number)], [vec![key(40_000)]]);
    let history = partition.at(partition.time() + 50);
    let selection = |kind: Kind| {
        let shape = shapes().into_iter().find(|shape| shape.kind == kind).unwrap();
        let excluded = if matches!(kind, Kind::Differing { .. }) { other.as_slice() } else { &[] };
        Selection {
            pattern: Tied { id: shape.id, kind, keys: &keys, excluded },
            within: None,
            since: &[],
            now: None,
        }
    };
    format!(
        "{:?} {:?} {:?} {:?} {:?} {:?} {:?}",
        history.count(&selection(Kind::Recent { capacity: 2 })),
        history.formerly(&selection(Kind::Differing { conjuncts: 1 })),
        history.count(&selection(Kind::Counter)),
        history.sum(&selection(Kind::Total)),
        history.sum(&selection(Kind::Sums)),
        history.distinct(&selection(Kind::Distinct { capacity: 2 })),
        history.last(&selection(Kind::Last { capacity: 2, values: 1 }), 1, 0),
    )
}

fn read(bytes: &[u8]) -> Partition {
    Partition::decode(bytes, Limits::default()).unwrap().partition
}

#[test]
fn every_key_of_a_snapshot_answers_as_it_did() {
    let mut memory = partition();
    let read = read(&memory.encode());
    assert_eq!((read.cells(), read.bytes()), (memory.cells(), memory.bytes()));
    assert_eq!(read.cells(), usize::from(KEYS) * shapes().len());
    let answered: Vec<String> = (0..=KEYS).map(|number| answers(&memory, number)).collect();
    assert_eq!((0..=KEYS).map(|number| answers(&read, number)).collect::<Vec<_>>(), answered);
    assert!(answered[0] != answered[1] && answered[0] != answered[usize::from(KEYS)], "{answered:?}");
    assert_eq!(read, memory);
}

#[test]
fn records_after_a_snapshot_change_the_cells_of_their_keys_alone() {
    let mut memory = partition();
    let bytes = memory.encode();
    let mut read = read(&bytes);
    let untouched = answers(&read, 200);
    // Keys of the snapshot, keys that are new, and one of them again.
    for number in [5, 17, KEYS + 5, 5].map(|number| number + 2 * KEYS) {
        for partition in [&mut memory, &mut read] {
            let record = record(number, partition);
            partition.apply(record);
        }
        assert_eq!(answers(&read, 5), answers(&memory, 5));
    }
    assert_ne!(answers(&read, 5), untouched);
    assert_eq!((read.cells(), read.bytes()), (memory.cells(), memory.bytes()));
    assert_eq!(read, memory);
    assert_eq!(read.encode(), memory.encode());
}

/// More events, limits and policies: what is dropped is the same, whether the cells had been read or not.
#[test]
fn what_is_dropped_does_not_depend_on_what_was_read() {
    let limits = Limits::default().keys(250).cells(1_500);
    let mut memory = Partition::new(limits);
    let mut file = memory.encode();
    for number in 0..1_200_u16 {
        let mut event = record(number * 7, &memory);
        let kept = shapes().into_iter().map(|shape| match shape.kind {
            Kind::Recent { .. } => Shape { kind: Kind::Recent { capacity: 1 }, ..shape },
            _ => shape,
        });
        event.change = (number == 700).then(|| Change { fingerprint: 3, kept: kept.collect() });
        file.extend(event.encode(memory.step() + 1));
        memory.apply(event);
        if number % 97 == 0 {
            let read = Partition::decode(&file, limits).unwrap().partition;
            assert_eq!((read.cells(), read.bytes()), (memory.cells(), memory.bytes()), "after {number}");
            assert_eq!(read, memory, "after {number}");
            memory = read;
            file = memory.encode();
        }
    }
    assert!(memory.cells() <= 1_500);
}

#[test]
fn a_file_of_the_first_version_is_read() {
    let bytes = include_bytes!("version-1.hookhist");
    let decoded = Partition::decode(bytes, Limits::default()).unwrap();
    assert_eq!((decoded.length, decoded.partition.cells(), decoded.partition.step()), (bytes.len(), 12, 129));
    let mut partition = decoded.partition;
    let written = partition.encode();
    assert_eq!((bytes[8], written[8]), (1, 3));
    assert_eq!(read(&written), partition);
}

/// Version 2 does not have the byte for the owner, in front of the content.
#[test]
fn a_file_of_the_second_version_is_read() {
    let mut memory = partition();
    let bytes = memory.encode();
    let content = &bytes[HEADER + FRAME + 1..];
    let sum = |bytes: &[u8]| rapidhash_v3_seeded(bytes, &RapidSecrets::seed(0)).to_le_bytes();
    let length = u32::try_from(content.len()).unwrap().to_le_bytes();
    let second = [&b"hookhist\x02\0\0\0"[..], &length, &sum(&length)[..4], &sum(content), content].concat();
    assert_eq!((bytes[HEADER + FRAME], read(&second).owner()), (0, None));
    assert_eq!(read(&second), memory);
}

#[test]
fn bytes_say_whose_history_they_are() {
    let mut memory = partition().with_owner(key(3));
    let read = read(&memory.encode());
    assert_eq!((read.owner(), &read), (Some(key(3)), &memory));
}

#[test]
fn an_event_with_another_verdict_is_kept_for_explanations() {
    let shape = &shapes()[0];
    let keys = [key(7)];
    let pattern = Tied { id: shape.id, kind: shape.kind, keys: &keys, excluded: &[] };
    let selection = Selection { pattern, within: None, since: &[], now: None };
    let mut partition = Partition::new(Limits::default());
    let passed_over = |partition: &Partition| {
        partition.at(0).passed_over(&selection).map(|(stamp, verdict)| (stamp.number, verdict))
    };
    for (outcome, expected) in [
        (Outcome::Settled(Verdict::None), None),
        (Outcome::Settled(Verdict::Deny), Some((2, Verdict::Deny))),
        (Outcome::Settled(Verdict::Ask), Some((2, Verdict::Deny))),
        (Outcome::Pending { until: u64::MAX }, Some((2, Verdict::Deny))),
    ] {
        let event = Record { outcome, ..record(7, &partition) };
        partition.apply(event);
        assert_eq!(passed_over(&partition), expected);
    }
    assert!(partition.settle(4, Verdict::Deny));
    assert_eq!(passed_over(&partition), Some((4, Verdict::Deny)));
    assert_eq!(passed_over(&read(&partition.encode())), Some((4, Verdict::Deny)));
}

/// The bytes of a snapshot after a change, with checks that are right.
fn changed(mut bytes: Vec<u8>, change: impl Fn(&mut [u8])) -> Vec<u8> {
    change(&mut bytes[HEADER + FRAME..]);
    let sum = rapidhash_v3_seeded(&bytes[HEADER + FRAME..], &RapidSecrets::seed(0));
    bytes[HEADER + 8..HEADER + FRAME].copy_from_slice(&sum.to_le_bytes());
    bytes
}

/// A change of the content of a snapshot.
type Damage<'d> = &'d dyn Fn(&mut [u8]);

/// Where the section of the monitor of counters has its keys.
fn keys_of_counters(bytes: &[u8]) -> usize {
    let content = &bytes[HEADER + FRAME..];
    let mut keys: Vec<Key> = (0..KEYS).map(key).collect();
    keys.sort_unstable();
    let id = content.windows(9).position(|part| part == [2; 9]).unwrap();
    let first = content[id..].windows(16).position(|part| part == keys[0].as_bytes()).unwrap();
    id + first
}

#[test]
fn a_cell_that_cannot_be_read_is_unknown_and_no_other_one() {
    let mut memory = partition();
    let bytes = memory.encode();
    let (section, count) = (keys_of_counters(&bytes), usize::from(KEYS));
    let number = (0..KEYS).find(|number| key(*number).as_bytes() == &bytes[HEADER + FRAME + section..][..16]);
    let number = number.unwrap();
    let ends = section + count * 16;
    let cells = ends + count * 4;
    let shape = &shapes()[2];
    let count_of = |partition: &Partition, number: u16| {
        let pattern = Tied { id: shape.id, kind: shape.kind, keys: &[key(number)], excluded: &[] };
        partition.at(1_000_000).count(&Selection { pattern, within: None, since: &[], now: None })
    };
    assert!(count_of(&memory, number).known().is_some() && read(&bytes).is_readable());
    // A tag that no option has; an end before its start; one byte too many.
    let damages: [Damage<'_>; 3] = [
        &|content| content[cells + 4] = 9,
        &|content| content[ends..ends + 4].copy_from_slice(&[255, 255, 0, 0]),
        &|content| content[ends] += 1,
    ];
    for damage in damages {
        let read = read(&changed(bytes.clone(), damage));
        assert!(!read.is_readable());
        assert_eq!(count_of(&read, number), Bounds { low: 0, high: None });
        let intact = (0..KEYS).filter(|other| count_of(&read, *other).known().is_some()).count();
        assert!(intact >= count - 2, "{intact}");
        assert_eq!(count_of(&read, 40_000), Bounds::exact(0));
    }
    // Keys out of order, and ends that are not those of the cells, make the snapshot damaged.
    let disorder: [Damage<'_>; 3] = [
        &|content| content[section] = 255,
        &|content| content.copy_within(section..section + 16, section + 16),
        &|content| content[cells - 4] ^= 1,
    ];
    for damage in disorder {
        let error = Partition::decode(&changed(bytes.clone(), damage), Limits::default()).unwrap_err();
        assert_eq!(error.to_string(), "the history is damaged");
    }
    assert_eq!(
        memory.at(1_000_000).formerly(&Selection {
            pattern: Tied {
                id: shapes()[1].id,
                kind: shapes()[1].kind,
                keys: &[key(3)],
                excluded: &[Vec::new()]
            },
            within: None,
            since: &[],
            now: None,
        }),
        Truth::True
    );
}
