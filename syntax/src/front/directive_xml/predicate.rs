//! Predicates about effects as elements: `<reads except="test/**"><of>@secrets</of></reads>`.

use hookc_schema::dialect::xml as tables;
use hookc_schema::tree::{Cond, CondKind, Guard, Pattern, Predicate, PredicateName, UncomparedSpan};
use hookc_schema::{Code, Diagnostic, Spanned};

use super::Reader;
use crate::front::xml::{Element, Node};

const LISTS: &[&str] = &["of", "except", "by", "not-by"];

impl Reader<'_> {
    pub(super) fn predicate(&mut self, element: &Element<'_>, name: PredicateName) -> Option<Cond> {
        let before = self.out.errors();
        if !matches!(name, PredicateName::Guard { .. }) {
            self.known_attributes(element, &tables::BARE);
        }
        let predicate = match name {
            PredicateName::Guard { .. } => Predicate::Guard(self.guard(element, name)?),
            PredicateName::Only => Predicate::Only(self.guards(element)),
            PredicateName::Unknown => {
                self.nothing(element);
                Predicate::Unknown
            }
            PredicateName::Mentions => Predicate::Mentions(self.patterns(element)),
            PredicateName::Passed => Predicate::Passed(self.patterns(element)),
        };
        let kind = CondKind::Predicate(predicate.into());
        (self.out.errors() == before).then_some(Cond { span: element.span, kind })
    }

    fn guard(&mut self, element: &Element<'_>, name: PredicateName) -> Option<Guard> {
        let PredicateName::Guard { verb, is_possible } = name else { return None };
        self.known_attributes(element, &tables::GUARD);
        let mut guard = Guard::new(UncomparedSpan(element.span), verb, is_possible);
        for attribute in &element.attributes {
            let pattern = || Spanned::new(attribute.value.clone(), attribute.span);
            match attribute.name {
                "except" => guard.except.push(pattern()),
                "by" => guard.by.push(pattern()),
                "not-by" => guard.not_by.push(pattern()),
                _ => {}
            }
        }
        self.each_pattern(element, LISTS, |list, pattern| match list {
            "of" => guard.of.push(pattern),
            "except" => guard.except.push(pattern),
            "by" => guard.by.push(pattern),
            _ => guard.not_by.push(pattern),
        });
        if !guard.by.is_empty() && !guard.not_by.is_empty() {
            let what = format!("`<{}>` has both `by` and `not-by`", element.name);
            let new = Diagnostic::new(Code::E0205, element.name_span, what).with_label("either of the two");
            self.out.push(new.help("remove one of the two"));
        }
        Some(guard)
    }

    fn guards(&mut self, only: &Element<'_>) -> Vec<Guard> {
        let mut guards = Vec::new();
        for child in &only.children {
            match child {
                Node::Element(child) => match PredicateName::from_name(child.name) {
                    Some(name @ PredicateName::Guard { is_possible: false, .. }) => {
                        guards.extend(self.guard(child, name));
                    }
                    _ => self.unknown_element(child, only, &PredicateName::certain()),
                },
                Node::Text(text, span) => self.stray(text, *span, only),
            }
        }
        guards
    }

    /// The patterns of `<mentions>` and `<passed>`.
    fn patterns(&mut self, element: &Element<'_>) -> Vec<Pattern> {
        let mut patterns = Vec::new();
        self.each_pattern(element, &["of"], |_, pattern| patterns.push(pattern));
        patterns
    }

    /// Calls `each` with the name and the text of the elements inside.
    pub(super) fn each_pattern(
        &mut self,
        element: &Element<'_>,
        known: &[&str],
        mut each: impl FnMut(&str, Pattern),
    ) {
        for child in &element.children {
            match child {
                Node::Element(child) if known.contains(&child.name) => {
                    self.known_attributes(child, &tables::BARE);
                    let (text, span) = self.text(child);
                    each(child.name, Spanned::new(text, span));
                }
                Node::Element(child) => self.unknown_element(child, element, known),
                Node::Text(text, span) => self.stray(text, *span, element),
            }
        }
    }
}
