//! How far a condition limits what an event does.

use hookc_base::input_role::InputKind;
use hookc_schema::tree::{Cond, Demand, Fold, Leaf, Op, Predicate, Right, ViewKind};
use hookc_schema::vocab::owners;

use super::is_whole;

/// How far a true condition limits what the event does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Limit {
    /// Not at all.
    None,
    /// An input of the tool is one of these texts, or its path leads to a certain place.
    Input,
    /// An `only` is true.
    Only,
}

/// The limits of conditions that hooks share.
pub(crate) type Known = Fold<Limit>;

/// How far a condition limits the event.
pub(crate) fn limit(cond: &Cond, known: &mut Known) -> Limit {
    known.value(cond.whole(), &mut |part, parts| match part.demand() {
        Demand::Const(false) => Limit::Only,
        Demand::All => parts.into_iter().max().unwrap_or(Limit::None),
        Demand::Any => parts.into_iter().min().unwrap_or(Limit::Only),
        Demand::Leaf(leaf) if part.negated == (leaf.op.node == Op::Ne) && limits_input(leaf) => Limit::Input,
        Demand::Predicate(Predicate::Only(_)) if !part.negated => Limit::Only,
        _ => Limit::None,
    })
}

/// Whether a leaf is about a whole line, or about the path or the address that the tool is used for.
fn limits_input(leaf: &Leaf) -> bool {
    if !leaf.path.is_in("tool_input") {
        return false;
    }
    let has_text = leaf.texts().next().is_some();
    let name = leaf.path.last_name().unwrap_or_default();
    if leaf.path.view(ViewKind::File).is_some() {
        return has_text || leaf.right.truth() == Some(true) && name == "inside";
    }
    match leaf.op.node {
        Op::Eq | Op::Ne | Op::In => {
            has_text && is_input(&name, |kind| kind == InputKind::Line || is_place(kind))
        }
        Op::Regex if leaf.path.is_command_line() => leaf.texts().all(|(_, text)| is_whole(text)),
        _ => (has_text || matches!(leaf.right, Right::Path(_))) && is_input(&name, is_place),
    }
}

/// Whether an input of this kind is a path or an address.
fn is_place(kind: InputKind) -> bool {
    kind.is_path() || matches!(kind, InputKind::Url | InputKind::Host)
}

/// Whether some tool has an input of this name and of such a kind.
fn is_input(name: &str, is_kind: impl Fn(InputKind) -> bool) -> bool {
    owners(name).iter().any(|(_, kind)| is_kind(*kind))
}
