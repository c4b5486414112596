//! Texts that are written as patterns, where an operator compares text.
//!
//! What a field may hold literally is not one: a command has stars, pipes and dollar signs of its own.

use hookc_schema::tree::Op;

use crate::fields::{PATHS, URL};

/// What a text is written as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PatternLike {
    Glob,
    Regex,
    /// `a|b`
    Names,
}

/// Every pattern that is looked for has one of these.
const MARKS: [char; 8] = ['*', '+', '{', '|', '^', '$', '\\', '('];

/// What a text of a field is written as, if it is a pattern.
pub(super) fn pattern_like(op: Op, field: &str, text: &str) -> Option<PatternLike> {
    if !text.contains(MARKS) {
        return None;
    }
    let is_whole = matches!(op, Op::Eq | Op::Ne | Op::In);
    let path = PATHS.contains(&field);
    if is_regex(op, text) {
        return Some(PatternLike::Regex);
    }
    if path && text.contains('*') {
        return Some(PatternLike::Glob);
    }
    if path && braces(text) {
        return Some(PatternLike::Glob);
    }
    if path && text.contains('|') && text.split('|').all(is_file_part) {
        return Some(PatternLike::Names);
    }
    if field == URL {
        return url_star(text).then_some(PatternLike::Glob);
    }
    if field == "command" {
        return is_list(op, text).then_some(PatternLike::Names);
    }
    if !is_whole {
        return None;
    }
    if text.contains("**/") || text.ends_with("/**") || text.ends_with("/*") || text.starts_with("*.") {
        return Some(PatternLike::Glob);
    }
    let word =
        |text: &str| !text.is_empty() && text.chars().all(|c| c.is_ascii_alphanumeric() || "_-".contains(c));
    (text.contains('|') && text.split('|').all(word)).then_some(PatternLike::Names)
}

/// Whether a part of a command line is written as several: `rm|dd`. Pipes between words are no
/// reason to compare with a prefix of a line.
fn is_list(op: Op, text: &str) -> bool {
    let word = |text: &str| {
        let spaces = op == Op::StartsWith;
        let inner = |c: char| c.is_ascii_alphanumeric() || "_-".contains(c) || (spaces && c == ' ');
        text.starts_with(|c: char| c.is_ascii_alphabetic()) && text.chars().all(inner) && !text.ends_with(' ')
    };
    text.contains('|') && matches!(op, Op::StartsWith | Op::Contains) && text.split('|').all(word)
}

/// A star in the scheme or in the host of a URL, or one for the rest of its path.
fn url_star(text: &str) -> bool {
    let (scheme, rest) = text.split_once("://").unwrap_or(("", text));
    let host = rest.split(['/', '?', '#']).next().unwrap_or_default();
    let query = rest.contains(['?', '#']);
    scheme.contains('*') || host.contains('*') || (!query && rest.ends_with("/*")) || rest.contains("/**")
}

/// A part of the name of a file: `.env`, `secrets/id_rsa`.
fn is_file_part(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|c| c.is_ascii_alphanumeric() || "._-/".contains(c))
}

/// The alternatives of a glob: `.{env,pem}`.
fn braces(text: &str) -> bool {
    let inner = text.split_once('{').and_then(|(_, rest)| rest.split_once('}')).map(|(inner, _)| inner);
    inner.is_some_and(|inner| inner.contains(',') && !inner.contains(char::is_whitespace))
}

/// Whether a text can hardly be anything but a regular expression.
fn is_regex(op: Op, text: &str) -> bool {
    // `C:\s` is a directory of Windows.
    if text.contains(":\\") {
        return false;
    }
    let letter =
        |text: &str| text.starts_with(|c: char| c.is_ascii_alphabetic() || matches!(c, '\\' | '(' | '['));
    let anchored = text.strip_prefix('^').is_some_and(letter);
    let ended = matches!(op, Op::Eq | Op::Ne | Op::In | Op::EndsWith)
        && text
            .strip_suffix('$')
            .is_some_and(|rest| rest.ends_with(|c: char| c.is_ascii_alphanumeric() || c == ')'))
        && (op == Op::EndsWith || rest_is_pattern(text));
    anchored || ended || rest_is_pattern(text)
}

/// `x.*y`, `\s+`, `\bx\b`, `\.env`, `(a|b)`.
fn rest_is_pattern(text: &str) -> bool {
    let mut before = ' ';
    let mut chars = text.char_indices();
    while let Some((at, c)) = chars.next() {
        let rest = text.get(at + c.len_utf8()..).unwrap_or_default();
        let found = match c {
            '.' => {
                let more = rest.strip_prefix(['*', '+']).is_some_and(|more| !more.is_empty());
                more && (before.is_ascii_alphanumeric() || matches!(before, ')' | ']' | '"' | '\''))
            }
            '\\' => class(before, rest),
            '(' => alternatives(rest),
            _ => false,
        };
        if found {
            return true;
        }
        if c == '\\' {
            chars.next();
        }
        before = c;
    }
    false
}

