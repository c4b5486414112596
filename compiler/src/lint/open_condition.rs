//! Decisions because of a part of a text (W0654), and an `allow` that is true without the input that it tests (W0655).

use hookc_schema::tree::{CondPart, Demand, Fold, Hook, Leaf, Op, Path};
use hookc_schema::{Code, Diagnostic, Diagnostics};

use super::guards::limit::{self, Limit, limit};
use super::partial_text::{self, Kinds, Part};
use super::verdict::Verdict;

/// What is known about conditions that several hooks share.
#[derive(Default)]
pub(super) struct Known<'h> {
    /// In hooks that allow.
    allowing: Fold<Found<'h>>,
    /// In hooks that deny or ask.
    denying: Fold<Found<'h>>,
    limits: limit::Known,
}

/// What a condition leaves open.
#[derive(Clone, Copy, Default)]
struct Found<'h> {
    /// The first test of a part of a text.
    part: Option<Part<'h>>,
    /// Whether `..` is excluded.
    excludes_up: bool,
    /// The kinds of texts that a denial requires.
    required: Kinds,
    /// The first input of a tool about which a condition is true if it is absent.
    absent: Option<&'h Path>,
    /// Whether a tool or an input is required.
    present: bool,
}

impl Found<'_> {
    fn and(self, other: Self) -> Self {
        Self {
            part: self.part.or(other.part),
            excludes_up: self.excludes_up || other.excludes_up,
            required: self.required | other.required,
            absent: self.absent.or(other.absent),
            present: self.present || other.present,
        }
    }
}

/// Checks the condition of a hook that decides about something.
pub(super) fn check<'h>(hook: &'h Hook, known: &mut Known<'h>, out: &mut Diagnostics) {
    let verdict = Verdict::from_kind(&hook.action.kind.node);
    let Some(cond) = hook.condition.as_ref().filter(|_| verdict != Verdict::None) else { return };
    let allows = verdict == Verdict::Allow;
    // `only` is about the whole event.
    if allows && limit(cond, &mut known.limits) == Limit::Only {
        return;
    }
    let fold = if allows { &mut known.allowing } else { &mut known.denying };
    let found = fold.value(cond.whole(), &mut |part, parts| found(part, parts, allows));
    let open = found.part.filter(|part| allows || !part.is_required(found.required));
    let open = open.filter(|part| !part.is_up() || !found.excludes_up);
    out.extend(open.map(|part| partial_text::report(part, allows)));
    out.extend(found.absent.filter(|_| !found.present).map(without));
}

fn without(path: &Path) -> Diagnostic {
    let what = format!("this allows every tool without `{}`", path.source().text);
    let new = Diagnostic::new(Code::W0655, path.span, what).with_label("true if it is absent");
    new.help("require the tool, with `and`: `tool_name == 'NAME'`")
}

/// What a condition leaves open, from what its parts do.
fn found<'h>(part: CondPart<'h>, parts: Vec<Found<'h>>, allows: bool) -> Found<'h> {
    let found = match part.demand() {
        Demand::Leaf(leaf) => in_leaf(leaf, part.negated != leaf.is_negated(), allows),
        Demand::Some(inner) => if_absent(&inner.path, false, allows),
        Demand::Every(inner) => if_absent(&inner.path, true, allows),
        Demand::Const(_)
        | Demand::All
        | Demand::Any
        | Demand::Not
        | Demand::Predicate(_)
        | Demand::Formerly(_) => Found::default(),
    };
    parts.into_iter().fold(found, Found::and)
}

/// What a test of a path says about an `allow`. `is_true` is whether it is true for an absent value.
fn if_absent(path: &Path, is_true: bool, allows: bool) -> Found<'_> {
    let is_input = path.is_in("tool_input");
    let absent = Some(path).filter(|_| allows && is_true && is_input);
    let present = allows && !is_true && (is_input || path.is_in("tool_name"));
    Found { absent, present, ..Found::default() }
}

fn in_leaf(leaf: &Leaf, negated: bool, allows: bool) -> Found<'_> {
    // What makes an `allow` true, or a denial false.
    let permits = allows != negated;
    let found = if_absent(&leaf.path, negated, allows);
    Found {
        part: Some(leaf).filter(|_| permits).and_then(partial_text::find),
        excludes_up: !permits && partial_text::excludes_up(leaf),
        required: Some(leaf).filter(|_| !allows && !permits).map(Kinds::from_leaf).unwrap_or_default(),
        absent: found.absent.filter(|_| leaf.op.node != Op::Exists),
        ..found
    }
}
