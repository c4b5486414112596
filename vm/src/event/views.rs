//! Views of command lines: text that is made from a slot and scanned into others.

use super::slots::{Holder, Origin};
use super::{EventError, Item, Slots, Trie, TrieIndex, scan};
use crate::limits::SHELL_BYTES;
use crate::rows::View;
use crate::shell::{self, Cause, Members, Wrapper};

impl Slots {
    /// Reads the views of command lines as parts of the event that the slots have. A view is absent if its
    /// command line is absent or null.
    ///
    /// # Errors
    /// None, if views are JSON as they should be.
    pub(crate) fn read_views<'v>(
        &mut self,
        views: impl Iterator<Item = (&'v View, &'v Members)>,
        wrappers: &[Wrapper],
        event: Origin<'_>,
        trie: &Trie<'_>,
        index: &TrieIndex,
    ) -> Result<(), EventError> {
        self.holder = Holder::Views;
        let (mut text, mut line) = (std::mem::take(&mut self.views), std::mem::take(&mut self.line));
        let mut result = Ok(());
        for (view, members) in views {
            let start = text.len();
            if self.write_view((view, members, wrappers), (event, trie), &mut line, &mut text) {
                result = result.and(scan::scan_part(&text, start, view.node.get(), (trie, index), self));
            }
        }
        (self.views, self.line) = (text, line);
        self.holder = Holder::Event;
        result
    }

    /// The text of a view with all members; `None` if the event has no such command line.
    pub(crate) fn view(
        &self,
        view: &View,
        wrappers: &[Wrapper],
        event: (Origin<'_>, &Trie<'_>),
    ) -> Option<String> {
        let mut out = String::new();
        self.write_view((view, Members::all(), wrappers), event, &mut String::new(), &mut out).then_some(out)
    }

    /// Appends a view; `false` if the value has no view. `line` is a buffer.
    fn write_view(
        &self,
        (view, members, wrappers): (&View, &Members, &[Wrapper]),
        (event, trie): (Origin<'_>, &Trie<'_>),
        line: &mut String,
        out: &mut String,
    ) -> bool {
        let (mut words, mut tool, mut folder) = (String::new(), String::new(), String::new());
        let source = self.stored(view.source.get(), event, trie).item(&mut words);
        let foreign =
            string(self.stored(view.tool.get(), event, trie).item(&mut tool)).and_then(shell::foreign);
        let cwd = string(self.stored(view.cwd.get(), event, trie).item(&mut folder));
        match (source, foreign) {
            (Item::Absent | Item::Null, _) => return false,
            (_, Some(cause)) => shell::write_unread(cause, out),
            (Item::Str(text), None) => shell::write_view(text, cwd, wrappers, members, out),
            (words, None) if write_words(words, line) => shell::write_view(line, cwd, wrappers, members, out),
            _ => shell::write_unread(Cause::NotText, out),
        }
        true
    }
}

const fn string(item: Item<'_>) -> Option<&str> {
    match item {
        Item::Str(text) => Some(text),
        _ => None,
    }
}

/// Writes the command line of a list of words; `false` for any other value. Of words beyond the
/// length of a command line, which are too many anyway, only the types are read.
fn write_words(words: Item<'_>, line: &mut String) -> bool {
    line.clear();
    let mut is_text = matches!(words, Item::Array(_));
    words.elements(&mut |word| {
        match word {
            Item::Str(word) if line.len() <= SHELL_BYTES => shell::write_word(word, line),
            Item::Str(_) => {}
            _ => is_text = false,
        }
        is_text
    });
    is_text
}
