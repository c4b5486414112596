//! Parses JSON, with optional comments and trailing commas, to spanned values.
//!
//! `jsonc-parser` is the parser, with all its extensions disabled except these two; `string.rs`
//! maps each byte of a string to the source, `tokens.rs` finds everything besides values,
//! `problem.rs` describes errors. Time and memory are linear in the text.

mod problem;
mod string;
mod tokens;

use std::collections::HashMap;

use hookc_schema::agents::Fault;
use hookc_schema::value::{Kind, Member, Number, Text, Value};
use hookc_schema::{Code, Diagnostic, Diagnostics, SourceId, Span, Spanned};
use jsonc_parser::common::Ranged;
use jsonc_parser::{CollectOptions, CommentCollectionStrategy, ParseOptions, ast};

use crate::limits;

/// A JSON text: its value, and what else is in it.
#[derive(Debug)]
pub struct Document {
    /// The value. Its objects have all members as written, including repeated ones.
    pub value: Value,
    /// Members whose key occurs earlier in the same object.
    pub repeats: Vec<Repeat>,
    /// What standard JSON does not have: the first of each kind.
    pub deviations: Vec<(Fault, Span)>,
}

impl Document {
    /// The value of a text in a notation that rejects repeated keys itself.
    #[must_use]
    pub fn without_repeats(value: Value) -> Self {
        Self { value, repeats: Vec::new(), deviations: Vec::new() }
    }
}

/// A repeated key of an object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Repeat {
    /// The repeated key.
    pub again: Spanned<String>,
    /// The first occurrence.
    pub first: Span,
}

/// Reads a text. `None` if it is not well-formed. Comments, trailing commas and a byte order mark
/// are accepted and reported once each.
pub fn read(text: &str, source: SourceId, out: &mut Diagnostics) -> Option<Document> {
    if text.len() > limits::SOURCE_BYTES {
        let message = format!("the source is larger than {} bytes", limits::SOURCE_BYTES);
        out.push(Diagnostic::new(Code::E0001, Span::new(source, 0..0), message).help("split the file"));
        return None;
    }
    let body = text.strip_prefix('\u{feff}').unwrap_or(text);
    let (base, repeats, deviations) = (text.len() - body.len(), Vec::new(), Vec::new());
    let mut reader = Reader { body, source, base, repeats, deviations, out };
    let value = reader.read()?;
    Some(Document { value, repeats: reader.repeats, deviations: reader.deviations })
}

/// A value whose objects have only the last of each repeated member, as in JavaScript.
#[must_use]
pub fn last(value: &Value) -> Value {
    let kind = match &value.kind {
        Kind::Seq(items) => Kind::Seq(items.iter().map(last).collect()),
        Kind::Map(members) => Kind::Map(last_members(members)),
        other => other.clone(),
    };
    Value::new(kind, value.span)
}

fn last_members(members: &[Member]) -> Vec<Member> {
    let mut places: HashMap<&str, usize> = HashMap::with_capacity(members.len());
    let mut kept: Vec<Member> = Vec::with_capacity(members.len());
    for member in members {
        let new = Member { key: member.key.clone(), value: last(&member.value) };
        match places.get(member.key.node.as_str()).and_then(|&at| kept.get_mut(at)) {
            Some(old) => *old = new,
            None => {
                places.insert(&member.key.node, kept.len());
                kept.push(new);
            }
        }
    }
    kept
}

/// The extensions that the parser accepts: comments and trailing commas.
const LENIENT: ParseOptions = ParseOptions {
    allow_comments: true,
    allow_trailing_commas: true,
    allow_loose_object_property_names: false,
    allow_missing_commas: false,
    allow_single_quoted_strings: false,
    allow_hexadecimal_numbers: false,
    allow_unary_plus_numbers: false,
    allow_bare_decimal_point_numbers: false,
    allow_non_finite_numbers: false,
    allow_extended_string_escapes: false,
};

/// The text cannot be read any further; the error was reported.
struct Stop;

struct Reader<'a, 'o> {
    /// The text without its byte order mark.
    body: &'a str,
    source: SourceId,
    /// Its start in the source.
    base: usize,
    repeats: Vec<Repeat>,
    deviations: Vec<(Fault, Span)>,
    out: &'o mut Diagnostics,
}

