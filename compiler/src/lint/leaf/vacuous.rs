//! Leaves that test less than they appear to: operators that are true for every text, and fields
//! compared with themselves (W0610).
//!
//! Each claim is exact for values other than text: absent values, `null`, arrays and objects.
//! Nothing is claimed for a path with several results: there such a leaf tests whether a node
//! exists.

use hookc_schema::tree::{Leaf, Op, Right};
use hookc_schema::value::{Kind, Value};
use hookc_schema::{Code, Diagnostic, Span};
use regex_syntax::hir::Look;

use crate::ir::ReadPath;

/// Bytes of the longest pattern that is checked: longer ones hardly match everything, and every
/// pattern is parsed again for it.
const PATTERN_BYTES: usize = 256;

/// The types that have a text, and those that do not.
const TEXT: &str = "it is true for every string, number and boolean, and false if the field is absent, \
                    `null`, an array or an object";
const SCALAR_OR_ARRAY: &str =
    "it is true for every string, number and boolean, and for an array that contains an empty string";
const STRING: &str = "it is true for every string, and false for everything else";

/// Reports a leaf whose result does not depend on the text.
pub(crate) fn vacuous(leaf: &Leaf, path: &ReadPath, other: Option<&ReadPath>) -> Option<Diagnostic> {
    if other == Some(path) {
        return Some(itself(leaf));
    }
    let Right::Value(value) = &leaf.right else { return None };
    if matches!(path, ReadPath::Nodes(_) | ReadPath::Recall(_)) {
        return None;
    }
    let (span, what, note) = literal(leaf.op.node, value)?;
    let what = format!("`{}` with {what} does not depend on the text", leaf.op.node.name());
    let new = Diagnostic::new(Code::W0610, span, what).with_label("true for every text").note(note);
    let path = &leaf.path.text;
    Some(new.help(format!("write the text to search for, or `exists` to test whether `{path}` is present")))
}

/// The span of a value that makes an operator true for every text, its description, and the other
/// values for which the operator is true.
fn literal(op: Op, value: &Value) -> Option<(Span, &'static str, &'static str)> {
    match (op, &value.kind) {
        (Op::StartsWith | Op::EndsWith, Kind::Str(text)) if text.value.is_empty() => {
            Some((value.span, "an empty string", TEXT))
        }
        (Op::Contains, Kind::Str(text)) if text.value.is_empty() => {
            Some((value.span, "an empty string", SCALAR_OR_ARRAY))
        }
        (Op::Regex, Kind::Str(text)) if matches_everything(&text.value) => {
            Some((value.span, "a pattern that the empty string matches", TEXT))
        }
        (Op::Glob, Kind::Str(text)) if text.value == "**" => Some((value.span, "`**`", STRING)),
        (Op::Glob, Kind::Seq(items)) => {
            let item = items.iter().find(|item| item.as_str() == Some("**"))?;
            Some((item.span, "`**`", STRING))
        }
        _ => None,
    }
}

/// Whether a pattern matches every text: it has an empty match, which requires at most one end of
/// the text.
pub(super) fn matches_everything(pattern: &str) -> bool {
    if pattern.len() > PATTERN_BYTES || starts_with_a_character(pattern) {
        return false;
    }
    let Ok(hir) = regex_syntax::parse(pattern) else { return false };
    let (looks, least) = (hir.properties().look_set(), hir.properties().minimum_len());
    let only = |look: Look| looks.iter().all(|one| one == look);
    least == Some(0) && (only(Look::Start) || only(Look::End))
}

/// Whether each match of a pattern certainly starts with a character that the pattern names first. Most patterns need
/// no parser for that.
fn starts_with_a_character(pattern: &str) -> bool {
    let rest = pattern.strip_prefix('^').unwrap_or(pattern);
    let mut chars = rest.chars();
    let is_plain = |next: char| next.is_ascii_alphanumeric() || "./-_ ".contains(next);
    chars.next().is_some_and(is_plain)
        && !chars.next().is_some_and(|next| matches!(next, '*' | '?' | '{'))
        && !rest.contains('|')
}

/// A field against itself.
fn itself(leaf: &Leaf) -> Diagnostic {
    let (op, path) = (leaf.op.node, &leaf.path.text);
    let (what, note) = match op {
        Op::Gt | Op::Lt => ("never true", "no value is greater or less than itself"),
        Op::In => ("never true", "no array contains itself"),
        Op::Ne => ("true only if the field is absent", "every value equals itself"),
        Op::Gte | Op::Lte => ("true for every number", "it is false for everything else"),
        Op::StartsWith | Op::EndsWith => ("true for every string", "it is false for everything else"),
        Op::Contains => ("true for every string, number and boolean", "it is false for everything else"),
        _ => ("true if the field is present", "every value equals itself, even `null`"),
    };
    let span = match &leaf.right {
        Right::Path(right) => right.span,
        Right::None | Right::Value(_) => leaf.op.span,
    };
    let what = format!("`{}` of `{path}` and `{path}` is {what}", op.name());
    let new = Diagnostic::new(Code::W0610, span, what).with_label("the same field").note(note);
    new.help("write the other field, or the value to compare with")
}

#[cfg(test)]
mod tests {
    use super::{matches_everything, starts_with_a_character};

    #[test]
    fn patterns_that_every_text_has() {
        for pattern in ["", ".*", "x*", "^", "$", "^.*", ".*$", "(a|)", "(?s)^.*", "^a?", "()"] {
            assert!(matches_everything(pattern), "{pattern}");
        }
        for pattern in ["^$", "^.*$", r"\b", "a", ".+", "^a", "a$", "(?m)^$", r"\B", "[a&&b]", "("] {
            assert!(!matches_everything(pattern), "{pattern}");
        }
    }

    /// Every text of these characters with at most this length.
    fn texts(characters: &str, length: usize) -> Vec<String> {
        let mut texts = vec![String::new()];
        let mut last = texts.clone();
        for _ in 0..length {
            let longer =
                |text: &String| characters.chars().map(|next| format!("{text}{next}")).collect::<Vec<_>>();
            last = last.iter().flat_map(longer).collect();
            texts.extend(last.iter().cloned());
        }
        texts
    }

    #[test]
    fn what_starts_with_a_character_matches_no_empty_text() {
        let mut known = 0;
        for pattern in texts("^a.*?|()$", 5).into_iter().filter(|pattern| starts_with_a_character(pattern)) {
            let Ok(hir) = regex_syntax::parse(&pattern) else { continue };
            assert_ne!(hir.properties().minimum_len(), Some(0), "{pattern}");
            known += 1;
        }
        assert!(known > 1000, "{known}");
    }
}
