//! Files of partitions: whatever happens to them, the history is right or unknown.

use std::collections::BTreeMap;
use std::fs;
use std::io::{Read as _, Write as _};
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, SystemTime};

use hookc_history::{
    Bounds, CellId, DecodeError, Feed, Key, Kind, Limits, Outcome, Partition, Record, Selection, Shape, Tied,
    Truth, Verdict, Verdicts,
};
use hookc_runtime::history::{Beginning, PartitionFile, Store, Unavailable, reading};
use hookc_runtime::limits::{HISTORY_RECORDS, HISTORY_RETENTION};

const ID: CellId = CellId([4; 8]);
const RECENT: CellId = CellId([5; 8]);

fn store(folder: &Path) -> Store {
    Store::open(folder.join("history"), Limits::default()).unwrap()
}

fn session(store: &Store) -> Key {
    store.key(["session", "s1"])
}

/// An event that a counter counts.
fn record(store: &Store, beginning: Beginning) -> Result<u64, Unavailable> {
    let mut locked = store.lock(session(store), || beginning)?;
    let shape = Shape { id: ID, kind: Kind::Counter, anchors: Vec::new(), retention: None };
    let shape = (!locked.partition().has(ID)).then_some(shape);
    let feeds = vec![Feed::untied(ID, Verdicts::HAPPENED).with_shape(shape)];
    let time = locked.partition().time();
    Ok(locked.record(Record { feeds, ..Record::new(time) })?)
}

fn count(store: &Store) -> Bounds {
    let partition = store.read(session(store)).unwrap().unwrap();
    let pattern = Tied::untied(ID, Kind::Counter);
    partition.at(0).count(&Selection { pattern, within: None, since: &[], now: None })
}

fn formerly(store: &Store) -> Truth {
    let partition = store.read(session(store)).unwrap().unwrap();
    let pattern = Tied::untied(RECENT, Kind::Recent { capacity: 1 });
    partition.at(0).formerly(&Selection { pattern, within: None, since: &[], now: None })
}

#[test]
fn records_are_there_for_the_next_process() {
    let folder = tempfile::tempdir().unwrap();
    let most = u64::try_from(HISTORY_RECORDS).unwrap() * 6;
    for step in 1..most {
        let store = store(folder.path());
        assert_eq!(record(&store, Beginning::Seen).unwrap(), step);
        assert_eq!(count(&store), Bounds::exact(step));
    }
    let store = store(folder.path());
    let size = fs::metadata(store.path(session(&store))).unwrap().len();
    assert!(size < 10_000, "snapshots are written: {size} bytes");
    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!(mode(&store.path(session(&store))), 0o600);
    assert_eq!(mode(&folder.path().join("history/key")), 0o600);
    assert_eq!(mode(&folder.path().join("history")), 0o700);
}

#[test]
fn a_start_that_was_not_recorded_is_unknown() {
    let folder = tempfile::tempdir().unwrap();
    let store = store(folder.path());
    assert!(store.read(session(&store)).unwrap().is_none());
    record(&store, Beginning::Missed).unwrap();
    assert_eq!(formerly(&store), Truth::Unknown);
    assert_eq!(count(&store), Bounds { low: 1, high: None });
    store.clear(session(&store)).unwrap();
    record(&store, Beginning::Seen).unwrap();
    assert_eq!((formerly(&store), count(&store)), (Truth::False, Bounds::exact(1)));
}

#[test]
fn an_incomplete_record_is_cut_off() {
    let folder = tempfile::tempdir().unwrap();
    let store = store(folder.path());
    record(&store, Beginning::Seen).unwrap();
    record(&store, Beginning::Seen).unwrap();
    let path = store.path(session(&store));
    let two = fs::read(&path).unwrap();
    record(&store, Beginning::Seen).unwrap();
    let three = fs::read(&path).unwrap();
    for length in two.len()..three.len() {
        fs::write(&path, &three[..length]).unwrap();
        assert_eq!(count(&store), Bounds::exact(2), "at {length}");
        assert_eq!(record(&store, Beginning::Seen).unwrap(), 3);
        assert_eq!(fs::read(&path).unwrap(), three);
    }
}

