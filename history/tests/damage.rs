//! Files that were cut off or changed: the history is rejected, or the right one.

use hookc_history::{
    CellId, Change, DecodeError, Feed, Key, Keys, Kind, LastValue, Limits, Outcome, Partition, Reading,
    Record, Secret, Selection, Shape, Tied, Verdict, Verdicts, encode_settlement,
};
use rapidhash::v3::{RapidSecrets, rapidhash_v3_seeded};

use crate::harness::{KINDS, value};

fn id(name: u8) -> CellId {
    CellId([name; 8])
}

/// A monitor of each kind.
fn shapes() -> Vec<Shape> {
    let shape = |(name, kind): (u8, Kind)| {
        let anchors = if kind == Kind::Counter { vec![id(0)] } else { Vec::new() };
        Shape { id: id(name), kind, anchors, retention: (kind == Kind::Sums).then_some(60_000) }
    };
    (0..).zip(KINDS).map(shape).collect()
}

/// The number that an event has, which is also the text that is kept of it.
fn text(number: u8) -> String {
    format!("-{number}.25e3")
}

fn key(value: u8) -> Key {
    Secret::new([1; 32]).key([value.to_string()])
}

fn record(number: u8) -> Record {
    let feed = |(name, kind): (u8, Kind)| {
        let value = value(kind, key(number), &text(number));
        let keys = if name == 0 { Keys::UNTIED } else { key(number % 3).into() };
        let shape = shapes().into_iter().find(|shape| shape.id == id(name) && number == 1);
        Feed::untied(id(name), Verdicts::HAPPENED).with_shape(shape).with_keys(keys).with_value(value)
    };
    let time = u64::from(number) * 1_000;
    Record {
        reading: Some(Reading { boot: 5, since_boot: time, wall: time }),
        outcome: match number {
            6 | 8 => Outcome::Pending { until: 100_000 },
            _ => Outcome::Settled(if number == 2 { Verdict::Deny } else { Verdict::None }),
        },
        change: (number == 9).then(|| Change { fingerprint: 7, kept: shapes() }),
        tool_use: (number != 7).then(|| key(number)),
        feeds: (0..).zip(KINDS).map(feed).collect(),
        ..Record::new(time)
    }
}

/// A file with a snapshot, six records and a settlement; and all histories that it had on the way.
fn file() -> (Vec<u8>, Vec<(usize, Partition)>) {
    let mut partition = Partition::new(Limits::default());
    for number in 1..5 {
        partition.apply(record(number));
    }
    let mut bytes = partition.encode();
    let mut stages = vec![(bytes.len(), partition.clone())];
    for number in 5..11 {
        bytes.extend(record(number).encode(u64::from(number)));
        assert_eq!(partition.apply(record(number)), u64::from(number));
        stages.push((bytes.len(), partition.clone()));
    }
    bytes.extend(encode_settlement(6, Verdict::Deny));
    assert!(partition.settle(6, Verdict::Deny));
    stages.push((bytes.len(), partition));
    (bytes, stages)
}

#[test]
fn a_file_is_the_history_that_was_written() {
    let (bytes, stages) = file();
    let decoded = Partition::decode(&bytes, Limits::default()).unwrap();
    assert_eq!((decoded.length, decoded.records), (bytes.len(), 7));
    let tool_uses = decoded.tool_uses.iter().map(|tool_use| (tool_use.step, tool_use.time, tool_use.before));
    let before = stages.iter().zip(5_u64..11).map(|((end, _), step)| (step, step * 1_000, *end));
    assert_eq!(tool_uses.collect::<Vec<_>>(), before.filter(|(step, ..)| *step != 7).collect::<Vec<_>>());
    assert_eq!(decoded.partition, stages.last().unwrap().1);
    assert_eq!(decoded.partition.waiting(), 3, "the second pending event, and those after it");
    assert_eq!(decoded.partition.bytes(), stages.last().unwrap().1.bytes());
}

