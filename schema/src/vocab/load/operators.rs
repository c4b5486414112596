//! `operators:` and `combinators:`. Built-in data declares them; a file states which ones it relies
//! on.

use super::shape::types;
use crate::decode::DECLARED;
use crate::diag::{Code, Diagnostic, Diagnostics};
use crate::dialect::declared;
use crate::span::{Span, Spanned};
use crate::suggest::nearest;
use crate::value::{Kind, Value};
use crate::vocab::{OperatorType, TypeSet, Vocabulary};

/// Declares operators.
pub(super) fn add(vocabulary: &mut Vocabulary, section: &Value, out: &mut Diagnostics) {
    for (name, value) in entries(section, "`operators`", out) {
        let written = value.map(|own| operator(own, out)).unwrap_or_default();
        let types = written.types.map_or(TypeSet::ANY, |types| types.node);
        vocabulary.operators.insert(name.node, OperatorType { types, description: written.description });
    }
}

/// Declares combinators.
pub(super) fn add_combinators(vocabulary: &mut Vocabulary, section: &Value, out: &mut Diagnostics) {
    for (name, value) in entries(section, "`combinators`", out) {
        let syntax = value.and_then(|value| combinator(value, out));
        vocabulary.combinators.insert(name.node, syntax.map(|syntax| syntax.node).unwrap_or_default());
    }
}

/// Compares the operators of a file with those of the language.
pub(super) fn check(vocabulary: &Vocabulary, section: &Value, out: &mut Diagnostics) {
    for (name, value) in entries(section, "`operators`", out) {
        let Some(known) = vocabulary.operators.get(&name.node) else {
            out.push(unknown(&name, "operator", vocabulary.operators.keys()));
            continue;
        };
        let Some(types) = value.and_then(|value| operator(value, out).types) else { continue };
        if types.node != known.types {
            let message = format!("`{}` is declared with the wrong types", name.node);
            let label = format!("declared for {}", types.node);
            let note = format!("`{}` applies to {}; the declaration changes nothing", name.node, known.types);
            out.push(Diagnostic::new(Code::W0414, types.span, message).with_label(label).note(note));
        }
    }
}

/// Compares the combinators of a file with those of the language.
pub(super) fn check_combinators(vocabulary: &Vocabulary, section: &Value, out: &mut Diagnostics) {
    for (name, value) in entries(section, "`combinators`", out) {
        let Some(known) = vocabulary.combinators.get(&name.node) else {
            out.push(unknown(&name, "combinator", vocabulary.combinators.keys()));
            continue;
        };
        let Some(syntax) = value.and_then(|value| combinator(value, out)) else { continue };
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
    out: &mut Diagnostics,
) -> Vec<(Spanned<String>, Option<&'v Value>)> {
    match &section.kind {
        Kind::Map(members) => members
            .iter()
            .map(|m| (m.key.clone(), Some(&m.value).filter(|value| value.kind != Kind::Null)))
            .collect(),
        Kind::Seq(items) => {
            let name = |item| Some((DECLARED.string(item, "a name in the list", out)?, None));
            items.iter().filter_map(name).collect()
        }
        _ => {
            let new = DECLARED.wrong(section, what, "a mapping, or a list of names");
            out.push(new.help("write names, each with what is known of it"));
            Vec::new()
        }
    }
}

#[derive(Default)]
struct WrittenOperator {
    types: Option<Spanned<TypeSet>>,
    description: String,
}

fn operator(value: &Value, out: &mut Diagnostics) -> WrittenOperator {
    let Some(fields) = declared::OPERATOR.read(value, DECLARED, out) else {
        return WrittenOperator::default();
    };
    let known =
        fields.value("types").and_then(|value| Some(Spanned::new(types(value, "`types`", out)?, value.span)));
    let description = fields.string("description").map(|text| text.node).unwrap_or_default();
    WrittenOperator { types: known, description }
}

/// The first key in the declared syntax of a combinator.
fn combinator(value: &Value, out: &mut Diagnostics) -> Option<Spanned<String>> {
    let fields = declared::COMBINATOR.read(value, DECLARED, out)?;
    head(fields.value("syntax")?, out)
}

fn head(value: &Value, out: &mut Diagnostics) -> Option<Spanned<String>> {
    let spanned = |name: &str, span: Span| Some(Spanned::new(name.to_owned(), span));
    match DECLARED.mapping(value, "`syntax`", out)? {
        [only] => spanned(&only.key.node, only.key.span),
        _ => {
            let new = DECLARED.wrong(value, "`syntax`", "a mapping of one key");
            out.push(new.help("write such as `syntax: {all: []}`"));
            None
        }
    }
}
