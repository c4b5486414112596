//! Decisions about command lines that a further command on the line evades (W0644): an `allow`
//! about the text of a line, or about one of its commands, a denial about each
//! command, and one about lines without a command. What
//! an `allow` about each command leaves open is in [`allowed`]. An `allow` that is true without the input that it
//! tests (W0655).

mod found;
mod part_of_line;
mod paths;
mod report;
mod unless;
pub(super) mod unread;

use std::collections::HashSet;

use hookc_schema::tree::Hook;
use hookc_schema::{Diagnostics, Span};

use super::{allowed, part};

/// What is known about conditions that several hooks share.
#[derive(Default)]
pub(super) struct Known<'h> {
    found: found::Known<'h>,
    unless: unless::Known<'h>,
    /// The tests of a part of a text that were reported for an `allow`.
    by_text: HashSet<Span>,
}

/// Where a condition is.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Place {
    /// Whether its hook allows something; otherwise it denies, or asks.
    allows: bool,
    negated: bool,
}

impl Place {
    fn negated_if(self, negated: bool) -> Self {
        Self { negated: self.negated != negated, ..self }
    }
}

/// Checks the condition of a hook that decides about something. `reads_ok` is whether some hook asks whether a line can
/// be read. `texts` receives the texts of the tests that are reported.
pub(super) fn check<'h>(
    hook: &'h Hook,
    known: &mut Known<'h>,
    reads_ok: &impl Fn() -> bool,
    texts: &mut HashSet<Span>,
    out: &mut Diagnostics,
) {
    let kind = hook.action.kind.node.as_str();
    if !matches!(kind, "allow" | "deny" | "ask") {
        return;
    }
    let place = Place { allows: kind == "allow", negated: false };
    let Some(cond) = &hook.condition else { return };
    let found = found::find(cond, place, &mut known.found);
    if !place.allows {
        let mut exception = || unless::find(cond, false, &mut known.unless).exception;
        let new = found.every.map(report::one_passes).or_else(|| found.nth.map(report::others_pass));
        let new = new.or_else(|| {
            let exception = exception()?;
            if let unless::Exception::Text(leaf) = exception {
                texts.extend(leaf.texts().map(|(value, _)| value.span));
            }
            Some(report::one_suffices(exception))
        });
        out.extend(new);
        let open = found.part.filter(|part| !part.is_required(found.required));
        out.extend(
            open.filter(|part| !part.is_up() || !found.excludes_up).map(|part| part::report(part, false)),
        );
        if let Some(source) = unread::find(cond, false).filter(|_| !reads_ok()) {
            out.push(report::unread_evades(source));
        }
        return;
    }
    if let Some((path, view)) = found.each {
        out.extend(allowed::check(path, view, found.read));
    }
    let bounded = found.each.is_some() || found.rejects || found.excludes || found.whole;
    out.extend(found.some.filter(|_| !bounded).map(report::one_allows));
    if let Some(leaf) = found.text.filter(|_| !found.excludes && !found.view) {
        // Hooks can share a condition.
        if known.by_text.insert(leaf.path.span) {
            let mut leaves = Vec::new();
            found::texts(cond, place, &mut leaves);
            texts.extend(leaves.iter().flat_map(|leaf| leaf.texts()).map(|(value, _)| value.span));
            let others = leaves.into_iter().filter(|other| !std::ptr::eq(*other, leaf));
            out.push(report::by_text(leaf, others));
        }
    }
    out.extend(
        found.part.filter(|part| !part.is_up() || !found.excludes_up).map(|part| part::report(part, true)),
    );
    out.extend(found.absent.filter(|_| !found.present).map(report::without));
}
