//! Canonical compact JSON: members in RFC 8785 order, numbers canonical by
//! exact value, strings escaped as RFC 8785 does. Equal values, equal texts.

use std::cmp::Ordering;

use hookc_schema::Span;
use hookc_schema::value::{Kind, Member, Value};
use hookc_vm::number::{self, NumberError};

/// A number that has no canonical text, and where it was written.
pub(super) type Bad = (NumberError, Span);

/// Appends `value`. The recursion is bounded by the nesting of a source.
pub(super) fn write(value: &Value, out: &mut String) -> Result<(), Bad> {
    match &value.kind {
        Kind::Null => out.push_str("null"),
        Kind::Bool(true) => out.push_str("true"),
        Kind::Bool(false) => out.push_str("false"),
        Kind::Num(written) => out.push_str(&number::canonical(&written.0).map_err(|e| (e, value.span))?),
        Kind::Str(text) => write_string(&text.value, out),
        Kind::Seq(elements) => sequence('[', elements, ']', out, write)?,
        Kind::Map(members) => {
            let mut members: Vec<&Member> = members.iter().collect();
            members.sort_by(|a, b| key_order(&a.key.node, &b.key.node));
            sequence('{', &members, '}', out, |member, out| {
                write_string(&member.key.node, out);
                out.push(':');
                write(&member.value, out)
            })?;
        }
    }
    Ok(())
}

/// The canonical text of a value whose numbers have one.
pub(crate) fn canonical(value: &Value) -> String {
    let mut out = String::new();
    // The checker refuses other numbers.
    let _ = write(value, &mut out);
    out
}

fn sequence<T>(
    open: char,
    items: &[T],
    close: char,
    out: &mut String,
    mut each: impl FnMut(&T, &mut String) -> Result<(), Bad>,
) -> Result<(), Bad> {
    out.push(open);
    for (at, item) in items.iter().enumerate() {
        if at > 0 {
            out.push(',');
        }
        each(item, out)?;
    }
    out.push(close);
    Ok(())
}

/// Keys by UTF-16 code units (RFC 8785 §3.2.3).
pub(super) fn key_order(a: &str, b: &str) -> Ordering {
    a.encode_utf16().cmp(b.encode_utf16())
}

/// Appends a string in quotes (RFC 8785 §3.2.2.2).
pub(crate) fn write_string(text: &str, out: &mut String) {
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\u{8}' => out.push_str("\\b"),
            '\u{c}' => out.push_str("\\f"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            control if control < ' ' => out.push_str(&format!("\\u{:04x}", control as u32)),
            other => out.push(other),
        }
    }
    out.push('"');
}

#[cfg(test)]
mod tests {
    use super::*;
    use hookc_schema::Spanned;

    fn text(kind: Kind) -> String {
        let mut out = String::new();
        write(&Value::new(kind, Span::default()), &mut out).unwrap();
        out
    }

    #[test]
    fn members_come_in_utf16_order() {
        let member = |key: &str| Member {
            key: Spanned::new(key.to_owned(), Span::default()),
            value: Value::new(Kind::Null, Span::default()),
        };
        // U+1F600 is a surrogate pair (D83D ...), below U+FB33 in UTF-16 only.
        let map = Kind::Map(["\u{fb33}", "\u{1f600}", "b", ""].map(member).into());
        assert_eq!(text(map), "{\"\":null,\"b\":null,\"\u{1f600}\":null,\"\u{fb33}\":null}");
    }

    #[test]
    fn strings_escape_what_must_be() {
        let value = Value::string("a\"\\\n\u{1}\u{7f}/é", Span::default());
        assert_eq!(text(value.kind), "\"a\\\"\\\\\\n\\u0001\u{7f}/é\"");
    }
}
