//! Runs the lints that read policies as written, whatever their notation, and reports hooks that are all disabled (N0613).

use std::cell::LazyCell;
use std::collections::HashSet;

use foldhash::{HashMap, HashMapExt};
use hookc_schema::tree::{Family, Hook, Policy};
use hookc_schema::vocab::Vocabulary;
use hookc_schema::{Code, Diagnostic, Diagnostics, Span};
use hookc_shell::effects::Set;

use super::{
    action, argv, environment, expansion, foreign_template, guards, handler, late_event, never_stops,
    open_condition, outcome, unquoted,
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
    let reported = out.iter().filter_map(Diagnostic::span).collect::<HashSet<_>>();
    let mut known = open_condition::Known::default();
    let owners = LazyCell::new(|| owners(policies));
    let mut guarded = guards::Shared::new(policies);
    let verdicts = outcome::Verdicts::new(policies);
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
            guarded.check(hook, vocabulary, out);
            action::check(hook, out);
            argv::check(hook, out);
            environment::check(hook, out);
            handler::check(hook, policy.agent, out);
            open_condition::check(hook, &mut known, out);
            never_stops::check(hook, vocabulary, out);
            expansion::check(hook, out);
            bare.add(hook, policy.agent);
            foreign_template::check(hook, vocabulary, out);
            late_event::check(hook, vocabulary, out);
        }
        verdicts.check(policy, vocabulary, out);
        out.extend(bare.report());
        out.extend(disabled(policy, at, &owners, &reported));
    }
}

/// A policy without an enabled hook. A hook that replaces another policy's may be disabled on
/// purpose, and a repository hook is a separate file. `reported` are the spans at which a front end has reported: it disables
/// a hook that its agent never runs, and says why there (W0237).
fn disabled<'p>(
    policy: &Policy,
    at: usize,
    owners: &LazyCell<HashMap<&'p str, Owner>, impl FnOnce() -> HashMap<&'p str, Owner>>,
    reported: &HashSet<Span>,
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
    if reported.contains(&span) {
        return None;
    }
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

#[cfg(test)]
#[allow(clippy::panic, reason = "tests")]
mod tests {
    use hookc_schema::Sources;
    use hookc_syntax::front;

    use super::*;
    use crate::{Dialect, Input};

    /// The codes that are reported for `text` after `earlier` diagnostics, and their spans.
    fn linted(text: &str, earlier: &[(Code, Span)]) -> Vec<(Code, Span)> {
        let mut sources = Sources::new();
        let input = Input::new(sources.add("hooks.yaml", text)).with_dialect(Dialect::HooksYaml);
        let (vocabulary, mut out) = (Vocabulary::builtin(), Diagnostics::new());
        let policy = front::read(&sources, &input, &vocabulary, &mut out).policy;
        out.extend(earlier.iter().map(|&(code, span)| Diagnostic::new(code, span, "earlier")));
        lint(&[policy], &vocabulary, |_| Vec::new(), &mut out);
        let found: Vec<_> = out.iter().filter_map(|found| Some((found.code, found.span()?))).collect();
        found.into_iter().filter(|found| !earlier.contains(found)).collect()
    }

    #[test]
    fn a_lint_is_reported_where_another_diagnostic_is() {
        let text = "hooks:\n\
            - {event: PreToolUse, action: {type: run, command: ./a, timeout: 0}}\n\
            - {event: PreToolUse, when: \"tool_name == 'Bash'\", action: {type: deny, reason: ''}}\n";
        let alone = linted(text, &[]);
        let codes: Vec<Code> = alone.iter().map(|&(code, _)| code).collect();
        assert_eq!(codes, [Code::W0615, Code::W0621]);
        let earlier: Vec<_> = alone.iter().map(|&(_, span)| (Code::W0114, span)).collect();
        assert_eq!(linted(text, &earlier), alone);
    }

    #[test]
    fn a_hook_that_a_front_end_disabled_is_reported_once() {
        let text = "hooks:\n- {event: Stop, enabled: false, action: {type: deny, reason: x}}\n";
        let alone = linted(text, &[]);
        let &[(Code::N0613, span)] = alone.as_slice() else { panic!("{alone:?}") };
        assert_eq!(linted(text, &[(Code::W0237, span)]), []);
    }
}
