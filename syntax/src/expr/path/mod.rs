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

use hookc_schema::tree::{Path, PathKind};
use hookc_schema::value::Text;
use hookc_schema::{Code, Diagnostic, Diagnostics, Span};

pub(crate) use cache::PathCache;

use super::reader::{Quotes, Read, Reader, report};

/// Parses the whole `text` as a path. `whole` and `text.map` map it to the source.
pub fn parse(text: &Text, whole: Span, out: &mut Diagnostics) -> Option<Path> {
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
