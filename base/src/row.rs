//! Numbers of rows.

/// A row's number, a count of rows or a position in a text, in 32 bits.
///
/// # Panics
/// At 2^32 and beyond, which neither a compilation nor a decision reaches: a module is limited to
/// 1 GiB, a source to 256 MiB, an event to 16 MiB. A silent default here would give a wrong module
/// or a wrong decision.
#[inline]
#[must_use]
#[track_caller]
#[allow(clippy::expect_used, reason = "the limits of sources, modules and events are far below 2^32")]
pub fn row_number(number: usize) -> u32 {
    u32::try_from(number).expect("within the limits, tables and texts have fewer than 2^32 rows and bytes")
}
