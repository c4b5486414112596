//! Parses a test file into a [`Suite`]. All errors are reported at their span, in one run.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use hookc_schema::agents::{self, Agent};
use hookc_schema::decode::{YAML, short};
use hookc_schema::dialect::moment::Moment;
use hookc_schema::dialect::test::{FILE, Recorded, STEP, TEST};
use hookc_schema::tree::{self, Layer};
use hookc_schema::value::{Kind, Member, Value};
use hookc_schema::{Code, Diagnostic, Diagnostics, SourceId, Span, Spanned};
use hookc_syntax::expr::print;
use hookc_syntax::front::yaml;

use super::expect;
use super::suite::{EventText, Expect, PolicyFile, Step, Suite, Test};
use crate::{Builtin, lookup};

/// Reads a test file: YAML, or JSON, which is a subset of YAML. `None` if there are errors.
pub fn read(text: &str, source: SourceId, out: &mut Diagnostics) -> Option<Suite> {
    let mut found = Diagnostics::new();
    let suite = yaml::read(text, source, &mut found).and_then(|root| suite(&root, source, &mut found));
    found.sort();
    let failed = found.errors() > 0;
    out.append(&mut found);
    suite.filter(|_| !failed)
}

fn suite(root: &Value, source: SourceId, out: &mut Diagnostics) -> Option<Suite> {
    if root.kind == Kind::Null {
        let new = Diagnostic::new(Code::E0202, Span::new(source, 0..0), "a test file needs `tests`");
        out.push(new.with_label("empty").help("write `policy:` with a file, and `tests:` with a list"));
        return None;
    }
    let fields = FILE.read(root, YAML, out)?;
    let mut policies = Vec::new();
    if let Some(value) = fields.value("policy") {
        files(value, "`policy`", None, &mut policies, out);
    }
    if let Some(value) = fields.value("layers") {
        layers(value, &mut policies, out);
    }
    let builtin = match fields.boolean("builtin").map(|linked| linked.node) {
        None => Builtin::Threads,
        Some(true) => Builtin::Always,
        Some(false) => Builtin::Never,
    };
    repeated(fields.items("tests"), out);
    let tests = (1..).zip(fields.items("tests"));
    let tests = tests.filter_map(|(number, item)| test(item, number, out)).collect();
    Some(Suite { policies, builtin, tests })
}

/// Reports tests that an earlier test of the file repeats under another name.
fn repeated(tests: &[Value], out: &mut Diagnostics) {
    let mut seen: HashMap<Vec<String>, Span> = HashMap::new();
    for test in tests {
        let content = test.members().iter().filter(|member| member.key.node != "name");
        let mut content: Vec<String> =
            content.map(|member| format!("{} {}", member.key.node, print::json(&member.value))).collect();
        content.sort();
        match seen.entry(content) {
            Entry::Occupied(first) if !first.key().is_empty() => {
                let new = Diagnostic::new(Code::W0647, short(test), "this test repeats another one");
                let new = new.with_label("shows nothing new").also(*first.get(), "the other one");
                out.push(new.help("change its event, or remove it"));
            }
            Entry::Occupied(_) => {}
            Entry::Vacant(free) => {
                free.insert(short(test));
            }
        }
    }
}

fn files(value: &Value, what: &str, layer: Option<Layer>, to: &mut Vec<PolicyFile>, out: &mut Diagnostics) {
    let items = match &value.kind {
        Kind::Seq(items) if !items.is_empty() => items.as_slice(),
        Kind::Str(_) => std::slice::from_ref(value),
        _ => {
            let new = YAML.wrong(value, what, "a file or a list of files");
            out.push(new.help("write the name of a policy's file, relative to this one"));
            return;
        }
    };
    let files = items.iter().filter_map(|item| YAML.string(item, "a policy's file", out));
    to.extend(files.map(|path| PolicyFile { path, layer }));
}

fn layers(value: &Value, to: &mut Vec<PolicyFile>, out: &mut Diagnostics) {
    for Member { key, value } in YAML.mapping(value, "`layers`", out).unwrap_or_default() {
        let name = Value::string(key.node.clone(), key.span);
        if let Some(layer) = YAML.word(&name, "a layer", Layer::CHOICES, out) {
            files(value, "a layer", Some(layer.node), to, out);
        }
    }
}

fn test(value: &Value, number: usize, out: &mut Diagnostics) -> Option<Test> {
    let fields = TEST.read(value, YAML, out)?;
    let one = fields.value("event").map(|one| vec![event(one)]);
    let events = fields.value("events").map(|value| several(value, fields.items("events"), out));
    let expected = fields.value("expect").and_then(|value| expect::read(value, out));
    let name = fields.string("name").map_or_else(|| format!("test {number}"), |name| name.node);
    let event_type = fields.string("type");
    let hosts = hosts(fields.value("host"), out)?;
    let steps: Option<Vec<Step>> =
        fields.value("steps").map(|list| self::steps(list, fields.items("steps"), out));
    let in_steps = steps.iter().flatten().map(|step| &step.event);
    for event in one.iter().chain(events.iter()).flatten().chain(in_steps) {
        contradicted(event, event_type.as_ref(), out);
    }
    if let Some(steps) = steps {
        let (events, expect) = (Vec::new(), Expect::default());
        return Some(Test { name, event_type, hosts, events, expect, steps });
    }
    Some(Test { name, event_type, hosts, events: one.or(events)?, expect: expected?, steps: Vec::new() })
}

