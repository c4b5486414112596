//! An event for the hook: built from the declarations of the vocabulary, then changed so that the
//! hook's condition is true, as far as possible. The caller checks whether it is.

use hookc_compiler::Compiled;
use hookc_schema::tree::{
    Cond, CondKind, Family, Leaf, Op, Path, PathKind, Quantified, Quantifier, Query, Right, Segment,
    Selector, Step, View, ViewKind,
};
use hookc_schema::vocab::{FieldSchema, Type, Vocabulary};
use hookc_syntax::expr::print;
use serde_json::{Map, Value, json};

use super::spec::Spec;
use super::tool;

/// Objects in objects that are filled in.
const DEPTH: usize = 3;

/// The common members of every event of a vocabulary: only these get values.
const COMMON: [&str; 4] = ["session_id", "thread_id", "cwd", "skill"];

/// The event in a line.
pub(super) fn event(spec: &Spec, compiled: &Compiled) -> String {
    let mut fields = declared(spec);
    let (member, at) = match spec.family {
        Family::Agent => ("hook_event_name", None),
        Family::Repository => ("event_type", None),
        _ => ("event", Some("type")),
    };
    let name = Value::from(spec.event.as_str());
    let says = match (at, fields.remove(member)) {
        (Some(at), Some(Value::Object(mut inner))) => {
            inner.insert(at.to_owned(), name);
            Value::Object(inner)
        }
        (Some(at), _) => json!({at: name}),
        (None, _) => name,
    };
    let first = (member.to_owned(), says);
    let mut event = Value::Object(std::iter::once(first).chain(fields).collect());
    let hook = compiled.policies.first().and_then(|policy| policy.hooks.first());
    let cond = hook.and_then(|hook| hook.condition.as_ref());
    if let Some(cond) = cond {
        satisfy(cond, &mut event);
    }
    if spec.family == Family::Agent {
        tool::fit(&mut event);
        // Input that the condition mentions goes into the tool's own input.
        if let Some(cond) = cond {
            satisfy(cond, &mut event);
        }
    }
    event.to_string()
}

/// The declared fields, each with some value of its type.
fn declared(spec: &Spec) -> Map<String, Value> {
    let vocabulary = Vocabulary::builtin();
    let Some(event) = spec.declared() else { return Map::new() };
    let common = vocabulary.common.get(&spec.family);
    let is_specific = |name: &str| common.is_none_or(|common| common.property(name).is_none());
    let fields = event
        .schema
        .properties
        .iter()
        .filter(|(name, _)| is_specific(name) || COMMON.contains(&name.as_str()));
    fields.map(|(name, field)| (name.clone(), value(name, field, DEPTH))).collect()
}

fn value(name: &str, field: &FieldSchema, depth: usize) -> Value {
    match name {
        "tool_name" => return json!("Bash"),
        "tool_input" => return json!({}),
        "ability_id" => return json!("edit_file"),
        "cwd" => return json!("."),
        "session_id" | "thread_id" => return json!(format!("{}-1", name.trim_end_matches("_id"))),
        _ => {}
    }
    if let Some(value) = field.allowed.as_ref().and_then(|values| values.first()) {
        return plain(value);
    }
    match field.types.types().find(|kind| *kind != Type::Null) {
        Some(Type::Object) if depth > 0 => {
            let members = field.properties.iter();
            Value::Object(
                members.map(|(name, field)| (name.clone(), value(name, field, depth - 1))).collect(),
            )
        }
        Some(Type::Object) => json!({}),
        Some(Type::Array) => json!([]),
        Some(Type::Boolean) => json!(false),
        Some(Type::Integer | Type::Number) => json!(1),
        Some(Type::Null) | None => Value::Null,
        Some(Type::String) => json!("example"),
    }
}

fn plain(value: &hookc_schema::value::Value) -> Value {
    serde_json::from_str(&print::json(value)).unwrap_or_default()
}

