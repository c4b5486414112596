//! `when` expressions: conditions as text.
//!
//! ```text
//! or    = and   { ("or" | "||") and }
//! and   = unary { ("and" | "&&") unary }
//! unary = ("not" | "!") unary | "(" or ")" | "all" list | "any" list | "true" | "false"
//!       | "exists" "(" path [ "," literal ] ")" | ("some" | "every") "(" name "in" path ":" or ")"
//!       | leaf
//! list  = "(" [ or { "," or } ] ")"
//! leaf  = path operator (literal | path | "(" path ")") { "nocase" | "assert_format" }
//!       | path "=~" "/" pattern "/" [ "i" ]
//! ```
//!
//! A chain of one connective is one flat list; a group in parentheses stays a separate list. The
//! checker tests whether a value fits its operator, for all notations alike.

mod help;
mod leaf;
mod parser;
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
