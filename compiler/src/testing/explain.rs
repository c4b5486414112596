//! Why hooks did or did not decide, in lines for people.

use std::cell::{Cell, OnceCell};
use std::collections::{BTreeMap, HashSet};

use hookc_schema::suggest;
use hookc_schema::tree::Mode;
use hookc_vm::trace::Probe;

use crate::Compiled;
use crate::disasm::describe::{self, Names};
use crate::link::LinkedEvent;

/// The data about a compilation for explanations; built when a case first fails.
#[derive(Debug)]
pub(super) struct Explainer<'c> {
    compiled: &'c Compiled,
    names: Names<'c>,
    known: OnceCell<Known<'c>>,
    /// Names that can still be compared for suggestions.
    near: Cell<usize>,
}

#[derive(Debug)]
struct Known<'c> {
    /// By label, the event types (by position among the linked ones) and ranks.
    labels: BTreeMap<&'c str, Vec<(usize, u32)>>,
    /// All ids that are written, also of hooks that do not take part.
    written: HashSet<&'c str>,
}

impl<'c> Explainer<'c> {
    pub(super) fn new(compiled: &'c Compiled, names: Names<'c>) -> Self {
        Self { compiled, names, known: OnceCell::new(), near: Cell::new(hookc_syntax::limits::SUGGESTIONS) }
    }

    fn known(&self) -> &Known<'c> {
        self.known.get_or_init(|| {
            let mut labels: BTreeMap<&str, Vec<(usize, u32)>> = BTreeMap::new();
            for (at, event) in self.compiled.linked.events.iter().enumerate() {
                for (rank, hook) in (0..).zip(&event.hooks) {
                    labels.entry(&hook.label).or_default().push((at, rank));
                }
            }
            let hooks = self.compiled.policies.iter().flat_map(|policy| &policy.hooks);
            let written = hooks.filter_map(|hook| hook.id.as_ref()).map(|id| id.node.as_str()).collect();
            Known { labels, written }
        })
    }

    /// Why `label` was not the result for an event of type `event` (its position among the linked
    /// ones), where `decided` was.
    pub(super) fn absent(
        &self,
        label: &str,
        event: Option<usize>,
        decided: &[&str],
        probe: &mut Probe<'_>,
    ) -> String {
        let places = self.known().labels.get(label).map_or(&[][..], Vec::as_slice);
        if let Some((_, rank)) = places.iter().find(|(at, _)| Some(*at) == event) {
            return self.lost(label, *rank, event, decided, probe);
        }
        let name_at =
            |at: usize| self.compiled.linked.events.get(at).map(|event| format!("`{}`", event.name));
        let names: Vec<String> = places.iter().filter_map(|(at, _)| name_at(*at)).collect();
        match names.is_empty() {
            false => format!("`{label}` handles {}, not `{}`", names.join(", "), probe.event()),
            true if self.known().written.contains(label) => {
                format!("`{label}` is disabled")
            }
            true => {
                let near = || self.near(label).map(|near| format!("; did you mean `{near}`?"));
                let verdict = verdict_meant(label);
                let help = verdict.map(|verdict| format!("; for the verdict, write `expect: {verdict}`"));
                format!("the policy has no hook `{label}`{}", help.or_else(near).unwrap_or_default())
            }
        }
    }

    /// Why a hook of the event's type did not come out.
    fn lost(
        &self,
        label: &str,
        rank: u32,
        event: Option<usize>,
        decided: &[&str],
        probe: &mut Probe<'_>,
    ) -> String {
        if !probe.holds(rank).unwrap_or(false) {
            return self.settled(label, rank, probe);
        }
        let event = event.and_then(|at| self.compiled.linked.events.get(at));
        let mode = match event.and_then(|event| mode(event, rank)) {
            Some(mode @ (Mode::Warn | Mode::Shadow)) => mode.name(),
            Some(Mode::Enforce) | None => {
                let first = decided.first().copied().unwrap_or("another");
                return format!("`{label}` also matches, but `{first}` comes first");
            }
        };
        format!("`{label}` matches, but its mode is `{mode}`: it never decides")
    }

    /// Why the hook of `rank` matched or did not.
    pub(super) fn settled(&self, label: &str, rank: u32, probe: &mut Probe<'_>) -> String {
        match probe.deciding(rank) {
            Ok(Some(deciding)) => format!("`{label}`: {}", describe::deciding(&self.names, &deciding)),
            Ok(None) => format!("`{label}` has no condition to test"),
            Err(error) => format!("`{label}`: {error}"),
        }
    }

    fn near(&self, label: &str) -> Option<&'c str> {
        let (labels, left) = (&self.known().labels, self.near.get());
        self.near.set(left.saturating_sub(labels.len()));
        suggest::nearest_spelling(label, labels.keys().copied().take(left))
    }
}

fn mode(event: &LinkedEvent, rank: u32) -> Option<Mode> {
    Some(event.hooks.get(usize::try_from(rank).ok()?)?.mode)
}

/// The verdict that a word means which no hook has as its id.
fn verdict_meant(word: &str) -> Option<&'static str> {
    suggest::nearest(&word.to_ascii_lowercase(), ["deny", "ask", "allow", "none"])
}
