//! Values of the history in templates: `${count(failed within turn)}`.

use hookc_schema::tree::{Path, Policy};
use hookc_schema::value::{Kind, Value};
use hookc_schema::{Code, Diagnostic, Diagnostics};
use hookc_syntax::expr::template::{self, Piece};

use super::{Facts, check_recall, value};
use crate::check::Cx;
use crate::check::event::Scope;
use crate::check::path::Field;

/// How the values of the history start. A text without one of them has none.
const STARTS: [&str; 4] = ["count(", "sum(", "distinct(", "last("];

/// The values of the history in the templates of a policy. Diagnostics about templates are left to those who check the
/// actions.
pub(in crate::check) fn in_templates(policy: &Policy) -> Vec<Path> {
    let mut found = Vec::new();
    for hook in policy.hooks.iter().filter(|hook| hook.action.templates) {
        hook.action.params.iter().for_each(|(_, value)| collect(value, &mut found));
    }
    found
}

/// The nesting of a source bounds the recursion.
fn collect(value: &Value, found: &mut Vec<Path>) {
    match &value.kind {
        Kind::Str(text) if STARTS.iter().any(|start| text.value.contains(start)) => {
            let read = template::parse(text, value.span, &mut Diagnostics::new());
            found.extend(read.into_iter().flat_map(|read| read.pieces).filter_map(|piece| match piece {
                Piece::Hole { path, .. } => Some(path).filter(|path| path.recall().is_some()),
                Piece::Text(_) => None,
            }));
        }
        Kind::Seq(items) => items.iter().for_each(|item| collect(item, found)),
        Kind::Map(members) => members.iter().for_each(|member| collect(&member.value, found)),
        Kind::Null | Kind::Bool(_) | Kind::Num(_) | Kind::Str(_) => {}
    }
}

impl<'a> Facts<'a> {
    /// Adds the values in templates.
    pub(in crate::check) fn add_templates(&mut self, found: &'a [Path]) {
        self.templates = found.iter().map(|path| (&*path.text, path)).collect();
    }
}

/// A value of the history in a template, at one event type; `None` after an error.
pub(in crate::check) fn resolve<'s>(path: &Path, scope: &Scope, cx: &mut Cx<'_>) -> Option<Field<'s>> {
    let Some(known) = cx.history.templates.get(&*path.text).copied() else {
        let new = Diagnostic::new(Code::E0459, path.span, "a value of the history where only a path can be");
        return cx.fail(new.with_label("not a path of the event"));
    };
    let recall = known.recall()?;
    // What its conditions compile to is found by the text that was read first.
    if !check_recall(known, cx) {
        return None;
    }
    value::resolve(known, recall, true, scope, cx)
}
