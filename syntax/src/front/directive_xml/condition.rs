//! Reads conditions as elements: `<condition/>`, `<all>`, `<any>`, `<not>`, `<formerly>`, `<true/>`, `<false/>`.

use std::borrow::Cow;
use std::sync::Arc;

use hookc_schema::dialect::xml;
use hookc_schema::tree::{Cond, CondKind, PredicateName, Quantified, Quantifier};
use hookc_schema::value::{Kind, Text, Value};
use hookc_schema::{Code, Diagnostic, Spanned};

use super::Reader;
use super::value::{Declared, Written};
use crate::expr;
use crate::expr::path::PathCache;
use crate::front::leaf;
use crate::front::xml::{Attribute, Element, Node};

pub(super) const NAMES: &[&str] =
    &["condition", "all", "any", "not", "some", "every", "true", "false", "formerly"];

/// How deep conditions in attributes of nested elements can be, in addition to the elements.
pub(super) const XML_ROOM: usize = crate::limits::NESTING / 2;

/// Whether an element is a condition.
pub(super) fn is_condition(name: &str) -> bool {
    NAMES.contains(&name) || PredicateName::from_name(name).is_some()
}

impl Reader<'_> {
    /// Reads one condition. The nesting of the XML bounds the recursion.
    pub(super) fn condition(&mut self, element: &Element<'_>) -> Option<Cond> {
        if element.name == "condition" {
            return self.leaf(element);
        }
        if let Some(quantifier) = Quantifier::from_name(element.name) {
            return self.quantified(element, quantifier);
        }
        if element.name == "formerly" {
            return self.formerly(element);
        }
        if let Some(name) = PredicateName::from_name(element.name) {
            return self.predicate(element, name);
        }
        self.known_attributes(element, &xml::BARE);
        let kind = match element.name {
            "all" => CondKind::All(self.several(element)?.into()),
            "any" => CondKind::Any(self.several(element)?.into()),
            "not" => CondKind::Not(Arc::new(self.single(element)?)),
            constant => {
                self.nothing(element);
                CondKind::Const(constant == "true")
            }
        };
        Some(Cond { span: element.span, kind })
    }

    /// `<some as="x" in="path">` with one condition inside.
    fn quantified(&mut self, element: &Element<'_>, quantifier: Quantifier) -> Option<Cond> {
        self.known_attributes(element, &xml::QUANTIFIED);
        let name = self.required(element, "as", "item").map(|name| (name.value.value.clone(), name.span));
        let name = name.map(|(name, span)| Spanned::new(name, span));
        let unfit = name.as_ref().and_then(expr::when::unfit);
        let sound = unfit.is_none();
        self.out.extend(unfit);
        let path = self.required(element, "in", "$.items[*]");
        let path = path.and_then(|path| expr::path::parse(&path.value, path.span, self.out));
        self.out.extend(path.as_ref().and_then(|path| expr::history::no_value(path, "`in`")));
        let cond = self.single(element);
        let kind = Quantified { quantifier, name: name?, path: path?, cond: cond? };
        sound.then(|| Cond { span: element.span, kind: CondKind::Quantified(kind.into()) })
    }

    /// The conditions in an element; `None` if one of them is invalid.
    fn several(&mut self, element: &Element<'_>) -> Option<Vec<Cond>> {
        let mut conditions = Some(Vec::new());
        for child in &element.children {
            let read = match child {
                Node::Element(child) if is_condition(child.name) => self.condition(child),
                Node::Element(child) => {
                    self.unknown_element(child, element, NAMES);
                    None
                }
                Node::Text(text, span) => {
                    self.stray(text, *span, element);
                    continue;
                }
            };
            conditions = conditions.zip(read).map(|(mut conds, condition): (Vec<_>, _)| {
                conds.push(condition);
                conds
            });
        }
        conditions
    }

    fn single(&mut self, element: &Element<'_>) -> Option<Cond> {
        let mut conditions = self.several(element)?;
        if let Some(second) = element.elements().nth(1) {
            let what = format!("more than one condition in `<{}>`", element.name);
            let wrong = Diagnostic::new(Code::E0205, second.name_span, what);
            let wrong = wrong.with_label("a second condition");
            self.out.push(wrong.help("wrap them in `<all>` or `<any>`"));
            return None;
        }
        if conditions.is_empty() {
            let empty = Diagnostic::new(
                Code::E0206,
                element.span,
                format!("`<{}>` without a condition", element.name),
            );
            self.out.push(empty.with_label("nothing inside").help("put one condition inside"));
        }
        conditions.pop()
    }

    /// Reports any content of an element that must be empty.
    pub(super) fn nothing(&mut self, element: &Element<'_>) {
        for child in &element.children {
            match child {
                Node::Element(child) if is_condition(child.name) => {
                    let message = format!("`<{}>` cannot contain a condition", element.name);
                    let wrong =
                        Diagnostic::new(Code::E0208, child.name_span, message).with_label("not allowed here");
                    self.out.push(wrong.help("put `<all>`, `<any>` or `<not>` around conditions"));
                }
                Node::Element(child) => self.unknown_element(child, element, &[]),
                Node::Text(text, span) => self.stray(text, *span, element),
            }
        }
    }

    /// `<condition path= op= value=/>`
    fn leaf(&mut self, element: &Element<'_>) -> Option<Cond> {
        self.known_attributes(element, &xml::CONDITION);
        self.nothing(element);
        let attribute = |name: &str| element.attribute(name);
        let text = |attribute: Option<&Attribute<'_>>| -> Option<Spanned<Cow<'_, Text>>> {
            attribute.map(|attribute| Spanned::new(Cow::Owned(attribute.value.clone()), attribute.span))
        };
        let parts = leaf::Parts {
            span: element.span,
            room: XML_ROOM,
            path: text(attribute("path")),
            op: self.string(attribute("op")).map(|op| Spanned::new(Cow::Owned(op.node), op.span)),
            value: self.leaf_value(element),
            value_path: text(attribute("value_path")),
            ignore_case: self.boolean(attribute("ignore_case")),
            assert_format: self.boolean(attribute("assert_format")),
        };
        leaf::build(parts, &mut PathCache::default(), self.out)
    }

    /// The value. An invalid one is reported and replaced by `null`: the hook is omitted anyway.
    fn leaf_value(&mut self, element: &Element<'_>) -> Option<Value> {
        let form = element.attribute("type");
        let Some(value) = element.attribute("value") else {
            if let Some(form) = form {
                let alone = Diagnostic::new(Code::E0403, form.name_span, "`type` without `value`");
                self.out.push(
                    alone
                        .with_label("determines how `value` is read")
                        .help("write `value=\"...\"` or remove `type`"),
                );
            }
            return None;
        };
        let null = Value::new(Kind::Null, value.span);
        let Some(written) = self.written(form) else { return Some(null) };
        let Some(read) = self.typed(written, &value.value, value.span, Declared::inner("")) else {
            return Some(null);
        };
        let op = element.attribute("op").map_or("", |op| op.value.value.as_str());
        let takes = match op {
            "in" => "an array",
            "matches" => "a schema",
            _ => return Some(read),
        };
        if matches!(read.kind, Kind::Str(_)) {
            let message = format!("`{op}` takes {takes}, not a string");
            let wrong = Diagnostic::new(Code::E0402, value.span, message).with_label("a string");
            let example = if op == "in" { r#"value='["a", "b"]'"# } else { r#"value='{"type": "string"}'"# };
            let help = match written {
                Written::Json => format!("write {takes}: `{example}`"),
                _ => format!("write it as JSON: `type=\"json\" {example}`"),
            };
            self.out.push(wrong.help(help));
        }
        Some(read)
    }
}
