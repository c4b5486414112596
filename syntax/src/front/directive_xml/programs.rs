//! `<program name="mytool" options="-o/--output=WRITE" operands="READ..."/>`: a program as a hooks file describes it in
//! `programs:`.

use hookc_schema::Spanned;
use hookc_schema::value::{Kind, Member, Value};

use super::Reader;
use super::attributes::reserved;
use super::declared::{entry, named, text};
use crate::front::xml::{Element, Node};

/// What a program or a subcommand can contain.
const CHILDREN: &[&str] = &["if", "source", "subcommand"];

impl Reader<'_> {
    pub(super) fn program(&mut self, element: &Element<'_>) {
        let table = self.program_table(element);
        let Some(name) = self.required(element, "name", "mytool") else { return };
        if let Some(first) = named(&self.declared.programs, name) {
            return self.again(element.name, name.span, first);
        }
        self.declared.programs.push(entry(name, table));
    }

    /// The attributes and elements of a program, a subcommand or an `if`.
    fn program_table(&mut self, element: &Element<'_>) -> Value {
        let mut members = Vec::new();
        let is_name = |name: &str| name == "name" && element.name != "if";
        for attribute in element.attributes.iter().filter(|attribute| !is_name(attribute.name)) {
            if reserved(attribute.name) {
                self.space(attribute);
                continue;
            }
            let value = match attribute.value.value.as_str() {
                flag @ ("true" | "false") => Value::new(Kind::Bool(flag == "true"), attribute.span),
                _ => text(attribute),
            };
            members.push(Member { key: Spanned::new(attribute.name.to_owned(), attribute.name_span), value });
        }
        let (mut ifs, mut sources) = (Vec::new(), Vec::new());
        for child in &element.children {
            match child {
                Node::Element(child) if child.name == "if" => ifs.push((child, self.program_table(child))),
                Node::Element(child) if child.name == "source" => sources.push(self.source(child)),
                Node::Element(child) if child.name == "subcommand" => {
                    let table = self.program_table(child);
                    if let Some(name) = self.required(child, "name", "push") {
                        match named(&members, name) {
                            Some(first) => self.again(child.name, name.span, first),
                            None => members.push(entry(name, table)),
                        }
                    }
                }
                Node::Element(child) => self.unknown_element(child, element, CHILDREN),
                Node::Text(text, span) => self.stray(text, *span, element),
            }
        }
        if let Some((first, _)) = ifs.first() {
            let key = Spanned::new("if".to_owned(), first.name_span);
            let span = first.tag;
            let tables = ifs.into_iter().map(|(_, table)| table).collect();
            members.push(Member { key, value: Value::new(Kind::Seq(tables), span) });
        }
        if let Some(first) = sources.first().map(|source: &Value| source.span) {
            let key = Spanned::new("source".to_owned(), first);
            members.push(Member { key, value: Value::new(Kind::Seq(sources), first) });
        }
        Value::new(Kind::Map(members), element.tag)
    }

    /// `<source>mytool 2.1: mytool(1)</source>`
    fn source(&mut self, element: &Element<'_>) -> Value {
        self.known_attributes(element, &hookc_schema::dialect::xml::BARE);
        let (text, span) = self.text(element);
        Value::new(Kind::Str(text), span)
    }
}
