//! What is wrong with a value, in the nouns of its notation.

use super::table::{Key, Object, Type};
use crate::span::{Span, Spanned};
use crate::suggest::nearest;
use crate::value::{Kind, Member, Number, Text, Value};
use crate::{Code, Diagnostic, Diagnostics};

/// How a notation names the kinds of values, and the code of a value of
/// another type.
#[derive(Clone, Copy, Debug)]
pub struct Style {
    json: bool,
    wrong: Code,
}

/// YAML.
pub const YAML: Style = Style { json: false, wrong: Code::E0203 };

/// JSON.
pub const JSON: Style = Style { json: true, wrong: Code::E0203 };

/// Declarations of a vocabulary, in YAML.
pub const DECLARED: Style = Style { json: false, wrong: Code::E0412 };

/// Names as a person lists them.
pub fn listed<'a>(names: impl IntoIterator<Item = &'a str>) -> String {
    names.into_iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
}

/// The span of a value as a label shows it: of a mapping its first key, of a
/// list its first character, so that a block is not underlined whole.
#[must_use]
pub fn short(value: &Value) -> Span {
    match &value.kind {
        Kind::Map(members) => members.first().map_or(value.span, |member| member.key.span),
        Kind::Seq(items) if !items.is_empty() => Span { end: value.span.start + 1, ..value.span },
        _ => value.span,
    }
}

/// The span of a value of another type: as [`short`], but of a mapping in braces, its opening brace.
fn opening(value: &Value) -> Span {
    match &value.kind {
        // A block starts at its first key.
        Kind::Map(members)
            if members.first().is_some_and(|first| first.key.span.start != value.span.start) =>
        {
            Span { end: value.span.start + 1, ..value.span }
        }
        _ => short(value),
    }
}

/// The diagnostic for an object that lacks a key.
#[must_use]
pub fn missing(value: &Value, what: &str, key: &str) -> Diagnostic {
    Diagnostic::new(Code::E0202, short(value), format!("{what} needs `{key}`"))
        .with_label(format!("no `{key}` here"))
}

/// Like `missing` at the key that was probably intended for it.
#[must_use]
pub fn misspelt(written: &Spanned<String>, what: &str, key: &str) -> Diagnostic {
    Diagnostic::new(Code::E0202, written.span, format!("{what} needs `{key}`"))
        .with_label("unknown key")
        .did_you_mean(Some(key), written.span)
}

/// The key of an object that was probably intended for `key`. `known` are all keys that it can have.
#[must_use]
pub fn intended<'v>(value: &'v Value, key: &str, known: &[&str]) -> Option<&'v Spanned<String>> {
    let Kind::Map(members) = &value.kind else { return None };
    let mut unknown =
        members.iter().map(|member| &member.key).filter(|written| !known.contains(&&*written.node));
    unknown.find(|written| nearest(&written.node, known.iter().copied()) == Some(key))
}

impl Style {
    /// Whether the notation is JSON.
    #[must_use]
    pub fn is_json(self) -> bool {
        self.json
    }