/// The steps of a test; those with errors are left out.
fn steps(list: &Value, items: &[Value], out: &mut Diagnostics) -> Vec<Step> {
    if items.is_empty() {
        let new = Diagnostic::new(Code::E0203, list.span, "`steps` is empty");
        out.push(new.with_label("an empty list").help("write at least one step"));
    }
    let steps: Vec<Step> = items.iter().filter_map(|item| step(item, out)).collect();
    if !items.is_empty() && steps.len() == items.len() && steps.iter().all(|step| step.expect.is_none()) {
        let new = Diagnostic::new(Code::E0202, list.span, "no step has `expect`");
        out.push(new.with_label("tests nothing").help("write `expect:` in the last step"));
    }
    steps
}

fn step(value: &Value, out: &mut Diagnostics) -> Option<Step> {
    let fields = STEP.read(value, YAML, out)?;
    let expect = match fields.value("expect") {
        Some(expected) => Some(expect::read(expected, out)?),
        None => None,
    };
    let at = match fields.value("at") {
        Some(value) => Some(moment(&YAML.string(value, "`at`", out)?, out)?),
        None => None,
    };
    let outcome = fields.value("outcome");
    let outcome = match outcome {
        Some(word) => Some(YAML.word(word, "`outcome`", Recorded::CHOICES, out)?.node),
        None => None,
    };
    Some(Step { event: event(fields.value("event")?), at, outcome, expect })
}

fn moment(text: &Spanned<String>, out: &mut Diagnostics) -> Option<Moment> {
    Moment::read(text).map_err(|wrong| out.push(*wrong)).ok()
}

/// The agents that `host` names; `None` if one of the names is wrong.
fn hosts(value: Option<&Value>, out: &mut Diagnostics) -> Option<Vec<&'static Agent>> {
    let items = match value.map(|value| &value.kind) {
        None => &[],
        Some(Kind::Seq(items)) if items.is_empty() => {
            let new = YAML.wrong(value?, "`host`", "the name of an agent or a list of names");
            out.push(new.help("write `host: claude`, or remove it"));
            return None;
        }
        Some(Kind::Seq(items)) => items.as_slice(),
        Some(_) => value.map(std::slice::from_ref).unwrap_or_default(),
    };
    let names: Vec<(&'static str, &'static Agent)> =
        agents::answered().map(|agent| (agent.name.as_str(), agent)).collect();
    items.iter().map(|item| Some(YAML.word(item, "`host`", &names, out)?.node)).collect()
}

/// Reports an event that states another type than its test.
fn contradicted(event: &EventText, test: Option<&Spanned<String>>, out: &mut Diagnostics) {
    let (Some(test), Some((stated, span))) = (test, stated(event)) else { return };
    if stated != test.node {
        let message = format!("the event states the type `{stated}`, and its test `{}`", test.node);
        let new = Diagnostic::new(Code::E0437, span, message).with_label("another type");
        out.push(new.also(test.span, "the type of the test").help("remove one of them"));
    }
}

/// The type that an event states, and where.
fn stated(event: &EventText) -> Option<(String, Span)> {
    if let Some(tree) = &event.tree {
        return super::examples::stated(tree).map(|(name, span)| (name.to_owned(), span));
    }
    let name = lookup::one(vec![tree::Step::Name("hook_event_name".to_owned())], &event.json)?;
    Some((name.strip_prefix('"')?.strip_suffix('"')?.to_owned(), event.span))
}

fn several(list: &Value, items: &[Value], out: &mut Diagnostics) -> Vec<EventText> {
    if items.is_empty() {
        let new = Diagnostic::new(Code::E0203, list.span, "`events` is empty");
        out.push(new.with_label("an empty list").help("write at least one event"));
    }
    let mut events = Vec::new();
    for item in items {
        let sound = TEST.key("event").is_some_and(|key| key.takes(item, YAML, out));
        events.extend(sound.then(|| event(item)));
    }
    events
}

/// A mapping is the event; a string is its JSON text, unchanged.
fn event(value: &Value) -> EventText {
    let json = value.as_str().map_or_else(|| print::json(value), str::to_owned);
    let stated = super::examples::stated(value).map(|(_, span)| span);
    let tree = value.as_str().is_none().then(|| value.clone());
    EventText { json, span: short(value), stated, tree }
}
