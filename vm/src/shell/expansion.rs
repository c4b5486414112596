//! Expansions: parameters, substitutions, arithmetic.

use super::reader::{Read, Reader, Stop};
use super::word::Draft;
use super::{Cause, Command, Problem, Unit};

impl Reader<'_> {
    /// After a `$`.
    pub(super) fn dollar(&mut self, draft: &mut Draft, quoted: bool) -> Read<()> {
        match self.peek() {
            Some(b'(') if self.peek_at(1) == Some(b'(') => {
                self.at += 2;
                draft.push(Unit::Unknown);
                self.nested(Self::arithmetic)
            }
            Some(b'(') => {
                self.at += 1;
                draft.push(Unit::Unknown);
                self.substitution()
            }
            Some(b'[') => {
                self.at += 1;
                draft.push(Unit::Unknown);
                self.nested(Self::subscript)
            }
            Some(b'{') => {
                self.at += 1;
                draft.push(Unit::Unknown);
                self.nested(|reader| reader.parameter(quoted))
            }
            Some(b'\'') if !quoted => {
                self.at += 1;
                self.escaped(draft)
            }
            // A text that is translated: it is read as the quote that it is.
            Some(b'"') if !quoted => Ok(()),
            Some(byte) if byte == b'_' || byte.is_ascii_alphabetic() => {
                let name = |byte: &u8| *byte == b'_' || byte.is_ascii_alphanumeric();
                self.at += self.rest().bytes().take_while(name).count();
                draft.push(Unit::Unknown);
                Ok(())
            }
            Some(b'@' | b'*' | b'#' | b'?' | b'-' | b'$' | b'!' | b'0'..=b'9') => {
                self.at += 1;
                draft.push(Unit::Unknown);
                Ok(())
            }
            _ => {
                draft.push(Unit::Char('$'));
                Ok(())
            }
        }
    }

    /// After `$(`, `<(` or `>(`: commands up to the `)`.
    pub(super) fn substitution(&mut self) -> Read<()> {
        let outer = std::mem::take(&mut self.pending);
        let stop = self.nested(|reader| Ok(reader.list()?.0))?;
        match stop {
            // The text of a here-document would follow the bracket.
            Stop::Bracket if self.pending.is_empty() => self.at += 1,
            Stop::End => return self.fail(Cause::OpenBracket),
            _ => return self.fail(Cause::Syntax),
        }
        self.pending = outer;
        Ok(())
    }

    /// After `((`: up to `))`. Text that is not arithmetic up to its end is not read.
    pub(super) fn arithmetic(&mut self) -> Read<()> {
        let (mut open, mut inner) = (0_usize, Draft::default());
        loop {
            match self.char() {
                None => return self.fail(Cause::OpenBracket),
                Some('(') => open += 1,
                Some(')') if open > 0 => open -= 1,
                Some(')') if self.eat(b')') => return Ok(()),
                Some(')') => return self.fail(Cause::Ambiguous),
                Some('"') => self.doubly_quoted(&mut inner)?,
                Some('$') => self.dollar(&mut inner, true)?,
                Some('`') => self.backticks(&mut inner, true)?,
                Some('\\') => drop(self.char()),
                Some(_) => {}
            }
        }
    }

    /// After `${`: up to the `}`.
    fn parameter(&mut self, quoted: bool) -> Read<()> {
        if matches!(self.peek(), Some(b' ' | b'\t' | b'\n' | b'|')) {
            // `${ commands; }`
            let _ = self.eat(b'|');
            return self.list_until(&["}"]).map(drop);
        }
        let _ = self.eat(b'!') || matches!(self.peek_at(1), Some(byte) if byte != b'}') && self.eat(b'#');
        let name = |byte: &u8| *byte == b'_' || byte.is_ascii_alphanumeric();
        let length = self.rest().bytes().take_while(name).count();
        match self.peek() {
            Some(b'@' | b'*' | b'#' | b'?' | b'-' | b'$' | b'!') if length == 0 => self.at += 1,
            _ => self.at += length,
        }
        if self.eat(b'[') {
            self.subscript()?;
        }
        let pattern = matches!(self.peek(), Some(b'#' | b'%' | b'/' | b'^' | b','));
        if self.peek() == Some(b'@') && self.peek_at(1) == Some(b'P') {
            // The value is expanded like a prompt, so it can contain substitutions.
            self.push(Command { words: vec![vec![Unit::Unknown]], ..Command::default() })?;
        }
        self.rest_of_parameter(quoted && !pattern, quoted)
    }

    fn rest_of_parameter(&mut self, plain: bool, quoted: bool) -> Read<()> {
        let mut inner = Draft::default();
        loop {
            match self.char() {
                None => return self.fail(Cause::OpenBracket),
                Some('}') => return Ok(()),
                Some('\\') => drop(self.char()),
                Some('\'') if !plain => self.quoted(&mut inner)?,
                Some('"') => self.doubly_quoted(&mut inner)?,
                Some('$') => self.dollar(&mut inner, plain)?,
                Some('`') => self.backticks(&mut inner, quoted)?,
                Some('<' | '>') if !quoted && self.eat(b'(') => self.substitution()?,
                Some(_) => {}
            }
        }
    }

    /// After a backtick: up to the next unescaped one. The text between is read after removing
    /// backslashes.
    pub(super) fn backticks(&mut self, draft: &mut Draft, quoted: bool) -> Read<()> {
        draft.push(Unit::Unknown);
        let (start, mut text) = (self.at, String::new());
        loop {
            match self.char() {
                None => return self.fail(Cause::OpenBracket),
                Some('`') => break,
                Some('\\') => match self.char() {
                    Some(char @ ('`' | '\\' | '$')) => text.push(char),
                    Some('"') if quoted => text.push('"'),
                    other => {
                        text.push('\\');
                        text.extend(other);
                    }
                },
                Some(char) => text.push(char),
            }
        }
        let commands = std::mem::take(&mut self.commands);
        let (done, commands) = self.nested(|reader| {
            let mut within = Reader::new(&text, reader.depth);
            within.commands = commands;
            let done = within.script().map_err(|problem| Problem { at: start, ..problem });
            Ok((done, within.commands))
        })?;
        self.commands = commands;
        done
    }
}