#[test]
fn a_file_that_is_cut_off_has_lost_the_incomplete_record_alone() {
    let (bytes, stages) = file();
    for length in 0..bytes.len() {
        let expected = stages.iter().rev().find(|(end, _)| *end <= length);
        match (Partition::decode(&bytes[..length], Limits::default()), expected) {
            (Ok(decoded), Some((end, partition))) => {
                assert_eq!((decoded.length, &decoded.partition), (*end, partition), "at {length}");
                assert_eq!(Partition::complete_length(&bytes[..length]), Ok(*end), "at {length}");
            }
            (Err(error), None) => assert_eq!(error, DecodeError::Damaged),
            (found, _) => panic!("at {length}: {found:?}"),
        }
    }
}

#[test]
fn a_damaged_byte_is_found_wherever_it_is() {
    let (bytes, stages) = file();
    let partition = &stages.last().unwrap().1;
    for index in 0..bytes.len() {
        for change in [1, 0x80, 0xff, bytes[index]] {
            let mut damaged = bytes.clone();
            damaged[index] ^= change;
            match Partition::decode(&damaged, Limits::default()) {
                Ok(decoded) => assert_eq!((&decoded.partition, change), (partition, 0), "byte {index}"),
                Err(DecodeError::Newer(_)) => assert_eq!(index, 8),
                Err(_) => assert_ne!(change, 0),
            }
        }
    }
}

#[test]
fn a_record_that_is_missing_or_doubled_is_found() {
    let (bytes, stages) = file();
    let ends: Vec<usize> = stages.iter().map(|(end, _)| *end).collect();
    let without = [&bytes[..ends[1]], &bytes[ends[2]..]].concat();
    let twice = [&bytes[..ends[2]], &bytes[ends[1]..]].concat();
    let swapped = [&bytes[..ends[1]], &bytes[ends[2]..ends[3]], &bytes[ends[1]..ends[2]]].concat();
    for damaged in [without, twice, swapped] {
        assert_eq!(Partition::decode(&damaged, Limits::default()).unwrap_err(), DecodeError::Damaged);
    }
}

/// The texts of the latest events with a key, the last first.
fn texts(partition: &Partition, value: u8) -> Vec<Option<String>> {
    let (last, keys) = (&shapes()[6], [key(value)]);
    let pattern = Tied { id: last.id, kind: last.kind, keys: &keys, excluded: &[] };
    let selection = Selection { pattern, within: None, since: &[], now: None };
    let text = |back| match partition.at(0).last(&selection, back, 0) {
        LastValue::Known(value) => value.text().map(str::to_owned),
        LastValue::Unknown | LastValue::Absent => None,
    };
    (1..=2).map(text).collect()
}

#[test]
fn each_event_has_its_own_text() {
    let (bytes, _) = file();
    let partition = Partition::decode(&bytes, Limits::default()).unwrap().partition;
    // The event 6 was denied.
    for (value, expected) in [(0, [9, 3]), (1, [10, 7]), (2, [8, 5])] {
        assert_eq!(texts(&partition, value), expected.map(|number| Some(text(number))), "key {value}");
    }
}

/// Swapping two valid records gives another history.
#[test]
fn records_that_change_places_are_noticed() {
    let (bytes, stages) = file();
    let snapshot = &bytes[..stages[0].0];
    let written = |order: [u8; 6]| {
        let records = (5_u64..).zip(order).map(|(step, number)| {
            // All have one time: only the order differs.
            Record { time: 9_000, ..record(number) }.encode(step)
        });
        let bytes: Vec<u8> = snapshot.iter().copied().chain(records.flatten()).collect();
        Partition::decode(&bytes, Limits::default()).unwrap().partition
    };
    let order = [5, 6, 7, 8, 9, 10];
    let right = written(order);
    for (one, two) in (0..6).flat_map(|one| (one + 1..6).map(move |two| (one, two))) {
        let mut swapped = order;
        swapped.swap(one, two);
        assert_ne!(written(swapped), right, "{swapped:?}");
    }
}

