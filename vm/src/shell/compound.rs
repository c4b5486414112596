//! Compound commands.

use super::Cause;
use super::reader::{Read, Reader, Stop};
use super::word::Kind;

impl Reader<'_> {
    /// Commands that start with a reserved word or a bracket.
    pub(super) fn compound(&mut self) -> Read<()> {
        if self.peek() == Some(b'(') {
            if self.peek_at(1) == Some(b'(') {
                self.at += 2;
                return self.arithmetic();
            }
            self.at += 1;
            return self.subshell();
        }
        if self.eat_word("{") {
            return self.list_until(&["}"]).map(drop);
        }
        if self.eat_word("[[") {
            return self.conditional();
        }
        if self.eat_word("if") {
            return self.conditions();
        }
        if self.eat_word("while") || self.eat_word("until") {
            self.list_until(&["do"])?;
            return self.list_until(&["done"]).map(drop);
        }
        if self.eat_word("for") {
            return self.counted(true);
        }
        if self.eat_word("select") {
            return self.counted(false);
        }
        if self.eat_word("case") {
            return self.cases();
        }
        if self.eat_word("function") {
            return self.function();
        }
        if self.eat_word("coproc") {
            return self.coprocess();
        }
        self.fail(Cause::Syntax)
    }

    /// After a `(`: a list, and the `)`.
    pub(super) fn subshell(&mut self) -> Read<()> {
        match self.list()? {
            (Stop::Bracket, count) if count > 0 => {
                self.at += 1;
                Ok(())
            }
            (Stop::End, _) => self.fail(Cause::OpenBracket),
            _ => self.fail(Cause::Syntax),
        }
    }

    fn conditions(&mut self) -> Read<()> {
        self.list_until(&["then"])?;
        loop {
            match self.list_until(&["elif", "else", "fi"])? {
                "elif" => self.list_until(&["then"]).map(drop)?,
                "else" => return self.list_until(&["fi"]).map(drop),
                _ => return Ok(()),
            }
        }
    }

    /// `for` and `select`.
    fn counted(&mut self, arithmetic: bool) -> Read<()> {
        self.blanks();
        if arithmetic && self.peek() == Some(b'(') {
            if !self.eat_all("((") {
                return self.fail(Cause::Syntax);
            }
            self.arithmetic()?;
            self.blanks();
            let _ = self.eat(b';');
            return self.loop_body();
        }
        self.plain_name()?;
        self.newlines()?;
        if self.eat_word("in") {
            self.words_of_list()?;
        } else {
            let _ = self.eat(b';');
        }
        self.loop_body()
    }

    /// `do ... done`, or `{ ... }`.
    fn loop_body(&mut self) -> Read<()> {
        self.newlines()?;
        if self.eat_word("do") {
            return self.list_until(&["done"]).map(drop);
        }
        if self.eat_word("{") {
            return self.list_until(&["}"]).map(drop);
        }
        self.fail(if self.peek().is_none() { Cause::OpenCompound } else { Cause::Syntax })
    }

    /// Words up to `;` or the end of the line.
    fn words_of_list(&mut self) -> Read<()> {
        loop {
            self.blanks();
            match self.peek() {
                Some(b';') => {
                    self.at += 1;
                    return Ok(());
                }
                Some(b'\n') => return self.newline().map(drop),
                None => return self.fail(Cause::OpenCompound),
                Some(b'<' | b'>') if self.peek_at(1) == Some(b'(') => {}
                Some(b'&' | b'|' | b'(' | b')' | b'<' | b'>') => return self.fail(Cause::Syntax),
                Some(_) => {}
            }
            self.word(Kind::Other)?;
        }
    }

    fn cases(&mut self) -> Read<()> {
        self.blanks();
        self.word_here()?;
        self.newlines()?;
        if !self.eat_word("in") {
            return self.fail(Cause::Syntax);
        }
        loop {
            self.newlines()?;
            if self.eat_word("esac") {
                return Ok(());
            }
            if self.peek().is_none() {
                return self.fail(Cause::OpenCompound);
            }
            let _ = self.eat(b'(');
            loop {
                self.blanks();
                self.word_here()?;
                self.blanks();
                if self.eat(b')') {
                    break;
                }
                if !self.eat(b'|') {
                    return self.fail(Cause::Syntax);
                }
            }
            match self.list()?.0 {
                Stop::Case => {
                    let _ = self.eat_all(";;&") || self.eat_all(";;") || self.eat_all(";&");
                }
                Stop::Word("esac") => return Ok(()),
                Stop::End => return self.fail(Cause::OpenCompound),
                _ => return self.fail(Cause::Syntax),
            }
        }
    }

    fn word_here(&mut self) -> Read<()> {
        let before = self.at;
        self.word(Kind::Other)?;
        if self.at == before { self.fail(Cause::Syntax) } else { Ok(()) }
    }

    /// A name that is taken literally.
    fn plain_name(&mut self) -> Read<()> {
        self.blanks();
        self.word_here()
    }

    fn function(&mut self) -> Read<()> {
        self.plain_name()?;
        self.blanks();
        if self.eat(b'(') {
            self.blanks();
            if !self.eat(b')') {
                return self.fail(Cause::Syntax);
            }
        }
        self.body_of_function()
    }

    /// `coproc [NAME] COMPOUND`, or a simple command.
    fn coprocess(&mut self) -> Read<()> {
        self.blanks();
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
            }
        }
        self.command()
    }

    /// After `[[`: words and operators up to `]]`.
    fn conditional(&mut self) -> Read<()> {
        let mut empty = true;
        loop {
            self.newlines()?;
            if !empty && self.eat_word("]]") {
                return Ok(());
            }
            empty = false;
            match self.peek() {
                None => return self.fail(Cause::OpenCompound),
                Some(b'<' | b'>') if self.peek_at(1) == Some(b'(') => drop(self.word(Kind::Pattern)?),
                Some(b'(' | b')' | b'|' | b'&' | b'<' | b'>') => self.at += 1,
                Some(b';') => return self.fail(Cause::Syntax),
                Some(_) => drop(self.word(Kind::Pattern)?),
            }
        }
    }
}
