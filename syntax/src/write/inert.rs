//! Hooks in a form that the target's agent ignores.

use hookc_schema::tree::{Family, Hook, Policy};
use hookc_schema::vocab::Vocabulary;
use hookc_schema::{Code, Diagnostic};

use super::part::label;
use super::settings;
use crate::Dialect;

/// A policy without the hooks that the target's agent would not execute itself, and a diagnostic
/// for each of them. hookc reads its own keys in settings, but the agent does not, so a guard
/// written there would guard nothing.
#[must_use]
pub fn executed(policy: &Policy, target: Dialect) -> (Policy, Vec<Diagnostic>) {
    let skill = match target {
        Dialect::Settings => false,
        Dialect::Skill => true,
        _ => return (policy.clone(), Vec::new()),
    };
    let vocabulary = Vocabulary::builtin();
    let inert = |hook: &Hook| {
        hook.events.iter().any(|event| {
            let known = vocabulary.event(hook.family, &event.node);
            let agents = known.is_some_and(|known| known.family == Family::Agent);
            agents && !settings::is_handler(hook, event, skill)
        })
    };
    let mut effective = policy.clone();
    effective.hooks.retain(|hook| !inert(hook));
    (effective, policy.hooks.iter().filter(|hook| inert(hook)).map(diagnostic).collect())
}

fn diagnostic(hook: &Hook) -> Diagnostic {
    let kind = &hook.action.kind;
    let what = format!("{}: Claude Code does not execute such a hook from its settings", label(hook));
    let new = Diagnostic::new(Code::E0803, kind.span, what).with_label(format!("`{}`", kind.node));
    new.note("it runs handlers under a matcher; only hookc executes typed actions and conditions")
        .help("keep the policy: `hookc install claude POLICY` adds a handler that calls `hookc run`")
}
