//! Numbers of rows.

/// A row's number, a count of rows or a byte offset as modules store it.
///
/// # Panics
/// At 2^32 and beyond, which no compilation reaches: a module is limited to 1 GiB,
/// and a source to 256 MiB. A silent default here would give a wrong module.
#[inline]
#[must_use]
#[track_caller]
#[allow(clippy::expect_used, reason = "the limits of sources and modules are far below 2^32")]
pub fn row_number(number: usize) -> u32 {
    u32::try_from(number).expect("modules have fewer than 2^32 rows and bytes")
}
