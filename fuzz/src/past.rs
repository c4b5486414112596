//! The history: any bytes are a partition or are rejected, and a session goes on from its bytes as it would have.

use hookc_compiler::{Dialect, Options};
use hookc_history::{
    CellId, Decimal, Feed, FeedValue, Key, Kind, Limits, Outcome, Partition, Record, Secret, Shape, Value,
    Verdict, Verdicts, encode_settlement,
};
use hookc_oracle::generate::{Rng, history};
use hookc_runtime::history::{Beginning, Store, reading};
use hookc_schema::tree::Policy;
use hookc_vm::{DecideOptions, Histories, Module, PartitionTag, Scratch};
use rapidhash::v3::{RapidSecrets, rapidhash_v3_seeded};

use crate::common;

/// The first bytes of the versions of the format. From the second on, many cells of a monitor have a section, and the third
/// says whose history it is.
const HEADERS: [&[u8]; 3] = [b"hookhist\x03\0\0\0", b"hookhist\x02\0\0\0", b"hookhist\x01\0\0\0"];
/// What a frame has before its content.
const FRAME: usize = 16;
const SECRETS: RapidSecrets = RapidSecrets::seed(0);

fn checksum(bytes: &[u8]) -> [u8; 8] {
    rapidhash_v3_seeded(bytes, &SECRETS).to_le_bytes()
}

/// A frame with its checks, as the history writes it.
fn frame(content: &[u8]) -> Vec<u8> {
    let length = u32::try_from(content.len()).unwrap_or(u32::MAX).to_le_bytes();
    let check = checksum(&length);
    [&length, check.first_chunk::<4>().unwrap_or(&[0; 4]).as_slice(), &checksum(content), content].concat()
}

/// A file as it is, and the contents of its monitors and of a record after their length, in frames whose checks are
/// right: what is read is written again as the same bytes, and a record is applied.
#[allow(clippy::expect_used, reason = "a property that fails panics")]
pub fn partition(bytes: &[u8]) {
    files(bytes).iter().for_each(|file| again(file));
}

pub(crate) fn files(bytes: &[u8]) -> Vec<Vec<u8>> {
    let mut files = vec![bytes.to_vec()];
    let Some((length, rest)) = bytes.split_first_chunk::<2>() else { return files };
    let at = usize::from(u16::from_le_bytes(*length)).min(rest.len());
    let (state, record) = rest.split_at(at);
    for header in HEADERS {
        files.push([header, &frame(state)].concat());
        files.push([header, &frame(state), &frame(record)].concat());
    }
    let empty = Partition::new(Limits::default()).encode();
    files.push([empty.as_slice(), &frame(record)].concat());
    files
}

thread_local! {
    static DIRECTORY: tempfile::TempDir = temporary();
}

#[allow(clippy::expect_used, reason = "a property that fails panics")]
fn temporary() -> tempfile::TempDir {
    tempfile::tempdir().expect("a directory")
}

/// Opens a session whose file has these bytes. Either the history is unknown and the file stays as it is, or the next event
/// is recorded after those in the file, and the process after that reads it.
#[allow(clippy::expect_used, clippy::disallowed_methods, reason = "a property of files that fails panics")]
pub fn store(bytes: &[u8]) {
    DIRECTORY.with(|directory| {
        let store = Store::open(directory.path().to_owned(), Limits::default()).expect("a directory");
        let session = store.key(["session", "s"]);
        for file in files(bytes).iter().filter(|file| !file.is_empty()) {
            std::fs::write(store.path(session), file).expect("a file");
            record_next(&store, session, file);
            std::fs::remove_file(store.path(session)).expect("a file");
        }
    });
}

#[allow(clippy::expect_used, clippy::disallowed_methods, reason = "a property of files that fails panics")]
fn record_next(store: &Store, session: Key, file: &[u8]) {
    let Ok(mut locked) = store.lock(session, || Beginning::Seen) else {
        assert!(std::fs::read(store.path(session)).expect("a file") == file, "what is unknown has changed");
        return;
    };
    let step = locked.partition().step().saturating_add(1);
    let record = Record::new(locked.partition().clock(reading()));
    assert!(locked.record(record).expect("a record") == step, "another number");
    let written = locked.partition().clone();
    drop(locked);
    let locked = store.lock(session, || Beginning::Seen).expect("what was written can be read");
    assert!(locked.partition().step() == step, "an event is lost or doubled");
    let is_settled = written.waiting() == 0;
    assert!(!is_settled || *locked.partition() == written, "it reads back as another history");
    assert!(locked.partition().owner() == Some(session), "it is that of something else");
}

