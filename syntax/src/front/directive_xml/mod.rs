//! Directive XML, bare or in a Markdown fence.
//!
//! ```xml
//! <directive name="deploy" version="1.0.0">
//!   <hooks>
//!     <hook event="error" when="classification.category == 'rate_limited'">
//!       <directive>ops/backoff</directive>
//!       <parameters><wait>${error.headers['retry-after']}</wait></parameters>
//!     </hook>
//!   </hooks>
//! </directive>
//! ```
//!
//! Hooks are in `<hooks>`, directly under `<directive>` or in its `<metadata>`. The rest of a
//! directive is ignored. Inside `<hooks>`, an unknown element, attribute or text is an error.

mod action;
mod attributes;
mod condition;
mod declared;
mod front_matter;
mod history;
mod hook;
mod legacy;
mod notation;
mod predicate;
mod programs;
mod value;
mod wrapper;

pub(crate) use value::{Declared, reads_as};

use std::ops::Range;

use hookc_schema::decode::listed;
use hookc_schema::dialect::xml as tables;
use hookc_schema::suggest::nearest;
use hookc_schema::tree::{Hook, Policy, PredicateName};
use hookc_schema::value::{Text, TextMap, Value};
use hookc_schema::vocab::Vocabulary;
use hookc_schema::{Code, Diagnostic, Diagnostics, SourceId, Span};

use self::declared::DeclaredElements;
use super::shape::no_hooks;
use super::xml::{self, Element, Node};
use super::{markdown, text_map};
use crate::limits;

/// Reads a directive; `name` is the path of its file. `vocabulary` has the types of action parameters.
pub fn read(
    (name, text): (&str, &str),
    source: SourceId,
    vocabulary: &Vocabulary,
    out: &mut Diagnostics,
) -> Policy {
    let mut policy = Policy::empty(source);
    let whole = Span::new(source, 0..text.len());
    let mut reported = Diagnostics::new();
    if text.len() > limits::SOURCE_BYTES {
        let message = format!("the source is larger than {} bytes", limits::SOURCE_BYTES);
        reported.push(Diagnostic::new(Code::E0001, Span::new(source, 0..0), message));
    } else {
        let matter = front_matter::hooks(text, source, &mut reported);
        reported.extend(notation::encoding(text, source));
        let bare = matter.is_some() && !is_xml(text) && markdown::xml_fence(text).is_none();
        if !bare
            && let Some(xml) = xml_of((name, text), whole, &mut reported)
            && let Some(root) = xml::read(&xml, whole, &mut reported)
        {
            let declared = DeclaredElements::default();
            let facts = history::Facts::default();
            let mut reader = Reader { vocabulary, wrappers: Vec::new(), declared, facts, out: &mut reported };
            policy.hooks = reader.directive(&root);
            policy.facts = reader.facts.list;
            policy.declarations.wrappers = wrapper::list(reader.wrappers);
            reader.declared.add_to(&mut policy.declarations);
            reported.extend(later(text).map(|range| unread(Span::new(source, range))));
        }
        policy.hooks.extend(matter.into_iter().flatten());
    }
    reported.sort();
    out.append(&mut reported);
    policy
}

/// Whether a text is XML itself, not Markdown that may contain XML: it starts with an XML
/// declaration, or its first tag belongs to this dialect.
#[must_use]
pub fn is_xml(text: &str) -> bool {
    let rest = prolog_end(text);
    let tag = |name: &str| {
        let after = rest.strip_prefix('<').and_then(|rest| rest.strip_prefix(name));
        after.is_some_and(|after| after.starts_with([' ', '\t', '\r', '\n', '>', '/']))
    };
    let declared = text.trim_start_matches('\u{feff}').starts_with("<?xml");
    declared || rest.starts_with("<!DOCTYPE") || ["directive", "hooks", "hook"].into_iter().any(tag)
}

/// The text after leading whitespace, comments and processing instructions.
fn prolog_end(text: &str) -> &str {
    let mut rest = text.trim_start_matches('\u{feff}').trim_start();
    loop {
        let end = if rest.starts_with("<!--") {
            rest.find("-->").map(|at| at + 3)
        } else if rest.starts_with("<?") {
            rest.find("?>").map(|at| at + 2)
        } else {
            return rest;
        };
        let Some(after) = end.and_then(|end| rest.get(end..)) else { return rest };
        rest = after.trim_start();
    }
}

/// The XML of a source: the source itself, or its first `xml` fence.
fn xml_of((name, text): (&str, &str), whole: Span, out: &mut Diagnostics) -> Option<Text> {
    let bare = || Text { value: text.to_owned(), map: TextMap::Shift(0) };
    if is_xml(text) {
        return Some(bare());
    }
    if let Some(fence) = markdown::xml_fence(text) {
        return Some(fence);
    }
    let tag = prolog_end(text).strip_prefix('<');
    if tag.is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_alphabetic())) {
        return Some(bare());
    }
    let is_xml_file = name.rsplit_once('.').is_some_and(|(_, ending)| ending.eq_ignore_ascii_case("xml"));
    if is_xml_file {
        match foreign(text, whole) {
            Some(new) => out.push(new),
            // The parser reports that the text is empty.
            None => return Some(bare()),
        }
        return None;
    }
    let none =
        Diagnostic::new(Code::E0113, Span { end: whole.start, ..whole }, "no ```xml fence in this file");
    out.push(
        none.with_label("read as Markdown").help(
            "put the directive into a fence: a line ```xml, then `<directive>...</directive>`, then ```",
        ),
    );
    None
}

