//! The files that a patch changes, in the format of `apply_patch`:
//!
//! ```text
//! *** Begin Patch
//! *** Update File: src/lib.rs
//! *** Move to: src/main.rs
//! @@
//! -old
//! +new
//! *** Delete File: notes.md
//! *** End Patch
//! ```

/// What a section of a patch does to its file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change {
    /// `Add File`: writes it.
    Add,
    /// `Update File`: changes it.
    Update,
    /// `Delete File`: deletes it.
    Delete,
    /// `Move to`: writes it; the file of the section before no longer exists.
    MoveTo,
}

const HEADS: [(&str, Change); 4] = [
    ("Add File:", Change::Add),
    ("Update File:", Change::Update),
    ("Delete File:", Change::Delete),
    ("Move to:", Change::MoveTo),
];

/// What heads of sections begin with, after whitespace.
pub const MARKS: &str = "***";

/// The change and the path of a line that is the head of a section. Some agents accept any whitespace in it.
#[must_use]
pub fn head(line: &str) -> Option<(Change, &str)> {
    let rest = line.trim_start().strip_prefix(MARKS)?;
    let words = rest.trim_start();
    let (path, change) =
        HEADS.iter().find_map(|(head, change)| Some((words.strip_prefix(head)?.trim(), *change)))?;
    (words.len() < rest.len() && !path.is_empty()).then_some((change, path))
}

/// The files of a patch, in order. Of a moved file, [`Change::MoveTo`] follows the change at its old path.
pub fn files(patch: &str) -> impl Iterator<Item = (Change, &str)> {
    patch.lines().filter_map(head)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_files_of_a_patch() {
        let patch = "*** Begin Patch\n*** Add File: a\n+*** Add File: text\n*** Update File: b c \n@@\n-x\n+y\n\
                     *** Move to: d\r\n  ***   Delete File:e\n*** Delete File: \n***Add File: f\n*** End Patch";
        let expected =
            [(Change::Add, "a"), (Change::Update, "b c"), (Change::MoveTo, "d"), (Change::Delete, "e")];
        assert_eq!(files(patch).collect::<Vec<_>>(), expected);
    }
}
