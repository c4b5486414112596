//! The effects of a run on disk: what the model answered, what was called, what it cost.
//!
//! A run is a function of its file, the given values and its effects. To resume it, it is played
//! again from its start with the effects that are known, and continues where they end. A call is
//! written before it and after it: if it was interrupted, its result is not known, and it is not made
//! again.

use std::ops::Range;
use std::sync::{Mutex, MutexGuard, PoisonError};

use serde_json::Value;

use crate::store::{Entry, Journal, Mark, Step};

/// The result of an effect.
pub(crate) type Effect = Result<Value, String>;

/// The effects of a run.
#[derive(Debug)]
pub(crate) struct Effects(Mutex<State>);

#[derive(Debug)]
struct State {
    journal: Journal,
    /// Those of earlier processes.
    past: Vec<Past>,
    /// The number of the next effect.
    next: u64,
    /// Why the run cannot continue.
    broken: Option<String>,
}

#[derive(Clone, Debug)]
struct Past {
    what: String,
    /// Its result, and the number of the effect after it.
    result: Option<(Effect, u64)>,
}

/// What is known of an effect that is about to happen.
pub(crate) enum Known {
    /// It has happened with this result. The effects within it have these numbers.
    Done(Effect, Range<u64>),
    /// It was interrupted.
    Begun(u64),
    /// It has not happened.
    New(u64),
}

impl Effects {
    /// Those that a journal has, in order. Returns the last position of a scripted model too.
    pub(crate) fn from_journal(journal: Journal, steps: &[Step]) -> (Self, Option<u64>) {
        let (mut past, mut last) = (Vec::<Past>::new(), None);
        for step in steps {
            match step {
                Step::Workflow(Mark::Begun { what, .. }) => {
                    past.push(Past { what: what.clone(), result: None });
                }
                Step::Workflow(Mark::Done { effect, next, result, position }) => {
                    last = (*position).max(last);
                    let entry = usize::try_from(*effect).ok().and_then(|number| past.get_mut(number));
                    if let Some(entry) = entry {
                        entry.result = Some((result.clone(), *next));
                    }
                }
                _ => {}
            }
        }
        (Self(Mutex::new(State { journal, past, next: 0, broken: None })), last)
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Why the run cannot continue, if it cannot.
    pub(crate) fn broken(&self) -> Option<String> {
        self.state().broken.clone()
    }

    /// The run cannot continue, for this reason.
    pub(crate) fn stop(&self, why: &str) {
        self.state().broken = Some(why.to_owned());
    }

    /// Whether the next effect is one of an earlier process.
    pub(crate) fn is_past(&self) -> bool {
        let state = self.state();
        usize::try_from(state.next).is_ok_and(|next| next < state.past.len())
    }

    /// An effect that can be made again if it was interrupted.
    ///
    /// # Errors
    /// The state cannot be saved, or belongs to another run.
    pub(crate) fn remember(
        &self,
        what: &str,
        position: impl FnOnce() -> Option<u64>,
        work: impl FnOnce(u64) -> Effect,
    ) -> Result<Effect, String> {
        let (effect, is_begun) = match self.known(what)? {
            Known::Done(result, _) => return Ok(result),
            Known::Begun(effect) => (effect, true),
            Known::New(effect) => (effect, false),
        };
        let result = work(effect);
        let next = self.state().next;
        let done = Mark::Done { effect, next, result: result.clone(), position: position() };
        let begun = (!is_begun).then(|| Mark::Begun { effect, what: what.to_owned() });
        self.write(begun.into_iter().chain([done]))?;
        Ok(result)
    }

    /// An effect begins that must not happen twice.
    ///
    /// # Errors
    /// The state cannot be saved, or belongs to another run.
    pub(crate) fn begin(&self, what: &str) -> Result<Known, String> {
        let known = self.known(what)?;
        if let Known::New(effect) = &known {
            self.write([Mark::Begun { effect: *effect, what: what.to_owned() }])?;
        }
        Ok(known)
    }

    /// It has happened.
    ///
    /// # Errors
    /// The state cannot be saved.
    pub(crate) fn done(&self, effect: u64, result: Effect, position: Option<u64>) -> Result<(), String> {
        let next = self.state().next;
        self.write([Mark::Done { effect, next, result, position }])
    }

    /// The run has ended.
    ///
    /// # Errors
    /// The state cannot be saved.
    pub(crate) fn end(&self, status: &str) -> Result<(), String> {
        self.write([Mark::Ended { status: status.to_owned() }])
    }

    /// The calls among past effects: who made each, whether it failed, and its price.
    pub(crate) fn calls(&self, range: Range<u64>) -> Vec<(String, bool, String)> {
        let state = self.state();
        let (mut calls, mut price) = (Vec::new(), String::new());
        for past in range.filter_map(|effect| state.past.get(usize::try_from(effect).ok()?)) {
            let Some((result, _)) = &past.result else { continue };
            let (kind, by) = (past.what.split(' ').next(), past.what.split_once(" by "));
            match (kind, by, result) {
                (Some("pay"), _, Ok(value)) => price = value.as_str().unwrap_or_default().to_owned(),
                (Some("pay"), Some((_, by)), Err(_)) => calls.push((by.to_owned(), true, String::new())),
                (Some("call"), Some((_, by)), result) => {
                    calls.push((by.to_owned(), result.is_err(), std::mem::take(&mut price)));
                }
                _ => {}
            }
        }
        calls
    }

    fn known(&self, what: &str) -> Result<Known, String> {
        let mut state = self.state();
        if let Some(why) = &state.broken {
            return Err(why.clone());
        }
        let effect = state.next;
        state.next += 1;
        let past = usize::try_from(effect).ok().and_then(|number| state.past.get(number)).cloned();
        match past {
            Some(own) if own.what != what => {
                let why = format!("the saved state does not fit: `{what}` comes where `{}` was", own.what);
                state.broken = Some(why.clone());
                Err(why)
            }
            Some(Past { result: Some((result, next)), .. }) => {
                state.next = next;
                Ok(Known::Done(result, effect + 1..next))
            }
            Some(_) => Ok(Known::Begun(effect)),
            None => Ok(Known::New(effect)),
        }
    }

    fn write(&self, marks: impl IntoIterator<Item = Mark>) -> Result<(), String> {
        let mut state = self.state();
        let entry = |mark| Entry { agent: String::new(), step: Step::Workflow(mark) };
        let entries: Vec<Entry> = marks.into_iter().map(entry).collect();
        state.journal.write_all(&entries).map_err(|error| {
            let why = format!("{}: the state cannot be saved: {error}", state.journal.path().display());
            state.broken = Some(why.clone());
            why
        })
    }
}
