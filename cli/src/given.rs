//! Events from flags: `--tool`, `--input`, `--set` and `--event`.

use hookc_base::json::quoted;
use hookc_runtime::adapter::Adapter;
use hookc_schema::tree::{Family, Path, PathKind, Step};
use hookc_schema::value::Text;
use hookc_schema::vocab::Vocabulary;
use hookc_schema::{Diagnostics, Span};
use hookc_syntax::expr::{path, print};
use serde_json::value::RawValue;

use crate::args::EventFlags;
use crate::exit::Failure;

/// The members that name the type of an event.
const TYPES: [&str; 3] = ["event", "hook_event_name", "event_type"];

/// A value under construction. A value given as a whole keeps its text, so that numbers keep their
/// digits.
#[derive(Debug)]
enum Node {
    Unset,
    Whole(String),
    Object(Vec<(String, Node)>),
    Array(Vec<Node>),
}

impl EventFlags {
    /// Whether a flag describes more of an event than its type.
    pub(crate) fn any(&self) -> bool {
        self.tool.is_some() || !self.input.is_empty() || !self.set.is_empty()
    }
}

/// The event of the flags, in the names of the vocabulary.
pub(crate) fn event(given: &EventFlags) -> Result<Vec<u8>, Failure> {
    let agent = |name: &&str| Vocabulary::builtin().event(Family::Agent, name).is_some();
    build(given, given.event.as_deref().filter(agent))
}

/// The event of the flags as `host` sends it, and its name there.
pub(crate) fn of_host(given: &EventFlags, host: &dyn Adapter) -> Result<(Vec<u8>, Option<String>), Failure> {
    let native = |name| host.agent().native(name).map_or(name, |event| &event.name).to_owned();
    let native = given.event.as_deref().map(native);
    Ok((build(given, native.as_deref())?, native))
}

/// `stated` is the value of its `hook_event_name`.
fn build(given: &EventFlags, stated: Option<&str>) -> Result<Vec<u8>, Failure> {
    let mut root = Node::Object(Vec::new());
    if let Some(stated) = stated {
        put(&mut root, &[Step::Name("hook_event_name".to_owned())], quoted(stated), "--event")?;
    }
    if let Some(tool) = &given.tool {
        put(&mut root, &[Step::Name("tool_name".to_owned())], quoted(tool), "--tool")?;
    }
    for text in &given.input {
        let (mut steps, value) = assignment("--input", text)?;
        steps.insert(0, Step::Name("tool_input".to_owned()));
        put(&mut root, &steps, value, "--input")?;
    }
    for text in &given.set {
        let (steps, value) = assignment("--set", text)?;
        put(&mut root, &steps, value, "--set")?;
    }
    let named = |(member, _): &(String, Node)| TYPES.contains(&member.as_str());
    match &root {
        Node::Object(members) if given.event.is_none() && !members.iter().any(named) => Err(Failure::usage(
            "`--tool`, `--input` and `--set` describe an event: name its type with `--event`",
        )),
        root => {
            let mut text = String::new();
            write(root, &mut text);
            Ok(text.into_bytes())
        }
    }
}

/// `PATH=TEXT` or `PATH:=JSON`.
fn assignment(flag: &str, text: &str) -> Result<(Vec<Step>, String), Failure> {
    let usage = |why: &str| Failure::usage(format!("`{flag} {text}`: {why}"));
    let Some((left, right)) = text.split_once('=') else {
        return Err(usage("write `NAME=TEXT`, or `NAME:=JSON` for other values"));
    };
    let (left, json) = left.strip_suffix(':').map_or((left, false), |left| (left, true));
    let value = match json {
        false => quoted(right),
        true => serde_json::from_str::<&RawValue>(right)
            .map_err(|error| usage(&format!("the value after `:=` is not JSON: {error}")))?
            .get()
            .to_owned(),
    };
    let mut diagnostics = Diagnostics::new();
    let path = path::parse(&Text::plain(left), Span::default(), &mut diagnostics);
    if path.as_ref().is_some_and(|path| matches!(path.kind, PathKind::View(_))) {
        return Err(usage("a view cannot be set: set the fields that it is made from"));
    }
    match path.as_ref().and_then(Path::singular).filter(|steps| !steps.is_empty()) {
        Some(steps) => Ok((steps.into_owned(), value)),
        None => {
            let why =
                diagnostics.first().map_or("it can select several values", |wrong| wrong.message.as_str());
            Err(usage(&format!("`{left}` is not a path to one value: {why}")))
        }
    }
}

/// Sets a value at an absent path.
fn put(root: &mut Node, steps: &[Step], value: String, flag: &str) -> Result<(), Failure> {
    let wrong = |why: String| Failure::usage(format!("`{flag}`: {why}"));
    let shown = || print::steps(steps);
    let mut node = root;
    for step in steps {
        node = match (step, node) {
            (Step::Name(name), node @ Node::Unset) => {
                *node = Node::Object(Vec::new());
                member(node, name)
            }
            (Step::Name(name), node @ Node::Object(_)) => member(node, name),
            (Step::Index(index), node @ (Node::Unset | Node::Array(_))) => {
                if matches!(node, Node::Unset) {
                    *node = Node::Array(Vec::new());
                }
                let Some(item) = item(node, *index) else {
                    return Err(wrong(format!("`{}` leaves a gap: give elements in order, from 0", shown())));
                };
                Some(item)
            }
            _ => None,
        }
        .ok_or_else(|| wrong(format!("`{}` is inside a value that is already given", shown())))?;
    }
    if !matches!(node, Node::Unset) {
        return Err(wrong(format!("`{}` is given twice", shown())));
    }
    *node = Node::Whole(value);
    Ok(())
}

fn member<'n>(node: &'n mut Node, name: &str) -> Option<&'n mut Node> {
    let Node::Object(members) = node else { return None };
    let at = members.iter().position(|(known, _)| known == name).unwrap_or_else(|| {
        members.push((name.to_owned(), Node::Unset));
        members.len() - 1
    });
    members.get_mut(at).map(|(_, node)| node)
}

fn item(node: &mut Node, index: i64) -> Option<&mut Node> {
    let Node::Array(items) = node else { return None };
    let index = usize::try_from(index).ok().filter(|index| *index <= items.len())?;
    if index == items.len() {
        items.push(Node::Unset);
    }
    items.get_mut(index)
}

fn write(node: &Node, out: &mut String) {
    match node {
        Node::Unset => out.push_str("null"),
        Node::Whole(json) => out.push_str(json),
        Node::Object(members) => {
            out.push('{');
            for (at, (name, node)) in members.iter().enumerate() {
                if at > 0 {
                    out.push(',');
                }
                out.push_str(&quoted(name));
                out.push(':');
                write(node, out);
            }
            out.push('}');
        }
        Node::Array(items) => {
            out.push('[');
            for (at, node) in items.iter().enumerate() {
                if at > 0 {
                    out.push(',');
                }
                write(node, out);
            }
            out.push(']');
        }
    }
}
