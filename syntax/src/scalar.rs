//! Strings as YAML scalars: plain if YAML 1.1 and 1.2 agree on the value, otherwise quoted.

/// Words that some parser does not read as strings, in lower case.
const WORDS: [&str; 10] = ["y", "n", "yes", "no", "on", "off", "true", "false", "null", "nan"];

/// A string on one line in any context: as a key, or inside brackets.
pub(crate) fn word(out: &mut String, text: &str) {
    if plain(text) { out.push_str(text) } else { quoted(out, text) }
}

/// A string on one line that ends with its line.
pub(crate) fn string(out: &mut String, text: &str) {
    if plain(text) || sentence(text) { out.push_str(text) } else { quoted(out, text) }
}

/// A pattern of a predicate, in any context: in single quotes if it is more than one plain word.
pub(crate) fn pattern(out: &mut String, text: &str) {
    if plain(text) && !text.contains(' ') { out.push_str(text) } else { out.push_str(&single(text)) }
}

fn quoted(out: &mut String, text: &str) {
    let raw = text.contains('\\') || (text.contains('"') && !text.contains('\''));
    out.push_str(&if raw { single(text) } else { double(text) });
}

/// A string in single quotes; in double ones if it has characters that need an escape.
#[must_use]
pub fn single(text: &str) -> String {
    if text.chars().all(printable) { format!("'{}'", text.replace('\'', "''")) } else { double(text) }
}

/// Whether text needs no quotes, even as a key: it starts with a letter, contains only letters,
/// digits and a few harmless characters, and is not one of the words.
fn plain(text: &str) -> bool {
    let harmless =
        |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.' | '/' | ' ' | '(' | ')');
    text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && !text.ends_with(' ')
        && text.chars().all(harmless)
        && !is_word(text)
}

/// Whether text needs no quotes if nothing follows it on its line, as for expressions: `code in
/// ['a', 'b']`. Templates keep their quotes.
fn sentence(text: &str) -> bool {
    text.starts_with(|c: char| c.is_alphabetic() || matches!(c, '_' | '/'))
        && !text.ends_with([' ', ':'])
        && !["${", ": ", " #"].iter().any(|pair| text.contains(pair))
        && text.chars().all(printable)
        && !is_word(text)
}

fn is_word(text: &str) -> bool {
    WORDS.iter().any(|word| text.eq_ignore_ascii_case(word))
}

/// Characters that a YAML text can contain unescaped, on one line.
fn printable(c: char) -> bool {
    !c.is_control() && !matches!(c, '\u{2028}' | '\u{2029}' | '\u{feff}' | '\u{fffe}' | '\u{ffff}')
}

/// A string in double quotes.
#[must_use]
pub fn double(text: &str) -> String {
    let mut out = String::with_capacity(text.len().saturating_add(2));
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            c if printable(c) => out.push(c),
            c => out.push_str(&format!("\\u{:04x}", u32::from(c))),
        }
    }
    out.push('"');
    out
}

/// Whether text is most readable as a block: several lines that parse to the same text.
pub(crate) fn block(text: &str) -> bool {
    let body = text.strip_suffix('\n').unwrap_or(text);
    let line = |line: &str| line.chars().all(|c| printable(c) || c == '\t') && !line.ends_with([' ', '\t']);
    body.contains('\n')
        && !body.starts_with([' ', '\t', '\n'])
        && !body.ends_with('\n')
        && body.split('\n').all(line)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotes_where_readers_differ() {
        let table = [
            ("abc/def-1.2", "abc/def-1.2"),
            ("two words", "two words"),
            ("No", "\"No\""),
            ("null", "\"null\""),
            ("", "\"\""),
            ("1", "\"1\""),
            ("-x", "\"-x\""),
            ("a: b", "\"a: b\""),
            ("a #b", "\"a #b\""),
            ("it's", "it's"),
            ("a == 'x' and b in [1, 2]", "a == 'x' and b in [1, 2]"),
            ("http://x", "http://x"),
            ("a:", "\"a:\""),
            ("a ${b}", "\"a ${b}\""),
            ("rm\\s", "rm\\s"),
            ("\\d+\"", "'\\d+\"'"),
            ("${a}", "\"${a}\""),
            ("a\tb", "\"a\\tb\""),
            ("\u{7f}\u{2028}", "\"\\u007f\\u2028\""),
            ("trailing ", "\"trailing \""),
        ];
        for (text, expected) in table {
            let mut out = String::new();
            string(&mut out, text);
            assert_eq!(out, expected);
        }
        let mut out = String::new();
        word(&mut out, "a, b");
        assert_eq!(out, "\"a, b\"");
        for (text, expected) in [
            ("git", "git"),
            ("git push", "'git push'"),
            ("*.pem", "'*.pem'"),
            ("it's", "'it''s'"),
            ("no", "'no'"),
        ] {
            let mut out = String::new();
            pattern(&mut out, text);
            assert_eq!(out, expected);
        }
    }
}
