//! Policies as written, in any notation: runs the lints of hooks, and reports hooks that are all disabled (N0613).

use std::cell::LazyCell;
use std::collections::HashSet;

use foldhash::{HashMap, HashMapExt};
use hookc_schema::tree::{Family, Hook, Policy};
use hookc_schema::vocab::Vocabulary;
use hookc_schema::{Code, Diagnostic, Diagnostics};
use hookc_shell::effects::Set;

use super::{
    action, argv, environment, expansion, foreign_template, guards, handler, late_event, never_stops,
    open_condition, unquoted,
};

/// Lints policies that are linked together. Linear in their hooks.
///
/// `sets` reads those that a policy declares.
pub(crate) fn lint(
    policies: &[Policy],
    vocabulary: &Vocabulary,
    sets: fn(&Policy) -> Vec<Set>,
    out: &mut Diagnostics,
) {
    let already = out.iter().filter_map(Diagnostic::span).collect::<HashSet<_>>();
    let (mut new, mut known) = (Diagnostics::new(), open_condition::Known::default());
    let owners = LazyCell::new(|| owners(policies));
    let mut guarded = guards::Shared::new(policies);
    for (at, policy) in policies.iter().enumerate() {
        let declared = policy
            .declarations
            .events
            .is_some()
            .then(|| vocabulary.with_declarations(&policy.declarations, &mut Diagnostics::new()));
        let vocabulary = declared.as_ref().unwrap_or(vocabulary);
        let mut bare = unquoted::Unquoted::default();
        guarded.start(sets(policy));
        for hook in &policy.hooks {
            guarded.check(hook, vocabulary, &mut new);
            action::check(hook, &mut new);
            argv::check(hook, &mut new);
            environment::check(hook, &mut new);
            handler::check(hook, policy.agent, &mut new);
            open_condition::check(hook, &mut known, &mut new);
            never_stops::check(hook, vocabulary, &mut new);
            expansion::check(hook, &mut new);
            bare.add(hook, policy.agent);
            foreign_template::check(hook, vocabulary, &mut new);
            late_event::check(hook, vocabulary, &mut new);
        }
        new.extend(bare.report());
        new.extend(switched_off(policy, at, &owners));
    }
    // A diagnostic at a span is reported once.
    new.retain(|found| found.is_error() || !found.span().is_some_and(|span| already.contains(&span)));
    out.append(&mut new);
}

/// A policy without an enabled hook. A hook that replaces another policy's may be disabled on
/// purpose, and a repository hook is a separate file.
fn switched_off<'p>(
    policy: &Policy,
    at: usize,
    owners: &LazyCell<HashMap<&'p str, Owner>, impl FnOnce() -> HashMap<&'p str, Owner>>,
) -> Option<Diagnostic> {
    let first = policy.hooks.first()?;
    if first.family == Family::Repository || policy.hooks.iter().any(Hook::is_enabled) {
        return None;
    }
    let elsewhere = |id: &str| owners.get(id).is_some_and(|owner| *owner != Owner::One(at));
    if policy.hooks.iter().any(|hook| id(hook).is_some_and(elsewhere)) {
        return None;
    }
    let span = first.enabled.map_or(first.span.0, |enabled| enabled.span);
    let what = match policy.hooks.len() {
        1 => "the only hook of this policy is disabled".to_owned(),
        count => format!("all {count} hooks of this policy are disabled"),
    };
    let new = Diagnostic::new(Code::N0613, span, what).with_label("disabled here");
    Some(new.note("the policy decides nothing").help("remove `enabled: false` if the hook should run"))
}

/// Which policies have a hook of an id.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Owner {
    One(usize),
    Several,
}

fn owners(policies: &[Policy]) -> HashMap<&str, Owner> {
    let mut owners = HashMap::with_capacity(policies.iter().map(|policy| policy.hooks.len()).sum());
    for (at, policy) in policies.iter().enumerate() {
        for id in policy.hooks.iter().filter_map(id) {
            let owner = owners.entry(id).or_insert(Owner::One(at));
            if *owner != Owner::One(at) {
                *owner = Owner::Several;
            }
        }
    }
    owners
}

fn id(hook: &Hook) -> Option<&str> {
    hook.id.as_ref().map(|id| id.node.as_str())
}
