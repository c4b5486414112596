//! The members of views, as the schemas that paths into them are checked against. `docs/shell.md` has the meaning of
//! those of command lines, `docs/language.md` of those of paths, sizes and effects.

use std::sync::LazyLock;

use hookc_base::ViewKind;

use super::types::{FieldSchema, Type, TypeSet};
use crate::span::Span;
use crate::value::{Number, Value};

/// A member of a view, of a command or of a redirection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ViewMember {
    /// `ok`
    Ok,
    /// `reason`
    Reason,
    /// `opaque`
    Opaque,
    /// `commands`
    Commands,
    /// `name` of a command
    Name,
    /// `path` of a command
    Program,
    /// `args`
    Args,
    /// `sub`
    Sub,
    /// `flags`, and the value of a flag
    Flags,
    /// `repeated`, and the values of a flag
    Repeated,
    /// `operands`
    Operands,
    /// `rest`
    Rest,
    /// `env`, and the value of a variable
    Env,
    /// `via`
    Via,
    /// `runs`
    Runs,
    /// `pipes_to`
    PipesTo,
    /// `redirects`
    Redirects,
    /// `globs`
    Globs,
    /// `cwd` of a command
    Cwd,
    /// `known` of a command or a redirection
    Known,
    /// `op` of a redirection
    Operator,
    /// `write` of a redirection
    Write,
    /// `target` of a redirection
    Target,
    /// `path` of a redirection or of the view of a path
    File,
    /// `inside` of a redirection or of the view of a path
    Inside,
    /// `relative` of the view of a path
    Relative,
    /// `name` of the view of a path
    FileName,
    /// `extension` of the view of a path
    Extension,
    /// A member of the view of a size
    Size,
    /// A member of the view of effects
    Effect,
}

/// What a member contains.
#[derive(Clone, Copy)]
enum Shape {
    Text,
    TextOrNull,
    Truth,
    TruthOrNull,
    Texts,
    /// One of these texts.
    OneOf(&'static [&'static str]),
    /// Some of these texts.
    SomeOf(&'static [&'static str]),
    /// An object with names from the command line: flags, which are present or have a text.
    Flags,
    /// An object with names of flags, and lists of their values.
    Repeated,
    /// Like `Repeated` for variables, which have a text.
    Variables,
    Commands,
    Redirects,
    Number,
    NumberOrNull,
    /// The effects of an event.
    Effects,
    /// The commands of an event.
    Runs,
}

