//! JSON values with spans (RFC 8259), as literals of the other languages and on their own.

use std::collections::HashMap;

use hookc_schema::span::Spanned;
use hookc_schema::value::{Kind, Member, Text, Value};
use hookc_schema::{Code, Diagnostic, Diagnostics, Span};

use super::reader::{Quotes, Read, Reader, report};

/// Parses the whole of `text` as one JSON value: strictly RFC 8259, every key
/// of an object once, exponents and nesting within the limits.
pub fn parse(text: &Text, whole: Span, out: &mut Diagnostics) -> Option<Value> {
    let mut reader = Reader::new(text, whole, Code::E0108, Quotes::Json);
    report(reader.json_text(), out)
}

impl Reader<'_> {
    fn json_text(&mut self) -> Read<Value> {
        self.skip_whitespace();
        let value = self.value()?;
        self.skip_whitespace();
        match self.is_done() {
            true => Ok(value),
            false => Err(self.expected("the end of the value").into()),
        }
    }

    /// One JSON value.
    pub(crate) fn value(&mut self) -> Read<Value> {
        let start = self.at;
        let kind = self.value_kind()?;
        Ok(Value::new(kind, self.since(start)))
    }

    fn value_kind(&mut self) -> Read<Kind> {
        if self.at_string() {
            return self.string_text().map(Kind::Str);
        }
        if self.at_number() {
            return self.number().map(Kind::Num);
        }
        match self.byte() {
            b'[' => self.array(),
            b'{' => self.object(),
            _ => self.word(),
        }
    }

    fn word(&mut self) -> Read<Kind> {
        let start = self.at;
        let word = self.take_while(|c| c.is_alphanumeric() || c == '_');
        let kind = match word {
            "null" => Kind::Null,
            "true" => Kind::Bool(true),
            "false" => Kind::Bool(false),
            _ => {
                self.at = start;
                return Err(self.no_value(word).into());
            }
        };
        Ok(kind)
    }

    fn no_value(&self, word: &str) -> Diagnostic {
        if self.byte() == b'\'' {
            let wrong = self.wrong(self.next_range(), "a JSON string needs double quotes");
            return wrong.with_label("a single quote").help("write `\"` instead");
        }
        if self.byte() == b'/' && self.quotes == Quotes::Raw {
            let wrong = self.expected("a value");
            return wrong.help("a pattern in slashes follows `=~`; join several with `or`");
        }
        if word.is_empty() {
            return self
                .expected("a value")
                .help("write a string in quotes, a number, `true`, `false`, `null`, `[...]` or `{...}`");
        }
        let range = self.at..self.at + word.len();
        let lower = word.to_ascii_lowercase();
        let known = ["null", "true", "false"].into_iter().find(|known| *known == lower);
        let wrong = self.wrong(range.clone(), format!("`{}` is not a value", super::reader::excerpt(word)));
        let wrong = wrong.with_label("expected a value");
        match known {
            Some(known) => wrong.did_you_mean(Some(known), self.span(range)),
            None => wrong.help("put text in quotes"),
        }
    }

    fn array(&mut self) -> Read<Kind> {
        let open = self.at;
        self.descend(open)?;
        self.at += 1;
        let mut items = Vec::new();
        self.skip_whitespace();
        while !self.eat("]") {
            items.push(self.value()?);
            self.separator(open, "]")?;
        }
        self.ascend();
        Ok(Kind::Seq(items))
    }

    fn object(&mut self) -> Read<Kind> {
        let open = self.at;
        self.descend(open)?;
        self.at += 1;
        let mut members: Vec<Member> = Vec::new();
        self.skip_whitespace();
        while !self.eat("}") {
            members.push(self.member()?);
            self.separator(open, "}")?;
        }
        self.ascend();
        once_each(&members)?;
        Ok(Kind::Map(members))
    }

    fn member(&mut self) -> Read<Member> {
        if !self.at_string() {
            let wrong = self.expected("a key in quotes");
            return Err(wrong.help("keys are quoted strings: `{\"type\": \"string\"}`").into());
        }
        let start = self.at;
        let key = self.string()?;
        let key = Spanned::new(key, self.since(start));
        self.skip_whitespace();
        if !self.eat(":") {
            return Err(self.expected("`:` and a value").into());
        }
        self.skip_whitespace();
        Ok(Member { key, value: self.value()? })
    }

    /// A comma followed by another element, or the closing bracket, which is not consumed.
    fn separator(&mut self, open: usize, close: &str) -> Read<()> {
        self.skip_whitespace();
        if self.rest().starts_with(close) {
            return Ok(());
        }
        let comma = self.at;
        if !self.eat(",") {
            if let Some(early) = self.ended_early(comma) {
                return Err(early.into());
            }
            let wrong = self.expected(&format!("`,` or `{close}`"));
            return Err(wrong.also(self.span(open..open + 1), "opened here").into());
        }
        self.skip_whitespace();
        if self.rest().starts_with(close) {
            let wrong = self.wrong(comma..comma + 1, format!("a trailing comma before `{close}`"));
            return Err(wrong.with_label("no element follows").help("remove it").into());
        }
        Ok(())
    }
}

/// Rejects an object with a duplicate key.
fn once_each(members: &[Member]) -> Read<()> {
    let mut seen: HashMap<&str, Span> = HashMap::new();
    for member in members {
        let key = &member.key;
        if let Some(first) = seen.insert(&key.node, key.span) {
            let message = format!("duplicate key `{}`", super::reader::excerpt(&key.node));
            let twice = Diagnostic::new(Code::E0102, key.span, message).with_label("again here");
            return Err(twice.also(first, "first here").help("remove one of them").into());
        }
    }
    Ok(())
}
