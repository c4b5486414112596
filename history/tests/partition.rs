//! A partition apart from its monitors: its start, its clock, one call that is several events, and its names.

use hookc_base::action::Kind as ActionKind;
use hookc_history::{
    Bounds, CellId, Decimal, Feed, FeedValue, History, Key, Keys, Kind, LastValue, Limits, Outcome,
    Partition, Reading, Record, Secret, Selection, Shape, Stamp, Tied, Truth, Value, Verdict, Verdicts,
    fingerprint, limits,
};

use crate::harness::KINDS;

const ID: CellId = CellId([1; 8]);
const LATEST: Kind = Kind::Recent { capacity: 1 };

fn key(number: u8) -> Key {
    Secret::new([4; 32]).key([number.to_string()])
}

fn shape(kind: Kind) -> Shape {
    Shape { id: ID, kind, anchors: Vec::new(), retention: None }
}

fn feed(kind: Kind) -> Feed {
    Feed::untied(ID, Verdicts::HAPPENED).with_shape(Some(shape(kind)))
}

fn selection(kind: Kind, keys: &[Key]) -> Selection<'_> {
    Selection { pattern: Tied { id: ID, kind, keys, excluded: &[] }, within: None, since: &[], now: None }
}

fn within(within: u64) -> Selection<'static> {
    Selection { within: Some(within), ..selection(LATEST, &[Key::UNTIED]) }
}

fn read(partition: &mut Partition) -> Partition {
    Partition::decode(&partition.encode(), Limits::default()).unwrap().partition
}

#[test]
fn what_happened_before_an_unseen_start_is_unknown() {
    let mut partition = Partition::unseen(Limits::default().pending(3), 5_000);
    let owned = partition.clone().with_owner(key(1));
    partition.set_owner(Some(key(1)));
    assert_eq!((partition.owner(), partition == owned), (Some(key(1)), true));
    for is_fed in [false, true] {
        let again = read(&mut partition);
        for partition in [&partition, &again] {
            assert_eq!(partition.unseen_before(), Some(5_000));
            let history = partition.at(9_000);
            assert_eq!((history.time(), history.formerly(&within(3_999))), (9_000, Truth::False));
            assert_eq!(history.formerly(&within(4_000)), Truth::Unknown);
            let mut found = Vec::new();
            let shapes = [shape(LATEST)];
            let is_known = history.find(fingerprint(&shapes), &[Key::UNTIED], &mut |id| found.push(id));
            assert!(!is_known && found.is_empty());
        }
        if !is_fed {
            // A denied event makes the monitor and is not in the selection.
            let outcome = Outcome::Settled(Verdict::Deny);
            partition.apply(Record { outcome, feeds: vec![feed(LATEST)], ..Record::new(0) });
            assert_eq!(partition.time(), 5_000, "no event is before the start");
        }
    }
    for _ in 0..5 {
        partition.apply(Record { outcome: Outcome::Pending { until: 1 }, ..Record::new(0) });
    }
    assert_eq!(partition.waiting(), 3);
    assert_eq!(Partition::new(Limits::default()).unseen_before(), None);
}

#[test]
fn the_clock_starts_at_that_of_the_wall_and_counts_from_the_last_event() {
    let reading = |since_boot: u64, wall: u64| Reading { boot: 3, since_boot, wall };
    let mut partition = Partition::new(Limits::default());
    assert_eq!(partition.clock(reading(50, 80_000)), 80_000);
    partition.apply(Record::new(90_000));
    assert_eq!(partition.clock(reading(50, 80_000)), 90_000, "a record without clocks is not in the future");
    partition.apply(Record { reading: Some(reading(100, 7)), ..Record::new(90_000) });
    partition.apply(Record::new(91_000));
    for mut partition in [read(&mut partition), partition] {
        assert_eq!(partition.clock(reading(350, 1)), 91_250);
        assert_eq!(partition.clock(Reading { boot: 4, since_boot: 1, wall: 1_007 }), 92_000);
        assert_eq!(partition.at(3).time(), 91_000, "no event is before the last one");
        partition.apply(Record::new(5));
        assert_eq!((partition.time(), partition.step()), (91_000, 4));
    }
}

