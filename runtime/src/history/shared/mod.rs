//! Histories that several programs share, also on several machines.
//!
//! A [`HistoryStore`] has a few KiB for each partition, and a version of them. An event is decided by what was loaded, and
//! is recorded if nothing was recorded meanwhile; else it is decided again.

mod files;
mod memory;
#[cfg(feature = "postgres")]
mod postgres;
mod record;

use std::error::Error;
use std::fmt;
use std::sync::Arc;

use hookc_history::{Key, Limits, Secret};

use super::Store;
use crate::outcome::hex;

pub use memory::MemoryStore;
#[cfg(feature = "postgres")]
pub use postgres::PostgresStore;
pub(crate) use record::{Candidate, Loaded, SharedRecord};

/// Bytes that the keys of a session and of its agents share.
const PREFIX: usize = 8;

/// Why a store failed.
pub type StoreError = Box<dyn Error + Send + Sync>;

/// What a store has of a partition.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Stored {
    /// All bytes in their order. None if the store does not have the partition.
    pub bytes: Vec<u8>,
    /// A number that every addition changes, and that no other content has; 0 if the store does not have the partition.
    pub version: u64,
}

/// Bytes for a partition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Addition {
    /// The name of the partition.
    pub partition: String,
    /// The version of the partition that the bytes follow.
    pub version: u64,
    /// What is added.
    pub bytes: Vec<u8>,
    /// Whether it replaces all that the partition had.
    pub is_snapshot: bool,
}

/// What became of additions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Appended {
    /// All of them are in the store.
    Written,
    /// None of them is: a partition has another version.
    Conflict,
}

/// A store of partitions. Any store with a compare-and-set can be one.
pub trait HistoryStore: fmt::Debug + Send + Sync {
    /// The bytes and the version of a partition.
    ///
    /// # Errors
    /// The store failed: the history is unknown.
    fn load(&self, partition: &str) -> Result<Stored, StoreError>;

    /// Adds to partitions if each still has its version: all of the additions, or none.
    ///
    /// # Errors
    /// The store failed: the event is not recorded.
    fn append(&self, additions: &[Addition]) -> Result<Appended, StoreError>;

    /// Forgets the partitions whose names begin with this: those of a session and of its agents.
    ///
    /// # Errors
    /// The store failed.
    fn remove(&self, prefix: &str) -> Result<(), StoreError>;
}

/// The histories of programs that share a [`HistoryStore`] and a secret.
///
/// ```
/// use std::sync::Arc;
///
/// use hookc_runtime::history::{MemoryStore, SharedHistory};
/// use hookc_runtime::host::NoopHost;
/// use hookc_runtime::thread::{Returns, Step, Thread};
/// use hookc_runtime::{Engine, Event};
/// use hookc_vm::Module;
/// use serde_json::json;
///
/// # #[cfg(feature = "compiler")] {
/// # use hookc_compiler::{Input, Options, compile};
/// # let mut sources = hookc_schema::Sources::new();
/// # let policy = "hooks: [{event: before_step, when: count(before_step) >= 2, action: {type: fail, error_message: enough}}]";
/// # let source = sources.add("hooks.yaml", policy);
/// # let input = Input::new(source);
/// # let bytes = compile(&mut sources, &[input], &Options::default()).module.unwrap();
/// // Fail the third step.
/// let (engine, returns) = (Engine::new(Module::load(bytes).unwrap()), Returns::builtin().unwrap());
/// let history = SharedHistory::new(Arc::new(MemoryStore::default()), [7; 32]);
/// let mut thread = Thread::new(&engine, &returns).with_history(history);
/// let step = Event::from_value(json!({"event": {"type": "before_step", "thread_id": "t"}}));
/// let mut on = || thread.on(&step, &NoopHost).unwrap().step;
/// assert_eq!([on(), on(), on()], [Step::NoOpinion, Step::NoOpinion, Step::Fail("enough".into())]);
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct SharedHistory {
    store: Arc<dyn HistoryStore>,
    secret: Secret,
    limits: Limits,
}

impl SharedHistory {
    /// Histories in a store. The secret is that of the hashes in it: equal in all programs that share the store, and in no
    /// other place.
    #[must_use]
    pub fn new(store: Arc<dyn HistoryStore>, secret: [u8; 32]) -> Self {
        Self { store, secret: Secret::new(secret), limits: Limits::default() }
    }

    /// Histories in the files of a store, with its secret.
    #[must_use]
    pub fn from_files(store: Store) -> Self {
        let (secret, limits) = (store.secret().clone(), store.limits());
        Self { store: Arc::new(store), secret, limits }
    }

    /// Forgets the history of a session or of a thread that ended, and those of its agents.
    ///
    /// # Errors
    /// The store failed.
    pub fn forget(&self, session: &str) -> Result<(), StoreError> {
        self.store.remove(&hex(&self.session_prefix(session.as_bytes())))
    }

    pub(crate) fn secret(&self) -> &Secret {
        &self.secret
    }

    /// The key of a partition, whose name in the store is its hexadecimal form.
    fn key(&self, parts: &[&[u8]]) -> Key {
        let mut key = *self.secret.key(parts).as_bytes();
        if let [b"agent", session, _] = parts {
            let (first, _) = key.split_at_mut(PREFIX);
            first.copy_from_slice(&self.session_prefix(session));
        }
        key.into()
    }

    /// The first half of the key of a session. The keys of its agents begin with it too.
    fn session_prefix(&self, session: &[u8]) -> [u8; PREFIX] {
        let key = self.secret.key([b"session", session]);
        key.as_bytes().first_chunk().copied().unwrap_or_default()
    }
}
