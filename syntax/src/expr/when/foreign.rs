//! Words and forms of other languages, and what to write instead of them.

use hookc_schema::Diagnostic;
use hookc_schema::diag::Fix;
use hookc_schema::tree::Op;

use super::parser::Parser;
use super::token::Token;
use crate::expr::print::literal;
use crate::expr::reader::excerpt;

/// Functions that change the case of a text.
const CASES: [&str; 8] =
    ["lower", "upper", "tolower", "toupper", "lowercase", "uppercase", "lcase", "casefold"];

impl Parser<'_, '_> {
    /// `is not`, `like '%x'` and `between`, after a path; the token is the word.
    pub(super) fn operator_of_others(&self, wrong: &Diagnostic) -> Option<Diagnostic> {
        let wrong = || wrong.clone();
        match self.written().to_ascii_lowercase().as_str() {
            "is" => {
                let (end, has_not) = match self.peek_range() {
                    (Token::Not, range) => (range.end, true),
                    _ => (self.range.end, false),
                };
                let sign = if has_not { "!=" } else { "==" };
                Some(wrong().did_you_mean(Some(sign), self.reader.span(self.range.start..end)))
            }
            "like" | "ilike" => {
                let (pattern, end) = self.string_after()?;
                let (op, text) = of_like(&pattern)?;
                let nocase = if self.written().eq_ignore_ascii_case("ilike") { " nocase" } else { "" };
                let instead = format!("{} {}{nocase}", op.symbol(), literal(&text));
                let mut new = wrong().help(format!("write `{instead}`"));
                new.fix = Some(Fix::new(self.reader.span(self.range.start..end), instead));
                Some(new)
            }
            "between" => Some(wrong().help("write two tests: `cost.spend >= 1 and cost.spend <= 5`")),
            _ => None,
        }
    }

    /// `lower(path)`, where a condition starts.
    pub(super) fn function_of_others(&self) -> Option<&'static str> {
        let word = self.written().to_ascii_lowercase().replace('_', "");
        match word.as_str() {
            word if CASES.contains(&word) => Some(
                "write the path alone, and `nocase` after the value: `path contains 'drop table' nocase`",
            ),
            "regex" | "regexp" | "re" | "rematch" | "regexmatch" => Some("write `path =~ /pattern/`"),
            "startswith" | "hasprefix" => Some("write `path starts_with 'text'`"),
            "endswith" | "hassuffix" => Some("write `path ends_with 'text'`"),
            "isnull" | "isempty" | "isset" | "defined" | "has" => {
                Some("write `exists(path)`, or `not exists(path)`")
            }
            _ => None,
        }
    }

    /// What to write instead of a text alone, after a test of a path: `tool_name == 'Edit' or 'Write'`.
    pub(super) fn another_value(&self) -> Option<String> {
        let (path, op, first) = self.last_leaf.clone()?;
        let path = excerpt(self.reader.slice(path).trim());
        let (first, second) = (self.string_at(first)?.0, self.string_at(self.range.start)?.0);
        let (first, second) = (literal(&first), literal(&second));
        Some(match op {
            Op::Eq => format!("write `{path} in [{first}, {second}]`"),
            Op::Ne => format!("write `not {path} in [{first}, {second}]`"),
            _ => format!("write the test again: `{path} {} {second}`", op.symbol()),
        })
    }

    /// The string after the token, and where it ends.
    fn string_after(&self) -> Option<(String, usize)> {
        match self.peek_range() {
            (Token::Quote, range) => self.string_at(range.start),
            _ => None,
        }
    }

    /// The string at a position, and where it ends.
    fn string_at(&self, start: usize) -> Option<(String, usize)> {
        let mut reader = self.reader.clone();
        reader.at = start;
        let value = reader.value().ok()?;
        Some((value.as_str()?.to_owned(), reader.at))
    }
}

/// The operator and the text of a pattern with `%` at its ends.
fn of_like(pattern: &str) -> Option<(Op, String)> {
    let (start, end) = (pattern.starts_with('%'), pattern.ends_with('%') && pattern.len() > 1);
    let text = pattern.trim_matches('%');
    if text.contains('%') || text.is_empty() {
        return None;
    }
    let op = match (start, end) {
        (true, true) => Op::Contains,
        (true, false) => Op::EndsWith,
        (false, true) => Op::StartsWith,
        (false, false) => Op::Eq,
    };
    Some((op, text.to_owned()))
}