#[test]
fn explanations_know_the_latest_event_and_since_when_a_monitor_watches() {
    let mut partition = Partition::new(Limits::default());
    partition.apply(Record::new(10));
    let shapes = [shape(LATEST)];
    let change = partition.change(fingerprint(&shapes), |_| shapes.first());
    assert!(change.as_ref().is_some_and(|change| change.kept.is_empty()));
    partition.apply(Record { change, feeds: vec![feed(LATEST)], ..Record::new(20) });
    partition.apply(Record { feeds: vec![feed(LATEST)], ..Record::new(30) });
    partition.apply(Record::new(40));
    for partition in [&read(&mut partition), &partition] {
        let history = partition.at(50);
        let stamp = |number: u64| Stamp { number, time: number * 10 };
        assert_eq!(history.latest(&within(1)), Some(stamp(3)), "whatever the scope");
        assert_eq!(history.watched_since(ID), stamp(2));
        let mut found = Vec::new();
        let is_known = history.find(fingerprint(&shapes), &[Key::UNTIED], &mut |id| found.push(id));
        assert!(is_known && found == [ID]);
        assert!(!history.find(0, &[Key::UNTIED], &mut |_| panic!("another module")));
        assert_eq!(
            history.watched_since(CellId([9; 8])),
            stamp(2),
            "a new monitor: since the policies changed"
        );
    }
    let none = selection(LATEST, &[]);
    assert_eq!(partition.at(50).latest(&none), None);
}

#[test]
fn each_monitor_knows_its_latest_event() {
    for kind in KINDS {
        let mut partition = Partition::new(Limits::default());
        for number in 1..=3_u8 {
            let value = crate::harness::value(kind, key(number), "2");
            partition.apply(Record {
                feeds: vec![feed(kind).with_value(value)],
                ..Record::new(u64::from(number))
            });
        }
        let excluded = [vec![key(9)]];
        let mut selection = selection(kind, &[Key::UNTIED]);
        selection.pattern.excluded = if matches!(kind, Kind::Differing { .. }) { &excluded } else { &[] };
        let expected = match kind {
            Kind::Counter | Kind::Total => None,
            _ => Some(Stamp { number: 3, time: 3 }),
        };
        assert_eq!(partition.at(5).latest(&selection), expected, "{kind:?}");
    }
}

/// What a partition answers after one record.
fn after(record: Record) -> Partition {
    let mut partition = Partition::new(Limits::default());
    partition.apply(record);
    partition
}

fn number(text: &str) -> FeedValue {
    FeedValue::Numbers(vec![Decimal::parse(text)])
}

