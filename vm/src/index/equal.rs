//! Keys: the posting of a value.

use super::hash;
use crate::event::Item;
use crate::module::format::{Const, Key, tag};
use crate::module::{Tables, row};
use crate::text::fold;

/// A scalar as constants have it: tag and text, none for null and booleans.
pub(super) type Scalar<'a> = (u32, &'a str);

/// The scalar of a value, absent being null; `None` for a container.
pub(super) fn scalar<'a>(item: Item<'a>, room: &'a mut String) -> Option<Scalar<'a>> {
    Some(match item {
        Item::Absent | Item::Null => (tag::NULL, ""),
        Item::Bool(value) => (if value { tag::TRUE } else { tag::FALSE }, ""),
        Item::Str(text) => (tag::STRING, text),
        Item::Num(text) if crate::number::is_plain(text) => (tag::NUMBER, text),
        Item::Num(_) => {
            room.clear();
            item.write_canonical(room);
            (tag::NUMBER, room)
        }
        Item::Array(_) | Item::Object(_) => return None,
    })
}

/// The scalar of a folded string; `None` for all else.
pub(super) fn folded<'a>(item: Item<'a>, room: &'a mut String) -> Option<Scalar<'a>> {
    let Item::Str(text) = item else { return None };
    room.clear();
    fold::fold_into(text, room);
    Some((tag::STRING, room))
}

/// The posting of a scalar among the keys of `owner`, which are strings if it
/// folds. Costs a hash of the text and a look at the bucket.
pub(super) fn find(tables: &Tables<'_>, owner: u32, folds: bool, (kind, text): Scalar<'_>) -> Option<u32> {
    let buckets = tables.buckets.len().checked_sub(1)?;
    let bucket = hash::bucket(hash::scalar(kind, text), owner, buckets);
    let start = tables.buckets.get(bucket)?.get() as usize;
    let end = tables.buckets.get(bucket.saturating_add(1))?.get() as usize;
    let is_text = |string: u32| tables.bytes(string) == text.as_bytes();
    let is_constant =
        |constant: Const| constant.tag.get() == kind && (kind <= tag::TRUE || is_text(constant.text.get()));
    let same = |key: &&Key| {
        let value = key.value.get();
        key.owner.get() == owner
            && if folds { is_text(value) } else { row(tables.consts, value).is_some_and(is_constant) }
    };
    tables.keys.get(start..end)?.iter().find(same).map(|key| key.posting.get())
}
