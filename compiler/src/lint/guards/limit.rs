//! How far a condition limits what an event does.

use foldhash::HashMap;
use hookc_base::input_role::{InputKind, InputRole};
use hookc_schema::tree::{Cond, CondKind, Leaf, Op, Predicate, Right, SharedId, ViewKind};
use hookc_schema::value::Kind;
use hookc_schema::vocab::roles;

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

/// The limits of conditions that hooks share, by whether they are negated.
pub(crate) type Known = HashMap<(SharedId, bool), Limit>;

/// The recursion depth is the nesting of the condition.
pub(crate) fn limit(cond: &Cond, negated: bool, known: &mut Known) -> Limit {
    let key = cond.shared().map(|id| (id, negated));
    if let Some(found) = key.and_then(|key| known.get(&key)) {
        return *found;
    }
    let found = match &cond.kind {
        CondKind::Const(value) if *value == negated => Limit::Only,
        CondKind::All(parts) | CondKind::Any(parts) => {
            let is_all = matches!(cond.kind, CondKind::All(_)) != negated;
            let parts: Vec<Limit> = parts.iter().map(|part| limit(part, negated, known)).collect();
            let found = if is_all { parts.into_iter().max() } else { parts.into_iter().min() };
            found.unwrap_or(if is_all { Limit::None } else { Limit::Only })
        }
        CondKind::Not(part) => limit(part, !negated, known),
        CondKind::Leaf(leaf) if negated == (leaf.op.node == Op::Ne) && limits_input(leaf) => Limit::Input,
        CondKind::Predicate(predicate) if !negated && matches!(**predicate, Predicate::Only(_)) => {
            Limit::Only
        }
        CondKind::Const(_) | CondKind::Leaf(_) | CondKind::Predicate(_) | CondKind::Quantified(_) => {
            Limit::None
        }
    };
    known.extend(key.map(|key| (key, found)));
    found
}

/// Whether a leaf is about a whole line, or about the path or the address that the tool is used for.
fn limits_input(leaf: &Leaf) -> bool {
    if !leaf.path.is_in("tool_input") {
        return false;
    }
    let has_text = leaf.texts().next().is_some();
    let name = leaf.path.last_name().unwrap_or_default();
    if leaf.path.view(ViewKind::File).is_some() {
        let is_true = matches!(&leaf.right, Right::Value(value) if value.kind == Kind::Bool(true));
        return has_text || is_true && name == "inside";
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
fn is_input(name: &str, is: impl Fn(InputKind) -> bool) -> bool {
    let mut inputs = roles().values().flatten().flatten().filter(|(input, _)| input == name);
    inputs.any(|(_, role)| InputRole::parse(role).is_ok_and(|role| is(role.kind)))
}
