//! The structure of an expression: connectives, groups, negation; and how to
//! continue after an error.

use std::ops::Range;

use hookc_schema::tree::{Cond, CondKind, Op, Path};
use hookc_schema::{Code, Diagnostic, Diagnostics, Span};
use logos::{Lexer, Logos};

use super::quantifier_of_others;
use super::token::Token;
use crate::expr::reader::{Reader, too_deep};

pub(super) use hookc_schema::diag::Reported;

/// The result of a grammar rule.
pub(super) type Parsed<T> = Result<T, Reported>;

/// The precedence of a connective.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Level {
    Or,
    And,
}

/// The parser: one token ahead of the lexer.
pub(super) struct Parser<'a, 'o> {
    lexer: Lexer<'a, Token>,
    pub(super) reader: Reader<'a>,
    /// The next token with its range.
    pub(super) token: Token,
    pub(super) range: Range<usize>,
    /// One past the last consumed token.
    pub(super) last_end: usize,
    room: usize,
    failed: bool,
    /// Whether a word of a selection ends the condition.
    pub(super) in_where: bool,
    /// Whether it is between the parentheses of a selection.
    pub(super) in_history: bool,
    /// The leaf that was read last: its path, its operator, and where its right operand starts.
    pub(super) last_leaf: Option<(Range<usize>, Op, usize)>,
    out: &'o mut Diagnostics,
}

impl<'a, 'o> Parser<'a, 'o> {
    /// Starts at the cursor of the reader; rules nest at most `room` levels.
    pub(super) fn new(reader: Reader<'a>, room: usize, out: &'o mut Diagnostics) -> Self {
        let mut lexer = Token::lexer(reader.slice(0..reader.len()));
        lexer.bump(reader.at);
        let start = reader.at;
        let mut new = Self {
            lexer,
            reader,
            token: Token::End,
            range: start..start,
            last_end: start,
            room,
            failed: false,
            in_where: false,
            in_history: false,
            last_leaf: None,
            out,
        };
        new.advance();
        new
    }

    /// The whole text.
    pub(super) fn whole(mut self) -> Option<Cond> {
        if self.token == Token::End {
            self.report(self.empty());
            return None;
        }
        let cond = self.chain(Level::Or);
        if !self.failed && self.token != Token::End {
            self.report(self.left_over());
        }
        cond.ok().filter(|_| !self.failed)
    }

    /// A value of the history that is the whole text.
    pub(super) fn whole_recall(mut self) -> Option<Path> {
        let path = self.recall();
        if !self.failed && self.token != Token::End {
            let wrong = self.expected("the end of the path");
            self.report(wrong.help("write the operator and the value under `op:` and `value:`"));
        }
        path.ok().filter(|_| !self.failed)
    }

    /// A value of the history at the start, and where it ends.
    pub(super) fn first_recall(mut self) -> Option<(Path, usize)> {
        let path = self.recall().ok().filter(|_| !self.failed)?;
        Some((path, self.last_end))
    }

    /// Consumes the token and reads the next one.
    pub(super) fn advance(&mut self) {
        self.last_end = self.range.end;
        let next = self.lexer.next();
        self.range = self.lexer.span();
        self.token = match next {
            Some(Ok(token)) => token,
            Some(Err(())) => Token::Unknown,
            None => Token::End,
        };
    }

    /// Continues after the text that a shared reader has consumed.
    pub(super) fn resume(&mut self, at: usize) {
        self.lexer.bump(at.saturating_sub(self.lexer.span().end));
        self.range = self.range.start..at;
        self.advance();
    }

    /// Consumes the token if it is the given one.
    pub(super) fn eat(&mut self, token: Token) -> bool {
        let there = self.token == token;
        if there {
            self.advance();
        }
        there
    }

