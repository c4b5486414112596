//! Row numbers and ranges of module tables.

use hookc_base::row_number;
use hookc_vm::format::Range;

/// The rows from `start` to `end` of a table.
pub(crate) fn range(start: usize, end: usize) -> Range {
    Range { start: row_number(start).into(), length: row_number(end - start).into() }
}
