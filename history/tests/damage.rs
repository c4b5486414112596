//! Files that were cut off or changed: the history is rejected, or the right one.

use hookc_history::{
    CellId, Change, DecodeError, Feed, Keys, Kind, Limits, Outcome, Partition, Reading, Record, Secret,
    Shape, Verdict, Verdicts, encode_settlement,
};

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

fn record(number: u8) -> Record {
    let secret = Secret::new([1; 32]);
    let key = |value: u8| secret.key([value.to_string()]);
    let feed = |(name, kind): (u8, Kind)| {
        let value = value(kind, key(number), "-1.25e3");
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

#[test]
fn a_newer_format_is_named() {
    let mut bytes = file().0;
    bytes[8] = 4;
    let error = Partition::decode(&bytes, Limits::default()).unwrap_err();
    assert_eq!(error.to_string(), "a newer hookc wrote the history, in version 4");
}