/// The diagnostic for an XML file with other content; `None` for an empty one.
fn foreign(text: &str, whole: Span) -> Option<Diagnostic> {
    let content = text.trim_start_matches('\u{feff}').trim_start();
    let line = content.lines().next()?.trim_end();
    let excerpt: String = line.chars().take(EXCERPT).collect();
    let more = if excerpt.len() < line.len() { "..." } else { "" };
    let start = whole.start + u32::try_from(text.len() - content.len()).unwrap_or(0);
    let place = Span { start, end: start + u32::try_from(excerpt.len()).unwrap_or(0), ..whole };
    let message = format!("this is not XML: the file starts with `{excerpt}{more}`");
    let new = Diagnostic::new(Code::E0111, place, message).with_label("expected `<`");
    Some(new.help(
        "write `<directive name=\"...\">...</directive>`; a file in another format needs its own ending, such as \
         `.yaml`, `.json` or `.md`",
    ))
}

/// How many characters of a file's first line a message has.
const EXCERPT: usize = 30;

/// The range of the first hook in a later fence, which is not read.
fn later(text: &str) -> Option<Range<usize>> {
    if is_xml(text) { None } else { markdown::later(text, "<hook") }
}

fn unread(span: Span) -> Diagnostic {
    let new = Diagnostic::new(Code::W0282, span, "these hooks are not read").with_label("in a later fence");
    new.help("hookc reads the first ```xml fence of a Markdown file: move them there")
}

const HOOKS_CHILDREN: &[&str] = &["hook", "facts", "wrapper", "program", "set", "tool", "project"];

/// The state of reading one directive.
struct Reader<'r> {
    vocabulary: &'r Vocabulary,
    /// The declared wrappers, as a hooks file has them.
    wrappers: Vec<Value>,
    declared: DeclaredElements,
    facts: history::Facts,
    out: &'r mut Diagnostics,
}

