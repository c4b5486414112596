//! Numbers that a [`serde_json::Value`] would round.

use hookc_base::number;
use serde_json::Number;

use super::tokens::Tokens;

/// The first number of a JSON text that a [`serde_json::Value`] does not keep; none, if the program enables the
/// feature `arbitrary_precision` of `serde_json`.
pub(crate) fn rounded_number(text: &str) -> Option<&str> {
    Tokens::new(text).find(|token| is_number(token) && !is_exact(token))
}

fn is_number(token: &str) -> bool {
    token.starts_with(|c: char| c == '-' || c.is_ascii_digit())
}

fn is_exact(text: &str) -> bool {
    let kept = text.parse::<Number>().map(|number| number.to_string());
    kept.is_ok_and(|kept| number::canonical(text).is_ok_and(|name| number::canonical(&kept) == Ok(name)))
}
