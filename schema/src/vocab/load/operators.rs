//! `operators:` and `combinators:`. Built-in data declares them; a file states which ones it relies
//! on.

use super::shape::{members, text, types, unknown_key, wrong};
use crate::diag::{Code, Diagnostic};
use crate::span::{Span, Spanned};
use crate::suggest::nearest;
use crate::value::{Kind, Value};
use crate::vocab::{OperatorType, TypeSet, Vocabulary};

/// Declares operators.
pub(super) fn add(all: &mut Vocabulary, section: &Value, out: &mut Vec<Diagnostic>) {
    for (name, own) in entries(section, "`operators`", out) {
        let own = own.map(|own| operator(own, out)).unwrap_or_default();
        let types = own.types.map_or(TypeSet::ANY, |types| types.node);
        all.operators.insert(name.node, OperatorType { types, description: own.description });
    }
}

/// Declares combinators.
pub(super) fn add_combinators(all: &mut Vocabulary, section: &Value, out: &mut Vec<Diagnostic>) {
    for (name, own) in entries(section, "`combinators`", out) {
        let syntax = own.and_then(|own| combinator(own, out));
        all.combinators.insert(name.node, syntax.map(|syntax| syntax.node).unwrap_or_default());
    }
}

/// Compares the operators of a file with those of the language.
pub(super) fn check(all: &Vocabulary, section: &Value, out: &mut Vec<Diagnostic>) {
    for (name, own) in entries(section, "`operators`", out) {
        let Some(known) = all.operators.get(&name.node) else {
            out.push(unknown(&name, "operator", all.operators.keys()));
            continue;
        };
        let Some(types) = own.and_then(|own| operator(own, out).types) else { continue };
        if types.node != known.types {
            let message = format!("`{}` is declared with the wrong types", name.node);
            let label = format!("declared for {}", types.node);
            let note = format!("`{}` applies to {}; the declaration changes nothing", name.node, known.types);
            out.push(Diagnostic::new(Code::W0414, types.span, message).with_label(label).note(note));
        }
    }
}

/// Compares the combinators of a file with those of the language.
pub(super) fn check_combinators(all: &Vocabulary, section: &Value, out: &mut Vec<Diagnostic>) {
    for (name, own) in entries(section, "`combinators`", out) {
        let Some(known) = all.combinators.get(&name.node) else {
            out.push(unknown(&name, "combinator", all.combinators.keys()));
            continue;
        };
        let Some(syntax) = own.and_then(|own| combinator(own, out)) else { continue };
        if syntax.node != *known {
            let message = format!("`{}` is declared with the wrong syntax", name.node);
            let found = Diagnostic::new(Code::W0414, syntax.span, message)
                .with_label(format!("declared as `{}`", syntax.node))
                .note(format!("`{}` is written `{known}: ...`; the declaration changes nothing", name.node));
            out.push(found);
        }
    }
}

fn unknown<'a>(name: &Spanned<String>, what: &str, known: impl Iterator<Item = &'a String>) -> Diagnostic {
    let known: Vec<&str> = known.map(String::as_str).collect();
    let near = nearest(&name.node, known.iter().copied());
    Diagnostic::new(Code::E0413, name.span, format!("the language has no {what} `{}`", name.node))
        .with_label("declared here")
        .note(format!("the {what}s are: {}", known.join(", ")))
        .help(format!("a file cannot add {what}s: remove the declaration"))
        .did_you_mean(near, name.span)
}

/// Names with their declarations: an object, or an array of names.
fn entries<'v>(
    section: &'v Value,
    what: &str,
    out: &mut Vec<Diagnostic>,
) -> Vec<(Spanned<String>, Option<&'v Value>)> {
    match &section.kind {
        Kind::Map(members) => members
            .iter()
            .map(|m| (m.key.clone(), Some(&m.value).filter(|value| value.kind != Kind::Null)))
            .collect(),
        Kind::Seq(items) => {
            let names =
                items.iter().filter_map(|item| Some((text(item, "a name in the list", out)?, item.span)));
            names.map(|(name, span)| (Spanned::new(name.to_owned(), span), None)).collect()
        }
        _ => {
            out.push(wrong(section, what, "an object"));
            Vec::new()
        }
    }
}

#[derive(Default)]
struct Own {
    types: Option<Spanned<TypeSet>>,
    description: String,
}

fn operator(value: &Value, out: &mut Vec<Diagnostic>) -> Own {
    let mut own = Own::default();
    for member in members(value, "the declaration of an operator", out).unwrap_or_default() {
        let value = &member.value;
        match member.key.node.as_str() {
            "types" => own.types = types(value, "`types`", out).map(|types| Spanned::new(types, value.span)),
            "description" => {
                own.description = text(value, "`description`", out).unwrap_or_default().to_owned()
            }
            _ => unknown_key(member, "the declaration of an operator", &["types", "description"], out),
        }
    }
    own
}

/// The first key in the declared syntax of a combinator.
fn combinator(value: &Value, out: &mut Vec<Diagnostic>) -> Option<Spanned<String>> {
    let mut syntax = None;
    for member in members(value, "the declaration of a combinator", out).unwrap_or_default() {
        let value = &member.value;
        match member.key.node.as_str() {
            "syntax" => syntax = head(value, out),
            "description" => drop(text(value, "`description`", out)),
            _ => unknown_key(member, "the declaration of a combinator", &["syntax", "description"], out),
        }
    }
    syntax
}

fn head(value: &Value, out: &mut Vec<Diagnostic>) -> Option<Spanned<String>> {
    let spanned = |name: &str, span: Span| Some(Spanned::new(name.to_owned(), span));
    match members(value, "`syntax`", out)? {
        [only] => spanned(&only.key.node, only.key.span),
        _ => {
            out.push(wrong(value, "`syntax`", "an object of one member"));
            None
        }
    }
}
