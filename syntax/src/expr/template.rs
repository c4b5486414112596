//! Templates in action parameters: text with placeholders, `${path}` and `${path ?? literal}`;
//! `$${` is a literal `${`, any other `$` is text. Strings of a literal are those of a `when`
//! expression: `'...'` is raw.
//!
//! A `$` directly before a placeholder cannot be written: `$${` is parsed first.

use hookc_schema::tree::Path;
use hookc_schema::value::{Text, Value};
use hookc_schema::{Code, Diagnostic, Diagnostics, Span};

use super::reader::{Quotes, Read, Reader, excerpt, report};
use super::{history, print, when};

/// A string with holes.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Template {
    /// Alternating text and placeholders as written; no two adjacent texts, none of them empty; the
    /// empty list is the empty string.
    pub pieces: Vec<Piece>,
}

/// A part of a [`Template`].
#[derive(Clone, Debug, PartialEq)]
pub enum Piece {
    /// Literal text, `$${` already undone.
    Text(String),
    /// `${path}` or `${path ?? literal}`
    Hole {
        /// The path.
        path: Path,
        /// The default for absent and null.
        default: Option<Value>,
    },
}

/// Parses a string of an action parameter. Errors are reported with the result `None`. The length
/// limit applies only if there is a placeholder or an escape: plain text is not an expression.
pub fn parse(text: &Text, whole: Span, out: &mut Diagnostics) -> Option<Template> {
    if !text.value.contains("${") {
        let plain = Some(&text.value).filter(|value| !value.is_empty());
        return Some(Template { pieces: plain.cloned().map(Piece::Text).into_iter().collect() });
    }
    let reader = Reader::new(text, whole, Code::E0304, Quotes::Raw);
    report(reader.within_limit("a template"), out)?;
    Parser { reader, text: String::new(), pieces: Vec::new() }.whole(out)
}

/// A template as text that parses to an equal one, if [`parse`] can produce it.
#[must_use]
pub fn print(template: &Template) -> String {
    let mut out = String::new();
    for piece in &template.pieces {
        match piece {
            Piece::Text(text) => out.push_str(&text.replace("${", "$${")),
            Piece::Hole { path, default } => {
                out.push_str("${");
                out.push_str(&print::path(path));
                if let Some(default) = default {
                    out.push_str(" ?? ");
                    out.push_str(&print::json(default));
                }
                out.push('}');
            }
        }
    }
    out
}

struct Parser<'a> {
    reader: Reader<'a>,
    text: String,
    pieces: Vec<Piece>,
}

impl Parser<'_> {
    fn whole(mut self, out: &mut Diagnostics) -> Option<Template> {
        let mut failed = false;
        while !self.reader.is_done() {
            self.text.push_str(self.reader.take_while(|c| c != '$'));
            if self.reader.eat("$${") {
                self.text.push_str("${");
            } else if self.reader.rest().starts_with("${") {
                failed |= self.hole(out).is_none();
            } else if self.reader.eat("$") {
                self.text.push('$');
            }
        }
        self.end_text();
        failed |= !self.all_singular(out);
        (!failed).then_some(Template { pieces: self.pieces })
    }

    fn end_text(&mut self) {
        if !self.text.is_empty() {
            self.pieces.push(Piece::Text(std::mem::take(&mut self.text)));
        }
    }

    /// Inside text, every path names one value.
    fn all_singular(&self, out: &mut Diagnostics) -> bool {
        if self.pieces.len() < 2 {
            return true;
        }
        let before = out.reported();
        for piece in &self.pieces {
            if let Piece::Hole { path, .. } = piece
                && !path.is_one_value()
            {
                let message = "a path inside text can have several results";
                let wrong =
                    Diagnostic::new(Code::E0305, path.span, message).with_label("can have several results");
                out.push(wrong.help("select one of them, or write the template alone to get a list"));
            }
        }
        out.reported() == before
    }

    /// `${...}`; the cursor is at the `$`. After an error, continues after the next `}`.
    fn hole(&mut self, out: &mut Diagnostics) -> Option<()> {
        self.end_text();
        let start = self.reader.at;
        let path = self.hole_path(start, out);
        let hole = path.and_then(|path| report(self.hole_after(path, start), out));
        if hole.is_none() {
            let ahead = self.reader.rest().find('}');
            self.reader.at += ahead.map_or(self.reader.rest().len(), |length| length + 1);
        }
        self.pieces.push(hole?);
        Some(())
    }

    fn hole_path(&mut self, start: usize, out: &mut Diagnostics) -> Option<Path> {
        let reader = &mut self.reader;
        reader.at += 2;
        reader.skip_whitespace();
        if history::is_recall(reader.rest()) {
            return when::recall_at(reader, out);
        }
        let path = match reader.is_done() || reader.byte() == b'}' {
            true => Err(no_path(reader, start).into()),
            false => reader.path().map_err(|wrong| with_escape(*wrong).into()),
        };
        report(path, out)
    }

    /// What follows the path of a placeholder.
    fn hole_after(&mut self, path: Path, start: usize) -> Read<Piece> {
        let reader = &mut self.reader;
        reader.skip_whitespace();
        let mut default = None;
        if reader.eat("??") {
            reader.skip_whitespace();
            if reader.is_done() || reader.byte() == b'}' {
                let wrong = reader.expected("a literal after `??`");
                return Err(wrong.help("write, for example, `${path ?? 'none'}`").into());
            }
            default = Some(reader.value()?);
            reader.skip_whitespace();
        }
        if reader.eat("}") {
            return Ok(Piece::Hole { path, default });
        }
        Err(not_closed(reader, start, &path, default.is_some()).into())
    }
}

fn no_path(reader: &Reader<'_>, start: usize) -> Diagnostic {
    if reader.is_done() {
        let wrong = reader.wrong(start..start + 2, "`${` is not closed").with_label("opened here");
        return wrong.help("write `${path}`, or `$${` for a literal `${`");
    }
    let wrong = reader.wrong(start..reader.at + 1, "`${}` names no path").with_label("expected a path");
    wrong.help("write `${path}`, or `$${` for a literal `${`")
}

fn not_closed(reader: &Reader<'_>, start: usize, path: &Path, default: bool) -> Diagnostic {
    if reader.is_done() {
        let wrong = reader.wrong(start..start + 2, "`${` is not closed").with_label("opened here");
        return wrong.help("end it with `}`, or write `$${` for a literal `${`");
    }
    if let Some(early) = reader.ended_early(reader.at) {
        return early;
    }
    let wrong = reader.expected(if default { "`}`" } else { "`??` or `}`" });
    let wrong = wrong.also(reader.span(start..start + 2), "opened here");
    let shown = excerpt(&path.text);
    match reader.byte() {
        b':' | b'|' | b'?' if !default => wrong.help(format!("write a default as `${{{shown} ?? 'none'}}`")),
        _ => wrong.help("for a literal `${`, write `$${`"),
    }
}

/// Adds the way out that only a template has.
fn with_escape(wrong: Diagnostic) -> Diagnostic {
    wrong.note("for a literal `${`, write `$${`")
}