    /// The token as written.
    pub(super) fn written(&self) -> &'a str {
        self.reader.slice(self.range.clone())
    }

    /// The range of the token.
    pub(super) fn here(&self) -> Span {
        self.reader.span(self.range.clone())
    }

    /// From `start` to the last consumed token.
    pub(super) fn since(&self, start: usize) -> Span {
        self.reader.span(start..self.last_end.max(start))
    }

    /// Reports an error and continues.
    pub(super) fn report(&mut self, mut wrong: Diagnostic) {
        let is_of_shape = matches!(wrong.code, Code::E0302 | Code::E0303 | Code::E0401);
        if is_of_shape && !self.failed {
            let text = self.reader.slice(0..self.reader.len());
            if let Some(help) = quantifier_of_others::meant(text, self.range.start) {
                (wrong.help, wrong.fix) = (Some(help), None);
            }
        }
        self.failed = true;
        self.out.push(wrong);
    }

    /// Reports a warning; the expression stays valid.
    pub(super) fn warn(&mut self, warning: Diagnostic) {
        self.out.push(warning);
    }

    /// Reports an error and abandons the rule.
    pub(super) fn give_up<T>(&mut self, wrong: Diagnostic) -> Parsed<T> {
        self.report(wrong);
        Err(Reported)
    }

    /// A whole condition.
    pub(super) fn any_condition(&mut self) -> Parsed<Cond> {
        self.chain(Level::Or)
    }

    /// `a or b or c`, or the same at the next precedence.
    fn chain(&mut self, level: Level) -> Parsed<Cond> {
        let start = self.range.start;
        let first = self.link(level);
        let connective = if level == Level::Or { Token::Or } else { Token::And };
        if self.token != connective {
            return first;
        }
        let mut items: Vec<Cond> = first.into_iter().collect();
        while self.eat(connective) {
            items.extend(self.link(level));
        }
        let kind = if level == Level::Or { CondKind::Any(items.into()) } else { CondKind::All(items.into()) };
        Ok(Cond { span: self.since(start), kind })
    }

    /// One item of a chain. Continues after an error in it.
    fn link(&mut self, level: Level) -> Parsed<Cond> {
        if level == Level::Or {
            return self.chain(Level::And);
        }
        let unary = self.unary();
        let ends = self.at_boundary();
        if unary.is_ok() && !ends {
            self.report(self.left_over());
        }
        if !ends {
            self.recover();
        }
        unary
    }

    /// Whether the token can follow a condition.
    pub(super) fn at_boundary(&self) -> bool {
        use Token::*;
        matches!(self.token, And | Or | Close | Comma | End) || self.at_scope()
    }

    /// Skips to the next connective, comma or closing parenthesis of this
    /// group, or to the end.
    fn recover(&mut self) {
        let mut open = 0usize;
        while self.token != Token::End && (open > 0 || !self.at_boundary()) {
            match self.token {
                Token::Open | Token::Bracket | Token::Brace => open += 1,
                Token::Close | Token::CloseBracket | Token::CloseBrace => open = open.saturating_sub(1),
                Token::Quote => {
                    self.skip_string();
                    continue;
                }
                _ => {}
            }
            self.advance();
        }
    }

    /// Skips to the end of the parentheses around an error that has been reported.
    pub(super) fn leave_parentheses<T>(&mut self) -> Parsed<T> {
        loop {
            self.recover();
            match self.token {
                Token::End => return Err(Reported),
                Token::Close => {
                    self.advance();
                    return Err(Reported);
                }
                _ => self.advance(),
            }
        }
    }

    fn skip_string(&mut self) {
        let mut reader = self.reader.clone();
        reader.at = self.range.start;
        let end = match reader.string() {
            Ok(_) => reader.at,
            Err(_) => self.lexer.source().len(),
        };
        self.resume(end);
    }

    fn unary(&mut self) -> Parsed<Cond> {
        let start = self.range.start;
        let kind = match self.token {
            Token::Not => {
                self.negatable()?;
                let opening = self.range.clone();
                self.advance();
                let inner = self.deeper(opening, Self::unary)?;
                CondKind::Not(inner.into())
            }
            Token::Open => {
                let opening = self.range.clone();
                self.advance();
                let mut inner = self.grouped(opening.clone(), |parser| parser.chain(Level::Or))?;
                self.close(opening)?;
                inner.span = self.since(start);
                return Ok(inner);
            }
            Token::All | Token::Any => self.listed()?,
            Token::True | Token::False => self.constant()?,
            Token::Exists => return self.exists(),
            Token::Name if self.at_quantifier().is_some() => self.quantified()?,
            Token::Name if self.at_formerly() => self.formerly()?,
            Token::Name | Token::Dollar | Token::Bracket => match self.at_predicate() {
                Some(name) => self.predicate(name)?,
                None => return self.leaf(),
            },
            _ => {
                let wrong = self.no_condition();
                return self.give_up(wrong);
            }
        };
        Ok(Cond { span: self.since(start), kind })
    }

    /// Runs a rule one level down.
    pub(super) fn deeper<T>(
        &mut self,
        opening: Range<usize>,
        rule: impl FnOnce(&mut Self) -> Parsed<T>,
    ) -> Parsed<T> {
        let Some(inner) = self.room.checked_sub(1) else {
            let wrong = too_deep(self.reader.span(opening));
            let end = self.lexer.source().len();
            self.resume(end);
            return self.give_up(*wrong);
        };
        let outer = std::mem::replace(&mut self.room, inner);
        let done = rule(self);
        self.room = outer;
        done
    }

    /// Runs a rule between parentheses.
    pub(super) fn grouped<T>(
        &mut self,
        opening: Range<usize>,
        rule: impl FnOnce(&mut Self) -> Parsed<T>,
    ) -> Parsed<T> {
        let outside = std::mem::replace(&mut self.in_where, false);
        let done = self.deeper(opening, rule);
        self.in_where = outside;
        done
    }

    /// The parenthesis that closes what opened at `opening`.
    pub(super) fn close(&mut self, opening: Range<usize>) -> Parsed<()> {
        if self.eat(Token::Close) {
            return Ok(());
        }
        if self.failed {
            return Err(Reported);
        }
        let wrong = self.not_closed(opening);
        self.give_up(wrong)
    }

    /// `all(...)`, `any(...)`
    fn listed(&mut self) -> Parsed<CondKind> {
        let kind = if self.token == Token::All { CondKind::All } else { CondKind::Any };
        self.callable()?;
        self.advance();
        let opening = self.range.clone();
        self.advance();
        let items = self.grouped(opening.clone(), Self::items)?;
        self.close(opening)?;
        Ok(kind(items.into()))
    }

    fn items(&mut self) -> Parsed<Vec<Cond>> {
        let mut items = Vec::new();
        if self.token == Token::Close {
            return Ok(items);
        }
        loop {
            items.extend(self.chain(Level::Or));
            if !self.eat(Token::Comma) {
                return Ok(items);
            }
        }
    }

    fn constant(&mut self) -> Parsed<CondKind> {
        let value = self.token == Token::True;
        if self.followed_by_operator() {
            let wrong = self.literal_left();
            return self.give_up(wrong);
        }
        self.refuse_step_of_word()?;
        self.advance();
        Ok(CondKind::Const(value))
    }

    /// The token after this one.
    pub(super) fn peek(&self) -> Token {
        self.lexer.clone().next().map_or(Token::End, |token| token.unwrap_or(Token::Unknown))
    }

    /// The token after this one, with its range.
    pub(super) fn peek_range(&self) -> (Token, Range<usize>) {
        let mut lexer = self.lexer.clone();
        let token = lexer.next().map_or(Token::End, |token| token.unwrap_or(Token::Unknown));
        (token, lexer.span())
    }

    /// The byte directly after this token, 0 at the end.
    pub(super) fn next_byte(&self) -> u8 {
        self.lexer.source().as_bytes().get(self.range.end).copied().unwrap_or(0)
    }
}
