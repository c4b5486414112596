//! Fields that an event does not declare, and words on the right of a leaf that are not fields.
//!
//! At the root of an event with a known schema, every undeclared field is reported; below the root,
//! only names close to a declared one. The schema is unknown for workflows, where hooks and steps
//! add any fields, and for events without declared fields of their own.

use std::rc::Rc;

use foldhash::HashMap;
use hookc_schema::diag::Fix;
use hookc_schema::tree::{Family, Leaf, Path, Step};
use hookc_schema::vocab::{EventType, FieldSchema, Vocabulary};
use hookc_schema::{Code, Diagnostic, Span, agents};

use super::Cx;
use super::event::Scope;
use super::path::{Reported, Walk};
use crate::fields::is_tool_name;
use crate::names::listed;
use crate::step_span;

/// Declared names that a note lists.
const LISTED: usize = 8;

/// A member that an object does not declare.
pub(super) fn undeclared(
    walk: &Walk<'_, '_>,
    depth: usize,
    name: &str,
    at: &FieldSchema,
    cx: &mut Cx<'_>,
) -> Result<(), Reported> {
    let root = is_root(walk, depth, at);
    if root && sent(walk.scope, name, cx) {
        return Ok(());
    }
    let facts =
        if root { known_facts(walk, depth, name, at, cx) } else { Rc::new(facts(walk, depth, name, at, cx)) };
    if facts.near.is_none() && !at.closed && !facts.known {
        return Ok(());
    }
    let code = if at.closed { Code::E0410 } else { Code::W0416 };
    let exact = step_span::step(walk.path, depth + walk.skip);
    let span = exact.unwrap_or(walk.path.span);
    cx.out.push_with(code, span, || {
        let what = format!("{} does not declare a field `{name}`", walk.owner(depth));
        let new = Diagnostic::new(code, span, what).with_label("not declared");
        explained(new, &facts, exact.filter(|_| !walk.path.text.starts_with('$')))
    });
    if at.closed { Err(Reported) } else { Ok(()) }
}

/// The diagnostic for an undeclared field with its help; `exact` is the span of its name, if it is
/// known.
fn explained(new: Diagnostic, facts: &Facts, exact: Option<Span>) -> Diagnostic {
    match (&facts.near, &facts.elsewhere, &facts.declared) {
        (Some(near), ..) => {
            // A fix only if its span is exactly the name.
            match exact.filter(|_| plain(near)) {
                Some(span) => new.did_you_mean(Some(near), span),
                None => new.help(format!("did you mean `{near}`?")),
            }
        }
        (None, Some(elsewhere), _) => new.help(elsewhere.as_str()),
        (None, None, Some(declared)) => new.note(declared.as_str()),
        (None, None, None) => new,
    }
}

/// What is said about an undeclared field, wherever it is written.
#[derive(Debug)]
struct Facts {
    /// The declared name that was probably intended.
    near: Option<String>,
    /// Whether all fields of the event are declared.
    known: bool,
    /// The other events that declare it, for people, if no name is near.
    elsewhere: Option<String>,
    /// Some declared names, for people, if nothing else is said.
    declared: Option<String>,
}

/// Where a field at the root of an event is read.
#[derive(Debug, PartialEq, Eq, Hash)]
struct Place {
    /// The number of the event type.
    event: usize,
    /// The schema at which the path starts.
    root: *const FieldSchema,
    /// The steps before the field.
    depth: usize,
    /// Whether the path starts with `$`.
    is_query: bool,
}

/// Facts about fields at the root of events, which large policies repeat at many leaves.
#[derive(Debug, Default)]
pub(super) struct Known(HashMap<Place, HashMap<String, Rc<Facts>>>);

