//! Files of histories in a model checker (loom): two programs, of which one waits for its handlers and one writes a
//! snapshot, in every order of their steps up to a number of preemptions, and a kill at every step.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use hookc_history::{
    Bounds, CellId, Feed, Key, Kind, Limits, Outcome, Partition, Reading, Record, Selection, Shape, Tied,
    Verdict, Verdicts,
};
use loom::sync::{Arc, Mutex};
use loom::thread;

use super::disk::PartitionHandle;
use super::file::lock_by;
use super::{Beginning, Locked, Unavailable};
use crate::limits::HISTORY_RECORDS;

const PATH: &str = "/history/partition";
const CELL: CellId = CellId([1; 8]);
const NOW: Reading = Reading { boot: 1, since_boot: 1_000_000, wall: 1_000_000 };

/// A file system with the names and the content of files, and who has which lock.
#[derive(Debug, Default)]
struct Disk {
    names: BTreeMap<PathBuf, usize>,
    files: Vec<Vec<u8>>,
    holders: BTreeMap<usize, usize>,
    handles: usize,
}

/// A program: the steps until it is killed. Of its last write, half is there.
#[derive(Clone, Debug)]
struct Program {
    disk: Arc<Mutex<Disk>>,
    left: std::rc::Rc<std::cell::Cell<Option<usize>>>,
}

/// An open file of a program.
#[derive(Debug)]
struct Handle {
    program: Program,
    file: usize,
    number: usize,
}

impl Program {
    fn new(disk: &Arc<Mutex<Disk>>, left: Option<usize>) -> Self {
        Self { disk: Arc::clone(disk), left: std::rc::Rc::new(std::cell::Cell::new(left)) }
    }

    /// Takes a step; whether it is the last.
    fn step(&self) -> io::Result<bool> {
        let left = self.left.get();
        if left == Some(0) {
            return Err(io::Error::other("killed"));
        }
        self.left.set(left.map(|left| left - 1));
        Ok(left == Some(1))
    }

    fn open(&self, path: &Path) -> io::Result<Handle> {
        self.step()?;
        let mut disk = self.disk.lock().unwrap();
        let next = disk.files.len();
        let file = *disk.names.entry(path.to_owned()).or_insert(next);
        if file == next {
            disk.files.push(Vec::new());
        }
        disk.handles += 1;
        Ok(Handle { program: self.clone(), file, number: disk.handles })
    }

    fn take(&self) -> Result<Locked<Handle>, Unavailable> {
        let path = Path::new(PATH);
        // The clock of the machine does not exist in the model: a lock that is taken is waited for.
        let opened = lock_by(path, Duration::MAX, || self.open(path))?;
        Locked::read(opened, path.to_owned(), (Key::UNTIED, Limits::default(), false), NOW, || {
            Beginning::Seen
        })
    }
}

impl Drop for Handle {
    /// The system releases the lock, also of a program that was killed.
    fn drop(&mut self) {
        let mut disk = self.program.disk.lock().unwrap();
        if disk.holders.get(&self.file) == Some(&self.number) {
            disk.holders.remove(&self.file);
        }
    }
}

impl PartitionHandle for Handle {
    fn create(&self, path: &Path) -> io::Result<Self> {
        self.program.open(path)
    }

    fn lock(&self, wait: Duration) -> Result<(), Unavailable> {
        self.program.step()?;
        loop {
            let holder = *self.program.disk.lock().unwrap().holders.entry(self.file).or_insert(self.number);
            if holder == self.number {
                return Ok(());
            }
            if wait.is_zero() {
                return Err(Unavailable::Locked);
            }
            thread::yield_now();
        }
    }

    fn check_owner(&self) -> Result<(), Unavailable> {
        Ok(())
    }

    fn is_at(&self, path: &Path) -> io::Result<bool> {
        self.program.step()?;
        Ok(self.program.disk.lock().unwrap().names.get(path) == Some(&self.file))
    }

    fn content(&self) -> Result<Vec<u8>, Unavailable> {
        self.program.step()?;
        Ok(self.program.disk.lock().unwrap().files[self.file].clone())
    }

    fn prefix(&self, length: usize) -> io::Result<Vec<u8>> {
        Ok(self.content().map_err(io::Error::other)?[..length].to_vec())
    }

    fn write_at(&mut self, position: u64, bytes: &[u8]) -> io::Result<()> {
        let is_last = self.program.step()?;
        let written = if is_last { &bytes[..bytes.len() / 2] } else { bytes };
        let mut disk = self.program.disk.lock().unwrap();
        let file = &mut disk.files[self.file];
        file.truncate(position as usize);
        file.extend_from_slice(written);
        if is_last { Err(io::Error::other("killed")) } else { Ok(()) }
    }

    fn cut(&self, length: u64) -> io::Result<()> {
        self.program.step()?;
        self.program.disk.lock().unwrap().files[self.file].truncate(length as usize);
        Ok(())
    }

