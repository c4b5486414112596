//! Whether a condition implies another one.

use super::Assumed;
use crate::ir::LowCond;

/// The largest condition that is compared, in leaves.
const LARGEST: usize = 32;

/// Whether `given` implies `then`.
pub(in crate::lint) fn implies(given: &LowCond, then: &LowCond) -> bool {
    given == then || (size(given) <= LARGEST && size(then) <= LARGEST && follows((given, true), (then, true)))
}

/// The largest condition of several others, in leaves.
const LARGEST_TOGETHER: usize = 128;

/// Whether, whenever `given` is true of an event, one of the other conditions certainly is.
pub(in crate::lint) fn implies_one_of(given: &LowCond, others: &[&LowCond]) -> bool {
    let together = others.iter().map(|cond| size(cond)).sum::<usize>();
    if size(given) > LARGEST || together > LARGEST_TOGETHER {
        return false;
    }
    let any = LowCond::Any(others.iter().map(|cond| (*cond).clone()).collect());
    follows((given, true), (&any, true))
}

/// The leaves of a condition, those in quantifiers included.
fn size(cond: &LowCond) -> usize {
    match cond {
        LowCond::Const(_) | LowCond::Test(_) | LowCond::Effects(_) | LowCond::Past(_) => 1,
        LowCond::Not(part) => size(part),
        LowCond::Some(some) => size(&some.node.cond) + 1,
        LowCond::All(parts) | LowCond::Any(parts) => parts.iter().map(size).sum(),
    }
}

/// A condition and its result.
type Result<'c> = (&'c LowCond, bool);

/// The recursion depth is the nesting of the conditions.
fn follows(given: Result<'_>, then: Result<'_>) -> bool {
    match then {
        (LowCond::Const(value), want) if *value == want => return true,
        (LowCond::Not(part), want) => return follows(given, (part, !want)),
        (LowCond::All(parts), true) | (LowCond::Any(parts), false) => {
            return parts.iter().all(|part| follows(given, (part, then.1)));
        }
        (LowCond::All(parts), false) | (LowCond::Any(parts), true)
            if parts.iter().any(|part| follows(given, (part, then.1))) =>
        {
            return true;
        }
        _ => {}
    }
    match given {
        (LowCond::Const(value), want) => *value != want,
        (LowCond::Not(part), want) => follows((part, !want), then),
        (LowCond::All(parts), false) | (LowCond::Any(parts), true) => {
            parts.iter().all(|part| follows((part, given.1), then))
        }
        (LowCond::All(parts), true) | (LowCond::Any(parts), false) => {
            let open = |part: &&LowCond| has_choice((part, given.1));
            contradicts(given, then) || parts.iter().filter(open).any(|part| follows((part, given.1), then))
        }
        (LowCond::Test(_) | LowCond::Some(_) | LowCond::Effects(_) | LowCond::Past(_), _) => {
            contradicts(given, then)
        }
    }
}

/// Whether a part says more than the leaves that follow from it, all of which are assumed with those of its group.
fn has_choice(part: Result<'_>) -> bool {
    match part {
        (LowCond::Test(_) | LowCond::Some(_) | LowCond::Effects(_) | LowCond::Past(_), _) => false,
        (LowCond::Not(part), want) => has_choice((part, !want)),
        (LowCond::All(parts), true) | (LowCond::Any(parts), false) => {
            parts.iter().any(|inner| has_choice((inner, part.1)))
        }
        (LowCond::All(_), false) | (LowCond::Any(_), true) | (LowCond::Const(_), _) => true,
    }
}

/// Whether the first is impossible together with the opposite of the second.
fn contradicts(given: Result<'_>, then: Result<'_>) -> bool {
    let mut assumed = Assumed::default();
    assumed.add(given.0, given.1);
    match then {
        (LowCond::Any(parts), true) => {
            parts.iter().for_each(|part| assumed.add(open_part(given, part), false));
        }
        (cond, want) => assumed.add(cond, !want),
    }
    assumed.may_clash() && assumed.clash().is_some()
}

/// The only part of a group that the first condition leaves open; otherwise the group.
fn open_part<'c>(given: Result<'_>, group: &'c LowCond) -> &'c LowCond {
    let LowCond::All(parts) = group else { return group };
    let mut open = parts.iter().filter(|part| !follows(given, (part, true)));
    match (open.next(), open.next()) {
        (Some(only), None) => only,
        _ => group,
    }
}
