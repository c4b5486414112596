//! Reads a `<hook>`.

use std::collections::HashMap;

use hookc_schema::diag::Reported;
use hookc_schema::dialect::test::Recorded;
use hookc_schema::dialect::xml;
use hookc_schema::tree::{
    Cond, CondKind, EarlierEvent, Example, Family, Hook, Mode, OnError, OnFailure, Section, UncomparedSpan,
};
use hookc_schema::value::{Kind, Number, Text, Value};
use hookc_schema::{Code, Diagnostic, Span, Spanned};

use super::Reader;
use super::condition::XML_ROOM;
use super::value::{any_json, scalar};
use crate::expr;
use crate::front::xml::{Attribute, Element, Node};
use crate::front::{common, text_map};
use crate::limits;

/// The element of an event before that of an example.
const HISTORY: &str = "history";

const CHILDREN: &[&str] = &[
    "directive",
    "action",
    "parameters",
    "inputs",
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
    "description",
    "example",
];

/// The children of a hook by purpose.
#[derive(Default)]
struct Children<'e, 'a> {
    actions: Vec<&'e Element<'a>>,
    parameters: Vec<&'e Element<'a>>,
    conditions: Vec<&'e Element<'a>>,
    whens: Vec<&'e Element<'a>>,
    descriptions: Vec<&'e Element<'a>>,
    examples: Vec<&'e Element<'a>>,
    /// At least one child is unknown.
    unknown: bool,
}

