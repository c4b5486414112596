//! The words of a pattern of commands.

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

/// The length of the word at the start of a text.
fn word(text: &str) -> usize {
    let start = usize::from(text.starts_with('!'));
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
