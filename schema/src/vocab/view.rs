//! The members of the view of a command line, as the schema that paths into it are checked against.
//! `docs/shell.md` has their meaning.

use std::sync::LazyLock;

use super::types::{FieldSchema, Type, TypeSet};

/// What a member contains.
#[derive(Clone, Copy)]
enum Shape {
    Text,
    TextOrNull,
    Truth,
    TruthOrNull,
    Texts,
    /// An object whose names the command line has chosen.
    Named,
    Commands,
    Redirects,
}

const VIEW: [(&str, Shape); 4] =
    [("ok", Shape::Truth), ("reason", Shape::Text), ("opaque", Shape::Texts), ("commands", Shape::Commands)];

const COMMAND: [(&str, Shape); 15] = [
    ("name", Shape::TextOrNull),
    ("path", Shape::TextOrNull),
    ("args", Shape::Texts),
    ("sub", Shape::TextOrNull),
    ("flags", Shape::Named),
    ("operands", Shape::Texts),
    ("rest", Shape::Texts),
    ("env", Shape::Named),
    ("via", Shape::Texts),
    ("runs", Shape::Texts),
    ("pipes_to", Shape::Texts),
    ("redirects", Shape::Redirects),
    ("globs", Shape::Texts),
    ("cwd", Shape::TextOrNull),
    ("known", Shape::Truth),
];

const REDIRECT: [(&str, Shape); 6] = [
    ("op", Shape::Text),
    ("write", Shape::Truth),
    ("target", Shape::TextOrNull),
    ("path", Shape::TextOrNull),
    ("inside", Shape::TruthOrNull),
    ("known", Shape::Truth),
];

/// The schema of the view of a command line. Its objects are [`FieldSchema::view`], and their
/// descriptions name them in messages.
#[must_use]
pub fn view() -> &'static FieldSchema {
    static SCHEMA: LazyLock<FieldSchema> = LazyLock::new(|| object("the view of a command line", &VIEW));
    &SCHEMA
}

fn object(description: &str, members: &[(&str, Shape)]) -> FieldSchema {
    FieldSchema {
        types: TypeSet::of(Type::Object),
        properties: members.iter().map(|(name, shape)| ((*name).to_owned(), member(*shape))).collect(),
        closed: true,
        view: true,
        description: description.to_owned(),
        ..FieldSchema::default()
    }
}

fn member(shape: Shape) -> FieldSchema {
    let of = |types: TypeSet| FieldSchema { types, ..FieldSchema::default() };
    let list =
        |items: FieldSchema| FieldSchema { items: Some(Box::new(items)), ..of(TypeSet::of(Type::Array)) };
    let (text, truth, null) =
        (TypeSet::of(Type::String), TypeSet::of(Type::Boolean), TypeSet::of(Type::Null));
    match shape {
        Shape::Text => of(text),
        Shape::TextOrNull => of(text.or(null)),
        Shape::Truth => of(truth),
        Shape::TruthOrNull => of(truth.or(null)),
        Shape::Texts => list(of(text)),
        Shape::Named => of(TypeSet::of(Type::Object)),
        Shape::Commands => list(object("a command of the view", &COMMAND)),
        Shape::Redirects => list(object("a redirection of the view", &REDIRECT)),
    }
}
