//! Whether a text is a container in canonical JSON (RFC 8785, with canonical numbers): the only
//! spelling of its value.

use std::cmp::Ordering;
use std::iter::Peekable;
use std::str::CharIndices;

use super::key_order;
use crate::limits::MODULE_DEPTH;
use crate::number;

/// Whether `text` is exactly one canonical array or object.
pub(super) fn container(text: &str) -> bool {
    let mut reader = Reader { text, chars: text.char_indices().peekable() };
    reader.value(0).is_some() && reader.chars.next().is_none()
}

struct Reader<'t> {
    text: &'t str,
    chars: Peekable<CharIndices<'t>>,
}

/// `None`: not canonical.
impl<'t> Reader<'t> {
    fn value(&mut self, depth: usize) -> Option<()> {
        match self.peek()? {
            '[' | '{' if depth >= MODULE_DEPTH => None,
            '[' => self.array(depth.saturating_add(1)),
            '{' => self.object(depth.saturating_add(1)),
            '"' => self.string().map(drop),
            'n' => self.word("null"),
            't' => self.word("true"),
            'f' => self.word("false"),
            _ => self.number(),
        }
    }

    fn array(&mut self, depth: usize) -> Option<()> {
        self.take('[')?;
        if self.take(']').is_some() {
            return Some(());
        }
        loop {
            self.value(depth)?;
            if self.take(',').is_none() {
                return self.take(']');
            }
        }
    }

    fn object(&mut self, depth: usize) -> Option<()> {
        self.take('{')?;
        if self.take('}').is_some() {
            return Some(());
        }
        let mut before: Option<String> = None;
        loop {
            let key = self.string()?;
            if before.is_some_and(|before| key_order(&before, &key) != Ordering::Less) {
                return None;
            }
            self.take(':')?;
            self.value(depth)?;
            if self.take(',').is_none() {
                return self.take('}');
            }
            before = Some(key);
        }
    }

    fn string(&mut self) -> Option<String> {
        self.take('"')?;
        let mut out = String::new();
        loop {
            match self.next()? {
                '"' => return Some(out),
                '\\' => out.push(self.escape()?),
                c if c < ' ' => return None,
                c => out.push(c),
            }
        }
    }

    /// The only spelling of each character that must be escaped.
    fn escape(&mut self) -> Option<char> {
        match self.next()? {
            c @ ('"' | '\\') => Some(c),
            'b' => Some('\u{8}'),
            't' => Some('\t'),
            'n' => Some('\n'),
            'f' => Some('\u{c}'),
            'r' => Some('\r'),
            'u' => {
                self.take('0')?;
                self.take('0')?;
                let high: u32 = self.take('0').map(|()| 0).or_else(|| self.take('1').map(|()| 16))?;
                let low = self.next().filter(|c| !c.is_ascii_uppercase())?.to_digit(16)?;
                let c = char::from_u32(high.checked_add(low)?)?;
                (!matches!(c, '\u{8}' | '\t' | '\n' | '\u{c}' | '\r')).then_some(c)
            }
            _ => None,
        }
    }

    fn number(&mut self) -> Option<()> {
        let start = self.offset();
        while self.peek().is_some_and(|c| matches!(c, '0'..='9' | '-' | '+' | '.' | 'e' | 'E')) {
            self.next();
        }
        let text = self.text.get(start..self.offset())?;
        (number::canonical(text).ok()? == text).then_some(())
    }

    fn word(&mut self, word: &str) -> Option<()> {
        word.chars().try_for_each(|c| self.take(c))
    }

    fn take(&mut self, c: char) -> Option<()> {
        self.chars.next_if(|(_, next)| *next == c).map(drop)
    }

    fn next(&mut self) -> Option<char> {
        self.chars.next().map(|(_, c)| c)
    }

    fn peek(&mut self) -> Option<char> {
        self.chars.peek().map(|(_, c)| *c)
    }

    fn offset(&mut self) -> usize {
        self.chars.peek().map_or(self.text.len(), |(at, _)| *at)
    }
}

#[cfg(test)]
mod tests {
    use super::container;

    #[test]
    fn one_spelling() {
        for good in [
            "[]",
            "{}",
            r#"[null,true,false,"",1,[{}]]"#,
            r#"{"":0,"a":{"b":[]},"é":"\\\"\n\u001f/"}"#,
            "{\"\u{10000}\":1,\"\u{ffff}\":2}",
        ] {
            assert!(container(good), "{good}");
        }
        for bad in [
            "",
            "[",
            "[] ",
            "[ ]",
            "[1,]",
            "[,]",
            "[1 ,2]",
            r#"{"b":1,"a":2}"#,
            r#"{"a":1,"a":2}"#,
            r#"["\u0041"]"#,
            r#"["\u000a"]"#,
            r#"["\u001F"]"#,
            r#"["\/"]"#,
            "[\"\n\"]",
            "[nul]",
            "[-]",
            "{\"\u{ffff}\":2,\"\u{10000}\":1}",
        ] {
            assert!(!container(bad), "{bad}");
        }
        assert!(container(&format!("{}{}", "[".repeat(256), "]".repeat(256))));
        assert!(!container(&format!("{}{}", "[".repeat(257), "]".repeat(257))));
    }
}
