//! Patterns: regular expressions (the linear-time dialect of the `regex`
//! crate) and globs.

pub mod escape;
mod size;
pub mod slashes;

use std::error::Error;
use std::fmt;
use std::ops::Range;

use hookc_base::text::Case;
use hookc_schema::tree::Op;
use hookc_schema::value::Value;
use hookc_schema::{Code, Diagnostic};
use hookc_vm::limits::REGEX_BYTES;
use hookc_vm::text::glob;
use regex_syntax::ast::{self, ErrorKind};
use regex_syntax::hir::{Class, Hir, HirKind, Look};

/// A test of a literal that a pattern comes down to.
#[derive(Debug, PartialEq)]
#[non_exhaustive]
pub struct LiteralTest {
    /// `eq`, `contains`, `starts_with` or `ends_with`.
    pub op: Op,
    /// Its literal.
    pub text: String,
}

/// Why a pattern does not compile.
#[derive(Debug)]
#[non_exhaustive]
pub enum PatternError {
    /// It is not a regular expression, or uses a feature without linear time.
    Syntax {
        /// The bytes of the pattern that are at fault.
        range: Range<usize>,
        /// Why.
        message: String,
        /// What to write instead, if that is known.
        help: Option<&'static str>,
    },
    /// It compiles to more than the limit.
    TooLarge,
}

impl fmt::Display for PatternError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Syntax { message, .. } => f.write_str(message),
            Self::TooLarge => {
                write!(f, "this regular expression compiles to more than {} KiB", REGEX_BYTES >> 10)
            }
        }
    }
}

impl Error for PatternError {}

/// The pattern as the VM parses it, without case folding.
///
/// # Errors
/// Why it does not compile.
pub fn compile(pattern: &str, case: Case) -> Result<Hir, PatternError> {
    let hir = parse(pattern, Case::Respected)?;
    let folded = if case.is_ignored() { Some(parse(pattern, Case::Ignored)?) } else { None };
    if size::at_most(folded.as_ref().unwrap_or(&hir), REGEX_BYTES) {
        return Ok(hir);
    }
    let mut builder = regex::RegexBuilder::new(pattern);
    match builder.case_insensitive(case.is_ignored()).size_limit(REGEX_BYTES).build() {
        Ok(_) => Ok(hir),
        Err(regex::Error::CompiledTooBig(_)) => Err(PatternError::TooLarge),
        Err(error) => Err(PatternError::whole(pattern, &error)),
    }
}

/// Whether the VM can compile a pattern.
#[must_use]
pub fn is_sound(pattern: &str) -> bool {
    compile(pattern, Case::Respected).is_ok()
}

/// A literal pattern of `match` (`whole`) or `search` (RFC 9535) as a pattern of
/// a module, if it is one that the VM can build.
#[must_use]
pub fn iregexp(text: &str, whole: bool) -> Option<String> {
    hookc_vm::format::iregexp::translate(text, whole).filter(|pattern| is_sound(pattern))
}

/// A parsed pattern, if it is valid.
#[must_use]
pub fn hir(pattern: &str, case: Case) -> Option<Hir> {
    parse(pattern, case).ok()
}

fn parse(pattern: &str, case: Case) -> Result<Hir, PatternError> {
    let mut parser = regex_syntax::ParserBuilder::new().case_insensitive(case.is_ignored()).build();
    parser.parse(pattern).map_err(|error| PatternError::syntax(pattern, &error))
}

impl PatternError {
    fn syntax(pattern: &str, error: &regex_syntax::Error) -> Self {
        match error {
            regex_syntax::Error::Parse(error) => {
                let (message, help) = words(pattern, error);
                Self::Syntax { range: bytes(error.span()), message, help }
            }
            regex_syntax::Error::Translate(error) => {
                let message = error.kind().to_string().to_lowercase();
                Self::Syntax { range: bytes(error.span()), message, help: None }
            }
            error => Self::whole(pattern, error),
        }
    }

