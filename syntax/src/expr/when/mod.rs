//! `when` expressions: conditions as text.
//!
//! ```text
//! or    = and   { ("or" | "||") and }
//! and   = unary { ("and" | "&&") unary }
//! unary = ("not" | "!") unary | "(" or ")" | "all" list | "any" list | "true" | "false"
//!       | "exists" "(" path [ "," literal ] ")" | ("some" | "every") "(" name "in" path ":" or ")"
//!       | predicate | leaf
//! list  = "(" [ or { "," or } ] ")"
//! leaf  = path operator (literal | path | "(" path ")") { "nocase" | "assert_format" }
//!       | path "=~" "/" pattern "/" [ "i" ]
//! predicate = guard | "only" "(" [ guard { "," guard } ] ")" | "unknown" "(" ")"
//!           | ("mentions" | "passed") "(" patterns ")"
//! guard     = name "(" [ patterns ] [ "except" patterns ] [ "by" patterns | "not by" patterns ] ")"
//! patterns  = pattern { "," pattern }        pattern = string | "@" name | "/" regex "/" [ "i" ]
//! ```
//!
//! The name of a predicate is one only before `(`; a field can have it.
//!
//! A chain of one connective is one flat list; a group in parentheses stays a separate list. The
//! checker tests whether a value fits its operator, for all notations alike.

mod foreign;
mod help;
mod leaf;
mod parser;
mod predicate;
mod quantified;
mod token;

use hookc_schema::tree::Cond;
use hookc_schema::value::Text;
use hookc_schema::{Code, Diagnostics, Span};

use super::reader::{Quotes, Reader, report};

pub(crate) use quantified::unfit;
pub(crate) use token::is_reserved;

/// Parses the whole `text` as a condition. Reports as many errors as possible with the result
/// `None`.
pub fn parse(text: &Text, whole: Span, out: &mut Diagnostics) -> Option<Cond> {
    let reader = Reader::new(text, whole, Code::E0302, Quotes::Raw);
    report(reader.within_limit("an expression"), out)?;
    parser::Parser::new(&text.value, reader, out).whole()
}