/// What follows a backslash: a class that is repeated or ends the text, a dot before a
/// name.
fn class(before: char, rest: &str) -> bool {
    let mut chars = rest.chars();
    match (chars.next(), chars.next()) {
        (Some('s' | 'S' | 'd' | 'D' | 'w' | 'W'), Some('+' | '*' | '{')) => true,
        (Some('b'), None) => before.is_ascii_alphanumeric(),
        (Some('b'), Some(next)) => before == ' ' && rest.ends_with("\\b") && next.is_ascii_alphanumeric(),
        (Some('.'), Some(next)) => next.is_ascii_alphabetic() && before != '.',
        _ => false,
    }
}

/// `a|b)`, of words alone.
fn alternatives(rest: &str) -> bool {
    let inner = rest.split_once(')').map(|(inner, _)| inner.strip_prefix("?:").unwrap_or(inner));
    let word =
        |text: &str| !text.is_empty() && text.chars().all(|c| c.is_ascii_alphanumeric() || "_-".contains(c));
    inner.is_some_and(|inner| inner.contains('|') && inner.split('|').all(word))
}

#[cfg(test)]
mod tests {
    use super::{PatternLike, pattern_like};
    use hookc_schema::tree::Op;

    #[test]
    fn patterns_differ_from_text() {
        for (op, field, text) in [
            (Op::Eq, "file_path", "src/**"),
            (Op::Eq, "file_path", "*.env"),
            (Op::StartsWith, "file_path", "src/*"),
            (Op::EndsWith, "file_path", "*.py"),
            (Op::In, "source", "docs/**/x"),
        ] {
            assert!(pattern_like(op, field, text) == Some(PatternLike::Glob), "{text}");
        }
        for (op, field, text) in [
            (Op::Contains, "command", "^rm"),
            (Op::StartsWith, "command", "^git push"),
            (Op::Eq, "command", "git push.*--force"),
            (Op::Contains, "command", r"rm\s+-rf"),
            (Op::Contains, "command", r"\bsudo\b"),
            (Op::Contains, "command", r"sudo\b"),
            (Op::Contains, "command", r"\brm -rf /\b"),
            (Op::EndsWith, "file_path", ".env$"),
            (Op::Contains, "file_path", r"\.env"),
            (Op::Contains, "command", "(push|pull)"),
        ] {
            assert!(pattern_like(op, field, text) == Some(PatternLike::Regex), "{text}");
        }
        for (op, text) in [
            (Op::StartsWith, "https://*.example.com"),
            (Op::Eq, "https://example.com/*"),
            (Op::EndsWith, "*.example.com"),
            (Op::Contains, "*://example.com"),
            (Op::StartsWith, "http*://"),
        ] {
            assert!(pattern_like(op, "url", text) == Some(PatternLike::Glob), "{text}");
        }
        for (op, text) in [
            (Op::StartsWith, "https://example.com/a*b"),
            (Op::Contains, "example.com/x?q=*"),
            (Op::EndsWith, ".pdf"),
        ] {
            assert!(pattern_like(op, "url", text).is_none(), "{text}");
        }
        assert!(pattern_like(Op::Contains, "url", r"github\.com") == Some(PatternLike::Regex));
        assert!(pattern_like(Op::EndsWith, "file_path", ".{env,pem}") == Some(PatternLike::Glob));
        assert!(pattern_like(Op::Eq, "subagent_type", "plan|build") == Some(PatternLike::Names));
        assert!(pattern_like(Op::EndsWith, "file_path", ".env|.pem") == Some(PatternLike::Names));
        assert!(pattern_like(Op::Contains, "file_path", "a | b").is_none());
        for (op, field, text) in [
            (Op::Contains, "command", "rm -rf /*"),
            (Op::Contains, "command", "chmod 777 *"),
            (Op::Contains, "command", "| sh"),
            (Op::Eq, "command", "ls|wc"),
            (Op::Contains, "command", "rm -rf .*"),
            (Op::Contains, "command", "HEAD^"),
            (Op::Contains, "command", "$HOME"),
            (Op::Contains, "command", "> /dev/sda"),
            (Op::Contains, "file_path", r"C:\s+"),
            (Op::Contains, "file_path", r"\windows\"),
            (Op::EndsWith, "file_path", ".env"),
            (Op::Contains, "prompt", "**bold**"),
            (Op::Eq, "text", "^"),
            (Op::Contains, "command", "(a b)"),
        ] {
            assert!(pattern_like(op, field, text).is_none(), "{text}");
        }
    }
}
