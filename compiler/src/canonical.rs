//! Canonical compact JSON: members in RFC 8785 order, numbers canonical by
//! exact value, strings escaped as RFC 8785 does. Equal values, equal texts.

use hookc_base::json::{key_order, push_string};
use hookc_schema::Span;
use hookc_schema::value::{Kind, Member, Value};
use hookc_vm::format::number::{self, NumberError};

/// A number that has no canonical text, and where it was written.
pub(crate) type NotCanonical = (NumberError, Span);

/// Appends `value`. The recursion is bounded by the nesting of a source.
pub(crate) fn write(value: &Value, out: &mut String) -> Result<(), NotCanonical> {
    match &value.kind {
        Kind::Null => out.push_str("null"),
        Kind::Bool(true) => out.push_str("true"),
        Kind::Bool(false) => out.push_str("false"),
        Kind::Num(written) => out.push_str(&number::canonical(&written.0).map_err(|e| (e, value.span))?),
        Kind::Str(text) => push_string(&text.value, out),
        Kind::Seq(elements) => sequence('[', elements, ']', out, write)?,
        Kind::Map(members) => {
            let mut members: Vec<&Member> = members.iter().collect();
            members.sort_by(|a, b| key_order(&a.key.node, &b.key.node));
            sequence('{', &members, '}', out, |member, out| {
                push_string(&member.key.node, out);
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
    // The checker rejects other numbers.
    let _ = write(value, &mut out);
    out
}

fn sequence<T>(
    open: char,
    items: &[T],
    close: char,
    out: &mut String,
    mut each: impl FnMut(&T, &mut String) -> Result<(), NotCanonical>,
) -> Result<(), NotCanonical> {
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
}
