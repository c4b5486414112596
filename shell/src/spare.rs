//! Memory of readers, which the arena keeps for the next one.

use super::token::{Mark, Token, Words};
use super::tree::{Assign, Redirect};

/// Memory of a reader that the next one uses.
#[derive(Default)]
pub(super) struct Spare {
    /// Drafts that nothing uses.
    #[allow(clippy::vec_box, reason = "a draft is large, and moves for each word that uses one")]
    pub(super) drafts: Vec<Box<Draft>>,
    /// The words, assignments and redirections of the commands that are being read.
    pub(super) words: Vec<Token>,
    pub(super) assigns: Vec<Assign>,
    pub(super) redirects: Vec<Redirect>,
}

/// A word that is being read.
#[derive(Default)]
pub(super) struct Draft {
    pub(super) text: String,
    pub(super) marks: Vec<Mark>,
    /// Bare `{`, `,` and `}` in it, from the first `{` on.
    pub(super) braces: Vec<usize>,
    /// The positions of quotes with nothing in them.
    pub(super) empty_quotes: Vec<usize>,
    /// It sets a variable.
    pub(super) assigns: bool,
    /// Where the value of an assignment starts.
    pub(super) value: usize,
    /// The words of an array that it sets.
    pub(super) array: Option<Words>,
    /// Where the subscript of its name ends.
    pub(super) subscript: usize,
    /// It has quotes or expansions.
    pub(super) dressed: bool,
    pub(super) quoted: bool,
    /// Whether the first `=` was read.
    pub(super) equals: bool,
    /// It is a word even if it is empty.
    pub(super) there: bool,
}
