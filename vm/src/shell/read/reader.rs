//! Lists, pipelines and simple commands.

use std::rc::Rc;

use super::super::arena::{Arena, Token, short};
use super::super::tree::{Assign, Assigned, Joint, List, Node, Redirect, Simple, Stage};
use super::super::{Cause, Problem};
use super::here::Pending;
use super::word::{Draft, Kind};
use crate::limits;

pub(super) type Read<T> = Result<T, Problem>;

/// A position in a text.
pub(super) struct Reader<'t, 'a> {
    pub(super) text: &'t str,
    pub(super) at: usize,
    /// The end of reading: the end of the text, or of a here-document.
    pub(super) end: usize,
    pub(super) depth: usize,
    pub(super) arena: &'a mut Arena,
    /// Drafts that can be used again.
    pub(super) pool: Vec<Draft>,
    /// The words of simple commands that are being read.
    stack: Vec<Token>,
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

/// Reserved words that end a list, by their first letter.
const fn closing(first: u8) -> &'static [&'static str] {
    match first {
        b't' => &["then"],
        b'e' => &["elif", "else", "esac"],
        b'f' => &["fi"],
        b'd' => &["do", "done"],
        b'}' => &["}"],
        _ => &[],
    }
}

/// Reserved words that start a command, by their first letter.
const fn opening(first: u8) -> &'static [&'static str] {
    match first {
        b'i' => &["if"],
        b'w' => &["while"],
        b'u' => &["until"],
        b'f' => &["for", "function"],
        b's' => &["select"],
        b'c' => &["case", "coproc"],
        b'{' => &["{"],
        b'[' => &["[["],
        _ => &[],
    }
}

/// Programs whose arguments set variables.
const DECLARING: [&str; 6] = ["declare", "typeset", "local", "export", "readonly", "alias"];

impl<'t, 'a> Reader<'t, 'a> {
    pub(super) fn new(text: &'t str, depth: usize, arena: &'a mut Arena) -> Self {
        let pool = std::mem::take(&mut arena.drafts);
        let mut stack = std::mem::take(&mut arena.stack);
        stack.clear();
        let pending = Vec::new();
        Self { text, at: 0, end: text.len(), depth, arena, pool, stack, pending }
    }

    /// Leaves its memory to the next reader.
    pub(super) fn end(self) {
        (self.arena.drafts, self.arena.stack) = (self.pool, self.stack);
    }

