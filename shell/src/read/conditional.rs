//! `[[ ]]`: its terms and operators, as bash reads them.

use std::borrow::Cow;

use super::super::Cause;
use super::super::spare::Draft;
use super::super::token::Token;
use super::super::tree::Node;
use super::class::{ENDS, is};
use super::reader::{Read, Reader};
use super::word::Kind;

/// The letters of operators with one operand: `-f`.
const UNARY: &[u8] = b"abcdefghknoprstuvwxzGLNORS";

/// Operators with two operands, each a plain word.
const BINARY: &[&str] = &["-nt", "-ot", "-ef", "-eq", "-ne", "-lt", "-le", "-gt", "-ge"];

fn is_unary(word: &str) -> bool {
    matches!(word.as_bytes(), [b'-', letter] if UNARY.contains(letter))
}

impl<'t> Reader<'t, '_> {
    /// After `[[`: an expression, and the `]]`.
    pub(super) fn conditional(&mut self) -> Read<Node> {
        let base = self.spare.words.len();
        self.expression()?;
        if !self.eat_word("]]") {
            return self.unfinished();
        }
        Ok(Node::Test(self.words_from(base)))
    }

    /// Terms with `&&` and `||` between them.
    fn expression(&mut self) -> Read<()> {
        loop {
            self.term()?;
            self.gap()?;
            if !self.eat_all("&&") && !self.eat_all("||") {
                return Ok(());
            }
            self.bashism();
        }
    }

    /// Whitespace. To a shell without `[[`, which reads a command with arguments, a line break ends it, and
    /// operators have their usual meaning.
    fn gap(&mut self) -> Read<()> {
        let before = self.at;
        self.newlines()?;
        self.arena.has_bashism |= self.text.get(before..self.at).is_some_and(|gap| gap.contains('\n'));
        Ok(())
    }

    fn term(&mut self) -> Read<()> {
        self.gap()?;
        while self.eat_word("!") {
            self.gap()?;
        }
        if self.eat(b'(') {
            self.bashism();
            self.nested(Self::expression)?;
            return if self.eat(b')') { Ok(()) } else { self.unfinished() };
        }
        let start = self.at;
        let first = self.operand()?;
        let is_unary = is_unary(&self.written(start));
        self.spare.words.push(first);
        self.blanks();
        if is_unary {
            let word = self.operand()?;
            self.spare.words.push(word);
            return Ok(());
        }
        let rest = self.rest();
        if self.is_word("]]") || rest.starts_with("&&") || rest.starts_with("||") || rest.starts_with(')') {
            return Ok(());
        }
        let start = self.at;
        if matches!(self.peek(), Some(b'<' | b'>')) {
            self.bashism();
            self.at += 1;
            if matches!(self.peek(), Some(b'<' | b'>' | b'&' | b'|' | b'(')) {
                return self.fail(Cause::Syntax);
            }
        } else {
            let operator = self.operand()?;
            self.spare.words.push(operator);
        }
        let operator = self.written(start);
        self.blanks();
        let word = match &*operator {
            "=~" => self.pattern(true)?,
            "=" | "==" | "!=" => self.pattern(false)?,
            "<" | ">" => self.operand()?,
            operator if BINARY.contains(&operator) => self.operand()?,
            _ => return self.fail(Cause::Syntax),
        };
        self.spare.words.push(word);
        Ok(())
    }

    /// The text from `start` to here, without line continuations.
    fn written(&self, start: usize) -> Cow<'t, str> {
        let text = self.text.get(start..self.at).unwrap_or_default();
        if text.contains("\\\n") { Cow::Owned(text.replace("\\\n", "")) } else { Cow::Borrowed(text) }
    }

    /// A word, which is not `]]`.
    fn operand(&mut self) -> Read<Token> {
        let before = self.at;
        if self.is_word("]]") {
            return self.fail(Cause::Syntax);
        }
        let word = self.single(Kind::Other)?;
        if self.at == before { self.unfinished() } else { Ok(word) }
    }

    /// A word with brackets of its own: a regular expression, or a pattern such as `@(a|b)`.
    fn pattern(&mut self, is_regex: bool) -> Read<Token> {
        let before = self.at;
        if self.is_word("]]") {
            return self.fail(Cause::Syntax);
        }
        let mut draft = self.draft();
        loop {
            self.word(Kind::Other, &mut draft)?;
            match self.peek() {
                Some(b'(') if is_regex || self.opens_pattern(before) => self.brackets(&mut draft)?,
                Some(b'|') if is_regex => {
                    self.bashism();
                    self.at += 1;
                    draft.char('|');
                }
                _ => break,
            }
        }
        let word = draft.token(self.arena);
        self.spare.drafts.push(draft);
        if self.at == before { self.unfinished() } else { Ok(word) }
    }

    /// Whether one of `?*+@!`, without a backslash, is before this position of a word.
    fn opens_pattern(&self, start: usize) -> bool {
        let before = self.written(start);
        let bare = before.strip_suffix(['?', '*', '+', '@', '!']);
        bare.is_some_and(|bare| bare.bytes().rev().take_while(|byte| *byte == b'\\').count() % 2 == 0)
    }

    /// At a `(` of a pattern: up to its `)`. Blanks and operators have no meaning between them.
    fn brackets(&mut self, draft: &mut Draft) -> Read<()> {
        self.bashism();
        let mut open = 0_usize;
        loop {
            match self.peek() {
                None => return self.fail(Cause::OpenBracket),
                Some(b'(') => {
                    open += 1;
                    self.at += 1;
                    draft.char('(');
                }
                Some(b')') => {
                    open -= 1;
                    self.at += 1;
                    draft.char(')');
                    if open == 0 {
                        return Ok(());
                    }
                }
                Some(byte @ (b'<' | b'>')) => {
                    if self.peek_at(1) == Some(b'(') {
                        self.process(draft)?;
                    } else {
                        self.at += 1;
                        draft.char(char::from(byte));
                    }
                }
                Some(byte) if is(byte, ENDS) => {
                    self.at += 1;
                    draft.char(char::from(byte));
                }
                Some(_) => self.word(Kind::Other, draft)?,
            }
        }
    }

    /// What is needed is not here.
    fn unfinished<T>(&self) -> Read<T> {
        self.fail(if self.peek().is_none() { Cause::OpenCompound } else { Cause::Syntax })
    }
}
