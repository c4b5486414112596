//! Lists, pipelines and simple commands.

use std::rc::Rc;

use super::super::arena::Arena;
use super::super::spare::{Draft, Spare};
use super::super::token::{Range, Token, Words, short};
use super::super::tree::{Assign, Assigned, Joint, List, Node, Simple, Stage};
use super::super::{Cause, Problem};
use super::class::{ENDS, PLAIN, REDIRECTS, RESERVED, class, is, run};
use super::here::Pending;
use super::word::Kind;
use crate::limits;

pub(super) type Read<T> = Result<T, Problem>;

/// A position in a text.
pub(super) struct Reader<'t, 'a> {
    /// The text up to the end of reading: the end of the whole, or of a here-document.
    pub(super) text: &'t str,
    /// Where it starts in the arena.
    pub(super) base: u32,
    pub(super) at: usize,
    /// Where the last whitespace started and ended.
    blank: (usize, usize),
    pub(super) depth: usize,
    pub(super) arena: &'a mut Arena,
    pub(super) spare: Spare,
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

/// Reserved words that end a list, or that nothing can start with, by their first letter.
const fn closing(first: u8) -> &'static [&'static str] {
    match first {
        b't' => &["then"],
        b'e' => &["elif", "else", "esac"],
        b'f' => &["fi"],
        b'd' => &["do", "done"],
        b'i' => &["in"],
        b'}' => &["}"],
        b']' => &["]]"],
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

/// Whether the arguments of a program can set arrays.
fn is_declaring(name: &str) -> bool {
    matches!(name, "declare" | "typeset" | "local" | "export" | "readonly" | "alias" | "eval" | "let")
}

/// The special builtins of POSIX.
pub(in super::super) const SPECIAL: [&str; 14] = [
    ".", ":", "break", "continue", "eval", "exec", "exit", "export", "readonly", "return", "set", "shift",
    "trap", "unset",
];

/// Whether a text is the name of a variable.
pub(in super::super) fn is_identifier(text: &str) -> bool {
    !text.starts_with(|c: char| c.is_ascii_digit())
        && !text.is_empty()
        && text.bytes().all(|byte| byte == b'_' || byte.is_ascii_alphanumeric())
}

/// Moves the elements from `base` on to the end of another list.
fn moved<T>(from: &mut Vec<T>, base: usize, to: &mut Vec<T>) -> Range {
    let start = short(to.len());
    if from.len() > base {
        to.extend(from.drain(base..));
    }
    (start, short(to.len()))
}

impl<'t, 'a> Reader<'t, 'a> {
    /// A reader of a text that starts at `base` in the arena.
    pub(super) fn new(text: &'t str, base: u32, depth: usize, arena: &'a mut Arena) -> Self {
        let mut spare = std::mem::take(&mut arena.spare);
        spare.words.clear();
        spare.assigns.clear();
        spare.redirects.clear();
        Self { text, base, at: 0, blank: (0, 0), depth, arena, spare, pending: Vec::new() }
    }

    /// Reads all of the text, and leaves its memory to the next reader.
    pub(super) fn all(mut self) -> Read<List> {
        let list = self.script();
        self.arena.spare = self.spare;
        list
    }

    fn script(&mut self) -> Read<List> {
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

    /// Notes a form that a shell other than bash reads in another way.
    pub(super) const fn bashism(&mut self) {
        self.arena.has_bashism = true;
    }

    #[inline]
    pub(super) fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    #[inline]
    pub(super) fn peek_at(&self, ahead: usize) -> Option<u8> {
        self.text.as_bytes().get(self.at + ahead).copied()
    }

    pub(super) fn eat(&mut self, byte: u8) -> bool {
        let is_next = self.peek() == Some(byte);
        self.at += usize::from(is_next);
        is_next
    }

    pub(super) fn rest(&self) -> &'t str {
        self.text.get(self.at..).unwrap_or_default()
    }

    pub(super) fn eat_all(&mut self, text: &str) -> bool {
        let is_next = self.rest().starts_with(text);
        self.at += if is_next { text.len() } else { 0 };
        is_next
    }

    /// The next character of any kind.
    pub(super) fn char(&mut self) -> Option<char> {
        let char = self.rest().chars().next()?;
        self.at += char.len_utf8();
        Some(char)
    }

    /// A word of the text as it is.
    pub(super) fn span(&self, from: usize, to: usize, quoted: bool, plain: bool) -> Token {
        Token::new(self.base + short(from), short(to - from), quoted, plain)
    }

    /// The range from a position up to here, without whitespace at its end, if this is the line.
    pub(super) fn range_from(&self, start: usize) -> Range {
        let end = if self.at == self.blank.1 { self.blank.0 } else { self.at };
        if self.base == 0 { (short(start), short(end)) } else { (0, 0) }
    }

    /// Notes that the words from `base` on are in the range from `start` up to here.
    pub(super) fn place_words(&mut self, base: usize, start: usize) {
        let span = self.range_from(start);
        if self.base == 0 {
            let words = self.spare.words.get_mut(base..).unwrap_or_default();
            words.iter_mut().for_each(|word| self.arena.place(word, span));
        }
    }

    /// Notes that a word is in the range from `start` up to here.
    pub(super) fn place(&mut self, word: &mut Token, start: usize) {
        let span = self.range_from(start);
        if self.base == 0 {
            self.arena.place(word, span);
        }
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
        let start = self.at;
        loop {
            match self.peek() {
                Some(b' ' | b'\t') => self.at += 1,
                Some(b'\\') if self.peek_at(1) == Some(b'\n') => self.at += 2,
                Some(b'#') => {
                    self.at += self.rest().find('\n').unwrap_or(self.rest().len());
                }
                _ => break,
            }
        }
        if self.at > start {
            let is_next = self.blank.1 == start && start > 0;
            self.blank = (if is_next { self.blank.0 } else { start }, self.at);
        }
    }

    /// A line break, if present, and the here-documents after it.
    pub(super) fn newline(&mut self) -> Read<bool> {
        let is_newline = self.eat(b'\n');
        if is_newline {
            self.bodies()?;
        }
        Ok(is_newline)
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
        let is_next = self.is_word(word);
        self.at += if is_next { word.len() } else { 0 };
        is_next
    }

    /// Whether a reserved word is here, or a bracket.
    fn is_reserved(&self) -> bool {
        let rest = self.text.as_bytes().get(self.at..).unwrap_or_default();
        let Some(first) = rest.first().filter(|byte| is(**byte, RESERVED)) else { return false };
        let word = rest.get(..run(rest, PLAIN)).unwrap_or_default();
        // The others are letters.
        let is_letter = first.is_ascii_lowercase();
        !is_letter
            || opening(*first).iter().any(|word_of_grammar| word_of_grammar.as_bytes() == word)
            || word == b"time"
    }

    /// Commands up to the first text that is not one.
    pub(super) fn list(&mut self) -> Read<(Stop, List)> {
        // A line has many commands, other lists few.
        let size = if self.at == 0 { self.text.len() / 32 + 1 } else { 0 };
        let mut stages = Vec::with_capacity(size.min(limits::SHELL_COMMANDS));
        let (mut joint, mut needed) = (Joint::Next, false);
        loop {
            self.newlines()?;
            let stop = match self.peek() {
                None => Some(Stop::End),
                Some(b')') => Some(Stop::Bracket),
                Some(b';') if matches!(self.peek_at(1), Some(b';' | b'&')) => Some(Stop::Case),
                Some(b';' | b'|') => return self.fail(Cause::Syntax),
                Some(b'&') if self.peek_at(1) != Some(b'>') => return self.fail(Cause::Syntax),
                Some(byte) if is(byte, RESERVED) => {
                    closing(byte).iter().find(|word| self.is_word(word)).map(|word| Stop::Word(word))
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
                return Ok((stop, List(stages)));
            }
            // `!` is for whole pipelines.
            if joint == Joint::Pipe && self.is_word("!") {
                return self.fail(Cause::Syntax);
            }
            let start = self.at;
            let ((negated, timed), node) =
                if self.is_reserved() { self.pipeline_part()? } else { ((false, false), self.simple()?) };
            let mut stage =
                Stage { joint, negated, timed, background: false, span: self.range_from(start), node };
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
                        if self.eat(b'&') {
                            self.bashism();
                        }
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

    /// One command of a pipeline; whether `!` and `time` are in front of it.
    fn pipeline_part(&mut self) -> Read<((bool, bool), Node)> {
        let (mut prefixed, mut negated, mut timed) = (false, false, false);
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
                (prefixed, timed) = (true, true);
            } else {
                break;
            }
            self.blanks();
        }
        let is_case = self.peek() == Some(b';') && matches!(self.peek_at(1), Some(b';' | b'&'));
        let ends = matches!(self.peek(), None | Some(b'\n' | b';')) && !is_case;
        if prefixed && ends {
            return Ok(((negated, timed), Node::Nothing));
        }
        let node = self.command()?;
        // To others, `time` is a program.
        let is_program = matches!(&node, Node::Simple(simple) if simple.assigns.0 == simple.assigns.1);
        self.arena.has_bashism |= timed && !is_program;
        Ok(((negated, timed), node))
    }

    pub(super) fn command(&mut self) -> Read<Node> {
        self.room()?;
        let compound = match self.peek() {
            Some(b'(') => true,
            Some(byte) if closing(byte).iter().any(|word| self.is_word(word)) => {
                return self.fail(Cause::Syntax);
            }
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
        let base = self.spare.redirects.len();
        loop {
            self.blanks();
            if !self.redirect()? {
                break;
            }
        }
        let redirects = self.redirects_from(base);
        Ok(if redirects.0 < redirects.1 { Node::Redirected(Box::new(node), redirects) } else { node })
    }

    fn room(&self) -> Read<()> {
        if self.arena.commands < limits::SHELL_COMMANDS { Ok(()) } else { self.fail(Cause::TooManyCommands) }
    }

    fn simple(&mut self) -> Read<Node> {
        self.room()?;
        self.arena.commands += 1;
        let (start, base) = (self.at, self.spare.words.len());
        let (assigns, redirects) = (self.spare.assigns.len(), self.spare.redirects.len());
        let mut declares = false;
        loop {
            self.blanks();
            let Some(byte) = self.peek() else { break };
            let class = class(byte);
            if class & REDIRECTS != 0 && self.redirect()? {
                continue;
            }
            if class & ENDS != 0 {
                break;
            }
            let first = self.spare.words.len() == base;
            if byte == b'(' {
                let named = self.spare.assigns.len() == assigns
                    && self.spare.redirects.len() == redirects
                    && self.spare.words.len() == base + 1;
                let Some(name) = self.spare.words.pop().filter(|_| named) else {
                    return self.fail(Cause::Syntax);
                };
                let text = self.arena.text(name);
                // Others reject the name, or keep its meaning.
                let is_bashism = !is_identifier(text) || SPECIAL.contains(&text);
                self.arena.has_bashism |= is_bashism;
                return Ok(Node::Function(name, Rc::new(self.function_body()?)));
            }
            if !first && !declares {
                self.words(Kind::Other)?;
            } else if let Some(word) = self.plain_word(PLAIN) {
                declares |= first && is_declaring(self.arena.text(word));
                self.spare.words.push(word);
            } else {
                declares |= self.first_word(first)?;
            }
        }
        if self.at == start {
            return self.fail(Cause::Syntax);
        }
        Ok(Node::Simple(Simple {
            assigns: moved(&mut self.spare.assigns, assigns, &mut self.arena.assigns),
            words: self.words_from(base),
            redirects: self.redirects_from(redirects),
        }))
    }

    /// A word that can be an assignment; whether it is a program whose arguments are some.
    fn first_word(&mut self, first: bool) -> Read<bool> {
        let (mut draft, start, base) = (self.draft(), self.at, self.spare.words.len());
        self.word(Kind::First, &mut draft)?;
        let mut declares = false;
        if first && draft.assigns {
            let assign = self.assign(&draft, start);
            self.spare.assigns.push(assign);
        } else {
            if !first && !draft.assigns {
                draft.splits();
            }
            draft.expand(self.arena, &mut self.spare.words);
            self.place_words(base, start);
            declares = first && !draft.dressed && is_declaring(&draft.text);
        }
        self.spare.drafts.push(draft);
        Ok(declares)
    }

    /// Ends a list of words that started at `base`.
    pub(super) fn words_from(&mut self, base: usize) -> Words {
        let words = self.arena.list(self.spare.words.get(base..).unwrap_or_default());
        self.spare.words.truncate(base);
        words
    }

    fn redirects_from(&mut self, base: usize) -> Range {
        moved(&mut self.spare.redirects, base, &mut self.arena.redirects)
    }

    fn assign(&mut self, draft: &Draft, start: usize) -> Assign {
        let (name, appends) = draft.name();
        let name = self.arena.symbol(name);
        self.arena.has_bashism |= appends;
        let mut text = draft.token(self.arena);
        self.place(&mut text, start);
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
}
