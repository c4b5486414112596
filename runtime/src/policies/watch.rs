//! Reloading when the files of a policy change.

use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::thread::JoinHandle;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use super::{PolicySet, PolicySetError};
use crate::engine::Engine;

/// The default interval between two checks of the files.
pub const POLL_INTERVAL: Duration = Duration::from_millis(500);

/// What changes whenever a file does: when its metadata changed, in seconds and nanoseconds, its length and its inode.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stamp {
    changed: (i64, i64),
    length: u64,
    inode: u64,
}

impl Stamp {
    /// The stamp of a file; `None` if it does not exist.
    #[must_use]
    pub fn at(path: &Path) -> Option<Self> {
        let found = std::fs::metadata(path).ok()?;
        let changed = (found.ctime(), found.ctime_nsec());
        Some(Self { changed, length: found.len(), inode: found.ino() })
    }

    /// Whether the file changed at this time or later.
    #[must_use]
    pub fn is_since(&self, time: SystemTime) -> bool {
        let since = time.duration_since(UNIX_EPOCH).unwrap_or_default();
        let seconds = i64::try_from(since.as_secs()).unwrap_or(i64::MAX);
        self.changed >= (seconds, i64::from(since.subsec_nanos()))
    }
}

/// The files of a policy.
type Snapshot = Vec<(PathBuf, Option<Stamp>)>;

/// A thread that keeps an engine up to date. Dropping it ends it.
///
/// ```
/// use std::sync::{Arc, mpsc};
///
/// use hookc_runtime::policies::{POLL_INTERVAL, PolicySet, Watch};
/// use hookc_runtime::Engine;
/// use hookc_schema::tree::Layer;
///
/// # let folder = std::env::temp_dir().join(format!("hookc-watch-{}", std::process::id()));
/// # std::fs::create_dir_all(&folder)?;
/// # let path = folder.join("hooks.yaml");
/// # std::fs::write(&path, "hooks: [{event: Stop, action: {type: allow}}]")?;
/// let layers = PolicySet::new().with(Layer::Project, &path, None);
/// let engine = Arc::new(Engine::new(layers.compile()?));
/// let (results, updates) = mpsc::channel();
/// let watch = Watch::start(engine.clone(), layers, POLL_INTERVAL, move |result| drop(results.send(result)))?;
/// // The first check compiles the policy; after an error, the old module stays active.
/// updates.recv()??;
/// drop(watch);
/// # std::fs::remove_dir_all(&folder)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Watch {
    end: Option<Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Watch {
    /// Compiles the layers now, and again whenever one of their files was changed, added or
    /// removed, which is checked at the interval `every`. `on_reload` receives every result; if a policy
    /// does not compile, the previous one stays active.
    ///
    /// # Errors
    /// The thread cannot be created.
    pub fn start(
        engine: Arc<Engine>,
        layers: PolicySet,
        every: Duration,
        mut on_reload: impl FnMut(Result<(), PolicySetError>) + Send + 'static,
    ) -> std::io::Result<Self> {
        let (end, ended) = mpsc::channel();
        let work = move || {
            let mut seen: Option<Snapshot> = None;
            loop {
                // Checked before reading: a change in between causes one more update, never one too
                // few.
                let current = snapshot(&layers);
                if seen.as_ref() != Some(&current) {
                    on_reload(engine.reload_layers(&layers));
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
            // Its own thread has reported the panic.
            let _ = thread.join();
        }
    }
}

fn snapshot(layers: &PolicySet) -> Snapshot {
    let each = |path: PathBuf| {
        let stamp = Stamp::at(&path);
        (path, stamp)
    };
    layers.files().into_iter().map(each).collect()
}
