//! An upper bound of the size of a compiled regular expression, so that small ones need not be
//! compiled to know their size.

use regex_syntax::hir::{Class, Hir, HirKind};

/// Bytes of a state of the automaton, what belongs to it included: the real
/// one is at most half of it.
const STATE: usize = 96;
/// States for one range of characters beyond ASCII: the range splits into at most 8 sequences of at
/// most 4 byte ranges, and each may be needed twice.
const RANGE: usize = 64;

/// Whether the pattern certainly compiles to at most `limit` bytes. `false` means unknown.
pub(super) fn at_most(hir: &Hir, limit: usize) -> bool {
    // An automaton for each direction, each measured by itself, and room for
    // the states that every automaton has.
    states(hir).saturating_add(16).saturating_mul(STATE) <= limit
}

/// Recursion is bounded by the nesting limit of the parser.
fn states(hir: &Hir) -> usize {
    match hir.kind() {
        HirKind::Empty | HirKind::Look(_) => 1,
        HirKind::Literal(literal) => literal.0.len(),
        HirKind::Class(Class::Unicode(class)) => {
            let one = |end: char| if end.is_ascii() { 2 } else { RANGE };
            class.ranges().iter().map(|range| one(range.end())).fold(2, usize::saturating_add)
        }
        HirKind::Class(Class::Bytes(class)) => class.ranges().len().saturating_add(2),
        HirKind::Repetition(repetition) => {
            let most = repetition.max.unwrap_or(0).max(repetition.min).max(1);
            let times = (most as usize).saturating_add(1);
            states(&repetition.sub).saturating_add(3).saturating_mul(times)
        }
        HirKind::Capture(capture) => {
            let name = capture.name.as_ref().map_or(0, |name| name.len());
            states(&capture.sub).saturating_add(4).saturating_add(name)
        }
        HirKind::Concat(parts) | HirKind::Alternation(parts) => {
            parts.iter().fold(parts.len().saturating_add(2), |sum, part| sum.saturating_add(states(part)))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Patterns that the bound accepts are small for the `regex` crate too.
    #[test]
    fn the_bound_is_an_upper_bound() {
        let patterns = [
            "abc",
            "^(a|b|cd)+$",
            "[a-z0-9_]{1,8}",
            "(?i)rate.?limit",
            "é{3}|[α-ω]+",
            "(?P<name>x){40}",
            ".",
            ".*",
            r"\d{2}",
            r"\w",
            "[^a]{5}",
            "(a{0,30}){0,30}",
            "(((a?){9}b){9}c){9}",
            "",
            "[\u{80}-\u{10ffff}]",
            "(?s-u:.)",
            "(?i)straße",
            "[[:alpha:]]{9}(foo|bar|baz)*?$",
        ];
        for pattern in patterns {
            let Ok(hir) = regex_syntax::Parser::new().parse(pattern) else { continue };
            let bytes = states(&hir).saturating_add(16) * STATE;
            let built = regex::RegexBuilder::new(pattern).size_limit(bytes).build();
            assert!(built.is_ok(), "{pattern}: {bytes} bytes are too few");
        }
    }
}
