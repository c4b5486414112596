//! Patterns about a verdict that no hook of an event gives (W0684): `denied PreToolUse` where nothing denies.

use std::collections::HashSet;

use hookc_history::Verdict;
use hookc_schema::tree::{EventPattern, OutcomeWord, Policy};
use hookc_schema::vocab::Vocabulary;
use hookc_schema::{Code, Diagnostic, Diagnostics};

/// The verdicts that the hooks of policies can give, by event type. A handler can give any.
#[derive(Default)]
pub(super) struct Verdicts<'p> {
    known: HashSet<(&'p str, Verdict)>,
    handled: HashSet<&'p str>,
}

impl<'p> Verdicts<'p> {
    pub(super) fn new(policies: &'p [Policy]) -> Self {
        let mut verdicts = Self::default();
        for hook in policies.iter().flat_map(|policy| &policy.hooks).filter(|hook| hook.decides()) {
            let kind = hook.action.known();
            for name in &hook.events {
                match kind.and_then(Verdict::for_kind) {
                    Some(verdict) => _ = verdicts.known.insert((name.node.as_str(), verdict)),
                    None => _ = verdicts.handled.insert(name.node.as_str()),
                }
            }
        }
        verdicts
    }

    /// Reports the patterns of facts and hooks that no event matches.
    pub(super) fn check(&self, policy: &Policy, vocabulary: &Vocabulary, out: &mut Diagnostics) {
        let patterns = policy.facts.iter().flat_map(|fact| &fact.patterns).map(|fact| &fact.pattern);
        patterns.for_each(|pattern| out.extend(self.never(pattern, vocabulary)));
        let hooks = policy.hooks.iter().filter(|hook| hook.is_enabled());
        for cond in policy.fact_conditions().chain(hooks.filter_map(|hook| hook.condition.as_ref())) {
            cond.event_patterns(&mut |pattern| out.extend(self.never(pattern, vocabulary)));
        }
    }

    fn never(&self, pattern: &EventPattern, vocabulary: &Vocabulary) -> Option<Diagnostic> {
        let outcome = pattern.outcome?;
        let (verdict, verb) = match outcome.node {
            OutcomeWord::Denied => (Verdict::Deny, "denies"),
            OutcomeWord::Asked => (Verdict::Ask, "asks about"),
            OutcomeWord::Allowed => (Verdict::Allow, "allows"),
            OutcomeWord::Any => return None,
        };
        // Another name is that of a fact, which takes no verdict, or an unknown one.
        let is_event = |name: &str| vocabulary.events.keys().any(|(_, event)| event == name);
        let is_given = |name: &str| {
            !is_event(name) || self.handled.contains(name) || self.known.contains(&(name, verdict))
        };
        if pattern.names.iter().any(|name| is_given(&name.node)) {
            return None;
        }
        let names: Vec<String> = pattern.names.iter().map(|name| format!("`{}`", name.node)).collect();
        let what = format!("no hook {verb} {}", names.join(", "));
        let new = Diagnostic::new(Code::W0684, outcome.span, what).with_label("always empty");
        Some(new.help("write `any` for what was attempted, or no word for what was not prevented"))
    }
}
