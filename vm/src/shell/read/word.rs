//! Words: quotes and their content.

use super::super::Cause;
use super::super::arena::{Arena, Mark, Special, Token, Words, short};
use super::braces;
use super::reader::{Read, Reader};

/// The context of a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// A context that allows an assignment.
    First,
    /// Within `[[ ]]`.
    Pattern,
    Other,
}

/// A word that is being read.
#[derive(Default)]
pub(in super::super) struct Draft {
    pub(super) text: String,
    pub(super) marks: Vec<Mark>,
    /// Bare `{`, `,` and `}` in it, from the first `{` on.
    pub(super) braces: Vec<usize>,
    /// The positions of quotes with nothing in them.
    pub(super) empty_quotes: Vec<usize>,
    /// It sets a variable.
    pub(super) assigns: bool,
    /// Where the value of an assignment starts.
    pub(super) value: usize,
    /// The words of an array that it sets.
    pub(super) array: Option<Words>,
    /// Where the subscript of its name ends.
    pub(super) subscript: usize,
    /// It has quotes or expansions.
    dressed: bool,
    quoted: bool,
    /// Whether the first `=` was read.
    equals: bool,
    /// It is a word even if it is empty.
    pub(super) there: bool,
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

    /// The word, without brace expansion.
    pub(super) fn token(&self, arena: &mut Arena) -> Token {
        if self.text == "[" {
            return arena.plain("[");
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
            Some(all) => words.extend(all.iter().map(|(text, marks)| arena.push(text, marks, self.quoted))),
            None => {
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

/// Bytes of a word that have no meaning of their own anywhere in it, as bits.
const PLAIN: u128 = {
    let (mut all, mut byte) = (0, 0_u8);
    while byte < 128 {
        let is =
            byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.' | b'/' | b':' | b'@' | b'%');
        all |= if is { 1_u128 << byte } else { 0 };
        byte += 1;
    }
    all
};

const fn is_plain(byte: u8) -> bool {
    byte < 128 && PLAIN >> byte & 1 == 1
}

/// The length of the plain bytes at the start of a text.
fn plain_run(text: &str) -> usize {
    text.bytes().position(|byte| !is_plain(byte)).unwrap_or(text.len())
}

const fn ends(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b';' | b'&' | b'|' | b')')
}

impl<'t> Reader<'t, '_> {
    /// A word without quotes, expansions and patterns, if one is here.
    pub(super) fn plain_word(&mut self) -> Option<&'t str> {
        let rest = self.rest();
        let run = plain_run(rest);
        if run == 0 || rest.as_bytes().get(run).is_some_and(|byte| !ends(*byte)) {
            return None;
        }
        self.at += run;
        rest.get(..run)
    }

    /// Adds the words at this position, if any.
    pub(super) fn words(&mut self, kind: Kind, words: &mut Vec<Token>) -> Read<()> {
        if let Some(word) = self.plain_word() {
            words.push(self.arena.plain(word));
            return Ok(());
        }
        self.dressed_words(kind, words)
    }

    /// Adds the words at this position, with their quotes and expansions.
    pub(super) fn dressed_words(&mut self, kind: Kind, words: &mut Vec<Token>) -> Read<()> {
        let mut draft = self.draft();
        self.word(kind, &mut draft)?;
        draft.expand(self.arena, words);
        self.pool.push(draft);
        Ok(())
    }

    /// One word without brace expansion, which may be empty.
    pub(super) fn single(&mut self, kind: Kind) -> Read<Token> {
        if let Some(word) = self.plain_word() {
            return Ok(self.arena.plain(word));
        }
        let mut draft = self.draft();
        self.word(kind, &mut draft)?;
        let token = draft.token(self.arena);
        self.pool.push(draft);
        Ok(token)
    }

    pub(super) fn draft(&mut self) -> Draft {
        let mut draft = self.pool.pop().unwrap_or_default();
        draft.clear();
        draft
    }

    /// A word up to whitespace or an operator; empty if there is none.
    pub(super) fn word(&mut self, kind: Kind, draft: &mut Draft) -> Read<()> {
        while let Some(byte) = self.peek() {
            match byte {
                byte if is_plain(byte) => {
                    let rest = self.rest();
                    let run = plain_run(rest);
                    draft.str(rest.get(..run).unwrap_or_default());
                    self.at += run;
                }
                byte if ends(byte) => break,
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
                    let start = self.at;
                    self.at += 1;
                    draft.array = Some(self.array()?);
                    draft.unknown(self.text.get(start..self.at).unwrap_or_default());
                }
                b'[' if kind == Kind::First && !draft.equals && draft.subscript == 0 && draft.is_name() => {
                    let start = self.at;
                    self.at += 1;
                    let inner = self.subscript()?;
                    let id = self.part(super::super::tree::Part::Inner(inner));
                    draft.part(id, self.text.get(start..self.at).unwrap_or_default(), true);
                    if matches!(self.peek(), Some(b'=' | b'+')) {
                        draft.subscript = draft.text.len();
                    }
                }
                b'\\' => {
                    self.at += 1;
                    match self.char() {
                        Some('\n') => continue,
                        Some(char) => draft.char(char),
                        None => draft.char('\\'),
                    }
                    draft.dressed = true;
                    draft.quoted = true;
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
        let mut words = Vec::new();
        loop {
            self.blanks();
            match self.peek() {
                None => return self.fail(Cause::OpenBracket),
                Some(b')') => {
                    self.at += 1;
                    return Ok(self.arena.list(&words));
                }
                Some(b'\n') if self.pending.is_empty() => {
                    self.at += 1;
                    continue;
                }
                Some(b'<' | b'>') if self.peek_at(1) == Some(b'(') => {}
                Some(b'\n' | b';' | b'&' | b'|' | b'(' | b'<' | b'>') => return self.fail(Cause::Syntax),
                Some(_) => {}
            }
            self.words(Kind::Other, &mut words)?;
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
                Some('\\') => drop(self.char()),
                Some(char) => inner.char(char),
            }
        }
        let token = inner.token(self.arena);
        self.pool.push(inner);
        Ok(token)
    }
}
