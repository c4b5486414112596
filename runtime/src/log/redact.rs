//! What of an event does not go into the log.

use hookc_schema::Span;
use hookc_schema::tree::{Path, PathKind, Segment, Selector, Step};
use hookc_schema::value::Text;
use hookc_syntax::expr::path;
use serde_json::Value;

use crate::adapter::NAMES;

/// What stands in place of a redacted value.
const REDACTED: &str = "[redacted]";

/// Names that hosts have for members of the vocabulary, whose values may stand in
/// the event under both.
const ALIASES: [(&[&str], &[&str]); 6] = [
    (&["tool_input"], &["toolArgs"]),
    (&["tool_input"], &["toolInput"]),
    (&["tool_response"], &["toolResult"]),
    (&["tool_input", "command"], &["command"]),
    (&["tool_input", "file_path"], &["file_path"]),
    (&["tool_response"], &["output"]),
];

/// Members that hold the input of a tool.
const INPUTS: [&str; 3] = ["tool_input", "toolArgs", "toolInput"];

/// Fields of an input that are read out of a patch, and those that hold one.
const OF_PATCHES: [&str; 4] = ["file_path", "content", "old_string", "new_string"];
const PATCHES: [&str; 3] = ["command", "input", "patch"];

/// One step of a path.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Part {
    /// A member; of a list, the element of that number.
    Name(String),
    /// An element; negative from the end.
    Index(i64),
    /// Every member or element.
    Any,
}

/// Paths whose values are not logged: paths of the language, in either spelling,
/// with `*` for every member or element, as in `tool_input.env.*`. What a path leads
/// into and not through, a string that holds JSON for one, is not logged at all.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Redaction {
    paths: Vec<Vec<Part>>,
    /// Whether what patches are read for is redacted.
    patches: bool,
}

impl Redaction {
    /// From paths. One that is none takes all away: see [`Redaction::check`].
    pub fn new<'p>(paths: impl IntoIterator<Item = &'p str>) -> Self {
        let given: Vec<Vec<Part>> = paths.into_iter().map(|path| parts(path).unwrap_or_default()).collect();
        let paths = given.iter().flat_map(|path| other_names(path)).chain(given.iter().cloned()).collect();
        let patches = given.iter().any(|path| OF_PATCHES.iter().any(|name| is_field(path, name)));
        Self { paths, patches }
    }

    /// Whether a text is a path that can be redacted.
    ///
    /// # Errors
    /// It is none, or selects by more than names, numbers and `*`.
    pub fn check(path: &str) -> Result<(), String> {
        parts(path).map(drop)
    }

    /// The value without what is redacted.
    #[must_use]
    pub fn apply(&self, mut value: Value) -> Value {
        if self.patches && value.get("host_tool_name").is_some_and(|name| name == "apply_patch") {
            for (input, name) in INPUTS.iter().flat_map(|input| PATCHES.map(|name| (*input, name))) {
                if let Some(patch) = value.get_mut(input).and_then(|input| input.get_mut(name)) {
                    *patch = REDACTED.into();
                }
            }
        }
        for path in &self.paths {
            let mut places = vec![&mut value];
            for part in path {
                places = places.into_iter().flat_map(|place| members(place, part)).collect();
            }
            for place in places {
                *place = REDACTED.into();
            }
        }
        value
    }
}