/// Changes the event so that the condition is true.
fn satisfy(cond: &Cond, event: &mut Value) {
    match &cond.kind {
        // One event has no past.
        CondKind::Const(_) | CondKind::Not(_) | CondKind::Predicate(_) | CondKind::Formerly(_) => {}
        CondKind::All(items) => items.iter().for_each(|item| satisfy(item, event)),
        CondKind::Any(items) => items.iter().take(1).for_each(|item| satisfy(item, event)),
        CondKind::Quantified(inner) => some(inner, event),
        CondKind::Leaf(leaf) => {
            if let Some(view) = leaf.path.view(ViewKind::File) {
                return file(leaf, view, event);
            }
            let Some(steps) = steps(&leaf.path) else { return };
            if let Some(value) = wanted(leaf, find(event, &steps)) {
                put(event, &steps, value);
            }
        }
    }
}

/// Puts one node there for which the condition of `some` is true. `every` is true for no node.
fn some(inner: &Quantified, event: &mut Value) {
    if inner.quantifier != Quantifier::Some {
        return;
    }
    // The paths of the node start with its name.
    let name = inner.name.node.as_str();
    let mut around = json!({ name: {} });
    satisfy(&inner.cond, &mut around);
    let node = around.get(name).cloned().unwrap_or_default();
    let (steps, value) = match &inner.path.kind {
        PathKind::Short(_) => (steps(&inner.path), Some(json!([node]))),
        PathKind::View(view) if view.kind != ViewKind::Shell => (None, None),
        PathKind::View(view) => (steps(&view.source), line(&node).map(Value::from)),
        PathKind::Query(query) => match query.prefix() {
            (prefix, [Segment::Child(all)]) if *all == [Selector::Wildcard] => {
                (Some(prefix), Some(json!([node])))
            }
            _ => (None, None),
        },
        PathKind::Recall(_) => (None, None),
    };
    if let (Some(steps), Some(value)) = (steps, value) {
        put(event, &steps, value);
    }
}

/// Puts a path there for which a test of a member of its view is true.
fn file(leaf: &Leaf, view: &View, event: &mut Value) {
    let (Some(steps), Some(member)) = (steps(&view.source), leaf.path.last_name()) else { return };
    let Some(value) = wanted(leaf, None) else { return };
    let cwd = event.get("cwd").and_then(Value::as_str).filter(|cwd| cwd.starts_with('/'));
    let cwd = cwd.unwrap_or("/project").trim_end_matches('/').to_owned();
    // A resolved path has no slash at its end.
    let below = |path: String| if path.ends_with('/') { path + "example.txt" } else { path };
    let path = match (&*member, value) {
        ("path", Value::String(path)) => below(path),
        ("relative" | "name", Value::String(path)) => below(format!("{cwd}/{path}")),
        ("extension", Value::String(extension)) => format!("{cwd}/example.{extension}"),
        ("inside", Value::Bool(true)) => format!("{cwd}/example.txt"),
        ("inside", Value::Bool(false)) => "/etc/example.txt".to_owned(),
        _ => return,
    };
    put(event, &steps, path.into());
    put(event, &[Step::Name("cwd".to_owned())], cwd.into());
}

/// A command line whose command has the members of a node of the view.
fn line(node: &Value) -> Option<String> {
    let text = |value: &Value| value.as_str().map(str::to_owned);
    let mut words = vec![text(node.get("path").unwrap_or(node.get("name")?))?];
    words.extend(node.get("sub").and_then(text));
    for (name, value) in node.get("flags").and_then(Value::as_object).into_iter().flatten() {
        let dashes = if name.chars().count() == 1 { "-" } else { "--" };
        words.push(format!("{dashes}{name}"));
        words.extend(text(value).filter(|text| text != "example"));
    }
    for list in ["args", "operands", "rest"] {
        match node.get(list) {
            Some(Value::Array(items)) => words.extend(items.iter().filter_map(text)),
            Some(value) => words.extend(text(value)),
            None => {}
        }
    }
    words
        .iter()
        .all(|word| word.chars().all(|c| c.is_ascii_alphanumeric() || "-_./:=@+".contains(c)))
        .then(|| words.join(" "))
}

