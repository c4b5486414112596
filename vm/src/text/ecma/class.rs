//! Classes: the text between brackets.

use super::escape::Escape;
use super::{Read, Reader, push_char};

impl Reader<'_> {
    /// A class with its bracket at `start`. Only `]`, `\`, `-` and a leading `^` have a meaning
    /// inside.
    pub(super) fn class(&mut self, start: usize) -> Read {
        let negated = self.take("^");
        self.atom = true;
        if self.take("]") {
            self.out.push_str(if negated { r"[\x{0}-\x{10ffff}]" } else { r"[^\x{0}-\x{10ffff}]" });
            return Ok(());
        }
        self.out.push_str(if negated { "[^" } else { "[" });
        while !self.take("]") {
            let Some(first) = self.member(start)? else {
                return Err(self.wrong(start..start.saturating_add(1), "a class that is not closed"));
            };
            self.range(start, first)?;
        }
        self.out.push(']');
        Ok(())
    }

    /// A member of a class, and the range that it may start.
    fn range(&mut self, start: usize, (from, first): (usize, Escape)) -> Read {
        let ranges = self.rest().starts_with('-') && !self.rest().starts_with("-]");
        if !ranges {
            self.set(from, &first);
            return Ok(());
        }
        let end = self.at;
        self.next();
        let Some((to, last)) = self.member(start)? else {
            return Err(self.wrong(start..start.saturating_add(1), "a class that is not closed"));
        };
        match (&first, &last) {
            (Escape::Char(low), Escape::Char(high)) if low <= high => {
                push_char(*low, &mut self.out);
                self.out.push('-');
                push_char(*high, &mut self.out);
            }
            (Escape::Char(_), Escape::Char(_)) => {
                return self.wrong_since(from, "a descending range");
            }
            // `[\w-x]`: the dash is one.
            _ => {
                let after = std::mem::replace(&mut self.at, end);
                self.set(from, &first);
                self.at = after;
                push_char('-', &mut self.out);
                self.set(to, &last);
            }
        }
        Ok(())
    }

    /// A character or a set with its position; `None` at the end of the pattern.
    fn member(&mut self, class: usize) -> Read<Option<(usize, Escape)>> {
        let at = self.at;
        let Some(c) = self.next() else { return Ok(None) };
        if c != '\\' {
            return Ok(Some((at, Escape::Char(c))));
        }
        if self.take("b") {
            return Ok(Some((at, Escape::Char('\u{8}'))));
        }
        if self.peek().is_none() {
            return Err(self.wrong(class..class.saturating_add(1), "a class that is not closed"));
        }
        self.escaped(at).map(|escape| Some((at, escape)))
    }
}