fn parts(text: &str) -> Result<Vec<Part>, String> {
    if text.starts_with('$') {
        return match parsed(text)?.kind {
            PathKind::Query(query) => query.segments.into_iter().map(part).collect(),
            PathKind::Short(steps) => Ok(steps.into_iter().map(Part::from).collect()),
        };
    }
    let (mut all, mut rest) = (Vec::new(), text);
    loop {
        let at = star(rest);
        let piece = at.map_or(Some(rest), |at| rest.get(..at)).unwrap_or_default();
        let Some(at) = at else {
            all.extend(short(piece)?);
            break;
        };
        let behind = rest.get(at + 1..).unwrap_or_default();
        let bracket = piece.ends_with('[');
        let whole = bracket || piece.ends_with('.') || (piece.is_empty() && all.is_empty());
        let behind = if bracket { behind.strip_prefix(']') } else { Some(behind) };
        let behind = behind.filter(|behind| whole && (behind.is_empty() || behind.starts_with(['.', '['])));
        rest = behind.ok_or_else(|| format!("`{text}` is no path: `*` stands for a whole step"))?;
        all.extend(short(piece.strip_suffix(['.', '[']).unwrap_or(piece))?);
        all.push(Part::Any);
        if rest.is_empty() {
            break;
        }
    }
    if all.is_empty() { Err("a path names something".to_owned()) } else { Ok(all) }
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

/// A piece of the shorthand between two `*`.
fn short(piece: &str) -> Result<Vec<Part>, String> {
    let piece = piece.strip_prefix('.').unwrap_or(piece);
    let (text, skip) = match piece {
        "" => return Ok(Vec::new()),
        // A path begins with a name.
        piece if piece.starts_with('[') => (format!("x{piece}"), 1),
        piece => (piece.to_owned(), 0),
    };
    match parsed(&text)?.kind {
        PathKind::Short(steps) => Ok(steps.into_iter().skip(skip).map(Part::from).collect()),
        PathKind::Query(_) => Err(format!("`{piece}` is no path: `$` stands at its start")),
    }
}

fn parsed(text: &str) -> Result<Path, String> {
    let mut told = Vec::new();
    let path = path::parse(&Text::plain(text), Span::default(), &mut told);
    path.ok_or_else(|| {
        let why = told.first().map(|told| told.message.as_str()).unwrap_or_default();
        format!("`{text}` is no path: {why}")
    })
}

fn part(segment: Segment) -> Result<Part, String> {
    let Segment::Child(selectors) = segment else {
        return Err("`..` cannot be redacted: name what leads there, with `*` for any".to_owned());
    };
    match <[Selector; 1]>::try_from(selectors) {
        Ok([Selector::Name(name)]) => Ok(Part::Name(name)),
        Ok([Selector::Index(at)]) => Ok(Part::Index(at)),
        Ok([Selector::Wildcard]) => Ok(Part::Any),
        _ => Err("a path to redact has names, numbers and `*`".to_owned()),
    }
}

impl From<Step> for Part {
    fn from(step: Step) -> Self {
        match step {
            Step::Name(name) => Self::Name(name),
            Step::Index(at) => Self::Index(at),
        }
    }
}

fn is_named(part: &Part, name: &str) -> bool {
    matches!(part, Part::Name(own) if own == name) || *part == Part::Any
}

/// Whether a path leads to, or through, this field of a tool's input.
fn is_field(path: &[Part], name: &str) -> bool {
    let [input, field, ..] = path else { return false };
    INPUTS.iter().any(|own| is_named(input, own)) && is_named(field, name)
}

fn other_names(path: &[Part]) -> Vec<Vec<Part>> {
    let named = |names: &[&str]| names.iter().map(|name| Part::Name((*name).to_owned())).collect::<Vec<_>>();
    let leads = |path: &[Part], own: &[&str]| path.iter().zip(own).all(|(part, name)| is_named(part, name));
    let other = |(own, other): &(&[&str], &[&str])| {
        let (front, rest) = path.split_at_checked(own.len())?;
        leads(front, own).then(|| [named(other), rest.to_vec()].concat())
    };
    // All that a tool is given: what stands beside it, too.
    let whole = ALIASES.iter().filter(|(own, _)| own.len() > path.len() && leads(path, own));
    let renamed = NAMES.iter().filter(|(name, _)| is_field(path, name));
    let renamed = renamed.flat_map(|(_, own)| {
        let rest = path.get(2..).unwrap_or_default();
        INPUTS.map(|input| [named(&[input, own]), rest.to_vec()].concat())
    });
    let all = ALIASES.iter().filter_map(other).chain(whole.map(|(_, other)| named(other)));
    all.chain(renamed).collect()
}

fn members<'v>(value: &'v mut Value, part: &Part) -> Vec<&'v mut Value> {
    match (value, part) {
        (Value::Object(members), Part::Any) => members.values_mut().collect(),
        (Value::Object(members), Part::Name(name)) => members.get_mut(name).into_iter().collect(),
        (Value::Object(_), Part::Index(_)) => Vec::new(),
        (Value::Array(items), Part::Any) => items.iter_mut().collect(),
        (Value::Array(items), part) => {
            let at = match part {
                Part::Name(name) => name.parse().ok(),
                Part::Index(at) if *at < 0 => {
                    usize::try_from(at.unsigned_abs()).ok().and_then(|back| items.len().checked_sub(back))
                }
                Part::Index(at) => usize::try_from(*at).ok(),
                Part::Any => None,
            };
            at.and_then(|at| items.get_mut(at)).into_iter().collect()
        }
        (Value::Null, _) => Vec::new(),
        // The path ends before it is over: here lies what it is about.
        (scalar, _) => vec![scalar],
    }
}

