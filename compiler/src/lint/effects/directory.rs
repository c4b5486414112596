//! Patterns that match a directory and nothing in it (W0678): `reads('~/.ssh')`.

use hookc_base::Verb;
use hookc_schema::Diagnostic;
use hookc_schema::diag::Fix;
use hookc_shell::effects::{PatternKind, Relation, Set, below_directory, relation};

use super::listed::Listed;

/// Reports a pattern of a directory, unless another one of the list matches what is in it.
pub(super) fn check(one: &Listed<'_>, listed: &[Listed<'_>], verb: Verb, sets: &[Set]) -> Option<Diagnostic> {
    let below = below_directory(one.text)?;
    let covers =
        |first: &str, second: &str| relation(PatternKind::Path, first, second, sets) == Relation::Covers;
    // A directory can be deleted as a whole.
    let is_whole = matches!(verb, Verb::Delete | Verb::Change);
    // Another pattern is about what is in it.
    let direct = format!("{}/*", one.text);
    let is_distinct = listed.iter().any(|other| other.text == direct || covers(other.text, &below));
    if is_whole || one.text.ends_with("//") || is_distinct {
        return None;
    }
    let new = one.diagnostic("this matches the directory itself, and no file in it");
    let mut new = new.help(format!("for the files in it too, write `'{below}'`"));
    // A text without quotes in YAML cannot start with `*`.
    new.fix = (!below.starts_with('*')).then(|| {
        let mut fix = Fix::new(one.span, below);
        fix.keeps_quotes = true;
        fix
    });
    Some(new)
}
