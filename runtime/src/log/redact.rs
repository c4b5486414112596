//! Removes parts of an event from the log.

#[cfg(feature = "compiler")]
mod paths;

#[cfg(feature = "compiler")]
pub use paths::RedactionError;

use std::convert::Infallible;

use hookc_schema::agents;
use serde_json::Value;

use crate::escaped::{content, decoded};
use crate::event::{Event, Tokens};

/// The replacement of a redacted value.
const REDACTED: &str = "[redacted]";

/// Members with the input of a tool.
fn inputs() -> impl Iterator<Item = &'static str> {
    let inputs = agents::member_names().filter(|(_, name)| *name == "tool_input").map(|(own, _)| own);
    std::iter::once("tool_input").chain(inputs)
}

/// One step of a path.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(not(feature = "compiler"), allow(dead_code, reason = "made of the language's paths"))]
enum Part {
    /// A member; of a list, the element of that number.
    Name(String),
    /// An element; negative from the end.
    Index(i64),
    /// Every member or element.
    Any,
}

/// Paths whose values are not logged: paths of the language, in either spelling, with `*` for every
/// member or element, as in `tool_input.env.*`. If a path leads into a value that it cannot
/// traverse, such as a string with JSON, the whole value is redacted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Redaction {
    paths: Vec<Vec<Part>>,
    /// Whether the fields that contain patches are redacted.
    patches: bool,
}

impl Redaction {
    /// Whether it removes nothing.
    pub(super) fn is_empty(&self) -> bool {
        self.paths.is_empty() && !self.patches
    }

    /// The value without its redacted parts.
    #[must_use]
    pub fn apply(&self, value: Value) -> Value {
        let mut text = String::new();
        let written: Result<(), Infallible> = self.write(&Event::from_value(value), &mut |piece| {
            text.push_str(piece);
            Ok(())
        });
        let value = written.ok().and_then(|()| serde_json::from_str(&text).ok());
        value.unwrap_or_else(|| REDACTED.into())
    }

    /// Writes the event without its redacted parts, in pieces: it is not copied, because it may be
    /// as long as an event may be. Values and duplicate keys stay as written, without whitespace
    /// between them.
    pub(super) fn write<E>(
        &self,
        event: &Event,
        out: &mut dyn FnMut(&str) -> Result<(), E>,
    ) -> Result<(), E> {
        let Ok(text) = event.readable() else { return Ok(()) };
        let of_patch = if self.patches && is_of_patch(event) { patches() } else { Vec::new() };
        let paths: Vec<&[Part]> = self.paths.iter().chain(&of_patch).map(Vec::as_slice).collect();
        Writer { tokens: Tokens::new(text), hidden: Vec::new(), out }.value(&paths)
    }

    /// A text without the redacted values of the event, which an action may have put into it.
    pub(super) fn hide(&self, event: &Event, text: String) -> String {
        if self.paths.is_empty() {
            return text;
        }
        let Ok(whole) = event.readable() else { return REDACTED.to_owned() };
        let paths: Vec<&[Part]> = self.paths.iter().map(Vec::as_slice).collect();
        let mut writer =
            Writer::<Infallible> { tokens: Tokens::new(whole), hidden: Vec::new(), out: &mut |_| Ok(()) };
        let Ok(()) = writer.value(&paths);
        let mut values: Vec<String> = writer.hidden.into_iter().flat_map(spellings).collect();
        values.sort_by_key(|value| std::cmp::Reverse(value.len()));
        values
            .iter()
            .filter(|value| !value.is_empty())
            .fold(text, |text, value| text.replace(value, REDACTED))
    }
}

/// A value as text, and as JSON inside other JSON.
fn spellings(token: &str) -> [String; 2] {
    let written = content(token).unwrap_or(token).to_owned();
    [decoded(token).unwrap_or_else(|| written.clone()), written]
}

/// Whether the event is about a file of a patch.
fn is_of_patch(event: &Event) -> bool {
    let tool = event.text("host_tool_name");
    tool.is_some_and(|tool| agents::patch_tools().any(|name| name == tool))
}

/// The members that contain a patch.
fn patches() -> Vec<Vec<Part>> {
    let name = |name: &str| Part::Name(name.to_owned());
    let members = || agents::patch_members();
    inputs().flat_map(|input| members().map(|member| vec![name(input), name(member)])).collect()
}

