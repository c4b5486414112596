//! Here-documents.

use super::super::Cause;
use super::super::spare::Draft;
use super::super::token::Token;
use super::class::{PLAIN, is};
use super::reader::{Read, Reader};

/// Words with which a command in an expansion does not start.
const RESERVED_WORDS: [&str; 16] = [
    "if", "then", "elif", "else", "fi", "for", "while", "until", "do", "done", "case", "esac", "select",
    "function", "time", "coproc",
];

/// A here-document whose text follows later.
pub(super) struct Pending {
    pub(super) delimiter: String,
    /// Its text is not expanded.
    pub(super) quoted: bool,
    /// Leading tabs of its lines are removed.
    pub(super) tabs: bool,
    /// Its number.
    pub(super) body: usize,
}

impl Reader<'_, '_> {
    /// The word after `<<`, and whether a part of it is quoted.
    pub(super) fn delimiter(&mut self) -> Read<(String, bool)> {
        let (mut text, mut quoted, start) = (String::new(), false, self.at);
        while let Some(char) = self.rest().chars().next() {
            if matches!(char, ' ' | '\t' | '\n' | ';' | '&' | '|' | '(' | ')' | '<' | '>') {
                // `a<(b)` is one word.
                if matches!(char, '<' | '>') && self.peek_at(1) == Some(b'(') {
                    return self.fail(Cause::Syntax);
                }
                break;
            }
            self.at += char.len_utf8();
            match char {
                // A backslash removes the line break after it.
                '\\' => {
                    let next = self.char().filter(|char| *char != '\n');
                    quoted |= next.is_some();
                    text.extend(next);
                }
                '\'' => {
                    quoted = true;
                    let Some(end) = self.rest().find('\'') else { return self.fail(Cause::OpenQuote) };
                    text.push_str(self.rest().get(..end).unwrap_or_default());
                    self.at += end + 1;
                }
                '"' => {
                    quoted = true;
                    self.quoted_delimiter(&mut text)?;
                }
                // Shells do not agree about these.
                '$' if matches!(self.peek(), Some(b'\'' | b'"')) => return self.fail(Cause::Syntax),
                '$' | '`' => self.literal_expansion(char, &mut text)?,
                char => text.push(char),
            }
        }
        if self.at == start {
            return self.fail(Cause::Syntax);
        }
        // No line is equal to it; where the text ends is different in each shell.
        if text.contains('\n') { self.fail(Cause::Ambiguous) } else { Ok((text, quoted)) }
    }

    /// After a `"` of a delimiter.
    fn quoted_delimiter(&mut self, text: &mut String) -> Read<()> {
        loop {
            match self.char() {
                None => return self.fail(Cause::OpenQuote),
                Some('"') => return Ok(()),
                Some('\\') => match self.char() {
                    Some('\n') => {}
                    Some(char @ ('$' | '`' | '"' | '\\')) => text.push(char),
                    other => {
                        text.push('\\');
                        text.extend(other);
                    }
                },
                Some(char @ ('$' | '`')) => self.literal_expansion(char, text)?,
                Some(char) => text.push(char),
            }
        }
    }

    /// After the `$` or backtick of an expansion in a delimiter, which is not expanded. Bash removes
    /// whitespace and quotes from some of them, and other shells reject them: only plain ones are read.
    fn literal_expansion(&mut self, first: char, text: &mut String) -> Read<()> {
        text.push(first);
        let (open, close) = match (first, self.peek()) {
            ('`', _) => ("", b'`'),
            (_, Some(b'(')) => ("(", b')'),
            (_, Some(b'{')) => ("{", b'}'),
            (_, Some(b'[')) => ("[", b']'),
            _ => return Ok(()),
        };
        let literal = self.rest().get(open.len()..).unwrap_or_default();
        let length = literal.bytes().position(|byte| byte == close);
        let Some(length) = length else { return self.fail(Cause::OpenBracket) };
        let inner = literal.get(..length).unwrap_or_default();
        let mut words = inner.split(' ');
        let is_plain = |word: &str| !word.is_empty() && word.bytes().all(|byte| is(byte, PLAIN));
        if !words.all(is_plain) || RESERVED_WORDS.contains(&inner.split(' ').next().unwrap_or_default()) {
            return self.fail(Cause::Syntax);
        }
        self.at += open.len() + length + 1;
        text.push_str(open);
        text.push_str(inner);
        text.push(char::from(close));
        Ok(())
    }

