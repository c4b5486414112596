//! `rewrite` of the action `modify`: words that commands begin with, and what replaces them.

use hookc_schema::value::{Kind, Value};
use hookc_schema::{Code, Diagnostic, Span};

/// The error of a table; `None` if it is right, or no table at all.
pub(super) fn check(table: Option<&Value>, span: Span) -> Option<Diagnostic> {
    let Some(table) = table else {
        let new = Diagnostic::new(Code::E0307, span, "a template in the words that `rewrite` writes");
        let new = new.with_label("the event would determine which code runs");
        return Some(new.help("write the words, or change the whole line with `input`"));
    };
    let Kind::Map(members) = &table.kind else { return None };
    if members.is_empty() {
        let new = Diagnostic::new(Code::E0409, table.span, "`rewrite` replaces nothing");
        return Some(new.with_label("no words").help("write `{npm: pnpm}`"));
    }
    members
        .iter()
        .find_map(|member| words(&member.key.node, member.key.span).or_else(|| new_words(&member.value)))
}

fn new_words(value: &Value) -> Option<Diagnostic> {
    match value.as_str() {
        Some(text) => words(text, value.span),
        None => {
            let new = Diagnostic::new(Code::E0409, value.span, "`rewrite` replaces words by words");
            Some(new.with_label("not a text").help("write what the command begins with instead: `npm: pnpm`"))
        }
    }
}

/// The error of words that are not only words: a shell would read something else in them.
fn words(text: &str, span: Span) -> Option<Diagnostic> {
    let is_plain = |c: char| c.is_alphanumeric() || "_-./@:+=%, ".contains(c);
    if text.chars().all(is_plain) && !text.trim().is_empty() {
        return None;
    }
    let what = format!("`{text}` is not the beginning of a command");
    let new =
        Diagnostic::new(Code::E0409, span, what).with_label("expected words without quotes and patterns");
    Some(new.help("write the program and the words after it: `npm ci: pnpm install --frozen-lockfile`"))
}
