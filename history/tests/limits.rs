//! Each limit is reached: what no longer fits makes an answer unknown.

use hookc_history::{
    Bounds, CellId, Change, Decimal, Feed, FeedValue, Key, Kind, Limits, Outcome, Partition, Record, Secret,
    Selection, Shape, Tied, Truth, Value, Verdict, Verdicts, limits,
};

const ID: CellId = CellId([1; 8]);

fn key(number: usize) -> Key {
    Secret::new([2; 32]).key([number.to_string()])
}

fn shape(id: CellId, kind: Kind) -> Shape {
    Shape { id, kind, anchors: Vec::new(), retention: None }
}

/// A partition with a monitor that has not been fed: the event was denied.
fn partition(kind: Kind) -> Partition {
    let mut partition = Partition::new(Limits::default());
    let feeds = vec![Feed::untied(ID, Verdicts::DENIED).with_shape(Some(shape(ID, kind)))];
    partition.apply(Record { feeds, ..Record::new(0) });
    partition
}

fn feed(partition: &mut Partition, time: u64, keys: Vec<Key>, value: FeedValue) {
    let feeds = vec![Feed::untied(ID, Verdicts::ANY).with_keys(keys.into()).with_value(value)];
    partition.apply(Record { feeds, ..Record::new(time) });
}

fn selection(kind: Kind, keys: &[Key]) -> Selection<'_> {
    Selection { pattern: Tied { id: ID, kind, keys, excluded: &[] }, within: None, since: &[], now: None }
}

#[test]
fn a_further_key_replaces_the_one_that_was_seen_longest_ago() {
    let kind = Kind::Recent { capacity: 1 };
    let mut partition = partition(kind);
    for number in 0..=limits::KEYS {
        feed(&mut partition, 1_000, vec![key(number)], FeedValue::Time);
        let first = partition.at(1_000).formerly(&selection(kind, &[key(0)]));
        assert_eq!(first, if number < limits::KEYS { Truth::True } else { Truth::Unknown }, "{number}");
    }
    let history = partition.at(9_000);
    assert_eq!(history.formerly(&selection(kind, &[key(1)])), Truth::True);
    assert_eq!(
        history.formerly(&selection(kind, &[key(limits::KEYS + 1)])),
        Truth::Unknown,
        "it may have been dropped"
    );
    let first = [key(0)];
    let recent = Selection { within: Some(1_000), ..selection(kind, &first) };
    assert_eq!(history.formerly(&recent), Truth::False, "what was dropped was earlier");
}

#[test]
fn a_partition_has_so_many_cells_and_bytes() {
    let kind = Kind::Recent { capacity: 1 };
    let mut partition = Partition::new(Limits::default());
    for number in 0..limits::KEYS {
        let feeds = (0..=16_u8).map(|name| {
            let id = CellId([name; 8]);
            let shape = (number == 0).then(|| shape(id, kind));
            Feed::untied(id, Verdicts::ANY).with_shape(shape).with_keys(key(number).into())
        });
        partition.apply(Record { feeds: feeds.collect(), ..Record::new(0) });
        assert!(partition.cells() <= limits::CELLS && partition.bytes() <= limits::BYTES);
    }
    assert!(partition.bytes() > limits::BYTES / 2, "it is used");
    let bytes = partition.encode();
    assert_eq!(Partition::decode(&bytes, Limits::default()).unwrap().partition, partition);
}

/// The estimate by which partitions are limited follows the file, whatever the cells have.
#[test]
fn the_estimated_bytes_are_about_those_of_the_file() {
    let values = |count: usize| (0..count).map(key).collect::<Vec<Key>>();
    let text = |number: usize| Some(Value::new(key(number), Some(&"x".repeat(number % 200))));
    let kinds: [(Kind, &dyn Fn(usize) -> FeedValue); 7] = [
        (Kind::Recent { capacity: 40 }, &|_| FeedValue::Time),
        (Kind::Counter, &|_| FeedValue::Time),
        (Kind::Total, &|number| FeedValue::Numbers(vec![Decimal::parse(&number.to_string())])),
        (Kind::Sums, &|number| FeedValue::Numbers(vec![Decimal::parse(&number.to_string())])),
        (Kind::Distinct { capacity: 40 }, &|number| FeedValue::Values(values(number % 7))),
        (Kind::Last { capacity: 16, values: 2 }, &|number| {
            FeedValue::Kept(vec![text(number), text(number + 100)])
        }),
        (Kind::Differing { conjuncts: 2 }, &|number| {
            FeedValue::Excluded(vec![values(number % 5), vec![key(number)]])
        }),
    ];
    for (kind, value) in kinds {
        let mut partition = partition(kind);
        let (empty_file, empty) = (partition.encode().len(), partition.bytes());
        for number in 0..2_000 {
            feed(
                &mut partition,
                1_000 + u64::try_from(number).unwrap(),
                vec![key(number % 50)],
                value(number),
            );
            if number % 400 == 399 {
                let (file, bytes) = (partition.encode().len() - empty_file, partition.bytes() - empty);
                assert!(
                    bytes * 2 >= file && bytes <= file * 4,
                    "{kind:?}: {bytes} for {file} bytes of the file"
                );
            }
        }
    }
}

