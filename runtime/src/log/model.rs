//! The log and the reload in a model checker (loom): every order in which threads can take their steps, up
//! to a number of preemptions, and a kill at every step.

use std::io::{self, Read, Seek, SeekFrom, Write};

use loom::sync::{Arc, Mutex};
use loom::thread;

use super::append::{Shared, append, is_torn};

/// A disk with one file, and the holder of its lock.
#[derive(Debug, Default)]
struct Disk {
    bytes: Vec<u8>,
    holder: Option<usize>,
}

/// One program's handle. Each operation is a step of its own. A program that is killed does nothing from
/// its last step on, and loses the lock; of its last write, half is there.
struct Handle {
    disk: Arc<Mutex<Disk>>,
    name: usize,
    at: u64,
    /// Steps until it is killed.
    left: Option<usize>,
}

const KILLED: &str = "killed";

impl Handle {
    /// Takes a step; the number of bytes that may still be written, if it is the last.
    fn step(&mut self) -> io::Result<bool> {
        match &mut self.left {
            Some(0) => Err(io::Error::other(KILLED)),
            Some(left) => {
                *left -= 1;
                Ok(*left == 0)
            }
            None => Ok(false),
        }
    }

    fn ended(&self) {
        let mut disk = self.disk.lock().unwrap();
        if disk.holder == Some(self.name) {
            disk.holder = None;
        }
    }
}

impl Read for Handle {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.step()?;
        let disk = self.disk.lock().unwrap();
        let rest = disk.bytes.get(self.at as usize..).unwrap_or_default();
        let count = rest.len().min(buffer.len());
        buffer[..count].copy_from_slice(&rest[..count]);
        self.at += count as u64;
        Ok(count)
    }
}

impl Write for Handle {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let is_last = self.step()?;
        let mut disk = self.disk.lock().unwrap();
        let count = if is_last { bytes.len() / 2 } else { bytes.len() };
        disk.bytes.extend_from_slice(&bytes[..count]);
        drop(disk);
        if is_last { Err(io::Error::other(KILLED)) } else { Ok(count) }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Seek for Handle {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.step()?;
        self.at = match to {
            SeekFrom::Start(at) => at,
            SeekFrom::End(0) => self.disk.lock().unwrap().bytes.len() as u64,
            other => panic!("{other:?} is not used"),
        };
        Ok(self.at)
    }
}

impl Shared for Handle {
    fn turn(&mut self) -> io::Result<bool> {
        self.step()?;
        loop {
            let mut disk = self.disk.lock().unwrap();
            if disk.holder.is_none() {
                disk.holder = Some(self.name);
                return Ok(true);
            }
            drop(disk);
            thread::yield_now();
        }
    }

    fn end_turn(&mut self) {
        if self.left != Some(0) {
            self.ended();
        }
    }

    fn cut(&mut self, size: u64) -> io::Result<()> {
        self.step()?;
        self.disk.lock().unwrap().bytes.truncate(size as usize);
        Ok(())
    }
}

fn line(name: usize) -> String {
    format!("{{\"time\":\"{name}\"}}\n")
}

/// Appends a line; whether it was reported as written.
fn writes(disk: &Arc<Mutex<Disk>>, name: usize, left: Option<usize>) -> bool {
    let mut handle = Handle { disk: Arc::clone(disk), name, at: 0, left };
    let written = append(&mut handle, |out| out.write_all(line(name).as_bytes()));
    // The system releases the lock of a program that has ended.
    handle.ended();
    written.is_ok()
}

fn explore(body: impl Fn() + Sync + Send + 'static) {
    let mut model = loom::model::Builder::new();
    model.preemption_bound = Some(2);
    model.check(body);
}

/// Two writers, the first of which is killed after any number of steps; then a third, which finds what they
/// left.
#[test]
fn lines_are_whole_whenever_a_writer_is_killed() {
    for left in (0..12).map(Some).chain([None]) {
        explore(move || {
            let disk = Arc::new(Mutex::new(Disk::default()));
            let other = Arc::clone(&disk);
            let first = thread::spawn(move || writes(&other, 1, left));
            let second = writes(&disk, 2, None);
            let first = first.join().unwrap();
            let third = writes(&disk, 3, None);
            assert!(second && third, "a writer that lives has written");
            let text = String::from_utf8(disk.lock().unwrap().bytes.clone()).unwrap();
            let lines: Vec<&str> = text.split_inclusive('\n').collect();
            assert!(
                lines.iter().all(|line| line.ends_with('\n') && !is_torn(line.trim_end().as_bytes())),
                "{text:?}"
            );
            let count = |name| lines.iter().filter(|listed| **listed == super::model::line(name)).count();
            assert_eq!((count(2), count(3)), (1, 1), "{text:?}");
            assert!(count(1) == 1 || !first, "a line that was reported is lost: {text:?}");
            assert!(lines.len() <= 3, "{text:?}");
        });
    }
}

/// The protocol of `Engine::reload_signed` and `Engine::handle`, over a swap in one step, which `arc-swap`
/// is: the newest of several modules stays, its time is the one that is remembered, and a decision has one
/// module from its begin to its end.
#[test]
fn of_reloads_at_once_the_newest_stays() {
    explore(|| {
        let module = Arc::new(Mutex::new(0_u64));
        let time = Arc::new(Mutex::new(0_u64));
        let reload = |new: u64, module: Arc<Mutex<u64>>, time: Arc<Mutex<u64>>| {
            let mut time = time.lock().unwrap();
            if new >= *time {
                *module.lock().unwrap() = new;
                *time = new;
            }
        };
        let (one, two) = ((Arc::clone(&module), Arc::clone(&time)), (Arc::clone(&module), Arc::clone(&time)));
        let newer = thread::spawn(move || reload(2, one.0, one.1));
        let older = thread::spawn(move || reload(1, two.0, two.1));
        // A decision: `handle` loads the module once, and both its parts use that one.
        let before = *module.lock().unwrap();
        let after = *module.lock().unwrap();
        assert!(before <= after, "a module goes back: {before}, then {after}");
        newer.join().unwrap();
        older.join().unwrap();
        assert_eq!((*module.lock().unwrap(), *time.lock().unwrap()), (2, 2));
    });
}
