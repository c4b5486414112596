//! Parses a test file into a [`Suite`]. All errors are reported at their span, in one run.

use hookc_schema::tree::Layer;
use hookc_schema::value::{Kind, Member, Value};
use hookc_schema::{Code, Diagnostic, SourceId, Span, Spanned, diag};
use hookc_syntax::expr::print;
use hookc_syntax::front::shape;
use hookc_syntax::front::yaml;

use super::expect;
use super::keys::{FILE, TEST};
use super::suite::{EventText, PolicyFile, Suite, Test};
use crate::Builtin;

/// Reads a test file: YAML, or JSON, which is a subset of YAML. `None` if there are errors.
pub fn read(text: &str, source: SourceId, out: &mut Vec<Diagnostic>) -> Option<Suite> {
    let mut own = Vec::new();
    let suite = yaml::read(text, source, &mut own).and_then(|root| suite(&root, source, &mut own));
    diag::sort(&mut own);
    let failed = own.iter().any(Diagnostic::is_error);
    out.append(&mut own);
    suite.filter(|_| !failed)
}

fn suite(root: &Value, source: SourceId, out: &mut Vec<Diagnostic>) -> Option<Suite> {
    if root.kind == Kind::Null {
        let new = Diagnostic::new(Code::E0202, Span::new(source, 0..0), "a test file needs `tests`");
        out.push(new.with_label("empty").help("write `policy:` with a file, and `tests:` with a list"));
        return None;
    }
    let members = shape::mapping(root, FILE.what, out)?;
    let mut suite = Suite { policies: Vec::new(), builtin: Builtin::Threads, tests: Vec::new() };
    let mut has = (false, false);
    for member in FILE.admit(members, out) {
        let value = &member.value;
        match member.key.node.as_str() {
            "policy" => {
                has.0 = true;
                policies(value, "`policy`", None, &mut suite.policies, out);
            }
            "layers" => {
                has.0 = true;
                layers(value, &mut suite.policies, out);
            }
            "builtin" => {
                let said = shape::boolean(value, "`builtin`", out).map(|truth| truth.node);
                suite.builtin = said.map_or(Builtin::Threads, |linked| match linked {
                    true => Builtin::Always,
                    false => Builtin::Never,
                });
            }
            _ => {
                has.1 = true;
                suite.tests = list(value, out);
            }
        }
    }
    required(root, has, out);
    Some(suite)
}

fn required(root: &Value, (policy, tests): (bool, bool), out: &mut Vec<Diagnostic>) {
    if !policy && !["policy", "layers"].iter().any(|key| shape::misspelled(out, key)) {
        let help = "write `policy:` with a file, relative to this one";
        out.push(shape::missing(root, FILE.what, "policy").help(help));
    }
    if !tests && !shape::misspelled(out, "tests") {
        out.push(shape::missing(root, FILE.what, "tests").help("write `tests:` with a list of tests"));
    }
}

fn policies(
    value: &Value,
    what: &str,
    layer: Option<Layer>,
    to: &mut Vec<PolicyFile>,
    out: &mut Vec<Diagnostic>,
) {
    let items = match &value.kind {
        Kind::Seq(items) if !items.is_empty() => items.as_slice(),
        Kind::Str(_) => std::slice::from_ref(value),
        _ => {
            let new = shape::wrong(value, what, "a file or a list of files");
            out.push(new.help("write the name of a policy's file, relative to this one"));
            return;
        }
    };
    let files = items.iter().filter_map(|item| shape::string(item, "a policy's file", out));
    to.extend(files.map(|path| PolicyFile { path, layer }));
}

fn layers(value: &Value, to: &mut Vec<PolicyFile>, out: &mut Vec<Diagnostic>) {
    for Member { key, value } in shape::mapping(value, "`layers`", out).unwrap_or_default() {
        let name = Value::string(key.node.clone(), key.span);
        if let Some(layer) = shape::word(&name, "a layer", Layer::CHOICES, out) {
            policies(value, "a layer", Some(layer.node), to, out);
        }
    }
}

fn list(value: &Value, out: &mut Vec<Diagnostic>) -> Vec<Test> {
    let items = shape::list(value, "`tests`", out).unwrap_or_default();
    (1..).zip(items).filter_map(|(number, item)| test(item, number, out)).collect()
}

fn test(value: &Value, number: usize, out: &mut Vec<Diagnostic>) -> Option<Test> {
    let members = shape::mapping(value, TEST.what, out)?;
    let start = out.len();
    let (mut name, mut event_type, mut events, mut expected) = (None, None, None, None);
    for Member { key, value } in TEST.admit(members, out) {
        match key.node.as_str() {
            "name" => name = shape::string(value, "`name`", out),
            "type" => event_type = shape::string(value, "`type`", out),
            "expect" => expected = Some(expect::read(value, out)),
            _ if events.is_some() => out.push(twice(TEST.what, key, "event", "events")),
            "event" => events = Some(event(value, out).into_iter().collect()),
            _ => events = Some(several(value, out)),
        }
    }
    let reported = out.get(start..).unwrap_or(&[]);
    let lacks_event =
        events.is_none() && !["event", "events"].iter().any(|key| shape::misspelled(reported, key));
    let lacks_expect = expected.is_none() && !shape::misspelled(reported, "expect");
    if lacks_event {
        out.push(
            shape::missing(value, TEST.what, "event").help("write `event:` with the event as a mapping"),
        );
    }
    if lacks_expect {
        let help = "write `expect:` with the id of the hook that decides, or `none`";
        out.push(shape::missing(value, TEST.what, "expect").help(help));
    }
    let name = name.map_or_else(|| format!("test {number}"), |name| name.node);
    Some(Test { name, event_type, events: events?, expect: expected?? })
}

/// The diagnostic for the second of two equivalent keys.
pub(super) fn twice(what: &str, key: &Spanned<String>, one: &str, other: &str) -> Diagnostic {
    let before = if key.node == one { other } else { one };
    let message = format!("{what} with `{before}` has no key `{}`", key.node);
    Diagnostic::new(Code::E0201, key.span, message).with_label("extra").help("remove one of the two")
}

fn several(value: &Value, out: &mut Vec<Diagnostic>) -> Vec<EventText> {
    let items = shape::list(value, "`events`", out).unwrap_or_default();
    if items.is_empty() && matches!(value.kind, Kind::Seq(_)) {
        let new = Diagnostic::new(Code::E0203, value.span, "`events` is empty");
        out.push(new.with_label("an empty list").help("write at least one event"));
    }
    items.iter().filter_map(|item| event(item, out)).collect()
}

/// A mapping is the event; a string is its JSON text, byte for byte.
fn event(value: &Value, out: &mut Vec<Diagnostic>) -> Option<EventText> {
    let json = match &value.kind {
        Kind::Map(_) => print::json(value),
        Kind::Str(text) => text.value.clone(),
        _ => {
            let new = shape::wrong(value, "an event", "a mapping, or its JSON as a string");
            out.push(new.help("write the event as a mapping"));
            return None;
        }
    };
    let stated = super::examples::stated(value).map(|(_, span)| span);
    Some(EventText { json, span: shape::short(value), stated })
}
