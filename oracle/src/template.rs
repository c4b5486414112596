//! Templates, parsed and rendered in one pass.

use hookc_schema::Span;
use hookc_schema::tree::{Path, PathKind, Query, Step, View, ViewKind};

use crate::json::Json;
use crate::query;

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
    let (path, rest) = any_path(text.trim_start())?;
    let rest = rest.trim_start();
    if let Some(rest) = rest.strip_prefix('}') {
        return Some((Part::Hole(path, None), rest));
    }
    let (default, rest) = literal(rest.strip_prefix("??")?.trim_start())?;
    Some((Part::Hole(path, Some(default)), rest.trim_start().strip_prefix('}')?))
}

/// A path in any spelling.
fn any_path(text: &str) -> Option<(Path, &str)> {
    let inner = |kind: &ViewKind| Some((*kind, text.strip_prefix(kind.name())?.strip_prefix('(')?));
    let (kind, rest) = if let Some((kind, inner)) = ViewKind::ALL.iter().find_map(inner) {
        let (source, rest) = match kind.reads_text() {
            true => any_path(inner.trim_start())?,
            false => {
                let root = PathKind::Query(Query::default());
                (Path { span: Span::default(), text: "$".into(), kind: root }, inner)
            }
        };
        let rest = rest.trim_start().strip_prefix(')')?;
        let (members, after) = rest.split_at_checked(query_end(rest)?)?;
        let rest = match members.trim_end() {
            "" if kind == ViewKind::Size => query::parse("$.length")?,
            "" => Query::default(),
            members => query::parse(&format!("${members}"))?,
        };
        (PathKind::View(Box::new(View { kind, source, rest })), after)
    } else if text.starts_with('$') {
        let (query, rest) = text.split_at_checked(query_end(text)?)?;
        (PathKind::Query(query::parse(query.trim_end())?), rest)
    } else {
        let (steps, rest) = path(text)?;
        (PathKind::Short(steps.into()), rest)
    };
    Some((Path { span: Span::default(), text: "".into(), kind }, rest))
}

/// A JSON value, or a single-quoted string.
fn literal(text: &str) -> Option<(Json, &str)> {
    if text.starts_with('\'') {
        let (string, rest) = raw(text)?;
        return Some((Json::Str(string), rest));
    }
    let mut stream = serde_json::Deserializer::from_str(text).into_iter::<&serde_json::value::RawValue>();
    let raw = stream.next()?.ok()?;
    let json = Json::parse(raw.get().as_bytes()).ok()?;
    Some((json, text.get(stream.byte_offset()..)?))
}

/// `'...'`: two quotes are one, nothing else is special.
fn raw(text: &str) -> Option<(String, &str)> {
    let mut rest = text.strip_prefix('\'')?;
    let mut string = String::new();
    loop {
        let (before, after) = rest.split_once('\'')?;
        string.push_str(before);
        match after.strip_prefix('\'') {
            Some(after) => rest = after,
            None => return Some((string, after)),
        }
        string.push('\'');
    }
}

/// The end of a `$` path: `}`, `??` or `)` outside quotes and brackets.
fn query_end(text: &str) -> Option<usize> {
    let (mut quote, mut depth, mut chars) = (None, 0_usize, text.char_indices());
    while let Some((at, c)) = chars.next() {
        match (quote, c) {
            (Some(_), '\\') => drop(chars.next()),
            (Some(open), c) if c == open => quote = None,
            (Some(_), _) => {}
            (None, '\'' | '"') => quote = Some(c),
            (None, '[' | '(') => depth += 1,
            (None, ')') if depth == 0 => return Some(at),
            (None, ']' | ')') => depth = depth.saturating_sub(1),
            (None, '}' | '?') if depth == 0 => return Some(at),
            _ => {}
        }
    }
    None
}

/// Steps of a shorthand path.
fn path(text: &str) -> Option<(Vec<Step>, &str)> {
    let mut rest = text;
    let mut steps = Vec::new();
    loop {
        if let Some(after) = rest.strip_prefix('[') {
            let (step, after) = bracket(after.trim_start())?;
            steps.push(step);
            rest = after.trim_start().strip_prefix(']')?;
            continue;
        }
        let dotted = rest.strip_prefix('.');
        let Some(after) = dotted.or(steps.is_empty().then_some(rest)) else { break };
        let bare = |c: char| c.is_alphanumeric() || c == '_' || c == '-';
        let end = after.find(|c| !bare(c)).unwrap_or(after.len());
        let (name, after) = after.split_at_checked(end).filter(|(name, _)| !name.is_empty())?;
        let digits = !steps.is_empty() && name.bytes().all(|b| b.is_ascii_digit());
        steps.push(if digits { Step::Index(name.parse().ok()?) } else { Step::Name(name.to_owned()) });
        rest = after;
    }
    (!steps.is_empty()).then_some((steps, rest))
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

/// Renders a string of an action: a single template gives the value itself, anything else gives
/// text.
pub(crate) fn fill(parts: &[Part], find: &dyn Fn(&Path) -> Option<Json>) -> Json {
    let value = |path: &Path, default: &Option<Json>| match find(path) {
        None if default.is_none() && !path.is_singular() => Json::Arr(Vec::new()),
        None | Some(Json::Null) => default.clone().unwrap_or(Json::Null),
        Some(found) => found,
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
