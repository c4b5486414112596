//! Patterns about the past as their authors wrote them, with the names of facts.

use foldhash::{HashMap, HashMapExt, HashSet};
use hookc_history::CellId;
use hookc_schema::Span;
use hookc_schema::tree::Policy;
use hookc_syntax::expr::print;

use crate::ir::Monitor;
use crate::link::Linked;

/// The bytes of a name of a pattern that a module has.
const NAME: usize = 256;

/// The patterns in the conditions and facts of policies, by their spans.
#[derive(Clone, Debug, Default)]
pub(crate) struct Written(HashMap<Span, Text>);

/// A pattern as its author wrote it.
#[derive(Clone, Debug)]
struct Text {
    text: String,
    uses_fact: bool,
}

impl Written {
    pub(crate) fn of_policies(policies: &[Policy]) -> Self {
        let mut texts = HashMap::new();
        for policy in policies {
            let names: HashSet<&str> = policy.facts.iter().map(|fact| &*fact.name.node).collect();
            let hooks = policy.hooks.iter().filter_map(|hook| hook.condition.as_ref());
            for cond in policy.fact_conditions().chain(hooks) {
                cond.event_patterns(&mut |pattern| {
                    texts.entry(pattern.span.0).or_insert_with(|| Text {
                        text: print::pattern(pattern),
                        uses_fact: pattern.names.iter().any(|name| names.contains(&*name.node)),
                    });
                });
            }
        }
        Self(texts)
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The pattern that feeds a monitor, if an author wrote it: `within turn` has one of its own.
    pub(crate) fn pattern(&self, monitor: &Monitor) -> Option<(Span, &str)> {
        self.written(monitor).map(|(span, written)| (span, &*written.text))
    }

    fn written(&self, monitor: &Monitor) -> Option<(Span, &Text)> {
        let span = monitor.watches.first()?.span;
        Some((span, self.0.get(&span)?))
    }
}

/// The patterns of policies, by the monitors of a module.
#[derive(Clone, Debug, Default)]
pub struct PatternTexts(HashMap<CellId, Text>);

impl PatternTexts {
    /// The patterns in linked policies.
    #[must_use]
    pub fn of_policies(linked: &Linked, policies: &[Policy]) -> Self {
        let (written, mut texts) = (Written::of_policies(policies), HashMap::new());
        if written.is_empty() {
            return Self::default();
        }
        for hook in linked.events.iter().flat_map(|event| &event.hooks) {
            hook.cond.monitors(&mut |monitor, _| {
                let is_new = !texts.contains_key(&monitor.id);
                if let Some((_, text)) = written.written(monitor).filter(|_| is_new) {
                    texts.insert(monitor.id, text.clone());
                }
                is_new
            });
        }
        Self(texts)
    }

    pub(super) fn get(&self, id: [u8; 8]) -> Option<&str> {
        self.0.get(&CellId(id)).map(|written| &*written.text)
    }

    /// The pattern of a monitor that uses a fact: a module cannot be listed with its name otherwise.
    pub(crate) fn name(&self, id: CellId) -> Option<&str> {
        let named = self.0.get(&id).filter(|written| written.uses_fact && written.text.len() <= NAME)?;
        Some(&named.text)
    }
}