    /// What an author calls this kind of value.
    #[must_use]
    pub fn noun(self, value: &Value) -> &'static str {
        match value.kind {
            Kind::Null if !self.json => "empty",
            Kind::Seq(_) => self.list_noun(),
            Kind::Map(_) => self.map_noun(),
            _ => value.noun(),
        }
    }

    fn list_noun(self) -> &'static str {
        if self.json { "an array" } else { "a list" }
    }

    fn map_noun(self) -> &'static str {
        if self.json { "an object" } else { "a mapping" }
    }

    /// The diagnostic for a value of another type: `what` must be `expected`.
    #[must_use]
    pub fn wrong(self, value: &Value, what: &str, expected: &str) -> Diagnostic {
        let found = self.noun(value);
        let message = format!("{what} must be {expected}, not {found}");
        Diagnostic::new(self.wrong, opening(value), message).with_label(format!("this is {found}"))
    }

    /// The diagnostic for a value of the right type that is wrong all the same.
    pub(super) fn wrong_value(self, value: &Value, message: String) -> Diagnostic {
        Diagnostic::new(self.wrong, value.span, message)
    }

    /// The diagnostic for a value that a key does not take.
    pub(super) fn wrong_key(self, key: &Key, value: &Value) -> Diagnostic {
        let new = self.wrong(value, &key.what(), &self.takes(key));
        match (self.intended(key.is, value), key.help) {
            (Some(Intended::Boolean(truth)), _) => new.did_you_mean_value(truth, value.span),
            (Some(Intended::Unquoted), _) => new.help("remove the quotes"),
            (None, Some(help)) => new.help(help),
            (None, None) if key.advice.is_some() => {
                new.help(key.advice.map(|advice| advice(value)).unwrap_or_default())
            }
            (None, None) => new.help(self.help(key.is, value)),
        }
    }

    /// What a key takes, in words.
    #[must_use]
    pub fn takes(self, key: &Key) -> String {
        key.expected.map_or_else(|| self.expected(key.is), str::to_owned)
    }

    fn expected(self, kind: Type) -> String {
        match kind {
            Type::Any | Type::Own(_) => "another value".to_owned(),
            Type::Text | Type::Filled(..) => "a string".to_owned(),
            Type::Bool => "`true` or `false`".to_owned(),
            Type::Number => "a number".to_owned(),
            Type::Count => "a whole number".to_owned(),
            Type::Word(words) => format!("one of {}", listed(words.names())),
            Type::List(..) => self.list_noun().to_owned(),
            Type::Map(_) | Type::Object(_) => self.map_noun().to_owned(),
            Type::Either(all) => all.iter().map(|kind| self.expected(*kind)).collect::<Vec<_>>().join(" or "),
        }
    }

    fn help(self, kind: Type, value: &Value) -> &'static str {
        let scalar = matches!(value.kind, Kind::Num(_) | Kind::Bool(_));
        match kind {
            Type::Any | Type::Own(_) | Type::Either(_) => "write such a value",
            Type::Text | Type::Filled(..) if scalar && self.json => "put it in double quotes",
            Type::Text | Type::Filled(..) if scalar => "put it in quotes",
            Type::Text | Type::Filled(..) => "write a string",
            Type::Bool => "write `true` or `false`",
            Type::Number => "write a number",
            Type::Count => "write a whole number, such as 3",
            Type::Word(_) => "write one of these values",
            Type::List(..) if !self.json => "start each item with `- `",
            Type::List(..) if matches!(value.kind, Kind::Map(_)) => "put it in `[` and `]`",
            Type::List(..) => "write `[...]`",
            Type::Map(_) | Type::Object(_) if self.json => "write `{\"key\": value}`",
            Type::Map(_) | Type::Object(_) => "write `key: value` lines, indented alike",
        }
    }

    /// The most likely intention of a string.
    fn intended(self, kind: Type, value: &Value) -> Option<Intended> {
        let text = value.as_str()?;
        match kind {
            Type::Bool => match text.to_ascii_lowercase().as_str() {
                "yes" | "on" | "y" | "true" => Some(Intended::Boolean("true")),
                "no" | "off" | "n" | "false" => Some(Intended::Boolean("false")),
                _ => None,
            },
            Type::Number | Type::Count => text.parse::<f64>().is_ok().then_some(Intended::Unquoted),
            _ => None,
        }
    }

    fn mismatch(self, kind: Type, value: &Value, what: &str) -> Diagnostic {
        let new = self.wrong(value, what, &self.expected(kind));
        match self.intended(kind, value) {
            Some(Intended::Boolean(truth)) => new.did_you_mean_value(truth, value.span),
            Some(Intended::Unquoted) => new.help("remove the quotes"),
            None => new.help(self.help(kind, value)),
        }
    }

    /// The members of an object; an error for another value.
    pub fn mapping<'v>(self, value: &'v Value, what: &str, out: &mut Diagnostics) -> Option<&'v [Member]> {
        if let Kind::Map(members) = &value.kind {
            return Some(members);
        }
        out.push(self.mismatch(Type::Map(&Type::Any), value, what));
        None
    }

    /// The items of a list; an error for another value.
    pub fn list<'v>(self, value: &'v Value, what: &str, out: &mut Diagnostics) -> Option<&'v [Value]> {
        if let Kind::Seq(items) = &value.kind {
            return Some(items);
        }
        out.push(self.mismatch(Type::List(&Type::Any, ""), value, what));
        None
    }

    /// A string with its source map; an error for another value.
    pub fn text<'v>(self, value: &'v Value, what: &str, out: &mut Diagnostics) -> Option<&'v Text> {
        if let Kind::Str(text) = &value.kind {
            return Some(text);
        }
        out.push(self.mismatch(Type::Text, value, what));
        None
    }

    /// A string; an error for another value.
    pub fn string(self, value: &Value, what: &str, out: &mut Diagnostics) -> Option<Spanned<String>> {
        self.text(value, what, out).map(|text| Spanned::new(text.value.clone(), value.span))
    }

    /// `true` or `false`; an error if it is neither.
    pub fn boolean(self, value: &Value, what: &str, out: &mut Diagnostics) -> Option<Spanned<bool>> {
        if let Kind::Bool(truth) = value.kind {
            return Some(Spanned::new(truth, value.span));
        }
        out.push(self.mismatch(Type::Bool, value, what));
        None
    }

    /// A number; an error with this help for another value.
    pub fn number(
        self,
        value: &Value,
        what: &str,
        help: &str,
        out: &mut Diagnostics,
    ) -> Option<Spanned<Number>> {
        if let Kind::Num(number) = &value.kind {
            return Some(Spanned::new(number.clone(), value.span));
        }
        let new = self.wrong(value, what, "a number");
        out.push(new.help(self.intended(Type::Number, value).map_or(help, |_| "remove the quotes")));
        None
    }

    /// The meaning of one of a list of words; an error for another value.
    pub fn word<T: Copy>(
        self,
        value: &Value,
        what: &str,
        words: &[(&'static str, T)],
        out: &mut Diagnostics,
    ) -> Option<Spanned<T>> {
        let names: Vec<&str> = words.iter().map(|(name, _)| *name).collect();
        if let Some(text) = self.one_of(value, what, &names, out) {
            let found = words.iter().find(|(name, _)| *name == text);
            return found.map(|(_, meaning)| Spanned::new(*meaning, value.span));
        }
        None
    }

    /// One of some names; an error for another value.
    pub fn one_of<'v>(
        self,
        value: &'v Value,
        what: &str,
        names: &[&str],
        out: &mut Diagnostics,
    ) -> Option<&'v str> {
        let expected = || listed(names.iter().copied());
        let Some(text) = value.as_str() else {
            let new = self.wrong(value, what, &format!("one of {}", expected()));
            out.push(new.help("write one of these values"));
            return None;
        };
        if names.contains(&text) {
            return Some(text);
        }
        let code = if self.wrong == Code::E0203 { Code::E0204 } else { self.wrong };
        let new = Diagnostic::new(code, value.span, format!("{what} cannot be `{text}`"));
        let new = new.with_label("not an allowed value").help(format!("write one of {}", expected()));
        out.push(new.did_you_mean(nearest(text, names.iter().copied()), value.span));
        None
    }
}

/// The intention of a string.
enum Intended {
    /// A boolean.
    Boolean(&'static str),
    /// What it is without its quotes.
    Unquoted,
}

impl Object {
    /// The diagnostic for a key that it does not have.
    #[must_use]
    pub fn unknown(&self, what: &str, key: &Spanned<String>) -> Diagnostic {
        let names: Vec<&str> = self.names().collect();
        let new = Diagnostic::new(Code::E0201, key.span, format!("{what} has no key `{}`", key.node));
        let new = new.with_label("unknown").help(format!("its keys are `{}`", names.join("`, `")));
        new.did_you_mean(self.near(&key.node), key.span)
    }
}
