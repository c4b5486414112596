//! Backslashes of patterns that a notation has eaten, or that were doubled for
//! a notation that eats none: control characters (E0309), `\\s` (W0608).

use std::ops::Range;

use hookc_schema::diag::Fix;
use hookc_schema::value::Value;
use hookc_schema::{Code, Diagnostic, Span};

use super::is_sound;
use crate::scalar::{double, single};

/// Characters of a pattern that a help repeats whole.
const SHOWN: usize = 80;

/// The error of a control character in a pattern.
#[must_use]
pub fn control(value: &Value, pattern: &str) -> Option<Diagnostic> {
    let white = verbose(pattern);
    let is_unprintable = |c: char| c.is_control() && !(white && matches!(c, '\n' | '\r' | '\t'));
    let (at, c) = pattern.char_indices().find(|(_, c)| is_unprintable(*c))?;
    let span = value.span_within(at..at + c.len_utf8());
    let what = format!("this pattern contains the control character U+{:04X}", u32::from(c));
    let wrong = Diagnostic::new(Code::E0309, span, what);
    if c == '\n' && at + 1 == pattern.len() {
        let wrong = wrong.with_label("a line break at the end");
        return Some(wrong.help(
            "write the pattern on one line in single quotes; a YAML block without the line break starts \
             with `|-`",
        ));
    }
    let named = |c: char| escape(c).unwrap_or_else(|| hexadecimal(c));
    let mut raw = spelled(pattern, is_unprintable, named);
    if !is_sound(&raw) {
        raw = spelled(pattern, is_unprintable, hexadecimal);
    }
    let wrong = match escape(c) {
        Some(escape) => wrong.with_label(format!("the meaning of `{escape}` in double quotes")),
        None => wrong.with_label("not visible"),
    };
    let wrong = match raw.chars().count() {
        0..=SHOWN => {
            let (single, double) = (single(&raw), double(&raw));
            wrong.help(format!("write the pattern raw, `{single}`; in double quotes it is `{double}`"))
        }
        _ => {
            wrong.help("write the pattern raw, in single quotes; in double quotes each backslash is doubled")
        }
    };
    Some(match c {
        '\u{8}' => wrong.note("write the character itself as `\\x08`"),
        _ => wrong,
    })
}

/// The error of a control character in a glob, apart from line ends and tabs, which the
/// text may have.
#[must_use]
pub fn control_in_glob(value: &Value, pattern: &str) -> Option<Diagnostic> {
    let (at, c) = first_control(pattern)?;
    let span = value.span_within(at..at + c.len_utf8());
    let what = format!("this glob contains the control character U+{:04X}", u32::from(c));
    let new = with_escape_label(Diagnostic::new(Code::E0309, span, what), c);
    Some(new.help("write the glob in single quotes, where a backslash is a backslash"))
}

/// The error of a control character in the pattern of `match` or `search`, at the place
/// of the path: in it, RFC 9535 reads the escapes of a string first.
#[must_use]
pub fn control_in_query(pattern: &str, function: &str, span: Span) -> Option<Diagnostic> {
    let (_, c) = first_control(pattern)?;
    let what = format!("the pattern of `{function}` contains the control character U+{:04X}", u32::from(c));
    let new = with_escape_label(Diagnostic::new(Code::E0309, span, what), c);
    Some(new.note("a string in a path takes the escapes of JSON, in either quotes").help(match c {
        '\u{8}' => "I-Regexp has no `\\b`: test the field with `=~`",
        _ => "write each backslash of the pattern twice",
    }))
}

fn first_control(pattern: &str) -> Option<(usize, char)> {
    pattern.char_indices().find(|(_, c)| c.is_control() && !matches!(c, '\n' | '\r' | '\t'))
}

fn with_escape_label(new: Diagnostic, c: char) -> Diagnostic {
    match escape(c) {
        Some(escape) => new.with_label(format!("what `{escape}` is in double quotes")),
        None => new.with_label("not visible"),
    }
}

/// Whether a pattern sets the flag `x`, which makes whitespace insignificant.
fn verbose(pattern: &str) -> bool {
    pattern.match_indices("(?").any(|(at, open)| {
        let flags = pattern.get(at + open.len()..).unwrap_or("").chars();
        flags.take_while(char::is_ascii_alphabetic).any(|c| c == 'x')
    })
}

fn spelled(pattern: &str, is_unprintable: impl Fn(char) -> bool, with: impl Fn(char) -> String) -> String {
    pattern.chars().map(|c| if is_unprintable(c) { with(c) } else { c.to_string() }).collect()
}

/// The escape that JSON and YAML take for the character.
fn escape(c: char) -> Option<String> {
    let letter = match c {
        '\u{7}' => 'a',
        '\u{8}' => 'b',
        '\t' => 't',
        '\n' => 'n',
        '\u{b}' => 'v',
        '\u{c}' => 'f',
        '\r' => 'r',
        _ => return None,
    };
    Some(format!("\\{letter}"))
}

fn hexadecimal(c: char) -> String {
    format!("\\x{:02x}", u32::from(c))
}

/// The warning about doubled backslashes before characters that one backslash gives a meaning; not
/// reported where a backslash is plausible, as in a Windows path.
#[must_use]
pub fn doubled(value: &Value, pattern: &str) -> Option<Diagnostic> {
    if !pattern.contains("\\\\") {
        return None;
    }
    let offsets = doubled_backslash_offsets(pattern);
    let first = *offsets.first()?;
    let c = pattern.get(first + 2..)?.chars().next()?;
    let what = match c {
        '.' => "any character".to_owned(),
        c if c.is_alphabetic() => format!("the letter `{c}`"),
        c => format!("the special meaning of `{c}`"),
    };
    let span = value.span_within(first..first + 2);
    let message = format!("`\\\\{c}` in a pattern is a backslash and {what}");
    let mut wrong =
        Diagnostic::new(Code::W0608, span, message).with_label("two backslashes, which match one");
    wrong.fix = fix(value, pattern, &offsets);
    let double = span.range().len() > 2;
    let again = if double { format!("; in double quotes it is written `\\\\{c}`") } else { String::new() };
    Some(wrong.help(format!("write one backslash: `\\{c}`{again}")))
}

