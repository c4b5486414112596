//! The success of a tool that is taken for that of a command (W0669): `tool_ok == true and runs('cargo test')`.

use hookc_base::Verb;
use hookc_schema::tree::{Cond, Guard, Predicate};
use hookc_schema::{Code, Diagnostic};
use hookc_syntax::expr::print;

use super::guard;
use crate::fields::is_success;

/// Checks parts that must all be true.
pub(super) fn check(parts: &[Cond]) -> Option<Diagnostic> {
    let succeeded = parts.iter().find(|part| part.whole().leaf().is_some_and(is_success))?;
    let is_run = |guard: &&Guard| guard.verb == Verb::Run && !guard.of.is_empty();
    let (run, guard) = parts.iter().find_map(|part| Some((part, guard(part).filter(is_run)?)))?;
    let new = Diagnostic::new(Code::W0669, run.span, "this is also true if the command failed");
    let new = new.with_label("whatever its result").also(succeeded.span, "the result of the whole line");
    let new = new.note("the line `cargo test || true` succeeds, and so does `cargo test; ls`");
    Some(
        new.help(format!(
            "write `{}` in place of both",
            print::predicate(&Predicate::Passed(guard.of.clone()))
        )),
    )
}
