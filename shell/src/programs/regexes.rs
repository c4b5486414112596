//! Regexes in the rows of programs. Policies describe programs too, so their size is limited.

use regex::{Regex, RegexBuilder};

/// The most bytes of a compiled regex.
const SIZE: usize = 1 << 18;

/// A regex that is not too large.
pub(super) fn read(text: &str) -> Result<Regex, regex::Error> {
    RegexBuilder::new(text).size_limit(SIZE).dfa_size_limit(SIZE).build()
}
