//! TOML to the values that JSON has: what an agent keeps in a TOML file has the same form as in
//! its JSON files.
//!
//! `toml_edit` is the parser. Its depth is bounded, and duplicate keys are errors of TOML itself.

use std::ops::Range;

use hookc_schema::value::{Kind, Member, Number, Value};
use hookc_schema::{Code, Diagnostic, Diagnostics, SourceId, Span, Spanned};
use toml_edit::{Document, InlineTable, Item, Key, Table};

use crate::limits;

/// Whether a file of this name is TOML.
#[must_use]
pub fn is_named(name: &str) -> bool {
    name.rsplit_once('.').is_some_and(|(_, ending)| ending.eq_ignore_ascii_case("toml"))
}

/// Whether a line of a text starts a table of hooks; `[hooks.state]` is not one.
#[must_use]
pub fn has_hooks(text: &str) -> bool {
    let mut root = true;
    text.lines().any(|line| {
        let line = line.trim_start();
        let header = line.starts_with('[');
        root &= !header;
        (header || root) && is_hooks(line.trim_start_matches('['))
    })
}

/// Whether a dotted key begins with `hooks` and does not continue with `state`.
fn is_hooks(key: &str) -> bool {
    fn bare(text: &str) -> Option<(&str, &str)> {
        let text = text.trim_start();
        let (name, rest) = match text.strip_prefix(['"', '\'']) {
            Some(quoted) => quoted.split_once(['"', '\''])?,
            None => text
                .split_at_checked(text.find(|c: char| !c.is_ascii_alphanumeric() && c != '_' && c != '-')?)?,
        };
        Some((name, rest.trim_start()))
    }
    match bare(key) {
        Some(("hooks", rest)) => match rest.strip_prefix('.') {
            Some(below) => bare(below).is_none_or(|(name, _)| name != "state"),
            None => rest.starts_with(['=', ']']),
        },
        _ => false,
    }
}

/// Reads a text; `None` after reporting that it is not TOML.
pub fn read(text: &str, source: SourceId, out: &mut Diagnostics) -> Option<Value> {
    if text.len() > limits::SOURCE_BYTES {
        let message = format!("the source is larger than {} bytes", limits::SOURCE_BYTES);
        out.push(Diagnostic::new(Code::E0001, Span::new(source, 0..0), message).help("split the file"));
        return None;
    }
    let reader = Reader { source, end: text.len() };
    match Document::parse(text) {
        Ok(document) => Some(reader.table(document.as_table(), reader.span(Some(0..text.len())))),
        Err(error) => {
            let what = error.message().lines().next().unwrap_or("unknown error");
            let message = format!("the TOML is not well-formed: {what}");
            let new = Diagnostic::new(Code::E0440, reader.span(error.span()), message).with_label("here");
            out.push(new.help("correct the text: the agent does not start with a file that it cannot read"));
            None
        }
    }
}

struct Reader {
    source: SourceId,
    /// The length of the text.
    end: usize,
}

impl Reader {
    fn span(&self, range: Option<Range<usize>>) -> Span {
        let range = range.unwrap_or(0..0);
        let end = range.end.min(self.end);
        Span::new(self.source, range.start.min(end)..end)
    }

    fn table(&self, table: &Table, span: Span) -> Value {
        let keys = table.iter().filter_map(|(name, _)| table.get_key_value(name));
        Value::new(Kind::Map(keys.map(|(key, item)| self.member(key, item)).collect()), span)
    }

    fn inline(&self, table: &InlineTable, span: Span) -> Value {
        let keys = table.iter().filter_map(|(name, _)| table.get_key_value(name));
        Value::new(Kind::Map(keys.map(|(key, item)| self.member(key, item)).collect()), span)
    }

    fn member(&self, key: &Key, item: &Item) -> Member {
        let at = self.span(key.span());
        Member { key: Spanned::new(key.get().to_owned(), at), value: self.item(item, at) }
    }

    /// A value; `near` is its key, for a table that no header names.
    fn item(&self, item: &Item, near: Span) -> Value {
        let span = item.span().map_or(near, |range| self.span(Some(range)));
        match item {
            Item::None => Value::new(Kind::Null, span),
            Item::Value(value) => self.value(value, span),
            Item::Table(table) => self.table(table, span),
            Item::ArrayOfTables(tables) => {
                let one = |table: &Table| {
                    let span = table.span().map_or(near, |range| self.span(Some(range)));
                    self.table(table, span)
                };
                Value::new(Kind::Seq(tables.iter().map(one).collect()), span)
            }
        }
    }

