//! What the state costs: reading and feeding monitors in memory, and the bytes of a full partition.
//!
//! ```sh
//! cargo run --release -p hookc-history --example cost
//! ```
#![allow(clippy::print_stdout, clippy::unwrap_used, clippy::indexing_slicing, reason = "an example")]

use std::hint::black_box;
use std::time::{Duration, Instant};

use hookc_history::{
    CellId, Feed, Key, Kind, Limits, Partition, Record, Secret, Selection, Shape, Tied, Verdicts,
};

const LATEST: Kind = Kind::Recent { capacity: 1 };
/// Monitors that an event reads, and feeds.
const EACH: usize = 10;
/// Events of one measurement.
const CHUNK: usize = 1_000;

/// The median of some durations.
fn median(mut times: Vec<Duration>) -> Duration {
    times.sort_unstable();
    times[times.len() / 2]
}

/// Monitors that are tied by one value, and the keys of events.
struct Monitors {
    shapes: Vec<Shape>,
    keys: Vec<Key>,
    partition: Partition,
}

impl Monitors {
    fn new(count: usize) -> Self {
        let id = |name: usize| CellId::from_source(&name.to_le_bytes());
        let shape = |name| Shape { id: id(name), kind: LATEST, anchors: Vec::new(), retention: None };
        let secret = Secret::new([1; 32]);
        let keys = (0..1_000_usize).map(|number| secret.key([number.to_string()])).collect();
        Self { shapes: (0..count).map(shape).collect(), keys, partition: Partition::new(Limits::default()) }
    }

    fn shape(&self, event: usize, index: usize) -> &Shape {
        &self.shapes[(event * 31 + index * 17) % self.shapes.len()]
    }

    fn key(&self, event: usize) -> Key {
        self.keys[event * 7 % self.keys.len()]
    }

    /// Reads `formerly(A where k == now.k since B)` for ten pairs of monitors.
    fn read(&self, event: usize) {
        let history = self.partition.at(u64::try_from(event).unwrap());
        let key = [self.key(event)];
        for index in 0..EACH {
            let tied =
                |index| Tied { id: self.shape(event, index).id, kind: LATEST, keys: &key, excluded: &[] };
            let since = [tied(index + 1)];
            let selection = Selection { pattern: tied(index), within: None, since: &since, now: None };
            black_box(history.formerly(&selection));
        }
    }

    /// The record of an event that feeds ten monitors.
    fn record(&self, event: usize) -> Record {
        let key = self.key(event);
        let feed = |index| {
            let shape = self.shape(event, index);
            let new = (!self.partition.has(shape.id)).then(|| shape.clone());
            Feed::untied(shape.id, Verdicts::HAPPENED).with_shape(new).with_keys(key.into())
        };
        Record { feeds: (0..EACH).map(feed).collect(), ..Record::new(u64::try_from(event).unwrap()) }
    }

    fn run(&mut self, events: std::ops::Range<usize>) {
        for event in events {
            self.partition.apply(self.record(event));
        }
    }
}

fn main() {
    for count in [10, 100, 1_000, 10_000] {
        let mut monitors = Monitors::new(count);
        monitors.run(0..20 * CHUNK);
        let (mut reads, mut feeds) = (Vec::new(), Vec::new());
        for chunk in 20..60 {
            let events = chunk * CHUNK..(chunk + 1) * CHUNK;
            let start = Instant::now();
            events.clone().for_each(|event| monitors.read(event));
            reads.push(start.elapsed() / u32::try_from(CHUNK * EACH).unwrap());
            let records: Vec<Record> = events.map(|event| monitors.record(event)).collect();
            let start = Instant::now();
            for record in records {
                monitors.partition.apply(record);
            }
            feeds.push(start.elapsed() / u32::try_from(CHUNK * EACH).unwrap());
        }
        let cells = monitors.partition.cells();
        println!(
            "{count:6} monitors, {cells:6} cells: a read {:?}, a feed {:?}",
            median(reads),
            median(feeds)
        );
    }
    let mut monitors = Monitors::new(1_000);
    monitors.run(0..200_000);
    let bytes = monitors.partition.encode();
    let time = |run: &mut dyn FnMut()| {
        let once = |_| {
            let start = Instant::now();
            run();
            start.elapsed()
        };
        median((0..50).map(once).collect())
    };
    println!("a full partition of {} cells is {} bytes", monitors.partition.cells(), bytes.len());
    println!(
        "decoding it: {:?}",
        time(&mut || drop(black_box(Partition::decode(&bytes, Limits::default()))))
    );
    println!("encoding it: {:?}", time(&mut || drop(black_box(monitors.partition.encode()))));
}
