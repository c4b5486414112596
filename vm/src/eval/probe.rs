//! One event against single conditions, independent of the search.

use std::fmt;

use super::DecideError;
use super::search::Prepared;
use super::trace::{self, Deciding};
use crate::module::row;
use crate::rows::NONE;

/// A scanned event of a known type: determines for one hook at a time whether its condition is
/// true, and why. Each predicate is evaluated at most once.
///
/// ```
/// use hookc_vm::{DecideOptions, Module, Scratch};
///
/// # let module = Module::load(include_bytes!("../../examples/policy.hookc"))?;
/// let event = br#"{"hook_event_name": "PreToolUse", "tool_name": "Bash", "tool_input": {"command": "rm a"}}"#;
/// let mut scratch = Scratch::new();
/// let mut probe = module.probe(&mut scratch, event, &DecideOptions::default())?;
/// assert_eq!((probe.holds(0)?, probe.holds(1)?), (false, true));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Probe<'a> {
    prepared: Prepared<'a>,
}

impl<'a> Probe<'a> {
    pub(super) fn new(prepared: Prepared<'a>) -> Self {
        Self { prepared }
    }

    /// The event's type.
    #[must_use]
    pub fn event(&self) -> &'a str {
        self.prepared.name
    }

    /// The number of hooks of the event's type; ranks are below it.
    #[must_use]
    pub fn hooks(&self) -> usize {
        self.prepared.hooks.len()
    }

    /// Whether the condition of the hook of `rank` is true, even if the hook is shadowed; `false`
    /// for an unknown rank.
    ///
    /// # Errors
    /// A pattern could not be built, or a limit was reached.
    pub fn holds(&mut self, rank: u32) -> Result<bool, DecideError> {
        let Some(hook) = row(self.prepared.hooks, rank) else { return Ok(false) };
        let machine = &mut self.prepared.machine;
        machine.last = NONE;
        machine.cond(hook.cond.get()).map_err(|stop| machine.explain(stop))
    }

    /// The condition of the hook of `rank`, a row of the module.
    #[must_use]
    pub fn condition(&self, rank: u32) -> Option<u32> {
        row(self.prepared.hooks, rank).map(|hook| hook.cond.get())
    }

    /// Whether predicate `pred` of the module is true, and the values that it read; `None` for an
    /// unknown row.
    ///
    /// # Errors
    /// A pattern could not be built, or a limit was reached.
    pub fn test(&mut self, pred: u32) -> Result<Option<Deciding>, DecideError> {
        let machine = &mut self.prepared.machine;
        let tested = machine.pred(pred).and_then(|_| trace::deciding(machine));
        tested.map_err(|stop| machine.explain(stop))
    }

    /// The predicate that determines the condition of the hook of `rank`; `None` for a condition
    /// without tests.
    ///
    /// # Errors
    /// A pattern could not be built, or a limit was reached.
    pub fn deciding(&mut self, rank: u32) -> Result<Option<Deciding>, DecideError> {
        self.prepared.machine.last = NONE;
        self.holds(rank)?;
        let machine = &mut self.prepared.machine;
        trace::deciding(machine).map_err(|stop| machine.explain(stop))
    }
}

impl fmt::Debug for Probe<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Probe").field("event", &self.event()).field("hooks", &self.hooks()).finish()
    }
}