    fn whole(pattern: &str, error: &dyn Error) -> Self {
        Self::Syntax { range: 0..pattern.len(), message: error.to_string(), help: None }
    }

    /// The diagnostic at its span in `value`, whose text is `pattern`.
    #[must_use]
    pub fn diagnostic(self, value: &Value, pattern: &str) -> Diagnostic {
        match self {
            Self::TooLarge => Diagnostic::new(Code::E0404, value.span, self.to_string())
                .with_label("too large when compiled")
                .help(
                    "reduce the counts of its repetitions, or split it into several leaves under \
                           `any`",
                ),
            Self::Syntax { range, message, help } => {
                let (before, after) = pattern.split_at_checked(range.start).unwrap_or((pattern, ""));
                let what = format!("{message}, at column {} of the pattern", before.chars().count() + 1);
                let new = Diagnostic::new(Code::E0404, value.span_within(range), what).with_label("here");
                match help {
                    Some(help) => new.help(help),
                    None if one_backslash(pattern) => {
                        new.help("two backslashes match one: before `(` or `[` write one backslash")
                    }
                    None if before.is_empty() && after.starts_with('*') => new.help(
                        "write `.*` for any text, `\\*` for the character itself, or a test with `glob`",
                    ),
                    None => match after.chars().next() {
                        Some(bracket @ ('(' | ')' | '[' | '{' | '*' | '+' | '?')) => {
                            new.help(format!("for the character itself, write `\\{bracket}`"))
                        }
                        _ => new,
                    },
                }
            }
        }
    }
}

/// Whether a pattern compiles with half of its doubled backslashes.
fn one_backslash(pattern: &str) -> bool {
    pattern.contains("\\\\") && is_sound(&pattern.replace("\\\\", "\\"))
}

fn bytes(span: &ast::Span) -> Range<usize> {
    span.start.offset..span.end.offset
}

const LINEAR: &str = "regular expressions here run in linear time";

/// The error of a pattern, and the help.
fn words(pattern: &str, error: &ast::Error) -> (String, Option<&'static str>) {
    let written = pattern.get(bytes(error.span())).unwrap_or("");
    let name = match error.kind() {
        ErrorKind::UnsupportedLookAround => look_around(written),
        ErrorKind::UnsupportedBackreference => ("back-reference", REFERENCE),
        ErrorKind::EscapeUnrecognized if written.starts_with("\\k") => ("back-reference", REFERENCE),
        ErrorKind::FlagUnrecognized if atomic(pattern, error) => ("atomic group", ATOMIC),
        ErrorKind::NestLimitExceeded(limit) => {
            return (format!("groups are nested deeper than {limit}"), None);
        }
        kind => return (kind.to_string(), None),
    };
    (format!("a {} is not supported, because {LINEAR}", name.0), Some(name.1))
}

const REFERENCE: &str = "list the texts that it can repeat as alternatives: `(aa|bb)`";
const ATOMIC: &str = "write `(?:...)`; without backtracking, every group is atomic";

fn look_around(written: &str) -> (&'static str, &'static str) {
    const WITH: &str = "write a second `regex` leaf for it, and combine both under `all`";
    const WITHOUT: &str =
        "write a second `regex` leaf for the excluded text, under `not`, and combine both under `all`";
    match written {
        "(?=" => ("look-ahead", WITH),
        "(?<=" => ("look-behind", WITH),
        "(?<!" => ("negative look-behind", WITHOUT),
        _ => ("negative look-ahead", WITHOUT),
    }
}

fn atomic(pattern: &str, error: &ast::Error) -> bool {
    let at = error.span().start.offset;
    pattern.get(at..).is_some_and(|rest| rest.starts_with('>'))
}

