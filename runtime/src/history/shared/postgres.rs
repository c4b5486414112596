//! A store in PostgreSQL: a row for each snapshot and each record.

use std::fmt;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use postgres::error::SqlState;
use postgres::{Client, Error, Transaction};

use super::{Addition, Appended, HistoryStore, StoreError, Stored};

const TABLE: &str = "CREATE TABLE IF NOT EXISTS hookc_history (
    partition text NOT NULL, seq bigint NOT NULL, bytes bytea NOT NULL, written timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (partition, seq))";
const LOAD: &str = "SELECT seq, bytes FROM hookc_history WHERE partition = $1 ORDER BY seq";
/// One program at a time adds to a partition: until the end of the transaction.
const LOCK: &str = "SELECT pg_advisory_xact_lock(hashtextextended('hookc_history ' || $1, 0))";
const CLEAR: &str = "DELETE FROM hookc_history WHERE partition = $1 AND seq <= $2";
/// The numbers of a partition start at the time in microseconds: those of one that was removed do not come again.
const INSERT: &str = "INSERT INTO hookc_history (partition, seq, bytes) VALUES ($1, CASE WHEN $2::bigint > 0
    THEN $2 + 1 ELSE (extract(epoch FROM clock_timestamp()) * 1000000)::bigint END, $3)";
const VERSION: &str = "SELECT coalesce(max(seq), 0) FROM hookc_history WHERE partition = $1";
const REMOVE: &str = "DELETE FROM hookc_history WHERE starts_with(partition, $1)";
const REMOVE_OLD: &str = "DELETE FROM hookc_history WHERE partition IN (SELECT partition FROM hookc_history
    GROUP BY partition HAVING max(written) < now() - make_interval(secs => $1))";

type Connect = dyn Fn() -> Result<Client, Error> + Send + Sync;

/// A store in PostgreSQL, in the table `hookc_history`.
///
/// ```no_run
/// use std::sync::Arc;
///
/// use hookc_runtime::history::{PostgresStore, SharedHistory};
/// use postgres::{Client, NoTls};
///
/// let connect = || Client::connect("host=db user=hooks connect_timeout=2 options='-c statement_timeout=2s'", NoTls);
/// let store = PostgresStore::new(connect)?;
/// let history = SharedHistory::new(Arc::new(store), [7; 32]);
/// # Ok::<(), Box<dyn std::error::Error + Send + Sync>>(())
/// ```
pub struct PostgresStore {
    client: Mutex<Option<Client>>,
    connect: Box<Connect>,
}

impl PostgresStore {
    /// Connects, and creates the table if it is not there. `connect` is called again when the connection is lost; it
    /// should set timeouts, because a decision waits for the answer.
    ///
    /// # Errors
    /// The server cannot be reached, or the table cannot be created.
    pub fn new(
        connect: impl Fn() -> Result<Client, Error> + Send + Sync + 'static,
    ) -> Result<Self, StoreError> {
        let store = Self { client: Mutex::new(None), connect: Box::new(connect) };
        store.with(|client| client.batch_execute(TABLE))?;
        Ok(store)
    }

    /// Removes partitions without an event for so long. Returns the number of rows.
    ///
    /// # Errors
    /// The server cannot be reached.
    pub fn remove_old(&self, age: Duration) -> Result<u64, StoreError> {
        Ok(self.with(|client| client.execute(REMOVE_OLD, &[&age.as_secs_f64()]))?)
    }

    /// Runs this with a connection. One that failed is closed, and the next call opens another.
    fn with<T>(&self, run: impl FnOnce(&mut Client) -> Result<T, Error>) -> Result<T, Error> {
        let mut client = self.client.lock().unwrap_or_else(PoisonError::into_inner);
        let open = client.take().filter(|client| !client.is_closed());
        let mut open = open.map_or_else(&self.connect, Ok)?;
        let result = run(&mut open);
        if result.as_ref().map_or_else(|error| error.code().is_some(), |_| true) {
            *client = Some(open);
        }
        result
    }
}

/// Adds to the partitions; `false` if one of them has another version.
fn append(transaction: &mut Transaction<'_>, additions: &[Addition]) -> Result<bool, Error> {
    for Addition { partition, version, bytes, is_snapshot } in additions {
        let version = i64::try_from(*version).unwrap_or(i64::MAX);
        transaction.execute(LOCK, &[partition])?;
        if transaction.query_one(VERSION, &[partition])?.try_get::<_, i64>(0)? != version {
            return Ok(false);
        }
        if *is_snapshot {
            transaction.execute(CLEAR, &[partition, &version])?;
        }
        transaction.execute(INSERT, &[partition, &version, bytes])?;
    }
    Ok(true)
}

/// Whether another transaction was in the way.
fn is_conflict(error: &Error) -> bool {
    let states =
        [SqlState::UNIQUE_VIOLATION, SqlState::T_R_DEADLOCK_DETECTED, SqlState::T_R_SERIALIZATION_FAILURE];
    error.code().is_some_and(|code| states.contains(code))
}

impl HistoryStore for PostgresStore {
    fn load(&self, partition: &str) -> Result<Stored, StoreError> {
        let rows = self.with(|client| client.query(LOAD, &[&partition]))?;
        let mut stored = Stored::default();
        for row in rows {
            stored.version = u64::try_from(row.try_get::<_, i64>(0)?)?;
            stored.bytes.extend_from_slice(row.try_get(1)?);
        }
        Ok(stored)
    }

    fn append(&self, additions: &[Addition]) -> Result<Appended, StoreError> {
        let written = self.with(|client| {
            let mut transaction = client.transaction()?;
            if append(&mut transaction, additions)? {
                transaction.commit().map(|()| true)
            } else {
                transaction.rollback().map(|()| false)
            }
        });
        match written {
            Ok(true) => Ok(Appended::Written),
            Ok(false) => Ok(Appended::Conflict),
            Err(error) if is_conflict(&error) => Ok(Appended::Conflict),
            Err(error) => Err(error.into()),
        }
    }

    fn remove(&self, prefix: &str) -> Result<(), StoreError> {
        self.with(|client| client.execute(REMOVE, &[&prefix]))?;
        Ok(())
    }
}

impl fmt::Debug for PostgresStore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PostgresStore").finish_non_exhaustive()
    }
}
