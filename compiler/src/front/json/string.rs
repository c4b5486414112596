//! JSON strings (RFC 8259 §7).

use std::ops::Range;

use hookc_schema::value::Text;

use super::{Reader, Result};
use crate::front::text_map::Builder;

impl Reader<'_> {
    /// A string, from its opening quote, with the place of each byte.
    pub(super) fn string(&mut self) -> Result<Text> {
        let open = self.at;
        self.at += 1;
        let mut text = Builder::default();
        loop {
            let rest = self.rest();
            let special = |c: char| c == '"' || c == '\\' || c < ' ';
            let plain = rest.get(..rest.find(special).unwrap_or(rest.len())).unwrap_or("");
            text.copy(plain, self.at);
            self.at += plain.len();
            match self.peek() {
                Some(b'"') => {
                    let end = self.at;
                    self.at += 1;
                    return Ok(text.finish(end, &self.text.map));
                }
                Some(b'\\') => {
                    let start = self.at;
                    let character = self.escape()?;
                    text.put(character, start);
                }
                Some(_) => {
                    let message = "a line break or control character in a string";
                    return Err(self.wrong(self.at..self.at + 1, message, "write it as an escape: `\\n`"));
                }
                None => return Err(self.wrong(open..open + 1, "a string that never ends", "opened here")),
            }
        }
    }

    fn escape(&mut self) -> Result<char> {
        let start = self.at;
        let letter = self.src.as_bytes().get(start + 1).copied();
        self.at = start + 2;
        Ok(match letter {
            Some(b'"') => '"',
            Some(b'\\') => '\\',
            Some(b'/') => '/',
            Some(b'b') => '\u{8}',
            Some(b'f') => '\u{c}',
            Some(b'n') => '\n',
            Some(b'r') => '\r',
            Some(b't') => '\t',
            Some(b'u') => return self.unicode(start),
            _ => {
                self.at = start + 1;
                return Err(self.expected("an escape: one of `\"\\/bfnrtu`"));
            }
        })
    }

    /// `\uXXXX`, or two of them for a character beyond U+FFFF.
    fn unicode(&mut self, start: usize) -> Result<char> {
        let high = self.hex(start)?;
        if let Some(character) = char::from_u32(high) {
            return Ok(character);
        }
        if high < 0xdc00 && self.rest().starts_with("\\u") {
            let second = self.at;
            self.at += 2;
            let low = self.hex(second)?;
            if (0xdc00..0xe000).contains(&low) {
                let code = 0x10000 + ((high - 0xd800) << 10) + (low - 0xdc00);
                return char::from_u32(code).ok_or_else(|| self.half(start..self.at));
            }
        }
        Err(self.half(start..start + 6))
    }

    fn half(&self, range: Range<usize>) -> Box<hookc_schema::Diagnostic> {
        self.wrong(range, "half of a surrogate pair", "no character by itself")
    }

    fn hex(&mut self, start: usize) -> Result<u32> {
        let digits =
            self.rest().get(..4).filter(|digits| digits.bytes().all(|byte| byte.is_ascii_hexdigit()));
        let Some(code) = digits.and_then(|digits| u32::from_str_radix(digits, 16).ok()) else {
            return Err(self.wrong(start..start + 2, "`\\u` without four hexadecimal digits", "this escape"));
        };
        self.at += 4;
        Ok(code)
    }
}
