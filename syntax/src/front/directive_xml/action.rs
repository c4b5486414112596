//! `<action>`, `<directive>`, and their parameters.

use std::collections::HashMap;

use hookc_schema::dialect::xml;
use hookc_schema::tree::{Action, UncomparedSpan};
use hookc_schema::value::{Kind, Member, Value};
use hookc_schema::{Code, Diagnostic, Diagnostics, Span, Spanned};

use super::Reader;
use super::attributes::reserved;
use super::legacy;
use super::value::Declared;
use crate::front::xml::{Attribute, Element, Node};

pub(super) type Param = (Spanned<String>, Value);

/// Parameters in order of writing, each name once.
#[derive(Default)]
pub(super) struct Params {
    pub(super) list: Vec<Param>,
    seen: HashMap<String, Span>,
}

impl Params {
    pub(super) fn add(&mut self, name: Spanned<String>, value: Option<Value>, out: &mut Diagnostics) {
        if let Some(first) = self.seen.insert(name.node.clone(), name.span) {
            let message = format!("duplicate parameter `{}`", name.node);
            let twice = Diagnostic::new(Code::E0102, name.span, message).with_label("again here");
            out.push(twice.also(first, "first here").help("remove one of them"));
        } else if let Some(value) = value {
            self.list.push((name, value));
        }
    }
}

