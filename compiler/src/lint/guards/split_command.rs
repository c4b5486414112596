//! One command in two guards (W0678): `runs('npm') and runs('install')`.

use hookc_base::Verb;
use hookc_schema::tree::{Cond, Guard};
use hookc_schema::{Code, Diagnostic};
use hookc_shell::programs;

use super::guard;

/// Further programs of a condition are not checked.
const COMPARED: usize = 64;

/// Checks parts that must all be true.
pub(super) fn check(parts: &[Cond]) -> Option<Diagnostic> {
    let words = || parts.iter().filter_map(|part| Some((part, only_word(guard(part)?)?)));
    let has_subcommands = |program: &&str| programs::has_subcommands(program);
    let found: Vec<&str> = words().map(|(_, word)| word).filter(has_subcommands).take(COMPARED).collect();
    if found.is_empty() {
        return None;
    }
    let split = words().find_map(|(part, sub)| {
        let program = found.iter().find(|program| programs::has_subcommand(program, sub))?;
        Some((part, program, sub))
    });
    let (part, program, sub) = split?;
    let what = format!("this is a command of its own, and not the `{sub}` of `{program}`");
    let new = Diagnostic::new(Code::W0678, part.span, what).with_label("another command of the line");
    Some(new.help(format!("write `runs('{program} {sub}')` in place of both")))
}

/// The pattern of a guard that is about one word of a command.
fn only_word(guard: &Guard) -> Option<&str> {
    match guard.of.as_slice() {
        [pattern] if guard.verb == Verb::Run && guard.except.is_empty() => {
            Some(pattern.node.value.as_str()).filter(|text| !text.contains([' ', '@']))
        }
        _ => None,
    }
}
