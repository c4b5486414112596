//! Schemas of events: the part of JSON Schema that declarations use. Keywords that do not constrain
//! fields and types are ignored.

use hookc_base::input_role::{INPUT_WORDS, InputKind, InputRole};

use super::shape::{elements, types};
use crate::decode::{DECLARED, listed};
use crate::diag::{Code, Diagnostic, Diagnostics};
use crate::keyword::KEYWORDS;
use crate::span::Spanned;
use crate::suggest::slip;
use crate::value::{Kind, Member, Number, Value};
use crate::vocab::{FieldSchema, TypeSet};

/// A schema. What is wrong in it is reported and left out.
pub(in crate::vocab) fn field(value: &Value, out: &mut Diagnostics) -> FieldSchema {
    let mut schema = FieldSchema::default();
    match &value.kind {
        Kind::Bool(_) => {}
        Kind::Map(keywords) => keywords.iter().for_each(|keyword| add(&mut schema, keyword, out)),
        _ => out.push(
            DECLARED
                .wrong(value, "a schema", "a mapping")
                .help("write `{type: string}`, or `{}` for any value"),
        ),
    }
    schema
}

fn add(schema: &mut FieldSchema, keyword: &Member, out: &mut Diagnostics) {
    let value = &keyword.value;
    match keyword.key.node.as_str() {
        "type" => schema.types = types(value, "`type`", out).unwrap_or(TypeSet::ANY),
        "properties" => properties(schema, value, out),
        "items" => schema.items = items(value, out).map(Box::new),
        "additionalProperties" => match value.kind {
            Kind::Bool(open) => schema.closed = !open,
            _ => drop(field(value, out)),
        },
        "enum" => schema.allowed = elements(value, "`enum`", out).map(<[Value]>::to_vec),
        "const" => schema.allowed = Some(vec![value.clone()]),
        "minimum" => schema.minimum = bound(value),
        "maximum" => schema.maximum = bound(value),
        "format" => schema.format = DECLARED.string(value, "`format`", out).map(|text| text.node),
        "role" => schema.role = role(value, out),
        "when" => schema.when = value.as_str().map(str::to_owned),
        "description" => {
            let text = DECLARED.text(value, "`description`", out);
            schema.description = text.map(|text| text.value.trim().to_owned()).unwrap_or_default();
        }
        "required" => required(value, out),
        "oneOf" | "anyOf" => alternatives(schema, value, &keyword.key.node, out),
        "allOf" => {
            for part in elements(value, "`allOf`", out).unwrap_or_default() {
                *schema = std::mem::take(schema).with(&field(part, out));
            }
        }
        unknown => misspelled(unknown, keyword, out),
    }
}

/// A bound of a number. Another value has no meaning for conditions.
fn bound(value: &Value) -> Option<Number> {
    match &value.kind {
        Kind::Num(number) => Some(number.clone()),
        _ => None,
    }
}

/// Keywords that are known too: of meta-schemas, and of earlier drafts.
const LEGACY: [&str; 2] = ["$vocabulary", "definitions"];

/// Keywords that are too short to be suggested.
const SHORT: [&str; 4] = ["not", "if", "then", "else"];

/// Reports a key that is almost a keyword. Other unknown keys are annotations.
fn misspelled(name: &str, keyword: &Member, out: &mut Diagnostics) {
    let known = || KEYWORDS.iter().map(|(keyword, _)| *keyword).chain(LEGACY);
    if known().any(|keyword| keyword == name) {
        return;
    }
    let Some(near) = slip(name, known().filter(|keyword| !SHORT.contains(keyword))) else { return };
    let what = format!("a schema has no keyword `{name}`");
    let new = Diagnostic::new(Code::W0632, keyword.key.span, what).with_label("ignored");
    out.push(new.did_you_mean(Some(near), keyword.key.span));
}

fn properties(schema: &mut FieldSchema, value: &Value, out: &mut Diagnostics) {
    for member in DECLARED.mapping(value, "`properties`", out).unwrap_or_default() {
        let inner = field(&member.value, out);
        schema.properties.insert(member.key.node.clone(), inner);
    }
}

/// One schema for all elements; the legacy form with one schema per position constrains nothing.
fn items(value: &Value, out: &mut Diagnostics) -> Option<FieldSchema> {
    match &value.kind {
        Kind::Seq(each) => {
            each.iter().for_each(|one| drop(field(one, out)));
            None
        }
        _ => Some(field(value, out)),
    }
}

/// The role of a tool's input.
fn role(value: &Value, out: &mut Diagnostics) -> Option<Spanned<String>> {
    let text = DECLARED.string(value, "`role`", out)?;
    let Err(invalid) = InputRole::parse(&text.node) else { return Some(text) };
    let word = text.node.get(invalid.range).unwrap_or_default();
    let report = |message: String| Diagnostic::new(Code::E0412, value.span, message);
    out.push(if invalid.is_kind {
        let kinds = || InputKind::ALL.iter().map(|kind| kind.name());
        let new = report(format!("`{word}` is not the role of an input"));
        let new = new.help(format!("the roles are {}", listed(kinds())));
        new.did_you_mean(slip(word, kinds()), value.span)
    } else {
        let new = report(format!("`{word}` cannot be in this role"));
        new.help(format!("{}, or a default for a path, may follow the role", listed(INPUT_WORDS)))
    });
    None
}

/// `required: [names]`, or `true` as parameters have it: checked for its
/// shape, without meaning for conditions.
fn required(value: &Value, out: &mut Diagnostics) {
    match &value.kind {
        Kind::Seq(names) => {
            let _ = names.iter().filter_map(|name| DECLARED.text(name, "a name in `required`", out)).count();
        }
        _ => drop(DECLARED.boolean(value, "`required`", out)),
    }
}

/// Any of the alternatives: their types and members together, left open.
fn alternatives(schema: &mut FieldSchema, value: &Value, key: &str, out: &mut Diagnostics) {
    let parts = elements(value, &format!("`{key}`"), out).unwrap_or_default();
    let union = parts.iter().map(|part| field(part, out)).reduce(FieldSchema::either);
    if let Some(union) = union {
        *schema = std::mem::take(schema).with(&union);
    }
}
