//! One event against single conditions, independent of the search.

use std::fmt;

use hookc_base::ViewKind;

use super::actions::GatheredActions;
use super::kleene::Kleene;
use super::search::{Prepared, stated};
use super::trace::{self, Deciding};
use super::{DecideError, DecideOptions, Scratch};
use crate::event::Origin;
use crate::history::Histories;
use crate::module::{Module, Tables, row};
use crate::rows::{Hook, HookTest};
use crate::stop::StopReason;
use crate::view::EventView;

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
    module: &'a Module,
    tables: Tables<'a>,
    scratch: &'a mut Scratch,
    text: &'a str,
    /// The row of the event's type, if the module has hooks for it.
    row: Option<usize>,
    /// The type that the caller named.
    name: Option<&'a str>,
    histories: Option<&'a Histories<'a>>,
}

impl<'a> Probe<'a> {
    pub(super) fn new(
        module: &'a Module,
        tables: Tables<'a>,
        scratch: &'a mut Scratch,
        (text, row): (&'a str, Option<usize>),
        ask: &DecideOptions<'a>,
    ) -> Self {
        Self { module, tables, scratch, text, row, name: ask.event, histories: ask.history }
    }

    fn prepared(&mut self) -> Prepared<'_> {
        let input = (Origin::Text(self.text), self.row, self.histories);
        Prepared::new(self.module, &self.tables, self.scratch, input)
    }

    /// The event's type.
    #[must_use]
    pub fn event(&self) -> &str {
        self.name.or_else(|| stated(&self.scratch.slots, self.text)).unwrap_or_default()
    }

    /// The number of hooks of the event's type; ranks are below it.
    #[must_use]
    pub fn hooks(&self) -> usize {
        self.rows().len()
    }

    fn rows(&self) -> &[Hook] {
        self.row.and_then(|row| self.tables.events.get(row)).map_or(&[], |event| self.tables.hooks_of(event))
    }

    /// Whether the condition of the hook of `rank` is true, even if the hook is shadowed; `false`
    /// for an unknown rank.
    ///
    /// # Errors
    /// A pattern could not be built, a limit was reached, or the condition is unknown.
    pub fn holds(&mut self, rank: u32) -> Result<bool, DecideError> {
        let Some(hook) = row(self.rows(), rank) else { return Ok(false) };
        let mut machine = self.prepared().machine;
        let truth = match machine.truth(hook.test()) {
            Ok(Kleene::Unknown(cause)) => Err(StopReason::Unknown(cause)),
            Ok(truth) => Ok(truth == Kleene::True),
            Err(stop) => Err(stop),
        };
        truth.map_err(|stop| machine.explain(stop))
    }

    /// What the hook of `rank` tests, rows of the module.
    #[must_use]
    pub fn condition(&self, rank: u32) -> Option<HookTest> {
        row(self.rows(), rank).map(|hook| hook.test())
    }

    /// Whether predicate `pred` of the module is true, and the values that it read; `None` for an
    /// unknown row, and for one that an opened module has not verified.
    ///
    /// # Errors
    /// A pattern could not be built, or a limit was reached.
    pub fn test(&mut self, pred: u32) -> Result<Option<Deciding>, DecideError> {
        if row(self.tables.preds, pred).is_none() || !self.module.has_verified(pred) {
            return Ok(None);
        }
        let mut machine = self.prepared().machine;
        let tested = machine.truth(HookTest::Pred(pred)).and_then(|_| trace::deciding(&mut machine));
        tested.map_err(|stop| machine.explain(stop))
    }

    /// The view that a slot belongs to, as JSON, with its kind; `None` for a slot of the event itself, and if the
    /// event has no such text.
    #[must_use]
    pub fn view(&self, slot: u32) -> Option<(ViewKind, String)> {
        let (t, slots) = (&self.tables, &self.scratch.slots);
        let (event, trie) = (Origin::Text(self.text), t.trie());
        let slot = slots.source(slot, &trie);
        // By node, the root of its view. Children have higher numbers than their parents.
        let mut roots: Vec<Option<u32>> = vec![None; t.nodes.len()];
        for root in t.views.iter().map(|row| row.node.get()) {
            if let Some(place) = roots.get_mut(root as usize) {
                *place = Some(root);
            }
        }
        for (at, node) in t.nodes.iter().enumerate() {
            let root = roots.get(at).copied().flatten();
            if node.slot.get() == slot {
                let row = t.views.iter().find(|row| Some(row.node.get()) == root)?;
                let made = match row.text() {
                    Some(_) => slots.view((row, t.stated(row)), self.module.programs(), (event, &trie)),
                    None => self.effects(row.source.get()),
                };
                return row.kind().zip(made);
            }
            for edge in t.edges_of(node) {
                if let Some(place) = roots.get_mut(edge.node.get() as usize) {
                    *place = place.or(root);
                }
            }
        }
        None
    }

    /// The view of what the event does.
    fn effects(&self, scope: u32) -> Option<String> {
        let (module, tables, slots) = (self.module, &self.tables, &self.scratch.slots);
        let view = EventView { module, tables, slots, event: Origin::Text(self.text) };
        let mut out = String::new();
        GatheredActions::default().write_view(&view, scope, &mut out)?;
        Some(out)
    }

    /// The predicate that determines the condition of the hook of `rank`; `None` for a condition
    /// without tests.
    ///
    /// # Errors
    /// A pattern could not be built, or a limit was reached.
    pub fn deciding(&mut self, rank: u32) -> Result<Option<Deciding>, DecideError> {
        let Some(hook) = row(self.rows(), rank) else { return Ok(None) };
        let mut machine = self.prepared().machine;
        let held = machine.truth(hook.test()).and_then(|_| trace::deciding(&mut machine));
        held.map_err(|stop| machine.explain(stop))
    }
}

impl fmt::Debug for Probe<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Probe").field("event", &self.event()).field("hooks", &self.hooks()).finish()
    }
}
