//! Values close to the constants of policies, at the paths that are compared with them.

use hookc_schema::tree::{Cond, CondKind, Leaf, PathKind, Policy, Right, Step};
use hookc_schema::value::{Kind, Number, Value};

use super::{Rng, pool};

/// A path and a constant that it is compared with.
pub(super) type Constant = (Vec<String>, Value);

/// The constants of policies at paths of names.
pub(super) fn constants<'p>(policies: impl IntoIterator<Item = &'p Policy>) -> Vec<Constant> {
    let mut constants = Vec::new();
    let hooks = policies.into_iter().flat_map(|policy| &policy.hooks);
    hooks.filter_map(|hook| hook.condition.as_ref()).for_each(|cond| collect(cond, &mut constants));
    constants
}

fn collect(cond: &Cond, constants: &mut Vec<Constant>) {
    match &cond.kind {
        CondKind::Const(_) | CondKind::Predicate(_) | CondKind::Formerly(_) => {}
        CondKind::All(conds) | CondKind::Any(conds) => conds.iter().for_each(|cond| collect(cond, constants)),
        CondKind::Not(cond) => collect(cond, constants),
        CondKind::Leaf(leaf) => constants.extend(constant(leaf)),
        CondKind::Quantified(inner) => collect(&inner.cond, constants),
    }
}

fn constant(leaf: &Leaf) -> Option<Constant> {
    let (PathKind::Short(steps), Right::Value(value)) = (&leaf.path.kind, &leaf.right) else { return None };
    let names = steps.iter().map(|step| match step {
        Step::Name(name) => Some(name.clone()),
        Step::Index(_) | Step::View(_) => None,
    });
    Some((names.collect::<Option<_>>()?, Value::clone(value)))
}

/// The constant, or a value next to it.
pub(super) fn near(rng: &mut Rng, value: &Value) -> Value {
    match &value.kind {
        Kind::Num(number) => pool::value(Kind::Num(Number(near_number(rng, &number.0)))),
        Kind::Str(text) => pool::string(&near_text(rng, &text.value)),
        Kind::Seq(items) if !items.is_empty() && rng.chance(80) => {
            items.get(rng.below(items.len())).map_or_else(|| value.clone(), |item| near(rng, item))
        }
        _ => value.clone(),
    }
}

fn near_number(rng: &mut Rng, text: &str) -> String {
    let plain = !text.contains(['.', 'e', 'E']);
    match rng.below(6) {
        0 if plain => format!("{text}.0"),
        1 if plain => format!("{text}.0000000000000000001"),
        2 if plain => format!("{text}e0"),
        3 => text.strip_prefix('-').map_or_else(|| format!("-{text}"), str::to_owned),
        4 if plain && text.len() < 18 => {
            let by = if rng.chance(50) { 1 } else { -1 };
            text.parse::<i64>().map_or_else(|_| text.to_owned(), |number| (number + by).to_string())
        }
        _ => text.to_owned(),
    }
}

fn near_text(rng: &mut Rng, text: &str) -> String {
    match rng.below(9) {
        0 => format!("{text}a"),
        1 => format!("x{text}"),
        2 => text.chars().skip(1).collect(),
        3 => text.chars().take(text.chars().count().saturating_sub(1)).collect(),
        4 => text.to_uppercase(),
        5 => text.to_lowercase(),
        // What a glob or a pattern may match.
        6 => text.replace("**", "a/b").replace('*', "a").replace('?', "b"),
        7 => text.trim_start_matches('^').trim_end_matches('$').replace('+', "").to_owned(),
        _ => text.to_owned(),
    }
}
