//! Keys: the posting of a value.

use crate::event::Item;
use crate::module::{Tables, row};
use crate::rows::index::hash;
use crate::rows::{Key, tag};

/// A scalar as constants have it: tag and text, none for null and booleans.
pub(super) type Scalar<'a> = (u32, &'a str);

/// The scalar of a value, absent being null; `None` for a container.
pub(super) fn scalar<'a>(item: Item<'a>, buffer: &'a mut String) -> Option<Scalar<'a>> {
    Some(match item {
        Item::Absent | Item::Null => (tag::NULL, ""),
        Item::Bool(value) => (if value { tag::TRUE } else { tag::FALSE }, ""),
        Item::Str(text) => (tag::STRING, text),
        Item::Num(text) if crate::number::is_plain(text) => (tag::NUMBER, text),
        Item::Num(_) => {
            buffer.clear();
            item.write_canonical(buffer);
            (tag::NUMBER, buffer)
        }
        Item::Array(_) | Item::Object(_) => return None,
    })
}

/// The keys in the bucket of a hash, with their numbers.
#[inline]
pub(super) fn bucket<'m>(tables: &Tables<'m>, hash: u64) -> impl Iterator<Item = (u32, &'m Key)> + use<'m> {
    let keys = || {
        let bucket = hash::bucket(hash, tables.buckets.len().checked_sub(1)?);
        let start = tables.buckets.get(bucket)?.get();
        let end = tables.buckets.get(bucket.saturating_add(1))?.get();
        Some((start, tables.keys.get(start as usize..end as usize)?))
    };
    let (start, keys) = keys().unwrap_or_default();
    (start..).zip(keys)
}

/// The posting of the key of `owner` with this hash and value. Costs one pass over the bucket.
fn find(tables: &Tables<'_>, owner: u32, hash: u64, is_it: impl Fn(u32) -> bool) -> Option<u32> {
    let same = |key: &Key| {
        key.hash.get() == hash::low_half(hash) && key.owner.get() == owner && is_it(key.value.get())
    };
    bucket(tables, hash).find(|(_, key)| same(key)).map(|(_, key)| key.posting.get())
}

/// The posting of a scalar that is a constant.
pub(super) fn constant(tables: &Tables<'_>, owner: u32, (kind, text): Scalar<'_>) -> Option<u32> {
    let is_it = |value: u32| {
        row(tables.consts, value).is_some_and(|constant| {
            constant.tag.get() == kind
                && (kind <= tag::TRUE || tables.bytes(constant.text.get()) == text.as_bytes())
        })
    };
    find(tables, owner, hash::scalar(owner, kind, text.as_bytes()), is_it)
}

/// The posting of a text that is a string.
pub(super) fn string(tables: &Tables<'_>, owner: u32, text: &str) -> Option<u32> {
    let hash = hash::scalar(owner, tag::STRING, text.as_bytes());
    find(tables, owner, hash, |value| tables.bytes(value) == text.as_bytes())
}
