//! Reads repository hooks: one YAML file per hook.
//!
//! `hook.rs` reads the keys of a hook, `event.rs` has the events and their names in earlier
//! editions, `matching.rs` lowers the match block to a condition, `scope.rs` converts globs on
//! ability ids to globs of the language and back, `disk.rs` checks handlers in the file system.
//!
//! A hook becomes an action `run` of the handler, without a shell. Its working directory is the
//! root of the repository, which contains `.system`.

mod disk;
pub(crate) mod event;
mod handler;
mod hook;
pub(crate) mod matching;
pub(crate) mod scope;

pub(crate) use disk::check;

use hookc_schema::decode::{YAML, short};
use hookc_schema::dialect::HOOKS;
use hookc_schema::tree::Policy;
use hookc_schema::value::{Kind, Value};
use hookc_schema::{Code, Diagnostic, Diagnostics, SourceId};

use super::yaml;

/// Reads a hook's file; `name` is its path as given, with `/`. All problems are reported; a hook
/// with errors is omitted.
pub fn read(_name: &str, text: &str, source: SourceId, out: &mut Diagnostics) -> Policy {
    let mut diagnostics = Diagnostics::new();
    let mut policy = Policy::empty(source);
    if let Some(root) = yaml::read(text, source, &mut diagnostics) {
        policy.source.span = root.span;
        if is_hook(&root, &mut diagnostics) {
            policy.hooks.extend(hook::hook(&root, &mut diagnostics));
            yaml::version1::lint(text, [&root], &mut diagnostics);
        }
    }
    diagnostics.sort();
    out.append(&mut diagnostics);
    policy
}

/// Whether the root can be a hook. If not, one diagnostic reports that, instead of one per key.
fn is_hook(root: &Value, out: &mut Diagnostics) -> bool {
    let new = match &root.kind {
        Kind::Map(members) => {
            let is_own = |key: &str| matches!(key, "event_type" | "handler");
            if members.iter().any(|member| is_own(&member.key.node)) {
                return true;
            }
            let new = Diagnostic::new(
                Code::E0202,
                short(root),
                "not a repository hook: no `event_type` and no `handler`",
            );
            let lists = members.iter().all(|member| matches!(member.value.kind, Kind::Seq(_)));
            let new = new.with_label("unknown content");
            let has_hooks = members.iter().any(|member| member.key.node == HOOKS);
            match lists && !members.is_empty() {
                true => new.help("put each hook into its own file in `.system/hooks`"),
                false if has_hooks => new.help(
                    "a file in `.system/hooks` is one hook with `id`, `event_type` and `handler`: move a file \
                     of another dialect to another directory",
                ),
                false => new.help("exclude this file, or write a hook: `id`, `event_type`, `handler`"),
            }
        }
        Kind::Seq(_) => YAML
            .wrong(root, "a repository hook", "a mapping")
            .help("put each hook into its own file, a mapping with `id:` as first key"),
        _ => YAML
            .wrong(root, "a repository hook", "a mapping")
            .help("write `id:`, `event_type:`, `enabled:`, `blocking:` and `handler:`"),
    };
    out.push(new);
    false
}
