//! `events:`: names, or a map from name to `{family, strategy, description,
//! schema}`.

use std::sync::Arc;

use super::schema::field;
use super::shape::bad;
use crate::decode::DECLARED;
use crate::diag::{Code, Diagnostic, Diagnostics};
use crate::dialect::declared;
use crate::span::Spanned;
use crate::tree::Family;
use crate::value::{Kind, Value};
use crate::vocab::{EventType, FieldSchema, Matcher, Names, Strategy, Vocabulary};

/// What event types are unless their declarations say otherwise.
#[derive(Clone, Copy)]
pub(super) struct Defaults<'a> {
    pub(super) family: Family,
    /// The schema of new ones.
    pub(super) context: Option<&'a Arc<FieldSchema>>,
    /// Whether a denial prevents new ones.
    pub(super) prevents: bool,
}

/// Adds the declared event types.
pub(super) fn section(
    vocabulary: &mut Vocabulary,
    section: &Value,
    defaults: Defaults<'_>,
    out: &mut Diagnostics,
) {
    for (name, declaration) in entries(section, out) {
        if name.node.is_empty() {
            out.push(bad(name.span, "an empty event name").with_label("empty"));
            continue;
        }
        let written = read(declaration, defaults.family, out);
        add(vocabulary, name.node, written, defaults);
    }
}

/// Reports declarations without a family and a schema that hide an event of another vocabulary: the
/// fields of the event would no longer be known.
pub(super) fn hiding(known: &Vocabulary, section: &Value, out: &mut Diagnostics) {
    // Errors are reported when the section is read.
    for (name, declaration) in entries(section, &mut Diagnostics::new()) {
        let says = |key: &str| declaration.is_some_and(|value| value.get(key).is_some());
        if says("family") || says("schema") {
            continue;
        }
        let known = |family: &Family| known.events.contains_key(&(*family, name.node.clone()));
        let Some(family) = Family::ALL.iter().copied().find(known).filter(|_| !known(&Family::Thread)) else {
            continue;
        };
        let what =
            format!("`{}` is an event of the vocabulary, and this declaration hides its fields", name.node);
        let new = Diagnostic::new(Code::W0633, name.span, what).with_label("no field is checked any more");
        out.push(new.help(format!("remove it, or add `family: {}` to it", family.name())));
    }
}

/// The strategies that a section names.
pub(in crate::vocab) fn strategies(section: &Value) -> Vec<(Family, Spanned<String>, Strategy)> {
    let mut reported = Diagnostics::new();
    let entries = entries(section, &mut reported).into_iter();
    let found = entries.filter_map(|(name, declaration)| {
        let written = read(declaration, Family::Thread, &mut reported);
        written.strategy.map(|strategy| (written.family, name, strategy))
    });
    found.collect()
}

type Entry<'v> = (Spanned<String>, Option<&'v Value>);

fn entries<'v>(section: &'v Value, out: &mut Diagnostics) -> Vec<Entry<'v>> {
    match &section.kind {
        Kind::Map(members) => members.iter().map(|m| (m.key.clone(), Some(&m.value))).collect(),
        Kind::Seq(items) => {
            let name = |item: &Value, out: &mut Diagnostics| {
                Some((DECLARED.string(item, "an event of the list", out)?, None))
            };
            items.iter().filter_map(|item| name(item, out)).collect()
        }
        _ => {
            let help = "write `events: {my_event: {schema: {...}}}` or `events: [my_event]`";
            out.push(DECLARED.wrong(section, "`events`", "a mapping, or a list of names").help(help));
            Vec::new()
        }
    }
}

/// One declaration as written.
struct WrittenEvent {
    family: Family,
    strategy: Option<Strategy>,
    description: Option<String>,
    schema: Option<FieldSchema>,
    matcher: Option<Matcher>,
    comes: Option<String>,
    prevents: Option<bool>,
}

fn read(declaration: Option<&Value>, family: Family, out: &mut Diagnostics) -> WrittenEvent {
    let mut written = WrittenEvent {
        family,
        strategy: None,
        description: None,
        schema: None,
        matcher: None,
        comes: None,
        prevents: None,
    };
    let Some(value) = declaration.filter(|value| value.kind != Kind::Null) else { return written };
    // Of the shipped data alone: a file declares no matchers.
    let table = if family == Family::Agent { &declared::BUILTIN_EVENT } else { &declared::EVENT };
    let Some(fields) = table.read(value, DECLARED, out) else { return written };
    written.family = fields.word("family", Family::CHOICES).map_or(family, |named| named.node);
    written.strategy = fields.word("strategy", Strategy::CHOICES).map(|named| named.node);
    written.description = fields.string("description").map(|text| text.node.trim().to_owned());
    written.schema = fields.value("schema").map(|schema| field(schema, out));
    written.prevents = fields.boolean("prevents").map(|prevents| prevents.node);
    let shipped = |key: &'static str| Some(key).filter(|key| table.key(key).is_some());
    written.matcher = shipped("matcher").and_then(|key| matcher(fields.value(key)?, out));
    written.comes = shipped("comes").and_then(|key| Some(fields.string(key)?.node.clone()));
    written
}

/// A field, or `{path, names}` where its names are not plain ones.
fn matcher(value: &Value, out: &mut Diagnostics) -> Option<Matcher> {
    if value.as_str().is_some() {
        return Some(Matcher { path: value.as_str()?.to_owned(), names: Names::Plain });
    }
    let path = DECLARED.string(value.get("path")?, "`path`", out)?.node;
    let names = match DECLARED.one_of(value.get("names")?, "`names`", &["words", "files"], out)? {
        "words" => Names::Words,
        _ => Names::Files,
    };
    Some(Matcher { path, names })
}

/// Adds an event type, or updates the declared parts of an existing one.
fn add(vocabulary: &mut Vocabulary, name: String, written: WrittenEvent, defaults: Defaults<'_>) {
    let key = (written.family, name);
    let known = vocabulary.events.get(&key);
    let common = || vocabulary.common.get(&written.family).cloned().unwrap_or_default();
    let schema = match (written.schema, known, defaults.context) {
        (Some(schema), _, _) => Arc::new(schema.with(&common())),
        (None, Some(known), _) => Arc::clone(&known.schema),
        (None, None, Some(context)) => Arc::clone(context),
        (None, None, None) => Arc::new(common()),
    };
    let matcher = written.matcher.or_else(|| known.and_then(|known| known.matcher.clone()));
    let strategy = written.strategy.or(known.map(|known| known.strategy));
    let comes = written.comes.or_else(|| known.and_then(|known| known.comes.clone()));
    let description = written.description.or(known.map(|known| known.description.clone()));
    let prevents = written.prevents.unwrap_or(known.map_or(defaults.prevents, |known| known.prevents));
    let event = EventType {
        family: written.family,
        name: key.1.clone(),
        strategy: strategy.unwrap_or(Strategy::for_family(written.family)),
        schema,
        matcher,
        comes,
        prevents,
        description: description.unwrap_or_default(),
    };
    vocabulary.events.insert(key, event);
}