#[test]
fn events_of_one_call_are_one_event_with_the_keys_and_values_of_both() {
    let kept = |number: u8| FeedValue::Kept(vec![Some(Value::new(key(number), Some(&number.to_string())))]);
    let with = |kind: Kind, number: u8, value: FeedValue| {
        let feeds = vec![feed(kind).with_keys(Keys::from(key(number))).with_value(value)];
        Record { tool_use: Some(key(7)), feeds, ..Record::new(1_000 * u64::from(number)) }
    };
    let keys = [[key(1)], [key(2)], [key(3)]];
    let ask = |merged: &Record, kind: Kind, each: &dyn Fn(&History<'_>, &Selection<'_>) -> String| {
        let partition = after(merged.clone());
        assert_eq!((partition.step(), partition.time()), (1, 1_000), "one event, at the time of the first");
        keys.each_ref().map(|keys| each(&partition.at(0), &selection(kind, keys)))
    };
    let both =
        |kind: Kind, first: FeedValue, second: FeedValue| with(kind, 1, first).merge(with(kind, 2, second));

    let counter = both(Kind::Counter, FeedValue::Time, FeedValue::Time);
    let count =
        |history: &History<'_>, selection: &Selection<'_>| format!("{:?}", history.count(selection).known());
    assert_eq!(ask(&counter, Kind::Counter, &count), ["Some(1)", "Some(1)", "Some(0)"]);

    let sums = both(Kind::Sums, number("1.5"), number("2"));
    let sum = |history: &History<'_>, selection: &Selection<'_>| history.sum(selection).unwrap().to_string();
    assert_eq!(ask(&sums, Kind::Sums, &sum), ["3.5", "3.5", "0"]);

    let kind = Kind::Distinct { capacity: 4 };
    let values = both(kind, FeedValue::Values(vec![key(8), key(9)]), FeedValue::Values(vec![key(9), key(5)]));
    let distinct = |history: &History<'_>, selection: &Selection<'_>| {
        format!("{:?}", history.distinct(selection).known())
    };
    assert_eq!(ask(&values, kind, &distinct), ["Some(3)", "Some(3)", "Some(0)"]);

    let kind = Kind::Last { capacity: 2, values: 1 };
    let last = |history: &History<'_>, selection: &Selection<'_>| {
        let text = |back: usize| match history.last(selection, back, 0) {
            LastValue::Known(value) => value.text().map(str::to_owned),
            LastValue::Absent => None,
            LastValue::Unknown => panic!("it is known"),
        };
        format!("{:?}", [text(1), text(2)])
    };
    let first = r#"[Some("1"), None]"#;
    assert_eq!(ask(&both(kind, kept(1), kept(2)), kind, &last), [first, first, "[None, None]"]);

    let kind = Kind::Differing { conjuncts: 2 };
    let excluded = |first: u8, second: u8| FeedValue::Excluded(vec![vec![key(first)], vec![key(second)]]);
    let merged = both(kind, excluded(10, 20), excluded(11, 21));
    for (current, expected) in [
        ([10, 29], Truth::False),
        ([11, 29], Truth::False),
        ([19, 20], Truth::False),
        ([19, 21], Truth::False),
        ([20, 10], Truth::True),
    ] {
        let current = current.map(|current| vec![key(current)]);
        let mut selection = selection(kind, &keys[0]);
        selection.pattern.excluded = &current;
        assert_eq!(after(merged.clone()).at(0).formerly(&selection), expected, "{current:?}");
    }
}

#[test]
fn events_of_one_call_feed_the_monitors_of_both() {
    let other = CellId([2; 8]);
    let of_other = Feed { cell: other, shape: Some(Shape { id: other, ..shape(LATEST) }), ..feed(LATEST) };
    let first = Record { feeds: vec![of_other.clone(), feed(LATEST)], ..Record::new(1) };
    let second = Record { feeds: vec![feed(LATEST), of_other], ..Record::new(1) };
    let alone = Record { feeds: vec![feed(LATEST)], ..Record::new(1) };
    assert_eq!(after(first.clone().merge(second)).cells(), 2);
    assert_eq!(after(alone.clone().merge(first)).cells(), 2);
    assert_eq!(after(alone.merge(Record::new(1))).cells(), 1);
}

#[test]
fn a_key_that_may_match_stays_unknown_next_to_one_that_does() {
    let certain = feed(LATEST).with_keys(Keys::from(key(1)));
    let possible = Feed { certain: Verdicts::NEVER, possible: Verdicts::HAPPENED, ..feed(LATEST) };
    let possible = possible.with_keys(Keys::from(key(2)));
    let with = |feed: &Feed| Record { feeds: vec![feed.clone()], ..Record::new(1) };
    for merged in [with(&certain).merge(with(&possible)), with(&possible).merge(with(&certain))] {
        let partition = after(merged);
        let formerly = |number: u8| partition.at(1).formerly(&selection(LATEST, &[key(number)]));
        assert_eq!((formerly(2), formerly(3)), (Truth::Unknown, Truth::False));
        assert_ne!(formerly(1), Truth::False);
    }
    // Two patterns about one key: either is enough.
    let same = Feed { keys: Keys::from(key(1)), ..possible };
    let partition = after(with(&certain).merge(with(&same)));
    assert_eq!(partition.at(1).formerly(&selection(LATEST, &[key(1)])), Truth::True);
}

#[test]
fn sets_of_verdicts_unite() {
    let verdicts = [Verdict::None, Verdict::Allow, Verdict::Ask, Verdict::Deny];
    for (one, other) in (0..16).flat_map(|one| (0..16).map(move |other| (one, other))) {
        let [one, other] = [one, other].map(|bits| Verdicts::from_bits(bits).unwrap());
        for verdict in verdicts {
            let expected = one.contains(verdict) || other.contains(verdict);
            assert_eq!(one.union(other).contains(verdict), expected, "{one:?} {other:?} {verdict:?}");
        }
    }
    assert_eq!(Verdicts::from_bits(16), None);
}

