//! Lists, pipelines and simple commands.

use super::here::Pending;
use super::word::Kind;
use super::{Cause, Command, Problem, Redirect, Unit};
use crate::limits;

pub(super) type Read<T> = Result<T, Problem>;

/// A position in a text.
pub(super) struct Reader<'t> {
    pub(super) text: &'t str,
    pub(super) at: usize,
    /// The end of reading: the end of the text, or of a here-document.
    pub(super) end: usize,
    pub(super) depth: usize,
    pub(super) commands: Vec<Command>,
    /// Here-documents whose text starts after the next line break.
    pub(super) pending: Vec<Pending>,
}

/// The end of a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stop {
    End,
    /// `)`, not consumed.
    Bracket,
    /// `;;`, `;&` or `;;&`, not consumed.
    Case,
    /// A reserved word that ends a list, consumed.
    Word(&'static str),
}

/// Reserved words that end a list.
const CLOSING: [&str; 8] = ["then", "elif", "else", "fi", "do", "done", "esac", "}"];

/// Reserved words that start a command.
const OPENING: [&str; 10] =
    ["if", "while", "until", "for", "select", "case", "function", "coproc", "{", "[["];

/// Programs whose arguments set variables.
const DECLARING: [&str; 6] = ["declare", "typeset", "local", "export", "readonly", "alias"];

impl<'t> Reader<'t> {
    pub(super) fn new(text: &'t str, depth: usize) -> Self {
        Self { text, at: 0, end: text.len(), depth, commands: Vec::new(), pending: Vec::new() }
    }

    pub(super) fn script(&mut self) -> Read<()> {
        match self.list()? {
            (Stop::End, _) => self.bodies(),
            _ => self.fail(Cause::Syntax),
        }
    }

    pub(super) fn fail<T>(&self, cause: Cause) -> Read<T> {
        Err(Problem { cause, at: self.at.min(self.text.len()) })
    }

    pub(super) fn peek(&self) -> Option<u8> {
        self.peek_at(0)
    }

    pub(super) fn peek_at(&self, ahead: usize) -> Option<u8> {
        let at = self.at + ahead;
        if at < self.end { self.text.as_bytes().get(at).copied() } else { None }
    }

    pub(super) fn eat(&mut self, byte: u8) -> bool {
        let is = self.peek() == Some(byte);
        self.at += usize::from(is);
        is
    }

