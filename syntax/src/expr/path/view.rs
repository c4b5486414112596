//! Views: `shell(PATH)`, `file(PATH)`, `size(PATH)` and `effects()`, and the path into them. `size(PATH)` alone is its
//! length.

use hookc_schema::tree::{Path, PathKind, Query, Segment, Selector, View, ViewKind};
use hookc_schema::vocab::{LENGTH, view_example, view_source};
use hookc_schema::{Code, Diagnostic};

use super::is_bare_char;
use crate::expr::reader::{Quotes, Read, Reader, excerpt};

impl Reader<'_> {
    /// The kind of the view that starts here.
    pub(super) fn at_view(&self) -> Option<ViewKind> {
        let starts = |kind: &&ViewKind| {
            self.rest().strip_prefix(kind.name()).is_some_and(|rest| rest.starts_with('('))
        };
        ViewKind::ALL.iter().find(starts).copied()
    }

    /// `shell(PATH)...`; the cursor is at the word. In names after a dot, `-` is a character as in
    /// the shorthand, because flags have it.
    pub(super) fn view(&mut self, kind: ViewKind) -> Read<View> {
        let open = self.at + kind.name().len();
        self.at = open + 1;
        self.descend(open)?;
        self.skip_whitespace();
        if !kind.reads_text() {
            return self.without_text(kind, open);
        }
        let start = self.at;
        if self.byte() == b')' {
            let wrong = self.wrong(open..self.at + 1, format!("`{kind}()` names no path"));
            let wrong = wrong.with_label("expected a path");
            let (source, example) = (view_source(kind), view_example(kind));
            return Err(wrong.help(format!("write {source}: `{example}`")).into());
        }
        let source = self.path()?;
        self.one_value(kind, &source, start)?;
        self.skip_whitespace();
        if !self.eat(")") {
            let wrong = self.expected("`.`, `[` or `)`").also(self.span(open..open + 1), "opened here");
            return Err(wrong.into());
        }
        self.view_from(kind, source)
    }

    /// The rest of a view without a text; the cursor is after the bracket.
    fn without_text(&mut self, kind: ViewKind, open: usize) -> Read<View> {
        if !self.eat(")") {
            let path = self.path()?;
            let what = format!("`{kind}()` takes no path");
            let new = Diagnostic::new(Code::E0444, path.span, what).with_label("not here");
            return Err(new.help(format!("write `{}`", view_example(kind))).into());
        }
        let span = self.span(open.saturating_sub(kind.name().len())..self.at);
        let source = Path { span, text: "$".into(), kind: PathKind::Query(Query::default()) };
        self.view_from(kind, source)
    }

    /// What follows the closing bracket.
    fn view_from(&mut self, kind: ViewKind, source: Path) -> Read<View> {
        self.ascend();
        self.quotes = Quotes::JsonPath;
        let mut rest = self.segments(is_bare_char)?;
        if kind == ViewKind::Size && rest.segments.is_empty() {
            rest.segments.push(Segment::Child(vec![Selector::Name(LENGTH.to_owned())]));
        }
        Ok(View { kind, source, rest })
    }

    /// Rejects a path that can select several values, or that is a view itself.
    fn one_value(&self, kind: ViewKind, source: &Path, start: usize) -> Read<()> {
        let shown = excerpt(&source.text);
        let (what, label, help) = match &source.kind {
            PathKind::View(inner) => (
                format!("`{shown}` leads into a view, and `{kind}(...)` reads a text of the event"),
                "already a view",
                match inner.kind == kind {
                    true => format!("remove one `{kind}(...)`"),
                    false if inner.kind.reads_text() => {
                        format!("write `{kind}(...)` or `{}(...)`", inner.kind)
                    }
                    false => format!("write `{shown}` without `{kind}`"),
                },
            ),
            PathKind::Query(query) if !query.is_singular() => (
                format!("the path in `{kind}(...)` can have several results"),
                "can have several results",
                format!("select one of them: `{kind}($.items[0])`"),
            ),
            PathKind::Short(_) | PathKind::Query(_) | PathKind::Recall(_) => return Ok(()),
        };
        let wrong = Diagnostic::new(Code::E0444, self.span(start..self.at), what);
        Err(wrong.with_label(label).help(help).into())
    }
}
