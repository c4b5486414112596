//! Conditions about earlier events: facts, patterns, ties, scopes, and what a monitor has to keep.
//!
//! A selection becomes a read of a monitor. The monitor follows from the past side alone: the patterns at their event
//! types, with the paths of the tie there. What belongs to the current event (its side of the tie, the window, the
//! bound of a comparison) is a part of the read, and is resolved at each event type of the hook.

mod bounds;
mod facts;
mod pattern;
mod scope;
mod source;
mod template;
mod ties;
mod value;

use std::collections::BTreeSet;
use std::sync::Arc;

use foldhash::{HashMap, HashSet};
use hookc_schema::tree::{Cond, EventPattern, Family, Leaf, Path, PathKind, Selection, Step};
use hookc_schema::{Code, Diagnostic, Span, Spanned};
use hookc_syntax::expr::print;

pub(super) use facts::{check_facts, report_unused};
pub(super) use template::{in_templates, resolve as resolve_template};
pub(super) use value::{compare, reads_history};

use self::pattern::PatternEvents;
use super::event::Scope;
use super::quantified::BoundName;
use super::{Cx, cond, query, view};
use crate::ir::{LowCond, PastRelation, PastTest};
use crate::tools::{Narrowed, ToolSet};

/// The word for the current event in a `where`.
const NOW: &str = "now";

/// How deep conditions about earlier events are nested at most. Each level is evaluated when its event happens.
const DEPTH: u8 = hookc_vm::limits::HISTORY_DEPTH;

/// What is known about the facts of a policy.
#[derive(Default)]
pub(super) struct Facts<'a> {
    entries: Vec<facts::Entry<'a>>,
    by_name: HashMap<&'a str, usize>,
    /// How many facts can be used at the current position: those above.
    visible: usize,
    /// The events of facts, by number and vocabulary; `None` after an error.
    resolved: HashMap<(usize, Family), Option<Arc<PatternEvents>>>,
    /// The names of nodes that are values of the current event, inside of a pattern.
    hidden: HashSet<String>,
    /// Whether what was lowered since this was last reset depends on the name of the current event type.
    pub(super) names_event: bool,
    /// The values of the history in templates, by their text.
    templates: HashMap<&'a str, &'a Path>,
}

/// Whether the conditions of a selection are valid independent of the event; all errors are reported.
pub(super) fn check<'a>(selection: &'a Selection, cx: &mut Cx<'a>) -> bool {
    let patterns: Vec<&'a EventPattern> = selection.patterns().collect();
    let conditions = patterns.into_iter().filter_map(|pattern| pattern.condition.as_ref());
    conditions.filter(|cond| !check_where(cond, cx)).count() == 0
}

/// Like [`cond::check`], in a `where`: the right side of a tie can have several results.
fn check_where<'a>(cond: &'a Cond, cx: &mut Cx<'a>) -> bool {
    let outer = std::mem::replace(&mut cx.in_where, true);
    let is_sound = cond::check(cond, cx);
    cx.in_where = outer;
    is_sound
}

/// Whether a leaf compares a past event with the current one, so that either side may have several results.
pub(super) fn is_tied(leaf: &Leaf, path: &Path, cx: &Cx<'_>) -> bool {
    cx.in_where && (is_now(path.source()) || is_now(leaf.path.source()))
}

/// `formerly(...)` at one event type; `None` after an error.
pub(super) fn formerly<'a>(
    selection: &'a Selection,
    cond: &'a Cond,
    scope: &Scope,
    cx: &mut Cx<'a>,
) -> Option<LowCond> {
    let text = Arc::from(print::when(cond, print::Operators::Symbols));
    let recall = scope::read(selection, scope, &bounds::Need::Latest, text, cx)?;
    Some(past(PastTest { recall, relation: PastRelation::Formerly }, cond.span))
}

fn past(test: PastTest, span: Span) -> LowCond {
    LowCond::Past(Arc::new(Spanned::new(test, span)))
}

/// Whether a path belongs to the current event in a `where`: `now.x`. A field with that name is
/// `$.now`: brackets do not change what a path means.
pub(super) fn is_now(path: &Path) -> bool {
    match &path.kind {
        PathKind::Short(steps) => matches!(steps.first(), Some(Step::Name(name)) if name == NOW),
        PathKind::View(view) => is_now(&view.source),
        PathKind::Query(_) | PathKind::Recall(_) => false,
    }
}

/// Reports a path of the current event where none can be; whether it did.
pub(super) fn report_misplaced(path: &Path, scope: &Scope, cx: &mut Cx<'_>) -> bool {
    let PathKind::Short(steps) = &path.kind else { return false };
    let Some(Step::Name(first)) = steps.first() else { return false };
    if cx.history.hidden.contains(first) {
        let what = format!("`{first}` is a value of the current event");
        let new =
            Diagnostic::new(Code::E0455, path.span, what).with_label("in a condition about a past event");
        cx.report_once(new.help("compare it with a path of the past event, joined to the rest by `and`"));
        return true;
    }
    let declared = scope.declared.as_ref();
    let is_field = declared.is_some_and(|event| event.schema.property(NOW).is_some());
    if steps.len() < 2 || is_field || !is_now(path) {
        return false;
    }
    let new = Diagnostic::new(Code::E0456, path.span, "`now` outside of a `where`");
    let new = new.with_label("every path here belongs to the current event");
    let rest = path.text.strip_prefix("now.").unwrap_or(&path.text);
    // `now.hour` is meant for the time of the decision.
    let time = declared.and_then(|event| event.schema.property("time")?.property(rest));
    let rest = if time.is_some() { format!("time.{rest}") } else { rest.to_owned() };
    cx.report_once(
        new.help(format!("write `{rest}`; a field with the name `now` starts at the root: $.now")),
    );
    true
}

/// What the surroundings of a condition determine, while a condition about another event is lowered.
struct Outer {
    bound: Vec<BoundName>,
    narrowed: Narrowed,
    here: ToolSet,
    absolute: BTreeSet<String>,
    polarity: view::Polarity,
    hidden: HashSet<String>,
}

impl Outer {
    /// Enters a condition about another event.
    fn leave(cx: &mut Cx<'_>) -> Self {
        let bound = std::mem::take(&mut cx.bound);
        let mut hidden = std::mem::take(&mut cx.history.hidden);
        let outer_hidden = hidden.clone();
        hidden.extend(bound.iter().map(|bound| bound.name.clone()));
        cx.history.hidden = hidden;
        Self {
            bound,
            narrowed: std::mem::take(&mut cx.narrowed),
            here: std::mem::replace(&mut cx.here, ToolSet::ALL),
            absolute: std::mem::take(&mut cx.absolute),
            polarity: std::mem::take(&mut cx.polarity),
            hidden: outer_hidden,
        }
    }

    /// Returns to where it was entered.
    fn resume(self, cx: &mut Cx<'_>) {
        (cx.bound, cx.narrowed, cx.here) = (self.bound, self.narrowed, self.here);
        (cx.absolute, cx.polarity, cx.history.hidden) = (self.absolute, self.polarity, self.hidden);
    }
}

/// Whether the paths of a value of the history are valid; all errors are reported.
pub(super) fn check_recall<'a>(path: &'a Path, cx: &mut Cx<'a>) -> bool {
    let PathKind::Recall(recall) = &path.kind else { return true };
    value::check_paths(&recall.operator, cx) & check(&recall.selection, cx)
}

/// Whether a path of a past event is a valid query.
fn check_path(path: &Path, cx: &mut Cx<'_>) -> bool {
    query::check(path, cx)
}
