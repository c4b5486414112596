//! Patterns of leaves: regular expressions, each compiled once for a policy,
//! and globs.

use std::collections::HashMap;
use std::rc::Rc;

use hookc_base::text::Case;
use hookc_schema::value::Value;
use hookc_schema::{Code, Diagnostic};
use hookc_syntax::pattern::{LiteralTest, compile, escape, glob_problem, literal_test, slashes};
use regex_syntax::hir::{Hir, HirKind, Look};

use super::Cx;
use crate::lint::leaf::alternatives;

/// The valid patterns of one policy, each compiled once.
pub(super) type Known<'a> = HashMap<(&'a str, Case), Compiled>;

/// What is known about a pattern.
#[derive(Clone)]
pub(super) struct Compiled {
    /// The equivalent plain test, if there is one.
    pub(super) plain: Option<Rc<LiteralTest>>,
    /// Whether no text matches it.
    never: bool,
}

/// Checks a regular expression; errors are reported at their span.
pub(super) fn regex<'a>(value: &'a Value, pattern: &'a str, case: Case, cx: &mut Cx<'a>) -> bool {
    if let Some(control) = escape::control(value, pattern) {
        cx.report(control);
        return false;
    }
    let sound = compiled(value, pattern, case, cx);
    if let Some(doubled) = escape::doubled(value, pattern).filter(|_| sound) {
        cx.report(doubled);
    }
    let known = cx.patterns.get(&(pattern, case)).filter(|_| sound);
    let never = known.is_some_and(|known| known.never);
    if let Some(doubtful) =
        slashes::in_pattern(value, pattern).or_else(|| glob_in_regex(value, pattern)).filter(|_| sound)
    {
        cx.report_once(doubtful);
    } else if let Some(doubtful) = alternatives(value, pattern).filter(|_| sound) {
        cx.report_once(doubtful);
    } else if never {
        let new = misplaced_anchor(value, pattern);
        if !cx.reported_matcher(&new) {
            cx.report(new);
        }
    }
    sound
}

/// `src/*`, `rm *`: a glob where a regular expression is read.
fn glob_in_regex(value: &Value, pattern: &str) -> Option<Diagnostic> {
    if !is_glob(pattern) {
        return None;
    }
    let what = "this regular expression is written as a glob";
    let new = Diagnostic::new(Code::W0649, value.span, what);
    Some(
        new.with_label("`*` repeats the character before it, or nothing")
            .help("write `.*` for any text, `\\*` for the character `*`, or a test with `glob`"),
    )
}

/// Whether a pattern has stars as in a glob, and nothing that only a regular expression has.
fn is_glob(pattern: &str) -> bool {
    let regex = pattern.contains(['\\', '(', ')', '^', '$', '+', '{']) || pattern.contains(".*");
    // The end of a pattern may be anywhere in the text: a repeated character there adds nothing.
    let end = |part: &str| {
        let repeated = part.strip_suffix('*');
        repeated.is_some_and(|rest| rest.ends_with(|c: char| c.is_ascii_alphanumeric() || " _-/".contains(c)))
    };
    !regex && (pattern.contains("/*") || pattern.contains("**") || pattern.split('|').any(end))
}

/// A `^` after other characters, or a `$` before them.
fn misplaced_anchor(value: &Value, pattern: &str) -> Diagnostic {
    let new = Diagnostic::new(Code::W0601, value.span, "no text matches this regular expression");
    let new = new.with_label("`^` is the start of the text, and `$` its end");
    match pattern.contains('$') {
        true => new.help("for a dollar sign, write `\\$`"),
        false => new.help("for the character `^`, write `\\^`"),
    }
}

/// Whether no text matches a pattern, because an anchor follows or precedes characters.
/// Recursion is bounded by the nesting that the parser allows.
fn never(hir: &Hir) -> bool {
    match hir.kind() {
        HirKind::Concat(parts) => parts.iter().any(never) || is_misplaced(parts),
        HirKind::Alternation(parts) => parts.iter().all(never),
        HirKind::Capture(capture) => never(&capture.sub),
        HirKind::Repetition(repeated) => repeated.min > 0 && never(&repeated.sub),
        HirKind::Empty | HirKind::Literal(_) | HirKind::Class(_) | HirKind::Look(_) => false,
    }
}

fn is_misplaced(parts: &[Hir]) -> bool {
    let long = |part: &Hir| part.properties().minimum_len().is_some_and(|least| least > 0);
    let starts = |part: &Hir| part.properties().look_set_prefix().contains(Look::Start);
    let ends = |part: &Hir| part.properties().look_set_suffix().contains(Look::End);
    let mut seen = (false, false);
    parts.iter().any(|part| {
        let (longer, ended) = seen;
        seen = (longer || long(part), ended || ends(part));
        (longer && starts(part)) || (ended && long(part))
    })
}

fn compiled<'a>(value: &'a Value, pattern: &'a str, case: Case, cx: &mut Cx<'a>) -> bool {
    if cx.patterns.contains_key(&(pattern, case)) {
        return true;
    }
    match compile(pattern, case) {
        Ok(hir) => {
            let plain = literal_test(&hir).map(Rc::new);
            cx.patterns.insert((pattern, case), Compiled { plain, never: never(&hir) });
            true
        }
        Err(error) => {
            cx.report(error.diagnostic(value, pattern));
            false
        }
    }
}

/// Checks a glob; errors are reported at their span.
pub(super) fn glob(value: &Value, cx: &mut Cx<'_>) -> bool {
    let Some(pattern) = value.as_str() else { return false };
    if let Some(control) = escape::control_in_glob(value, pattern) {
        cx.report(control);
        return false;
    }
    let Some(problem) = glob_problem(value, pattern) else { return true };
    cx.report(problem);
    false
}

#[cfg(test)]
mod tests {
    use super::{is_glob, never};

    #[test]
    fn globs_among_regular_expressions() {
        for glob in ["src/*", "src/**/*.py", "rm *", "test*", "Edit*|Write", "a/**", "git push --force*"] {
            assert!(is_glob(glob), "{glob}");
        }
        for regex in
            ["src/.*", "^src/*", "rm *-rf", "(test)*", "[a-z]*", "\\s*", "a+/*", ".env", "https?://", "", "*"]
        {
            assert!(!is_glob(regex), "{regex}");
        }
    }

    #[test]
    fn patterns_that_no_text_matches() {
        let judge = |pattern: &str| {
            never(&regex_syntax::parse(pattern).unwrap_or_else(|_| regex_syntax::hir::Hir::empty()))
        };
        for pattern in ["/^rm/", "a^b", "x$y", "$HOME/.ssh", "(a)(^b|^c)", "(?:x|y)+^z", "a$.+", "(a^b)+"] {
            assert!(judge(pattern), "{pattern}");
        }
        for pattern in [
            "^a",
            "a$",
            "a?^b",
            "(^|/)a",
            "a($|/)",
            "x*$y?",
            "(?m)a\n^b",
            "a|b^c",
            "",
            "(a^b)?",
            "$",
            "^$",
            "^^a",
        ] {
            assert!(!judge(pattern), "{pattern}");
        }
    }
}
