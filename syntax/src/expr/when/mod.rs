//! `when` expressions: conditions as text.
//!
//! ```text
//! or    = and   { ("or" | "||") and }
//! and   = unary { ("and" | "&&") unary }
//! unary = ("not" | "!") unary | "(" or ")" | "all" list | "any" list | "true" | "false"
//!       | "exists" "(" path [ "," literal ] ")" | ("some" | "every") "(" name "in" path ":" or ")"
//!       | predicate | "formerly" "(" selection ")" | leaf
//! list  = "(" [ or { "," or } ] ")"
//! leaf  = value operator (literal | value | "(" path ")") { "nocase" | "assert_format" }
//!       | path "=~" "/" pattern "/" [ "i" ]
//! predicate = guard | "only" "(" [ guard { "," guard } ] ")" | "unknown" "(" ")"
//!           | ("mentions" | "passed") "(" patterns ")"
//! guard     = name "(" [ patterns ] [ "except" patterns ] [ "by" patterns | "not by" patterns ] ")"
//! patterns  = pattern { "," pattern }        pattern = string | "@" name | "/" regex "/" [ "i" ]
//! value     = path | "count" "(" selection ")" | "sum" "(" path "of" selection ")"
//!           | "distinct" "(" path { "," path } "of" selection ")"
//!           | "last" "(" [ number "," ] selection ")" steps
//! selection = pattern [ "within" extent ] [ "since" anchor ] [ "per" key ] [ "including" "now" ]
//! pattern   = [ outcome ] event { "," event } [ "where" or ]       anchor = event | "(" pattern ")"
//! extent    = number ("s" | "m" | "h" | "d") | "turn" | "session"  event = name | string | "*"
//! ```
//!
//! The name of a predicate is one only before `(`, as `formerly`, `count`, `sum`, `distinct` and `last` are; a field
//! can have it. The words of a selection are words only inside its parentheses.
//!
//! A chain of one connective is one flat list; a group in parentheses stays a separate list. The
//! checker tests whether a value fits its operator, for all notations alike.

mod foreign;
mod help;
mod history;
mod leaf;
mod parser;
mod predicate;
mod quantified;
mod quantifier_of_others;
mod token;

use hookc_schema::tree::{Cond, Path};
use hookc_schema::value::Text;
use hookc_schema::{Code, Diagnostics, Span};

use super::reader::{Quotes, Reader, report};

use crate::limits;

pub(crate) use quantified::unfit;
pub(crate) use token::is_reserved;

/// Parses the whole `text` as a condition. Reports as many errors as possible with the result
/// `None`.
pub fn parse(text: &Text, whole: Span, out: &mut Diagnostics) -> Option<Cond> {
    parse_within(text, whole, limits::NESTING, out)
}

/// Like [`parse`], for a condition that is at most `room` levels deep.
pub(crate) fn parse_within(text: &Text, whole: Span, room: usize, out: &mut Diagnostics) -> Option<Cond> {
    let reader = Reader::new(text, whole, Code::E0302, Quotes::Raw);
    report(reader.within_limit("an expression"), out)?;
    parser::Parser::new(reader, room, out).whole()
}

/// Parses the whole `text`, which starts with a value of the history.
pub(crate) fn recall(text: &Text, whole: Span, room: usize, out: &mut Diagnostics) -> Option<Path> {
    let reader = Reader::new(text, whole, Code::E0302, Quotes::Raw);
    report(reader.within_limit("a path"), out)?;
    parser::Parser::new(reader, room, out).whole_recall()
}

/// Parses the value of the history at the cursor, and moves the cursor to its end.
pub(crate) fn recall_at(reader: &mut Reader<'_>, out: &mut Diagnostics) -> Option<Path> {
    let mut inner = reader.clone();
    (inner.code, inner.quotes) = (Code::E0302, Quotes::Raw);
    let (path, end) = parser::Parser::new(inner, limits::NESTING, out).first_recall()?;
    reader.at = end;
    Some(path)
}
