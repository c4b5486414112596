//! Paths: the shorthand and JSONPath (RFC 9535).
//!
//! A path that starts with `$` is JSONPath, the whole of RFC 9535, with its
//! rules of types and of singular queries; the text of a regular expression in
//! `match` and `search` is any string there and is not looked into. Every
//! other path is the shorthand, `a.b['retry-after'][0]`, or leads into a view,
//! `shell(a.b).commands[*].name`, `effects().writes`.

mod cache;
mod filter;
mod query;
mod short;
mod view;

use hookc_schema::tree::{Path, PathKind, Query};
use hookc_schema::value::Text;
use hookc_schema::{Code, Diagnostic, Diagnostics, Span};

pub(crate) use cache::PathCache;

use super::reader::{Quotes, Read, Reader, report};
use super::{history, when};
use crate::limits;

/// Parses the whole `text` as a path. `whole` and `text.map` map it to the source.
pub fn parse(text: &Text, whole: Span, out: &mut Diagnostics) -> Option<Path> {
    parse_within(text, whole, limits::NESTING, out)
}

/// Parses the whole `text` as a path of an event: a value of the history is an error, for `what`.
pub fn parse_of_event(text: &Text, whole: Span, what: &str, out: &mut Diagnostics) -> Option<Path> {
    let path = parse(text, whole, out)?;
    let wrong = history::no_value(&path, what);
    let is_path = wrong.is_none();
    out.extend(wrong);
    is_path.then_some(path)
}

/// Like [`parse`]; conditions about earlier events are at most `room` levels deep.
fn parse_within(text: &Text, whole: Span, room: usize, out: &mut Diagnostics) -> Option<Path> {
    if history::is_recall(&text.value) {
        return when::recall(text, whole, room, out);
    }
    let mut reader = Reader::new(text, whole, Code::E0301, Quotes::Either);
    report(reader.whole_path(), out)
}

/// Whether a segment of the shorthand needs no brackets: letters and digits of any script, `_` and
/// `-`, but no leading `-`.
pub(crate) fn is_bare(name: &str) -> bool {
    !name.is_empty() && !name.starts_with('-') && name.chars().all(is_bare_char)
}

/// A character of a segment without brackets.
pub(crate) fn is_bare_char(c: char) -> bool {
    c.is_alphanumeric() || c == '_' || c == '-'
}

impl Reader<'_> {
    fn whole_path(&mut self) -> Read<Path> {
        self.within_limit("a path")?;
        let path = self.path()?;
        match self.is_done() {
            true => Ok(path),
            false => Err(self.after_path(&path).into()),
        }
    }

    /// A path of either kind, up to the first character that cannot belong to
    /// it.
    pub(crate) fn path(&mut self) -> Read<Path> {
        let (start, code, quotes) = (self.at, self.code, self.quotes);
        if history::is_recall(self.rest()) {
            return Err(self.no_recall().into());
        }
        self.code = Code::E0301;
        let kind = if self.byte() == b'$' {
            self.quotes = Quotes::JsonPath;
            self.root_query().map(PathKind::Query)
        } else if let Some(kind) = self.at_view() {
            self.view(kind).map(|view| PathKind::View(Box::new(view)))
        } else {
            self.quotes = Quotes::Either;
            self.steps().map(|steps| PathKind::Short(steps.into()))
        };
        (self.code, self.quotes) = (code, quotes);
        let text = self.slice(start..self.at).into();
        Ok(Path { span: self.since(start), text, kind: kind? })
    }

    /// What follows the parenthesis of `last(...)`: segments as after a view.
    pub(crate) fn steps_after_recall(&mut self) -> Read<Query> {
        let (code, quotes) = (self.code, self.quotes);
        (self.code, self.quotes) = (Code::E0301, Quotes::JsonPath);
        let query = self.segments(is_bare_char);
        (self.code, self.quotes) = (code, quotes);
        query
    }

    /// A value of the history where a path of the event is expected.
    fn no_recall(&self) -> Diagnostic {
        let word = self.clone().take_while(is_bare_char);
        let range = self.at..self.at + word.len();
        let wrong =
            Diagnostic::new(Code::E0301, self.span(range), format!("`{word}(...)` cannot be used here"));
        wrong.with_label("a value of the history").help("write a path of the event")
    }

    /// Something follows a whole path.
    fn after_path(&self, path: &Path) -> Diagnostic {
        let what = if !matches!(path.kind, PathKind::Short(_)) {
            "`.`, `..`, `[` or the end of the path"
        } else {
            "`.`, `[` or the end of the path"
        };
        let wrong = self.expected(what);
        if self.rest().trim_matches([' ', '\t', '\n', '\r']).is_empty() {
            return wrong.help("remove the whitespace at the end of the path");
        }
        if self.byte() == b'[' {
            return wrong;
        }
        if let PathKind::View(view) = &path.kind {
            let kind = view.kind;
            let example = if kind.reads_text() { "(a.b).ok" } else { "().writes" };
            return wrong.help(format!("write a member of the view after the bracket: `{kind}{example}`"));
        }
        wrong.help("put a name with other characters in brackets and quotes: `a['such / a name']`")
    }
}
