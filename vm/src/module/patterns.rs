//! The regular expressions of a module, each built when it is first needed.

use std::sync::OnceLock;

use hookc_base::text::Case;
use memchr::memmem::Finder;

use regex::{Regex, RegexBuilder};
use regex_syntax::hir::{Hir, HirKind};

/// Why a pattern could not be compiled, in the words of the regex crate.
type Built = Result<Regex, String>;

#[derive(Debug)]
pub(crate) struct Patterns(Box<[Pattern]>);

/// Two expressions per pattern: case-sensitive and case-insensitive. Both may be needed, because
/// `ignore_case` applies to strings but not to the text of a number.
#[derive(Debug, Default)]
struct Pattern {
    plain: OnceLock<Built>,
    folded: OnceLock<Built>,
    /// Texts that every match of `plain` contains.
    required: OnceLock<Box<[Finder<'static>]>>,
}

impl Patterns {
    pub(super) fn new(count: usize) -> Self {
        Self(std::iter::repeat_with(Pattern::default).take(count).collect())
    }

    /// The expression of row `index` with the text of `pattern`, which is called once, within `limit` bytes; `None` for an
    /// unknown row.
    pub(crate) fn get<'p>(
        &self,
        index: u32,
        case: Case,
        pattern: impl FnOnce() -> &'p str,
        limit: usize,
    ) -> Option<&Built> {
        let row = self.0.get(index as usize)?;
        let cell = if case.is_ignored() { &row.folded } else { &row.plain };
        Some(cell.get_or_init(|| {
            let mut builder = RegexBuilder::new(pattern());
            builder.case_insensitive(case.is_ignored()).size_limit(limit);
            builder.build().map_err(|error| error.to_string())
        }))
    }

    /// Whether row `index` can match a text: the text contains what every match contains. Much faster
    /// than the expression, and it needs none. `pattern` is called once.
    pub(crate) fn can_match<'p>(&self, index: u32, pattern: impl FnOnce() -> &'p str, text: &str) -> bool {
        let Some(row) = self.0.get(index as usize) else { return false };
        let required = row.required.get_or_init(|| required(pattern()));
        required.iter().all(|finder| finder.find(text.as_bytes()).is_some())
    }
}

/// Required texts that are searched for.
const MOST: usize = 3;

/// The longest texts that every match of a pattern contains.
fn required(pattern: &str) -> Box<[Finder<'static>]> {
    let Ok(hir) = regex_syntax::parse(pattern) else { return Box::default() };
    let mut texts = Vec::new();
    literals(&hir, &mut texts);
    texts.sort_by_key(|text| std::cmp::Reverse(text.len()));
    texts.iter().take(MOST).map(|text| Finder::new(text).into_owned()).collect()
}

/// The literals that no match goes without. The recursion is as deep as the parser allows.
fn literals<'h>(hir: &'h Hir, out: &mut Vec<&'h [u8]>) {
    match hir.kind() {
        HirKind::Literal(literal) => out.push(&literal.0),
        HirKind::Concat(parts) => parts.iter().for_each(|part| literals(part, out)),
        HirKind::Capture(capture) => literals(&capture.sub, out),
        HirKind::Repetition(repetition) if repetition.min > 0 => literals(&repetition.sub, out),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts_of(pattern: &str) -> Vec<String> {
        required(pattern).iter().map(|finder| String::from_utf8_lossy(finder.needle()).into_owned()).collect()
    }

    #[test]
    fn required_texts() {
        assert_eq!(texts_of("^deploy +site-12 .*--to=[a-z]+$"), ["site-12 ", "deploy", "--to="]);
        assert_eq!(texts_of("a(bc)+(?:d|e)(f*)(g{2,})é"), ["bc", "é", "a"]);
        assert_eq!(texts_of("(?i)abc"), [] as [&str; 0]);
        assert_eq!(texts_of("ab|cd"), [] as [&str; 0]);
        assert_eq!(texts_of("(abc){0,3}"), [] as [&str; 0]);
        assert_eq!(texts_of("("), [] as [&str; 0], "no pattern");
    }

    #[test]
    fn what_matches_can_match() {
        let patterns = ["^a+b", "x(?:yz)+", "a.c", "é{2}", "(?i)k", "a|b", "^$", "[a-c]{3}", "(ab)?c"];
        let texts = ["", "aab", "xyzyz", "abc", "a\u{e9}\u{e9}c", "K", "\u{212a}", "cab", "c"];
        let known = Patterns::new(patterns.len());
        for (pattern, index) in patterns.iter().zip(0..) {
            for text in texts {
                let regex = known.get(index, Case::Respected, || pattern, 1 << 20).unwrap().as_ref().unwrap();
                assert!(
                    !regex.is_match(text) || known.can_match(index, || pattern, text),
                    "{pattern} {text}"
                );
            }
        }
    }
}
