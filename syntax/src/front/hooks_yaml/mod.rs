//! Hooks files: thread policy, `hooks.yaml`.
//!
//! `file.rs` reads the top-level keys, `early.rs` the list of hooks while it is parsed, `hook.rs` a hook, `cond.rs` a condition, `history.rs`
//! facts and selections, `action.rs` an action, `legacy.rs` the legacy keys; `front/common.rs` reads the keys that hooks of several
//! dialects share. The checker validates types and names that depend on the vocabulary.

mod action;
mod cond;
pub(crate) mod draft;
mod early;
mod file;
mod history;
mod hook;
mod legacy;
mod predicate;

use hookc_schema::decode::YAML;
use hookc_schema::tree::{Action, Cond, Hook, Policy, Section};
use hookc_schema::value::Value;
use hookc_schema::{Diagnostics, SourceId};

use super::yaml;
use super::yaml::elements::ElementReader;
use super::yaml::version1::Linter;
use crate::expr::path::PathCache;
use crate::limits;
use early::EarlyHooks;

/// Reads a hooks file. All problems are reported; invalid hooks are omitted.
pub fn read(text: &str, source: SourceId, out: &mut Diagnostics) -> Policy {
    let reader = Reader { source, hooks: EarlyHooks::default(), linter: Linter::new(text) };
    yaml::document_by_element(text, (source, HOOKS), out, reader).unwrap_or_else(|| Policy::empty(source))
}

/// The key of the list of hooks, which are read one by one.
const HOOKS: &str = "hooks";

struct Reader<'t> {
    source: SourceId,
    hooks: EarlyHooks,
    linter: Linter<'t>,
}

impl ElementReader for Reader<'_> {
    type Document = Policy;

    fn element(&mut self, value: &Value) {
        self.hooks.read(value);
        self.linter.value(value);
    }

    fn document(self, root: &Value, out: &mut Diagnostics) -> Policy {
        let mut linter = self.linter.around(self.hooks.first());
        let policy = file::policy(root, self.hooks, self.source, out);
        linter.value(root);
        linter.finish(out);
        policy
    }
}

/// Reads a condition from a value (the tests and other
/// dialects use it too).
pub fn condition(value: &Value, out: &mut Diagnostics) -> Option<Cond> {
    condition_with(value, limits::NESTING, (&mut PathCache::default(), out))
}

/// Reads a condition; its paths share their parts with those that were read before.
pub(crate) fn condition_with(
    value: &Value,
    room: usize,
    (paths, out): (&mut PathCache, &mut Diagnostics),
) -> Option<Cond> {
    cond::condition(value, room, (paths, out))
}

/// Reads an action, `{type, ...parameters}`, from a value; its strings are
/// templates.
pub fn action(value: &Value, out: &mut Diagnostics) -> Option<Action> {
    action::action(value, None, out)
}

/// Reads a list of hooks in a file of another dialect.
pub(crate) fn list(value: &Value, out: &mut Diagnostics) -> Vec<Hook> {
    let items = YAML.list(value, "`hooks`", out).unwrap_or_default();
    let mut paths = PathCache::default();
    items.iter().filter_map(|item| hook::hook(item, Section::Hooks, &mut paths, out)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Hooks read while the text is parsed are those read afterwards, with the same diagnostics.
    #[test]
    fn early_hooks_are_the_same_as_late_ones() {
        let hook = "{event: Stop, action: {type: deny}}";
        let wrong = "{event: 3, when: 'a ==', action: {type: deny, x: no}, odd: 1, id: a#b}";
        let texts = [
            format!("hooks: [{hook}, {wrong}, {hook}]"),
            format!("# YAML\nhooks:\n- {hook}\n- {wrong}\n- text\n- null\n- [{hook}]\n"),
            "a: on\nhooks:\n- {id: on, event: Stop, action: {type: deny, reason: no}}\nz: off\n".to_owned(),
            format!("hooks: &all\n- {hook}\nbuiltin_hooks: *all\n"),
            format!("hooks:\n- &one {hook}\n- *one\n- *other\nbuiltin_hooks: [*one]\n"),
            "x: &x {event: Stop}\nhooks:\n- {<<: *x, action: {type: deny}}\n".to_owned(),
            format!("<<: {{hooks: [{hook}]}}\nhooks:\n- {wrong}\n"),
            format!("hooks:\n- {wrong}\nhooks:\n- {hook}\n"),
            format!("builtin_hooks:\n- {hook}\nhooks:\n- {wrong}\nevents: {{Stop: {{strategy: first}}}}\n"),
            format!("hooks:\n- {wrong}\npatterns: []\n"),
            format!("hooks:\n- {hook}\nconfig: {{start: a, hooks: [{wrong}]}}\n"),
            format!("hooks:\n- {hook}\n- {wrong}\nb: [\n"),
            format!("hooks:\n- {hook}\n---\nhooks: []\n"),
            format!("- {hook}\n"),
            "hooks: []\n".to_owned(),
            "hooks: text\n".to_owned(),
            format!(
                "hooks:\n{}",
                "- {event: Stop, id: yes, action: {type: deny, reason: 010}}\n".repeat(1001)
            ),
        ];
        for text in &texts {
            let (mut early, mut late) = (Diagnostics::new(), Diagnostics::new());
            let source = SourceId(0);
            let policy = read(text, source, &mut early);
            let after = yaml::document(text, source, &mut late, |root, out| {
                let reader = Reader { source, hooks: EarlyHooks::default(), linter: Linter::new(text) };
                reader.document(root, out)
            });
            let after = after.unwrap_or_else(|| Policy::empty(source));
            assert_eq!(format!("{policy:?}"), format!("{after:?}"), "{text}");
            assert_eq!(early, late, "{text}");
        }
    }
}