/// A member, its name and what it contains.
type Declared = (ViewMember, &'static str, Shape);

const REASONS: [&str; 14] = [
    "syntax",
    "open_quote",
    "open_bracket",
    "open_compound",
    "ambiguous",
    "nul",
    "too_long",
    "too_deep",
    "too_many_commands",
    "too_much_work",
    "too_large",
    "powershell",
    "cmd",
    "not_text",
];

const OPERATORS: [&str; 12] = ["<", ">", ">>", "<>", ">|", "<&", ">&", "&>", "&>>", "<<", "<<-", "<<<"];

const VIEW: [Declared; 4] = [
    (ViewMember::Ok, "ok", Shape::Truth),
    (ViewMember::Reason, "reason", Shape::OneOf(&REASONS)),
    (ViewMember::Opaque, "opaque", Shape::SomeOf(&["name", "code", "input"])),
    (ViewMember::Commands, "commands", Shape::Commands),
];

const COMMAND: [Declared; 16] = [
    (ViewMember::Name, "name", Shape::TextOrNull),
    (ViewMember::Program, "path", Shape::TextOrNull),
    (ViewMember::Args, "args", Shape::Texts),
    (ViewMember::Sub, "sub", Shape::TextOrNull),
    (ViewMember::Flags, "flags", Shape::Flags),
    (ViewMember::Repeated, "repeated", Shape::Repeated),
    (ViewMember::Operands, "operands", Shape::Texts),
    (ViewMember::Rest, "rest", Shape::Texts),
    (ViewMember::Env, "env", Shape::Variables),
    (ViewMember::Via, "via", Shape::Texts),
    (ViewMember::Runs, "runs", Shape::Texts),
    (ViewMember::PipesTo, "pipes_to", Shape::Texts),
    (ViewMember::Redirects, "redirects", Shape::Redirects),
    (ViewMember::Globs, "globs", Shape::Texts),
    (ViewMember::Cwd, "cwd", Shape::TextOrNull),
    (ViewMember::Known, "known", Shape::Truth),
];

const REDIRECT: [Declared; 6] = [
    (ViewMember::Operator, "op", Shape::OneOf(&OPERATORS)),
    (ViewMember::Write, "write", Shape::Truth),
    (ViewMember::Target, "target", Shape::Text),
    (ViewMember::File, "path", Shape::TextOrNull),
    (ViewMember::Inside, "inside", Shape::TruthOrNull),
    (ViewMember::Known, "known", Shape::Truth),
];

const FILE_REASONS: [&str; 6] = ["not_text", "nul", "too_long", "ambiguous", "unknown_cwd", "unknown_home"];

const FILE: [Declared; 7] = [
    (ViewMember::Ok, "ok", Shape::Truth),
    (ViewMember::Reason, "reason", Shape::OneOf(&FILE_REASONS)),
    (ViewMember::File, "path", Shape::TextOrNull),
    (ViewMember::Inside, "inside", Shape::TruthOrNull),
    (ViewMember::Relative, "relative", Shape::TextOrNull),
    (ViewMember::FileName, "name", Shape::TextOrNull),
    (ViewMember::Extension, "extension", Shape::TextOrNull),
];

/// The member of the view of a size that `size(PATH)` alone is.
pub const LENGTH: &str = "length";

const SIZE: [Declared; 3] = [
    (ViewMember::Size, LENGTH, Shape::Number),
    (ViewMember::Size, "bytes", Shape::Number),
    (ViewMember::Size, "lines", Shape::Number),
];

const EFFECTS: [Declared; 14] = [
    (ViewMember::Effect, "all", Shape::Effects),
    (ViewMember::Effect, "code", Shape::Texts),
    (ViewMember::Effect, "contacts", Shape::Texts),
    (ViewMember::Effect, "declared", Shape::Truth),
    (ViewMember::Effect, "deletes", Shape::Texts),
    (ViewMember::Effect, "installs", Shape::Texts),
    (ViewMember::Effect, "lists", Shape::Texts),
    (ViewMember::Effect, "pushes", Shape::Texts),
    (ViewMember::Effect, "reads", Shape::Texts),
    (ViewMember::Effect, "runs", Shape::Runs),
    (ViewMember::Effect, "sends", Shape::Texts),
    (ViewMember::Effect, "unknown", Shape::TextOrNull),
    (ViewMember::Effect, "uses", Shape::Texts),
    (ViewMember::Effect, "writes", Shape::Texts),
];

const KINDS: [&str; 11] =
    ["run", "read", "use", "list", "write", "delete", "send", "contact", "install", "push", "code"];

const EFFECT: [Declared; 8] = [
    (ViewMember::Effect, "assumed", Shape::Truth),
    (ViewMember::Effect, "by", Shape::TextOrNull),
    (ViewMember::Effect, "command", Shape::NumberOrNull),
    (ViewMember::Effect, "implied", Shape::Truth),
    (ViewMember::Effect, "kind", Shape::OneOf(&KINDS)),
    (ViewMember::Effect, "known", Shape::Truth),
    (ViewMember::Effect, "object", Shape::Text),
    (ViewMember::Effect, "tree", Shape::Truth),
];

const RUN: [Declared; 4] = [
    (ViewMember::Effect, "name", Shape::TextOrNull),
    (ViewMember::Effect, "plain", Shape::Truth),
    (ViewMember::Effect, "sub", Shape::TextOrNull),
    (ViewMember::Effect, "words", Shape::Texts),
];

/// The schema of a view. Its objects are [`FieldSchema::view`], and their descriptions name them in messages.
#[must_use]
pub fn view(kind: ViewKind) -> &'static FieldSchema {
    static SHELL: LazyLock<FieldSchema> = LazyLock::new(|| object("the view of a command line", &VIEW));
    static PATH: LazyLock<FieldSchema> = LazyLock::new(|| object("the view of a path", &FILE));
    static SIZES: LazyLock<FieldSchema> = LazyLock::new(|| object("the view of a size", &SIZE));
    static ACTIONS: LazyLock<FieldSchema> = LazyLock::new(|| object("the view of effects", &EFFECTS));
    match kind {
        ViewKind::Shell => &SHELL,
        ViewKind::File => &PATH,
        ViewKind::Effects => &ACTIONS,
        ViewKind::Size => &SIZES,
    }
}

