//! Values as block YAML.

use hookc_schema::tree::PredicateName;
use hookc_schema::value::{Kind, Member, Value};

use crate::scalar;

/// Writes a string on one line.
type Strings = fn(&mut String, &str);

/// The text after `key:` in a mapping whose keys are indented by `indent` levels, up to the end of
/// the line.
pub(crate) fn member_value(out: &mut String, value: &Value, indent: usize) {
    member_strings(out, value, indent, scalar::string);
}

/// Like [`member_value`], for patterns of predicates.
pub(super) fn member_patterns(out: &mut String, value: &Value, indent: usize) {
    member_strings(out, value, indent, scalar::pattern);
}

fn member_strings(out: &mut String, value: &Value, indent: usize, strings: Strings) {
    match &value.kind {
        Kind::Seq(items) if !items.is_empty() => {
            out.push('\n');
            items.iter().for_each(|one| item_strings(out, one, indent + 1, strings));
        }
        Kind::Map(members) if !members.is_empty() => {
            out.push('\n');
            for member in members {
                margin(out, indent + 1);
                member_of(out, member, indent + 1, strings);
            }
        }
        _ => {
            out.push(' ');
            scalar_line(out, value, indent + 1, strings);
        }
    }
}

/// A list's item, `indent` levels in.
pub(super) fn item(out: &mut String, value: &Value, indent: usize) {
    item_strings(out, value, indent, scalar::string);
}

fn item_strings(out: &mut String, value: &Value, indent: usize, strings: Strings) {
    margin(out, indent);
    inline_item(out, value, indent, strings);
}

/// An item after its margin: its content starts after the dash.
fn inline_item(out: &mut String, value: &Value, indent: usize, strings: Strings) {
    out.push_str("- ");
    match &value.kind {
        Kind::Seq(items) if !items.is_empty() => {
            for (at, one) in items.iter().enumerate() {
                if at > 0 {
                    margin(out, indent + 1);
                }
                inline_item(out, one, indent + 1, strings);
            }
        }
        Kind::Map(members) if !members.is_empty() => {
            for (at, member) in members.iter().enumerate() {
                if at > 0 {
                    margin(out, indent + 1);
                }
                member_of(out, member, indent + 1, strings);
            }
        }
        _ => scalar_line(out, value, indent + 1, strings),
    }
}

/// `key: value`, after a margin of `indent` levels.
pub(in crate::write) fn member(out: &mut String, member: &Member, indent: usize) {
    member_of(out, member, indent, scalar::string);
}

/// A member whose strings are written so, unless it is a predicate: it has patterns.
fn member_of(out: &mut String, member: &Member, indent: usize, strings: Strings) {
    let is_predicate = PredicateName::from_name(&member.key.node).is_some();
    scalar::word(out, &member.key.node);
    out.push(':');
    member_strings(out, &member.value, indent, if is_predicate { scalar::pattern } else { strings });
}

fn margin(out: &mut String, indent: usize) {
    (0..indent).for_each(|_| out.push_str("  "));
}

/// A scalar or an empty collection; a block of text is `indent` levels in.
fn scalar_line(out: &mut String, value: &Value, indent: usize, strings: Strings) {
    match &value.kind {
        Kind::Null => out.push_str("null"),
        Kind::Bool(truth) => out.push_str(if *truth { "true" } else { "false" }),
        Kind::Num(number) => out.push_str(&number.0),
        Kind::Str(text) if scalar::block(&text.value) => return block(out, &text.value, indent),
        Kind::Str(text) => strings(out, &text.value),
        Kind::Seq(_) => out.push_str("[]"),
        Kind::Map(_) => out.push_str("{}"),
    }
    out.push('\n');
}

/// Lines of text as a literal block.
fn block(out: &mut String, text: &str, indent: usize) {
    out.push_str(if text.ends_with('\n') { "|\n" } else { "|-\n" });
    for line in text.lines() {
        if !line.is_empty() {
            margin(out, indent);
            out.push_str(line);
        }
        out.push('\n');
    }
}