/// The facts about a field at the root of an event, found once.
fn known_facts(
    walk: &Walk<'_, '_>,
    depth: usize,
    name: &str,
    at: &FieldSchema,
    cx: &mut Cx<'_>,
) -> Rc<Facts> {
    let (event, root) = (walk.scope.id, std::ptr::from_ref(walk.root));
    let place = || Place { event, root, depth, is_query: walk.path.is_query() };
    if let Some(facts) = cx.undeclared.0.get(&place()).and_then(|names| names.get(name)) {
        return Rc::clone(facts);
    }
    let facts = Rc::new(facts(walk, depth, name, at, cx));
    cx.undeclared.0.entry(place()).or_default().insert(name.to_owned(), Rc::clone(&facts));
    facts
}

fn facts(walk: &Walk<'_, '_>, depth: usize, name: &str, at: &FieldSchema, cx: &mut Cx<'_>) -> Facts {
    let root = is_root(walk, depth, at);
    let event = walk.scope.declared.as_ref();
    let near = near(walk, depth, name, at, cx).filter(|near| {
        // An event without declared fields may have a field with the name of one of `event`.
        depth > 0
            || !near.starts_with("event.")
            || event.is_none_or(|event| event.family != Family::Thread || is_known(event, cx.vocabulary))
    });
    let known = root && event.is_some_and(|event| is_known(event, cx.vocabulary));
    // With a near name, or without a diagnostic, nothing else is said.
    let more = near.is_none() && (known || at.closed);
    let others = if root && more { others(walk.scope, name, cx.vocabulary) } else { Vec::new() };
    let elsewhere = (!others.is_empty()).then(|| format!("it is a field of {}", listed(&others)));
    let names = if more && elsewhere.is_none() { some_names(at) } else { None };
    let declared = names.map(|names| format!("the declared fields are {names}"));
    Facts { near, known, elsewhere, declared }
}

/// Whether the parent of the step at `depth` is the root of the event: the root itself, or `event`
/// in the shorthand, which merges with it.
fn is_root(walk: &Walk<'_, '_>, depth: usize, at: &FieldSchema) -> bool {
    let in_event = || walk.root.property("event").is_some_and(|event| std::ptr::eq(event, at));
    if walk.bound {
        return false;
    }
    depth == 0 || (depth == 1 && !walk.path.is_query() && in_event())
}

/// Whether some agent sends the field although the event does not declare it.
fn sent(scope: &Scope, name: &str, cx: &Cx<'_>) -> bool {
    let agent = scope.declared.as_ref().filter(|event| event.family == Family::Agent);
    agent.is_some_and(|event| cx.tools.sends(&event.name, name))
}

/// Whether all fields of events of this type are declared.
fn is_known(event: &EventType, vocabulary: &Vocabulary) -> bool {
    let fields = &event.schema.properties;
    let common = vocabulary.common.get(&event.family);
    let has_others = || fields.keys().any(|name| common.is_none_or(|common| common.property(name).is_none()));
    match event.family {
        Family::Workflow => false,
        Family::Agent | Family::Repository | Family::Skill => {
            let built_in = Vocabulary::builtin().events.contains_key(&(event.family, event.name.clone()));
            if built_in { !fields.is_empty() } else { has_others() }
        }
        Family::Thread => has_others(),
    }
}

/// The events of the same vocabulary that declare the field.
fn others<'v>(scope: &Scope, name: &str, vocabulary: &'v Vocabulary) -> Vec<&'v str> {
    let Some(event) = &scope.declared else { return Vec::new() };
    let events = vocabulary.events.range((event.family, String::new())..);
    let events = events.take_while(|((family, _), _)| *family == event.family);
    events
        .filter(|(_, other)| other.schema.property(name).is_some())
        .map(|((_, name), _)| name.as_str())
        .collect()
}