#[allow(clippy::expect_used, reason = "a property that fails panics")]
fn again(bytes: &[u8]) {
    for limits in [Limits::default(), Limits::default().keys(2).cells(8).bytes(400).sum(2).pending(2)] {
        let Ok(decoded) = Partition::decode(bytes, limits) else { continue };
        assert!(decoded.snapshot <= decoded.length && decoded.length <= bytes.len());
        let mut partition = decoded.partition;
        let once = partition.encode();
        let mut read = Partition::decode(&once, limits).expect("what is written can be read").partition;
        assert!(read == partition, "it reads back as another history");
        assert!(read.encode() == once, "it is written in another way");
        let step = partition.apply(Record::new(partition.time()));
        assert!(step == partition.step() && partition.step() > read.step());
    }
}

/// A policy about earlier events and a session, made from the bytes: decisions from the bytes of the history, with the
/// records after them, are those of the history in memory.
#[allow(clippy::panic, clippy::expect_used, reason = "a property that fails panics")]
pub fn sessions(bytes: &[u8]) {
    let mut rng = Rng::from_tape(bytes);
    let mut policy = history::policy(&mut rng);
    let hooks = Policy { facts: Vec::new(), ..policy.clone() };
    let used = common::yaml(&vec![(hooks, history::LAYER)]).swap_remove(0).0;
    policy.facts.retain(|fact| used.contains(&fact.name.node));
    let text = common::yaml(&vec![(policy, history::LAYER)]).swap_remove(0).0;
    let options = Options::default().builtin(common::linked(false));
    let built = common::build_with(&[(text.clone(), history::LAYER)], Dialect::HooksYaml, options);
    let module = common::load(built.unwrap_or_else(|why| panic!("does not compile: {why}\n{text}")).bytes);
    let limits = if rng.chance(30) { Limits::default().keys(2).sum(2) } else { Limits::default() };
    let mut memory = Partition::new(limits);
    let mut file = memory.encode();
    let mut pending = Vec::new();
    let count = 10 + rng.below(40);
    for moment in history::events(&mut rng, count) {
        if rng.chance(10) {
            file = Partition::decode(&file, limits).expect("a file").partition.encode();
        }
        let read = Partition::decode(&file, limits).expect("a file").partition;
        let record = decided(&module, &memory, (&moment.event, moment.at));
        let other = decided(&module, &read, (&moment.event, moment.at));
        assert!(record.0 == other.0, "{text}\n{}\n{record:?}\n{other:?}", moment.event);
        let Some(mut record) = record.1 else { continue };
        record.outcome = match rng.below(10) {
            0 => Outcome::Pending { until: u64::MAX },
            1..4 => Outcome::Settled(Verdict::Deny),
            _ => Outcome::Settled(Verdict::None),
        };
        let is_pending = matches!(record.outcome, Outcome::Pending { .. });
        file.extend(record.encode(memory.step().saturating_add(1)));
        let step = memory.apply(record);
        pending.extend(is_pending.then_some(step));
        if pending.len() > 20 || rng.chance(20) {
            for step in pending.drain(..) {
                assert!(memory.settle(step, Verdict::Deny), "it waits");
                file.extend(encode_settlement(step, Verdict::Deny));
            }
        }
    }
}

/// The labels of the hooks that match and of those that are unknown, and what the event adds.
type Decided = (Result<[Vec<String>; 2], String>, Option<Record>);

