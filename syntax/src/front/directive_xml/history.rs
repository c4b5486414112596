//! Facts, and conditions about earlier events: `<facts>`, and
//! `<formerly within="30m"><of event="PreToolUse"/><since fact="tested"/></formerly>`.

use std::collections::HashMap;

use hookc_schema::dialect::xml as tables;
use hookc_schema::tree::{
    Cond, CondKind, EventPattern, Extent, Fact, FactPattern, OutcomeWord, PartitionKey, Path, Selection,
    UncomparedSpan,
};
use hookc_schema::{Code, Diagnostic, Spanned};

use super::Reader;
use super::condition::is_condition;
use crate::expr;
use crate::expr::history;
use crate::front::xml::{Attribute, Element, Node};

/// The names of conditions, and what a fact can contain.
const FACT_CHILDREN: &[&str] = &[
    "condition",
    "all",
    "any",
    "not",
    "some",
    "every",
    "true",
    "false",
    "formerly",
    "when",
    "keep",
    "description",
];

/// The names of conditions, and `when`.
const PATTERN_CHILDREN: &[&str] =
    &["condition", "all", "any", "not", "some", "every", "true", "false", "formerly", "when"];

/// The facts of a directive in the order of their first elements.
#[derive(Default)]
pub(super) struct Facts {
    pub(super) list: Vec<Fact>,
    /// The position of each name.
    known: HashMap<String, usize>,
}

impl Facts {
    /// Adds a pattern: facts of one name are alternatives. An invalid fact has none.
    fn add(&mut self, name: Spanned<String>, pattern: Option<FactPattern>) {
        let at = *self.known.entry(name.node.clone()).or_insert(self.list.len());
        match self.list.get_mut(at) {
            Some(fact) => fact.patterns.extend(pattern),
            None => self.list.push(Fact { name, patterns: pattern.into_iter().collect() }),
        }
    }
}

/// The children of a pattern by purpose.
#[derive(Default)]
struct Inside<'e, 'a> {
    conditions: Vec<&'e Element<'a>>,
    whens: Vec<&'e Element<'a>>,
    kept: Vec<&'e Element<'a>>,
    descriptions: Vec<&'e Element<'a>>,
}