#[test]
fn each_kind_of_action_has_its_verdict() {
    for (kinds, expected) in [
        (&["deny", "fail", "abort", "suspend"][..], Some(Verdict::Deny)),
        (&["ask", "escalate"], Some(Verdict::Ask)),
        (&["allow"], Some(Verdict::Allow)),
        (&["continue", "retry", "emit_event", "modify", "inject", "log"], Some(Verdict::None)),
        (&["run", "prompt", "http"], None),
    ] {
        for kind in kinds {
            assert_eq!(Verdict::for_kind(ActionKind::parse(kind).unwrap()), expected, "{kind}");
        }
    }
}

#[test]
fn limits_are_lowered_and_never_raised() {
    let limits = Limits::default();
    type Set = fn(Limits, usize) -> Limits;
    type Get = fn(&Limits) -> usize;
    let setters: [(Set, Get, usize); 6] = [
        (Limits::keys, |limits| limits.keys, limits::KEYS),
        (Limits::cells, |limits| limits.cells, limits::CELLS),
        (Limits::bytes, |limits| limits.bytes, limits::BYTES),
        (Limits::sum, |limits| limits.sum, limits::SUM),
        (Limits::pending, |limits| limits.pending, limits::PENDING),
        (Limits::event_keys, |limits| limits.event_keys, limits::EVENT_KEYS),
    ];
    for (index, (set, get, most)) in setters.iter().enumerate() {
        for (asked, expected) in [(0, 1), (7, 7), (*most, *most), (usize::MAX, *most)] {
            let lowered = set(limits, asked);
            assert_eq!(get(&lowered), expected, "limit {index}");
            let others = setters.iter().enumerate().filter(|(other, _)| *other != index);
            assert!(others.clone().all(|(_, (_, get, most))| get(&lowered) == *most), "limit {index} alone");
        }
    }
}

#[test]
fn neither_secrets_nor_whole_hashes_are_printed() {
    let secret = Secret::new([0xab; 32]);
    assert_eq!(format!("{secret:?}"), "Secret");
    let [a, b, ..] = *key(1).as_bytes();
    let printed = format!("Key({a:02x}{b:02x})");
    assert_eq!(
        (format!("{:?}", key(1)), format!("{:?}", Keys::from(key(1)))),
        (printed.clone(), format!("[{printed}]"))
    );
}

#[test]
fn a_count_is_known_between_its_bounds() {
    for (low, high) in (0..5).flat_map(|low| (low..6).map(move |high| (low, high))) {
        for (high, n) in [None, Some(high)].into_iter().flat_map(|high| (0..8).map(move |n| (high, n))) {
            let numbers: Vec<bool> = (low..=high.unwrap_or(9)).map(|number| number >= n).collect();
            let expected = match (numbers.iter().all(|is| *is), numbers.iter().any(|is| *is)) {
                (true, _) => Truth::True,
                (false, true) => Truth::Unknown,
                (false, false) => Truth::False,
            };
            let bounds = Bounds { low, high };
            assert_eq!(bounds.at_least(n), expected, "{bounds:?} {n}");
            assert_eq!(bounds.known(), Some(low).filter(|low| high == Some(*low)));
        }
    }
}