fn decided(module: &Module, partition: &Partition, (event, at): (&str, u64)) -> Decided {
    let secret = Secret::new([7; 32]);
    let mut histories = Histories::new(&secret);
    for tag in [PartitionTag::Session, PartitionTag::Project] {
        histories = histories.with(tag, partition, at);
    }
    let options = DecideOptions::default().history(&histories);
    let mut scratch = Scratch::new();
    match module.decide(&mut scratch, event.as_bytes(), &options) {
        Ok(decision) => {
            let label = |label: Option<&str>| label.unwrap_or_default().to_owned();
            let hooks = decision.hooks().chain(decision.reported()).map(|hook| label(hook.label())).collect();
            let unknown = decision.unknown().map(|unknown| label(unknown.hook.label())).collect();
            (Ok([hooks, unknown]), decision.record(PartitionTag::Session))
        }
        Err(error) => (Err(error.to_string()), None),
    }
}

/// Contents of files and of a record for [`partition`].
#[must_use]
pub(crate) fn partitions() -> Vec<Vec<u8>> {
    (0..60).map(|seed| made(&mut Rng::new(seed))).collect()
}

fn made(rng: &mut Rng) -> Vec<u8> {
    let mut partition = Partition::new(Limits::default());
    for _ in 0..rng.below(60) {
        let record = record(rng, &partition);
        partition.apply(record);
    }
    let last = record(rng, &partition).encode(partition.step().saturating_add(1));
    let file = partition.encode();
    let content = |bytes: &[u8], header: usize| bytes.get(header.saturating_add(FRAME)..).map(<[u8]>::to_vec);
    let state = content(&file, HEADERS[0].len()).unwrap_or_default();
    let length = u16::try_from(state.len()).unwrap_or(u16::MAX).to_le_bytes();
    [length.as_slice(), &state, &content(&last, 0).unwrap_or_default()].concat()
}

fn record(rng: &mut Rng, partition: &Partition) -> Record {
    let feeds = (0..rng.below(4)).map(|_| feed(rng, partition)).collect();
    let outcome = if rng.chance(10) {
        Outcome::Pending { until: u64::MAX }
    } else {
        Outcome::Settled(rng.pick(&[Verdict::None, Verdict::Ask, Verdict::Deny]))
    };
    let time = partition.time().saturating_add(u64::try_from(rng.below(5_000)).unwrap_or_default());
    Record { feeds, outcome, ..Record::new(time) }
}

fn key(rng: &mut Rng) -> Key {
    Secret::new([7; 32]).key([[u8::try_from(rng.below(20)).unwrap_or_default()]])
}

fn feed(rng: &mut Rng, partition: &Partition) -> Feed {
    let number = rng.below(7);
    let (kind, value) = match number {
        0 => (Kind::Recent { capacity: 3 }, FeedValue::Time),
        1 => (Kind::Differing { conjuncts: 1 }, FeedValue::Excluded(vec![vec![key(rng)]])),
        2 => (Kind::Counter, FeedValue::Time),
        3 => (Kind::Total, FeedValue::Numbers(vec![Decimal::parse("12.5e3")])),
        4 => (Kind::Sums, FeedValue::Numbers(vec![Decimal::parse("-0.25"), Decimal::parse("7")])),
        5 => (Kind::Distinct { capacity: 4 }, FeedValue::Values(vec![key(rng), key(rng)])),
        _ => {
            let value = Value::new(key(rng), Some("\"text\"").filter(|_| rng.chance(50)));
            (Kind::Last { capacity: 3, values: 2 }, FeedValue::Kept(vec![Some(value), None]))
        }
    };
    let id = CellId::from_source(&number.to_le_bytes());
    let anchor = CellId::from_source(&0_usize.to_le_bytes());
    let anchors = if matches!(number, 2 | 3) { vec![anchor] } else { Vec::new() };
    let shape = Shape { id, kind, anchors, retention: Some(60_000).filter(|_| number % 2 == 1) };
    let mut feed = Feed::untied(id, Verdicts::HAPPENED)
        .with_shape((!partition.has(id)).then_some(shape))
        .with_value(value);
    if rng.chance(70) {
        feed = feed.with_keys((0..rng.below(3)).map(|_| key(rng)).collect::<Vec<_>>().into());
    }
    if rng.chance(10) {
        (feed.certain, feed.possible) = (Verdicts::NEVER, feed.certain);
    }
    feed
}