#[test]
fn a_windowed_sum_is_unknown_until_enough_events_have_left() {
    let mut partition = partition(Kind::Sums);
    for time in 0..=limits::SUM {
        let number = FeedValue::Numbers(vec![Decimal::parse("1")]);
        feed(&mut partition, u64::try_from(time).unwrap(), vec![Key::UNTIED], number);
    }
    let last = u64::try_from(limits::SUM).unwrap();
    let sum = |within: u64| {
        let untied = selection(Kind::Sums, &[Key::UNTIED]);
        partition.at(last).sum(&Selection { within: Some(within), ..untied }).map(|sum| sum.to_string())
    };
    assert_eq!(sum(last), None);
    assert_eq!(sum(last - 1).as_deref(), Some("4096"));
}

#[test]
fn an_event_with_many_keys_may_match_any() {
    let kind = Kind::Recent { capacity: 2 };
    let mut partition = partition(kind);
    let keys: Vec<Key> = (0..=limits::EVENT_KEYS).map(key).collect();
    feed(&mut partition, 0, keys[1..].to_vec(), FeedValue::Time);
    let count = |partition: &Partition, number| partition.at(0).count(&selection(kind, &[key(number)]));
    assert_eq!((count(&partition, 1), count(&partition, 0)), (Bounds::exact(1), Bounds::exact(0)));
    feed(&mut partition, 0, keys, FeedValue::Time);
    assert_eq!(count(&partition, 1), Bounds { low: 1, high: None });
    assert_eq!(count(&partition, 999), Bounds { low: 0, high: None });
}

#[test]
fn a_long_text_is_not_kept() {
    let text = "x".repeat(limits::TEXT + 1);
    assert_eq!(Value::new(key(0), Some(&text[1..])).text(), Some(&text[1..]));
    assert_eq!(Value::new(key(0), Some(&text)).text(), None);
}

#[test]
fn the_oldest_pending_event_is_settled_with_what_is_known() {
    let kind = Kind::Counter;
    let mut partition = partition(kind);
    for _ in 0..=limits::PENDING {
        let feeds = vec![Feed::untied(ID, Verdicts::HAPPENED)];
        partition.apply(Record { outcome: Outcome::Pending { until: 9 }, feeds, ..Record::new(0) });
    }
    assert_eq!(partition.waiting(), limits::PENDING);
    assert!(!partition.settle(2, Verdict::Deny), "it is settled");
    assert!(partition.settle(3, Verdict::Deny));
    let count = partition.at(0).count(&selection(kind, &[Key::UNTIED]));
    assert_eq!(count, Bounds::exact(u64::try_from(limits::PENDING).unwrap()));
}

#[test]
fn shapes_beyond_the_limits_are_not_taken() {
    let count = u16::try_from(limits::COUNT).unwrap();
    let conjuncts = u8::try_from(limits::CONJUNCTS).unwrap();
    let (last, values) = (u8::try_from(limits::LAST).unwrap(), u8::try_from(limits::VALUES).unwrap());
    for (kind, is_valid) in [
        (Kind::Recent { capacity: count }, true),
        (Kind::Recent { capacity: count + 1 }, false),
        (Kind::Distinct { capacity: 0 }, false),
        (Kind::Differing { conjuncts }, true),
        (Kind::Differing { conjuncts: conjuncts + 1 }, false),
        (Kind::Last { capacity: last, values }, true),
        (Kind::Last { capacity: last + 1, values }, false),
        (Kind::Last { capacity: last, values: values + 1 }, false),
    ] {
        assert_eq!(kind.is_valid(), is_valid, "{kind:?}");
        assert_eq!(partition(kind).has(ID), is_valid, "{kind:?}");
    }
    let anchors = vec![ID; limits::ANCHORS + 1];
    assert!(!Shape { id: ID, kind: Kind::Counter, anchors, retention: None }.is_valid());
}

#[test]
fn a_monitor_that_no_policy_has_stays_for_a_week() {
    let mut partition = partition(Kind::Counter);
    let change = partition.change(1, |_| None);
    assert_eq!(change, Some(Change { fingerprint: 1, kept: Vec::new() }));
    partition.apply(Record { change, ..Record::new(1_000) });
    partition.apply(Record::new(1_000 + limits::UNUSED));
    let _ = partition.encode();
    assert!(partition.has(ID));
    partition.apply(Record::new(1_001 + limits::UNUSED));
    let _ = partition.encode();
    assert!(!partition.has(ID));
}
