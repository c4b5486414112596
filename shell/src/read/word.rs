//! Words: quotes and their content.

use super::super::Cause;
use super::super::arena::Arena;
use super::super::spare::Draft;
use super::super::token::{Mark, Special, Token, Words, short};
use super::super::tree::Part;
use super::braces;
use super::class::{BARE, DOUBLE, ENDS, ESCAPED, PLAIN, SINGLE, class, is, run};
use super::reader::{Read, Reader};

/// The context of a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// A context that allows an assignment.
    First,
    Other,
}

impl Draft {
    pub(super) fn clear(&mut self) {
        self.text.clear();
        self.marks.clear();
        self.braces.clear();
        self.empty_quotes.clear();
        (self.assigns, self.dressed, self.quoted, self.equals, self.there) =
            (false, false, false, false, false);
        (self.value, self.subscript, self.array) = (0, 0, None);
    }

    pub(super) fn char(&mut self, char: char) {
        self.text.push(char);
    }

    /// A character after a backslash.
    fn escaped(&mut self, char: char) {
        self.char(char);
        self.dressed = true;
        self.quoted = true;
    }

    pub(super) fn str(&mut self, text: &str) {
        self.text.push_str(text);
    }

    fn special(&mut self, raw: &str, kind: Special) {
        self.marks.push(Mark { at: short(self.text.len()), len: short(raw.len()), kind });
        self.text.push_str(raw);
    }

    pub(super) fn unknown(&mut self, raw: &str) {
        self.special(raw, Special::Unknown);
    }

    pub(super) fn glob(&mut self, char: char) {
        self.marks.push(Mark { at: short(self.text.len()), len: 1, kind: Special::Glob });
        self.text.push(char);
    }

    pub(super) fn part(&mut self, id: u32, raw: &str, quoted: bool) {
        self.special(raw, Special::Part { id, quoted });
    }

    /// Marks an argument such as `x"="$y` of `export`, which is split although it becomes an assignment.
    pub(super) fn splits(&mut self) {
        let is_bare = |mark: &Mark| matches!(mark.kind, Special::Part { quoted: false, .. });
        if self.text.contains('=') && self.marks.iter().any(is_bare) {
            self.marks.insert(0, Mark { at: 0, len: 0, kind: Special::Several });
        }
    }

    /// The word, without brace expansion.
    pub(super) fn token(&self, arena: &mut Arena) -> Token {
        if self.text == "[" {
            return arena.push("[", &[], false);
        }
        arena.push(&self.text, &self.marks, self.quoted)
    }

    /// The words after brace expansion.
    pub(super) fn expand(&self, arena: &mut Arena, words: &mut Vec<Token>) {
        if !self.there && self.text.is_empty() {
            return;
        }
        if self.braces.len() < 2 {
            words.push(self.token(arena));
            return;
        }
        match braces::expand(self) {
            Some(braced) => {
                let is_same = matches!(braced.as_slice(), [(text, _)] if *text == self.text);
                arena.has_bashism |= !is_same;
                words.extend(braced.iter().map(|(text, marks)| arena.push(text, marks, self.quoted)));
            }
            None => {
                arena.has_bashism = true;
                let (text, marks) = braces::unknown(self);
                words.push(arena.push(&text, &marks, self.quoted));
            }
        }
    }

    /// The name of an assignment; whether the value is added to the old one.
    pub(super) fn name(&self) -> (&str, bool) {
        let name = self.text.get(..self.value.saturating_sub(1)).unwrap_or_default();
        let (name, appends) = name.strip_suffix('+').map_or((name, false), |name| (name, true));
        (name.split('[').next().unwrap_or_default(), appends)
    }

    /// A quote starts; where its text does.
    fn open_quote(&mut self) -> usize {
        self.dressed = true;
        self.quoted = true;
        self.text.len()
    }

    fn close_quote(&mut self, start: usize) {
        if self.text.len() == start {
            self.empty_quotes.push(start);
        }
    }

    fn is_name(&self) -> bool {
        let name = self.text.strip_suffix('+').unwrap_or(&self.text);
        !self.dressed
            && name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
            && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
    }

    /// A bare character.
    fn bare(&mut self, char: char) {
        match char {
            '{' => self.braces.push(self.text.len()),
            ',' | '}' if !self.braces.is_empty() => self.braces.push(self.text.len()),
            '=' if !self.equals => {
                self.equals = true;
                self.assigns = self.subscript > 0 || self.is_name();
                self.value = self.text.len() + 1;
            }
            _ => {}
        }
        match char {
            '*' | '?' | '[' => self.glob(char),
            // As the last of a line it is not seen by some shells.
            '\r' => self.unknown("\r"),
            char => self.text.push(char),
        }
    }
}

