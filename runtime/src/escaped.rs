//! Text as JSON writes it, read without a decoded copy of the whole: it may be as long as
//! an event may be.

use std::ops::Range;

/// The text of a JSON string. Written at once: serde_json decodes it next to the
/// text first.
pub(crate) fn decoded(raw: &str) -> Option<String> {
    unescape(content(raw)?)
}

/// What is between the quotes of a string of JSON.
pub(crate) fn content(raw: &str) -> Option<&str> {
    raw.strip_prefix('"')?.strip_suffix('"')
}

/// The text of what is between the quotes.
pub(crate) fn unescape(mut rest: &str) -> Option<String> {
    let mut out = String::with_capacity(rest.len());
    while let Some((plain, escaped)) = rest.find('\\').and_then(|at| rest.split_at_checked(at)) {
        out.push_str(plain);
        let (char, length) = unescaped(escaped)?;
        out.push(char);
        rest = escaped.get(length..)?;
    }
    out.push_str(rest);
    Some(out)
}

/// Writes the first bytes of what a string says at another place of the same text, which may be its
/// own start; `None` if it says less.
pub(crate) fn decode_within(
    text: &mut [u8],
    string: Range<usize>,
    mut to: usize,
    mut length: usize,
) -> Option<()> {
    let mut at = string.start;
    while length > 0 {
        let rest = text.get(at..string.end)?;
        let plain = rest.iter().position(|byte| *byte == b'\\').unwrap_or(rest.len()).min(length);
        text.copy_within(at..at.checked_add(plain)?, to);
        (at, to, length) = (at.checked_add(plain)?, to.checked_add(plain)?, length.checked_sub(plain)?);
        if length > 0 {
            let sequence = text.get(at..string.end)?;
            // The longest sequence has twelve bytes.
            let mut copy = [0; 12];
            copy.iter_mut().zip(sequence).for_each(|(copy, byte)| *copy = *byte);
            let valid = copy.utf8_chunks().next().map_or("", |chunk| chunk.valid());
            let (char, escaped) = unescaped(valid)?;
            let (mut buffer, end) = ([0; 4], to.checked_add(char.len_utf8())?);
            text.get_mut(to..end)?.copy_from_slice(char.encode_utf8(&mut buffer).as_bytes());
            (at, to, length) = (at.checked_add(escaped)?, end, length.checked_sub(char.len_utf8())?);
        }
    }
    Some(())
}

/// Whether all escapes are those of characters.
pub(crate) fn is_text(mut rest: &str) -> bool {
    while let Some(escaped) = rest.find('\\').and_then(|at| rest.get(at..)) {
        match unescaped(escaped).and_then(|(_, length)| escaped.get(length..)) {
            Some(after) => rest = after,
            None => return false,
        }
    }
    true
}

/// The first character, and the text after it.
pub(crate) fn first(text: &str) -> Option<(char, &str)> {
    let (char, length) = match text.chars().next()? {
        '\\' => unescaped(text)?,
        plain => (plain, plain.len_utf8()),
    };
    Some((char, text.get(length..)?))
}

/// The text without whitespace before it.
pub(crate) fn trim_start(mut text: &str) -> &str {
    while let Some((_, rest)) = first(text).filter(|(char, _)| char.is_whitespace()) {
        text = rest;
    }
    text
}

/// The text after a prefix that has no escapes itself.
pub(crate) fn strip_prefix<'t>(mut text: &'t str, prefix: &str) -> Option<&'t str> {
    for expected in prefix.chars() {
        text = first(text).filter(|(char, _)| *char == expected)?.1;
    }
    Some(text)
}

/// The first line, without its end, and the bytes of both; as [`str::lines`] takes texts
/// apart.
pub(crate) fn line(text: &str) -> (&str, usize) {
    let (mut at, mut carriage) = (0, None);
    while let Some((start, escaped)) = next_escape(text, at) {
        // There is no other escape in a text that was checked.
        let (char, length) = unescaped(escaped).unwrap_or((' ', 2));
        at = start.saturating_add(length);
        match char {
            '\n' => {
                let end = carriage.filter(|(_, end)| *end == start).map_or(start, |(begin, _)| begin);
                return (text.get(..end).unwrap_or_default(), at);
            }
            '\r' => carriage = Some((start, at)),
            _ => {}
        }
    }
    (text, text.len())
}

fn next_escape(text: &str, at: usize) -> Option<(usize, &str)> {
    let rest = text.get(at..)?;
    let found = rest.find('\\')?;
    Some((at.checked_add(found)?, rest.get(found..)?))
}

/// The character of an escape sequence, and the bytes of the sequence.
fn unescaped(text: &str) -> Option<(char, usize)> {
    let unit = |at: usize| u32::from_str_radix(text.get(at..at.checked_add(4)?)?, 16).ok();
    let char = match text.as_bytes().get(1)? {
        b'b' => '\u{8}',
        b'f' => '\u{c}',
        b'n' => '\n',
        b'r' => '\r',
        b't' => '\t',
        b'u' => {
            let first = unit(2)?;
            if !(0xd800..0xdc00).contains(&first) {
                return Some((char::from_u32(first)?, 6));
            }
            let second =
                unit(8).filter(|unit| (0xdc00..0xe000).contains(unit) && text.get(6..8) == Some("\\u"))?;
            return Some((char::from_u32(0x1_0000 + ((first - 0xd800) << 10) + (second - 0xdc00))?, 12));
        }
        other => char::from(*other),
    };
    Some((char, 2))
}

#[cfg(test)]
mod tests {
    use super::{content, decoded, first, is_text, line, strip_prefix, trim_start, unescape};

    #[test]
    fn texts_are_decoded_as_serde_json_does() {
        let plain = [
            "\"\"",
            "\"a\"",
            "1",
            "null",
            "[\"a\"]",
            "\"é\\u00e9\\n\\t\\r\\b\\f\\/\\\\\\\"x\"",
            "\"\\ud83d\\ude00\\u0041\"",
        ];
        let lone = ["\"\\ud83d\"", "\"\\ud83dx\\ude00\"", "\"\\ude00\"", "\"\\ud83d\\u0041\""];
        for raw in plain.into_iter().chain(lone) {
            assert_eq!(decoded(raw), serde_json::from_str::<String>(raw).ok(), "{raw}");
        }
    }

    #[test]
    fn lines_are_those_of_the_text() {
        let texts = [
            "",
            "a",
            "a\n",
            "\n\nb",
            "a\r\nb\r",
            "\r\n\r\n",
            "a\rb\nc",
            "\\n\n\\",
            "\u{e9}\n\t \u{2028}x",
            "\r\r\n",
        ];
        for text in texts {
            let short = serde_json::to_string(text).unwrap();
            let long = text.chars().map(|c| format!("\\u{:04x}", u32::from(c))).collect::<String>();
            for raw in [content(&short).unwrap(), &long] {
                let (mut rest, mut lines) = (raw, Vec::new());
                while !rest.is_empty() {
                    let (line, length) = line(rest);
                    lines.push(unescape(line).unwrap());
                    rest = rest.get(length..).unwrap();
                }
                assert_eq!(lines, text.lines().collect::<Vec<_>>(), "{raw}");
                assert_eq!(unescape(trim_start(raw)).unwrap(), text.trim_start(), "{raw}");
                assert_eq!(first(raw).map(|(char, _)| char), text.chars().next(), "{raw}");
                let after = strip_prefix(raw, "a").and_then(unescape);
                assert_eq!(after.as_deref(), text.strip_prefix('a'), "{raw}");
                assert!(is_text(raw));
            }
        }
    }
}
