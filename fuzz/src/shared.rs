//! A store of several machines, whose rows have any bytes.

use std::sync::{Arc, Mutex, PoisonError};

use hookc_compiler::{Dialect, Options};
use hookc_history::{Limits, Partition};
use hookc_oracle::generate::history;
use hookc_runtime::history::{Addition, Appended, HistoryStore, SharedHistory, StoreError, Stored};
use hookc_runtime::host::NoopHost;
use hookc_runtime::{Engine, Event};
use hookc_vm::DecideOptions;

use crate::common;

const POLICY: &str =
    "hooks: [{event: PreToolUse, when: count(PreToolUse) >= 1000000, action: {type: deny, reason: no}}]";
const EVENT: &str =
    r#"{"hook_event_name": "PreToolUse", "session_id": "s", "tool_name": "Bash", "tool_input": {}}"#;

/// The rows of the only partition.
#[derive(Debug)]
struct Rows(Mutex<Vec<u8>>);

impl Rows {
    fn bytes(&self) -> Vec<u8> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

impl HistoryStore for Rows {
    fn load(&self, _: &str) -> Result<Stored, StoreError> {
        let bytes = self.bytes();
        Ok(Stored { version: u64::from(!bytes.is_empty()), bytes })
    }

    fn append(&self, additions: &[Addition]) -> Result<Appended, StoreError> {
        let mut rows = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        for addition in additions {
            if addition.is_snapshot {
                rows.clear();
            }
            rows.extend(&addition.bytes);
        }
        Ok(Appended::Written)
    }

    fn remove(&self, _: &str) -> Result<(), StoreError> {
        Ok(())
    }
}

thread_local! {
    static ENGINE: Engine = engine();
}

#[allow(clippy::panic, reason = "a property that fails panics")]
fn engine() -> Engine {
    let options = Options::default().builtin(common::linked(false));
    let built = common::build_with(&[(POLICY.to_owned(), history::LAYER)], Dialect::HooksYaml, options);
    Engine::new(common::load(built.unwrap_or_else(|why| panic!("does not compile: {why}")).bytes))
}

/// Decides about an event of a session whose rows have these bytes. Either the history is unknown, the hook fails closed and
/// the rows stay as they are, or the event is recorded after those in the rows, and the next program reads it.
pub fn shared(bytes: &[u8]) {
    ENGINE.with(|engine| crate::past::files(bytes).into_iter().for_each(|file| record_next(engine, file)));
}

#[allow(clippy::expect_used, reason = "a property that fails panics")]
fn record_next(engine: &Engine, file: Vec<u8>) {
    let rows = Arc::new(Rows(Mutex::new(file.clone())));
    let history = SharedHistory::new(Arc::<Rows>::clone(&rows), [3; 32]);
    let event = Event::new(EVENT);
    let decided = engine.decide_with(&history, &event, &DecideOptions::default()).expect("a decision");
    let outcome = engine.execute(decided, &event, &NoopHost);
    let written = rows.bytes();
    let Some(step) = outcome.history.step else {
        assert!(
            outcome.history.unknown.is_some() && !outcome.verdict().0.reasons.is_empty(),
            "it is not denied"
        );
        assert!(written == file, "what is unknown has changed");
        return;
    };
    let read =
        Partition::decode(&written, Limits::default()).expect("what was written can be read").partition;
    assert!(read.step() == step, "an event is lost or doubled");
    let before = Partition::decode(&file, Limits::default()).map_or(0, |decoded| decoded.partition.step());
    assert!(step == before.saturating_add(1), "another number");
}
