//! The ends of lines. A carriage return ends one as well, with a line feed or alone, in YAML (1.2.2, section
//! 5.4), XML (1.0, section 2.11) and Markdown (CommonMark, section 2.1).

use std::borrow::Cow;

/// The text with a line feed at the end of each line.
pub(crate) fn line_feeds(text: &str) -> Cow<'_, str> {
    if text.contains('\r') { text.replace("\r\n", "\n").replace('\r', "\n").into() } else { text.into() }
}