    fn value(&self, value: &toml_edit::Value, span: Span) -> Value {
        let inner = |value: &toml_edit::Value| {
            let written = value.span().map_or(span, |range| self.span(Some(range)));
            self.value(value, written)
        };
        match value {
            toml_edit::Value::String(text) => Value::string(text.value().as_str(), span),
            toml_edit::Value::Integer(number) => number_of(number.value().to_string(), span),
            toml_edit::Value::Float(number) if number.value().is_finite() => {
                number_of(number.value().to_string(), span)
            }
            // JSON has neither infinity nor dates: their text is what they can be reported by.
            toml_edit::Value::Float(number) => Value::string(number.value().to_string(), span),
            toml_edit::Value::Datetime(date) => Value::string(date.value().to_string(), span),
            toml_edit::Value::Boolean(truth) => Value::new(Kind::Bool(*truth.value()), span),
            toml_edit::Value::Array(items) => Value::new(Kind::Seq(items.iter().map(inner).collect()), span),
            toml_edit::Value::InlineTable(table) => self.inline(table, span),
        }
    }
}

fn number_of(text: String, span: Span) -> Value {
    Value::new(Kind::Num(Number(text)), span)
}

#[cfg(test)]
mod tests {
    use hookc_schema::Sources;
    use hookc_schema::tree::print;

    use super::*;

    fn read_text(text: &str) -> (Option<Value>, Diagnostics, Sources) {
        let (mut sources, mut out) = (Sources::new(), Diagnostics::new());
        let source = sources.add("config.toml", text);
        let value = read(text, source, &mut out);
        (value, out, sources)
    }

    #[test]
    fn tables_are_objects() {
        let text = "a = 0x10 # c\nb.'c.d' = [1.5, \"x\\ty\", true]\n[[hooks.Stop]]\nmatcher = '''m'''\n\
                    [[hooks.Stop.hooks]]\ntype = \"command\"\n[[hooks.Stop]]\nhooks = [{type = \"command\"}]\n\
                    [hooks.state.\"/a:stop:0:0\"]\nenabled = false\nat = 1979-05-27\n";
        let (value, out, _) = read_text(text);
        assert!(out.is_empty(), "{out:?}");
        assert_eq!(
            print::json(&value.unwrap()),
            "{\"a\":16,\"b\":{\"c.d\":[1.5,\"x\\ty\",true]},\"hooks\":{\"Stop\":[{\"hooks\":[{\"type\":\"command\"}],\
             \"matcher\":\"m\"},{\"hooks\":[{\"type\":\"command\"}]}],\"state\":{\"/a:stop:0:0\":\
             {\"at\":\"1979-05-27\",\"enabled\":false}}}}"
        );
    }

    #[test]
    fn values_are_where_they_are_written() {
        let text = "[[hooks.Stop]]\n[[hooks.Stop.hooks]]\ncommand = 'x'\n";
        let (value, _, sources) = read_text(text);
        let value = value.unwrap();
        let stop = value.get("hooks").and_then(|hooks| hooks.get("Stop")).unwrap();
        let Kind::Seq(groups) = &stop.kind else { panic!("{stop:?}") };
        let Kind::Seq(handlers) = &groups[0].get("hooks").unwrap().kind else { panic!("{groups:?}") };
        assert_eq!(sources.location(handlers[0].get("command").unwrap().span), "config.toml:3:11");
    }

    #[test]
    fn what_is_not_toml_is_reported() {
        for text in
            ["a = ", "[a\n", "a = 1\na = 2\n", "{\"hooks\": {}}", &"[".repeat(10_000), "a = \"\u{0}\""]
        {
            let (value, out, _) = read_text(text);
            assert!(value.is_none() && out.len() == 1 && out[0].code == Code::E0440, "{text:.20} {out:?}");
        }
    }

    #[test]
    fn tables_of_hooks() {
        for (text, expected) in [
            ("[[hooks.Stop]]\n", true),
            ("[[ hooks . Stop ]]\n", true),
            ("[[ hooks.Stop ]]\n", true),
            ("[hooks]\nStop = []\n", true),
            ("hooks.Stop = []\n", true),
            ("hooks = {}\n", true),
            ("[\"hooks\".Stop]\n", true),
            ("[hooks.state.\"x\"]\n", false),
            ("[features]\nhooks = true\n", false),
            ("webhooks = 1\n[hooksConfig]\n", false),
        ] {
            assert_eq!(has_hooks(text), expected, "{text}");
        }
    }
}