#[test]
fn what_is_damaged_or_newer_is_unknown_until_it_is_cleared() {
    let folder = tempfile::tempdir().unwrap();
    let store = store(folder.path());
    record(&store, Beginning::Seen).unwrap();
    let path = store.path(session(&store));
    let written = fs::read(&path).unwrap();
    for (index, expected) in
        [(8, DecodeError::Newer(7)), (0, DecodeError::Damaged), (40, DecodeError::Damaged)]
    {
        let mut bytes = written.clone();
        bytes[index] ^= 4;
        fs::write(&path, &bytes).unwrap();
        for _ in 0..2 {
            let error = record(&store, Beginning::Seen).unwrap_err();
            assert!(matches!(error, Unavailable::Invalid(found) if found == expected), "{error}");
            assert_eq!(fs::read(&path).unwrap(), bytes, "it is not touched");
        }
    }
    store.clear(session(&store)).unwrap();
    assert!(path.with_extension("damaged").is_file(), "it is kept");
    assert_eq!(record(&store, Beginning::Seen).unwrap(), 1);
}

#[test]
fn the_file_of_another_partition_is_unknown_until_it_is_cleared() {
    let folder = tempfile::tempdir().unwrap();
    let store = store(folder.path());
    record(&store, Beginning::Seen).unwrap();
    let path = store.path(session(&store));
    let names: [&[&str]; 4] = [&["session", "s2"], &["agent", "s1", ""], &["project", "/p"], &["user"]];
    for other in names.map(|name| store.key(name)) {
        let mut locked = store.lock(other, || Beginning::Seen).unwrap();
        locked.record(Record::new(0)).unwrap();
        drop(locked);
        let bytes = fs::read(store.path(other)).unwrap();
        fs::copy(store.path(other), &path).unwrap();
        assert!(matches!(record(&store, Beginning::Seen), Err(Unavailable::Misplaced)));
        assert!(matches!(store.read(session(&store)), Err(Unavailable::Misplaced)));
        assert!(matches!(PartitionFile::verify(path.clone()).partition, Err(Unavailable::Misplaced)));
        assert_eq!(fs::read(&path).unwrap(), bytes, "it is not touched");
    }
    store.clear(session(&store)).unwrap();
    assert!(path.with_extension("damaged").is_file(), "it is kept");
    assert_eq!(record(&store, Beginning::Seen).unwrap(), 1);
}

#[test]
fn a_history_that_begins_again_says_whose_it_is() {
    let folder = tempfile::tempdir().unwrap();
    let store = store(folder.path());
    record(&store, Beginning::Seen).unwrap();
    let mut locked = store.lock(session(&store), || Beginning::Seen).unwrap();
    locked.restart(Partition::new(Limits::default()));
    locked.begin().unwrap();
    drop(locked);
    assert_eq!(store.read(session(&store)).unwrap().unwrap().owner(), Some(session(&store)));
}

/// Version 2 of the format does not say whose history it is.
#[test]
fn a_file_that_does_not_say_whose_it_is_says_it_after_the_next_snapshot() {
    let folder = tempfile::tempdir().unwrap();
    let store = store(folder.path());
    let path = store.path(session(&store));
    fs::write(&path, Partition::new(Limits::default()).encode()).unwrap();
    for _ in 0..2 * HISTORY_RECORDS + 2 {
        record(&store, Beginning::Missed).unwrap();
    }
    let decoded = Partition::decode(&fs::read(&path).unwrap(), Limits::default()).unwrap();
    assert_eq!(decoded.partition.owner(), Some(session(&store)));
}

#[test]
fn a_damaged_byte_at_any_position_is_unknown_or_changes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let store = store(folder.path());
    (0..5).for_each(|_| _ = record(&store, Beginning::Seen).unwrap());
    let path = store.path(session(&store));
    let written = fs::read(&path).unwrap();
    for index in 0..written.len() {
        for change in [1, 0x10, 0x80, 0xff] {
            let mut bytes = written.clone();
            bytes[index] ^= change;
            fs::write(&path, &bytes).unwrap();
            let recorded = record(&store, Beginning::Seen);
            assert!(matches!(recorded, Err(Unavailable::Invalid(_))), "byte {index}: {recorded:?}");
            assert_eq!(fs::read(&path).unwrap(), bytes, "it is not touched");
        }
    }
    fs::write(&path, &written).unwrap();
    assert_eq!(record(&store, Beginning::Seen).unwrap(), 6);
}

