//! The view of a command line: `shell(PATH)`, and the path into it.

use hookc_schema::tree::{Path, PathKind, View};
use hookc_schema::{Code, Diagnostic};

use super::is_bare_char;
use crate::expr::reader::{Quotes, Read, Reader, excerpt};

impl Reader<'_> {
    /// `shell(PATH)...`; the cursor is at the word. In names after a dot, `-` is a character as in
    /// the shorthand, because flags have it.
    pub(super) fn view(&mut self) -> Read<View> {
        let open = self.at + "shell".len();
        self.at = open + 1;
        self.descend(open)?;
        self.skip_whitespace();
        if self.byte() == b')' {
            let wrong =
                self.wrong(open..self.at + 1, "`shell()` names no path").with_label("expected a path");
            return Err(wrong.help("write the path of the command line: `shell(tool_input.command)`").into());
        }
        let start = self.at;
        let source = self.path()?;
        self.one_value(&source, start)?;
        self.skip_whitespace();
        if !self.eat(")") {
            let wrong = self.expected("`.`, `[` or `)`").also(self.span(open..open + 1), "opened here");
            return Err(wrong.into());
        }
        self.ascend();
        self.quotes = Quotes::JsonPath;
        let rest = self.segments(is_bare_char)?;
        Ok(View { source, rest })
    }

    /// Rejects a path that can select several values, or that is a view itself.
    fn one_value(&self, source: &Path, start: usize) -> Read<()> {
        let shown = excerpt(&source.text);
        let (what, label, help) = match &source.kind {
            PathKind::Shell(_) => (
                format!("`{shown}` is the view of a command line, not a command line"),
                "already a view",
                "remove one `shell(...)`".to_owned(),
            ),
            PathKind::Query(query) if !query.is_singular() => (
                "the path of a command line can have several results".to_owned(),
                "can have several results",
                "select one of them: `shell($.items[0])`".to_owned(),
            ),
            PathKind::Short(_) | PathKind::Query(_) => return Ok(()),
        };
        let wrong = Diagnostic::new(Code::E0444, self.span(start..self.at), what);
        Err(wrong.with_label(label).help(help).into())
    }
}
