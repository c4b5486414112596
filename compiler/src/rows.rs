//! Row numbers and ranges of module tables.

use hookc_base::row_number;
use hookc_schema::tree::PartitionKey;
use hookc_vm::format::{PartitionTag, Range};

/// The rows from `start` to `end` of a table.
pub(crate) fn range(start: usize, end: usize) -> Range {
    Range { start: row_number(start).into(), length: row_number(end - start).into() }
}

/// The tag of a key of the history.
pub(crate) fn partition(key: PartitionKey) -> PartitionTag {
    match key {
        PartitionKey::Session => PartitionTag::Session,
        PartitionKey::Agent => PartitionTag::Agent,
        PartitionKey::Project => PartitionTag::Project,
        PartitionKey::User => PartitionTag::User,
    }
}