impl Reader<'_> {
    fn directive(&mut self, root: &Element<'_>) -> Vec<Hook> {
        let mut hooks = Vec::new();
        if root.name == "hooks" {
            let wrong = self.root(root, "the root element is `<hooks>`, not `<directive>`");
            self.out.push(wrong.help("put it into `<directive name=\"...\">...</directive>`"));
            self.hooks(root, &mut hooks);
            return hooks;
        }
        if root.name == "hook" {
            let wrong = self.root(root, "the root element is `<hook>`, not `<directive>`");
            self.out.push(wrong.help("put it into `<directive name=\"...\"><hooks>...</hooks></directive>`"));
            hooks.extend(self.hook(root));
            return hooks;
        }
        if root.name != "directive" {
            let message = format!("the root element is `<{}>`, not `<directive>`", root.name);
            let wrong = self.root(root, &message).help("start a directive with `<directive name=\"...\">`");
            self.out.push(notation::renamed(wrong, nearest(root.name, ["directive"]), root));
        }
        self.misplaced(root);
        for child in root.elements() {
            match child.name {
                "hooks" => self.hooks(child, &mut hooks),
                "metadata" => self.metadata(child, &mut hooks),
                _ => self.strange(child),
            }
        }
        hooks
    }

    fn root(&self, root: &Element<'_>, message: &str) -> Diagnostic {
        Diagnostic::new(Code::E0208, root.name_span, message).with_label("the root element")
    }

    fn metadata(&mut self, metadata: &Element<'_>, hooks: &mut Vec<Hook>) {
        self.misplaced(metadata);
        for child in metadata.elements() {
            match child.name {
                "hooks" => self.hooks(child, hooks),
                _ => self.strange(child),
            }
        }
    }

    /// Checks an element outside `<hooks>`: it is ignored, but a hook in it is reported.
    fn strange(&mut self, element: &Element<'_>) {
        if let Some(found) = notation::element(element) {
            return self.out.push(found);
        }
        self.misplaced(element);
        self.misplaced_facts(element);
        for child in element.elements() {
            self.strange(child);
        }
    }

    /// Reports `<facts>` whose parent is not `<hooks>`, if they are facts of the language.
    fn misplaced_facts(&mut self, element: &Element<'_>) {
        let is_fact = |child: &Element<'_>| child.name == "fact" && child.attribute("event").is_some();
        if element.name == "facts" && element.elements().any(is_fact) {
            let lost =
                Diagnostic::new(Code::E0208, element.name_span, "`<facts>` outside of `<hooks>` is not read");
            self.out.push(lost.with_label("not read here").help("put it in `<hooks>`, before the hooks"));
        }
    }

    /// Reports the first `<hook>` whose parent is not `<hooks>`.
    fn misplaced(&mut self, element: &Element<'_>) {
        let Some(hook) = element.elements().find(|child| child.name == "hook") else { return };
        let help = "put hooks in `<hooks>`, directly under `<directive>` or in its `<metadata>`";
        let message = format!("a `<hook>` in `<{}>` is not read", element.name);
        let lost =
            Diagnostic::new(Code::E0208, hook.name_span, message).with_label("not read here").help(help);
        let near = nearest(element.name, ["hooks"]).filter(|_| element.name != "hooks");
        self.out.push(notation::renamed(lost, near, element));
    }

    fn hooks(&mut self, element: &Element<'_>, hooks: &mut Vec<Hook>) {
        self.known_attributes(element, &tables::BARE);
        if !element.elements().any(|_| true) {
            let help = "write a `<hook event=\"...\">`, or remove `<hooks>`";
            self.out.push(no_hooks(element.name_span, "a `<hooks>` element", help));
        }
        for child in &element.children {
            match child {
                Node::Element(child) if child.name == "hook" => hooks.extend(self.hook(child)),
                Node::Element(child) if child.name == "facts" => self.facts(child),
                Node::Element(child) if child.name == "wrapper" => self.wrapper(child),
                Node::Element(child) if child.name == "set" => self.set(child),
                Node::Element(child) if child.name == "program" => self.program(child),
                Node::Element(child) if child.name == "tool" => self.tool(child),
                Node::Element(child) if child.name == "project" => self.project(child),
                Node::Element(child) => self.unknown_element(child, element, HOOKS_CHILDREN),
                Node::Text(text, span) => self.stray(text, *span, element),
            }
        }
    }

    /// Reports E0208 for an element that is unknown in its parent.
    fn unknown_element(&mut self, child: &Element<'_>, parent: &Element<'_>, known: &[&str]) {
        let message = format!("unknown element `<{}>` in `<{}>`", child.name, parent.name);
        let unknown = Diagnostic::new(Code::E0208, child.name_span, message).with_label("not allowed here");
        let help = match (child.name, known) {
            ("param", _) if parent.name == "hook" => {
                "put parameters in `<action>`, or in `<parameters>` next to `<directive>`".to_owned()
            }
            (_, []) => format!("`<{}>` contains only text", parent.name),
            _ => format!("allowed here: {}", listed(known.iter().copied())),
        };
        let takes_conditions = known.contains(&"condition");
        let mut names: Vec<&str> = known.to_vec();
        if takes_conditions {
            PredicateName::all().for_each(|predicate| names.push(predicate.as_str()));
        }
        let near = nearest(child.name, names);
        let help = if takes_conditions { help + ", and predicates such as `runs`" } else { help };
        self.out.push(notation::renamed(unknown.help(help), near, child));
    }

    /// Reports E0208 for text where only elements are allowed; whitespace is ignored.
    fn stray(&mut self, text: &Text, span: Span, parent: &Element<'_>) {
        let trimmed = text_map::trim(text);
        if trimmed.value.is_empty() {
            return;
        }
        let place = trimmed.map.span(span, 0..trimmed.value.len());
        let message = format!("unexpected text in `<{}>`", parent.name);
        let stray = Diagnostic::new(Code::E0208, place, message).with_label("this text");
        let is_predicate = PredicateName::all().any(|predicate| predicate.as_str() == parent.name);
        self.out.push(match is_predicate {
            true => stray.help(format!("put each pattern in an element: `<of>{}</of>`", trimmed.value)),
            false => stray.help("put a remark in a comment: `<!-- ... -->`"),
        });
    }

    /// The text of an element that may contain only text, without whitespace at both ends unless
    /// `xml:space="preserve"` applies.
    fn text(&mut self, element: &Element<'_>) -> (Text, Span) {
        self.text_next_to(element, &[])
    }

    /// The text of an element that can have such children.
    fn text_next_to(&mut self, element: &Element<'_>, known: &[&str]) -> (Text, Span) {
        let mut found: Option<(&Text, Span)> = None;
        for child in &element.children {
            match (child, found) {
                (Node::Element(child), _) if known.contains(&child.name) => {}
                (Node::Element(child), _) => self.unknown_element(child, element, known),
                // Between children is whitespace.
                (Node::Text(text, _), Some(_)) if text.value.trim().is_empty() => {}
                (Node::Text(text, span), Some((first, at))) if !first.value.trim().is_empty() => {
                    if !known.is_empty() {
                        self.again("text", *span, at);
                    }
                }
                (Node::Text(text, span), _) => found = Some((text, *span)),
            }
        }
        match found {
            Some((text, span)) if element.preserve => (text.clone(), span),
            Some((text, span)) => {
                let trimmed = text_map::trim(text);
                let place = trimmed.map.span(span, 0..trimmed.value.len());
                (trimmed, place)
            }
            None => {
                let end = Span { start: element.tag.end, ..element.tag };
                (Text { value: String::new(), map: TextMap::Shift(end.start) }, end)
            }
        }
    }
}
