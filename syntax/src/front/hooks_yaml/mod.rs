//! Hooks files: thread policy, `hooks.yaml`.
//!
//! `file.rs` reads the top-level keys, `early.rs` the list of hooks while it is parsed, `hook.rs` a hook, `cond.rs` a condition, `action.rs` an
//! action, `legacy.rs` the legacy keys; `front/common.rs` reads the keys that hooks of several
//! dialects share. The checker validates types and names that depend on the vocabulary.

mod action;
mod cond;
mod early;
mod file;
mod hook;
mod legacy;

use hookc_schema::decode::YAML;
use hookc_schema::tree::{Action, Cond, Hook, Policy, Section};
use hookc_schema::value::Value;
use hookc_schema::{Diagnostics, SourceId};

use super::yaml;
use super::yaml::elements::ElementReader;
use super::yaml::version1::Linter;
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
    cond::condition(value, out)
}

/// Reads an action, `{type, ...parameters}`, from a value; its strings are
/// templates.
pub fn action(value: &Value, out: &mut Diagnostics) -> Option<Action> {
    action::action(value, None, out)
}

/// Reads a list of hooks in a file of another dialect.
pub(crate) fn list(value: &Value, out: &mut Diagnostics) -> Vec<Hook> {
    let items = YAML.list(value, "`hooks`", out).unwrap_or_default();
    items.iter().filter_map(|item| hook::hook(item, Section::Hooks, out)).collect()
}
