//! What the state costs: reading and recording an event in memory, decoding a full partition, and one call with a file.
//!
//! ```sh
//! cargo run --release -p hookc-history --example cost
//! ```
#![allow(clippy::print_stdout, clippy::unwrap_used, clippy::indexing_slicing, reason = "an example")]

use std::hint::black_box;
use std::time::{Duration, Instant};

use hookc_history::store::{Beginning, Store, reading};
use hookc_history::{
    CellId, Feed, Key, Kind, Limits, Partition, Record, Secret, Selection, Shape, Tied, Verdicts,
};

const LATEST: Kind = Kind::Recent { capacity: 1 };

fn id(name: usize) -> CellId {
    CellId::from_source(&name.to_le_bytes())
}

/// The median of some durations.
fn median(mut times: Vec<Duration>) -> Duration {
    times.sort_unstable();
    times[times.len() / 2]
}

/// A feed of a monitor, with its shape if the partition does not have it.
fn feed(partition: &Partition, monitor: usize, key: Key) -> Feed {
    let shape = Shape { id: id(monitor), kind: LATEST, anchors: Vec::new(), retention: None };
    let shape = (!partition.has(shape.id)).then_some(shape);
    Feed::untied(id(monitor), Verdicts::HAPPENED).with_shape(shape).with_keys(vec![key])
}

/// Events that read ten selections `formerly(A where k == now.k since B)` and feed ten monitors.
fn event(partition: &mut Partition, number: usize, monitors: usize, keys: &[Key]) {
    let time = u64::try_from(number).unwrap();
    let key = [keys[number * 7 % keys.len()]];
    let monitor = |index: usize| (number * 31 + index * 17) % monitors;
    for index in 0..10 {
        let tied = |name: usize| Tied { id: id(name), kind: LATEST, keys: &key, excluded: &[] };
        let since = [tied(monitor(index + 1))];
        let selection = Selection { pattern: tied(monitor(index)), within: None, since: &since, now: None };
        black_box(partition.at(time).formerly(&selection));
    }
    let feeds = (0..10).map(|index| feed(partition, monitor(index), key[0])).collect();
    partition.apply(Record { feeds, ..Record::new(time) });
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let secret = Secret::new([1; 32]);
    let keys: Vec<Key> = (0..1_000_usize).map(|number| secret.key([number.to_string()])).collect();
    for monitors in [10, 100, 1_000, 10_000] {
        let mut partition = Partition::new(Limits::default());
        (0..20_000).for_each(|number| event(&mut partition, number, monitors, &keys));
        let mut chunks = Vec::new();
        for chunk in 20..60 {
            let start = Instant::now();
            (0..1_000).for_each(|number| event(&mut partition, chunk * 1_000 + number, monitors, &keys));
            chunks.push(start.elapsed() / 1_000);
        }
        let cells = partition.cells();
        println!(
            "{monitors:6} monitors, {cells:6} cells: {:?} an event, with 10 reads and 10 feeds",
            median(chunks)
        );
    }
    let mut partition = Partition::new(Limits::default());
    (0..200_000).for_each(|number| event(&mut partition, number, 1_000, &keys));
    let bytes = partition.encode();
    let decode = |_| {
        let start = Instant::now();
        black_box(Partition::decode(&bytes, Limits::default()).is_ok());
        start.elapsed()
    };
    let encode = |_| {
        let start = Instant::now();
        black_box(partition.encode());
        start.elapsed()
    };
    println!("a full partition of {} cells is {} bytes", partition_cells(&bytes), bytes.len());
    println!("decoding it: {:?}", median((0..50).map(decode).collect()));
    println!("encoding it: {:?}", median((0..50).map(encode).collect()));
    let folder = tempfile::tempdir()?;
    let store = Store::open(folder.path().join("history"), Limits::default())?;
    for (name, monitors, events) in [("small", 10, 200), ("full", 1_000, 20_000)] {
        let session = store.key([name]);
        let call = |number: usize| {
            let start = Instant::now();
            let mut locked = store.lock(session, Beginning::Seen).unwrap();
            let time = locked.partition().clock(reading());
            let key = keys[number * 7 % keys.len()];
            let feeds =
                (0..10).map(|index| feed(locked.partition(), (number * 31 + index * 17) % monitors, key));
            let record = Record { feeds: feeds.collect(), ..Record::new(time) };
            locked.record(record).unwrap();
            start.elapsed()
        };
        let mut times: Vec<Duration> = (0..events).map(call).collect();
        let times = times.split_off(events - 200);
        println!("one call with the {name} file: {:?}", median(times));
    }
    Ok(())
}

fn partition_cells(bytes: &[u8]) -> usize {
    Partition::decode(bytes, Limits::default()).map_or(0, |decoded| decoded.partition.cells())
}