impl Reader<'_, '_> {
    /// A word of bytes of a class, if one is here.
    pub(super) fn plain_word(&mut self, any: u8) -> Option<Token> {
        let bytes = self.text.as_bytes();
        let length = run(bytes.get(self.at..).unwrap_or_default(), any);
        let end = self.at + length;
        if length == 0 || bytes.get(end).is_some_and(|byte| !is(*byte, ENDS)) {
            return None;
        }
        let word = self.span(self.at, end, false, true);
        self.at = end;
        Some(word)
    }

    /// A word that is one quote without expansions, if one is here.
    fn quoted_word(&mut self) -> Option<Token> {
        let bytes = self.text.as_bytes();
        let quote = self.peek()?;
        let ends = match quote {
            b'"' => DOUBLE,
            b'\'' => SINGLE,
            _ => return None,
        };
        let start = self.at + 1;
        let (mut end, mut seen) = (start, 0);
        let last = loop {
            let byte = *bytes.get(end)?;
            let class = class(byte);
            if class & ends != 0 {
                break byte;
            }
            seen |= class;
            end += 1;
        };
        let is_one = last == quote && bytes.get(end + 1).is_none_or(|byte| is(*byte, ENDS));
        // The program `[` is one in quotes too.
        if !is_one || bytes.get(start..end) == Some(b"[") {
            return None;
        }
        self.at = end + 1;
        let mut word = self.span(start, end, true, seen & ESCAPED == 0);
        self.place(&mut word, start - 1);
        Some(word)
    }

    /// A word that is a part of the text, if one is here.
    #[inline]
    fn spanned(&mut self) -> Option<Token> {
        self.plain_word(BARE).or_else(|| self.quoted_word())
    }

    /// Adds the words at this position, if any, to those that are being read.
    pub(super) fn words(&mut self, kind: Kind) -> Read<()> {
        if let Some(word) = self.spanned() {
            self.spare.words.push(word);
            return Ok(());
        }
        let (mut draft, start, base) = (self.draft(), self.at, self.spare.words.len());
        self.word(kind, &mut draft)?;
        draft.expand(self.arena, &mut self.spare.words);
        self.place_words(base, start);
        self.spare.drafts.push(draft);
        Ok(())
    }

    /// One word without brace expansion, which may be empty.
    pub(super) fn single(&mut self, kind: Kind) -> Read<Token> {
        if let Some(word) = self.spanned() {
            return Ok(word);
        }
        let (mut draft, start) = (self.draft(), self.at);
        self.word(kind, &mut draft)?;
        let mut token = draft.token(self.arena);
        self.place(&mut token, start);
        self.spare.drafts.push(draft);
        Ok(token)
    }

    pub(super) fn draft(&mut self) -> Box<Draft> {
        let mut draft = self.spare.drafts.pop().unwrap_or_default();
        draft.clear();
        draft
    }

    /// A word up to whitespace or an operator; empty if there is none.
    pub(super) fn word(&mut self, kind: Kind, draft: &mut Draft) -> Read<()> {
        while let Some(byte) = self.peek() {
            match byte {
                byte if is(byte, PLAIN) => {
                    let rest = self.rest();
                    let run = run(rest.as_bytes(), PLAIN);
                    draft.str(rest.get(..run).unwrap_or_default());
                    self.at += run;
                }
                byte if is(byte, ENDS) => break,
                b'<' | b'>' => {
                    if self.peek_at(1) != Some(b'(') {
                        break;
                    }
                    draft.dressed = true;
                    self.process(draft)?;
                }
                b'(' => {
                    let sets = kind == Kind::First && draft.assigns && draft.text.len() == draft.value;
                    if !sets {
                        break;
                    }
                    self.array_value(draft)?;
                }
                b'[' if kind == Kind::First && !draft.equals && draft.subscript == 0 && draft.is_name() => {
                    self.element_name(draft)?;
                }
                b'\\' => {
                    self.at += 1;
                    match self.char() {
                        Some('\n') => continue,
                        char => draft.escaped(char.unwrap_or('\\')),
                    }
                }
                b'\'' | b'"' => {
                    self.at += 1;
                    let before = draft.open_quote();
                    if byte == b'"' {
                        self.doubly_quoted(draft)?
                    } else {
                        self.quoted(draft)?
                    }
                    draft.close_quote(before);
                }
                b'$' if matches!(self.peek_at(1), Some(b'\'' | b'"')) => {
                    let before = draft.open_quote();
                    self.dollar(draft, false)?;
                    draft.close_quote(before);
                }
                b'$' => {
                    draft.dressed = true;
                    self.dollar(draft, false)?;
                }
                b'`' => {
                    draft.dressed = true;
                    self.backticks(draft, false)?;
                }
                0..=0x7f => {
                    self.at += 1;
                    draft.bare(char::from(byte));
                }
                _ => {
                    let char = self.char().unwrap_or_default();
                    draft.bare(char);
                }
            }
            draft.there = true;
        }
        Ok(())
    }