impl Reader<'_> {
    /// `<facts>`
    pub(super) fn facts(&mut self, element: &Element<'_>) {
        self.known_attributes(element, &tables::BARE);
        for child in &element.children {
            match child {
                Node::Element(child) if child.name == "fact" => self.fact(child),
                Node::Element(child) => self.unknown_element(child, element, &["fact"]),
                Node::Text(text, span) => self.stray(text, *span, element),
            }
        }
    }

    fn fact(&mut self, element: &Element<'_>) {
        let before = self.out.errors();
        self.known_attributes(element, &tables::FACT);
        let name = self
            .required(element, "name", "edited")
            .map(|name| Spanned::new(name.value.value.clone(), name.span));
        self.out.extend(name.as_ref().and_then(history::unfit));
        self.required(element, "event", "PostToolUse");
        let names = self.events(element);
        let inside = self.inside(element, FACT_CHILDREN);
        let condition = self.hook_condition(element, (&inside.conditions, &inside.whens));
        let description = self.description(element.attribute("description"), &inside.descriptions);
        let keep = inside.kept.iter().filter_map(|kept| self.kept(kept)).collect();
        let outcome = self.choice(element.attribute("outcome"), OutcomeWord::CHOICES);
        let Some(name) = name else { return };
        let pattern = condition.ok().filter(|_| self.out.errors() == before).map(|condition| {
            let pattern = EventPattern { span: UncomparedSpan(element.span), outcome, names, condition };
            FactPattern { pattern, description, keep }
        });
        self.facts.add(name, pattern);
    }

    fn kept(&mut self, element: &Element<'_>) -> Option<Path> {
        self.known_attributes(element, &tables::BARE);
        let (text, span) = self.text(element);
        let path = expr::path::parse(&text, span, self.out)?;
        self.out.extend(history::no_value(&path, "`<keep>`"));
        Some(path)
    }

    fn inside<'e, 'a>(&mut self, element: &'e Element<'a>, known: &[&str]) -> Inside<'e, 'a> {
        let mut inside = Inside::default();
        for child in &element.children {
            let child = match child {
                Node::Element(child) => child,
                Node::Text(text, span) => {
                    self.stray(text, *span, element);
                    continue;
                }
            };
            match child.name {
                name if is_condition(name) => inside.conditions.push(child),
                "when" => inside.whens.push(child),
                "keep" if known.contains(&"keep") => inside.kept.push(child),
                "description" if known.contains(&"description") => inside.descriptions.push(child),
                _ => self.unknown_element(child, element, known),
            }
        }
        inside
    }

    /// `<formerly>`
    pub(super) fn formerly(&mut self, element: &Element<'_>) -> Option<Cond> {
        let before = self.out.errors();
        self.known_attributes(element, &tables::FORMERLY);
        let within = element.attribute("within").and_then(|within| self.extent(within));
        let per = self.choice(element.attribute("per"), PartitionKey::CHOICES);
        let now = self.boolean(element.attribute("including-now")).filter(|now| now.node);
        let (mut of, mut since) = (None, None);
        for child in &element.children {
            match child {
                Node::Element(child) if child.name == "of" => self.only_pattern(child, &mut of),
                Node::Element(child) if child.name == "since" => self.only_pattern(child, &mut since),
                Node::Element(child) => self.unknown_element(child, element, &["of", "since"]),
                Node::Text(text, span) => self.stray(text, *span, element),
            }
        }
        if of.is_none() && self.out.errors() == before {
            let missing = Diagnostic::new(Code::E0202, element.name_span, "`<formerly>` without `<of>`");
            self.out.push(
                missing
                    .with_label("no `<of>`")
                    .help("write `<of event=\"PostToolUse\"/>` or `<of fact=\"edited\"/>` inside"),
            );
        }
        let since = since.map(|(since, _)| since);
        let span = UncomparedSpan(element.span);
        let including_now = now.map(|now| Spanned::new((), now.span));
        let selection = Selection { span, of: of?.0, within, since, per, including_now };
        let cond = Cond { span: element.span, kind: CondKind::Formerly(selection.into()) };
        (self.out.errors() == before).then_some(cond)
    }

    fn extent(&mut self, within: &Attribute<'_>) -> Option<Spanned<Extent>> {
        match history::extent(&within.value.value, within.span) {
            Ok(extent) => Some(Spanned::new(extent, within.span)),
            Err(wrong) => {
                self.out.push(*wrong);
                None
            }
        }
    }

    /// Reads `<of>` or `<since>`, which is there once.
    fn only_pattern(&mut self, element: &Element<'_>, to: &mut Option<(EventPattern, hookc_schema::Span)>) {
        let pattern = self.pattern(element);
        if let Some((_, first)) = to {
            let what = format!("a second `<{}>`", element.name);
            let wrong = Diagnostic::new(Code::E0205, element.name_span, what).with_label("again here");
            self.out.push(
                wrong
                    .also(*first, "the first one")
                    .help("name several events in one: `event=\"Stop, SessionStart\"`"),
            );
        } else if let Some(pattern) = pattern {
            *to = Some((pattern, element.name_span));
        }
    }

    fn pattern(&mut self, element: &Element<'_>) -> Option<EventPattern> {
        let before = self.out.errors();
        self.known_attributes(element, &tables::PATTERN);
        let names = match (element.attribute("fact"), element.attribute("event")) {
            (Some(fact), None) => {
                let name = &fact.value.value;
                self.out.extend(history::no_name(name, fact.span).filter(|_| name.is_empty()));
                vec![Spanned::new(name.clone(), fact.span)]
            }
            (Some(fact), Some(event)) => {
                let what = format!("`<{}>` has both `fact` and `event`", element.name);
                let wrong =
                    Diagnostic::new(Code::E0205, event.name_span, what).with_label("either of the two");
                self.out.push(wrong.also(fact.name_span, "the fact").help("remove one of the two"));
                Vec::new()
            }
            (None, _) => {
                self.required(element, "event", "PostToolUse");
                self.events(element)
            }
        };
        let inside = self.inside(element, PATTERN_CHILDREN);
        let condition = self.hook_condition(element, (&inside.conditions, &inside.whens)).ok()?;
        let outcome = self.choice(element.attribute("outcome"), OutcomeWord::CHOICES);
        let pattern = EventPattern { span: UncomparedSpan(element.span), outcome, names, condition };
        (self.out.errors() == before).then_some(pattern)
    }
}
