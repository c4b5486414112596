//! Merges several settings files: a later file adds to the earlier ones or replaces them; equal
//! handlers run once.

use std::collections::HashMap;

use hookc_base::action;
use hookc_schema::tree::{Cond, CondKind, Hook, Layer, Policy, SharedId, print};
use hookc_schema::{Code, Diagnostic, Diagnostics, Sources, Span};

/// The hooks file of a plugin, relative to its root.
const PLUGIN: &str = "hooks/hooks.json";

/// How the hooks of a later settings file are combined with those of earlier files.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Merge {
    /// Both apply.
    #[default]
    Append,
    /// The later `hooks` value replaces all earlier ones.
    Replace,
}

/// Merges settings files, in order. `policies` contains only settings files, each with its layer
/// and the span of its hooks, if it has any. Managed files neither replace others nor are replaced.
pub fn merge(
    mut policies: Vec<(&mut Policy, Layer, Option<Span>)>,
    merge: Merge,
    sources: &Sources,
    out: &mut Diagnostics,
) {
    if merge == Merge::Replace {
        replace(&mut policies, out);
    }
    once(&mut policies, sources, out);
}

fn replace(policies: &mut [(&mut Policy, Layer, Option<Span>)], out: &mut Diagnostics) {
    let mut free: Vec<(&mut Policy, Option<Span>)> = policies
        .iter_mut()
        .filter(|(_, layer, _)| *layer != Layer::Managed)
        .map(|(policy, _, hooks)| (&mut **policy, *hooks))
        .collect();
    let last = free.iter().enumerate().rev().find_map(|(at, (_, hooks))| hooks.map(|by| (at, by)));
    let Some((last, by)) = last else { return };
    for (policy, _) in free.iter_mut().take(last) {
        let count = policy.hooks.len();
        let Some(first) = policy.hooks.first() else { continue };
        let message = match count {
            1 => "a later file replaces a hook".to_owned(),
            count => format!("a later file replaces {count} hooks"),
        };
        let new = Diagnostic::new(Code::W0244, start(first.span.0), message);
        out.push(new.with_label("the first one").also(by, "the replacement"));
        policy.hooks.clear();
    }
}

fn start(span: Span) -> Span {
    Span { end: span.end.min(span.start.saturating_add(1)), ..span }
}

/// Removes repeated handlers of a layer: the agent runs each once per plugin.
fn once(policies: &mut [(&mut Policy, Layer, Option<Span>)], sources: &Sources, out: &mut Diagnostics) {
    let (mut seen, mut conditions) = (HashMap::new(), Conditions::default());
    for (policy, layer, _) in policies.iter_mut() {
        let plugin = sources.name(policy.source.span.source).strip_suffix(PLUGIN);
        policy.hooks.retain_mut(|hook| {
            if !agents(hook) {
                return true;
            }
            let condition = hook.condition.take();
            let number = condition.as_ref().map(|cond| conditions.number(cond));
            let rest = print::hook(hook);
            hook.condition = condition;
            match seen.entry((*layer, plugin, number, rest)) {
                std::collections::hash_map::Entry::Vacant(free) => {
                    free.insert(hook.span.0);
                    true
                }
                std::collections::hash_map::Entry::Occupied(first) => {
                    out.push(again(hook, *first.get()));
                    false
                }
            }
        });
    }
}

/// The numbers of conditions: equal ones have the same.
#[derive(Default)]
struct Conditions {
    known: HashMap<String, usize>,
    shared: HashMap<SharedId, usize>,
}

impl Conditions {
    fn number(&mut self, cond: &Cond) -> usize {
        let id = cond.shared();
        if let Some(known) = id.and_then(|id| self.shared.get(&id)) {
            return *known;
        }
        let text = match &cond.kind {
            CondKind::All(parts) => self.group("all", parts),
            CondKind::Any(parts) => self.group("any", parts),
            CondKind::Not(part) => self.group("not", std::slice::from_ref(part)),
            CondKind::Const(_)
            | CondKind::Leaf(_)
            | CondKind::Quantified(_)
            | CondKind::Predicate(_)
            | CondKind::Formerly(_) => print::condition(cond),
        };
        let next = self.known.len();
        let number = *self.known.entry(text).or_insert(next);
        self.shared.extend(id.map(|id| (id, number)));
        number
    }

    fn group(&mut self, word: &str, parts: &[Cond]) -> String {
        let numbers: Vec<usize> = parts.iter().map(|part| self.number(part)).collect();
        format!("{word} {numbers:?}")
    }
}

/// Whether the agent itself would run the hook. Handlers outside groups and hooks with keys of the
/// language run as often as they are written.
fn agents(hook: &Hook) -> bool {
    let has = |name: &str, text: &str| {
        hook.action.params.iter().any(|(key, value)| key.node == name && value.as_str() == Some(text))
    };
    let timed = || hook.action.params.iter().any(|(key, _)| key.node == "timeout");
    !hook.action.templates
        && hook.id.is_none()
        && if hook.action.is(action::Kind::Run) { has("result", "agent") } else { timed() }
}

fn again(hook: &Hook, first: Span) -> Diagnostic {
    let message = "duplicate handler";
    let new = Diagnostic::new(Code::N0243, start(hook.span.0), message).with_label("again here");
    new.also(start(first), "first here").note("the agent runs it once per event, and so does hookc")
}
