//! Values as text that a reader parses to the same value.

use hookc_schema::value::{Kind, Value};

use crate::expr::print;
use crate::front::directive_xml::{Declared, reads_as};
use crate::front::xml::allowed;

/// A value as text, and the `type=` that it needs.
pub(super) fn plain(value: &Value, declared: Declared<'_>) -> (Option<&'static str>, String) {
    let text = match &value.kind {
        Kind::Null => "null".to_owned(),
        Kind::Bool(value) => super::boolean(*value).to_owned(),
        Kind::Num(number) => number.0.clone(),
        Kind::Str(text) if expressible(&text.value) => text.value.clone(),
        _ => return (Some("json"), json(value)),
    };
    let same = reads_as(&text, declared).is_some_and(|read| read == *value);
    match value.kind {
        _ if same => (None, text),
        Kind::Str(_) => (Some("string"), text),
        _ => (Some("json"), text),
    }
}

/// JSON whose characters are all allowed in XML.
pub(super) fn json(value: &Value) -> String {
    let mut json = String::new();
    for c in print::json(value).chars() {
        match c {
            // They occur only in strings: non-ASCII characters, and DEL.
            c if !allowed(c) => json.push_str(&format!("\\u{:04x}", u32::from(c))),
            c => json.push(c),
        }
    }
    json
}

/// Whether XML allows all its characters.
pub(super) fn expressible(text: &str) -> bool {
    text.chars().all(allowed)
}

/// Whether it can be written as nested `<param>`s: it is not empty, and XML can express its keys.
pub(super) fn nests(value: &Value) -> bool {
    match &value.kind {
        Kind::Seq(elements) => !elements.is_empty(),
        Kind::Map(members) => {
            !members.is_empty() && members.iter().all(|member| expressible(&member.key.node))
        }
        _ => false,
    }
}

/// Its nesting depth.
pub(super) fn depth(value: &Value) -> usize {
    match &value.kind {
        Kind::Seq(elements) => 1 + elements.iter().map(depth).max().unwrap_or(0),
        Kind::Map(members) => 1 + members.iter().map(|member| depth(&member.value)).max().unwrap_or(0),
        _ => 0,
    }
}
