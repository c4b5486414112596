//! The view of a size: how long a text, a list or an object is.

use std::fmt::Write as _;

use super::Item;

/// Appends the view of a value; `false` if the value has no size.
pub(super) fn write_view(value: Item<'_>, out: &mut String) -> bool {
    let mut count = 0_usize;
    let mut one_more = || {
        count = count.saturating_add(1);
        true
    };
    match value {
        Item::Str(text) => {
            let (length, lines) = (text.chars().count(), text.lines().count());
            let _ = write!(out, r#"{{"bytes":{},"length":{length},"lines":{lines}}}"#, text.len());
            return true;
        }
        Item::Array(_) => value.elements(&mut |_| one_more()),
        Item::Object(_) => value.members(&mut |_, _| one_more()),
        _ => return false,
    }
    let _ = write!(out, r#"{{"length":{count}}}"#);
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_lists_and_objects_have_a_size() {
        let view = |item| {
            let mut out = String::new();
            write_view(item, &mut out).then_some(out)
        };
        let text =
            |length, bytes, lines| Some(format!(r#"{{"bytes":{bytes},"length":{length},"lines":{lines}}}"#));
        assert_eq!(view(Item::Str("")), text(0, 0, 0));
        assert_eq!(view(Item::Str("a")), text(1, 1, 1));
        assert_eq!(view(Item::Str("ä\nb\n")), text(4, 5, 2));
        assert_eq!(view(Item::Str("\n\n")), text(2, 2, 2));
        assert_eq!(view(Item::Array("[1,[2,3],\"4\"]")).as_deref(), Some(r#"{"length":3}"#));
        assert_eq!(view(Item::Array("[]")).as_deref(), Some(r#"{"length":0}"#));
        assert_eq!(view(Item::Object("{\"a\":1,\"b\":{}}")).as_deref(), Some(r#"{"length":2}"#));
        assert_eq!(view(Item::Num("7")), None);
        assert_eq!(view(Item::Bool(true)), None);
    }
}