impl Reader<'_> {
    /// E0202
    pub(super) fn no_action(&mut self, hook: &Element<'_>) {
        let none =
            Diagnostic::new(Code::E0202, hook.name_span, "a hook without an action").with_label("no action");
        self.out.push(none.help("write `<directive>path</directive>` or `<action type=\"...\"/>` inside"));
    }

    /// Reads the only action of a hook, with the sibling elements that are its parameters.
    pub(super) fn hook_action(
        &mut self,
        actions: &[&Element<'_>],
        siblings: &[&Element<'_>],
    ) -> Option<Action> {
        if let [first, second, ..] = actions {
            let two =
                Diagnostic::new(Code::E0209, second.name_span, "a second action").with_label("again here");
            let two = two.also(first.name_span, "the first one");
            self.out.push(two.help("a hook has one action: write two hooks"));
        }
        let read: Vec<_> = actions.iter().map(|action| self.action(action, siblings)).collect();
        read.into_iter().next().flatten()
    }

    fn action(&mut self, element: &Element<'_>, siblings: &[&Element<'_>]) -> Option<Action> {
        if legacy::is(element) {
            return self.legacy_action(element, siblings);
        }
        let mut params = Params::default();
        let kind = if element.name == "directive" {
            self.call(element, &mut params)
        } else {
            let kind = self.required(element, "type", "fail");
            let kind = kind.map(|kind| Spanned::new(kind.value.value.clone(), kind.span));
            self.action_params(element, kind.as_ref().map_or("", |kind| &kind.node), &mut params);
            kind
        };
        let name = kind.as_ref().map_or("", |kind| &kind.node);
        for parameters in siblings {
            self.parameters(parameters, name, &mut params);
        }
        Some(Action { span: UncomparedSpan(element.span), kind: kind?, params: params.list, templates: true })
    }

    /// `<directive>path</directive>`
    fn call(&mut self, element: &Element<'_>, params: &mut Params) -> Option<Spanned<String>> {
        for attribute in element.attributes.iter().filter(|attribute| !reserved(attribute.name)) {
            let message = format!("`<directive>` in a hook has no attribute `{}`", attribute.name);
            let unknown =
                Diagnostic::new(Code::E0208, attribute.name_span, message).with_label("unknown attribute");
            let help = "for other parameters write `<action type=\"call_directive\" directive=\"...\" .../>`";
            self.out.push(unknown.help(help));
        }
        element.attributes.iter().for_each(|attribute| self.space(attribute));
        let (text, span) = self.text(element);
        if text.value.is_empty() {
            let empty = Diagnostic::new(Code::E0202, element.name_span, "`<directive>` without a path");
            self.out.push(
                empty.with_label("nothing inside").help("write `<directive>path/of/directive</directive>`"),
            );
        }
        let name = Spanned::new("directive".to_owned(), element.name_span);
        params.add(name, Some(Value::new(Kind::Str(text), span)), self.out);
        Some(Spanned::new("call_directive".to_owned(), element.name_span))
    }

    /// Attributes and children of `<action>`.
    fn action_params(&mut self, element: &Element<'_>, kind: &str, params: &mut Params) {
        for attribute in element.attributes.iter().filter(|attribute| attribute.name != "type") {
            if reserved(attribute.name) {
                self.space(attribute);
                continue;
            }
            let declared = Declared::for_param(self.vocabulary, kind, attribute.name);
            let written = super::value::Written::Plain;
            let value = self.typed(written, &attribute.value, attribute.span, declared);
            params.add(Spanned::new(attribute.name.to_owned(), attribute.name_span), value, self.out);
        }
        for child in &element.children {
            match child {
                Node::Element(child) => match child.name {
                    "param" => self.action_param(child, kind, params),
                    "parameters" | "inputs" => self.parameters(child, kind, params),
                    _ => self.unknown_element(child, element, &["param", "parameters", "inputs"]),
                },
                Node::Text(text, span) => self.stray(text, *span, element),
            }
        }
    }

    pub(super) fn action_param(&mut self, element: &Element<'_>, kind: &str, params: &mut Params) {
        let Some(name) = self.required(element, "name", "key") else { return };
        let declared = Declared::for_param(self.vocabulary, kind, &name.value.value);
        let value = self.param(element, declared);
        params.add(spanned(name), value, self.out);
    }

    /// `<parameters>` or `<inputs>`: the parameter `parameters`.
    fn parameters(&mut self, element: &Element<'_>, kind: &str, params: &mut Params) {
        let declared = Declared::for_param(self.vocabulary, kind, "parameters");
        let empty = element.children.is_empty() && element.attributes.is_empty();
        let value = if empty {
            Some(Value::new(Kind::Map(Vec::new()), element.span))
        } else {
            self.param(element, declared)
        };
        params.add(Spanned::new("parameters".to_owned(), element.name_span), value, self.out);
    }

    /// The value of an entry: its `value=`, its text, or its nested elements. In a `<param>`,
    /// nested `<param>`s with names form an object and those without names a list. In other
    /// elements, an element is an entry named after itself.
    pub(super) fn param(&mut self, element: &Element<'_>, declared: Declared<'_>) -> Option<Value> {
        self.known_attributes(element, if is_param(element) { &xml::PARAM } else { &xml::ENTRY });
        let form = element.attribute("type");
        if let Some(value) = element.attribute("value") {
            self.no_content(element, value);
            let written = self.written(form)?;
            return self.typed(written, &value.value, value.span, declared);
        }
        if element.elements().next().is_none() {
            let written = self.written(form)?;
            let (text, span) = self.text(element);
            return self.typed(written, &text, span, declared);
        }
        if let Some(form) = form {
            let wrong = Diagnostic::new(Code::E0203, form.name_span, "`type` with nested values");
            self.out.push(wrong.with_label("determines how text is read").help("remove `type`"));
        }
        let kind = self.nested(element)?;
        Some(Value::new(kind, element.span))
    }

    /// Reports E0403 for content of an element that has a `value=`.
    fn no_content(&mut self, element: &Element<'_>, value: &Attribute<'_>) {
        let blank = |text: &str| text.bytes().all(|byte| byte.is_ascii_whitespace());
        let content = element.children.iter().find_map(|child| match child {
            Node::Element(child) => Some(child.name_span),
            Node::Text(text, span) => (!blank(&text.value)).then_some(*span),
        });
        if let Some(span) = content {
            let message = format!("`<{}>` has both `value` and content", element.name);
            let two = Diagnostic::new(Code::E0403, span, message).with_label("extra");
            self.out.push(two.also(value.span, "the value").help("remove one of the two"));
        }
    }

    fn nested(&mut self, element: &Element<'_>) -> Option<Kind> {
        let nameless = |child: &Element<'_>| child.name == "param" && child.attribute("name").is_none();
        let list = element.elements().next().is_some_and(nameless);
        let mut elements = Vec::new();
        let mut members = Params::default();
        for child in &element.children {
            let child = match child {
                Node::Element(child) => child,
                Node::Text(text, span) => {
                    self.stray(text, *span, element);
                    continue;
                }
            };
            if is_param(element) && child.name != "param" {
                self.unknown_element(child, element, &["param"]);
                continue;
            }
            let name = match is_param(child) {
                true => child.attribute("name").map(spanned),
                false => Some(Spanned::new(child.name.to_owned(), child.name_span)),
            };
            if name.is_some() == list {
                self.mixed(child, element);
                return None;
            }
            let label = name.as_ref().map_or("", |name| &name.node);
            let value = self.param(child, Declared::inner(label));
            match name.clone() {
                Some(name) => members.add(name, value, self.out),
                None => elements.extend(value),
            }
        }
        let member = |(key, value): Param| Member { key, value };
        Some(if list {
            Kind::Seq(elements)
        } else {
            Kind::Map(members.list.into_iter().map(member).collect())
        })
    }

    fn mixed(&mut self, child: &Element<'_>, parent: &Element<'_>) {
        let message = format!("values with and without a name in `<{}>`", parent.name);
        let mixed =
            Diagnostic::new(Code::E0203, child.name_span, message).with_label("not like the first one");
        self.out.push(
            mixed.help("write `<param name=\"...\">` for an object, `<param>` without names for a list"),
        );
    }
}

/// Whether an element is an entry with its name in an attribute: `<param>`, and `<input>` and
/// `<parameter>` if they have a name.
fn is_param(element: &Element<'_>) -> bool {
    let named = || element.attribute("name").is_some();
    element.name == "param" || (matches!(element.name, "input" | "parameter") && named())
}

fn spanned(attribute: &Attribute<'_>) -> Spanned<String> {
    Spanned::new(attribute.value.value.clone(), attribute.span)
}