#[cfg(test)]
mod tests {
    use super::Redaction;
    use serde_json::json;

    #[test]
    fn by_path() {
        let redaction = Redaction::new(["a.b", "list.*.key", "list.1.x", "gone.x"]);
        let value = json!({"a": {"b": {"c": 1}, "d": 2}, "list": [{"key": 1}, {"key": 2, "x": 3}]});
        let expected = json!({"a": {"b": "[redacted]", "d": 2},
            "list": [{"key": "[redacted]"}, {"key": "[redacted]", "x": "[redacted]"}]});
        assert_eq!(redaction.apply(value), expected);
    }

    #[test]
    fn under_other_names_and_in_strings() {
        let redaction = Redaction::new(["tool_input.command", "prompt.x"]);
        let value = json!({"tool_input": {"command": 1, "cwd": 2}, "toolArgs": "{\"command\": 1}", "command": 1,
            "prompt": "text", "cwd": 2});
        let expected = json!({"tool_input": {"command": "[redacted]", "cwd": 2}, "toolArgs": "[redacted]",
            "command": "[redacted]", "prompt": "[redacted]", "cwd": 2});
        assert_eq!(redaction.apply(value), expected);
        let whole =
            Redaction::new(["tool_input"]).apply(json!({"tool_input": {}, "command": 1, "file_path": 2}));
        assert_eq!(
            whole,
            json!({"tool_input": "[redacted]", "command": "[redacted]", "file_path": "[redacted]"})
        );
    }

    #[test]
    fn in_the_spellings_of_the_language() {
        let value = || json!({"tool_input": {"command": 1, "env": {"a": 2, "b*": 3}, "x": [4, {"y": 5}]}, "command": 1});
        let hidden = |path: &str| {
            let text = Redaction::new([path]).apply(value()).to_string();
            (1..=5)
                .filter(|n| !text.contains(&format!(":{n}")) && !text.contains(&format!("[{n}")))
                .collect::<Vec<_>>()
        };
        for (path, gone) in [
            ("$.tool_input.command", vec![1]),
            ("$['tool_input']['command']", vec![1]),
            ("tool_input[\"command\"]", vec![1]),
            ("tool_input[\"env\"]", vec![2, 3]),
            ("tool_input.env.*", vec![2, 3]),
            ("$.tool_input.env[*]", vec![2, 3]),
            ("tool_input.env['b*']", vec![3]),
            ("tool_input[*].a", vec![1, 2]),
            ("tool_input.x[0]", vec![4]),
            ("tool_input.x[-1].y", vec![5]),
            ("tool_input.x.*.y", vec![4, 5]),
            ("tool_input.x[*]['y']", vec![4, 5]),
            ("*.env", vec![2, 3]),
            ("no path", vec![1, 2, 3, 4, 5]),
        ] {
            assert_eq!(hidden(path), gone, "{path}");
        }
        for wrong in ["", "a b", "a.", "a[", "a.b*", "a**", "$..a", "$.a[0,1]", "$[?@.a]", "$.a[1:2]", "a[*"]
        {
            assert!(Redaction::check(wrong).is_err(), "{wrong}");
        }
    }
}
