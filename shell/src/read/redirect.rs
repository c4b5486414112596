//! Redirections.

use super::super::Cause;
use super::super::token::short;
use super::super::tree::{NAMED, Redirect};
use super::class::{REDIRECTS, is};
use super::here::Pending;
use super::reader::{Read, Reader};
use super::word::Kind;

impl Reader<'_, '_> {
    /// A redirection, if present.
    pub(super) fn redirect(&mut self) -> Read<bool> {
        if self.peek().is_some_and(|byte| is(byte, REDIRECTS)) { self.redirect_here() } else { Ok(false) }
    }

    fn redirect_here(&mut self) -> Read<bool> {
        let before = self.at;
        let written = self.descriptor();
        let Some(op) = operator(self.rest().as_bytes()) else {
            self.at = before;
            return Ok(false);
        };
        // `<(` is a process substitution, which is a part of a word.
        if matches!(op, "<" | ">") && self.peek_at(1) == Some(b'(')
            || op.starts_with('&') && before != self.at
        {
            self.at = before;
            return Ok(false);
        }
        let fd = written.unwrap_or(u32::from(!op.starts_with('<')));
        let named = self.text.as_bytes().get(before) == Some(&b'{');
        if let Some(name) = self.text.get(before + 1..).filter(|_| named) {
            // `{fd}>` sets the variable.
            let end = name.find(['[', '}']).unwrap_or_default();
            let name = self.arena.symbol(name.get(..end).unwrap_or_default());
            self.arena.changing.push((name, true));
        }
        self.at += op.len();
        self.blanks_within();
        // After an operator, `#` starts a comment, and `2>` another redirection.
        let target = self.at;
        let _ = self.descriptor();
        if self.peek() == Some(b'#') || self.at != target {
            return self.fail(Cause::Syntax);
        }
        if matches!(op, "<<" | "<<-") {
            let (delimiter, quoted) = self.delimiter()?;
            let body = self.arena.bodies.len();
            self.arena.bodies.push(None);
            let target = self.arena.push(&delimiter, &[], false);
            self.pending.push(Pending { delimiter, quoted, tabs: op == "<<-", body });
            self.spare.redirects.push(Redirect { op, fd, target, body: Some(short(body)) });
            return Ok(true);
        }
        if matches!(self.peek(), None | Some(b'\n' | b';' | b'&' | b'|' | b'(' | b')'))
            || matches!(self.peek(), Some(b'<' | b'>')) && self.peek_at(1) != Some(b'(')
        {
            return self.fail(Cause::Syntax);
        }
        let start = self.at;
        let target = self.single(Kind::Other)?;
        let written = self.text.get(start..self.at).unwrap_or_default();
        // `&> f x` is `& > f x` to others; as the last of a text, only the target of the output differs.
        let is_bashism = match op {
            "&>" | "&>>" => !self.rest().trim().is_empty(),
            "<<<" => true,
            ">&" => !written.starts_with(|c: char| c.is_ascii_digit() || matches!(c, '-' | '$')),
            _ => named,
        };
        self.arena.has_bashism |= is_bashism;
        self.spare.redirects.push(Redirect { op, fd, target, body: None });
        Ok(true)
    }

    /// Whitespace without a comment.
    fn blanks_within(&mut self) {
        loop {
            match self.peek() {
                Some(b' ' | b'\t') => self.at += 1,
                Some(b'\\') if self.peek_at(1) == Some(b'\n') => self.at += 2,
                _ => return,
            }
        }
    }

    /// The descriptor in front of a redirection: digits, or `{name}`.
    fn descriptor(&mut self) -> Option<u32> {
        let rest = self.rest().as_bytes();
        let digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
        let length = match rest.first() {
            Some(b'{') => {
                let inner = rest.get(1..).unwrap_or_default();
                let subscript =
                    |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'[' | b']');
                let name = inner.iter().take_while(|byte| subscript(byte)).count();
                let closed = name > 0 && inner.get(name) == Some(&b'}');
                if closed { name + 2 } else { 0 }
            }
            _ => digits,
        };
        let is_descriptor = length > 0 && matches!(rest.get(length), Some(b'<' | b'>'));
        self.at += if is_descriptor { length } else { 0 };
        let text = rest.get(..length).filter(|_| is_descriptor)?;
        Some(std::str::from_utf8(text).ok().and_then(|text| text.parse().ok()).unwrap_or(NAMED))
    }
}

/// The operator of a redirection at the start of a text.
const fn operator(rest: &[u8]) -> Option<&'static str> {
    Some(match rest {
        [b'&', b'>', b'>', ..] => "&>>",
        [b'&', b'>', ..] => "&>",
        [b'<', b'<', b'<', ..] => "<<<",
        [b'<', b'<', b'-', ..] => "<<-",
        [b'<', b'<', ..] => "<<",
        [b'<', b'&', ..] => "<&",
        [b'<', b'>', ..] => "<>",
        [b'<', ..] => "<",
        [b'>', b'>', ..] => ">>",
        [b'>', b'&', ..] => ">&",
        [b'>', b'|', ..] => ">|",
        [b'>', ..] => ">",
        _ => return None,
    })
}