/// Halves the backslashes, if their spelling in the source is unambiguous and the pattern then
/// compiles.
fn fix(value: &Value, pattern: &str, offsets: &[usize]) -> Option<Fix> {
    let (first, last) = (*offsets.first()?, *offsets.last()?);
    let range = first..last + 2;
    let written = pattern.get(range.clone())?;
    let mut halved = String::new();
    let mut from = first;
    for at in offsets {
        halved.push_str(pattern.get(from..at + 1)?);
        from = at + 2;
    }
    if !is_sound(&format!("{}{halved}{}", pattern.get(..first)?, pattern.get(range.end..)?)) {
        return None;
    }
    let span = value.span_within(range);
    let backslashes = written.matches('\\').count();
    let replacement = match span.range().len().checked_sub(written.len())? {
        0 => halved,
        more if more == backslashes => halved.replace('\\', "\\\\"),
        _ => return None,
    };
    Some(Fix::new(span, replacement))
}

/// Doubled backslashes where one was probably intended.
fn doubled_backslash_offsets(pattern: &str) -> Vec<usize> {
    let escapes: Vec<_> = pairs(pattern).collect();
    let drive = |at: usize| pattern.get(..at).is_some_and(|before| before.ends_with([':', '%']));
    let name = |at: usize| after(pattern, at).is_some_and(|c| word(c) && !"bBdDsSwW".contains(c));
    if escapes.iter().any(|(at, class)| !class && (drive(*at) || name(*at)) && !slash(pattern, *at)) {
        return Vec::new();
    }
    let group =
        pattern.find("\\\\(").zip(pattern.rfind("\\\\)")).map_or(0..0, |(open, close)| open..close + 1);
    escapes
        .into_iter()
        .filter(|(at, class)| is_probably_single(pattern, *at, *class, &group))
        .map(|(at, _)| at)
        .collect()
}

fn slash(pattern: &str, at: usize) -> bool {
    after(pattern, at) == Some('/')
}

/// Every escaped backslash, and whether it is in a class.
fn pairs(pattern: &str) -> impl Iterator<Item = (usize, bool)> {
    let (mut depth, mut escaped) = (0_usize, None);
    pattern.char_indices().filter_map(move |(at, c)| {
        if escaped.take().is_some() {
            return (c == '\\').then(|| (at - 1, depth > 0));
        }
        match c {
            '\\' => escaped = Some(at),
            '[' => depth += 1,
            ']' => depth = depth.saturating_sub(1),
            _ => {}
        }
        None
    })
}

/// The character after the pair at `at`.
fn after(pattern: &str, at: usize) -> Option<char> {
    pattern.get(at + 2..)?.chars().next()
}

fn word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// Whether one backslash was probably intended at `at`; parentheses are within `group` if there is one
/// of each.
fn is_probably_single(pattern: &str, at: usize, class: bool, group: &Range<usize>) -> bool {
    let Some(c) = after(pattern, at) else { return false };
    let rest = pattern.get(at + 2 + c.len_utf8()..).unwrap_or("");
    let next = rest.chars().next();
    let (before, is_before_word) =
        (pattern.get(..at).is_some_and(|before| before.ends_with(word)), next.is_some_and(word));
    match c {
        'd' | 'D' | 'S' | 'w' | 'W' => !is_before_word,
        's' if class => !is_before_word,
        's' => !is_before_word || before,
        _ if class => false,
        'b' => !(before && is_before_word),
        'B' => !is_before_word,
        // Only `\\.` skips an escape of a string, `(?:[^"\\]|\\.)*`.
        '.' => is_before_word || matches!(next, Some('\\' | '(' | '[')),
        '-' | '/' => is_before_word || next == Some('\\'),
        '(' | ')' => group.contains(&at),
        '$' => is_before_word || matches!(next, Some('{' | '(')),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn doubled_backslashes() {
        for pattern in [
            r"\\s",
            r"^git\\s+push",
            r"\\bpush\\b",
            r"\\.env$",
            r"rm\\b",
            r"[\\w.]+",
            r"a\\.b",
            r"\\d{3}",
            r"git\\spush",
            r"https:\\/\\/x",
            r"eval\\(x\\)",
            r"\\$HOME",
            r"\\.(py|js)$",
            r"[\\s\\S]*x",
        ] {
            assert!(!doubled_backslash_offsets(pattern).is_empty(), "{pattern}");
        }
        for pattern in [
            r"\s",
            r"[/\\]",
            r"(^|/|\\)x",
            r"C:\\windows\\system32",
            r"C:\\Users\\.ssh",
            r#""(?:[^"\\]|\\.)*""#,
            r"\\$",
            r"\\+",
            r"\\\\server",
            r"\\n",
            r"dir\\windows",
            r"%TEMP%\\s",
            r"a|\\|b",
            r"\\(?:x|y)",
            r"[\\/]\.ssh",
            r"(?:/|\\)\.env",
            r"\\.*x",
            r"foo\\bar",
        ] {
            assert!(doubled_backslash_offsets(pattern).is_empty(), "{pattern}");
        }
    }
}