/// The closest declared name. In the shorthand, a merged field can follow `event.`, and the prefix
/// of a field of `event`, or of a tool's input, is easily omitted.
fn near(walk: &Walk<'_, '_>, depth: usize, name: &str, at: &FieldSchema, cx: &mut Cx<'_>) -> Option<String> {
    if walk.bound {
        return cx.near.find_spelling(name, at.properties.keys().map(String::as_str)).map(str::to_owned);
    }
    let short = !walk.path.is_query();
    let event = walk.root.property("event");
    if short && depth == 0 && event.is_some_and(|event| event.property(name).is_some()) {
        return Some(format!("event.{name}"));
    }
    let in_event = short && depth == 1 && event.is_some_and(|event| std::ptr::eq(event, at));
    let merged = walk.root.properties.keys().filter(|field| in_event && walk.root.merges(field));
    let names = at.properties.keys().chain(merged).map(String::as_str);
    let agents = walk.scope.declared.as_ref().is_some_and(|event| event.family == Family::Agent);
    let mut meant = agents::fields_meant(name).filter(|_| agents && depth == 0);
    if let Some(field) = meant.find(|field| at.property(field).is_some()) {
        return Some(field.to_owned());
    }
    let found = cx.near.find_spelling(name, names).map(str::to_owned);
    let input = short && depth == 0 && walk.scope.has_tools() && cx.tools.has_input(name);
    found.or_else(|| input.then(|| format!("tool_input.{name}")))
}

/// A right operand that is not a field: a text without quotes.
pub(super) fn bare_word(leaf: &Leaf, path: &Path, scope: &Scope, cx: &mut Cx<'_>) -> Option<Diagnostic> {
    let event = scope.declared.as_ref().filter(|event| is_known(event, cx.vocabulary))?;
    let word = match path.singular().as_deref() {
        Some([Step::Name(word)]) if !path.is_query() && **word == *path.text && plain(word) => word.clone(),
        _ => return None,
    };
    let root = &event.schema;
    let field = root.property(&word).is_some() || root.merges(&word) || sent(scope, &word, cx);
    let tool = is_tool_name(&leaf.path) && scope.has_tools();
    let known = || root.properties.keys().map(String::as_str);
    if field || (!tool && cx.near.find_spelling(&word, known()).is_some()) {
        return None;
    }
    let what = format!("`{word}` is not a field of event `{}`", event.name);
    let new =
        Diagnostic::new(Code::W0425, path.span, what).with_label("read as a path that is never present");
    if !in_expression(leaf, path) {
        return Some(new.help(format!("for the text itself, write `value: {word}`")));
    }
    let quoted = format!("'{word}'");
    if let Some(literal) = literal(&word) {
        return Some(new.help(format!("write `{literal}`; for the text, `{quoted}`")));
    }
    let mut new = new.help(format!("put text in quotes: `{quoted}`"));
    if path.span.range().len() == word.len() {
        new.fix = Some(Fix::new(path.span, quoted));
    }
    Some(new)
}

/// The literal that a word of another language is.
fn literal(word: &str) -> Option<&'static str> {
    match word.to_ascii_lowercase().as_str() {
        "none" | "nil" | "undefined" => Some("null"),
        "yes" | "on" => Some("true"),
        "no" | "off" => Some("false"),
        _ => None,
    }
}

/// Whether a leaf belongs to an expression: there the right operand closely follows the operator;
/// elsewhere `value_path` is between them.
fn in_expression(leaf: &Leaf, path: &Path) -> bool {
    let (op, right) = (leaf.op.span.range(), path.span.range());
    right.start.checked_sub(op.end).is_some_and(|gap| gap < "value_path".len())
}

pub(super) fn plain(name: &str) -> bool {
    let letter = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '.';
    !name.is_empty() && name.chars().all(letter)
}

/// Some declared names; `None` if there are none.
fn some_names(at: &FieldSchema) -> Option<String> {
    let mut names: Vec<String> = at.properties.keys().take(LISTED).map(|name| format!("`{name}`")).collect();
    if at.properties.len() > names.len() {
        names.push(format!("{} more", at.properties.len() - names.len()));
    }
    (!names.is_empty()).then(|| names.join(", "))
}
