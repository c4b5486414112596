//! `<set name="ours"><of>@secrets</of></set>`, `<tool name="mcp__files__put" where="write"/>` and
//! `<project path="/work"/>`. They become entries of `sets:`, `tools:` and `project:` as a hooks file has
//! them.

use hookc_schema::dialect::xml as tables;
use hookc_schema::tree::Declarations;
use hookc_schema::value::{Kind, Member, Value};
use hookc_schema::{Span, Spanned};

use super::Reader;
use super::attributes::reserved;
use crate::front::xml::{Attribute, Element, Node};

/// The declarations of a directive about effects.
#[derive(Default)]
pub(super) struct DeclaredElements {
    sets: Vec<Member>,
    tools: Vec<Member>,
    pub(super) programs: Vec<Member>,
    project: Option<Value>,
}

impl DeclaredElements {
    pub(super) fn add_to(self, declarations: &mut Declarations) {
        declarations.sets = mapping(self.sets);
        declarations.tools = mapping(self.tools);
        declarations.programs = mapping(self.programs);
        declarations.project = self.project;
    }
}

/// The entries as a mapping, if there are any.
fn mapping(members: Vec<Member>) -> Option<Value> {
    let spans = members.iter().map(|member| member.key.span.to(member.value.span));
    let span = spans.reduce(|first, last| Span { end: last.end, ..first })?;
    Some(Value { span, kind: Kind::Map(members) })
}

impl Reader<'_> {
    pub(super) fn set(&mut self, element: &Element<'_>) {
        self.known_attributes(element, &tables::SET);
        let mut lists: [Vec<Value>; 2] = Default::default();
        let [of, except] = &mut lists;
        except.extend(element.attribute("except").map(text));
        self.each_pattern(element, &["of", "except"], |name, pattern| {
            let value = Value::new(Kind::Str(pattern.node), pattern.span);
            if name == "of" { of.push(value) } else { except.push(value) }
        });
        let [of, except] = lists.map(|list| Value::new(Kind::Seq(list), element.span));
        let is_plain = except.kind == Kind::Seq(Vec::new());
        let member =
            |name: &str, value| Member { key: Spanned::new(name.to_owned(), element.name_span), value };
        let value = match is_plain {
            true => of,
            false => Value::new(Kind::Map(vec![member("of", of), member("except", except)]), element.span),
        };
        let Some(name) = self.required(element, "name", "ours") else { return };
        if let Some(first) = named(&self.declared.sets, name) {
            return self.again(element.name, name.span, first);
        }
        self.declared.sets.push(entry(name, value));
    }

    pub(super) fn tool(&mut self, element: &Element<'_>) {
        let mut inputs: Vec<Member> = Vec::new();
        for attribute in element.attributes.iter().filter(|attribute| attribute.name != "name") {
            match reserved(attribute.name) {
                true => self.space(attribute),
                false => inputs.push(Member {
                    key: Spanned::new(attribute.name.to_owned(), attribute.name_span),
                    value: text(attribute),
                }),
            }
        }
        let is_unknown = inputs.iter().any(|input| input.key.node == "unknown");
        for child in &element.children {
            match child {
                Node::Element(child) if child.name == "input" => inputs.extend(self.tool_input(child)),
                Node::Element(child) => self.unknown_element(child, element, &["input"]),
                Node::Text(text, span) => self.stray(text, *span, element),
            }
        }
        let unknown = self.boolean(element.attribute("unknown")).is_some_and(|unknown| unknown.node);
        let Some(name) = self.required(element, "name", "mcp__files__put") else { return };
        if let Some(first) = named(&self.declared.tools, name) {
            return self.again(element.name, name.span, first);
        }
        let value = match unknown {
            true => Value::string("unknown", name.span),
            false => {
                inputs.retain(|input| !is_unknown || input.key.node != "unknown");
                Value::new(Kind::Map(inputs), element.span)
            }
        };
        self.declared.tools.push(entry(name, value));
    }

    /// `<input path="edits[*].path" role="write"/>`
    fn tool_input(&mut self, element: &Element<'_>) -> Option<Member> {
        self.known_attributes(element, &tables::TOOL_INPUT);
        self.nothing(element);
        let path = self.required(element, "path", "edits[*].path");
        let role = self.required(element, "role", "write");
        Some(entry(path?, text(role?)))
    }

    pub(super) fn project(&mut self, element: &Element<'_>) {
        self.known_attributes(element, &tables::PROJECT);
        self.nothing(element);
        let Some(path) = self.required(element, "path", "/repo/site") else { return };
        match &self.declared.project {
            Some(first) => self.again("project", path.span, first.span),
            None => self.declared.project = Some(text(path)),
        }
    }
}

pub(super) fn named(members: &[Member], name: &Attribute<'_>) -> Option<Span> {
    members.iter().find(|member| member.key.node == name.value.value).map(|member| member.key.span)
}

pub(super) fn entry(name: &Attribute<'_>, value: Value) -> Member {
    Member { key: Spanned::new(name.value.value.clone(), name.span), value }
}

pub(super) fn text(attribute: &Attribute<'_>) -> Value {
    Value::new(Kind::Str(attribute.value.clone()), attribute.span)
}
