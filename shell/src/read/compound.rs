//! Compound commands.

use std::rc::Rc;

use super::super::Cause;
use super::super::token::{Token, Words};
use super::super::tree::{Items, Joint, List, Node, Stage};
use super::reader::{Read, Reader, Stop};
use super::word::Kind;

impl Reader<'_, '_> {
    /// Commands that start with a reserved word or a bracket.
    pub(super) fn compound(&mut self) -> Read<Node> {
        if self.peek() == Some(b'(') {
            if self.peek_at(1) == Some(b'(') {
                // Others read two subshells.
                self.bashism();
                self.at += 2;
                let inner = self.arithmetic()?;
                return Ok(Node::Arithmetic(inner));
            }
            self.at += 1;
            return self.subshell().map(Node::Subshell);
        }
        if self.eat_word("{") {
            return Ok(Node::Group(self.list_until(&["}"])?.1));
        }
        if self.eat_word("[[") {
            return self.conditional();
        }
        if self.eat_word("if") {
            return self.conditions();
        }
        if self.eat_word("while") || self.eat_word("until") {
            let condition = self.list_until(&["do"])?.1;
            return Ok(Node::While(condition, self.list_until(&["done"])?.1));
        }
        if self.eat_word("for") {
            return self.counted(true);
        }
        if self.eat_word("select") {
            self.bashism();
            return self.counted(false);
        }
        if self.eat_word("case") {
            return self.cases();
        }
        if self.eat_word("function") {
            self.bashism();
            return self.function();
        }
        if self.eat_word("coproc") {
            self.bashism();
            return self.coprocess();
        }
        self.fail(Cause::Syntax)
    }

    /// After a `(`: a list, and the `)`.
    fn subshell(&mut self) -> Read<List> {
        match self.list()? {
            (Stop::Bracket, list) if !list.0.is_empty() => {
                self.at += 1;
                Ok(list)
            }
            (Stop::End, _) => self.fail(Cause::OpenBracket),
            _ => self.fail(Cause::Syntax),
        }
    }

    fn conditions(&mut self) -> Read<Node> {
        let mut arms = Vec::new();
        let mut condition = self.list_until(&["then"])?.1;
        loop {
            let (word, list) = self.list_until(&["elif", "else", "fi"])?;
            arms.push((condition, list));
            match word {
                "elif" => condition = self.list_until(&["then"])?.1,
                "else" => return Ok(Node::If(arms, self.list_until(&["fi"])?.1)),
                _ => return Ok(Node::If(arms, List::default())),
            }
        }
    }

    /// `for` and `select`.
    fn counted(&mut self, is_for: bool) -> Read<Node> {
        self.blanks();
        if is_for && self.peek() == Some(b'(') {
            if !self.eat_all("((") {
                return self.fail(Cause::Syntax);
            }
            self.bashism();
            let inner = self.arithmetic()?;
            self.blanks();
            let _ = self.eat(b';');
            return Ok(Node::Count(inner, self.loop_body()?));
        }
        let name = self.plain_name()?;
        let (before, joined) = (self.at, self.rest());
        self.newlines()?;
        let has_break = joined.get(..self.at - before).is_some_and(|skipped| skipped.contains('\n'));
        let items = if self.eat_word("in") {
            Items::Listed(self.words_of_list()?)
        } else {
            if !self.eat(b';') && !has_break && self.is_word("{") {
                return self.fail(Cause::Syntax);
            }
            Items::Positions
        };
        let body = self.loop_body()?;
        if !is_for {
            // The user chooses the value.
            let unknown = self.unknown("$REPLY");
            let items = self.arena.list(&[unknown]);
            return Ok(Node::For(name, Items::Chosen(items), body));
        }
        Ok(Node::For(name, items, body))
    }

    fn unknown(&mut self, text: &str) -> Token {
        let mut draft = self.draft();
        draft.unknown(text);
        draft.token(self.arena)
    }

    /// `do ... done`, or `{ ... }`.
    fn loop_body(&mut self) -> Read<List> {
        self.newlines()?;
        if self.eat_word("do") {
            return Ok(self.list_until(&["done"])?.1);
        }
        if self.eat_word("{") {
            self.bashism();
            return Ok(self.list_until(&["}"])?.1);
        }
        self.fail(if self.peek().is_none() { Cause::OpenCompound } else { Cause::Syntax })
    }

