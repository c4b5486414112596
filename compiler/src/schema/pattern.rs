//! Patterns of ECMA-262 that run in linear time.

use std::ops::Range;

use hookc_base::text::Case;
use hookc_schema::{Code, Diagnostic, Span};
use hookc_syntax::pattern::compile;
use hookc_vm::text::ecma::{self, EcmaError};

/// The pattern for the VM; `span` returns the span of a part of it.
pub(super) fn translate(
    pattern: &str,
    span: &dyn Fn(Range<usize>) -> Span,
) -> Result<String, Box<Diagnostic>> {
    let translated = ecma::translate(pattern).map_err(|error| diagnostic(&error, pattern, span))?;
    match compile(&translated, Case::Respected) {
        Ok(_) => Ok(translated),
        Err(error) => {
            let new = Diagnostic::new(Code::E0404, span(0..pattern.len()), error.to_string())
                .with_label("this pattern");
            Err(Box::new(new))
        }
    }
}

fn diagnostic(error: &EcmaError, pattern: &str, span: &dyn Fn(Range<usize>) -> Span) -> Box<Diagnostic> {
    let before = pattern.get(..error.at.start).unwrap_or(pattern);
    let column = before.chars().count() + 1;
    let what = match error.valid {
        true => format!(
            "{} is not supported, because regular expressions run in linear time, at column {column} of \
             the pattern",
            error.what
        ),
        false => format!("{}, at column {column} of the pattern", error.what),
    };
    let help = match error.what {
        "a look-ahead" | "a look-behind" => "write a second `pattern` for it, and combine both under `allOf`",
        "a back-reference" => "list the texts that it can repeat as alternatives: `(aa|bb)`",
        "a group with flags" => "write classes such as `[Aa]`",
        _ => "schema patterns use the syntax of ECMA-262 (JavaScript)",
    };
    Box::new(Diagnostic::new(Code::E0404, span(error.at.clone()), what).with_label("here").help(help))
}