/// A value for which the leaf is true, if one is plain to see.
fn wanted(leaf: &Leaf, now: Option<&Value>) -> Option<Value> {
    let right = match &leaf.right {
        Right::None if leaf.op.node == Op::Exists => {
            return Some(now.filter(|now| !now.is_null()).cloned().unwrap_or(json!("example")));
        }
        Right::Value(value) => plain(value),
        Right::None | Right::Path(_) => return None,
    };
    let first = |value: &Value| value.as_array().map_or(Some(value.clone()), |items| items.first().cloned());
    match leaf.op.node {
        Op::Eq | Op::Contains | Op::StartsWith | Op::EndsWith | Op::Gte | Op::Lte => Some(right),
        Op::In => first(&right),
        Op::Gt => Some(json!(right.as_f64()?.floor() as i64 + 1)),
        Op::Lt => Some(json!(right.as_f64()?.ceil() as i64 - 1)),
        Op::Glob => Some(first(&right)?.as_str().map(matched)?.into()),
        Op::Regex => {
            let text = right.as_str()?.trim_start_matches('^').trim_end_matches('$');
            let literal = text.chars().all(|c| c.is_alphanumeric() || " _-/:,'\"".contains(c));
            literal.then(|| text.into())
        }
        Op::Exists => (right == json!(true)).then(|| json!("example")),
        Op::Ne => Some((!right.as_bool()?).into()),
        Op::Matches => None,
    }
}

/// A text that a glob matches.
fn matched(glob: &str) -> String {
    let (mut out, mut chars) = (String::new(), glob.chars().peekable());
    let mut braces = 0usize;
    while let Some(c) = chars.next() {
        match c {
            '*' => {
                while chars.next_if_eq(&'*').is_some() {}
                out.push('x');
            }
            '?' => out.push('x'),
            '\\' => out.extend(chars.next()),
            '[' => {
                out.extend(chars.next());
                while chars.next().is_some_and(|c| c != ']') {}
            }
            '{' => braces += 1,
            '}' => braces = braces.saturating_sub(1),
            ',' if braces > 0 => {
                // The other choices.
                let inner = braces;
                for c in chars.by_ref() {
                    match c {
                        '{' => braces += 1,
                        '}' => braces -= 1,
                        _ => {}
                    }
                    if braces < inner {
                        break;
                    }
                }
            }
            c => out.push(c),
        }
    }
    out
}

/// The steps to a value that a path names; of several, to the first.
fn steps(path: &Path) -> Option<Vec<Step>> {
    match &path.kind {
        PathKind::Short(steps) => Some(steps.to_vec()),
        PathKind::Query(Query { segments }) => segments.iter().map(step).collect(),
        // A member of a view cannot be put there alone, and a value of the history not at all.
        PathKind::View(_) | PathKind::Recall(_) => None,
    }
}

fn step(segment: &Segment) -> Option<Step> {
    let Segment::Child(selectors) = segment else { return None };
    match selectors.as_slice() {
        [Selector::Name(name)] => Some(Step::Name(name.clone())),
        [Selector::Index(at)] => Some(Step::Index(*at)),
        [Selector::Wildcard] => Some(Step::Index(0)),
        _ => None,
    }
}

fn find<'v>(event: &'v Value, steps: &[Step]) -> Option<&'v Value> {
    steps.iter().try_fold(event, |value, step| match step {
        Step::Name(name) => value.get(name),
        Step::Index(_) => value.get(0),
        Step::View(_) => None,
    })
}

/// Puts a value where the steps lead, with all that is missing on the way. An
/// array has one element.
fn put(event: &mut Value, steps: &[Step], value: Value) {
    let Some((step, rest)) = steps.split_first() else {
        *event = value;
        return;
    };
    match step {
        Step::Name(name) => {
            if !event.is_object() {
                *event = json!({});
            }
            if let Value::Object(members) = event {
                put(members.entry(name.clone()).or_insert(Value::Null), rest, value);
            }
        }
        Step::Index(_) => {
            let mut element = event.get(0).cloned().unwrap_or_default();
            put(&mut element, rest, value);
            *event = json!([element]);
        }
        Step::View(_) => {}
    }
}

#[cfg(test)]
mod tests {
    use super::matched;

    #[test]
    fn a_text_for_a_glob() {
        for (glob, text) in [
            ("edit_*", "edit_x"),
            ("services/**", "services/x"),
            ("{a,b}/[cd]?", "a/cx"),
            ("{a{b,c}d,e}f", "abdf"),
            ("\\*x", "*x"),
        ] {
            assert_eq!(matched(glob), text, "{glob}");
        }
    }
}