    /// Words up to `;` or the end of the line.
    fn words_of_list(&mut self) -> Read<Words> {
        let base = self.spare.words.len();
        loop {
            self.blanks();
            match self.peek() {
                Some(b';') => {
                    self.at += 1;
                    break;
                }
                Some(b'\n') => {
                    self.newline()?;
                    break;
                }
                None => return self.fail(Cause::OpenCompound),
                Some(b'<' | b'>') if self.peek_at(1) == Some(b'(') => {}
                Some(b'&' | b'|' | b'(' | b')' | b'<' | b'>') => return self.fail(Cause::Syntax),
                Some(_) => {}
            }
            self.words(Kind::Other)?;
        }
        Ok(self.words_from(base))
    }

    fn cases(&mut self) -> Read<Node> {
        self.blanks();
        let word = self.word_here()?;
        self.newlines()?;
        if !self.eat_word("in") {
            return self.fail(Cause::Syntax);
        }
        let mut arms = Vec::new();
        loop {
            self.newlines()?;
            if self.eat_word("esac") {
                return Ok(Node::Case(word, arms));
            }
            if self.peek().is_none() {
                return self.fail(Cause::OpenCompound);
            }
            let _ = self.eat(b'(');
            let mut patterns = Vec::new();
            loop {
                self.blanks();
                patterns.push(self.word_here()?);
                self.blanks();
                if self.eat(b')') {
                    break;
                }
                if !self.eat(b'|') {
                    return self.fail(Cause::Syntax);
                }
            }
            let patterns = self.arena.list(&patterns);
            let (stop, list) = self.list()?;
            match stop {
                Stop::Case => {
                    let continues = self.eat_all(";;&") || !self.eat_all(";;") && self.eat_all(";&");
                    self.arena.has_bashism |= continues;
                    arms.push((patterns, continues, list));
                }
                Stop::Word("esac") => {
                    arms.push((patterns, false, list));
                    return Ok(Node::Case(word, arms));
                }
                Stop::End => return self.fail(Cause::OpenCompound),
                _ => return self.fail(Cause::Syntax),
            }
        }
    }

    fn word_here(&mut self) -> Read<Token> {
        let before = self.at;
        let word = self.single(Kind::Other)?;
        if self.at == before { self.fail(Cause::Syntax) } else { Ok(word) }
    }

    /// A name that is taken literally.
    fn plain_name(&mut self) -> Read<Token> {
        self.blanks();
        self.word_here()
    }

    fn function(&mut self) -> Read<Node> {
        let name = self.plain_name()?;
        self.blanks();
        let before = self.at;
        if self.eat(b'(') {
            self.blanks();
            if !self.eat(b')') {
                // The body is a subshell.
                self.at = before;
            }
        }
        Ok(Node::Function(name, Rc::new(self.body_of_function()?)))
    }

    /// `coproc [NAME] COMPOUND`, or a simple command.
    fn coprocess(&mut self) -> Read<Node> {
        self.blanks();
        if self.is_word("!") || self.is_word("coproc") {
            return self.fail(Cause::Syntax);
        }
        let before = self.at;
        let name =
            self.rest().bytes().take_while(|byte| byte.is_ascii_alphanumeric() || *byte == b'_').count();
        if name > 0
            && !["if", "while", "until", "for", "select", "case"].iter().any(|word| self.is_word(word))
        {
            self.at += name;
            self.blanks();
            let compound = matches!(self.peek(), Some(b'(' | b'{' | b'['))
                || ["if", "while", "until", "for", "select", "case"].iter().any(|word| self.is_word(word));
            if !compound || self.at == before + name {
                self.at = before;
            } else {
                // It becomes an array, and a variable with the number of the process.
                let name = self.text.get(before..before + name).unwrap_or_default();
                for name in [name.to_owned(), format!("{name}_PID")] {
                    let name = self.arena.symbol(&name);
                    self.arena.changing.push((name, true));
                }
            }
        }
        let start = self.at;
        let node = self.command()?;
        let span = self.range_from(start);
        let stage = Stage { joint: Joint::Next, negated: false, timed: false, background: false, span, node };
        Ok(Node::Coprocess(List(vec![stage])))
    }
}
