//! Cutting text between its characters, whether case matters, and errors as text.

use std::error::Error;

/// Whether letters of another case are equal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Case {
    /// They differ.
    Respected,
    /// They are equal.
    Ignored,
}

impl Case {
    /// `Ignored` if a condition is true.
    #[must_use]
    pub const fn ignored_if(is_ignored: bool) -> Self {
        if is_ignored { Self::Ignored } else { Self::Respected }
    }

    /// Whether letters of another case are equal.
    #[must_use]
    pub const fn is_ignored(self) -> bool {
        matches!(self, Self::Ignored)
    }
}

/// An error and its causes on one line. An error of hookc does not repeat its cause.
///
/// ```
/// let error = std::io::Error::other("the disk is full");
/// assert_eq!(hookc_base::text::with_causes(&error), "the disk is full");
/// ```
#[must_use]
pub fn with_causes(error: &dyn Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        text.push_str(": ");
        text.push_str(&error.to_string());
        cause = error.source();
    }
    text
}

/// The last character boundary of `text` at `index` or before it; the end of `text`
/// if `index` is after it.
#[must_use]
pub fn floor_char_boundary(text: &str, index: usize) -> usize {
    let end = index.min(text.len());
    (0..=end).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0)
}

/// The first character boundary of `text` at or after `index`; the end of `text` if no boundary follows.
#[must_use]
pub fn ceil_char_boundary(text: &str, index: usize) -> usize {
    (index..text.len()).find(|at| text.is_char_boundary(*at)).unwrap_or(text.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boundaries() {
        let text = "aé€😀";
        let ends = [0, 1, 3, 6, 10];
        for index in 0..=12 {
            let floor = ends.iter().copied().filter(|end| *end <= index).max();
            let ceil = ends.iter().copied().filter(|end| *end >= index).min();
            assert_eq!(floor_char_boundary(text, index), floor.unwrap_or(0), "{index}");
            assert_eq!(ceil_char_boundary(text, index), ceil.unwrap_or(10), "{index}");
        }
        assert_eq!((floor_char_boundary("", 3), ceil_char_boundary("", 3)), (0, 0));
    }
}
