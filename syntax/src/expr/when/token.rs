//! The tokens of a `when` expression. A token only starts paths, strings, numbers, lists and
//! objects: the shared readers continue from there.

use hookc_schema::tree::Op;
use logos::Logos;

/// A token.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Logos)]
#[logos(skip r"[ \t\r\n]+")]
pub(super) enum Token {
    /// An infix operator, as a symbol or a word.
    #[token("==", |_| Op::Eq)]
    #[token("eq", |_| Op::Eq)]
    #[token("!=", |_| Op::Ne)]
    #[token("ne", |_| Op::Ne)]
    #[token(">", |_| Op::Gt)]
    #[token("gt", |_| Op::Gt)]
    #[token(">=", |_| Op::Gte)]
    #[token("ge", |_| Op::Gte)]
    #[token("<", |_| Op::Lt)]
    #[token("lt", |_| Op::Lt)]
    #[token("<=", |_| Op::Lte)]
    #[token("le", |_| Op::Lte)]
    #[token("in", |_| Op::In)]
    #[token("contains", |_| Op::Contains)]
    #[token("starts_with", |_| Op::StartsWith)]
    #[token("ends_with", |_| Op::EndsWith)]
    #[token("=~", |_| Op::Regex)]
    #[token("glob", |_| Op::Glob)]
    #[token("matches", |_| Op::Matches)]
    Op(Op),
    #[token("exists")]
    Exists,
    #[token("nocase")]
    NoCase,
    #[token("assert_format")]
    AssertFormat,
    #[token("not")]
    #[token("!")]
    Not,
    #[token("and")]
    #[token("&&")]
    And,
    #[token("or")]
    #[token("||")]
    Or,
    #[token("all")]
    All,
    #[token("any")]
    Any,
    #[token("true")]
    True,
    #[token("false")]
    False,
    #[token("null")]
    Null,
    #[token("(")]
    Open,
    #[token(")")]
    Close,
    #[token(",")]
    Comma,
    /// The first segment of a path.
    #[regex(r"[A-Za-z_\u{80}-\u{10ffff}][A-Za-z0-9_\-\u{80}-\u{10ffff}]*")]
    Name,
    /// Starts a JSONPath.
    #[token("$")]
    Dollar,
    /// Starts a path left of an operator, a list right of it.
    #[token("[")]
    Bracket,
    #[token("{")]
    Brace,
    #[token("'")]
    #[token("\"")]
    Quote,
    /// Starts a number.
    #[regex(r"-?[0-9]")]
    Digit,
    /// Ends a list that was not read as one.
    #[token("]")]
    CloseBracket,
    /// Ends an object that was not read as one.
    #[token("}")]
    CloseBrace,
    /// A sign that other languages have.
    #[token("=")]
    #[token("===")]
    #[token("!==")]
    #[token("<>")]
    #[token("=>")]
    #[token("=<")]
    #[token("~=")]
    #[token("!~")]
    #[token("~")]
    #[token("&")]
    #[token("|")]
    #[token("^")]
    #[token("%")]
    #[token("*")]
    #[token("/")]
    #[token("?")]
    #[token("??")]
    #[token(":")]
    #[token("+")]
    #[token("-")]
    #[token(".")]
    #[token(";")]
    #[token("@")]
    Foreign,
    /// The end.
    End,
    /// A character of no token.
    Unknown,
}

/// Keywords that need brackets as first segment of a path.
const WORDS: [&str; 22] = [
    "eq",
    "ne",
    "gt",
    "ge",
    "lt",
    "le",
    "in",
    "contains",
    "starts_with",
    "ends_with",
    "glob",
    "matches",
    "exists",
    "nocase",
    "assert_format",
    "not",
    "and",
    "or",
    "all",
    "any",
    "true",
    "false",
];

/// Keywords that are rejected in any other case than lower: a field of that name is less likely
/// than a mistake.
const ANY_CASE: [&str; 6] = ["true", "false", "null", "not", "and", "or"];

/// Whether `name` cannot start a path without brackets.
pub(crate) fn is_reserved(name: &str) -> bool {
    name == "null" || WORDS.contains(&name) || miscased(name).is_some()
}

/// The keyword that `name` is in another case.
pub(super) fn miscased(name: &str) -> Option<&'static str> {
    ANY_CASE.into_iter().find(|word| word.eq_ignore_ascii_case(name) && *word != name)
}