/// Content with a valid checksum, as an attacker can write it.
fn framed(content: &[u8]) -> Vec<u8> {
    let sum = |bytes: &[u8]| rapidhash_v3_seeded(bytes, &RapidSecrets::seed(0)).to_le_bytes();
    let length = u32::try_from(content.len()).unwrap().to_le_bytes();
    [&length, &sum(&length)[..4], &sum(content), content].concat()
}

/// The only form of each value is accepted: what is written again is what was read.
#[test]
fn values_in_another_form_are_rejected() {
    const FRAME: usize = 16;
    const HEADER: usize = 12;
    let start = Partition::new(Limits::default()).encode();
    let accepts = |content: &[u8]| {
        let decoded = Partition::decode(&[&start[..], &framed(content)].concat(), Limits::default());
        assert!(decoded.as_ref().err().is_none_or(|error| *error == DecodeError::Damaged));
        decoded.is_ok()
    };
    // A settlement of event 6 that denies it, and the number 6 in two bytes.
    assert!(
        accepts(&[1, 6, 3]) && !accepts(&[1, 0x86, 0, 3]) && !accepts(&[1, 6, 4]) && !accepts(&[1, 6, 3, 0])
    );
    let shape = Shape { id: id(4), kind: Kind::Sums, anchors: Vec::new(), retention: None };
    let feed = Feed::untied(id(4), Verdicts::ANY).with_shape(Some(shape));
    let written = |feed: Feed| Record { feeds: vec![feed], ..Record::new(1) }.encode(1)[FRAME..].to_vec();
    let sum = written(feed.clone().with_value(value(Kind::Sums, key(0), "7")));
    let Some((number, [14, 0])) = sum.split_last_chunk::<2>() else { panic!("7 without an exponent") };
    let overflowing = [number, &[0x8e], &[0x80; 17], &[4, 0]].concat();
    let several_bytes = [number, &[0x8e, 0x81, 0], &[0]].concat();
    assert!(accepts(&sum) && !accepts(&overflowing) && !accepts(&several_bytes));
    assert!(!accepts(&[number, &[0xac, 2, 0]].concat()), "150 with a zero at the end");
    // The keys of an event are in order, each once.
    let (small, large) = (key(1).min(key(2)), key(1).max(key(2)));
    let keyed = written(feed.with_keys(vec![small, large].into()).with_value(value(Kind::Sums, key(0), "7")));
    let at = keyed.windows(16).position(|part| part == large.as_bytes()).unwrap();
    let twice = [&keyed[..at], small.as_bytes(), &keyed[at + 16..]].concat();
    assert!(accepts(&keyed) && !accepts(&twice));
    // So are the monitors and the cells of a snapshot.
    let mut partition =
        Partition::decode(&[&start[..], &framed(&keyed)].concat(), Limits::default()).unwrap().partition;
    let snapshot = partition.encode();
    let content = &snapshot[HEADER + FRAME..];
    let read = |content: &[u8]| {
        Partition::decode(&[&snapshot[..HEADER], &framed(content)].concat(), Limits::default()).is_ok()
    };
    let at = content.windows(16).position(|part| part == large.as_bytes()).unwrap();
    assert!(read(content) && !read(&[&content[..at], small.as_bytes(), &content[at + 16..]].concat()));
    // A partition with the largest number of events is rejected: the next one could not be numbered.
    assert_eq!(content[..2], [0, 1], "no owner, one event");
    let many = |number: &[u8]| read(&[&content[..1], number, &content[2..]].concat());
    let last = [0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x10];
    assert!(many(&last) && !many(&[&[0x81], &last[1..]].concat()));
}

#[test]
fn a_newer_format_is_named() {
    let mut bytes = file().0;
    bytes[8] = 4;
    let error = Partition::decode(&bytes, Limits::default()).unwrap_err();
    bytes[8] = 0;
    assert_eq!(Partition::decode(&bytes, Limits::default()).unwrap_err(), DecodeError::Damaged);
    assert_eq!(error.to_string(), "a newer hookc wrote the history, in version 4");
}
