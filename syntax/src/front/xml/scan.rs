//! The scanner: from a document to tags and text. It is lenient: it reports errors and continues
//! where a person would.

mod tag;

use std::ops::Range;

use hookc_schema::Code;

use super::{Problems, white};

/// A token of the document. Comments and instructions are skipped.
pub(super) enum Token<'a> {
    Open(Tag<'a>),
    Close { name: &'a str, range: Range<usize> },
    Text(Range<usize>),
    Cdata { inner: Range<usize>, range: Range<usize> },
}

/// A start tag or an empty element.
pub(super) struct Tag<'a> {
    pub(super) name: &'a str,
    pub(super) range: Range<usize>,
    pub(super) attributes: Vec<Raw<'a>>,
    /// `<.../>`
    pub(super) empty: bool,
}

/// An attribute whose value is not decoded yet.
pub(super) struct Raw<'a> {
    pub(super) name: &'a str,
    pub(super) name_at: usize,
    pub(super) value: Range<usize>,
}

pub(super) struct Scanner<'a> {
    src: &'a str,
    at: usize,
    namespaces: usize,
}

impl<'a> Scanner<'a> {
    pub(super) fn new(src: &'a str) -> Self {
        let at = if src.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
        Self { src, at, namespaces: 0 }
    }

    /// The next token; `None` at the end, and if the rest cannot be read.
    pub(super) fn next(&mut self, problems: &mut Problems<'_>) -> Option<Token<'a>> {
        while !self.rest().is_empty() && !problems.enough() {
            let rest = self.rest();
            let start = self.at;
            if !rest.starts_with('<') {
                self.at += rest.find('<').unwrap_or(rest.len());
                return Some(Token::Text(start..self.at));
            }
            if rest.starts_with("<!--") {
                self.skip(4, "-->", "a comment", problems)?;
            } else if rest.starts_with("<![CDATA[") {
                let inner = self.skip(9, "]]>", "a CDATA section", problems)?;
                return Some(Token::Cdata { inner, range: start..self.at });
            } else if rest.starts_with("<?") {
                self.skip(2, "?>", "a processing instruction", problems)?;
            } else if rest.starts_with("</") {
                return Some(self.close(problems));
            } else if rest.get(1..).is_some_and(|rest| rest.starts_with(name_start)) {
                return self.open(problems);
            } else {
                self.stray(problems)?;
            }
        }
        None
    }

    fn rest(&self) -> &'a str {
        self.src.get(self.at..).unwrap_or("")
    }

    fn peek(&self) -> Option<u8> {
        self.src.as_bytes().get(self.at).copied()
    }

    fn skip_white(&mut self) {
        while self.peek().is_some_and(white) {
            self.at += 1;
        }
    }

    /// Skips to the next delimiter or whitespace and returns the text.
    fn word(&mut self) -> &'a str {
        let rest = self.rest();
        let stop = |c: char| matches!(c, ' ' | '\t' | '\n' | '\r' | '=' | '>' | '/' | '<' | '"' | '\'');
        let word = rest.get(..rest.find(stop).unwrap_or(rest.len())).unwrap_or("");
        self.at += word.len();
        word
    }

    /// Skips markup that ends with `end`, and returns its content.
    fn skip(
        &mut self,
        head: usize,
        end: &str,
        what: &str,
        problems: &mut Problems<'_>,
    ) -> Option<Range<usize>> {
        let inner = self.at + head;
        let Some(length) = self.src.get(inner..).and_then(|rest| rest.find(end)) else {
            let problem = problems.at(self.at..inner, format!("{what} without its end"));
            problems.report(problem.with_label("starts here").help(format!("end it with `{end}`")));
            return None;
        };
        self.at = inner + length + end.len();
        Some(inner..inner + length)
    }

    fn close(&mut self, problems: &mut Problems<'_>) -> Token<'a> {
        let start = self.at;
        self.at += 2;
        let name = self.word();
        self.skip_white();
        if self.peek() == Some(b'>') {
            self.at += 1;
        } else {
            let problem = problems.at(start..self.at, format!("`</{name}` has no `>`"));
            problems.report(problem.with_label("this end tag").help(format!("write `</{name}>`")));
        }
        Token::Close { name, range: start..self.at }
    }

    /// A `<` that starts no known markup.
    fn stray(&mut self, problems: &mut Problems<'_>) -> Option<()> {
        let here = self.at..self.at + 1;
        self.at += 1;
        if self.rest().starts_with('!') {
            let word = self.rest().trim_start_matches('!');
            let word = word.get(..word.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(word.len()));
            let word = word.unwrap_or("");
            let range = here.start..here.end + 1 + word.len();
            let declaration = ["DOCTYPE", "ENTITY", "ELEMENT", "ATTLIST", "NOTATION"].contains(&word);
            let message =
                if declaration { "document types are not supported" } else { "unknown markup after `<!`" };
            let mut problem = problems.at(range, message).with_label("not read");
            if declaration {
                problem.code = Code::E0112;
                problem = problem.help("remove it; write characters directly or by number: `&#160;`");
            }
            problems.report(problem);
            return None;
        }
        let problem = problems.at(here, "a `<` that is not escaped").with_label("`<` starts a tag");
        problems.report(problem.help("write `&lt;`, or put the text into `<![CDATA[...]]>`"));
        Some(())
    }
}

fn name_start(c: char) -> bool {
    c.is_ascii_alphabetic() || c == '_' || c == ':' || !c.is_ascii()
}
