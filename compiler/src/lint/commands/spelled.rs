//! Flags and subcommands in a spelling that a program does not have: `c.flags.no_verify` of git (W0642), and
//! `c.sub == 'Push'` (W0627). They are never true.
//!
//! The tables do not have every flag of a program, so only names that differ from a known one in case and separators are
//! reported, and misspelled names of flags that guards test most.

use hookc_schema::tree::{Leaf, Op, Path, PathKind, Step};
use hookc_schema::{Code, Diagnostic, suggest};
use hookc_shell::programs::{self, Row};

use super::member;
use crate::names::listed_all;
use crate::step_span;

/// Flags for which names with another letter are mistakes. No program of the tables has both.
const GUARDED: [&str; 5] = ["force", "force-with-lease", "mirror", "no-verify", "recursive"];

/// The name of a flag that none of the programs has.
pub(super) fn check_flag(leaf: &Leaf, node: &str, programs: &[&str]) -> Option<Diagnostic> {
    let name = flag(&leaf.path, node).filter(|name| name.len() > 1)?;
    let guarded = suggest::slip(name, GUARDED).filter(|near| *near != name);
    let is_spelled = || name.contains('_') || name.chars().any(|c| c.is_ascii_uppercase());
    if !(guarded.is_some() || is_spelled()) {
        return None;
    }
    let known: Vec<&str> = programs.iter().flat_map(|program| flags(program)).collect();
    let is_near = |known: &&str| plain(known) == plain(name) || Some(*known) == guarded;
    let near = known.iter().copied().find(is_near).filter(|_| !known.contains(&name))?;
    // A program that the tables do not have can have any flag.
    if !programs.iter().all(|program| programs::has_program(program)) {
        return None;
    }
    let what = format!("{} {} no flag `{name}`", listed_all(programs), has(programs));
    // `c`, `flags`, and the name.
    let span = step_span::step(&leaf.path, 2).unwrap_or(leaf.path.span);
    let new = Diagnostic::new(Code::W0642, span, what).with_label("never present");
    Some(new.help(format!("did you mean `{node}.flags{}`?", key(near))))
}

/// A subcommand that none of the programs has in this spelling.
pub(super) fn check_sub(leaf: &Leaf, node: &str, programs: &[&str]) -> Option<Diagnostic> {
    let is_equal = matches!(leaf.op.node, Op::Eq | Op::Ne | Op::In) && leaf.ignore_case.is_none();
    if !is_equal || member(&leaf.path, node) != Some("sub") {
        return None;
    }
    let has = |sub: &str| programs.iter().any(|program| programs::has_subcommand(program, sub));
    let known = |program: &&str| programs::has_program(program) && programs::takes_subcommands(program);
    leaf.texts().find_map(|(value, text)| {
        let span = value.span;
        let near = text.to_ascii_lowercase().replace('_', "-");
        if near == text || has(text) || !has(&near) || !programs.iter().all(known) {
            return None;
        }
        let what = format!("{} {} no subcommand `{text}`", listed_all(programs), self::has(programs));
        let new = Diagnostic::new(Code::W0627, span, what).with_label("never equal");
        Some(new.did_you_mean(Some(&near), span))
    })
}

fn has(programs: &[&str]) -> &'static str {
    if programs.len() == 1 { "has" } else { "have" }
}

/// The flag that a path leads to.
fn flag<'p>(path: &'p Path, node: &str) -> Option<&'p str> {
    let PathKind::Short(steps) = &path.kind else { return None };
    match &**steps {
        [Step::Name(first), Step::Name(flags), Step::Name(name)] if first == node && flags == "flags" => {
            Some(name)
        }
        _ => None,
    }
}

/// The names of flags that the tables have of a program and its subcommands, without dashes.
fn flags(program: &str) -> Vec<&'static str> {
    fn of_row(row: &'static Row, names: &mut Vec<&'static str>) {
        names.extend(row.known().map(|(name, _)| name.trim_start_matches('-')));
        row.subs().iter().for_each(|sub| of_row(sub, names));
    }
    let mut names = Vec::new();
    if let Some(row) = programs::rows().find(|row| row.is_named(program)) {
        of_row(row, &mut names);
    }
    names
}

/// The letters and digits of a name, in lower case.
fn plain(name: &str) -> String {
    name.chars().filter(char::is_ascii_alphanumeric).map(|c| c.to_ascii_lowercase()).collect()
}

/// A step to a member of this name.
fn key(name: &str) -> String {
    let is_plain = name.chars().all(|c| c.is_ascii_alphanumeric());
    if is_plain { format!(".{name}") } else { format!("['{name}']") }
}

#[cfg(test)]
mod tests {
    use super::flags;

    #[test]
    fn flags_of_programs() {
        let git = flags("git");
        for name in ["force", "no-verify", "f", "n", "git-dir"] {
            assert!(git.contains(&name), "{name}");
        }
        assert!(flags("no-such-program").is_empty());
    }

    /// The letters of `GUARDED` are not those of another flag.
    #[test]
    fn no_flag_is_near_a_guarded_one() {
        use hookc_schema::suggest;
        use hookc_shell::programs;

        for program in programs::rows().flat_map(programs::Row::names) {
            let names = flags(program);
            for name in names.iter().filter(|name| name.len() > 1 && !super::GUARDED.contains(name)) {
                let near = suggest::slip(name, super::GUARDED).filter(|near| names.contains(near));
                assert_eq!(near, None, "{program} {name}");
            }
        }
    }
}
