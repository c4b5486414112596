//! Denials under `not` of a guard (W0659), and denials of what `only` lists (W0660).

use hookc_base::Verb;
use hookc_schema::tree::{Cond, CondPart, Guard, Predicate};
use hookc_schema::{Code, Diagnostic};
use hookc_syntax::expr::print::predicate;

/// Checks a predicate of a denial. `around` are the guards that must be true too.
pub(super) fn check(part: CondPart<'_>, predicate: &Predicate, around: &[&Guard]) -> Option<Diagnostic> {
    match predicate {
        Predicate::Guard(guard) if part.negated && !is_missing(guard, around) => {
            Some(negated(part.cond, guard, around))
        }
        Predicate::Only(_) if !part.negated => Some(harmless(part.cond)),
        _ => None,
    }
}

/// Whether a guard of commands is about a command that must be missing next to another one, and not about a case of
/// that: `runs('git commit') and not runs('cargo test')`.
fn is_missing(guard: &Guard, around: &[&Guard]) -> bool {
    let mut runs = around.iter().filter(|other| other.verb == Verb::Run).peekable();
    let is_case = |pattern: &str, of: &str| {
        pattern.strip_prefix(of).is_some_and(|rest| rest.starts_with([' ', '|']) || rest.is_empty())
    };
    let patterns =
        |guard: &Guard| guard.of.iter().map(|pattern| pattern.node.value.clone()).collect::<Vec<_>>();
    let excepted = patterns(guard);
    guard.verb == Verb::Run
        && runs.peek().is_some()
        && !runs.any(|other| {
            let required = patterns(other);
            excepted.iter().any(|pattern| required.iter().any(|of| is_case(pattern, of)))
        })
}

fn negated(cond: &Cond, guard: &Guard, around: &[&Guard]) -> Diagnostic {
    let new = Diagnostic::new(Code::W0659, cond.span, "an event that also does this evades the denial");
    let new = new.with_label("`not` of a guard");
    let new =
        new.note(format!("`not` of a guard is false as soon as one effect matches: {}", example(guard)));
    new.help(instead(guard, around))
}

/// A line that evades a denial.
fn example(guard: &Guard) -> &'static str {
    match guard.verb {
        Verb::Run => "`git status; rm -rf x` evades `not runs('git')`",
        Verb::Read => "`cat a.txt .env` evades `not reads('a.txt')`",
        Verb::Write | Verb::Delete | Verb::Change => {
            "`touch a.txt; rm -rf src` evades `not changes('a.txt')`"
        }
        Verb::Contact | Verb::Send | Verb::Install | Verb::Push => "one line can contact several hosts",
    }
}

/// What to write: the exception in the guard that it is about, or `not only(...)`.
fn instead(guard: &Guard, around: &[&Guard]) -> String {
    let by_command = around.iter().find(|other| other.verb != Verb::Run && guard.verb == Verb::Run);
    if let Some(other) = around.iter().find(|other| other.verb == guard.verb) {
        let mut other = Guard::clone(other);
        other.except.extend(guard.of.iter().cloned());
        return format!("write the exception in the guard: `{}`", predicate(&Predicate::Guard(other)));
    }
    if let Some(other) = by_command {
        let mut other = Guard::clone(other);
        other.not_by.extend(guard.of.iter().cloned());
        return format!("except what these commands do: `{}`", predicate(&Predicate::Guard(other)));
    }
    let listed = Guard { is_possible: false, ..guard.clone() };
    format!("deny what is not listed: `not {}`", predicate(&Predicate::Only(vec![listed])))
}

fn harmless(cond: &Cond) -> Diagnostic {
    let new = Diagnostic::new(Code::W0660, cond.span, "this denies what `only` lists, and nothing else");
    let new = new.with_label("true of the harmless case");
    new.help("to deny everything else, write `not only(...)`; to allow what it lists, write `type: allow`")
}
