//! Conditions and their leaves, each as a separate hook: the result of a [`Probe`] for a rank of
//! such a module is the result of one condition or one leaf, even if the search would have stopped
//! before, or the plan folded it.
//!
//! [`Probe`]: hookc_vm::trace::Probe

use std::collections::BTreeMap;

use hookc_base::row_number;
use hookc_schema::tree::{Family, Layer, Mode};
use hookc_schema::vocab::Strategy;
use hookc_schema::{Diagnostic, Diagnostics, Span};
use hookc_shell::programs::Programs;
use hookc_vm::trace::Probe;
use hookc_vm::{DecideError, DecideOptions, Histories, Module, Scratch};

use super::result::CannotRun;
use crate::fault::Fault;
use crate::ir::{CheckedAction, LowCond};
use crate::link::{Linked, LinkedEvent, LinkedHook};
use crate::{codegen, plan};

/// A module of conditions.
#[derive(Debug)]
pub(super) struct Conditions {
    pub(super) module: Module,
    /// By the numbers that [`Draft::add`] returned.
    pub(super) places: Vec<Location>,
}

/// The location of a condition in the module.
#[derive(Clone, Debug)]
pub(super) struct Location {
    pub(super) family: Family,
    pub(super) event: String,
    /// The rank of the whole; those of its leaves follow.
    pub(super) rank: u32,
    /// The leaves as written, in order.
    pub(super) leaves: Vec<Span>,
}

impl Location {
    /// The rank of the leaf `at`.
    pub(super) fn leaf(&self, at: usize) -> u32 {
        self.rank.saturating_add(1).saturating_add(row_number(at))
    }
}

/// A module of conditions under construction.
#[derive(Debug, Default)]
pub(super) struct Draft {
    events: BTreeMap<(Family, String), Vec<LinkedHook>>,
    places: Vec<Location>,
    programs: Programs,
}

impl Draft {
    /// No conditions yet, only the declarations of the policies.
    pub(super) fn new(linked: &Linked) -> Self {
        Self { programs: linked.programs.clone(), ..Self::default() }
    }

    /// Adds a condition and its leaves; numbers start at 0.
    pub(super) fn add(&mut self, family: Family, event: &str, cond: &LowCond) {
        let mut tests = Vec::new();
        leaves(cond, &mut tests);
        let hooks = self.events.entry((family, event.to_owned())).or_default();
        let rank = row_number(hooks.len());
        hooks.push(hook(cond.clone()));
        hooks.extend(tests.iter().map(|(_, test)| hook((*test).clone())));
        let leaves = tests.into_iter().map(|(span, _)| span).collect();
        self.places.push(Location { family, event: event.to_owned(), rank, leaves });
    }

    pub(super) fn finish(self) -> Result<Conditions, CannotRun> {
        let event = |((family, name), hooks)| LinkedEvent { family, name, strategy: Strategy::All, hooks };
        let events = self.events.into_iter().map(event).collect();
        let linked = Linked { events, programs: self.programs };
        let mut problems = Diagnostics::new();
        let plan = plan::plan(&linked, &mut problems);
        if let Some(problem) = problems.into_iter().find(Diagnostic::is_error) {
            return Err(problem.into());
        }
        let bytes = codegen::emit(&plan, None).map_err(Fault::diagnostic)?;
        let module = Module::load(bytes)?;
        Ok(Conditions { module, places: self.places })
    }
}

/// The tests of a condition, and where each leaf is written.
pub(super) fn leaves<'c>(cond: &'c LowCond, out: &mut Vec<(Span, &'c LowCond)>) {
    match cond {
        LowCond::Const(_) => {}
        LowCond::All(parts) | LowCond::Any(parts) => match of_one_leaf(parts) {
            Some(span) => out.push((span, cond)),
            None => parts.iter().for_each(|part| leaves(part, out)),
        },
        LowCond::Not(part) => leaves(part, out),
        LowCond::Test(test) => out.push((test.span, cond)),
        // Its parts have results only for a node.
        LowCond::Some(some) => out.push((some.span, cond)),
        LowCond::Effects(test) => out.push((test.span, cond)),
        LowCond::Past(test) => out.push((test.span, cond)),
    }
}

/// The place of the leaf whose tests these are: that of the last value of an option, and that of all values.
fn of_one_leaf(parts: &[LowCond]) -> Option<Span> {
    let [LowCond::Test(test), other] = parts else { return None };
    let other = match other {
        LowCond::Not(other) => other.as_ref(),
        other => other,
    };
    matches!(other, LowCond::Some(some) if some.span == test.span).then_some(test.span)
}

fn hook(cond: LowCond) -> LinkedHook {
    LinkedHook {
        label: String::new(),
        span: Span::default(),
        layer: Layer::Directive,
        mode: Mode::Enforce,
        on_error: None,
        on_failure: None,
        cond,
        certain: None,
        print: 0,
        action: CheckedAction { kind: "continue".to_owned(), params: Vec::new() },
    }
}

impl Conditions {
    /// Scans an event for the conditions of `place`'s event type.
    pub(super) fn probe<'a>(
        &'a self,
        scratch: &'a mut Scratch,
        event: &'a [u8],
        place: &'a Location,
        histories: &'a Histories<'a>,
    ) -> Result<Probe<'a>, DecideError> {
        let ask =
            DecideOptions::default().event(place.event.as_str()).family(place.family).history(histories);
        self.module.probe(scratch, event, &ask)
    }
}
