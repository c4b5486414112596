//! `<wrapper name="run-in" options_with_values="-u --user" operands="1"/>`: a program that runs the
//! command in its arguments. It becomes an entry of `wrappers:` as a hooks file has it.

use hookc_schema::dialect::xml as tables;
use hookc_schema::value::{Kind, Member, Number, Text, Value};
use hookc_schema::{Span, Spanned};

use super::Reader;
use crate::front::xml::{Attribute, Element, Node};

impl Reader<'_> {
    pub(super) fn wrapper(&mut self, element: &Element<'_>) {
        self.known_attributes(element, &tables::WRAPPER);
        for child in &element.children {
            match child {
                Node::Element(child) => self.unknown_element(child, element, &[]),
                Node::Text(text, span) => self.stray(text, *span, element),
            }
        }
        let Some(name) = self.required(element, "name", "company-sudo") else { return };
        let mut members = vec![member(name, text(name))];
        if let Some(options) = element.attribute("options_with_values") {
            members.push(member(options, Kind::Seq(words(options))));
        }
        if let Some(operands) = element.attribute("operands") {
            let count = operands.value.value.trim();
            let is_number = !count.is_empty() && count.bytes().all(|byte| byte.is_ascii_digit());
            let number = Kind::Num(Number(count.to_owned()));
            members.push(member(operands, if is_number { number } else { text(operands) }));
        }
        members.extend(element.attribute("description").map(|about| member(about, text(about))));
        let kind = match members.as_slice() {
            [_] => text(name),
            _ => Kind::Map(members),
        };
        let span = if matches!(kind, Kind::Str(_)) { name.span } else { element.tag };
        self.wrappers.push(Value { span, kind });
    }
}

fn member(attribute: &Attribute<'_>, kind: Kind) -> Member {
    let key = Spanned::new(attribute.name.to_owned(), attribute.name_span);
    Member { key, value: Value { span: attribute.span, kind } }
}

fn text(attribute: &Attribute<'_>) -> Kind {
    Kind::Str(attribute.value.clone())
}

/// The words of an attribute.
fn words(attribute: &Attribute<'_>) -> Vec<Value> {
    let words = attribute.value.value.split_ascii_whitespace();
    let word = |word: &str| Value {
        span: attribute.span,
        kind: Kind::Str(Text { value: word.to_owned(), ..Text::default() }),
    };
    words.map(word).collect()
}

/// The entries as the list of a hooks file, if there are any.
pub(super) fn list(entries: Vec<Value>) -> Option<Value> {
    let span =
        entries.iter().map(|entry| entry.span).reduce(|first, last| Span { end: last.end, ..first })?;
    Some(Value { span, kind: Kind::Seq(entries) })
}
