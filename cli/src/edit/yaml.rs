//! Adds an item to a list of a YAML text, leaving everything else unchanged. The result is parsed
//! again and rejected if its content is not as expected.

use std::ops::Range;

use hookc_schema::value::{Kind, Member, Value};
use hookc_schema::{Diagnostics, SourceId, Span, Spanned};
use hookc_syntax::front::yaml;
use serde_json::json;

use super::block::{flow, lines};
use super::change::{self, Edit};
use super::json::children;
use super::{layout, plain};

/// The list for the item.
#[derive(Debug)]
pub(crate) struct List<'k> {
    /// The keys that lead to it.
    pub(crate) keys: &'k [&'k str],
    /// A single item may be the value of this key, without a list.
    pub(crate) alone: Option<&'k str>,
}

/// The text with the item at the end of the list and the keys that lead there; unchanged if the
/// list has the item. `None` if there is no obvious way.
pub(crate) fn put(text: &str, list: &List<'_>, item: &serde_json::Value) -> Option<String> {
    let root = read(text)?;
    let put = Put { text, end: layout::line_end(text), list, item, value: plain(item) };
    let wanted = put.with(Some(&root), list.keys);
    if wanted.same(&root) {
        return Some(text.to_owned());
    }
    let new = change::apply(text, put.edits(&root, None, list.keys)?);
    read(&new)?.same(&wanted).then_some(new)
}

fn read(text: &str) -> Option<Value> {
    let mut diagnostics = Diagnostics::new();
    let root = yaml::read(text, SourceId(0), &mut diagnostics)?;
    (diagnostics.errors() == 0).then_some(root)
}

struct Put<'p> {
    text: &'p str,
    /// The line end.
    end: &'static str,
    list: &'p List<'p>,
    item: &'p serde_json::Value,
    /// The item as it will be parsed.
    value: Value,
}

