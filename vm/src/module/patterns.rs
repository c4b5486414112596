//! The regular expressions of a module, each built when it is first needed.

use std::sync::OnceLock;

use regex::{Regex, RegexBuilder};

/// Why a pattern could not be compiled, in the words of the regex crate.
type Built = Result<Regex, String>;

/// Two expressions per pattern: case-sensitive and case-insensitive. Both may be needed, because
/// `ignore_case` applies to strings but not to the text of a number.
#[derive(Debug)]
pub(crate) struct Patterns {
    plain: Box<[OnceLock<Built>]>,
    fold: Box<[OnceLock<Built>]>,
}

impl Patterns {
    pub(super) fn new(count: usize) -> Self {
        let cells = || std::iter::repeat_with(OnceLock::new).take(count).collect();
        Self { plain: cells(), fold: cells() }
    }

    /// The expression of row `index` with the text `pattern`, within `limit` bytes; `None` for an
    /// unknown row.
    pub(crate) fn get(&self, index: u32, fold: bool, pattern: &str, limit: usize) -> Option<&Built> {
        let cells = if fold { &self.fold } else { &self.plain };
        let cell = cells.get(index as usize)?;
        Some(cell.get_or_init(|| {
            let mut builder = RegexBuilder::new(pattern);
            builder.case_insensitive(fold).size_limit(limit);
            builder.build().map_err(|error| error.to_string())
        }))
    }
}