/// Partitions that answer differently are not equal, whatever their monitors keep.
#[test]
fn partitions_with_other_values_or_records_differ() {
    for kind in KINDS {
        let fed = |time: u64, number: u8| {
            let value = crate::harness::value(kind, key(number), &number.to_string());
            after(Record { feeds: vec![feed(kind).with_value(value)], ..Record::new(time) })
        };
        assert_eq!(fed(1, 3), fed(1, 3), "{kind:?}");
        assert_ne!(fed(1, 3), fed(2, 3), "{kind:?}: another time");
        let has_value = !matches!(kind, Kind::Recent { .. } | Kind::Counter);
        assert_eq!(fed(1, 3) != fed(1, 4), has_value, "{kind:?}: another value");
        let tied = |number: u8| {
            let value = crate::harness::value(kind, key(9), "9");
            let feeds = vec![feed(kind).with_keys(Keys::from(key(number))).with_value(value)];
            after(Record { feeds, ..Record::new(1) })
        };
        assert_ne!(tied(3), tied(4), "{kind:?}: another key");
    }
    let waiting = |outcome: Outcome| {
        let mut partition = after(Record::new(1));
        partition.apply(Record { outcome: Outcome::Pending { until: 9 }, ..Record::new(2) });
        partition.apply(Record { outcome, ..Record::new(3) });
        partition
    };
    let [one, other] = [Verdict::None, Verdict::Deny].map(|verdict| waiting(Outcome::Settled(verdict)));
    assert_ne!(one, other, "another record waits");
    let mut settled = [Verdict::None, Verdict::Deny].map(|_| waiting(Outcome::Settled(Verdict::None)));
    assert!(settled[0] == settled[1] && settled[0].settle(2, Verdict::None) && settled[0] != settled[1]);
}

#[test]
fn the_fingerprint_of_a_module_follows_from_all_of_its_monitors() {
    let first = Shape { anchors: vec![ID], retention: Some(7), ..shape(Kind::Recent { capacity: 300 }) };
    let others = [
        Shape { id: CellId([2; 8]), ..first.clone() },
        Shape { kind: Kind::Recent { capacity: 301 }, ..first.clone() },
        Shape { kind: Kind::Recent { capacity: 44 }, ..first.clone() },
        Shape { kind: Kind::Distinct { capacity: 300 }, ..first.clone() },
        Shape { kind: Kind::Last { capacity: 1, values: 1 }, ..first.clone() },
        Shape { kind: Kind::Last { capacity: 1, values: 2 }, ..first.clone() },
        Shape { anchors: Vec::new(), ..first.clone() },
        Shape { anchors: vec![CellId([2; 8])], ..first.clone() },
        Shape { retention: None, ..first.clone() },
        Shape { retention: Some(8), ..first.clone() },
    ];
    let mut modules: Vec<Vec<Shape>> =
        others.into_iter().chain([first.clone()]).map(|shape| vec![shape]).collect();
    modules.extend([Vec::new(), vec![first.clone(), first]]);
    let mut found: Vec<u64> = modules.iter().map(fingerprint).collect();
    found.sort_unstable();
    found.dedup();
    assert_eq!(found.len(), modules.len());
}

/// A monitor keeps its state while its kind and anchors are those of the shape, whatever capacity that has.
#[test]
fn a_monitor_of_another_kind_begins_anew() {
    let last = |capacity: u8, values: u8| Kind::Last { capacity, values };
    let differing = |conjuncts: u8| Kind::Differing { conjuncts };
    let recent = |capacity: u16| Kind::Recent { capacity };
    let anchored = vec![CellId([2; 8])];
    for (first, second, anchors, is_kept) in [
        (recent(2), recent(1), vec![], true),
        (recent(2), recent(2), anchored, false),
        (recent(2), Kind::Distinct { capacity: 2 }, vec![], false),
        (Kind::Counter, Kind::Total, vec![], false),
        (Kind::Counter, Kind::Counter, vec![], true),
        (last(2, 1), last(3, 1), vec![], true),
        (last(2, 1), last(2, 2), vec![], false),
        (differing(1), differing(1), vec![], true),
        (differing(1), differing(2), vec![], false),
    ] {
        let what = format!("{first:?} {second:?} {anchors:?}");
        assert_eq!(first.is_like(&second) && anchors.is_empty(), is_kept, "{what}");
        let mut partition = Partition::new(Limits::default());
        let change = partition.change(5, |_| None);
        let fed = |kind: Kind| feed(kind).with_value(crate::harness::value(kind, key(3), "3"));
        partition.apply(Record { change, feeds: vec![fed(first)], ..Record::new(1) });
        let with = Shape { anchors: anchors.clone(), ..shape(second) };
        // A denied event of a module that has the monitor, before and after it names the change.
        for named in [false, true] {
            let change = named.then(|| partition.change(6, |_| Some(&with)).unwrap());
            let feeds = vec![Feed::untied(ID, Verdicts::HAPPENED).with_shape(Some(with.clone()))];
            let outcome = Outcome::Settled(Verdict::Deny);
            partition.apply(Record { change, feeds, outcome, ..Record::new(2) });
            assert_eq!(partition.cells(), usize::from(is_kept), "{what}, named: {named}");
        }
    }
}

