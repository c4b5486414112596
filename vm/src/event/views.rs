//! Views: text that is made from a slot, or from what the event does, and scanned into other slots.

use hookc_base::ViewKind;
use hookc_shell::effects::Project;
use hookc_shell::limits::SHELL_BYTES;
use hookc_shell::programs::Programs;
use hookc_shell::{self as shell, Cause, Members};

use super::size;
use super::slots::{Holder, Origin};
use super::{EventError, Item, Slots, Trie, TrieIndex, scan};
use crate::file;
use crate::rows::View;

/// Appends the view of what an event does: the event's slots, and the row of its scope.
pub(crate) type WriteEffects<'w> = &'w mut dyn FnMut(&Slots, u32, &mut String) -> Option<()>;

impl Slots {
    /// Reads views as parts of the event that the slots have. A view is absent if its text is absent or null.
    ///
    /// # Errors
    /// None, if views are JSON as they should be.
    pub(crate) fn read_views<'v>(
        &mut self,
        views: impl Iterator<Item = (&'v View, Option<&'v str>, &'v Members)>,
        (programs, effects): (&Programs, WriteEffects<'_>),
        event: Origin<'_>,
        trie: &Trie<'_>,
        index: &TrieIndex,
    ) -> Result<(), EventError> {
        self.holder = Holder::Views;
        let (mut text, mut line) = (std::mem::take(&mut self.views), std::mem::take(&mut self.line));
        let mut result = Ok(());
        for (view, stated, members) in views {
            let start = text.len();
            let is_written = match view.text() {
                Some(_) => {
                    self.write_view((view, stated, members, programs), (event, trie), &mut line, &mut text)
                }
                None => effects(self, view.source.get(), &mut text).is_some(),
            };
            if is_written {
                result = result.and(scan::scan_part(&text, start, view.node.get(), (trie, index), self));
            }
        }
        (self.views, self.line) = (text, line);
        self.holder = Holder::Event;
        result
    }

    /// A view of a text with all members; `None` if the event has no such text.
    pub(crate) fn view(
        &self,
        (view, stated): (&View, Option<&str>),
        programs: &Programs,
        event: (Origin<'_>, &Trie<'_>),
    ) -> Option<String> {
        let mut out = String::new();
        let made_of = (view, stated, Members::all(), programs);
        self.write_view(made_of, event, &mut String::new(), &mut out).then_some(out)
    }

    /// Appends a view of a text; `false` if the value has no view. `line` is a buffer.
    fn write_view(
        &self,
        (view, stated, members, programs): (&View, Option<&str>, &Members, &Programs),
        (event, trie): (Origin<'_>, &Trie<'_>),
        line: &mut String,
        out: &mut String,
    ) -> bool {
        let (mut words, mut tool, mut folder) = (String::new(), String::new(), String::new());
        let source = self.stored(view.source.get(), event, trie).item(&mut words);
        if matches!(source, Item::Absent | Item::Null) {
            return false;
        }
        if view.kind() == Some(ViewKind::Size) {
            return size::write_view(source, out);
        }
        let cwd = string(self.stored(view.cwd.get(), event, trie).item(&mut folder));
        if view.kind() == Some(ViewKind::File) {
            let project = match (stated, self.stored(view.project.get(), event, trie).item(&mut tool)) {
                (Some(path), _) | (None, Item::Str(path)) => Project::At(path),
                (None, Item::Absent) => Project::Absent,
                (None, _) => Project::Nowhere,
            };
            match source {
                Item::Str(text) => file::write_view(text, (cwd, project), out),
                _ => file::write_not_text(out),
            }
            return true;
        }
        let foreign =
            string(self.stored(view.tool.get(), event, trie).item(&mut tool)).and_then(shell::foreign);
        match (source, foreign) {
            (_, Some(cause)) => shell::write_unread(cause, out),
            (Item::Str(text), None) => shell::write_view(text, cwd, programs, members, out),
            (words, None) if write_words(words, line) => shell::write_view(line, cwd, programs, members, out),
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
