//! Dialect A: thread policy, `hooks.yaml`.
//!
//! `file.rs` reads the top-level keys, `hook.rs` a hook, `cond.rs` a
//! condition, `action.rs` an action; `front/shape.rs` holds what dialects share. Types
//! and names that a vocabulary decides are the checker's business.

mod action;
mod cond;
mod file;
mod hook;

use std::collections::HashSet;

use hookc_schema::tree::{Action, Cond, Policy};
use hookc_schema::value::Value;
use hookc_schema::{Code, Diagnostic, SourceId, Span, diag};

use super::yaml;

/// Reads a hooks file. All problems are told; hooks that make no sense are
/// left out.
pub fn read(text: &str, source: SourceId, out: &mut Vec<Diagnostic>) -> Policy {
    let mut own = Vec::new();
    let policy = match yaml::read(text, source, &mut own) {
        Some(root) => {
            let unread = unread(&own);
            let policy = file::policy(&root, source, &mut own);
            own.retain(|new| {
                new.code == Code::E0106 || !new.span().is_some_and(|span| unread.contains(&span))
            });
            policy
        }
        None => Policy::empty(source),
    };
    diag::sort(&mut own);
    out.append(&mut own);
    policy
}

/// The aliases of nothing: what stands there is not known, so that nothing is
/// to be said of its type.
fn unread(told: &[Diagnostic]) -> HashSet<Span> {
    told.iter().filter(|new| new.code == Code::E0106).filter_map(Diagnostic::span).collect()
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
