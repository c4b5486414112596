//! The words of a pattern of commands.

use crate::effects::pattern::braces;

/// A word of a pattern.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Token<'p> {
    /// Where it starts in the pattern, in bytes.
    pub(super) at: usize,
    pub(super) text: &'p str,
}

/// The words of a pattern. A regular expression is one word, also with whitespace in it.
pub(super) fn tokens(pattern: &str) -> Vec<Token<'_>> {
    let mut tokens = Vec::new();
    let mut at = 0;
    while let Some(rest) = pattern.get(at..).filter(|rest| !rest.is_empty()) {
        let blank = rest.len() - rest.trim_start().len();
        if blank > 0 {
            at += blank;
            continue;
        }
        let length = word(rest);
        tokens.extend(rest.get(..length).map(|text| Token { at, text }));
        at += length;
    }
    tokens
}

/// The alternatives of a pattern with braces that have whitespace in them, `{git rev-parse,pwd} | rm`; of others, the
/// pattern itself. Regular expressions keep their braces.
pub(in super::super) fn alternatives(pattern: &str, most: usize) -> Option<Vec<String>> {
    let words = tokens(pattern);
    let (regexes, others): (Vec<_>, Vec<_>) =
        words.iter().partition(|token| regex(token.text.trim_start_matches(['!', '^'])).is_some());
    let is_split = |token: &&Token<'_>| {
        token.text.matches('{').count() != token.text.matches('}').count() && token.text.contains(['{', '}'])
    };
    if !others.iter().any(is_split) {
        return Some(vec![pattern.to_owned()]);
    }
    let mut hidden = pattern.to_owned();
    for (number, token) in regexes.iter().enumerate().rev() {
        hidden.replace_range(token.at..token.at + token.text.len(), &format!("{MARK}{number}{MARK}"));
    }
    let shown = |text: String| {
        let each = regexes.iter().enumerate();
        each.fold(text, |text, (number, token)| text.replace(&format!("{MARK}{number}{MARK}"), token.text))
    };
    Some(braces::expand(&hidden, most)?.into_iter().map(shown).collect())
}

/// What stands for a regular expression while braces are expanded.
const MARK: char = '\u{1}';

/// The length of the word at the start of a text.
fn word(text: &str) -> usize {
    let start = usize::from(text.starts_with(['!', '^']));
    if let Some(length) = text.get(start..).and_then(regex) {
        return start + length;
    }
    let end = text.find(char::is_whitespace).unwrap_or(text.len());
    let value = text.get(..end).and_then(|word| word.find("=/")).map(|at| at + 1);
    let regex = value.and_then(|value| Some(value + text.get(value..).and_then(regex)?));
    regex.unwrap_or(end)
}

/// The length of the regular expression at the start of a text.
fn regex(text: &str) -> Option<usize> {
    let mut inner = text.strip_prefix('/')?.char_indices();
    let (mut is_class, mut before) = (false, '/');
    while let Some((at, next)) = inner.next() {
        match next {
            '\\' => drop(inner.next()),
            '[' => is_class = true,
            ']' => is_class = false,
            '/' if !is_class => {
                let end = at + 2;
                let rest = text.get(end..)?;
                let end = if rest.starts_with('i') { end + 1 } else { end };
                let is_end = text.get(end..)?.chars().next().is_none_or(char::is_whitespace);
                return (at > 0 && is_end && !before.is_whitespace()).then_some(end);
            }
            _ => {}
        }
        before = next;
    }
    None
}

#[cfg(test)]
mod tests {
    #[test]
    fn braces_with_whitespace_are_expanded_first() {
        let cases: [(&str, &[&str]); 5] = [
            ("{git rev-parse,pwd} | rm", &["git rev-parse | rm", "pwd | rm"]),
            ("vault {delete,kv metadata delete} x", &["vault delete x", "vault kv metadata delete x"]),
            ("git {push,pull} -f", &["git {push,pull} -f"]),
            ("{a b,c} /x{2,3} y/ ^/z/", &["a b /x{2,3} y/ ^/z/", "c /x{2,3} y/ ^/z/"]),
            ("xargs -I{} rm", &["xargs -I{} rm"]),
        ];
        for (pattern, expected) in cases {
            assert_eq!(super::alternatives(pattern, 9).unwrap(), expected, "{pattern}");
        }
        assert_eq!(super::alternatives("{a b,c}{d e,f}", 3), None);
    }

    #[test]
    fn regular_expressions_are_one_word() {
        let cases: [(&str, &[&str]); 9] = [
            ("git  push -f", &["git", "push", "-f"]),
            ("psql /drop table/i x", &["psql", "/drop table/i", "x"]),
            ("rm /etc /x", &["rm", "/etc", "/x"]),
            ("rm /etc /", &["rm", "/etc", "/"]),
            ("rm /etc/x/", &["rm", "/etc/x/"]),
            (r"rm /a\/ b/", &["rm", r"/a\/ b/"]),
            ("x !/[/ ]b/ c", &["x", "!/[/ ]b/", "c"]),
            ("A_*=/x y/ git", &["A_*=/x y/", "git"]),
            ("a | b", &["a", "|", "b"]),
        ];
        for (pattern, expected) in cases {
            let tokens: Vec<_> = super::tokens(pattern).iter().map(|token| token.text).collect();
            assert_eq!(tokens, expected, "{pattern}");
        }
    }
}
