//! Here-documents.

use super::reader::{Read, Reader};
use super::word::Draft;
use super::{Body, Cause, Unit};

/// A here-document whose text follows later.
pub(super) struct Pending {
    pub(super) delimiter: String,
    /// Its text is not expanded.
    pub(super) quoted: bool,
    /// Leading tabs of its lines are removed.
    pub(super) tabs: bool,
    /// The command and the redirection that it is of.
    pub(super) command: usize,
    pub(super) redirect: usize,
}

impl Reader<'_> {
    /// The word after `<<`, and whether a part of it is quoted.
    pub(super) fn delimiter(&mut self) -> Read<(String, bool)> {
        let (mut text, mut quoted, start) = (String::new(), false, self.at);
        while let Some(char) = self.rest().chars().next() {
            if matches!(char, ' ' | '\t' | '\n' | ';' | '&' | '|' | '(' | ')' | '<' | '>') {
                break;
            }
            self.at += char.len_utf8();
            match char {
                '\\' => {
                    quoted = true;
                    text.extend(self.char().filter(|char| *char != '\n'));
                }
                '\'' | '"' => {
                    quoted = true;
                    let Some(end) = self.rest().find(char) else { return self.fail(Cause::OpenQuote) };
                    text.push_str(self.rest().get(..end).unwrap_or_default());
                    self.at += end + 1;
                }
                // Shells do not agree about these.
                '$' | '`' => return self.fail(Cause::Syntax),
                char => text.push(char),
            }
        }
        if self.at == start { self.fail(Cause::Syntax) } else { Ok((text, quoted)) }
    }

    /// The texts of all here-documents that have begun on the line before.
    pub(super) fn bodies(&mut self) -> Read<()> {
        for pending in std::mem::take(&mut self.pending) {
            let (start, end) = self.body(&pending);
            let text = self.text.get(start..end).unwrap_or_default();
            let known = pending.quoted || self.expansions(start, end)?;
            let command = self.commands.get_mut(pending.command);
            if let Some(redirect) = command.and_then(|command| command.redirects.get_mut(pending.redirect)) {
                redirect.body = Some(Body { text: text.to_owned(), known });
            }
        }
        Ok(())
    }

    /// The range of a text; the end of input ends it too.
    fn body(&mut self, pending: &Pending) -> (usize, usize) {
        let start = self.at;
        let mut joined = false;
        loop {
            let rest = self.rest();
            if rest.is_empty() {
                return (start, self.at);
            }
            let line = rest.split('\n').next().unwrap_or_default();
            let here = self.at;
            self.at = self.end.min(here + line.len() + 1);
            let bare = if pending.tabs { line.trim_start_matches('\t') } else { line };
            if !joined && bare == pending.delimiter {
                return (start, here);
            }
            // A backslash removes the line break after it.
            let slashes = line.bytes().rev().take_while(|byte| *byte == b'\\').count();
            joined = !pending.quoted && slashes % 2 == 1;
        }
    }

    /// The expansions of a text; whether there are none.
    fn expansions(&mut self, start: usize, end: usize) -> Read<bool> {
        let (at, whole) = (self.at, self.end);
        let mut inner = Draft::default();
        let mut known = true;
        (self.at, self.end) = (start, end);
        while let Some(char) = self.char() {
            match char {
                '\\' => {
                    known = false;
                    let _ = self.char();
                }
                '$' => self.dollar(&mut inner, true)?,
                '`' => self.backticks(&mut inner, true)?,
                _ => {}
            }
        }
        (self.at, self.end) = (at, whole);
        Ok(known && !inner.units.contains(&Unit::Unknown))
    }
}
