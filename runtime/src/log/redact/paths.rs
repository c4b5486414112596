//! The paths of the language for redaction.

use std::error::Error;
use std::fmt;

use hookc_schema::agents;
use hookc_schema::tree::{Path, PathKind, Segment, Selector, Step};
use hookc_schema::value::Text;
use hookc_schema::{Diagnostics, Span};
use hookc_syntax::expr::path;

use super::{Part, Redaction, inputs};

/// Fields of an input that are read out of a patch.
const OF_PATCHES: [&str; 4] = ["file_path", "content", "old_string", "new_string"];

impl Redaction {
    /// From paths. An invalid path redacts everything: see [`Redaction::check`].
    ///
    /// ```
    /// use hookc_runtime::log::Redaction;
    /// use serde_json::json;
    ///
    /// let redaction = Redaction::new(["tool_input.env.*"]);
    /// let logged = redaction.apply(json!({"tool_input": {"env": {"TOKEN": "secret"}, "command": "ls"}}));
    /// assert_eq!(logged, json!({"tool_input": {"env": {"TOKEN": "[redacted]"}, "command": "ls"}}));
    ///
    /// assert!(Redaction::check("tool_input..env").is_err());
    /// ```
    pub fn new<'p>(paths: impl IntoIterator<Item = &'p str>) -> Self {
        let given: Vec<Vec<Part>> = paths.into_iter().map(|path| parts(path).unwrap_or_default()).collect();
        let given: Vec<Vec<Part>> = given.into_iter().flat_map(merged).collect();
        let other = given.iter().flat_map(|path| other_names(path)).flat_map(merged);
        let paths = other.chain(given.iter().cloned()).collect();
        let patches = given.iter().any(|path| OF_PATCHES.iter().any(|name| is_field(path, name)));
        Self { paths, patches }
    }

    /// Whether it removes the value at a path of an event, or a part of it. For a view it is that of its text.
    #[must_use]
    pub fn hides(&self, path: &str) -> bool {
        let kept = parsed(path).and_then(|path| parts(&path.source().text));
        let is_met = |(hidden, kept): (&Part, &Part)| *hidden == Part::Any || hidden == kept;
        kept.is_ok_and(|kept| self.paths.iter().any(|hidden| hidden.iter().zip(&kept).all(is_met)))
    }

    /// Whether a text is a path that can be redacted.
    ///
    /// # Errors
    /// It is invalid, or selects by more than names, numbers and `*`.
    pub fn check(path: &str) -> Result<(), RedactionError> {
        parts(path).map(drop).map_err(RedactionError)
    }
}

/// Why a text is not a path that can be redacted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RedactionError(String);

impl fmt::Display for RedactionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Error for RedactionError {}

/// A view is no part of the event.
const NO_VIEW: &str = "a view cannot be redacted: write the path of the text that it is made from";

/// Nor is what happened before.
const NO_RECALL: &str =
    "a value of the history cannot be redacted: write the path of the event that it is from";

fn parts(text: &str) -> Result<Vec<Part>, String> {
    if text.starts_with('$') {
        return match parsed(text)?.kind {
            PathKind::Query(query) => query.segments.into_iter().map(part).collect(),
            PathKind::Short(steps) => steps.iter().cloned().map(Part::from_step).collect(),
            PathKind::View(_) => Err(NO_VIEW.to_owned()),
            PathKind::Recall(_) => Err(NO_RECALL.to_owned()),
        };
    }
    let (mut parts, mut rest) = (Vec::new(), text);
    loop {
        let at = star(rest);
        let piece = at.map_or(Some(rest), |at| rest.get(..at)).unwrap_or_default();
        let Some(at) = at else {
            parts.extend(short(piece)?);
            break;
        };
        let after = rest.get(at + 1..).unwrap_or_default();
        let bracket = piece.ends_with('[');
        let whole = bracket || piece.ends_with('.') || (piece.is_empty() && parts.is_empty());
        let after = if bracket { after.strip_prefix(']') } else { Some(after) };
        let after = after.filter(|after| whole && (after.is_empty() || after.starts_with(['.', '['])));
        rest = after.ok_or_else(|| format!("`{text}` is not a path: `*` replaces a whole step"))?;
        parts.extend(short(piece.strip_suffix(['.', '[']).unwrap_or(piece))?);
        parts.push(Part::Any);
        if rest.is_empty() {
            break;
        }
    }
    if parts.is_empty() { Err("the path is empty".to_owned()) } else { Ok(parts) }
}

