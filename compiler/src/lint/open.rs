//! Decisions because of a part of a text (W0654), and an `allow` that is true without the input that it tests (W0655).

use foldhash::HashMap;
use hookc_schema::tree::{Cond, CondKind, Hook, Leaf, Op, Path, Quantifier, Right, SharedId};
use hookc_schema::value::Kind;
use hookc_schema::{Code, Diagnostic, Diagnostics};

use super::guards::limit::{self, Limit, limit};
use super::part::{self, Kinds, Part};

/// What is known about conditions that several hooks share.
#[derive(Default)]
pub(super) struct Known<'h> {
    found: HashMap<(SharedId, Place), Found<'h>>,
    limits: limit::Known,
}

/// Where a condition is.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Place {
    /// Whether its hook allows something; otherwise it denies, or asks.
    allows: bool,
    negated: bool,
}

impl Place {
    fn negated_if(self, negated: bool) -> Self {
        Self { negated: self.negated != negated, ..self }
    }
}

/// What a condition leaves open.
#[derive(Clone, Copy, Default)]
struct Found<'h> {
    /// The first test of a part of a text.
    part: Option<Part<'h>>,
    /// Whether `..` is excluded.
    excludes_up: bool,
    /// The kinds of texts of which a denial requires some.
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
    let kind = hook.action.kind.node.as_str();
    let place = Place { allows: kind == "allow", negated: false };
    let Some(cond) = hook.condition.as_ref().filter(|_| matches!(kind, "allow" | "deny" | "ask")) else {
        return;
    };
    // `only` is about the whole event.
    if place.allows && limit(cond, false, &mut known.limits) == Limit::Only {
        return;
    }
    let found = find(cond, place, &mut known.found);
    let open = found.part.filter(|part| place.allows || !part.is_required(found.required));
    let open = open.filter(|part| !part.is_up() || !found.excludes_up);
    out.extend(open.map(|part| part::report(part, place.allows)));
    out.extend(found.absent.filter(|_| !found.present).map(without));
}

fn without(path: &Path) -> Diagnostic {
    let what = format!("this allows every tool without `{}`", path.source().text);
    let new = Diagnostic::new(Code::W0655, path.span, what).with_label("true if it is absent");
    new.help("require the tool, with `and`: `tool_name == 'NAME'`")
}

/// The recursion depth is the nesting of the condition.
fn find<'h>(cond: &'h Cond, place: Place, known: &mut HashMap<(SharedId, Place), Found<'h>>) -> Found<'h> {
    let key = cond.shared().map(|id| (id, place));
    if let Some(found) = key.and_then(|key| known.get(&key)) {
        return *found;
    }
    let found = match &cond.kind {
        CondKind::Const(_) | CondKind::Predicate(_) => Found::default(),
        CondKind::All(parts) | CondKind::Any(parts) => {
            parts.iter().map(|part| find(part, place, known)).fold(Found::default(), Found::and)
        }
        CondKind::Not(part) => find(part, place.negated_if(true), known),
        CondKind::Leaf(leaf) => of_leaf(leaf, place),
        CondKind::Quantified(inner) => {
            let is_true_of_none = (inner.quantifier == Quantifier::Every) != place.negated;
            absence(&inner.path, is_true_of_none, place).and(find(&inner.cond, place, known))
        }
    };
    known.extend(key.map(|key| (key, found)));
    found
}

/// What a test of a path says about an `allow`. `is_true` is whether it is true for an absent value.
fn absence(path: &Path, is_true: bool, place: Place) -> Found<'_> {
    let is_input = path.is_in("tool_input");
    let absent = Some(path).filter(|_| place.allows && is_true && is_input);
    let present = place.allows && !is_true && (is_input || path.is_in("tool_name"));
    Found { absent, present, ..Found::default() }
}

fn of_leaf(leaf: &Leaf, place: Place) -> Found<'_> {
    let is_absence = leaf.op.node == Op::Exists
        && matches!(&leaf.right, Right::Value(value) if value.kind == Kind::Bool(false));
    let place = place.negated_if(leaf.op.node == Op::Ne || is_absence);
    // What makes an `allow` true, or a denial false.
    let permits = place.allows != place.negated;
    let absence = absence(&leaf.path, place.negated, place);
    Found {
        part: Some(leaf).filter(|_| permits).and_then(part::find),
        excludes_up: !permits && part::excludes_up(leaf),
        required: Some(leaf).filter(|_| !place.allows && !permits).map(Kinds::of).unwrap_or_default(),
        absent: absence.absent.filter(|_| leaf.op.node != Op::Exists),
        ..absence
    }
}