    /// The texts of all here-documents that have begun on the line before.
    pub(super) fn bodies(&mut self) -> Read<()> {
        if self.pending.is_empty() {
            return Ok(());
        }
        for pending in std::mem::take(&mut self.pending) {
            let (start, end) = self.body(&pending)?;
            let text = self.text.get(start..end).unwrap_or_default();
            let is_expanded = |byte: u8| matches!(byte, b'$' | b'`' | b'\\');
            let body = if !pending.tabs && (pending.quoted || !text.bytes().any(is_expanded)) {
                self.span(start, end, true, false)
            } else {
                self.changed_body(&pending, (start, end))?
            };
            if let Some(place) = self.arena.bodies.get_mut(pending.body) {
                *place = Some(body);
            }
        }
        Ok(())
    }

    /// A text that is not as it is written.
    fn changed_body(&mut self, pending: &Pending, (start, end): (usize, usize)) -> Read<Token> {
        let mut draft = self.draft();
        if pending.quoted {
            let text = self.text.get(start..end).unwrap_or_default();
            let lines = text.split_inclusive('\n');
            lines.for_each(|line| draft.str(if pending.tabs { line.trim_start_matches('\t') } else { line }));
        } else {
            self.expansions((start, end), pending.tabs, &mut draft)?;
        }
        let body = self.arena.push(&draft.text, &draft.marks, true);
        self.spare.drafts.push(draft);
        Ok(body)
    }

    /// The range of a text; the end of input ends it too.
    fn body(&mut self, pending: &Pending) -> Read<(usize, usize)> {
        let start = self.at;
        // The lines that backslashes join, up to here.
        let mut joined: Option<String> = None;
        loop {
            let rest = self.rest();
            if rest.is_empty() {
                return Ok((start, self.at));
            }
            let line = rest.split('\n').next().unwrap_or_default();
            let here = self.at;
            self.at = self.text.len().min(here + line.len() + 1);
            let bare = if pending.tabs { line.trim_start_matches('\t') } else { line };
            if joined.is_none() && bare == pending.delimiter {
                return Ok((start, here));
            }
            // A backslash removes the line break after it.
            let slashes = line.bytes().rev().take_while(|byte| *byte == b'\\').count();
            let joins = !pending.quoted && slashes % 2 == 1;
            if !joins && joined.is_none() {
                continue;
            }
            let is_joined = joined.is_some();
            let mut whole = joined.take().unwrap_or_default();
            // A longer one is not the delimiter.
            if whole.len() <= pending.delimiter.len() {
                whole.push_str(if joins { bare.strip_suffix('\\').unwrap_or(bare) } else { bare });
            }
            // For bash, this is the end too.
            if is_joined && !joins && whole == pending.delimiter {
                return self.fail(Cause::Ambiguous);
            }
            joined = joins.then_some(whole);
        }
    }

    /// All of the text, with its expansions.
    pub(super) fn text(mut self) -> Read<Token> {
        let mut draft = self.draft();
        let done = self.expansions((0, self.text.len()), false, &mut draft);
        let token = draft.token(self.arena);
        self.spare.drafts.push(draft);
        self.arena.spare = self.spare;
        done.map(|()| token)
    }

    /// A text with its expansions.
    fn expansions(&mut self, (start, end): (usize, usize), tabs: bool, draft: &mut Draft) -> Read<()> {
        let (at, whole) = (self.at, self.text);
        (self.at, self.text) = (start, whole.get(..end).unwrap_or_default());
        let mut fresh = true;
        while let Some(byte) = self.peek() {
            let was_fresh = std::mem::replace(&mut fresh, false);
            match byte {
                b'\t' if tabs && was_fresh => {
                    self.at += 1;
                    fresh = true;
                }
                b'$' => self.dollar(draft, true)?,
                b'`' => self.backticks(draft, true)?,
                b'\\' => {
                    self.at += 1;
                    match self.char() {
                        Some('\n') => {}
                        Some(char @ ('$' | '`' | '\\')) => draft.char(char),
                        other => {
                            draft.char('\\');
                            draft.text.extend(other);
                        }
                    }
                }
                b'\n' => {
                    self.at += 1;
                    draft.char('\n');
                    fresh = true;
                }
                _ => {
                    let rest = self.rest();
                    let special = |byte: u8| matches!(byte, b'$' | b'`' | b'\\' | b'\n');
                    let run = rest.bytes().position(special).unwrap_or(rest.len());
                    draft.str(rest.get(..run).unwrap_or_default());
                    self.at += run;
                }
            }
        }
        (self.at, self.text) = (at, whole);
        Ok(())
    }
}