/// What the text of a view is.
#[must_use]
pub const fn view_noun(kind: ViewKind) -> &'static str {
    match kind {
        ViewKind::Shell => "a command line",
        ViewKind::File => "the path of a file",
        ViewKind::Effects => "an event",
        ViewKind::Size => "a text or a list",
    }
}

/// What a view is made from, as an instruction names it.
#[must_use]
pub const fn view_source(kind: ViewKind) -> &'static str {
    match kind {
        ViewKind::Shell => "the path of the command line",
        ViewKind::File => "the field with the path of a file",
        ViewKind::Effects => "nothing in the brackets",
        ViewKind::Size => "the field with the text or the list",
    }
}

/// A view that most policies need.
#[must_use]
pub const fn view_example(kind: ViewKind) -> &'static str {
    match kind {
        ViewKind::Shell => "shell(tool_input.command)",
        ViewKind::File => "file(tool_input.file_path)",
        ViewKind::Effects => "effects().writes",
        ViewKind::Size => "size(tool_input.content)",
    }
}

fn object(description: &str, members: &[Declared]) -> FieldSchema {
    let one = |(member, name, shape): &Declared| ((*name).to_owned(), contents(*member, *shape));
    FieldSchema {
        types: TypeSet::only(Type::Object),
        properties: members.iter().map(one).collect(),
        closed: true,
        view: true,
        description: description.to_owned(),
        ..FieldSchema::default()
    }
}

fn contents(member: ViewMember, shape: Shape) -> FieldSchema {
    let (text, truth, null) =
        (TypeSet::only(Type::String), TypeSet::only(Type::Boolean), TypeSet::only(Type::Null));
    let typed = |types: TypeSet| FieldSchema { types, member: Some(member), ..FieldSchema::default() };
    let count = |types: TypeSet| FieldSchema { minimum: Some(Number("0".to_owned())), ..typed(types) };
    let one_of = |texts: &[&str]| {
        let texts = texts.iter().map(|text| Value::string(*text, Span::default()));
        FieldSchema { allowed: Some(texts.collect()), ..typed(text) }
    };
    let named = |types: TypeSet| {
        let others = Some(Box::new(typed(types)));
        FieldSchema { others, ..typed(TypeSet::only(Type::Object)) }
    };
    let list = |items: FieldSchema| FieldSchema {
        items: Some(Box::new(items)),
        ..typed(TypeSet::only(Type::Array))
    };
    match shape {
        Shape::Text => typed(text),
        Shape::TextOrNull => typed(text.or(null)),
        Shape::Truth => typed(truth),
        Shape::TruthOrNull => typed(truth.or(null)),
        Shape::Texts => list(typed(text)),
        Shape::OneOf(texts) => one_of(texts),
        Shape::SomeOf(texts) => list(one_of(texts)),
        Shape::Flags => named(truth.or(text)),
        Shape::Repeated => {
            let others = Some(Box::new(list(typed(truth.or(text)))));
            FieldSchema { others, ..typed(TypeSet::only(Type::Object)) }
        }
        Shape::Variables => named(text),
        Shape::Commands => list(object("a command of the view", &COMMAND)),
        Shape::Redirects => list(object("a redirection of the view", &REDIRECT)),
        Shape::Number => count(TypeSet::only(Type::Number)),
        Shape::NumberOrNull => count(TypeSet::only(Type::Number).or(null)),
        Shape::Effects => list(object("an effect of the view", &EFFECT)),
        Shape::Runs => list(object("a command of the view of effects", &RUN)),
    }
}
