//! Paths into views: `shell(PATH)...`, `file(PATH)...`, `effects()...`.

mod instead;
pub(super) mod repeated;

use std::borrow::Cow;

use hookc_schema::tree::{Family, Leaf, Path, Query, Step, View, ViewKind};
use hookc_schema::vocab::{FieldSchema, Type, Vocabulary, view, view_example, view_noun, view_source};
use hookc_schema::{Code, Diagnostic};

pub(super) use instead::instead;
pub(super) use repeated::Polarity;

use super::event::Scope;
use super::path::{self, Field, Walk};
use super::{Cx, children, effects, quantified, value};
use crate::fields::{PATHS, URL};
use crate::ir::{Nodes, ReadPath};
use crate::lint::commands;
use crate::lint::leaf::certain;
use crate::step_span;

/// Resolves a path into a view at an event type; `None` after an error.
pub(super) fn resolve<'s>(path: &Path, of: &View, scope: &'s Scope, cx: &mut Cx<'_>) -> Option<Field<'s>> {
    let mut start = source(of, scope, cx)?;
    let skip = of.source.singular().map_or(0, |steps| steps.len());
    let (steps, rest) = of.rest.prefix();
    let end = Walk { path, scope, root: view(of.kind), skip, steps: &steps, bound: false }.run(cx).ok()?;
    start = start.below(&steps)?;
    if rest.is_empty() {
        return Some(Field::one(start, end));
    }
    let root = scope.declared.as_ref().map(|event| event.schema.as_ref());
    let any = FieldSchema::default();
    children::check(path, &of.rest, root, Some(end.as_deref().unwrap_or(&any)), cx);
    let nodes =
        end.and_then(|end| children::declared(rest, &end).map(|nodes| Cow::Owned(nodes.into_owned())));
    let path = ReadPath::Nodes(Nodes::below(start, Query { segments: rest.to_vec() }).into());
    Some(Field { path, schema: None, nodes })
}

/// The path to the view itself.
fn source(of: &View, scope: &Scope, cx: &mut Cx<'_>) -> Option<ReadPath> {
    let written = &of.source;
    if !of.kind.reads_text() {
        let actions = effects::scope_of_view(written.span, scope, cx)?;
        let view = ReadPath::Plain([Step::View(of.kind)].into());
        return Some(ReadPath::Declared(actions, Box::new(view)));
    }
    if let Some((up, _)) = quantified::bound_steps(written, cx) {
        if let Some(bound) = cx.bound.iter_mut().rev().nth(up) {
            bound.read = true;
        }
        let what = format!("`{}` starts at a node that a quantifier binds", written.text);
        let new = Diagnostic::new(Code::E0444, written.span, what).with_label("not from the event");
        return cx.fail(new.help(match of.kind {
            // What is done with the files of a command is an effect.
            ViewKind::File => format!(
                "write what is done with the file, as in `reads('.env')` or `writes('.env')`, or test the text: `{} \
                 ends_with '.env'`",
                written.text
            ),
            ViewKind::Size => {
                let path = &written.text;
                let steps = of.rest.singular().unwrap_or_default();
                match steps.last() {
                    Some(Step::Name(name)) if &**name == LINES_OF_TEXT => {
                        format!("count line breaks with a pattern: `{path} =~ /(.*\\n){{10}}/` is true of ten or more")
                    }
                    _ => format!(
                        "count characters with a pattern: `{path} =~ /(?s).{{10}}/` is true of ten or more"
                    ),
                }
            }
            ViewKind::Shell | ViewKind::Effects => {
                format!("write a path from the event: `{}`", view_example(of.kind))
            }
        }));
    }
    let field = path::resolve(written, scope, cx)?;
    if let Some(schema) = field.schema.as_deref().filter(|schema| !is_readable(of.kind, schema)) {
        let (types, noun) = (value::describe(schema.types), view_noun(of.kind));
        let what = format!("`{}` is {types}, not {noun}", written.text);
        let new = Diagnostic::new(Code::E0444, written.span, what).with_label("not text");
        return cx.fail(new.help(format!("write the path of a text: `{}`", view_example(of.kind))));
    }
    if field.schema.is_some()
        && let Some(name) = other_text(of, scope)
    {
        cx.report_once(of_other_text(of, &name));
    }
    let view = match field.path {
        path @ (ReadPath::Plain(_) | ReadPath::Merged(_)) => path.below(&[Step::View(of.kind)])?,
        // The reader of paths takes no view of a value of the history.
        ReadPath::Nodes(_) | ReadPath::Bound(..) | ReadPath::Declared(..) | ReadPath::Recall(_) => {
            return None;
        }
    };
    Some(match cx.effects.stated_project().filter(|_| of.kind == ViewKind::File) {
        Some(scope) => ReadPath::Declared(scope, Box::new(view)),
        None => view,
    })
}

