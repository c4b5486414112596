//! Several settings files: a later one adds to the earlier ones, or takes
//! their place; handlers that are alike run once.

use std::collections::HashMap;

use hookc_schema::tree::{Hook, Policy, print};
use hookc_schema::value::{Kind, Value};
use hookc_schema::{Code, Diagnostic, SourceId, Sources, Span};

use crate::front::json;

/// How the hooks of a later settings file go with those of earlier ones.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Merge {
    /// Both are there.
    #[default]
    Append,
    /// The later `hooks` value takes the place of all earlier ones.
    Replace,
}

/// Merges settings files, in order; `policies` are theirs alone.
pub(crate) fn merge(
    mut policies: Vec<&mut Policy>,
    merge: Merge,
    sources: &Sources,
    out: &mut Vec<Diagnostic>,
) {
    if merge == Merge::Replace {
        replace(&mut policies, sources, out);
    }
    once(&mut policies, out);
}

fn replace(policies: &mut [&mut Policy], sources: &Sources, out: &mut Vec<Diagnostic>) {
    let last = policies.iter().rposition(|policy| says_hooks(sources, policy.source.span.source).is_some());
    let Some(last) = last else { return };
    let by = policies.get(last).and_then(|policy| says_hooks(sources, policy.source.span.source));
    for policy in policies.iter_mut().take(last) {
        let count = policy.hooks.len();
        let (Some(first), Some(by)) = (policy.hooks.first(), by) else { continue };
        let message = match count {
            1 => "a hook is replaced by a later file".to_owned(),
            count => format!("{count} hooks are replaced by a later file"),
        };
        let new = Diagnostic::new(Code::N0244, start(first.span.0), message);
        out.push(new.saying("the first of them").also(by, "these take their place"));
        policy.hooks.clear();
    }
}

fn start(span: Span) -> Span {
    Span { end: span.end.min(span.start.saturating_add(1)), ..span }
}

/// Where a settings file has its `hooks`, if it says anything about them.
fn says_hooks(sources: &Sources, source: SourceId) -> Option<Span> {
    let root = json::read(sources.text(source), source, &mut Vec::new())?.value;
    let Kind::Map(members) = &root.kind else { return None };
    let hooks = members.iter().rev().find(|member| member.key.node == "hooks");
    let listed = |value: &Value| matches!(value.kind, Kind::Seq(_));
    match hooks {
        Some(hooks) => Some(hooks.key.span).filter(|_| hooks.value.kind != Kind::Null),
        None => members.iter().find(|member| listed(&member.value)).map(|member| member.key.span),
    }
}

/// Drops handlers of groups that are there already: the agent runs each once.
fn once(policies: &mut [&mut Policy], out: &mut Vec<Diagnostic>) {
    let mut seen: HashMap<String, Span> = HashMap::new();
    for policy in policies.iter_mut() {
        policy.hooks.retain(|hook| {
            if !agents(hook) {
                return true;
            }
            match seen.entry(print::hook(hook)) {
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

/// Whether the agent itself would run the hook: what the language adds, and
/// what stands in no group, runs as often as it is written.
fn agents(hook: &Hook) -> bool {
    let has = |name: &str, text: &str| {
        hook.action.params.iter().any(|(key, value)| key.node == name && value.as_str() == Some(text))
    };
    let timed = || hook.action.params.iter().any(|(key, _)| key.node == "timeout");
    !hook.action.templates
        && hook.id.is_none()
        && match hook.action.kind.node.as_str() {
            "run" => has("result", "agent"),
            _ => timed(),
        }
}

fn again(hook: &Hook, first: Span) -> Diagnostic {
    let message = "the same handler is there already";
    let new = Diagnostic::new(Code::N0243, start(hook.span.0), message).saying("again here");
    new.also(start(first), "first here").note("the agent runs it once for an event, and so does this policy")
}