#[test]
fn a_file_that_is_locked_is_unknown_and_one_that_is_released_is_waited_for() {
    let folder = tempfile::tempdir().unwrap();
    let store = store(folder.path());
    let held = store.lock(session(&store), || Beginning::Seen).unwrap();
    assert!(matches!(record(&store, Beginning::Seen), Err(Unavailable::Locked)));
    std::thread::scope(|scope| {
        let waiting = scope.spawn(|| record(&store, Beginning::Seen));
        std::thread::sleep(Duration::from_millis(50));
        drop(held);
        assert_eq!(waiting.join().unwrap().unwrap(), 1);
    });
}

#[test]
fn links_directories_and_large_files_are_unknown() {
    let folder = tempfile::tempdir().unwrap();
    let store = store(folder.path());
    let path = store.path(session(&store));
    let other = folder.path().join("other");
    fs::write(&other, "").unwrap();
    symlink(&other, &path).unwrap();
    assert!(matches!(record(&store, Beginning::Seen), Err(Unavailable::Unreadable(_))), "a link");
    fs::remove_file(&path).unwrap();
    fs::create_dir(&path).unwrap();
    assert!(record(&store, Beginning::Seen).is_err(), "a directory");
    fs::remove_dir(&path).unwrap();
    fs::File::create(&path).unwrap().set_len(17 << 20).unwrap();
    assert!(
        matches!(record(&store, Beginning::Seen), Err(Unavailable::Invalid(DecodeError::Damaged))),
        "a large file"
    );
    fs::remove_file(&path).unwrap();
    fs::set_permissions(folder.path().join("history"), fs::Permissions::from_mode(0o500)).unwrap();
    let is_root = fs::write(folder.path().join("history/probe"), "").is_ok();
    assert!(
        is_root || matches!(record(&store, Beginning::Seen), Err(Unavailable::Unreadable(_))),
        "read-only"
    );
    fs::set_permissions(folder.path().join("history"), fs::Permissions::from_mode(0o700)).unwrap();
}

#[test]
fn handlers_decide_later_and_those_that_were_killed_never() {
    let folder = tempfile::tempdir().unwrap();
    let store = store(folder.path());
    assert_eq!(record(&store, Beginning::Seen).unwrap(), 1);
    let pending = |until: u64| {
        let mut locked = store.lock(session(&store), || Beginning::Seen).unwrap();
        let feeds = vec![Feed::untied(ID, Verdicts::HAPPENED)];
        let time = locked.partition().clock(reading());
        locked.record(Record { outcome: Outcome::Pending { until }, feeds, ..Record::new(time) }).unwrap()
    };
    let late = u64::MAX >> 1;
    let step = pending(late);
    assert_eq!(count(&store), Bounds::exact(2), "it has happened");
    let settle =
        |step| store.lock(session(&store), || Beginning::Seen).unwrap().settle(step, Verdict::Deny).unwrap();
    assert!(settle(step));
    assert!(!settle(step), "once");
    assert_eq!(count(&store), Bounds::exact(1));
    let killed = pending(0);
    assert_eq!(record(&store, Beginning::Seen).unwrap(), killed + 1);
    assert!(!settle(killed), "it was settled with what is known");
    assert_eq!(count(&store), Bounds::exact(3));
}

#[test]
fn old_files_are_removed() {
    let folder = tempfile::tempdir().unwrap();
    let store = store(folder.path());
    record(&store, Beginning::Seen).unwrap();
    fs::write(folder.path().join("history/notes.txt"), "of the user").unwrap();
    let now = SystemTime::now();
    assert_eq!(store.remove_old(now + HISTORY_RETENTION / 2).unwrap(), 0);
    assert_eq!(store.remove_old(now + HISTORY_RETENTION * 2).unwrap(), 1);
    assert!(!store.path(session(&store)).exists() && folder.path().join("history/key").exists());
    assert!(folder.path().join("history/notes.txt").exists());
}

#[test]
fn stores_have_secrets_of_their_own() {
    let folder = tempfile::tempdir().unwrap();
    let other = tempfile::tempdir().unwrap();
    let key = |folder: &Path| store(folder).key(["a"]);
    assert_eq!(key(folder.path()), key(folder.path()));
    assert_ne!(key(folder.path()), key(other.path()));
    fs::write(other.path().join("history/key"), [1; 7]).unwrap();
    assert_eq!(key(other.path()), key(other.path()), "a secret whose writer died is written again");
}

