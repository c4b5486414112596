//! The event types of a module by name.

use hookc_base::Family;

use super::Tables;
use crate::event::{EventError, prefix_key};

/// The rows of the event types, each with the prefix key of its name, by which they ascend.
#[derive(Debug)]
pub(crate) struct EventTypes(Vec<(u64, u32)>);

impl EventTypes {
    pub(super) fn new(tables: &Tables<'_>) -> Self {
        let key = |row: usize| tables.events.get(row).map_or(0, |event| key(tables.bytes(event.name.get())));
        let mut rows: Vec<_> =
            (0_u32..).take(tables.events.len()).map(|row| (key(row as usize), row)).collect();
        rows.sort_unstable();
        Self(rows)
    }

    /// The row of an event type: of the requested family, otherwise of the only one that declares the
    /// name.
    ///
    /// # Errors
    /// Several families declare the name.
    pub(crate) fn find(
        &self,
        tables: &Tables<'_>,
        name: &str,
        family: Option<Family>,
    ) -> Result<Option<usize>, EventError> {
        let wanted = key(name.as_bytes());
        let start = if self.0.len() <= FEW {
            self.0.iter().position(|(key, _)| *key == wanted).unwrap_or(self.0.len())
        } else {
            self.0.partition_point(|(key, _)| *key < wanted)
        };
        let same = self.0.get(start..).unwrap_or_default().iter().take_while(|(key, _)| *key == wanted);
        let mut rows = same.map(|(_, row)| *row as usize).filter(|row| {
            tables.events.get(*row).is_some_and(|event| {
                family.is_none_or(|family| event.family == family as u8)
                    && tables.bytes(event.name.get()) == name.as_bytes()
            })
        });
        match (rows.next(), rows.next()) {
            (_, Some(_)) => Err(EventError::AmbiguousType(name.to_owned())),
            (row, None) => Ok(row),
        }
    }
}

/// So many types are looked through: a binary search costs more.
const FEW: usize = 16;

fn key(name: &[u8]) -> u64 {
    prefix_key(name)
}
