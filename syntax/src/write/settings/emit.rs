//! JSON with two spaces a level, as the agent writes its settings.

use hookc_schema::tree::print::string;
use hookc_schema::value::{Kind, Value};

/// The text of a value, with a final newline.
pub(super) fn json(value: &Value) -> String {
    let mut out = String::new();
    write(&mut out, value, 0);
    out.push('\n');
    out
}

fn write(out: &mut String, value: &Value, depth: usize) {
    match &value.kind {
        Kind::Null => out.push_str("null"),
        Kind::Bool(truth) => out.push_str(if *truth { "true" } else { "false" }),
        Kind::Num(number) => out.push_str(&number.0),
        Kind::Str(text) => out.push_str(&string(&text.value)),
        Kind::Seq(items) => {
            let item = |out: &mut String, item: &Value| write(out, item, depth + 1);
            block(out, ('[', ']'), items, depth, item);
        }
        Kind::Map(members) => block(out, ('{', '}'), members, depth, |out, member| {
            out.push_str(&string(&member.key.node));
            out.push_str(": ");
            write(out, &member.value, depth + 1);
        }),
    }
}

fn block<T>(
    out: &mut String,
    (open, close): (char, char),
    parts: &[T],
    depth: usize,
    mut each: impl FnMut(&mut String, &T),
) {
    out.push(open);
    for (at, part) in parts.iter().enumerate() {
        out.push_str(if at > 0 { ",\n" } else { "\n" });
        out.push_str(&"  ".repeat(depth + 1));
        each(out, part);
    }
    if !parts.is_empty() {
        out.push('\n');
        out.push_str(&"  ".repeat(depth));
    }
    out.push(close);
}
