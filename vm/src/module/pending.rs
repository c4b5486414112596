//! The event types of a module that was opened: each is verified when it is first needed.

use std::sync::{Mutex, OnceLock, PoisonError};

use hookc_shell::Members;

use super::error::LoadError;
use super::members;
use super::tables::Tables;
use super::verify::{self, Parts};

/// The members of commands that an event type reads, by view, or why the type is invalid.
type Verified = Result<Vec<Members>, LoadError>;

pub(super) struct Pending {
    /// What is verified so far, or the first fault. A walk that ended at a fault has marked what it did not
    /// verify, so no other type may rely on the marks.
    parts: Mutex<Result<Parts, LoadError>>,
    /// By row of the event types.
    types: Box<[OnceLock<Verified>]>,
    /// The outcome for the whole module.
    all: OnceLock<Result<(), LoadError>>,
}

impl Pending {
    pub(super) fn new(parts: Parts, types: usize) -> Self {
        let types = std::iter::repeat_with(OnceLock::new).take(types).collect();
        Self { parts: Mutex::new(Ok(parts)), types, all: OnceLock::new() }
    }

    /// Verifies an event type, once.
    pub(super) fn event(&self, tables: &Tables<'_>, row: usize) -> Result<&[Members], LoadError> {
        let Some(cell) = self.types.get(row) else { return Ok(&[]) };
        let verified = cell.get_or_init(|| {
            let mut parts = self.parts.lock().unwrap_or_else(PoisonError::into_inner);
            let verified = match parts.as_mut() {
                Ok(parts) => parts.event(tables, u32::try_from(row).unwrap_or(u32::MAX)).map(|()| {
                    members::of_views(tables, &|pred| parts.has_pred(pred), &|node| parts.has_template(node))
                }),
                Err(fault) => Err(fault.clone()),
            };
            if let Err(fault) = &verified {
                *parts = Err(fault.clone());
            }
            verified
        });
        verified.as_deref().map_err(Clone::clone)
    }

    /// Verifies everything, once.
    pub(super) fn all(&self, tables: &Tables<'_>, length: usize) -> Result<(), LoadError> {
        self.all.get_or_init(|| verify::verify(tables, length).map(drop)).clone()
    }

    /// Whether a predicate is verified.
    pub(super) fn has_pred(&self, pred: u32) -> bool {
        self.all.get().is_some_and(Result::is_ok) || {
            let parts = self.parts.lock().unwrap_or_else(PoisonError::into_inner);
            parts.as_ref().is_ok_and(|parts| parts.has_pred(pred))
        }
    }
}
