//! Conditions about tools that are true for other tools than their reader thinks, or for none.
//!
//! | file | codes |
//! |---|---|
//! | `absent` | W0671 |
//! | `named` | W0672, W0673 |
//! | `other_input` | W0655 |
//! | `no_effect`, `without_effect` | W0646 |

mod absent;
mod named;
mod no_effect;
mod other_input;
mod without_effect;

use hookc_schema::Diagnostic;
use hookc_schema::tree::Cond;
use hookc_schema::vocab::EventType;

use super::verdict::Verdict;
use crate::tools::{Narrowed, Table};

/// What is known about conditions that several hooks share.
#[derive(Default)]
pub(crate) struct Known {
    results: without_effect::SharedResults,
    judged: named::Judged,
}

/// Checks the condition of a hook with an action of a kind, at `event` and others about tools. `is_declared` is whether
/// the policy replaces what is known about a tool.
pub(crate) fn check(
    cond: &Cond,
    kind: &str,
    event: &EventType,
    narrowed: &Narrowed,
    table: &mut Table<'_>,
    known: &mut Known,
    is_declared: &dyn Fn(&str) -> bool,
) -> Vec<Diagnostic> {
    let verdict = Verdict::from_kind(kind);
    let mut found = without_effect::check(cond, narrowed, table, &mut known.results);
    found.extend(named::check(cond, narrowed, verdict == Verdict::Allow, table, &mut known.judged));
    found.extend(no_effect::check(cond, narrowed, table, is_declared));
    found.extend(match verdict {
        Verdict::Allow => other_input::check(cond, narrowed, table, &mut known.results),
        Verdict::Ask | Verdict::Deny => absent::check(cond, narrowed, event, table, &mut known.results),
        Verdict::None => None,
    });
    found
}