fn key_of(number: usize) -> Key {
    Secret::new([4; 32]).key([number.to_string()])
}

/// A partition of one monitor with a window, after an event with each of these keys, all at some distance.
fn windowed(kind: Kind, retention: u64, distance: u64, count: usize) -> Partition {
    let mut partition = Partition::new(Limits::default());
    let shape = Shape { retention: Some(retention), ..shape(kind) };
    for number in 0..count {
        let feed = Feed::untied(ID, Verdicts::HAPPENED).with_shape((number == 0).then(|| shape.clone()));
        let feeds = vec![feed.with_keys(key_of(number).into())];
        partition.apply(Record { feeds, ..Record::new(u64::try_from(number).unwrap() * distance) });
    }
    partition
}

#[test]
fn keys_that_are_out_of_every_window_take_no_memory() {
    let mut partition = windowed(LATEST, 1_000, 100, 3_000);
    assert!(partition.cells() < 100, "{}", partition.cells());
    let keys = [key_of(2_995), key_of(2)];
    let answers = |partition: &Partition| {
        let within = |key| Selection { within: Some(1_000), ..selection(LATEST, key) };
        [&keys[..1], &keys[1..]].map(|key| partition.at(299_900).formerly(&within(key)))
    };
    assert_eq!(answers(&partition), [Truth::True, Truth::False]);
    let again = read(&mut partition);
    assert_eq!((again.cells(), answers(&again)), (11, [Truth::True, Truth::False]));
    // A long time later, nothing is left of them in a snapshot.
    partition.apply(Record::new(400_000));
    assert_eq!(read(&mut partition).cells(), 0);
    assert_eq!(
        partition.at(400_000).formerly(&selection(LATEST, &keys[..1])),
        Truth::Unknown,
        "without a window"
    );
}

#[test]
fn a_key_at_the_edge_of_its_window_is_kept() {
    for count in 1..40 {
        // The first event is just as old as the window is long when the last comes.
        let retention = 8 * u64::try_from(count - 1).unwrap().max(1);
        let mut partition = windowed(LATEST, retention, 8, count);
        for partition in [read(&mut partition), partition] {
            let first = [key_of(0)];
            let edge = Selection { within: Some(retention), ..selection(LATEST, &first) };
            assert_eq!(partition.at(partition.time()).formerly(&edge), Truth::True, "{count} events");
        }
    }
}

#[test]
fn a_full_partition_drops_an_eighth_and_keeps_the_latest() {
    let shapes = [CellId([1; 8]), CellId([2; 8])].map(|id| Shape { id, ..shape(LATEST) });
    let fed = |partition: &mut Partition, number: usize| {
        let feeds = shapes.iter().filter(|shape| usize::from(shape.id.0[0] == 2) == number % 2);
        let feeds = feeds.map(|shape| Feed { cell: shape.id, shape: Some(shape.clone()), ..feed(LATEST) });
        let feeds = feeds.map(|feed| feed.with_keys(key_of(number).into())).collect();
        partition.apply(Record { feeds, ..Record::new(u64::try_from(number).unwrap()) });
    };
    let formerly = |partition: &Partition, number: usize| {
        let keys = [key_of(number)];
        let mut selection = selection(LATEST, &keys);
        selection.pattern.id = shapes[number % 2].id;
        partition.at(1_000).formerly(&selection)
    };
    let cell_bytes = {
        let mut partition = Partition::new(Limits::default());
        fed(&mut partition, 0);
        partition.bytes()
    };
    for limits in [Limits::default().cells(64), Limits::default().bytes(64 * cell_bytes)] {
        let mut partition = Partition::new(limits);
        (0..64).for_each(|number| fed(&mut partition, number));
        assert_eq!(partition.cells(), 64, "{limits:?}: as many as the limit");
        assert!((0..64).all(|number| formerly(&partition, number) == Truth::True));
        fed(&mut partition, 64);
        assert_eq!(partition.cells(), 56, "{limits:?}");
        for number in 0..=64 {
            let expected = if number < 9 { Truth::Unknown } else { Truth::True };
            assert_eq!(formerly(&partition, number), expected, "{limits:?}: event {number}");
        }
    }
}