/// The member of a size with its number of lines.
const LINES_OF_TEXT: &str = "lines";

/// The fields of agents' events that contain command lines.
const LINES: [&str; 2] = ["command", "input"];

/// Fields of agents' events that certainly do not contain the path of a file.
const NO_FILES: [&str; 12] = [
    "command",
    "content",
    "description",
    "hook_event_name",
    "message",
    "new_string",
    "old_string",
    "permission_mode",
    "prompt",
    "query",
    "session_id",
    "tool_name",
];

/// The name of a declared field of an agent's event that is no such text, such as a prompt.
fn other_text(of: &View, scope: &Scope) -> Option<String> {
    let event = scope.declared.as_ref().filter(|event| event.family == Family::Agent)?;
    let name = of.source.last_name()?;
    let shipped = Vocabulary::builtin();
    let is_shipped =
        shipped.event(Family::Agent, &event.name).is_some_and(|shipped| shipped.schema == event.schema);
    let is_other = match of.kind {
        ViewKind::Shell => !LINES.contains(&&*name),
        ViewKind::File => *name == *URL || NO_FILES.contains(&&*name),
        ViewKind::Effects | ViewKind::Size => false,
    };
    (is_shipped && is_other).then(|| name.into_owned())
}

/// The diagnostic for a view of a text of another kind.
fn of_other_text(of: &View, name: &str) -> Diagnostic {
    let (written, noun, example) = (&of.source.text, view_noun(of.kind), view_example(of.kind));
    let label = match of.kind {
        ViewKind::Shell => "text that no shell runs",
        ViewKind::File => "text that leads to no file",
        ViewKind::Effects => "no text",
        ViewKind::Size => "has no size",
    };
    let new = Diagnostic::new(Code::W0636, of.source.span, format!("`{name}` is not {noun}"));
    let new = new.with_label(label);
    match of.kind {
        ViewKind::Shell if PATHS.contains(&name) => {
            new.help(format!("to test where the path leads, write `file({written})`"))
        }
        ViewKind::File if LINES.contains(&name) => {
            new.help(format!("to test what a command line runs and writes, write `shell({written})`"))
        }
        kind => new
            .note(format!("to compare the text itself, write `{written}` without `{kind}`"))
            .help(format!("write {}: `{example}`", view_source(kind))),
    }
}

/// Whether a value can be the text of a view; a command line can be a list of words, and lists and objects have a size.
fn is_readable(kind: ViewKind, schema: &FieldSchema) -> bool {
    let words = || schema.items.as_deref().is_none_or(|item| item.types.has(Type::String));
    let is_list = schema.types.has(Type::Array);
    schema.types.has(Type::String)
        || match kind {
            ViewKind::Shell => is_list && words(),
            ViewKind::Size => is_list || schema.types.has(Type::Object),
            ViewKind::File | ViewKind::Effects => false,
        }
}

/// Reports what a leaf about a member of the view can never mean; whether its result is then certain. `field`
/// is what its path leads to.
pub(super) fn check<'a>(leaf: &'a Leaf, field: Option<&FieldSchema>, cx: &mut Cx<'a>) -> bool {
    let Some((field, member)) = field.and_then(|field| Some((field, field.member?))) else { return false };
    let command = cx.bound.iter().rev().find(|bound| commands::member(&leaf.path, &bound.name).is_some());
    let command = command.and_then(|bound| bound.command.as_ref());
    let wrappers = &cx.vocabulary.wrappers;
    let swapped = commands::swapped(leaf, member, command, wrappers, cx.plain(leaf).as_deref());
    cx.report_all_once(swapped);
    let new = certain(leaf, member, field);
    let is_certain = new.is_some();
    cx.report_all_once(new);
    is_certain
}

