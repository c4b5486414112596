//! The regular expressions of a module, each built when it is first needed.

use std::sync::OnceLock;

use regex::{Regex, RegexBuilder};

/// Why a pattern could not be built: the regex crate's words.
type Built = Result<Regex, String>;

/// Two expressions per pattern: as written, and ignoring case. Both may be
/// needed: `ignore_case` holds for strings, not for the text of a number.
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

    /// The expression of row `index`, whose text is `pattern`, within `limit`
    /// bytes; `None` if there is no such row.
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
