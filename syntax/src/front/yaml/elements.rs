//! The elements of the list under one key of the root, which are read as soon as they are complete: a
//! text with many hooks never exists as values as a whole.

use hookc_schema::Diagnostics;
use hookc_schema::value::Value;

use super::frame::{Body, Frame};

/// Reads a document whose elements come first.
pub(crate) trait ElementReader {
    /// The result.
    type Document;

    /// Reads one element. Its diagnostics are kept until [`Self::document`]: nothing in a text that is
    /// not well-formed is reported.
    fn element(&mut self, value: &Value);

    /// Reads the document. In it, an empty object replaces each element that was read.
    fn document(self, root: &Value, out: &mut Diagnostics) -> Self::Document;
}

/// The list, and what reads an element.
pub(crate) struct Elements<'r> {
    /// The key of the list in the root.
    pub(crate) key: &'static str,
    /// Reads an element.
    pub(crate) read: &'r mut dyn FnMut(&Value),
}

impl Elements<'_> {
    /// Whether the next node of `list` is an element. The elements of an anchored list are not read
    /// early: an alias may repeat the list elsewhere.
    pub(super) fn are_in(&self, root: &Frame, list: &Frame) -> bool {
        root.anchor == 0 && list.anchor == 0 && matches!(list.body, Body::Seq(_)) && root.expects(self.key)
    }
}
