//! Predicates about effects.

use hookc_schema::tree::{Guard, Pattern, Predicate};

use super::text;

/// A predicate with its patterns in quotes, sets without, and regular expressions of `mentions` in slashes.
pub(super) fn print(out: &mut String, predicate: &Predicate) {
    if let Predicate::Guard(guard) = predicate {
        return self::guard(out, guard);
    }
    out.extend([predicate.name(), "("]);
    match predicate {
        Predicate::Only(guards) => {
            for (at, guard) in guards.iter().enumerate() {
                comma(out, at);
                self::guard(out, guard);
            }
        }
        Predicate::Mentions(of) => patterns(out, of, text_pattern),
        Predicate::Passed(of) => patterns(out, of, pattern),
        Predicate::Guard(_) | Predicate::Unknown => {}
    }
    out.push(')');
}

fn guard(out: &mut String, guard: &Guard) {
    out.extend([guard.name().as_str(), "("]);
    let mut first = true;
    for (word, list) in guard.lists().into_iter().filter(|(_, list)| !list.is_empty()) {
        if !std::mem::take(&mut first) {
            out.push(' ');
        }
        if !word.is_empty() {
            out.extend([word, " "]);
        }
        patterns(out, list, pattern);
    }
    out.push(')');
}

fn patterns(out: &mut String, list: &[Pattern], each: fn(&mut String, &str)) {
    for (at, pattern) in list.iter().enumerate() {
        comma(out, at);
        each(out, &pattern.node.value);
    }
}

fn comma(out: &mut String, at: usize) {
    if at > 0 {
        out.push_str(", ");
    }
}

fn pattern(out: &mut String, pattern: &str) {
    if is_set(pattern) { out.push_str(pattern) } else { text::literal(out, pattern) }
}

fn text_pattern(out: &mut String, pattern: &str) {
    if is_regex(pattern) { out.push_str(pattern) } else { self::pattern(out, pattern) }
}

/// Whether a pattern is the name of a set, which needs no quotes.
fn is_set(pattern: &str) -> bool {
    let letter = |c: char| c.is_ascii_alphabetic() || c == '_';
    let name = pattern.strip_prefix('@').filter(|name| name.starts_with(letter));
    name.is_some_and(|name| name.chars().all(|c| letter(c) || c.is_ascii_digit() || c == '-'))
}

/// Whether a pattern reads back without quotes: a regular expression without a slash inside.
fn is_regex(pattern: &str) -> bool {
    let inner = pattern.strip_suffix('i').unwrap_or(pattern);
    let inner = inner.strip_prefix('/').and_then(|inner| inner.strip_suffix('/'));
    inner.is_some_and(|inner| {
        let hidden = inner.chars().any(crate::expr::reader::is_hidden);
        !inner.is_empty() && !inner.contains('/') && !inner.ends_with('\\') && !hidden
    })
}