    pub(super) fn script(&mut self) -> Read<List> {
        match self.list()? {
            (Stop::End, list) => {
                self.bodies()?;
                Ok(list)
            }
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

    /// Commands up to the first text that is not one.
    pub(super) fn list(&mut self) -> Read<(Stop, List)> {
        let (mut stages, mut joint, mut needed) = (Vec::new(), Joint::Next, false);
        loop {
            self.newlines()?;
            let stop = match self.peek() {
                None => Some(Stop::End),
                Some(b')') => Some(Stop::Bracket),
                Some(b';') if matches!(self.peek_at(1), Some(b';' | b'&')) => Some(Stop::Case),
                Some(b';' | b'|') => return self.fail(Cause::Syntax),
                Some(b'&') if self.peek_at(1) != Some(b'>') => return self.fail(Cause::Syntax),
                Some(byte) => {
                    closing(byte).iter().find(|word| self.is_word(word)).map(|word| Stop::Word(word))
                }
            };
            if let Some(stop) = stop {
                if needed {
                    return self.fail(Cause::Syntax);
                }
                if let Stop::Word(word) = stop {
                    self.at += word.len();
                }
                return Ok((stop, List(stages)));
            }
            let (negated, node) = self.pipeline_part()?;
            let mut stage = Stage { joint, negated, background: false, node };
            self.blanks();
            (joint, needed) = match self.peek() {
                Some(b'&') => {
                    self.at += 1;
                    if self.eat(b'&') {
                        (Joint::And, true)
                    } else {
                        stage.background = true;
                        (Joint::Next, false)
                    }
                }
                Some(b'|') => {
                    self.at += 1;
                    if self.eat(b'|') {
                        (Joint::Or, true)
                    } else {
                        let _ = self.eat(b'&');
                        (Joint::Pipe, true)
                    }
                }
                Some(b';') if !matches!(self.peek_at(1), Some(b';' | b'&')) => {
                    self.at += 1;
                    (Joint::Next, false)
                }
                Some(b'\n' | b')' | b';') | None => (Joint::Next, false),
                Some(_) => return self.fail(Cause::Syntax),
            };
            stages.push(stage);
        }
    }

    /// A list with at least one command that ends at one of the given reserved words.
    pub(super) fn list_until(&mut self, words: &[&str]) -> Read<(&'static str, List)> {
        match self.list()? {
            (Stop::Word(word), list) if !list.0.is_empty() && words.contains(&word) => Ok((word, list)),
            (Stop::End, _) => self.fail(Cause::OpenCompound),
            _ => self.fail(Cause::Syntax),
        }
    }

    /// One command of a pipeline, with `!` and `time` in front of it.
    fn pipeline_part(&mut self) -> Read<(bool, Node)> {
        let (mut prefixed, mut negated) = (false, false);
        while matches!(self.peek(), Some(b'!' | b't')) {
            if self.eat_word("!") {
                prefixed = true;
                negated = !negated;
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
            self.blanks();
        }
        let ends = matches!(self.peek(), None | Some(b'\n' | b';' | b'|' | b')'))
            || self.peek() == Some(b'&') && self.peek_at(1) != Some(b'>');
        if prefixed && ends {
            return Ok((negated, Node::Nothing));
        }
        Ok((negated, self.command()?))
    }

    pub(super) fn command(&mut self) -> Read<Node> {
        if self.arena.commands >= limits::SHELL_COMMANDS {
            return self.fail(Cause::TooManyCommands);
        }
        let compound = match self.peek() {
            Some(b'(') => true,
            Some(byte) => opening(byte).iter().any(|word| self.is_word(word)),
            None => false,
        };
        if !compound {
            return self.simple();
        }
        let node = self.nested(Self::compound)?;
        self.redirected(node)
    }

    /// Redirections after a compound command.
    fn redirected(&mut self, node: Node) -> Read<Node> {
        let mut redirects = Vec::new();
        loop {
            self.blanks();
            if !self.redirect(&mut redirects)? {
                break;
            }
        }
        Ok(if redirects.is_empty() { node } else { Node::Redirected(Box::new(node), redirects) })
    }

    fn simple(&mut self) -> Read<Node> {
        self.arena.commands += 1;
        let (start, base) = (self.at, self.stack.len());
        let (mut command, mut declares) = (Simple::default(), false);
        loop {
            self.blanks();
            if self.redirect(&mut command.redirects)? {
                continue;
            }
            match self.peek() {
                None | Some(b'\n' | b';' | b'&' | b'|' | b')') => break,
                Some(b'(') => {
                    let named = command.assigns.is_empty()
                        && command.redirects.is_empty()
                        && self.stack.len() == base + 1;
                    let Some(name) = self.stack.pop().filter(|_| named) else {
                        return self.fail(Cause::Syntax);
                    };
                    return Ok(Node::Function(name, Rc::new(self.function_body()?)));
                }
                Some(_) => {}
            }
            let first = self.stack.len() == base;
            let mut stack = std::mem::take(&mut self.stack);
            if let Some(word) = self.plain_word() {
                declares |= first && DECLARING.contains(&word);
                stack.push(self.arena.plain(word));
            } else if first || declares {
                let mut draft = self.draft();
                self.word(Kind::First, &mut draft)?;
                if first && draft.assigns {
                    command.assigns.push(self.assign(&draft));
                } else {
                    draft.expand(self.arena, &mut stack);
                    declares |= first && DECLARING.contains(&draft.text.as_str());
                }
                self.pool.push(draft);
            } else {
                self.dressed_words(Kind::Other, &mut stack)?;
            }
            self.stack = stack;
        }
        if self.at == start {
            return self.fail(Cause::Syntax);
        }
        command.words = self.arena.list(self.stack.get(base..).unwrap_or_default());
        self.stack.truncate(base);
        Ok(Node::Simple(command))
    }

    fn assign(&mut self, draft: &Draft) -> Assign {
        let (name, appends) = draft.name();
        let name = self.arena.symbol(name);
        let text = draft.token(self.arena);
        let value = self.arena.slice(text, draft.value, draft.text.len());
        let value = match draft.array {
            Some(words) if draft.subscript == 0 => Assigned::Array(words),
            None if draft.subscript == 0 => Assigned::Text(value),
            _ => Assigned::Element(self.arena.slice(text, 0, draft.subscript), value),
        };
        Assign { name, text, value, appends }
    }

    /// `() COMMAND` after a name.
    fn function_body(&mut self) -> Read<Node> {
        self.at += 1;
        self.blanks();
        if !self.eat(b')') {
            return self.fail(Cause::Syntax);
        }
        self.body_of_function()
    }

    pub(super) fn body_of_function(&mut self) -> Read<Node> {
        self.newlines()?;
        let is_compound = matches!(self.peek(), Some(b'(' | b'{' | b'a'..=b'z' | b'['));
        if !is_compound || self.is_word("function") || self.is_word("coproc") {
            return self.fail(Cause::Syntax);
        }
        let words = self.peek().map_or(&[][..], opening);
        if self.peek() != Some(b'(') && !words.iter().any(|word| self.is_word(word)) {
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
        let input = self.descriptor();
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
        self.at += op.len();
        self.blanks_within();
        // After an operator, `#` starts a comment, and `2>` another redirection.
        let target = self.at;
        self.descriptor();
        if self.peek() == Some(b'#') || self.at != target {
            return self.fail(Cause::Syntax);
        }
        if matches!(op, "<<" | "<<-") {
            let (delimiter, quoted) = self.delimiter()?;
            let body = self.arena.bodies.len();
            self.arena.bodies.push(None);
            let target = self.arena.push(&delimiter, &[], false);
            self.pending.push(Pending { delimiter, quoted, tabs: op == "<<-", body });
            all.push(Redirect { op, input, target, body: Some(short(body)) });
            return Ok(true);
        }
        if matches!(self.peek(), None | Some(b'\n' | b';' | b'&' | b'|' | b'(' | b')'))
            || matches!(self.peek(), Some(b'<' | b'>')) && self.peek_at(1) != Some(b'(')
        {
            return self.fail(Cause::Syntax);
        }
        let target = self.single(Kind::Other)?;
        all.push(Redirect { op, input, target, body: None });
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

    /// Digits, or `{name}`, in front of a redirection; whether they are none, or 0.
    fn descriptor(&mut self) -> bool {
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
        let is = length > 0 && matches!(rest.get(length), Some(b'<' | b'>'));
        self.at += if is { length } else { 0 };
        !is || rest.first() == Some(&b'0') && length == 1
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
