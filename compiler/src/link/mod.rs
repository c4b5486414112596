//! Linking: layers, replacement by id, order within an event.
//!
//! ```text
//! checked hooks --replace by id--> --drop disabled--> --label--> by event --sort--> ranks
//! ```
//!
//! Everything is linear in the hooks but two sorts, by id and by rank, and
//! hooks are moved, not copied.

mod order;
pub(crate) mod programs;
mod replace;
mod strategy;

use hookc_schema::tree::{Family, Layer, Mode, OnError, OnFailure};
use hookc_schema::vocab::Strategy;
use hookc_schema::{Code, Diagnostic, Diagnostics, Span};

use hookc_shell::programs::Programs;

use crate::fault::{Fault, Faults};
use crate::ir::{Checked, CheckedAction, CheckedHook, LowCond};
use crate::limits;

/// All hooks that take part, by event type, ascending by family and name.
#[derive(Clone, Debug, Default)]
pub struct Linked {
    /// The event types that have hooks.
    pub events: Vec<LinkedEvent>,
    /// The programs that the policies describe, and those that they declare as wrappers, ascending by name.
    pub programs: Programs,
}

/// An event type and its hooks.
#[derive(Clone, Debug)]
pub struct LinkedEvent {
    /// Its vocabulary.
    pub family: Family,
    /// Its name.
    pub name: String,
    /// How its hooks combine.
    pub strategy: Strategy,
    /// The enabled hooks in rank order.
    pub hooks: Vec<LinkedHook>,
}

/// A hook at its rank.
#[derive(Clone, Debug)]
pub struct LinkedHook {
    /// Its id, or `<event>#<n>`.
    pub label: String,
    /// Its source location.
    pub span: Span,
    /// Its layer.
    pub layer: Layer,
    /// Its mode.
    pub mode: Mode,
    /// On its action's error.
    pub on_error: Option<OnError>,
    /// On failure.
    pub on_failure: Option<OnFailure>,
    /// Its condition.
    pub cond: LowCond,
    /// The value that the condition certainly has at every event.
    pub certain: Option<bool>,
    /// A hash of the condition, without its spans.
    pub print: u64,
    /// Its action.
    pub action: CheckedAction,
}

/// A hook of the compilation, in order of writing.
#[derive(Debug)]
struct Entry {
    hook: CheckedHook,
    distance: Distance,
    /// The policies that it belongs together with.
    group: usize,
    /// Whether a hook of policies that it does not belong together with has its id too:
    /// its label gets a number.
    again: bool,
}

/// The distance of a hook from the decision: its layer, with the shipped hooks after the builtin
/// ones of a file. Lower is nearer.
type Distance = (Layer, bool);

/// Links checked policies, given in argument order, the shipped one last. Hooks of one id
/// in policies of different groups are different hooks of one layer: none replaces another.
pub fn link(policies: Vec<Checked>, out: &mut Diagnostics) -> Linked {
    if let Some(too_many) = over_limit(&policies, limits::HOOKS) {
        out.push(too_many);
        return Linked::default();
    }
    let declared = strategy::declared(&policies, out);
    let faults = Faults::default();
    let programs = programs::union(&policies, &faults, out);
    let mut entries = entries(policies);
    replace::replace(&mut entries, &faults, out);
    let linked = Linked { programs, ..order::order(entries, &declared, &faults) };
    out.extend(faults.check(()).err().map(Fault::diagnostic));
    linked
}

fn entries(policies: Vec<Checked>) -> Vec<Entry> {
    let entries = policies.into_iter().flat_map(|policy| {
        let (shipped, group) = (policy.shipped, policy.group);
        let entry =
            move |hook: CheckedHook| Entry { distance: (hook.layer, shipped), hook, group, again: false };
        policy.hooks.into_iter().map(entry)
    });
    entries.collect()
}

/// Counts a hook once per event, as in the module.
fn over_limit(policies: &[Checked], limit: usize) -> Option<Diagnostic> {
    let mut count = 0;
    for hook in policies.iter().flat_map(|policy| &policy.hooks) {
        count += hook.events.len();
        if count > limit {
            let message = format!("more than {limit} hooks");
            let new = Diagnostic::new(Code::E0703, hook.span, message).with_label("exceeds the limit");
            return Some(new.help("compile several modules, or write one condition for many hooks"));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::CheckedEvent;
    use hookc_schema::Spanned;
    use hookc_schema::value::Number;

    fn hook(events: usize) -> CheckedHook {
        let action = CheckedAction { kind: "abort".into(), params: Vec::new() };
        let name = Spanned::new("error".to_owned(), Span::default());
        let cond = LowCond::Const(true);
        let event = CheckedEvent {
            family: Family::Thread,
            name,
            declared: None,
            cond,
            certain: None,
            print: 0,
            action,
        };
        CheckedHook {
            span: Span::default(),
            id: None,
            layer: Layer::Directive,
            priority: Number("0".into()),
            enabled: true,
            mode: Mode::Enforce,
            on_error: None,
            on_failure: None,
            events: vec![event; events],
        }
    }

    #[test]
    fn the_limit_counts_hooks_by_event() {
        let policy = Checked { hooks: vec![hook(2), hook(1)], ..Checked::default() };
        assert!(over_limit(std::slice::from_ref(&policy), 3).is_none());
        assert_eq!(over_limit(&[policy], 2).unwrap().code, Code::E0703);
    }
}
