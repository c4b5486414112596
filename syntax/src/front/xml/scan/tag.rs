//! Start tags and their attributes.

use std::ops::Range;

use hookc_schema::Code;
use hookc_schema::diag::Fix;

use super::super::{Problems, white};
use super::{Raw, Scanner, Tag, Token};
use crate::limits;

impl<'a> Scanner<'a> {
    /// A start tag, from its `<`.
    pub(super) fn open(&mut self, problems: &mut Problems<'_>) -> Option<Token<'a>> {
        let start = self.at;
        self.at += 1;
        let name = self.word();
        let mut attributes = Vec::new();
        let empty = loop {
            let spaced = self.peek().is_some_and(white);
            self.skip_white();
            match self.peek() {
                Some(b'>') => {
                    self.at += 1;
                    break false;
                }
                Some(b'/') if self.rest().starts_with("/>") => {
                    self.at += 2;
                    break true;
                }
                None | Some(b'<') => {
                    self.no_end(start, name, problems);
                    break false;
                }
                Some(b'/' | b'=' | b'"' | b'\'') => self.unexpected(problems),
                Some(_) => {
                    if !spaced {
                        let width = self.rest().chars().next().map_or(0, char::len_utf8);
                        let problem = problems.at(self.at..self.at + width, "no space before an attribute");
                        let problem = problem.with_label("put a space here");
                        problems.report(problem.help("a quote in the value ends it: put the other quotes around the value, or write `&quot;` or `&apos;`"));
                    }
                    let attribute = self.attribute(problems);
                    attributes.extend(attribute);
                    self.few(attributes.len(), problems)?;
                }
            }
            if problems.enough() {
                return None;
            }
        };
        Some(Token::Open(Tag { name, range: start..self.at, attributes, empty }))
    }

    fn no_end(&self, start: usize, name: &str, problems: &mut Problems<'_>) {
        let problem = problems.at(start..start + 1 + name.len(), format!("`<{name}` has no `>`"));
        problems
            .report(problem.with_label("this tag").help("end the tag with `>`, or with `/>` if it is empty"));
    }

    fn unexpected(&mut self, problems: &mut Problems<'_>) {
        let start = self.at;
        self.at += 1;
        let rest = self.rest();
        self.at += rest.find([' ', '\t', '\n', '\r', '>', '<', '/']).unwrap_or(rest.len());
        let written = self.src.get(start..self.at).unwrap_or("");
        let problem = problems.at(start..self.at, format!("`{written}` is not an attribute"));
        problems.report(problem.with_label("not expected here").help("write attributes as `name=\"value\"`"));
    }

    /// Too many attributes would take quadratic time to compare.
    fn few(&self, attributes: usize, problems: &mut Problems<'_>) -> Option<()> {
        let (what, limit) = if attributes > limits::XML_ATTRIBUTES {
            ("attributes of one element", limits::XML_ATTRIBUTES)
        } else if self.namespaces > limits::XML_NAMESPACES {
            ("namespace declarations", limits::XML_NAMESPACES)
        } else {
            return Some(());
        };
        let mut problem = problems.at(self.at..self.at, format!("more than {limit} {what}"));
        problem.code = Code::E0001;
        problems.report(problem.with_label("the limit is passed here"));
        None
    }

    /// `name="value"`; `None` after reporting an invalid one.
    fn attribute(&mut self, problems: &mut Problems<'_>) -> Option<Raw<'a>> {
        let name_at = self.at;
        let name = self.word();
        let name_range = name_at..self.at;
        self.namespaces += usize::from(name.starts_with("xmlns"));
        self.skip_white();
        if self.peek() != Some(b'=') {
            self.at = name_range.end;
            let problem = problems.at(name_range, format!("the attribute `{name}` has no value"));
            problems.report(problem.with_label("not a value").help(format!("write `{name}=\"...\"`")));
            return None;
        }
        self.at += 1;
        self.skip_white();
        let quote = match self.peek() {
            Some(quote @ (b'"' | b'\'')) => char::from(quote),
            _ => {
                self.unquoted(name, problems);
                return None;
            }
        };
        let open = self.at;
        self.at += 1;
        let value = self.value(open, quote, name, problems)?;
        Some(Raw { name, name_at, value })
    }

    fn unquoted(&mut self, name: &str, problems: &mut Problems<'_>) {
        let start = self.at;
        let rest = self.rest();
        self.at += rest.find([' ', '\t', '\n', '\r', '>', '<']).unwrap_or(rest.len());
        let written = self.src.get(start..self.at).unwrap_or("");
        let value = written.strip_suffix('/').unwrap_or(written);
        self.at = start + value.len();
        let problem = problems.at(start..self.at, format!("the value of `{name}` is not in quotes"));
        problems.report(problem.with_label("no quotes").help(format!("write `{name}=\"{value}\"`")));
    }

    /// The value up to its closing quote.
    fn value(
        &mut self,
        open: usize,
        quote: char,
        name: &str,
        problems: &mut Problems<'_>,
    ) -> Option<Range<usize>> {
        let rest = self.rest();
        let written = rest.find(quote).and_then(|length| rest.get(..length));
        let after = written.and_then(|value| rest.as_bytes().get(value.len() + 1).copied());
        let ends = after.is_none_or(|byte| white(byte) || matches!(byte, b'>' | b'/'));
        match written {
            Some(value) if ends || !(value.contains('<') || value.ends_with('=')) => {
                let range = self.at..self.at + value.len();
                self.at = range.end + 1;
                if let Some(less) = value.find('<') {
                    self.less(range.start + less, name, problems);
                }
                Some(range)
            }
            _ => {
                self.at += rest.find(['>', '<']).unwrap_or(rest.len());
                let message = format!("the value of `{name}` has no closing quote");
                let problem = problems.at(open..open + 1, message).with_label("opened here");
                problems.report(problem.help(format!("write `{quote}` at the end of the value")));
                None
            }
        }
    }

    /// A `<` inside a value.
    fn less(&self, at: usize, name: &str, problems: &mut Problems<'_>) {
        let equal = self.src.get(at + 1..).is_some_and(|rest| rest.starts_with('='));
        let help = match (name, equal) {
            ("when", true) => "write `&lt;=` or the word `le`",
            ("when", false) => "write `&lt;` or the word `lt`",
            _ => "write `&lt;`",
        };
        let mut problem = problems
            .at(at..at + 1, format!("a `<` in the value of `{name}` that is not escaped"))
            .with_label("`<` is not allowed in an attribute")
            .help(help);
        problem.fix = Some(Fix::certain(problems.span(at..at + 1), "&lt;"));
        problems.report(problem);
    }
}
