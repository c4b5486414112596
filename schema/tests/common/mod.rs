//! Shared by the tests: JSON with spans, so that tests can write declarations as text without a
//! front end.

use hookc_schema::value::{Kind, Member, Number, Text, Value};
use hookc_schema::{SourceId, Span, Spanned};

/// Reads well-formed JSON; panics on other text.
pub(crate) fn json(text: &str) -> Value {
    let mut reader = Reader { text, at: 0 };
    let value = reader.value();
    reader.blank();
    assert_eq!(reader.at, text.len(), "one value");
    value
}

struct Reader<'t> {
    text: &'t str,
    at: usize,
}

impl Reader<'_> {
    fn rest(&self) -> &str {
        &self.text[self.at..]
    }

    fn blank(&mut self) {
        self.at = self.text.len() - self.rest().trim_start().len();
    }

    fn eat(&mut self, c: char) -> bool {
        self.blank();
        let found = self.rest().starts_with(c);
        self.at += usize::from(found);
        found
    }

    fn span(&self, start: usize) -> Span {
        Span::new(SourceId(0), start..self.at)
    }

    fn value(&mut self) -> Value {
        self.blank();
        let start = self.at;
        let kind = match self.rest().chars().next().expect("a value") {
            '{' => self.object(),
            '[' => self.array(),
            '"' => Kind::Str(Text::plain(self.string().node)),
            _ => self.scalar(),
        };
        Value::new(kind, self.span(start))
    }

    fn object(&mut self) -> Kind {
        let mut members = Vec::new();
        assert!(self.eat('{'));
        while !self.eat('}') {
            self.blank();
            let key = self.string();
            assert!(self.eat(':'), "a colon at {}", self.at);
            members.push(Member { key, value: self.value() });
            self.eat(',');
        }
        Kind::Map(members)
    }

    fn array(&mut self) -> Kind {
        let mut items = Vec::new();
        assert!(self.eat('['));
        while !self.eat(']') {
            items.push(self.value());
            self.eat(',');
        }
        Kind::Seq(items)
    }

    fn string(&mut self) -> Spanned<String> {
        let start = self.at;
        let mut stream = serde_json::Deserializer::from_str(self.rest()).into_iter::<String>();
        let text = stream.next().expect("a string").expect("a string");
        let length = stream.byte_offset();
        self.at += length;
        Spanned::new(text, self.span(start))
    }

    fn scalar(&mut self) -> Kind {
        let end = self.rest().find(|c: char| ",]} \n".contains(c)).unwrap_or(self.rest().len());
        let word = self.rest()[..end].to_owned();
        self.at += end;
        match word.as_str() {
            "null" => Kind::Null,
            "true" => Kind::Bool(true),
            "false" => Kind::Bool(false),
            _ => Kind::Num(Number(word)),
        }
    }
}