/// Copies an event that is known to be valid.
struct Writer<'t, 'o, E> {
    tokens: Tokens<'t>,
    /// The redacted values that are neither objects nor arrays.
    hidden: Vec<&'t str>,
    out: &'o mut dyn FnMut(&str) -> Result<(), E>,
}

impl<E> Writer<'_, '_, E> {
    /// The next value; what `paths` lead to is redacted. If a path continues, but the value has no
    /// children, it contains what the path refers to.
    fn value(&mut self, paths: &[&[Part]]) -> Result<(), E> {
        let mut ahead = self.tokens;
        let redacted = paths.iter().any(|path| path.is_empty());
        match ahead.next() {
            Some("{") if !redacted && !paths.is_empty() => self.object(paths),
            Some("[") if !redacted && !paths.is_empty() => self.array(paths),
            Some("null") if !redacted => self.copy(),
            _ if paths.is_empty() => self.copy(),
            _ => {
                self.hide();
                (self.out)("\"")?;
                (self.out)(REDACTED)?;
                (self.out)("\"")
            }
        }
    }

    /// Passes over a value.
    fn hide(&mut self) {
        let mut depth = 0;
        for token in self.tokens.by_ref() {
            if !matches!(token, "{" | "}" | "[" | "]" | ":" | "," | "true" | "false" | "null") {
                self.hidden.push(token);
            }
            if is_ended(token, &mut depth) {
                break;
            }
        }
    }

    fn copy(&mut self) -> Result<(), E> {
        let mut depth = 0;
        for token in self.tokens.by_ref() {
            (self.out)(token)?;
            if is_ended(token, &mut depth) {
                break;
            }
        }
        Ok(())
    }

    fn object(&mut self, paths: &[&[Part]]) -> Result<(), E> {
        while let Some(token) = self.tokens.next() {
            (self.out)(token)?;
            match token {
                "}" => break,
                ":" | "," | "{" => {}
                key => {
                    (self.out)(self.tokens.next().unwrap_or(":"))?;
                    let name = decoded(key).unwrap_or_default();
                    self.value(&deeper(paths, |part| is_member(part, &name)))?;
                }
            }
        }
        Ok(())
    }

    fn array(&mut self, paths: &[&[Part]]) -> Result<(), E> {
        let from_end = |path: &&[Part]| matches!(path.first(), Some(Part::Index(..0)));
        let length = if paths.iter().any(from_end) { elements(self.tokens) } else { 0 };
        (self.out)(self.tokens.next().unwrap_or("["))?;
        let mut at = 0;
        loop {
            let mut ahead = self.tokens;
            match ahead.next() {
                Some(token @ ("]" | ",")) => {
                    self.tokens = ahead;
                    (self.out)(token)?;
                    if token == "]" {
                        return Ok(());
                    }
                }
                Some(_) => {
                    self.value(&deeper(paths, |part| is_element(part, at, length)))?;
                    at = at.saturating_add(1);
                }
                None => return Ok(()),
            }
        }
    }
}

/// Whether a value that started at depth 0 ends with this token.
fn is_ended(token: &str, depth: &mut usize) -> bool {
    match token {
        "{" | "[" => *depth = depth.saturating_add(1),
        "}" | "]" => *depth = depth.saturating_sub(1),
        _ => {}
    }
    *depth == 0
}

/// Passes over a value.
fn skip(tokens: &mut Tokens<'_>) {
    let mut depth = 0;
    let _ = tokens.find(|token| is_ended(token, &mut depth));
}

/// The number of elements of the array that is next.
fn elements(mut tokens: Tokens<'_>) -> usize {
    let mut count: usize = 0;
    tokens.next();
    loop {
        let mut ahead = tokens;
        match ahead.next() {
            Some("]") | None => return count,
            Some(",") => tokens = ahead,
            Some(_) => {
                count = count.saturating_add(1);
                skip(&mut tokens);
            }
        }
    }
}

/// What remains of the paths that continue with a step.
fn deeper<'p>(paths: &[&'p [Part]], is_step: impl Fn(&Part) -> bool) -> Vec<&'p [Part]> {
    let steps = paths.iter().filter_map(|path| path.split_first());
    steps.filter(|(part, _)| is_step(part)).map(|(_, rest)| rest).collect()
}

