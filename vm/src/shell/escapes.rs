//! `$'...'`: text with the escapes of C.

use super::reader::{Read, Reader};
use super::word::Draft;
use super::{Cause, Unit};

impl Reader<'_> {
    /// After `$'`.
    pub(super) fn escaped(&mut self, draft: &mut Draft) -> Read<()> {
        loop {
            match self.char() {
                None => return self.fail(Cause::OpenQuote),
                Some('\'') => return Ok(()),
                Some('\\') => {
                    let unit = self.escape()?;
                    draft.units.extend(unit);
                }
                Some(char) => draft.push(Unit::Char(char)),
            }
        }
    }

    fn escape(&mut self) -> Read<Vec<Unit>> {
        let Some(char) = self.char() else { return self.fail(Cause::OpenQuote) };
        let char = match char {
            'a' => '\x07',
            'b' => '\x08',
            'e' | 'E' => '\x1b',
            'f' => '\x0c',
            'n' => '\n',
            'r' => '\r',
            't' => '\t',
            'v' => '\x0b',
            '\\' | '\'' | '"' | '?' => char,
            'x' => return Ok(vec![self.number(2, 16, 0x7f)]),
            'u' => return Ok(vec![self.number(4, 16, u32::MAX)]),
            'U' => return Ok(vec![self.number(8, 16, u32::MAX)]),
            '0'..='7' => {
                self.at -= 1;
                return Ok(vec![self.number(3, 8, 0x7f)]);
            }
            // Shells differ in the escapes they support.
            'c' => {
                let _ = self.char().filter(|char| *char != '\'');
                return Ok(vec![Unit::Unknown]);
            }
            other => return Ok(vec![Unit::Char('\\'), Unit::Char(other)]),
        };
        Ok(vec![Unit::Char(char)])
    }

    /// A character by its number. Bytes above `most` may be parts of one; a zero ends the text in
    /// some shells.
    fn number(&mut self, digits: usize, radix: u32, most: u32) -> Unit {
        let is = |char: &char| char.is_digit(radix);
        let text: String = self.rest().chars().take(digits).take_while(is).collect();
        self.at += text.len();
        let number = u32::from_str_radix(&text, radix).ok().filter(|number| (1..=most).contains(number));
        number.and_then(char::from_u32).map_or(Unit::Unknown, Unit::Char)
    }
}
