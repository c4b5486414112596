//! Values of conditions and parameters from text.
//!
//! Text that is exactly a JSON scalar (`null`, `true`, `3`, `"x"`) is that scalar; other text is a
//! string. `type="string"` always makes a string, `type="json"` accepts any JSON. A parameter with
//! a declared type is read as that type.

use hookc_schema::value::{Kind, Text, Value};
use hookc_schema::vocab::{Type, TypeSet, Vocabulary};
use hookc_schema::{Code, Diagnostic, Diagnostics, Span};

use super::Reader;
use crate::expr::json;
use crate::front::xml::Attribute;

/// A value, or one diagnostic.
pub(super) type Read<T = Value> = Result<T, Box<Diagnostic>>;

/// The `type=` of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Written {
    /// No `type=`.
    Plain,
    /// `type="string"`
    String,
    /// `type="json"`
    Json,
}

/// A parameter with its declared types.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Declared<'a> {
    /// Its name.
    pub(crate) name: &'a str,
    /// Its types; all types for an undeclared parameter.
    pub(crate) types: TypeSet,
}

impl<'a> Declared<'a> {
    /// The parameter `name` of an action kind.
    pub(crate) fn for_param(vocabulary: &Vocabulary, kind: &str, name: &'a str) -> Self {
        let param = vocabulary.actions.get(kind).and_then(|kind| kind.params.get(name));
        Self { name, types: param.map_or(TypeSet::ANY, |param| param.types) }
    }

    /// A value inside a parameter.
    pub(crate) fn inner(name: &'a str) -> Self {
        Self { name, types: TypeSet::ANY }
    }
}

/// The value of `text` for this parameter; `None` if the parameter does not accept it.
pub(crate) fn reads_as(text: &str, declared: Declared<'_>) -> Option<Value> {
    plain(&Text::plain(text), Span::default(), declared).ok()
}

impl Reader<'_> {
    /// Reads the `type=` of a value; reports an unknown type with the result `None`.
    pub(super) fn written(&mut self, attribute: Option<&Attribute<'_>>) -> Option<Written> {
        match attribute {
            None => Some(Written::Plain),
            some => self
                .choice(some, &[("string", Written::String), ("json", Written::Json)])
                .map(|form| form.node),
        }
    }

    /// A value of a declared type.
    pub(super) fn typed(
        &mut self,
        written: Written,
        text: &Text,
        span: Span,
        declared: Declared<'_>,
    ) -> Option<Value> {
        let read = match written {
            Written::String => Ok(string(text, span)),
            Written::Json => any_json(text, span),
            Written::Plain => plain(text, span, declared),
        };
        read.map_err(|wrong| self.out.push(*wrong)).ok()
    }
}

/// The whole text as one JSON value.
pub(super) fn any_json(text: &Text, span: Span) -> Read {
    let mut reported = Diagnostics::new();
    let read = json::parse(text, span, &mut reported);
    read.ok_or_else(|| {
        let wrong = reported.last().cloned();
        Box::new(wrong.unwrap_or_else(|| Diagnostic::new(Code::E0108, span, "not a JSON value")))
    })
}

/// The JSON scalar that is exactly this text; `None` for other text. A number beyond the limit of
/// exponents is an error.
pub(super) fn scalar(text: &Text, span: Span) -> Read<Option<Value>> {
    let src = text.value.as_str();
    let numeral = |c: char| c.is_ascii_digit() || matches!(c, '-' | '+' | '.' | 'e' | 'E');
    let number = src.starts_with(|c: char| c == '-' || c.is_ascii_digit()) && src.chars().all(numeral);
    let quoted = src.starts_with('"') && src.ends_with('"');
    if !(number || quoted || matches!(src, "null" | "true" | "false")) {
        return Ok(None);
    }
    match any_json(text, span) {
        Ok(value) => Ok(Some(value)),
        Err(wrong) if wrong.code == Code::E0308 => Err(wrong),
        Err(_) => Ok(None),
    }
}

fn string(text: &Text, span: Span) -> Value {
    Value::new(Kind::Str(text.clone()), span)
}

fn plain(text: &Text, span: Span, declared: Declared<'_>) -> Read {
    let types = declared.types;
    if types == TypeSet::only(Type::String) {
        return Ok(string(text, span));
    }
    if types.has(Type::String) {
        let scalar = scalar(text, span)?;
        return Ok(scalar.filter(|value| takes(types, value)).unwrap_or_else(|| string(text, span)));
    }
    let read = any_json(text, span);
    if let Some(value) = read.as_ref().ok().filter(|value| takes(types, value)) {
        return Ok(value.clone());
    }
    if text.value.contains("${") {
        return Ok(string(text, span));
    }
    Err(match read {
        // The text was intended as JSON: the JSON error is more specific.
        Err(wrong) if wrong.code != Code::E0108 || text.value.starts_with(['{', '[']) => wrong,
        read => Box::new(mismatch(read.ok().as_ref(), span, declared)),
    })
}

fn mismatch(read: Option<&Value>, span: Span, declared: Declared<'_>) -> Diagnostic {
    let expected = nouns(declared.types);
    let found = read.map_or("a string", Value::noun);
    let message = format!("`{}` takes {expected}, not {found}", declared.name);
    let wrong = Diagnostic::new(Code::E0409, span, message).with_label(found);
    wrong.help(format!("write {expected}, or a template: `${{path}}`"))
}

fn takes(types: TypeSet, value: &Value) -> bool {
    match &value.kind {
        Kind::Null => types.has(Type::Null),
        Kind::Bool(_) => types.has(Type::Boolean),
        Kind::Num(number) if hookc_vm::format::number::is_integer(&number.0) => types.has(Type::Integer),
        Kind::Num(_) => types.has(Type::Number),
        Kind::Str(_) => types.has(Type::String),
        Kind::Seq(_) => types.has(Type::Array),
        Kind::Map(_) => types.has(Type::Object),
    }
}

/// Types as text: `an integer or null`.
fn nouns(types: TypeSet) -> String {
    let kinds = [
        (Type::String, "a string"),
        (Type::Integer, "an integer"),
        (Type::Number, "a number"),
        (Type::Boolean, "a boolean"),
        (Type::Array, "an array (JSON)"),
        (Type::Object, "an object (JSON)"),
        (Type::Null, "null"),
    ];
    let declared = |kind: Type| types.0 & TypeSet::only(kind).0 != 0;
    let nouns: Vec<_> = kinds.into_iter().filter(|(kind, _)| declared(*kind)).map(|(_, noun)| noun).collect();
    nouns.join(" or ")
}
