//! Replay: decides about every event of an Arrow stream.
//!
//! Reading a batch from the input, deciding, and building the output happen in the consumer's
//! call, without the interpreter. Whoever reads the stream from Python should release the GIL
//! meanwhile, as pyarrow, DuckDB and Polars do.

mod capsule;
mod column;
mod rows;

use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use arrow_array::{RecordBatch, RecordBatchReader};
use arrow_schema::{ArrowError, SchemaRef};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyCapsule;

use crate::engine::options;
use crate::error;
use crate::policy::Policy;
use rows::Rules;

/// Rows that one thread decides about at a time: bounds the memory of the output.
const ROWS: usize = 1 << 15;

/// Threads of one replay: more than any machine has cores, and too few to exhaust it.
const THREADS: usize = 1 << 10;

/// An Arrow stream of decisions, which can be read once.
#[pyclass(frozen, module = "hookc")]
pub(crate) struct ReplayStream {
    reader: Mutex<Option<Replay>>,
    rows: Arc<AtomicU64>,
    schema: SchemaRef,
}

#[pymethods]
impl ReplayStream {
    #[getter]
    fn rows(&self) -> u64 {
        self.rows.load(Ordering::Relaxed)
    }

    #[getter]
    fn columns(&self) -> Vec<String> {
        self.schema.fields().iter().map(|field| field.name().clone()).collect()
    }

    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        capsule::schema(py, &self.schema)
    }

    #[pyo3(signature = (requested_schema = None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        // The protocol permits producers to ignore it: there is one form of each column.
        let _ = requested_schema;
        let reader = self.reader.lock().unwrap_or_else(PoisonError::into_inner).take();
        let consumed =
            || error::of_replay("consumed", "the stream was read already: make a new one".to_owned());
        capsule::export(py, reader.ok_or_else(consumed)?)
    }

    fn __repr__(&self) -> String {
        format!("<hookc.ReplayStream {}: {} rows>", self.columns().join(", "), self.rows())
    }
}

/// Decides about every row of an Arrow stream.
#[pyfunction]
#[pyo3(signature = (
    policy, stream, *, column = "event", against = None, keep = Vec::new(), event_type = None, vocabulary = None,
    threads = 1
))]
#[allow(clippy::too_many_arguments, reason = "the keywords of the Python function")]
pub(crate) fn replay_stream(
    policy: &Bound<'_, Policy>,
    stream: &Bound<'_, PyAny>,
    column: &str,
    against: Option<&Bound<'_, Policy>>,
    keep: Vec<String>,
    event_type: Option<String>,
    vocabulary: Option<&str>,
    threads: usize,
) -> PyResult<ReplayStream> {
    if !(1..=THREADS).contains(&threads) {
        return Err(PyValueError::new_err(format!("threads is {threads}: expected 1 to {THREADS}")));
    }
    let family = options(None, vocabulary, None)?.family;
    let input = capsule::import(stream)?;
    let module = |policy: &Bound<'_, Policy>| policy.get().inner.module().clone();
    let rules = Rules { module: module(policy), against: against.map(module), event_type, family };
    let columns = column::Columns::new(&input.schema(), column, &keep, rules.against.is_some())
        .map_err(|(code, message)| error::of_replay(code, message))?;
    let schema = Arc::clone(&columns.schema);
    let rows = Arc::new(AtomicU64::new(0));
    let counter = Arc::clone(&rows);
    let replay = Replay { input, rules, columns, counter, threads, rest: None, ready: VecDeque::new() };
    Ok(ReplayStream { reader: Mutex::new(Some(replay)), rows, schema })
}

/// The reader of the output.
pub(crate) struct Replay {
    input: Box<dyn RecordBatchReader + Send>,
    rules: Rules,
    columns: column::Columns,
    counter: Arc<AtomicU64>,
    threads: usize,
    /// Rows of the input that nothing was decided about yet.
    rest: Option<RecordBatch>,
    ready: VecDeque<RecordBatch>,
}

impl Replay {
    /// The next batch of the output.
    fn advance(&mut self) -> Option<Result<RecordBatch, ArrowError>> {
        loop {
            if let Some(batch) = self.ready.pop_front() {
                return Some(Ok(batch));
            }
            let batch = match self.rest.take() {
                Some(batch) => batch,
                None => match self.input.next()? {
                    Ok(batch) => batch,
                    Err(error) => return Some(Err(error)),
                },
            };
            if let Err(error) = self.decide(&batch) {
                return Some(Err(error));
            }
        }
    }

    /// Decides about the first rows of a batch, and keeps the others.
    fn decide(&mut self, batch: &RecordBatch) -> Result<(), ArrowError> {
        let all = batch.num_rows();
        let count = all.min(self.threads.saturating_mul(ROWS));
        if count < all {
            self.rest = Some(batch.slice(count, all - count));
        }
        let size = count.div_ceil(self.threads).max(1);
        let slices: Vec<RecordBatch> =
            (0..count).step_by(size).map(|start| batch.slice(start, size.min(count - start))).collect();
        let (rules, columns) = (&self.rules, &self.columns);
        let decided: Vec<Result<RecordBatch, ArrowError>> = match slices.as_slice() {
            [one] => vec![rules.decide(columns, one)],
            many => std::thread::scope(|scope| {
                let spawned: Vec<_> =
                    many.iter().map(|slice| scope.spawn(|| rules.decide(columns, slice))).collect();
                spawned.into_iter().map(|thread| thread.join().unwrap_or_else(|_| Err(panicked()))).collect()
            }),
        };
        for batch in decided {
            self.ready.push_back(batch?);
        }
        self.counter.fetch_add(count as u64, Ordering::Relaxed);
        Ok(())
    }
}

fn panicked() -> ArrowError {
    ArrowError::ComputeError("deciding panicked: this is a bug of hookc".to_owned())
}

impl Iterator for Replay {
    type Item = Result<RecordBatch, ArrowError>;

    /// Called by foreign code, through which no panic may pass.
    fn next(&mut self) -> Option<Self::Item> {
        catch_unwind(AssertUnwindSafe(|| self.advance())).unwrap_or_else(|_| Some(Err(panicked())))
    }
}

impl RecordBatchReader for Replay {
    fn schema(&self) -> SchemaRef {
        Arc::clone(&self.columns.schema)
    }
}