    fn sync(&self) -> io::Result<()> {
        Ok(())
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        self.program.step()?;
        let mut disk = self.program.disk.lock().unwrap();
        let file = disk.names.remove(from).ok_or(io::ErrorKind::NotFound)?;
        disk.names.insert(to.to_owned(), file);
        Ok(())
    }

    fn remove(&self, path: &Path) -> io::Result<()> {
        self.program.step()?;
        self.program.disk.lock().unwrap().names.remove(path);
        Ok(())
    }

    fn sync_directory(&self, _: &Path) -> io::Result<()> {
        Ok(())
    }
}

/// An event that a counter counts unless it is denied.
fn event(partition: &Partition, outcome: Outcome, time: u64) -> Record {
    let shape = Shape { id: CELL, kind: Kind::Counter, anchors: Vec::new(), retention: None };
    let shape = (!partition.has(CELL)).then_some(shape);
    Record {
        outcome,
        feeds: vec![Feed::untied(CELL, Verdicts::HAPPENED).with_shape(shape)],
        ..Record::new(time)
    }
}

/// Records an event whose handlers deny it later; how far the program reported that it came.
fn denied_later(program: &Program) -> Result<usize, (usize, Unavailable)> {
    let step = (|| {
        let mut locked = program.take()?;
        let pending = event(locked.partition(), Outcome::Pending { until: u64::MAX }, 1_000_000);
        Ok(locked.record(pending)?)
    })()
    .map_err(|why| (0, why))?;
    let is_settled = (|| Ok(program.take()?.settle(step, Verdict::Deny)?))().map_err(|why| (1, why))?;
    assert!(is_settled, "it was pending");
    Ok(2)
}

/// Records an event that happens, after so many others that the program writes a snapshot first.
fn happens(program: &Program) -> Result<u64, Unavailable> {
    let mut locked = program.take()?;
    let record = event(locked.partition(), Outcome::Settled(Verdict::None), 1_000_000);
    Ok(locked.record(record)?)
}

/// A file to which a snapshot is due.
fn with_records(disk: &mut Disk, count: usize) {
    let mut partition = Partition::new(Limits::default());
    let mut bytes = partition.encode();
    for _ in 0..count {
        let record = event(&partition, Outcome::Settled(Verdict::None), 1_000);
        bytes.extend(record.encode(partition.step() + 1));
        partition.apply(record);
    }
    disk.names.insert(PATH.into(), 0);
    disk.files.push(bytes);
}

fn explore(killed: [Option<usize>; 2]) {
    let earlier = HISTORY_RECORDS as u64;
    let mut model = loom::model::Builder::new();
    model.preemption_bound = Some(2);
    model.check(move || {
        let mut disk = Disk::default();
        with_records(&mut disk, HISTORY_RECORDS);
        let disk = Arc::new(Mutex::new(disk));
        let other = Arc::clone(&disk);
        let first =
            thread::spawn(move || denied_later(&Program::new(&other, killed[0])).map_err(|(at, _)| at));
        let second = happens(&Program::new(&disk, killed[1]));
        let first = first.join().unwrap();
        if killed == [None, None] {
            assert!(first == Ok(2) && second.is_ok(), "{first:?}, {second:?}");
        }
        // A third program finds what they left, and can go on.
        let third = Program::new(&disk, None);
        let step = happens(&third).unwrap();
        let locked = third.take().unwrap();
        let partition = locked.partition();
        assert_eq!(partition.step(), step);
        // What was reported is there once; what was not may be.
        let reported = u64::from(!matches!(first, Err(0))) + u64::from(second.is_ok()) + 1;
        let unreported = u64::from(matches!(first, Err(0))) + u64::from(second.is_err());
        let steps = partition.step() - earlier;
        assert!((reported..=reported + unreported).contains(&steps), "{steps} steps, {first:?}, {second:?}");
        let pattern = Tied::untied(CELL, Kind::Counter);
        let count =
            partition.at(1_000_000).count(&Selection { pattern, within: None, since: &[], now: None });
        let denied = first == Ok(2);
        let [low, high] =
            [reported - u64::from(!matches!(first, Err(0))), reported + unreported].map(|n| n + earlier);
        let Bounds { low: counted, high: Some(most) } = count else { panic!("{count:?}") };
        assert_eq!(counted, most, "it is known");
        assert!(
            (low..=high).contains(&counted) && (!denied || counted == partition.step() - 1),
            "{counted}: {first:?}"
        );
    });
}

#[test]
fn two_programs_lose_and_double_nothing() {
    explore([None, None]);
}

#[test]
fn what_was_reported_stays_when_a_program_is_killed() {
    for left in (1..16).step_by(hookc_corpus::effort(1, 4)) {
        explore([Some(left), None]);
        explore([None, Some(left)]);
    }
}
