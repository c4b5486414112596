//! Reads actions in legacy syntax: `<action primary= item_type= item_id=>` with `<param>`s, and
//! `<execute item_type=>name</execute>` with a sibling `<inputs>`.

use hookc_schema::Spanned;
use hookc_schema::dialect::xml;
use hookc_schema::tree::Action;
use hookc_schema::value::{Kind, Text, Value};

use super::Reader;
use super::action::Params;
use super::value::Declared;
use crate::front::legacy::LegacyAction;
use crate::front::xml::{Attribute, Element, Node};

/// Whether an action uses legacy syntax.
pub(super) fn is(element: &Element<'_>) -> bool {
    let has_legacy_attribute = || xml::LEGACY_ACTION.names().any(|name| element.attribute(name).is_some());
    element.name == "execute"
        || (element.name == "action" && element.attribute("type").is_none() && has_legacy_attribute())
}

impl Reader<'_> {
    /// Reads such an action; its parameters may be sibling elements.
    pub(super) fn legacy_action(
        &mut self,
        element: &Element<'_>,
        siblings: &[&Element<'_>],
    ) -> Option<Action> {
        let start = self.out.errors();
        self.known_attributes(element, &xml::LEGACY_ACTION);
        let attribute = |name: &str| element.attribute(name);
        let item_id = attribute("item_id").map(|id| Spanned::new(id.value.clone(), id.span));
        let mut params = Params::default();
        let item_id = match item_id {
            None if element.name == "execute" => Some(self.named(element)),
            given => {
                self.legacy_params(element, &mut params);
                given
            }
        };
        for inputs in siblings {
            self.inputs(inputs, &mut params);
        }
        let string = |found: Option<&Attribute<'_>>| {
            found.map(|found| Spanned::new(found.value.value.clone(), found.span))
        };
        let legacy = LegacyAction {
            span: element.span,
            at: element.name_span,
            primary: string(attribute("primary")),
            item_type: string(attribute("item_type")),
            item_id: item_id.filter(|id| !id.node.value.is_empty()),
            params: params.list,
            position: None,
        };
        let sound = self.out.errors() == start;
        if sound { legacy.lower(self.out) } else { None }
    }

    /// The text of `<execute>`.
    fn named(&mut self, element: &Element<'_>) -> Spanned<Text> {
        let (text, span) = self.text(element);
        Spanned::new(text, span)
    }

    fn legacy_params(&mut self, element: &Element<'_>, params: &mut Params) {
        for child in &element.children {
            match child {
                Node::Element(child) => match child.name {
                    "param" => self.action_param(child, "", params),
                    "params" | "parameters" | "inputs" => self.inputs(child, params),
                    _ => self.unknown_element(child, element, &["param", "params"]),
                },
                Node::Text(text, span) => self.stray(text, *span, element),
            }
        }
    }

    /// The entries of `<inputs>`, each a parameter.
    fn inputs(&mut self, element: &Element<'_>, params: &mut Params) {
        if element.children.is_empty() && element.attributes.is_empty() {
            return;
        }
        if let Some(Value { kind: Kind::Map(members), .. }) = self.param(element, Declared::inner("")) {
            for member in members {
                params.add(member.key, Some(member.value), self.out);
            }
        }
    }
}
