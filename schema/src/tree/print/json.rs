//! Values as one line of canonical JSON: RFC 8785 key order, exact numbers,
//! and no character that could trick a terminal.

use std::fmt::Write;

use hookc_base::json::key_order;

use crate::terminal::is_hostile;
use crate::value::{Kind, Member, Value};

/// A value as compact JSON. Equal values (but for how numbers are spelled and
/// members are ordered) give equal texts.
#[must_use]
pub fn json(value: &Value) -> String {
    let mut out = String::new();
    write(value, &mut out);
    out
}

/// A JSON string in quotes; control and direction characters escaped.
#[must_use]
pub fn string(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    quote(text, &mut out);
    out
}

fn write(value: &Value, out: &mut String) {
    match &value.kind {
        Kind::Null => out.push_str("null"),
        Kind::Bool(value) => out.push_str(if *value { "true" } else { "false" }),
        Kind::Num(number) => out.push_str(&number.text()),
        Kind::Str(text) => quote(&text.value, out),
        Kind::Seq(items) => list(items, out),
        Kind::Map(members) => object(members, out),
    }
}

fn list(items: &[Value], out: &mut String) {
    out.push('[');
    for (at, item) in items.iter().enumerate() {
        if at > 0 {
            out.push(',');
        }
        write(item, out);
    }
    out.push(']');
}

fn object(members: &[Member], out: &mut String) {
    let mut sorted: Vec<&Member> = members.iter().collect();
    sorted.sort_by(|a, b| key_order(&a.key.node, &b.key.node));
    out.push('{');
    for (at, member) in sorted.into_iter().enumerate() {
        if at > 0 {
            out.push(',');
        }
        quote(&member.key.node, out);
        out.push(':');
        write(&member.value, out);
    }
    out.push('}');
}

fn quote(text: &str, out: &mut String) {
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            c if is_hostile(c) => escape(c, out),
            c => out.push(c),
        }
    }
    out.push('"');
}

/// `\u` escapes, two of them beyond the basic plane.
pub(super) fn escape(c: char, out: &mut String) {
    for unit in c.encode_utf16(&mut [0; 2]) {
        let _ = write!(out, "\\u{unit:04x}");
    }
}
