//! `events:`: names, or a map from name to `{family, strategy, description,
//! schema}`.

use std::sync::Arc;

use super::schema::field;
use super::shape::{bad, members, text, unknown_key, word, wrong};
use crate::diag::Diagnostic;
use crate::span::Spanned;
use crate::tree::Family;
use crate::value::{Kind, Value};
use crate::vocab::{EventType, FieldSchema, Matcher, Names, Strategy, Vocabulary};

const KEYS: &[&str] = &["family", "strategy", "description", "schema"];
const FAMILIES: &[&str] = &["thread", "agent", "repository", "skill", "workflow"];
const STRATEGIES: &[&str] = &["first", "all"];

/// Adds the declared event types. Their default family is `family`, and their default schema is
/// `context`.
pub(super) fn section(
    all: &mut Vocabulary,
    section: &Value,
    family: Family,
    context: Option<&Arc<FieldSchema>>,
    out: &mut Vec<Diagnostic>,
) {
    for (name, declaration) in entries(section, out) {
        if name.node.is_empty() {
            out.push(bad(name.span, "an empty event name").with_label("empty"));
            continue;
        }
        let own = read(declaration, family, out);
        add(all, name.node, own, context);
    }
}

/// The strategies that a section names.
pub(in crate::vocab) fn strategies(section: &Value) -> Vec<(Family, Spanned<String>, Strategy)> {
    let mut reported = Vec::new();
    let entries = entries(section, &mut reported).into_iter();
    let found = entries.filter_map(|(name, declaration)| {
        let own = read(declaration, Family::Thread, &mut reported);
        own.strategy.map(|strategy| (own.family, name, strategy))
    });
    found.collect()
}

type Entry<'v> = (Spanned<String>, Option<&'v Value>);

fn entries<'v>(section: &'v Value, out: &mut Vec<Diagnostic>) -> Vec<Entry<'v>> {
    match &section.kind {
        Kind::Map(members) => members.iter().map(|m| (m.key.clone(), Some(&m.value))).collect(),
        Kind::Seq(items) => {
            let name = |item: &Value, out: &mut Vec<Diagnostic>| {
                let name = text(item, "an event of the list", out)?;
                Some((Spanned::new(name.to_owned(), item.span), None))
            };
            items.iter().filter_map(|item| name(item, out)).collect()
        }
        _ => {
            let help = "write `events: {my_event: {schema: {...}}}` or `events: [my_event]`";
            out.push(wrong(section, "`events`", "an object or an array of names").help(help));
            Vec::new()
        }
    }
}

/// One declaration as written.
struct Own {
    family: Family,
    strategy: Option<Strategy>,
    description: Option<String>,
    schema: Option<FieldSchema>,
    matcher: Option<Matcher>,
}

fn read(declaration: Option<&Value>, family: Family, out: &mut Vec<Diagnostic>) -> Own {
    let mut own = Own { family, strategy: None, description: None, schema: None, matcher: None };
    let Some(value) = declaration.filter(|value| value.kind != Kind::Null) else { return own };
    for member in members(value, "the declaration of an event", out).unwrap_or_default() {
        let value = &member.value;
        match member.key.node.as_str() {
            "family" => {
                let name = word(value, "`family`", FAMILIES, out);
                own.family = name.and_then(Family::from_name).unwrap_or(family);
            }
            "strategy" => {
                own.strategy = word(value, "`strategy`", STRATEGIES, out).and_then(Strategy::from_name);
            }
            "description" => own.description = text(value, "`description`", out).map(|t| t.trim().to_owned()),
            "schema" => own.schema = Some(field(value, out)),
            // Only for the built-in data: a file declares no matchers.
            "matcher" if family == Family::Agent => own.matcher = matcher(value, out),
            _ => unknown_key(member, "the declaration of an event", KEYS, out),
        }
    }
    own
}

/// A field, or `{path, names}` where its names are not plain ones.
fn matcher(value: &Value, out: &mut Vec<Diagnostic>) -> Option<Matcher> {
    if value.as_str().is_some() {
        return Some(Matcher { path: value.as_str()?.to_owned(), names: Names::Plain });
    }
    let path = text(value.get("path")?, "`path`", out)?.to_owned();
    let names = match word(value.get("names")?, "`names`", &["words", "files"], out)? {
        "words" => Names::Words,
        _ => Names::Files,
    };
    Some(Matcher { path, names })
}

/// Adds an event type, or updates the declared parts of an existing one.
fn add(all: &mut Vocabulary, name: String, own: Own, context: Option<&Arc<FieldSchema>>) {
    let key = (own.family, name);
    let known = all.events.get(&key);
    let common = || all.common.get(&own.family).cloned().unwrap_or_default();
    let schema = match (own.schema, known, context) {
        (Some(schema), _, _) => Arc::new(schema.with(&common())),
        (None, Some(known), _) => Arc::clone(&known.schema),
        (None, None, Some(context)) => Arc::clone(context),
        (None, None, None) => Arc::new(common()),
    };
    let matcher = own.matcher.or_else(|| known.and_then(|known| known.matcher.clone()));
    let strategy = own.strategy.or(known.map(|known| known.strategy));
    let description = own.description.or(known.map(|known| known.description.clone()));
    let event = EventType {
        family: own.family,
        name: key.1.clone(),
        strategy: strategy.unwrap_or(Strategy::of(own.family)),
        schema,
        matcher,
        description: description.unwrap_or_default(),
    };
    all.events.insert(key, event);
}