/// The first `*` outside of quotes.
fn star(text: &str) -> Option<usize> {
    let (mut quote, mut escaped) = (None, false);
    for (at, c) in text.char_indices() {
        match (c, quote) {
            _ if escaped => escaped = false,
            ('\\', Some(_)) => escaped = true,
            (c, Some(open)) if c == open => quote = None,
            ('"' | '\'', None) => quote = Some(c),
            ('*', None) => return Some(at),
            _ => {}
        }
    }
    None
}

/// A part of the shorthand between two `*`.
fn short(piece: &str) -> Result<Vec<Part>, String> {
    let piece = piece.strip_prefix('.').unwrap_or(piece);
    let (text, skip) = match piece {
        "" => return Ok(Vec::new()),
        // A path starts with a name.
        piece if piece.starts_with('[') => (format!("x{piece}"), 1),
        piece => (piece.to_owned(), 0),
    };
    match parsed(&text)?.kind {
        PathKind::Short(steps) => steps.iter().skip(skip).cloned().map(Part::from_step).collect(),
        PathKind::View(_) => Err(NO_VIEW.to_owned()),
        PathKind::Recall(_) => Err(NO_RECALL.to_owned()),
        PathKind::Query(_) => Err(format!("`{piece}` is not a path: `$` is allowed only at its start")),
    }
}

fn parsed(text: &str) -> Result<Path, String> {
    let mut diagnostics = Diagnostics::new();
    let path = path::parse(&Text::plain(text), Span::default(), &mut diagnostics);
    path.ok_or_else(|| {
        let why = diagnostics.first().map(|diagnostic| diagnostic.message.as_str()).unwrap_or_default();
        format!("`{text}` is not a path: {why}")
    })
}

fn part(segment: Segment) -> Result<Part, String> {
    let Segment::Child(selectors) = segment else {
        return Err("`..` cannot be redacted: write every step, with `*` for any name".to_owned());
    };
    match <[Selector; 1]>::try_from(selectors) {
        Ok([Selector::Name(name)]) => Ok(Part::Name(name)),
        Ok([Selector::Index(at)]) => Ok(Part::Index(at)),
        Ok([Selector::Wildcard]) => Ok(Part::Any),
        _ => Err("a path to redact consists of names, numbers and `*`".to_owned()),
    }
}

impl Part {
    fn from_step(step: Step) -> Result<Self, String> {
        match step {
            Step::Name(name) => Ok(Self::Name(name)),
            Step::Index(at) => Ok(Self::Index(at)),
            Step::View(_) => Err(NO_VIEW.to_owned()),
        }
    }
}

fn is_named(part: &Part, name: &str) -> bool {
    matches!(part, Part::Name(own) if own == name) || *part == Part::Any
}

/// Whether a path leads to, or through, this field of a tool's input.
fn is_field(path: &[Part], name: &str) -> bool {
    let [input, field, ..] = path else { return false };
    inputs().any(|listed| is_named(input, listed)) && is_named(field, name)
}

/// The places of an agent's event with what a path of the vocabulary leads to.
fn other_names(path: &[Part]) -> Vec<Vec<Part>> {
    let named = |names: &[&str]| names.iter().map(|name| Part::Name((*name).to_owned())).collect::<Vec<_>>();
    let moved = agents::moved_members().filter_map(|(moved_path, member)| {
        let leads = path.iter().zip(&moved_path).all(|(part, name)| is_named(part, name));
        // A path may lead to an object with the value, such as the complete input of a tool.
        let rest = path.get(moved_path.len()..).unwrap_or_default();
        leads.then(|| [named(&[member]), rest.to_vec()].concat())
    });
    let renamed = agents::input_names().into_iter().filter(|(_, name)| is_field(path, name));
    let renamed = renamed.flat_map(|(listed, _)| {
        let rest = path.get(2..).unwrap_or_default();
        inputs().map(move |input| [named(&[input, listed]), rest.to_vec()].concat())
    });
    moved.chain(renamed).collect()
}

/// A place with and without the object `event`, whose members an event can have itself.
fn merged(path: Vec<Part>) -> Vec<Vec<Part>> {
    let outer = path.split_first().filter(|(first, rest)| is_named(first, "event") && !rest.is_empty());
    let outer = outer.map(|(_, rest)| rest.to_vec());
    let inner = [vec![Part::Name("event".to_owned())], path.clone()].concat();
    outer.into_iter().chain([inner, path]).collect()
}