impl Reader<'_> {
    /// Reads a hook; `None` after reporting an error.
    pub(super) fn hook(&mut self, element: &Element<'_>) -> Option<Hook> {
        let before = self.out.errors();
        self.known_attributes(element, &xml::HOOK);
        let children = self.children(element);
        self.no_event(element, &children);
        let attribute = |name: &str| element.attribute(name);
        let id = self.id(attribute("id"));
        let events = self.events(element);
        let priority = self.priority(attribute("priority"));
        let enabled = self.boolean(attribute("enabled"));
        let mode = self.choice(attribute("mode"), Mode::CHOICES);
        let on_error = self.choice(attribute("on_error"), OnError::CHOICES);
        let on_failure = self.choice(attribute("on_failure"), OnFailure::CHOICES);
        let description = self.description(attribute("description"), &children.descriptions);
        let condition = self.hook_condition(element, (&children.conditions, &children.whens));
        if children.actions.is_empty() && !children.unknown {
            self.no_action(element);
        }
        let action = self.hook_action(&children.actions, &children.parameters);
        let examples = children.examples.iter().filter_map(|example| self.example(example)).collect();
        let failed = self.out.errors() > before;
        let (condition, action) = (condition.ok()?, action?);
        (!failed).then_some(Hook {
            span: UncomparedSpan(element.span),
            id,
            events,
            family: Family::Thread,
            section: Section::Hooks,
            priority,
            enabled,
            mode,
            condition,
            action,
            on_error,
            on_failure,
            description,
            examples,
            effects: Vec::new(),
        })
    }

    fn children<'e, 'a>(&mut self, hook: &'e Element<'a>) -> Children<'e, 'a> {
        let mut children = Children::default();
        for child in &hook.children {
            let child = match child {
                Node::Element(child) => child,
                Node::Text(text, span) => {
                    self.stray(text, *span, hook);
                    continue;
                }
            };
            match child.name {
                "directive" | "action" | "execute" => children.actions.push(child),
                "parameters" | "inputs" => children.parameters.push(child),
                name if super::condition::is_condition(name) => children.conditions.push(child),
                "when" => children.whens.push(child),
                "description" => children.descriptions.push(child),
                "example" => children.examples.push(child),
                _ => {
                    children.unknown = true;
                    self.unknown_element(child, hook, CHILDREN);
                }
            }
        }
        children
    }

    fn id(&mut self, attribute: Option<&Attribute<'_>>) -> Option<Spanned<String>> {
        let id = self.string(attribute)?;
        if id.node.trim().is_empty() || id.node.contains('#') {
            let message = format!("`{}` cannot be an id", id.node);
            let wrong = Diagnostic::new(Code::E0210, id.span, message).with_label("invalid id");
            self.out
                .push(wrong.help(
                    "write a non-empty id without `#`; a hook without an id is labelled `<event>#<n>`",
                ));
        }
        Some(id)
    }

    /// Reports E0202 for a hook without an event. In legacy syntax, `<when>` alone selected the
    /// event: the help then suggests the event that it names.
    fn no_event(&mut self, hook: &Element<'_>, children: &Children<'_, '_>) {
        let before = self.out.len();
        if self.required(hook, "event", "error").is_some() || children.whens.is_empty() {
            return;
        }
        let meant = children.whens.first().and_then(|when| event_of(when));
        let meant = meant.as_deref().unwrap_or("...");
        for reported in self.out.iter_mut().skip(before) {
            let note = "earlier editions evaluated every hook at every event; here a hook names its events";
            let help = format!(
                "write `<hook event=\"{meant}\">` with the event to evaluate it at, such as `error` or \
                 `after_step`"
            );
            *reported = reported.clone().note(note).help(help);
        }
    }

    /// The events of `event="a, b"`: one name, or several separated by commas.
    pub(super) fn events(&mut self, hook: &Element<'_>) -> Vec<Spanned<String>> {
        let Some(attribute) = hook.attribute("event") else { return Vec::new() };
        let mut events: Vec<Spanned<String>> = Vec::new();
        let mut seen = HashMap::new();
        let mut at = 0;
        for part in attribute.value.value.split(',') {
            let name = text_map::trim(&text_map::slice(&attribute.value, at..at + part.len()));
            let span = name.map.span(attribute.span, 0..name.value.len());
            at += part.len() + 1;
            if name.value.is_empty() {
                let empty = Diagnostic::new(Code::E0203, attribute.span, "an empty event name");
                self.out.push(
                    empty
                        .with_label("missing name")
                        .help("write `event=\"error\"`, or `event=\"error, limit\"`"),
                );
                return events;
            }
            if let Some(first) = seen.insert(name.value.clone(), span) {
                let message = format!("duplicate event `{}`", name.value);
                let twice = Diagnostic::new(Code::E0212, span, message).with_label("again here");
                self.out.push(twice.also(first, "first here").help("remove one of the two"));
            }
            events.push(Spanned::new(name.value, span));
        }
        events
    }

    fn priority(&mut self, attribute: Option<&Attribute<'_>>) -> Option<Spanned<Number>> {
        let attribute = attribute?;
        match scalar(&attribute.value, attribute.span).map(|value| value.map(|value| value.kind)) {
            Ok(Some(Kind::Num(number))) => return Some(Spanned::new(number, attribute.span)),
            Ok(_) => {
                let message = format!("`priority` must be a number, not `{}`", attribute.value.value);
                let wrong = Diagnostic::new(Code::E0203, attribute.span, message).with_label("not a number");
                self.out.push(wrong.help("write a number: `priority=\"10\"`; a higher priority goes first"));
            }
            Err(wrong) => self.out.push(*wrong),
        }
        None
    }

    pub(super) fn description(
        &mut self,
        attribute: Option<&Attribute<'_>>,
        elements: &[&Element<'_>],
    ) -> Option<Spanned<String>> {
        let mut found = self.string(attribute);
        for element in elements {
            self.known_attributes(element, &xml::BARE);
            let (text, span) = self.text(element);
            match &found {
                Some(first) => self.again("description", element.name_span, first.span),
                None => found = Some(Spanned::new(text.value, span)),
            }
        }
        found
    }

    /// Combines the conditions and `when`s.
    pub(super) fn hook_condition(
        &mut self,
        hook: &Element<'_>,
        (conditions, whens): (&[&Element<'_>], &[&Element<'_>]),
    ) -> Result<Option<Cond>, Reported> {
        let read: Vec<_> = conditions.iter().map(|element| self.condition(element)).collect();
        if let [first, second, ..] = conditions {
            let both = Diagnostic::new(Code::E0205, second.name_span, "more than one condition");
            let both = both.with_label("a second condition").also(first.name_span, "the first one");
            self.out.push(both.help("wrap them in `<all>` if all must be true, in `<any>` if one is enough"));
            return Err(Reported);
        }
        let when = hook.attribute("when");
        let mut texts: Vec<(Text, Span, Span)> =
            when.map(|when| (when.value.clone(), when.span, when.name_span)).into_iter().collect();
        for element in whens {
            self.known_attributes(element, &xml::BARE);
            let (text, span) = self.text(element);
            texts.push((text, span, element.name_span));
        }
        if let [first, second, ..] = texts.as_slice() {
            self.again("when", second.2, first.2);
            return Err(Reported);
        }
        let when = match texts.pop() {
            Some((text, span, _)) => Some(self.expression(&text, span, hook).ok_or(Reported)?),
            None => None,
        };
        let condition = match read.into_iter().next() {
            Some(condition) => Some(condition.ok_or(Reported)?),
            None => None,
        };
        Ok(match (condition, when) {
            (Some(condition), Some(when)) => {
                let span = condition.span.to(when.span);
                Some(Cond { span, kind: CondKind::All([condition, when].into()) })
            }
            (condition, when) => condition.or(when),
        })
    }

    /// Reads a `when`. In legacy syntax, the condition on a limit is only the code of the limit.
    fn expression(&mut self, text: &Text, span: Span, hook: &Element<'_>) -> Option<Cond> {
        let before = self.out.len();
        let room = if matches!(hook.name, "of" | "since") { XML_ROOM } else { limits::NESTING };
        let read = expr::when::parse_within(text, span, room, self.out);
        let limit = hook.attribute("event").is_some_and(|event| event.value.value == "limit");
        for reported in
            self.out.iter_mut().skip(before).filter(|reported| limit && reported.code == Code::E0303)
        {
            reported.help = Some(format!("write `limit_code == '{}'`", text.value));
        }
        read
    }

    /// `<example matches="true"><history at="0s">{...}</history>{...}</example>`
    fn example(&mut self, element: &Element<'_>) -> Option<Example> {
        self.known_attributes(element, &xml::EXAMPLE);
        let matches = self.required(element, "matches", "true");
        let matches = self.boolean(matches);
        let at = self.moment(element);
        let earlier = element.children.iter().filter_map(|child| match child {
            Node::Element(child) if child.name == HISTORY => Some(child),
            _ => None,
        });
        let history: Vec<_> = earlier.map(|child| self.earlier(child)).collect();
        let event = self.event_of_example(element, &[HISTORY])?;
        let history = history.into_iter().collect::<Option<_>>()?;
        Some(Example { event, matches: matches?.node, history, at: at.ok()? })
    }

    fn earlier(&mut self, element: &Element<'_>) -> Option<EarlierEvent> {
        let before = self.out.errors();
        self.known_attributes(element, &xml::EARLIER);
        let at = self.moment(element);
        let outcome = self.choice(element.attribute("outcome"), Recorded::CHOICES);
        let event = self.event_of_example(element, &[])?;
        (self.out.errors() == before).then_some(EarlierEvent { event, at: at.ok()?, outcome })
    }

    fn moment(&mut self, element: &Element<'_>) -> Result<Option<Spanned<String>>, Reported> {
        let at = element.attribute("at").map(|at| Spanned::new(at.value.value.clone(), at.span));
        common::moment(at, self.out)
    }

    fn event_of_example(&mut self, element: &Element<'_>, children: &[&str]) -> Option<Value> {
        let (text, span) = self.text_next_to(element, children);
        match any_json(&text, span) {
            Ok(event) if matches!(event.kind, Kind::Map(_)) => return Some(event),
            Ok(event) => {
                let message = format!("an event must be a JSON object, not {}", event.noun());
                let wrong = Diagnostic::new(Code::E0203, event.span, message).with_label(event.noun());
                self.out.push(wrong.help("write the event as JSON: `{\"error\": {\"code\": \"E1\"}}`"));
            }
            Err(wrong) => self.out.push(*wrong),
        }
        None
    }

    /// Reports E0209 for an element that is allowed only once.
    pub(super) fn again(&mut self, what: &str, span: Span, first: Span) {
        let twice = Diagnostic::new(Code::E0209, span, format!("a second `{what}`")).with_label("again here");
        self.out.push(twice.also(first, "first here").help("remove one of the two"));
    }
}

/// The event that a legacy `<when>` selects: a name alone, or the name that `event.name` is
/// compared with.
fn event_of(when: &Element<'_>) -> Option<String> {
    let [Node::Text(text, _)] = when.children.as_slice() else { return None };
    let text = text.value.trim();
    let word = |text: &str| !text.is_empty() && text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    let name = match text.split_once("event.name ==").or_else(|| text.split_once("thread.event ==")) {
        Some((_, rest)) => rest.trim_start().trim_start_matches(['"', '\'']).split(['"', '\'']).next()?,
        None => text,
    };
    word(name).then(|| name.to_owned())
}
