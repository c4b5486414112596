//! Reads skills: Markdown with YAML front matter.
//!
//! `front_matter.rs` finds the front matter, `unquoted.rs` explains notation errors in it,
//! `hooks.rs` reads the hooks in both formats, `script.rs` a script, `disk.rs` checks scripts in
//! the file system, `discover.rs` finds skills in directories, `duplicate.rs` resolves skills of
//! one name.
//!
//! Only `name`, `description`, `trigger` and `hooks` are read: front matter has many keys of other
//! programs, which are kept.

pub mod discover;
mod disk;
pub mod duplicate;
mod front_matter;
mod hooks;
pub(crate) mod script;
mod unquoted;

pub(crate) use disk::check;

use hookc_schema::decode::{YAML, short};
use hookc_schema::dialect::skill::FRONT_MATTER;
use hookc_schema::suggest::nearest_spelling;
use hookc_schema::tree::{Policy, Skill};
use hookc_schema::value::{Kind, Member, Value};
use hookc_schema::{Code, Diagnostic, Diagnostics, SourceId, Span, Spanned};

use super::shape::no_hooks;
use super::yaml;
use front_matter::FrontMatter;

/// The optional keys: a misspelled one would have no effect without a report.
const OURS: [&str; 2] = ["hooks", "trigger"];

/// Reads a skill; `name` is its path as given, with `/`. Spans are those of the whole file. All
/// problems are reported; hooks with errors are omitted.
pub fn read(name: &str, text: &str, source: SourceId, out: &mut Diagnostics) -> Policy {
    let mut diagnostics = Diagnostics::new();
    let mut policy = Policy::empty(source);
    policy.source.span = Span::new(source, 0..text.len());
    match FrontMatter::read(text) {
        FrontMatter::None(at) => diagnostics.push(none(Span::new(source, at))),
        FrontMatter::Open(at) => diagnostics.push(open(Span::new(source, at))),
        FrontMatter::Found { end, body } => {
            // The text before it is the mark that starts a YAML document.
            let root = yaml::read(text.get(..end).unwrap_or(""), source, &mut diagnostics);
            diagnostics.iter_mut().for_each(|reported| unquoted::refine(reported, text, end));
            if let Some(root) = root {
                let body = Spanned::new(
                    text.get(body..).unwrap_or("").to_owned(),
                    Span::new(source, body..text.len()),
                );
                skill(&root, name, body, &mut policy, &mut diagnostics);
                yaml::version1::lint(text, root.get("hooks"), &mut diagnostics);
            }
        }
    }
    diagnostics.sort();
    out.append(&mut diagnostics);
    policy
}

/// The end of a skill's front matter: the text before it is YAML, starting with the first mark.
/// `None` without front matter, or without its end.
#[must_use]
pub fn front_matter(text: &str) -> Option<usize> {
    match FrontMatter::read(text) {
        FrontMatter::Found { end, .. } => Some(end),
        FrontMatter::None(_) | FrontMatter::Open(_) => None,
    }
}

fn none(at: Span) -> Diagnostic {
    let new = Diagnostic::new(Code::W0260, at, "a skill without front matter has no hooks");
    new.with_label("expected `---` on the first line")
        .help("write `name:`, `description:` and `hooks:` between two `---` lines at the top")
}

fn open(at: Span) -> Diagnostic {
    let new = Diagnostic::new(Code::E0261, at, "the front matter has no end");
    new.with_label("starts here").help("write a `---` line after its last key")
}

fn skill(root: &Value, path: &str, body: Spanned<String>, policy: &mut Policy, out: &mut Diagnostics) {
    if !matches!(root.kind, Kind::Map(_) | Kind::Null) {
        let new = YAML.wrong(root, "front matter", "a mapping");
        out.push(new.help("write `name: ...` and `description: ...` on separate lines"));
        return;
    }
    // Front matter without keys is `null`.
    let empty = Value::new(Kind::Map(Vec::new()), root.span);
    let read = if root.kind == Kind::Null { &empty } else { root };
    let Some(fields) = FRONT_MATTER.read(read, YAML, out) else { return };
    let text = |key: &str| {
        let text = fields.string(key)?;
        Some(Spanned::new(text.node.trim_end().to_owned(), text.span)).filter(|text| !text.node.is_empty())
    };
    let (name, description) = (text("name"), text("description"));
    report_missing(root, name.is_some(), description.is_some(), out);
    near_keys(&fields.others, out);
    let name = name.unwrap_or_else(|| Spanned::new(named_by(path), short(root)));
    let trigger = fields.value("trigger").and_then(|value| trigger(value, out));
    if let Some(value) = fields.value("hooks") {
        let before = out.reported();
        policy.hooks = hooks::hooks(value, &name, path, out);
        if value.kind != Kind::Null && policy.hooks.is_empty() && out.reported() == before {
            let help = "write an event and its script, or remove `hooks`";
            out.push(no_hooks(short(value), "a `hooks` key", help));
        }
    }
    let others = fields.others.iter().copied().cloned().collect();
    policy.skill = Some(Skill { name, description, trigger, others, body, path: path.to_owned() });
}

/// Reports keys that are probably misspelled: one edit away, with a value of the expected type.
/// Other keys belong to other programs.
fn near_keys(others: &[&Member], out: &mut Diagnostics) {
    for Member { key, value } in others {
        let near = nearest_spelling(&key.node, OURS);
        let alike = match near {
            Some("hooks") => matches!(value.kind, Kind::Map(_)),
            Some("trigger") => value.as_str().is_some(),
            _ => false,
        };
        if alike {
            let new = Diagnostic::new(Code::W0266, key.span, format!("`{}` is not read", key.node));
            out.push(new.with_label("not a key of a skill").did_you_mean(near, key.span));
        }
    }
}

/// Reports a missing name or description.
fn report_missing(root: &Value, name: bool, description: bool, out: &mut Diagnostics) {
    let lacks = |key: &str, has: bool| {
        !has && root.get(key).is_none_or(|value| value.kind == Kind::Null || value.as_str().is_some())
    };
    let (what, help) = match (lacks("name", name), lacks("description", description)) {
        (true, true) => {
            ("neither `name` nor `description`", "write both: agents use them to show and choose skills")
        }
        (true, false) => ("no `name`", "write `name:`; without it, the path names the skill"),
        (false, true) => ("no `description`", "write `description:`; agents use it to choose skills"),
        (false, false) => return,
    };
    let new = Diagnostic::new(Code::W0262, short(root), format!("a skill with {what}"));
    out.push(new.with_label("missing in this front matter").help(help));
}

/// The name that a skill's path determines: that of its directory, or of its file.
fn named_by(path: &str) -> String {
    discover::name(path).unwrap_or(path).to_owned()
}

/// `/name`, a slash command.
fn trigger(value: &Value, out: &mut Diagnostics) -> Option<Spanned<String>> {
    if value.kind == Kind::Null {
        return None;
    }
    let allowed = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | ':' | '.');
    let command =
        |text: &str| text.strip_prefix('/').is_some_and(|name| !name.is_empty() && name.chars().all(allowed));
    if let Some(text) = value.as_str().filter(|text| command(text)) {
        return Some(Spanned::new(text.to_owned(), value.span));
    }
    let new = Diagnostic::new(Code::W0263, short(value), "the trigger is not a slash command");
    let new = new.with_label("not a `/` and a name");
    let bare = value.as_str().map(|text| format!("/{text}")).filter(|text| command(text));
    out.push(match bare {
        Some(with) => new.did_you_mean(Some(&with), value.span),
        None => new.help("write `trigger: /name` as one word"),
    });
    None
}
