//! Dialect A: thread policy, `hooks.yaml`.
//!
//! `file.rs` reads the top-level keys, `hook.rs` a hook, `cond.rs` a
//! condition, `action.rs` an action; `shape.rs` holds what they share. Types
//! and names that a vocabulary decides are the checker's business.

mod action;
mod cond;
mod file;
mod hook;
pub(crate) mod shape;

use hookc_schema::tree::{Action, Cond, Policy};
use hookc_schema::value::Value;
use hookc_schema::{Diagnostic, SourceId, diag};

use super::yaml;

/// Reads a hooks file. All problems are told; hooks that make no sense are
/// left out.
pub fn read(text: &str, source: SourceId, out: &mut Vec<Diagnostic>) -> Policy {
    let mut own = Vec::new();
    let policy = match yaml::read(text, source, &mut own) {
        Some(root) => file::policy(&root, source, &mut own),
        None => Policy::empty(source),
    };
    diag::sort(&mut own);
    out.append(&mut own);
    policy
}

/// Reads a condition of semantics §3 and §4 from a value (the tests and other
/// dialects use it too).
pub fn condition(value: &Value, out: &mut Vec<Diagnostic>) -> Option<Cond> {
    cond::condition(value, out)
}

/// Reads an action, `{type, ...parameters}`, from a value; its strings are
/// templates.
pub fn action(value: &Value, out: &mut Vec<Diagnostic>) -> Option<Action> {
    action::action(value, out)
}