#[test]
fn an_event_with_many_values_or_keys_is_bounded() {
    let kind = Kind::Distinct { capacity: 100 };
    let values = |count: usize| FeedValue::Values((0..count).chain(0..count).map(key_of).collect());
    for (count, expected) in [
        (limits::EVENT_KEYS, Bounds::exact(u64::try_from(limits::EVENT_KEYS).unwrap())),
        (limits::EVENT_KEYS + 1, Bounds { low: 0, high: None }),
    ] {
        let partition = after(Record { feeds: vec![feed(kind).with_value(values(count))], ..Record::new(1) });
        assert_eq!(partition.at(1).distinct(&selection(kind, &[Key::UNTIED])), expected, "{count} values");
    }
    let keys = (0..5_000).map(key_of).collect::<Vec<_>>();
    let feeds = vec![feed(LATEST).with_keys(keys.into())];
    let bytes = Record { feeds, ..Record::new(1) }.encode(1);
    assert!(bytes.len() < 16 * (limits::EVENT_KEYS + 8), "{}", bytes.len());
}

#[test]
fn a_key_that_is_seen_again_is_not_the_oldest() {
    let mut partition = Partition::new(Limits::default().keys(64));
    for (time, number) in (1..).zip((0..=64).chain([1, 3, 65, 66])) {
        let shape = (time == 1).then(|| shape(LATEST));
        let feed = Feed::untied(ID, Verdicts::HAPPENED).with_shape(shape);
        partition.apply(Record { feeds: vec![feed.with_keys(key_of(number).into())], ..Record::new(time) });
    }
    for number in 0..=66 {
        let expected = if matches!(number, 0 | 2 | 4) { Truth::Unknown } else { Truth::True };
        let keys = [key_of(number)];
        assert_eq!(partition.at(100).formerly(&selection(LATEST, &keys)), expected, "key {number}");
    }
}

/// A record that does not fit its monitor, as only a damaged program writes it.
#[test]
fn an_event_without_the_values_of_its_monitor_is_unknown() {
    for kind in KINDS {
        let other = KINDS.iter().find(|other| !other.is_like(&kind)).unwrap();
        let values = match kind {
            Kind::Last { .. } => FeedValue::Kept(vec![None, None]),
            Kind::Differing { .. } => FeedValue::Excluded(vec![Vec::new(), Vec::new()]),
            _ => crate::harness::value(*other, key(1), "1"),
        };
        let mut partition = after(Record { feeds: vec![feed(kind).with_value(values)], ..Record::new(1) });
        let excluded = [Vec::new()];
        let mut selection = selection(kind, &[Key::UNTIED]);
        selection.pattern.excluded = if matches!(kind, Kind::Differing { .. }) { &excluded } else { &[] };
        for partition in [read(&mut partition), partition] {
            let history = partition.at(1);
            let is_right = match kind {
                // Its time is all that they keep.
                Kind::Recent { .. } | Kind::Counter => history.count(&selection).known().is_some(),
                Kind::Differing { .. } => history.formerly(&selection) == Truth::Unknown,
                Kind::Total | Kind::Sums => history.sum(&selection).is_none(),
                Kind::Distinct { .. } => history.distinct(&selection).known().is_none(),
                Kind::Last { .. } => history.last(&selection, 1, 0) == LastValue::Unknown,
            };
            assert!(is_right, "{kind:?}");
        }
    }
}

#[test]
fn an_event_is_pending_until_it_is_settled() {
    let mut partition = after(Record::new(1));
    partition.apply(Record { outcome: Outcome::Pending { until: 9 }, ..Record::new(2) });
    partition.apply(Record::new(3));
    for mut partition in [read(&mut partition), partition] {
        assert_eq!(
            [0, 1, 2, 3, 4].map(|step| partition.is_pending(step)),
            [false, false, true, false, false]
        );
        assert!(!partition.settle(3, Verdict::Deny) && partition.settle(2, Verdict::Deny));
        assert!(!partition.is_pending(2) && !partition.settle(2, Verdict::Deny));
    }
}