/// The literal test that a pattern comes down to: `abc`, `^abc`, `abc$`,
/// `^abc$`.
#[must_use]
pub fn literal_test(hir: &Hir) -> Option<LiteralTest> {
    use {HirKind as K, Look as L};
    let parts: Vec<&HirKind> = match hir.kind() {
        K::Concat(parts) => parts.iter().map(Hir::kind).collect(),
        kind => vec![kind],
    };
    let (op, literal) = match parts.as_slice() {
        [K::Literal(literal)] => (Op::Contains, literal),
        [K::Look(L::Start), K::Literal(literal)] => (Op::StartsWith, literal),
        [K::Literal(literal), K::Look(L::End)] => (Op::EndsWith, literal),
        [K::Look(L::Start), K::Literal(literal), K::Look(L::End)] => (Op::Eq, literal),
        _ => return None,
    };
    let text = std::str::from_utf8(&literal.0).ok()?.to_owned();
    Some(LiteralTest { op, text })
}

/// The literal test that a pattern comes down to, if it compiles and does.
#[must_use]
pub fn literal_test_of(pattern: &str) -> Option<(Op, String)> {
    literal_test(&compile(pattern, Case::Respected).ok()?).map(|plain| (plain.op, plain.text))
}

/// Whether a pattern requires a character outside `known`, so that it never matches a text of only
/// these ASCII characters.
#[must_use]
pub(crate) fn requires_others(pattern: &str, known: fn(char) -> bool) -> bool {
    compile(pattern, Case::Respected).is_ok_and(|hir| beyond(&hir, known))
}

fn beyond(hir: &Hir, known: fn(char) -> bool) -> bool {
    match hir.kind() {
        HirKind::Literal(literal) => !literal.0.iter().all(|byte| known(char::from(*byte))),
        HirKind::Class(class) => !ascii().filter(|c| known(*c)).any(|c| has(class, c)),
        HirKind::Repetition(repetition) => repetition.min > 0 && beyond(&repetition.sub, known),
        HirKind::Capture(capture) => beyond(&capture.sub, known),
        HirKind::Concat(parts) => parts.iter().any(|part| beyond(part, known)),
        HirKind::Alternation(parts) => parts.iter().all(|part| beyond(part, known)),
        HirKind::Empty | HirKind::Look(_) => false,
    }
}

fn ascii() -> impl Iterator<Item = char> {
    (0..=127u8).map(char::from)
}

fn has(class: &Class, c: char) -> bool {
    match class {
        Class::Unicode(class) => {
            class.ranges().iter().any(|range| (range.start()..=range.end()).contains(&c))
        }
        Class::Bytes(_) => true,
    }
}

/// The error of a glob, if any.
#[must_use]
pub fn glob_problem(value: &Value, pattern: &str) -> Option<Diagnostic> {
    let error = glob::check(pattern).err()?;
    let char = pattern.get(error.at..).and_then(|rest| rest.chars().next());
    let span = value.span_within(error.at..error.at + char.map_or(0, char::len_utf8));
    let column = pattern.get(..error.at).unwrap_or(pattern).chars().count() + 1;
    let what = format!("{}, at column {column} of the glob", error.what);
    let help = "to match the character itself, write `\\` before it";
    Some(Diagnostic::new(Code::E0411, span, what).with_label("here").help(help))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn literals() {
        assert_eq!(literal_test_of(r"a\.b"), Some((Op::Contains, "a.b".to_owned())));
        assert_eq!(literal_test_of("^abc"), Some((Op::StartsWith, "abc".to_owned())));
        assert_eq!(literal_test_of("abc$"), Some((Op::EndsWith, "abc".to_owned())));
        assert_eq!(literal_test_of("^abc$"), Some((Op::Eq, "abc".to_owned())));
        for pattern in ["a.c", "(?i)abc", "(?m)^abc", "a|bc", "", "^$", "ab*"] {
            assert_eq!(literal_test_of(pattern), None, "{pattern}");
        }
    }
}
