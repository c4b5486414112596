//! Templates (semantics §7), read and filled in one go.

use hookc_schema::Span;
use hookc_schema::tree::{Path, PathKind, Step};

use crate::json::Json;

/// A part of a template string.
#[derive(Clone, Debug)]
pub(crate) enum Part {
    Text(String),
    Hole(Path, Option<Json>),
}

/// The parts of a string; `None` if it does not parse.
pub(crate) fn parts(text: &str) -> Option<Vec<Part>> {
    let (mut parts, mut literal, mut rest) = (Vec::new(), String::new(), text);
    while let Some(c) = rest.chars().next() {
        if let Some(after) = rest.strip_prefix("$${") {
            literal.push_str("${");
            rest = after;
        } else if let Some(after) = rest.strip_prefix("${") {
            let (hole, after) = hole(after)?;
            if !literal.is_empty() {
                parts.push(Part::Text(std::mem::take(&mut literal)));
            }
            parts.push(hole);
            rest = after;
        } else {
            literal.push(c);
            rest = rest.get(c.len_utf8()..)?;
        }
    }
    if !literal.is_empty() {
        parts.push(Part::Text(literal));
    }
    Some(parts)
}

fn hole(text: &str) -> Option<(Part, &str)> {
    let (steps, query, rest) = path(text.trim_start())?;
    let kind = if query {
        let selector = |step: Step| {
            use hookc_schema::tree::{Segment, Selector};
            Segment::Child(vec![match step {
                Step::Name(name) => Selector::Name(name),
                Step::Index(index) => Selector::Index(index),
            }])
        };
        PathKind::Query(hookc_schema::tree::Query { segments: steps.into_iter().map(selector).collect() })
    } else {
        PathKind::Short(steps)
    };
    let path = Path { span: Span::default(), text: String::new(), kind };
    let rest = rest.trim_start();
    if let Some(rest) = rest.strip_prefix('}') {
        return Some((Part::Hole(path, None), rest));
    }
    let (default, rest) = literal(rest.strip_prefix("??")?.trim_start())?;
    Some((Part::Hole(path, Some(default)), rest.trim_start().strip_prefix('}')?))
}

/// A JSON value, or a single-quoted string.
fn literal(text: &str) -> Option<(Json, &str)> {
    if text.starts_with('\'') {
        let (string, rest) = quoted(text)?;
        return Some((Json::Str(string), rest));
    }
    let mut stream = serde_json::Deserializer::from_str(text).into_iter::<&serde_json::value::RawValue>();
    let raw = stream.next()?.ok()?;
    let json = Json::parse(raw.get().as_bytes()).ok()?;
    Some((json, text.get(stream.byte_offset()..)?))
}

/// Steps of a shorthand path or of a singular `$` path.
fn path(text: &str) -> Option<(Vec<Step>, bool, &str)> {
    let (query, mut rest) = match text.strip_prefix('$') {
        Some(rest) => (true, rest),
        None => (false, text),
    };
    let mut steps = Vec::new();
    loop {
        if let Some(after) = rest.strip_prefix('[') {
            let (step, after) = bracket(after.trim_start())?;
            steps.push(step);
            rest = after.trim_start().strip_prefix(']')?;
            continue;
        }
        let dotted = rest.strip_prefix('.');
        let Some(after) = dotted.or((steps.is_empty() && !query).then_some(rest)) else { break };
        let bare = |c: char| c.is_alphanumeric() || c == '_' || c == '-';
        let end = after.find(|c| !bare(c)).unwrap_or(after.len());
        let (name, after) = after.split_at_checked(end).filter(|(name, _)| !name.is_empty())?;
        let digits = !query && !steps.is_empty() && name.bytes().all(|b| b.is_ascii_digit());
        steps.push(if digits { Step::Index(name.parse().ok()?) } else { Step::Name(name.to_owned()) });
        rest = after;
    }
    (query || !steps.is_empty()).then_some((steps, query, rest))
}

fn bracket(text: &str) -> Option<(Step, &str)> {
    if text.starts_with(['\'', '"']) {
        let (name, rest) = quoted(text)?;
        return Some((Step::Name(name), rest));
    }
    let end = text.find(|c: char| c != '-' && !c.is_ascii_digit())?;
    let (digits, rest) = text.split_at_checked(end)?;
    Some((Step::Index(digits.parse().ok()?), rest))
}

/// A string in either quote with JSON's escapes and its own quote escaped.
fn quoted(text: &str) -> Option<(String, &str)> {
    let quote = text.chars().next()?;
    let mut body = String::from("\"");
    let mut chars = text.char_indices().skip(1);
    while let Some((at, c)) = chars.next() {
        if c == quote {
            let string = serde_json::from_str(&(body + "\"")).ok()?;
            return Some((string, text.get(at + 1..)?));
        }
        match c {
            '\\' => match chars.next()?.1 {
                '\'' => body.push('\''),
                escaped => body.extend(['\\', escaped]),
            },
            '"' => body.push_str("\\\""),
            c => body.push(c),
        }
    }
    None
}

/// Fills a string of an action: alone, the value itself; else text.
pub(crate) fn fill<'j>(parts: &[Part], find: &dyn Fn(&Path) -> Option<&'j Json>) -> Json {
    let value = |path: &Path, default: &Option<Json>| match find(path) {
        None | Some(Json::Null) => default.clone().unwrap_or(Json::Null),
        Some(found) => found.clone(),
    };
    if let [Part::Hole(path, default)] = parts {
        return value(path, default);
    }
    let text = parts.iter().map(|part| match part {
        Part::Text(text) => text.clone(),
        Part::Hole(path, default) => match value(path, default) {
            Json::Null => String::new(),
            Json::Str(text) => text,
            other => other.canonical(),
        },
    });
    Json::Str(text.collect())
}