    pub(super) fn rest(&self) -> &'t str {
        self.text.get(self.at..self.end).unwrap_or_default()
    }

    pub(super) fn eat_all(&mut self, text: &str) -> bool {
        let is = self.rest().starts_with(text);
        self.at += if is { text.len() } else { 0 };
        is
    }

    /// The next character of any kind.
    pub(super) fn char(&mut self) -> Option<char> {
        let char = self.rest().chars().next()?;
        self.at += char.len_utf8();
        Some(char)
    }

    /// Runs `inner` one level down.
    pub(super) fn nested<T>(&mut self, inner: impl FnOnce(&mut Self) -> Read<T>) -> Read<T> {
        if self.depth >= limits::SHELL_DEPTH {
            return self.fail(Cause::TooDeep);
        }
        self.depth += 1;
        let done = inner(self);
        self.depth -= 1;
        done
    }

    /// Whitespace, line continuations and a comment.
    pub(super) fn blanks(&mut self) {
        loop {
            match self.peek() {
                Some(b' ' | b'\t') => self.at += 1,
                Some(b'\\') if self.peek_at(1) == Some(b'\n') => self.at += 2,
                Some(b'#') => {
                    self.at += self.rest().find('\n').unwrap_or(self.rest().len());
                }
                _ => return,
            }
        }
    }

    /// A line break, if present, and the here-documents after it.
    pub(super) fn newline(&mut self) -> Read<bool> {
        let is = self.eat(b'\n');
        if is {
            self.bodies()?;
        }
        Ok(is)
    }

    pub(super) fn newlines(&mut self) -> Read<()> {
        loop {
            self.blanks();
            if !self.newline()? {
                return Ok(());
            }
        }
    }

    /// Whether an unquoted word is here and ends here.
    pub(super) fn is_word(&self, word: &str) -> bool {
        let rest = self.rest();
        let ends =
            |c: &u8| matches!(c, b' ' | b'\t' | b'\n' | b';' | b'&' | b'|' | b'(' | b')' | b'<' | b'>');
        rest.starts_with(word) && rest.as_bytes().get(word.len()).is_none_or(ends)
    }

    pub(super) fn eat_word(&mut self, word: &str) -> bool {
        let is = self.is_word(word);
        self.at += if is { word.len() } else { 0 };
        is
    }

    /// Commands up to the first text that is not one; returns their number.
    pub(super) fn list(&mut self) -> Read<(Stop, usize)> {
        let (mut count, mut needed) = (0, false);
        loop {
            self.newlines()?;
            let stop = match self.peek() {
                None => Some(Stop::End),
                Some(b')') => Some(Stop::Bracket),
                Some(b';') if matches!(self.peek_at(1), Some(b';' | b'&')) => Some(Stop::Case),
                Some(b';' | b'|') => return self.fail(Cause::Syntax),
                Some(b'&') if self.peek_at(1) != Some(b'>') => return self.fail(Cause::Syntax),
                Some(b't' | b'e' | b'f' | b'd' | b'}') => {
                    CLOSING.iter().find(|word| self.is_word(word)).map(|word| Stop::Word(word))
                }
                Some(_) => None,
            };
            if let Some(stop) = stop {
                if needed {
                    return self.fail(Cause::Syntax);
                }
                if let Stop::Word(word) = stop {
                    self.at += word.len();
                }
                return Ok((stop, count));
            }
            self.pipeline_part()?;
            count += 1;
            self.blanks();
            needed = match self.peek() {
                Some(b'&') => {
                    self.at += 1;
                    self.eat(b'&')
                }
                Some(b'|') => {
                    self.at += 1;
                    let _ = self.eat(b'|') || self.eat(b'&');
                    true
                }
                Some(b';') if !matches!(self.peek_at(1), Some(b';' | b'&')) => {
                    self.at += 1;
                    false
                }
                Some(b'\n' | b')' | b';') | None => false,
                Some(_) => return self.fail(Cause::Syntax),
            };
        }
    }

    /// A list with at least one command that ends at one of the given reserved words.
    pub(super) fn list_until(&mut self, words: &[&str]) -> Read<&'static str> {
        match self.list()? {
            (Stop::Word(word), count) if count > 0 && words.contains(&word) => Ok(word),
            (Stop::End, _) => self.fail(Cause::OpenCompound),
            _ => self.fail(Cause::Syntax),
        }
    }

    /// One command of a pipeline, with `!` and `time` in front of it.
    fn pipeline_part(&mut self) -> Read<()> {
        let mut prefixed = false;
        loop {
            self.blanks();
            if self.eat_word("!") {
                prefixed = true;
            } else if self.is_word("time") {
                let before = self.at;
                self.at += "time".len();
                self.blanks();
                while self.eat_word("-p") || self.eat_word("--") {
                    self.blanks();
                }
                if self.peek() == Some(b'-') {
                    // The program of that name has options.
                    self.at = before;
                    break;
                }
                prefixed = true;
            } else {
                break;
            }
        }
        let ends = matches!(self.peek(), None | Some(b'\n' | b';' | b'|' | b')'))
            || self.peek() == Some(b'&') && self.peek_at(1) != Some(b'>');
        if prefixed && ends {
            return Ok(());
        }
        self.command()
    }

    pub(super) fn command(&mut self) -> Read<()> {
        let compound = match self.peek() {
            Some(b'(') => true,
            Some(b'a'..=b'z' | b'{' | b'[') => OPENING.iter().any(|word| self.is_word(word)),
            _ => false,
        };
        if !compound {
            return self.simple();
        }
        self.nested(Self::compound)?;
        self.redirects_only()
    }

    /// Redirections after a compound command.
    pub(super) fn redirects_only(&mut self) -> Read<()> {
        let (mut redirects, pending) = (Vec::new(), self.pending.len());
        loop {
            self.blanks();
            if !self.redirect(&mut redirects)? {
                break;
            }
        }
        if redirects.is_empty() {
            return Ok(());
        }
        self.push_with(Command { redirects, ..Command::default() }, pending)
    }

    /// Adds a command, which owns the here-documents after `pending`.
    fn push_with(&mut self, command: Command, pending: usize) -> Read<()> {
        let own = self.commands.len();
        self.pending.iter_mut().skip(pending).for_each(|pending| pending.command = own);
        self.push(command)
    }

    pub(super) fn push(&mut self, command: Command) -> Read<()> {
        if self.commands.len() >= limits::SHELL_COMMANDS {
            return self.fail(Cause::TooManyCommands);
        }
        self.commands.push(command);
        Ok(())
    }

    fn simple(&mut self) -> Read<()> {
        let start = self.at;
        let (mut command, mut declares) = (Command::default(), false);
        let pending = self.pending.len();
        loop {
            self.blanks();
            if self.redirect(&mut command.redirects)? {
                continue;
            }
            match self.peek() {
                None | Some(b'\n' | b';' | b'&' | b'|' | b')') => break,
                Some(b'(') => {
                    let named = command.assignments.is_empty()
                        && command.redirects.is_empty()
                        && command.words.len() == 1;
                    return if named { self.function_body() } else { self.fail(Cause::Syntax) };
                }
                Some(_) => {}
            }
            let first = command.words.is_empty();
            let draft = self.word(if first || declares { Kind::First } else { Kind::Other })?;
            if first && draft.assigns {
                command.assignments.push(draft.units());
                continue;
            }
            draft.expand(&mut command.words);
            declares |= first && command.words.first().is_some_and(|word| is_declaring(word));
        }
        if self.at == start {
            return self.fail(Cause::Syntax);
        }
        self.push_with(command, pending)
    }

    /// `() COMMAND` after a name.
    fn function_body(&mut self) -> Read<()> {
        self.at += 1;
        self.blanks();
        if !self.eat(b')') {
            return self.fail(Cause::Syntax);
        }
        self.body_of_function()
    }

    pub(super) fn body_of_function(&mut self) -> Read<()> {
        self.newlines()?;
        let is_compound = matches!(self.peek(), Some(b'(' | b'{' | b'a'..=b'z' | b'['));
        if !is_compound || self.is_word("function") || self.is_word("coproc") {
            return self.fail(Cause::Syntax);
        }
        if self.peek() != Some(b'(') && !OPENING.iter().any(|word| self.is_word(word)) {
            return self.fail(Cause::Syntax);
        }
        self.command()
    }

    /// A redirection, if present.
    pub(super) fn redirect(&mut self, all: &mut Vec<Redirect>) -> Read<bool> {
        if !matches!(self.peek(), Some(b'<' | b'>' | b'&' | b'{' | b'0'..=b'9')) {
            return Ok(false);
        }
        let before = self.at;
        self.descriptor();
        let Some(op) = OPERATORS.iter().find(|op| self.rest().starts_with(**op)) else {
            self.at = before;
            return Ok(false);
        };
        // `<(` is a process substitution, which is a part of a word.
        if matches!(*op, "<" | ">") && self.peek_at(1) == Some(b'(')
            || op.starts_with('&') && before != self.at
        {
            self.at = before;
            return Ok(false);
        }
        self.at += op.len();
        self.blanks_within();
        if matches!(*op, "<<" | "<<-") {
            let (delimiter, quoted) = self.delimiter()?;
            self.pending.push(Pending {
                delimiter: delimiter.clone(),
                quoted,
                tabs: *op == "<<-",
                command: self.commands.len(),
                redirect: all.len(),
            });
            let target = delimiter.chars().map(Unit::Char).collect();
            all.push(Redirect { op, target, body: None });
            return Ok(true);
        }
        if matches!(self.peek(), None | Some(b'\n' | b';' | b'&' | b'|' | b'(' | b')'))
            || matches!(self.peek(), Some(b'<' | b'>')) && self.peek_at(1) != Some(b'(')
        {
            return self.fail(Cause::Syntax);
        }
        let draft = self.word(Kind::Other)?;
        all.push(Redirect { op, target: draft.units(), body: None });
        Ok(true)
    }

    /// Whitespace without a comment.
    fn blanks_within(&mut self) {
        while self.peek() != Some(b'#') {
            let before = self.at;
            self.blanks_once();
            if self.at == before {
                return;
            }
        }
    }

    fn blanks_once(&mut self) {
        match self.peek() {
            Some(b' ' | b'\t') => self.at += 1,
            Some(b'\\') if self.peek_at(1) == Some(b'\n') => self.at += 2,
            _ => {}
        }
    }

    /// Digits, or `{name}`, in front of a redirection.
    fn descriptor(&mut self) {
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
        if length > 0 && matches!(rest.get(length), Some(b'<' | b'>')) {
            self.at += length;
        }
    }
}

/// Longer ones first.
const OPERATORS: [&str; 12] = ["&>>", "&>", "<<<", "<<-", "<<", "<&", "<>", "<", ">>", ">&", ">|", ">"];

fn is_declaring(word: &[Unit]) -> bool {
    DECLARING.iter().any(|name| name.chars().map(Unit::Char).eq(word.iter().copied()))
}
