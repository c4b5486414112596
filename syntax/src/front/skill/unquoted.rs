//! Explains front matter that is not YAML. In most cases a value needs quotes: a description with
//! `: ` in it, a hint in brackets. The diagnostic then names the line and the fix.

use std::ops::Range;

use hookc_schema::diag::Fix;
use hookc_schema::{Code, Diagnostic, Span};

use crate::scalar::double;

/// The longest value that the help repeats.
const SHOWN: usize = 60;

/// Adds to a notation error which value needs quotes, if that is the cause; `end` is the end of the
/// front matter.
pub(super) fn refine(reported: &mut Diagnostic, text: &str, end: usize) {
    let Some(at) = reported.span().filter(|_| reported.code == Code::E0101) else { return };
    let Some(entry) = Entry::around(text, (at.start as usize).min(end), end) else { return };
    let Some(value) = text.get(entry.value.clone()).filter(|value| unquoted(value)) else { return };
    let inner = value.find(": ").map(|inner| entry.value.start + inner);
    let span = |range: Range<usize>| Span::new(at.source, range);
    let key = &entry.key;
    if let Some(inner) = inner.filter(|_| !value.starts_with(['[', '{'])) {
        *reported = Diagnostic::new(
            Code::E0101,
            span(inner..inner + 1),
            format!("the value of `{key}` contains `: `, which starts another key"),
        )
        .with_label("not read as text");
    } else if value.starts_with(['[', '{', '*', '&', '!', '|', '>']) {
        reported.message = format!("the value of `{key}` is not valid YAML");
        if at.start as usize > entry.value.start {
            reported
                .labels
                .iter_mut()
                .take(1)
                .for_each(|label| label.text = "the value ended before this".to_owned());
        }
    } else if !value.starts_with(['@', '`', '%']) {
        return;
    }
    let quoted = double(value);
    let shown = if quoted.chars().count() <= SHOWN { quoted.as_str() } else { "\"...\"" };
    reported.help = Some(format!("put the whole value in quotes: `{key}: {shown}`"));
    reported.fix = Some(Fix::new(span(entry.value), quoted));
}

/// A key without indentation, with the rest of its line.
struct Entry {
    key: String,
    value: Range<usize>,
}

impl Entry {
    /// The entry on the line of `at`.
    fn around(text: &str, at: usize, end: usize) -> Option<Self> {
        let start = text.get(..at)?.rfind('\n').map_or(0, |newline| newline + 1);
        let line = text.get(start..end)?.split(['\n', '\r']).next()?;
        let bare = line.trim_start();
        let (key, value) = bare.split_once(':')?;
        let word = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | ' ' | '.');
        if key.is_empty() || key.starts_with("- ") || !key.chars().all(word) {
            return None;
        }
        let from = start + (line.len() - value.len()) + (value.len() - value.trim_start().len());
        let value = from..from + value.trim().len();
        Some(Self { key: key.trim_end().to_owned(), value })
    }
}

/// Whether a value is neither empty nor completely in quotes.
fn unquoted(value: &str) -> bool {
    !value.is_empty() && !value.starts_with(['"', '\''])
}
