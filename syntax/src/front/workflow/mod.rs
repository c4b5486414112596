//! Reads workflow files: hooks at the timing points of a workflow, in YAML or JSON.
//!
//! ```yaml
//! subscribed_artifacts: [handbook]
//! hooks:
//!   pre_decision:
//!     - artifact_id: search
//!       args: {query: "{current_goal}"}
//!       inject_as: found
//! workflow:
//!   steps:
//!     - name: buy
//!       hooks: {post_decision: [{artifact_id: validator, on_error: fail}]}
//! ```
//!
//! `level.rs` finds the agent, its workflows and their steps, whose hooks apply in this order;
//! `hook.rs` reads a hook, `args.rs` lowers `{name}` to templates, `names.rs` checks that something
//! provides the names. A hook becomes an `invoke` action. Other keys of the file are ignored.

mod args;
mod hook;
mod level;
mod names;

use hookc_schema::decode::YAML;
use hookc_schema::tree::Policy;
use hookc_schema::value::{Kind, Text, Value};
use hookc_schema::{Diagnostics, SourceId, Span};

use super::shape::no_hooks;
use super::yaml;
use level::Level;

/// The timing point of subscriptions: the first one.
const FIRST: &str = "pre_decision";

/// The method of a subscription.
pub(crate) const READ: &str = "read_content";

/// The prefix of a subscription's name in the context.
pub(crate) const SUBSCRIBED: &str = "subscribed_";

/// Reads a source; `name` is its path as given, with `/`.
pub fn read(name: &str, text: &str, source: SourceId, out: &mut Diagnostics) -> Policy {
    let _ = name;
    yaml::document(text, source, out, |root, out| policy(root, text, source, out))
        .unwrap_or_else(|| Policy::empty(source))
}

/// A lowered string of arguments.
pub(crate) fn lowered(text: &Text) -> Text {
    args::Args::default().text(text, Span::default(), &mut Diagnostics::new())
}

/// Whether `{text}` is a placeholder.
pub(crate) fn is_name(text: &str) -> bool {
    args::name(&format!("{text}}}")) == Some(text)
}

fn policy(root: &Value, text: &str, source: SourceId, out: &mut Diagnostics) -> Policy {
    let mut policy = Policy::empty(source);
    policy.source.span = root.span;
    match &root.kind {
        Kind::Null => {}
        Kind::Map(members) => {
            let levels = level::levels(root, members, out);
            level::unread(root, &levels, out);
            policy.hooks = hooks(root, &levels, out);
            let ours = levels.iter().flat_map(|level| [level.hooks, level.subscribed]).flatten();
            yaml::version1::lint(text, ours.map(|member| &member.value), out);
            empty(&levels, &policy, out);
        }
        _ => {
            let new = YAML.wrong(root, "a workflow file", "a mapping");
            out.push(new.help("write `hooks:` with timing points such as `pre_decision:` under it"));
        }
    }
    policy
}

/// Reports a file whose `hooks` has no hooks.
fn empty(levels: &[Level<'_>], policy: &Policy, out: &mut Diagnostics) {
    let Some(hooks) = levels.iter().find_map(|level| level.hooks) else { return };
    let written = hooks.value.kind != Kind::Null;
    if written && policy.hooks.is_empty() && out.is_empty() {
        let help = "write a timing point such as `pre_decision:` with a list of hooks";
        out.push(no_hooks(hooks.key.span, "a `hooks` key", help));
    }
}

fn hooks(root: &Value, levels: &[Level<'_>], out: &mut Diagnostics) -> Vec<hookc_schema::tree::Hook> {
    let mut reader = hook::Reader::default();
    for level in levels {
        reader.level(level, out);
    }
    reader.repeated(out);
    reader.names.check(root, out);
    reader.hooks
}
