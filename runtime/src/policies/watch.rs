//! Reloading when the files of a policy change.

use std::os::unix::fs::MetadataExt;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::thread::JoinHandle;
use std::time::Duration;

use super::{PolicyError, PolicySet};
use crate::engine::Engine;

/// How often files are looked at, if nobody says otherwise.
pub const EVERY: Duration = Duration::from_millis(500);

/// The metadata of the files of a policy: path, when changed, length and number.
type Snapshot = Vec<(PathBuf, Option<(i64, i64, u64, u64)>)>;

/// A thread that keeps an engine up to date. Dropping it ends it.
#[derive(Debug)]
pub struct Watch {
    end: Option<Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Watch {
    /// Compiles the layers now, and again whenever a file of theirs has changed,
    /// come or gone, which is looked at `every` so often. `told` hears of every
    /// time; a policy that does not compile leaves the one before in force.
    ///
    /// # Errors
    /// There is no thread to be had.
    pub fn start(
        engine: Arc<Engine>,
        layers: PolicySet,
        every: Duration,
        mut told: impl FnMut(Result<(), PolicyError>) + Send + 'static,
    ) -> std::io::Result<Self> {
        let (end, ended) = mpsc::channel();
        let work = move || {
            let mut seen: Option<Snapshot> = None;
            loop {
                // Looked at before it is read: a change in between is one more
                // change, never one too few.
                let current = snapshot(&layers);
                if seen.as_ref() != Some(&current) {
                    told(engine.reload_layers(&layers));
                    seen = Some(current);
                }
                match ended.recv_timeout(every) {
                    Err(RecvTimeoutError::Timeout) => {}
                    Ok(()) | Err(RecvTimeoutError::Disconnected) => return,
                }
            }
        };
        let thread = std::thread::Builder::new().name("hookc-watch".to_owned()).spawn(work)?;
        Ok(Self { end: Some(end), thread: Some(thread) })
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        drop(self.end.take());
        if let Some(thread) = self.thread.take() {
            // What it panicked with, its own thread has told.
            let _ = thread.join();
        }
    }
}

fn snapshot(layers: &PolicySet) -> Snapshot {
    let stamp = |path: &PathBuf| {
        let found = std::fs::metadata(path).ok()?;
        Some((found.ctime(), found.ctime_nsec(), found.len(), found.ino()))
    };
    let each = |path: PathBuf| {
        let stamp = stamp(&path);
        (path, stamp)
    };
    layers.files().into_iter().map(each).collect()
}