impl Reader<'_, '_> {
    fn read(&mut self) -> Option<Value> {
        let body = self.body;
        let collect = CollectOptions { comments: CommentCollectionStrategy::AsTokens, tokens: true };
        let parsed = match jsonc_parser::parse_to_ast(body, &collect, &LENIENT) {
            Ok(parsed) => parsed,
            Err(error) => {
                let range = error.range();
                let new = problem::diagnostic(error.kind(), body, range.start..range.end, |range| {
                    self.span(range.start, range.end)
                });
                self.out.push(new);
                return None;
            }
        };
        let seen = tokens::scan(body, parsed.tokens.as_deref().unwrap_or_default());
        if let Some(at) = seen.strange {
            self.out.push(self.strange(at));
            return None;
        }
        self.lenient(&seen);
        match parsed.value {
            Some(value) => self.value(&value, limits::NESTING).ok(),
            None => {
                let new = Diagnostic::new(Code::E0108, self.span(0, 0), "the text contains no value");
                self.out.push(new.with_label("empty").help("for an empty object, write `{}`"));
                None
            }
        }
    }

    fn span(&self, start: usize, end: usize) -> Span {
        Span::new(self.source, self.base + start..self.base + end.max(start))
    }

    /// The diagnostic for whitespace that JSON does not allow.
    fn strange(&self, at: usize) -> Diagnostic {
        let found = self.body.get(at..).and_then(|rest| rest.chars().next()).unwrap_or(' ');
        let message = format!("U+{:04X} is not whitespace in JSON", u32::from(found));
        let new = Diagnostic::new(Code::E0108, self.span(at, at + found.len_utf8()), message);
        new.with_label("not a plain space").help("write a plain space")
    }

    /// One warning per kind of extension, at its first occurrence.
    fn lenient(&mut self, seen: &tokens::Findings) {
        if self.base > 0 {
            let (message, at) = ("the text starts with a byte order mark", Span::new(self.source, 0..0));
            let new = Diagnostic::new(Code::W0230, at, message).with_label("before this");
            self.out.push(new.help("save the file as UTF-8 without it"));
            self.deviations.push((Fault::Mark, at));
        }
        self.deviation(Fault::Comment, &seen.comments, "comments");
        self.deviation(Fault::Comma, &seen.commas, "trailing commas");
    }

    /// Reports one kind of text that standard JSON does not have.
    fn deviation(&mut self, fault: Fault, found: &tokens::Occurrences, many: &str) {
        let Some(first) = &found.first else { return };
        let at = self.span(first.start, first.end);
        let (message, label) = match found.count {
            1 => (format!("{} is not valid JSON", fault.name()), "accepted by hookc"),
            count => (format!("{count} {many} are not valid JSON"), "the first one, accepted by hookc"),
        };
        let new = Diagnostic::new(Code::W0230, at, message).with_label(label);
        self.out.push(new.help("remove it: other programs may reject the file"));
        self.deviations.push((fault, at));
    }

    fn value(&mut self, value: &ast::Value<'_>, room: usize) -> Result<Value, Stop> {
        let range = value.range();
        let span = self.span(range.start, range.end);
        let kind = match value {
            ast::Value::NullKeyword(_) => Kind::Null,
            ast::Value::BooleanLit(literal) => Kind::Bool(literal.value),
            ast::Value::NumberLit(literal) => Kind::Num(Number(literal.value.to_owned())),
            ast::Value::StringLit(literal) => Kind::Str(self.text(literal)?),
            ast::Value::Array(_) | ast::Value::Object(_) if room == 0 => return self.too_deep(span),
            ast::Value::Array(array) => {
                let items = array.elements.iter().map(|item| self.value(item, room - 1));
                Kind::Seq(items.collect::<Result<_, _>>()?)
            }
            ast::Value::Object(object) => Kind::Map(self.members(object, room - 1)?),
        };
        Ok(Value::new(kind, span))
    }

    fn members(&mut self, object: &ast::Object<'_>, room: usize) -> Result<Vec<Member>, Stop> {
        let mut seen: HashMap<String, Span> = HashMap::with_capacity(object.properties.len());
        let mut members = Vec::with_capacity(object.properties.len());
        for property in &object.properties {
            let ast::ObjectPropName::String(name) = &property.name else { continue };
            let range = name.range();
            // Without the quotes, so that a fix can replace the name.
            let span = self.span(range.start + 1, range.end.saturating_sub(1));
            let key = Spanned::new(self.text(name)?.value, span);
            match seen.get(&key.node) {
                Some(&first) => self.repeats.push(Repeat { again: key.clone(), first }),
                None => drop(seen.insert(key.node.clone(), key.span)),
            }
            members.push(Member { key, value: self.value(&property.value, room)? });
        }
        Ok(members)
    }

    fn text(&mut self, literal: &ast::StringLit<'_>) -> Result<Text, Stop> {
        let range = literal.range();
        let raw = self.body.get(range.start..range.end).unwrap_or("");
        string::text(raw, self.base + range.start).map_err(|control| {
            let at = range.start + control.at;
            let message = format!("a bare control character U+{:04X} in a string", u32::from(control.is));
            let new =
                Diagnostic::new(Code::E0108, self.span(at, at + 1), message).with_label("this character");
            self.out.push(new.help(format!("write it as `{}`", control.escape())));
            Stop
        })
    }