/// The declaration at the end of a path into a view; `None` for any value.
pub(super) fn declared(of: &View) -> Option<&'static FieldSchema> {
    of.rest.singular()?.iter().try_fold(view(of.kind), |at, step| match step {
        Step::Name(name) => at.child(name),
        Step::Index(_) => at.items.as_deref(),
        Step::View(_) => None,
    })
}

/// A member that an object of the view does not have, at a step of a path.
pub(super) fn undeclared(walk: &Walk<'_, '_>, depth: usize, name: &str, at: &FieldSchema, cx: &mut Cx<'_>) {
    let span = step_span::step(walk.path, depth + walk.skip);
    let new = unknown(name, at, span, walk.path, cx);
    cx.report_once(new);
}

/// Reports the name of a flag that the view does not have: with dashes, or the letters of several flags.
pub(super) fn check_flag(walk: &Walk<'_, '_>, depth: usize, name: &str, cx: &mut Cx<'_>) {
    let help = if name.starts_with('-') {
        format!("names of flags have no dashes: write `flags.{}`", name.trim_start_matches('-'))
    } else if is_forced_removal(name) {
        "each letter is a flag: test `flags.r` and `flags.f`".to_owned()
    } else {
        return;
    };
    let span = step_span::step(walk.path, depth + walk.skip).unwrap_or(walk.path.span);
    let what = format!("the flags of a command have no member `{name}`");
    let new = Diagnostic::new(Code::W0642, span, what).with_label("never present");
    cx.report_once(new.help(help));
}

/// Whether a name is the letters of `rm -rf`, with `-v` and the like in any order. No long flag is.
fn is_forced_removal(name: &str) -> bool {
    let has = |letter: char| name.chars().any(|c| c.eq_ignore_ascii_case(&letter));
    has('r') && has('f') && name.chars().all(|c| "rRfvidI".contains(c))
}

/// A member that an object of the view does not have (W0642). `span` is the name's, if that is known.
pub(super) fn unknown(
    name: &str,
    at: &FieldSchema,
    span: Option<hookc_schema::Span>,
    path: &Path,
    cx: &mut Cx<'_>,
) -> Diagnostic {
    let what = format!("{} has no member `{name}`", at.description);
    let new = Diagnostic::new(Code::W0642, span.unwrap_or(path.span), what).with_label("never present");
    let names: Vec<String> = at.properties.keys().map(|name| format!("`{name}`")).collect();
    let new = new.note(format!("its members are {}", names.join(", ")));
    let near = cx.near.find_spelling(name, at.properties.keys().map(String::as_str));
    match (near, span) {
        (Some(near), Some(span)) => new.did_you_mean(Some(near), span),
        (Some(near), None) => new.help(format!("did you mean `{near}`?")),
        (None, _) if at.property("relative").is_some() => match instead_of_member(name) {
            Some(help) => new.help(help),
            None => new,
        },
        (None, _) if at.property("flags").is_some() && name.len() <= 2 => {
            new.help(format!("for a flag, write `flags.{name}`"))
        }
        (None, _) if at.property("op").is_some() && matches!(name, "fd" | "descriptor" | "number") => {
            new.help("the view does not have descriptors: test `op`, and `target`, which is `2` in `>&2`")
        }
        (None, _) => new,
    }
}

/// Names that people give to members of the view of a path, and what to write instead.
const INSTEAD: [(&[&str], &str); 6] = [
    (&["basename", "base_name", "filename", "file_name", "file", "base"], "write `name`"),
    (&["ext", "suffix", "type"], "write `extension`"),
    (&["absolute", "abs", "real", "realpath", "resolved", "full", "normalized", "canonical"], "write `path`"),
    (&["in_project", "in_cwd", "within", "is_inside", "contained", "local"], "write `inside`"),
    (&["rel", "below", "relative_path"], "write `relative`"),
    (
        &["dir", "dirname", "directory", "parent", "folder", "parents", "segments"],
        "test the path, as in `path glob '**/DIRECTORY/**'`",
    ),
];

/// What to write instead of a member that the view of a path does not have.
fn instead_of_member(name: &str) -> Option<String> {
    match name {
        "stem" => Some("test the name, as in `name starts_with 'x.'`".to_owned()),
        "exists" => Some("the view is made from the text alone: nothing looks at the disk".to_owned()),
        _ => INSTEAD.iter().find(|(names, _)| names.contains(&name)).map(|(_, help)| (*help).to_owned()),
    }
}
