//! Keys: the postings of a value.

use crate::event::{Item, Kind};
use crate::module::{Tables, row};
use crate::number;
use crate::rows::index::hash;
use crate::rows::{Key, tag};

/// A scalar as constants have it: tag and text, none for null and booleans.
pub(super) type Scalar<'a> = (u32, &'a [u8]);

/// The scalar of a value, absent being null; `None` for a container.
#[inline(always)]
pub(super) fn scalar<'a>((kind, text): (Kind, &'a [u8]), buffer: &'a mut String) -> Option<Scalar<'a>> {
    let text = match kind {
        Kind::Null | Kind::False | Kind::True => b"",
        Kind::String => text,
        Kind::Number if number::is_plain(text) => text,
        Kind::Number => canonical(text, buffer),
        Kind::Array | Kind::Object => return None,
    };
    Some((kind.tag(), text))
}

/// The canonical text of a number.
#[inline(never)]
fn canonical<'a>(text: &[u8], buffer: &'a mut String) -> &'a [u8] {
    buffer.clear();
    Item::Num(std::str::from_utf8(text).unwrap_or_default()).write_canonical(buffer);
    buffer.as_bytes()
}

/// The keys in the bucket of a hash.
#[inline]
pub(super) fn bucket<'m>(tables: &Tables<'m>, hash: u64) -> (u32, &'m [Key]) {
    let keys = || {
        let bucket = hash::bucket(hash, tables.buckets.len().checked_sub(1)?);
        let start = tables.buckets.get(bucket)?.get();
        let end = tables.buckets.get(bucket.saturating_add(1))?.get();
        Some((start, tables.keys.get(start as usize..end as usize)?))
    };
    keys().unwrap_or_default()
}

/// The keys of `owner` with this hash. Costs one pass over the bucket.
#[inline]
fn keys<'m>(tables: &Tables<'m>, owner: u32, hash: u64) -> impl Iterator<Item = &'m Key> + use<'m> {
    let half = hash::low_half(hash);
    let (_, keys) = bucket(tables, hash);
    keys.iter().filter(move |key| key.hash.get() == half && key.owner.get() == owner)
}

/// The postings of a scalar, and of others with its hash: those of a probe only add candidates, so their values are
/// not compared.
#[inline]
pub(super) fn probable<'m>(
    tables: &Tables<'m>,
    owner: u32,
    (kind, text): Scalar<'_>,
) -> impl Iterator<Item = u32> + use<'m> {
    keys(tables, owner, hash::scalar(owner, kind, text)).map(|key| key.posting.get())
}

/// The posting of a scalar that is a constant, and of no other: what it leads to is excluded.
pub(super) fn exact(tables: &Tables<'_>, owner: u32, (kind, text): Scalar<'_>) -> Option<u32> {
    let is_it = |key: &&Key| {
        row(tables.consts, key.value.get()).is_some_and(|constant| {
            constant.tag.get() == kind && (kind <= tag::TRUE || tables.bytes(constant.text.get()) == text)
        })
    };
    let mut keys = keys(tables, owner, hash::scalar(owner, kind, text));
    keys.find(is_it).map(|key| key.posting.get())
}
