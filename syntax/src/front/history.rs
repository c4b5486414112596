//! Conditions about earlier events in files of dialects that have none.

use std::collections::HashSet;

use hookc_schema::tree::{Cond, CondPart, Policy, Selection};
use hookc_schema::{Code, Diagnostic, Diagnostics, Span};

/// Reports each condition about earlier events once, however many hooks share it.
pub(super) fn unsupported(policy: &Policy, out: &mut Diagnostics) {
    let (mut conds, mut spans) = (HashSet::new(), HashSet::new());
    for cond in policy.hooks.iter().filter_map(|hook| hook.condition.as_ref()) {
        if cond.shared().is_none_or(|id| conds.insert(id)) {
            out.extend(selection(cond).filter(|span| spans.insert(*span)).map(no_history));
        }
    }
}

/// The first selection of a condition.
fn selection(cond: &Cond) -> Option<Span> {
    let first: Option<&Selection> = cond.walk().find_map(|part| CondPart::selections(part).next());
    first.map(|selection| selection.span.0)
}

fn no_history(span: Span) -> Diagnostic {
    let new =
        Diagnostic::new(Code::E0452, span, "a condition about earlier events in a file without history");
    new.with_label("not in this kind of file").help("write the hook in a hooks file or in directive XML")
}
