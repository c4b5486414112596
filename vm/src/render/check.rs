//! The type check of a rendered parameter.

use std::fmt::Write;

use super::write_constant;
use crate::module::Tables;
use crate::number;
use crate::rows::{Check, NONE};

/// Types by their bit.
const TYPES: [&str; 7] = ["null", "boolean", "integer", "number", "string", "array", "object"];
const INTEGER: u32 = 4;
const NUMBER: u32 = 8;

/// The expected type, if the value, canonical JSON, does not have it.
pub(super) fn violated(tables: &Tables<'_>, check: &Check, value: &str) -> Option<String> {
    let good =
        has_type(check.types.get(), value) && allowed(tables, check, value) && at_least(tables, check, value);
    (!good).then(|| expected(tables, check))
}

/// An integer is a number; a number with an integer's value is an integer.
fn has_type(types: u32, value: &str) -> bool {
    let bits = match value.as_bytes().first() {
        Some(b'n') => 1,
        Some(b't' | b'f') => 2,
        Some(b'"') => 16,
        Some(b'[') => 32,
        Some(b'{') => 64,
        _ if number::is_integer(value) => INTEGER | NUMBER,
        _ => NUMBER,
    };
    types == 0 || types & bits != 0
}

/// Canonical texts are equal if and only if the values are.
fn allowed(tables: &Tables<'_>, check: &Check, value: &str) -> bool {
    let mut text = String::new();
    check.allowed.get() == NONE
        || tables.list(check.allowed.get()).iter().any(|index| {
            text.clear();
            write_constant(tables, index.get(), &mut text);
            text == value
        })
}

/// As in JSON Schema, `minimum` is about numbers only.
fn at_least(tables: &Tables<'_>, check: &Check, value: &str) -> bool {
    let is_number = value.starts_with(|c: char| c == '-' || c.is_ascii_digit());
    let mut minimum = String::new();
    write_minimum(tables, check, &mut minimum);
    !is_number || minimum.is_empty() || number::compare(value, &minimum).is_ge()
}

fn write_minimum(tables: &Tables<'_>, check: &Check, out: &mut String) {
    if check.minimum.get() != NONE {
        write_constant(tables, check.minimum.get(), out);
    }
}

/// The expected type as text: `integer of at least 0`, `one of "a", "b"`.
fn expected(tables: &Tables<'_>, check: &Check) -> String {
    let mut out = String::new();
    if check.allowed.get() != NONE {
        out.push_str("one of ");
        for (at, index) in tables.list(check.allowed.get()).iter().enumerate() {
            out.push_str(if at > 0 { ", " } else { "" });
            write_constant(tables, index.get(), &mut out);
        }
        return out;
    }
    let types = (0..).zip(TYPES).filter(|(bit, _)| check.types.get() & 1 << bit != 0);
    let names: Vec<&str> = types.map(|(_, name)| name).collect();
    out.push_str(if names.is_empty() { "anything" } else { "" });
    out.push_str(&names.join(" or "));
    let mut minimum = String::new();
    write_minimum(tables, check, &mut minimum);
    if !minimum.is_empty() {
        // Writing to a string does not fail.
        let _ = write!(out, " of at least {minimum}");
    }
    out
}