    /// `(a b)` after `NAME=`
    fn array_value(&mut self, draft: &mut Draft) -> Read<()> {
        self.bashism();
        let start = self.at;
        self.at += 1;
        let array = self.array()?;
        draft.array = Some(array);
        let written = self.text.get(start..self.at).unwrap_or_default();
        let is_literal = |byte: u8| is(byte, PLAIN | ENDS) || matches!(byte, b'(' | b'=' | b',');
        if written.bytes().all(is_literal) {
            draft.str(written);
        } else {
            let id = self.part(Part::Array(array));
            draft.part(id, written, true);
        }
        Ok(())
    }

    /// `[1]` after `NAME`
    fn element_name(&mut self, draft: &mut Draft) -> Read<()> {
        let start = self.at;
        self.at += 1;
        let name = self.arena.symbol(draft.text.strip_suffix('+').unwrap_or(&draft.text));
        let inner = self.subscript()?;
        let id = self.part(Part::Subscript(name, inner));
        draft.part(id, self.text.get(start..self.at).unwrap_or_default(), true);
        if matches!(self.peek(), Some(b'=' | b'+')) {
            self.bashism();
            draft.subscript = draft.text.len();
        }
        Ok(())
    }

    /// After a `'`.
    pub(super) fn quoted(&mut self, draft: &mut Draft) -> Read<()> {
        let rest = self.rest();
        let Some(end) = rest.find('\'') else { return self.fail(Cause::OpenQuote) };
        draft.str(rest.get(..end).unwrap_or_default());
        self.at += end + 1;
        Ok(())
    }

    /// After a `"`.
    pub(super) fn doubly_quoted(&mut self, draft: &mut Draft) -> Read<()> {
        loop {
            let rest = self.rest();
            let run = rest.bytes().position(|byte| matches!(byte, b'"' | b'$' | b'`' | b'\\'));
            let Some(run) = run else { return self.fail(Cause::OpenQuote) };
            draft.str(rest.get(..run).unwrap_or_default());
            self.at += run;
            match self.peek() {
                Some(b'$') => self.dollar(draft, true)?,
                Some(b'`') => self.backticks(draft, true)?,
                Some(b'\\') => {
                    self.at += 1;
                    match self.char() {
                        Some('\n') => {}
                        Some(char @ ('$' | '`' | '"' | '\\')) => draft.char(char),
                        other => {
                            draft.char('\\');
                            draft.text.extend(other);
                        }
                    }
                }
                _ => {
                    self.at += 1;
                    return Ok(());
                }
            }
        }
    }

    /// After `NAME=(`: words up to the `)`.
    fn array(&mut self) -> Read<Words> {
        let base = self.spare.words.len();
        loop {
            self.blanks();
            match self.peek() {
                None => return self.fail(Cause::OpenBracket),
                Some(b')') => {
                    self.at += 1;
                    return Ok(self.words_from(base));
                }
                Some(b'\n') if self.pending.is_empty() => {
                    self.at += 1;
                    continue;
                }
                Some(b'<' | b'>') if self.peek_at(1) == Some(b'(') => {}
                Some(b'\n' | b';' | b'&' | b'|' | b'(' | b'<' | b'>') => return self.fail(Cause::Syntax),
                Some(_) => {}
            }
            self.words(Kind::Other)?;
        }
    }

    /// After a `[`: up to the matching `]`.
    pub(super) fn subscript(&mut self) -> Read<Token> {
        let (mut open, mut inner) = (0_usize, self.draft());
        loop {
            if self.peek() == Some(b'$') {
                self.dollar(&mut inner, false)?;
                continue;
            }
            if self.peek() == Some(b'`') {
                self.backticks(&mut inner, false)?;
                continue;
            }
            match self.char() {
                None => return self.fail(Cause::OpenBracket),
                Some('[') => open += 1,
                Some(']') if open == 0 => break,
                Some(']') => open -= 1,
                Some('\'') => self.quoted(&mut inner)?,
                Some('"') => self.doubly_quoted(&mut inner)?,
                Some('\\') => inner.text.extend(self.char()),
                Some(char) => inner.char(char),
            }
        }
        let token = inner.token(self.arena);
        self.spare.drafts.push(inner);
        Ok(token)
    }
}