    fn too_deep<T>(&mut self, span: Span) -> Result<T, Stop> {
        let message = format!("values are nested deeper than {}", limits::NESTING);
        let span = Span { end: span.start + 1, ..span };
        self.out.push(Diagnostic::new(Code::E0103, span, message).with_label("exceeds the limit"));
        Err(Stop)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reported(text: &str) -> (Option<Document>, Vec<(Code, String, String)>) {
        let mut out = Diagnostics::new();
        let read = read(text, SourceId(0), &mut out);
        let place = |d: &Diagnostic| text.get(d.span().unwrap().range()).unwrap().to_owned();
        (read, out.iter().map(|d| (d.code, place(d), d.message.clone())).collect())
    }

    #[test]
    fn extensions_are_reported_once_each() {
        let text = "\u{feff}{ // a\n \"a\": [1, 2,], /* b */ \"b\": {\"c\": 1,}, }";
        let (read, reported) = reported(text);
        assert!(read.is_some_and(|read| read.repeats.is_empty()));
        let reported: Vec<_> = reported.iter().map(|(code, place, _)| (*code, place.as_str())).collect();
        assert_eq!(reported, [(Code::W0230, ""), (Code::W0230, "// a"), (Code::W0230, ",")]);
    }

    #[test]
    fn strings_keep_their_spans() {
        let text = r#"{"k\u0065y": "a\n\ud83d\ude00b"}"#;
        let value = read(text, SourceId(0), &mut Diagnostics::new()).unwrap().value;
        let inner = value.get("key").unwrap();
        let part = |range| text.get(inner.span_within(range).range()).unwrap();
        assert_eq!(inner.as_str(), Some("a\n\u{1f600}b"));
        assert_eq!(part(1..2), "\\n");
        assert_eq!(part(2..6), "\\ud83d\\ude00");
        assert_eq!(part(6..7), "b");
    }

    #[test]
    fn json_errors_are_reported_at_their_span() {
        let deep = format!("{}{}", "[".repeat(200), "]".repeat(200));
        let table = [
            ("{\"a\": 1 \"b\": 2}", ""),
            ("{a: 1}", "a"),
            ("{'a': 1}", "'"),
            ("[0x1F]", "0"),
            ("[+1]", "+"),
            ("[.5]", "."),
            ("[NaN]", "NaN"),
            ("[\"\\x41\"]", "\\"),
            ("[\"a\tb\"]", "\t"),
            ("[1\u{a0}]", "\u{a0}"),
            ("{\"a\": [1, 2}", "}"),
            ("[\"\\ud800\"]", "\\"),
        ];
        for (text, place) in table {
            let (read, reported) = reported(text);
            assert!(read.is_none(), "{text}");
            assert_eq!(reported.len(), 1, "{text}: {reported:?}");
            assert_eq!(reported[0].0, Code::E0108, "{text}");
            assert!(reported[0].1.starts_with(place), "{text}: {reported:?}");
        }
        assert_eq!(reported(&deep).1[0].0, Code::E0103);
        assert_eq!(reported(&"[".repeat(100_000)).1[0].0, Code::E0103);
        assert_eq!(reported("").1[0].0, Code::E0108);
    }

    #[test]
    fn a_string_that_is_not_closed_is_reported_where_it_opens() {
        let table = [
            ("{\"a\": \"b}\n", 6),
            ("{\"a\": \"b},\n \"c\": 1}", 6),
            ("{\"a\": \"b},\r\n \"c\": \"d\"}", 6),
            ("// \"x\n{\"a\": /* \"y\n */ \"b\\\"},\n \"c\": 1}", 22),
            ("{\"a\": 1 / 2, \"b\": \"c},\n\"d\": 1}", 8),
            ("{\"a: \"b\"}", 6),
            ("{\"a\": \"b \"c\" d\"}", 10),
        ];
        for (text, start) in table {
            let mut out = Diagnostics::new();
            assert!(read(text, SourceId(0), &mut out).is_none(), "{text}");
            let spans: Vec<_> = out.iter().map(|new| new.span().unwrap().start).collect();
            assert_eq!(spans, [start], "{text}: {out:?}");
        }
    }

    #[test]
    fn repeated_keys_are_named_and_kept() {
        let (read, reported) = reported(r#"{"a": 1, "b": {"a": 2, "a": 3}, "a": 4}"#);
        let read = read.unwrap();
        assert!(reported.is_empty());
        assert_eq!(read.repeats.len(), 2);
        assert!(matches!(&read.value.kind, Kind::Map(members) if members.len() == 3));
        let last = last(&read.value);
        assert!(matches!(&last.kind, Kind::Map(members) if members.len() == 2));
        assert_eq!(last.get("a").unwrap().kind, Kind::Num(Number("4".to_owned())));
    }
}