#[test]
fn histories_without_their_secret_are_unknown_until_they_are_cleared() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("history/key");
    record(&store(folder.path()), Beginning::Seen).unwrap();
    let secret = fs::read(&path).unwrap();
    let partition = store(folder.path()).path(session(&store(folder.path())));
    for damaged in [None, Some(&secret[..31]), Some(&[])] {
        fs::remove_file(&path).unwrap();
        damaged.iter().for_each(|bytes| fs::write(&path, bytes).unwrap());
        let opened = Store::open(folder.path().join("history"), Limits::default());
        assert!(matches!(opened, Err(Unavailable::NoSecret)), "{damaged:?}");
    }
    fs::write(&path, &secret).unwrap();
    assert_eq!(record(&store(folder.path()), Beginning::Seen).unwrap(), 2);
    fs::remove_file(&path).unwrap();
    Store::clear_file(&partition).unwrap();
    assert_eq!(record(&store(folder.path()), Beginning::Seen).unwrap(), 1);
}

/// The variable that makes a test process a writer.
const WRITER: &str = "HOOKC_HISTORY_WRITER";

/// A writer: records events, and reports each.
#[test]
fn writer() {
    let Ok(folder) = std::env::var(WRITER) else { return };
    let store = store(Path::new(&folder));
    let mut stderr = std::io::stderr();
    loop {
        let step = match record(&store, Beginning::Seen) {
            Err(Unavailable::Locked) => continue,
            recorded => recorded.unwrap(),
        };
        stderr.write_all(format!("{step}\n").as_bytes()).unwrap();
    }
}

fn start(folder: &Path) -> Child {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--exact", "history_store::writer", "--nocapture"]).env(WRITER, folder);
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap()
}

/// Kills a writer, and returns the steps that it reported.
fn kill(mut child: Child) -> Vec<u64> {
    child.kill().unwrap();
    assert_eq!(child.wait().unwrap().code(), None, "a writer ended by itself");
    let mut reported = String::new();
    child.stderr.take().unwrap().read_to_string(&mut reported).unwrap();
    reported.lines().filter_map(|line| line.parse().ok()).collect()
}

#[test]
#[allow(clippy::print_stderr, reason = "figures for records")]
fn writers_that_are_killed_at_any_moment_lose_and_double_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let (mut reported, mut killed, mut torn) = (BTreeMap::new(), 0_u64, 0_u64);
    let kills = hookc_corpus::number("HOOKC_KILLS").unwrap_or_else(|| hookc_corpus::effort(1_000, 60));
    let rounds = u64::try_from(kills / 2).unwrap();
    for round in 0..rounds {
        let writers = [start(folder.path()), start(folder.path())];
        std::thread::sleep(Duration::from_micros(round * 7_919 % 60_000));
        for writer in writers {
            for step in kill(writer) {
                assert_eq!(reported.insert(step, round), None, "two writers recorded step {step}");
            }
            killed += 1;
        }
        torn += u64::from(tear(&path(folder.path()), round));
    }
    let store = store(folder.path());
    let steps = count(&store).known().unwrap();
    let known = u64::try_from(reported.len()).unwrap();
    assert!(reported.keys().all(|step| *step <= steps), "a recorded event was lost");
    assert!((known..=known + killed).contains(&steps), "{steps} steps, {known} reported, {killed} killed");
    assert_eq!(store.read(session(&store)).unwrap().unwrap().step(), steps);
    assert!(known > 0, "the writers wrote");
    eprintln!("{steps} updates, {known} reported, {killed} writers killed, {torn} torn tails");
}

fn path(folder: &Path) -> PathBuf {
    let store = store(folder);
    store.path(session(&store))
}

/// Leaves an incomplete record at the end in every second round.
fn tear(path: &Path, round: u64) -> bool {
    let Ok(bytes) = fs::read(path) else { return false };
    if round.is_multiple_of(2) || bytes.is_empty() {
        return false;
    }
    let record = Record::new(0).encode(1);
    let part = usize::try_from(round).unwrap() % (record.len() - 1) + 1;
    let complete = hookc_history::Partition::decode(&bytes, Limits::default()).unwrap().length;
    fs::write(path, [&bytes[..complete], &record[..part]].concat()).unwrap();
    true
}