fn is_member(part: &Part, name: &str) -> bool {
    match part {
        Part::Any => true,
        Part::Name(part) => part == name,
        Part::Index(_) => false,
    }
}

/// Whether a step leads to the element at a position of an array of this length.
fn is_element(part: &Part, at: usize, length: usize) -> bool {
    match part {
        Part::Any => true,
        Part::Name(name) => name.parse() == Ok(at),
        Part::Index(index) => match usize::try_from(*index) {
            Ok(index) => index == at,
            Err(_) => {
                let back = usize::try_from(index.unsigned_abs()).ok();
                back.and_then(|back| length.checked_sub(back)) == Some(at)
            }
        },
    }
}

#[cfg(all(test, feature = "compiler"))]
mod tests {
    use super::Redaction;
    use crate::event::Event;
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
    fn texts_of_actions() {
        let redaction = Redaction::new(["a", "list.*.key"]);
        let event = Event::from_value(json!({"a": "s3\"x", "b": "kept", "list": [{"key": [17, "s3"]}]}));
        let hidden = |text: &str| redaction.hide(&event, text.to_owned());
        assert_eq!(hidden("s3\"x, kept, 17"), "[redacted], kept, [redacted]");
        assert_eq!(hidden(r#"{"a":"s3\"x"}"#), r#"{"a":"[redacted]"}"#);
        assert_eq!(Redaction::new([]).hide(&event, "s3".to_owned()), "s3");
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
    fn within_and_beside_the_object_event() {
        let value = || json!({"tool_input": {"command": 1, "cwd": 2}, "event": {"tool_input": {"command": 3}, "x": 4}, "x": 5});
        let left = |path: &str| {
            let text = Redaction::new([path]).apply(value()).to_string();
            (1..=5).filter(|n| text.contains(&format!(":{n}"))).collect::<Vec<_>>()
        };
        assert_eq!(left("tool_input.command"), [2, 4, 5]);
        assert_eq!(left("event.tool_input.command"), [2, 4, 5]);
        assert_eq!(left("event.x"), [1, 2, 3]);
        assert_eq!(left("event.*"), [0; 0]);
        assert_eq!(left("*.x"), [1, 2, 3]);
        assert_eq!(left("tool_input"), [4, 5]);
    }

    #[test]
    fn under_each_name_of_an_agent() {
        let hidden = |path: &str, member: &str| {
            let other = json!({member: "secret"});
            !Redaction::new([path]).apply(other).to_string().contains("secret")
        };
        for (path, member) in [
            ("tool_input.command", "command"),
            ("tool_input.edits", "edits"),
            ("tool_response", "tool_output"),
            ("tool_response", "result_json"),
            ("tool_response.x", "toolResult"),
            ("last_assistant_message", "prompt_response"),
            ("session_id", "conversation_id"),
            ("cwd", "workspace_roots"),
        ] {
            assert!(hidden(path, member) && !hidden("tool_input.url", member), "{path} {member}");
        }
        assert!(!hidden("tool_input", "cwd"));
    }

    #[test]
    fn duplicate_keys_and_numbers_stay_as_written() {
        let event =
            Event::new(r#" { "a" : 1.50, "a":[ {"k":1,"k":"x\u0041"} , 12345678901234567890123 ] } "#);
        let written = |paths: &[&str]| {
            let mut text = String::new();
            let done: Result<(), ()> = Redaction::new(paths.iter().copied()).write(&event, &mut |piece| {
                text.push_str(piece);
                Ok(())
            });
            done.map(|()| text)
        };
        let whole = r#"{"a":1.50,"a":[{"k":1,"k":"x\u0041"},12345678901234567890123]}"#;
        assert_eq!(written(&[]).as_deref(), Ok(whole));
        let keys = r#"{"a":"[redacted]","a":[{"k":"[redacted]","k":"[redacted]"},12345678901234567890123]}"#;
        assert_eq!(written(&["a[0].k"]).as_deref(), Ok(keys));
        let last = r#"{"a":"[redacted]","a":[{"k":1,"k":"x\u0041"},"[redacted]"]}"#;
        assert_eq!(written(&["a[-1]"]).as_deref(), Ok(last));
        assert_eq!(
            written(&["a[-2].x", "a[-3]"]).as_deref(),
            Ok(r#"{"a":"[redacted]","a":[{"k":1,"k":"x\u0041"},12345678901234567890123]}"#)
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