impl Put<'_> {
    /// The expected value.
    fn with(&self, value: Option<&Value>, keys: &[&str]) -> Value {
        let kind = value.map(|value| &value.kind).filter(|kind| **kind != Kind::Null);
        let new = match (keys.split_first(), kind) {
            (Some((key, rest)), _) => {
                let mut merged = value.map(Value::members).unwrap_or_default().to_vec();
                match merged.iter_mut().find(|member| member.key.node == *key) {
                    Some(member) => member.value = self.with(Some(&member.value), rest),
                    None => {
                        let key = Spanned::new((*key).to_owned(), Span::default());
                        merged.push(Member { key, value: self.with(None, rest) });
                    }
                }
                Kind::Map(merged)
            }
            (None, None) if self.list.alone.is_some() => return self.value.clone(),
            (None, None) => Kind::Seq(vec![self.value.clone()]),
            (None, Some(Kind::Seq(there))) if there.iter().any(|one| self.is_item(one)) => {
                Kind::Seq(there.clone())
            }
            (None, Some(Kind::Seq(there))) => {
                Kind::Seq(there.iter().chain(std::iter::once(&self.value)).cloned().collect())
            }
            (None, Some(_)) => {
                let there = value.unwrap_or(&self.value);
                if self.is_item(there) {
                    return there.clone();
                }
                Kind::Seq(vec![there.clone(), self.value.clone()])
            }
        };
        Value::new(new, Span::default())
    }

    fn is_item(&self, value: &Value) -> bool {
        let within = self.list.alone.and_then(|key| value.get(key));
        value.same(&self.value) || within.is_some_and(|within| within.same(&self.value))
    }

    /// The nested `keys` with the item.
    fn wanted(&self, keys: &[&str]) -> serde_json::Value {
        let item = if self.list.alone.is_some() { self.item.clone() } else { json!([self.item]) };
        keys.iter().rev().fold(item, |value, key| json!({ *key: value }))
    }

    /// The edits for a value after `key`.
    fn edits(&self, value: &Value, key: Option<Range<usize>>, keys: &[&str]) -> Option<Vec<Edit>> {
        match (&value.kind, keys.split_first()) {
            (Kind::Map(all), Some((key, rest))) => match all.iter().find(|m| m.key.node == *key) {
                Some(member) => self.edits(&member.value, Some(member.key.span.range()), rest),
                None => self.append(value, Some(key), &self.wanted(rest)),
            },
            (Kind::Seq(_), None) => self.append(value, None, self.item),
            (Kind::Null, _) => self.fill(value, key, keys),
            (_, None) if self.list.alone.is_some() => self.join(value),
            _ => None,
        }
    }

    /// After all children of a list or mapping.
    fn append(&self, value: &Value, key: Option<&str>, new: &serde_json::Value) -> Option<Vec<Edit>> {
        let whole = value.span.range();
        if !self.text.get(whole.start..)?.starts_with(['[', '{']) {
            return self.below(whole.end, &lines(key, new, &self.indent(whole.start)?, self.end));
        }
        let new = match key {
            Some(key) => flow(&json!({ key: new })),
            None => flow(&json!([new])),
        };
        let new = new.get(1..new.len() - 1)?;
        Some(match children(value).into_iter().map(|child| child.end).max() {
            Some(last) => vec![Edit::insert(last, format!(", {new}"))],
            None => vec![Edit::insert(whole.start + 1, new)],
        })
    }

    /// Replaces an empty value.
    fn fill(&self, value: &Value, key: Option<Range<usize>>, keys: &[&str]) -> Option<Vec<Edit>> {
        let new = self.wanted(keys);
        let whole = value.span.range();
        if !whole.is_empty() {
            return Some(vec![Edit::delete(whole.start, whole.end), Edit::insert(whole.end, flow(&new))]);
        }
        let indent = key.clone().map_or(Some(String::new()), |key| Some(self.indent(key.start)? + "  "))?;
        let text = match &new {
            serde_json::Value::Object(all) => {
                all.iter().map(|(key, value)| lines(Some(key), value, &indent, self.end)).collect()
            }
            serde_json::Value::Array(all) => {
                all.iter().map(|item| lines(None, item, &indent, self.end)).collect::<String>()
            }
            one => {
                let colon = key?.end + 1;
                return Some(vec![Edit::insert(colon, format!(" {}", flow(one)))]);
            }
        };
        match key {
            Some(key) => self.below(key.end + 1, &text),
            None => self.below(self.text.len(), &text),
        }
    }

    /// After a value without a list.
    fn join(&self, value: &Value) -> Option<Vec<Edit>> {
        let whole = value.span.range();
        let written = self.text.get(whole.clone())?;
        if !matches!(value.kind, Kind::Map(_)) || written.starts_with('{') {
            let after = format!(", {}]", flow(self.item));
            return Some(vec![Edit::insert(whole.start, "["), Edit::insert(whole.end, after)]);
        }
        let mut edits =
            self.below(whole.end, &lines(None, self.item, &self.indent(whole.start)?, self.end))?;
        edits.push(Edit::insert(whole.start, "- "));
        let ends = written.match_indices('\n').map(|(at, _)| whole.start + at + 1);
        edits.extend(ends.map(|at| Edit::insert(at, "  ")));
        Some(edits)
    }

    /// Lines below the line in which something ends: only a comment follows it on that line.
    fn below(&self, at: usize, text: &str) -> Option<Vec<Edit>> {
        if self.text.get(..at)?.ends_with('\n') || at == 0 {
            return Some(vec![Edit::insert(at, text)]);
        }
        let rest = self.text.get(at..)?;
        let line = rest.split_inclusive('\n').next().unwrap_or("");
        if !line.trim().is_empty() && !line.trim_start().starts_with('#') {
            return None;
        }
        let end = at + line.len();
        Some(match line.ends_with('\n') {
            true => vec![Edit::insert(end, text)],
            false => vec![Edit::insert(end, format!("{}{text}", self.end))],
        })
    }

    /// As many spaces as precede a position on its line.
    fn indent(&self, at: usize) -> Option<String> {
        let before = self.text.get(..at)?;
        let line = before.rsplit('\n').next()?;
        Some(" ".repeat(line.trim_start_matches('\u{feff}').chars().count()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HOOKS: List<'static> = List { keys: &["hooks"], alone: None };
    const EVENT: List<'static> = List { keys: &["hooks", "e"], alone: Some("script") };

    fn hook(text: &str) -> Option<String> {
        put(text, &HOOKS, &json!({"id": "z", "action": {"type": "deny"}}))
    }

    fn script(text: &str) -> Option<String> {
        put(text, &EVENT, &json!("n.py"))
    }

    #[test]
    fn into_lists() {
        let new = "- id: z\n    action:\n      type: deny\n";
        for (text, expected) in [
            (
                "hooks:\n  - id: a # a\n  # b\n\nx: 1\n",
                format!("hooks:\n  - id: a # a\n  {new}  # b\n\nx: 1\n"),
            ),
            ("hooks:\n- id: a", "hooks:\n- id: a\n- id: z\n  action:\n    type: deny\n".to_owned()),
            ("x: 1\n", format!("x: 1\nhooks:\n  {new}")),
            ("# only this\n", format!("# only this\nhooks:\n  {new}")),
            ("hooks: # none\n# x\nx: 1\n", format!("hooks: # none\n  {new}# x\nx: 1\n")),
            (
                "hooks: [{id: a}, ] # x\n",
                "hooks: [{id: a}, {id: z, action: {type: deny}}, ] # x\n".to_owned(),
            ),
            ("hooks: []\n", "hooks: [{id: z, action: {type: deny}}]\n".to_owned()),
            ("hooks: null\n", "hooks: [{id: z, action: {type: deny}}]\n".to_owned()),
            ("{x: 1}", "{x: 1, hooks: [{id: z, action: {type: deny}}]}".to_owned()),
            ("hooks:\n  - id: |\n     a\n\n\n", format!("hooks:\n  - id: |\n     a\n  {new}\n\n")),
            ("\u{feff}hooks:\n  - id: a\n", format!("\u{feff}hooks:\n  - id: a\n  {new}")),
        ] {
            assert_eq!(hook(text).as_ref(), Some(&expected), "{text}");
            assert_eq!(hook(&expected).as_ref(), Some(&expected), "{text}");
        }
        let windows = hook("hooks:\r\n  - id: a\r\nx: 1\r\n").unwrap();
        assert_eq!(windows.matches('\n').count(), windows.matches("\r\n").count());
    }

    #[test]
    fn next_to_separate_items() {
        for (text, expected) in [
            ("a: 1\n", "a: 1\nhooks:\n  e: n.py\n"),
            (
                "a: 1\nhooks:\n    d: x.py # x\n\nb: 1\n",
                "a: 1\nhooks:\n    d: x.py # x\n    e: n.py\n\nb: 1\n",
            ),
            ("hooks:\n  e: x.py # x\n", "hooks:\n  e: [x.py, n.py] # x\n"),
            ("hooks:\n  e:\n  d: x.py\n", "hooks:\n  e: n.py\n  d: x.py\n"),
            ("hooks:\n  e: {script: x.py}\n", "hooks:\n  e: [{script: x.py}, n.py]\n"),
            (
                "hooks:\n  e:\n    script: x.py # x\n    timeout: 3\n  d: y.py\n",
                "hooks:\n  e:\n    - script: x.py # x\n      timeout: 3\n    - n.py\n  d: y.py\n",
            ),
            ("hooks:\n  e:\n    - x.py\n    - y.py\n", "hooks:\n  e:\n    - x.py\n    - y.py\n    - n.py\n"),
            ("hooks: {d: x.py}\n", "hooks: {d: x.py, e: n.py}\n"),
            ("hooks:\n  e: n.py\n", "hooks:\n  e: n.py\n"),
            (
                "hooks:\n  e:\n    - {script: n.py, timeout: 1}\n",
                "hooks:\n  e:\n    - {script: n.py, timeout: 1}\n",
            ),
        ] {
            assert_eq!(script(text).as_deref(), Some(expected), "{text}");
        }
    }

    #[test]
    fn ambiguous_files_are_unchanged() {
        for text in [
            "hooks: &h\n  - id: a\nother: *h\n",
            "other: &h\n  - id: a\nhooks: *h\n",
            "hooks:\n  - id: |+\n     a\n\n\n",
            "hooks: x\n",
            "hooks: {a: 1}\n",
            "hooks: [",
            "- 1\n",
        ] {
            assert_eq!(hook(text), None, "{text}");
        }
    }
}
