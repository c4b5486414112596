//! Predicates about effects: `reads('src/**' except @secrets)`, `only(...)`, `unknown()`.

use hookc_schema::Diagnostic;
use hookc_schema::span::Spanned;
use hookc_schema::suggest::nearest;
use hookc_schema::tree::{CondKind, Guard, Pattern, Predicate, PredicateName, UncomparedSpan};
use hookc_schema::value::Text;

use super::parser::{Parsed, Parser};
use super::token::Token;
use crate::expr::reader::excerpt;

const GUARDS: &str = "write guards, such as `only(reads('./**'), runs('cargo test'))`";

impl Parser<'_, '_> {
    /// The predicate that the token names, if a parenthesis follows.
    pub(super) fn at_predicate(&self) -> Option<PredicateName> {
        let name = (self.token == Token::Name).then(|| PredicateName::from_name(self.written()))?;
        name.filter(|_| self.peek() == Token::Open)
    }

    /// The whole predicate; the token is its name.
    pub(super) fn predicate(&mut self, name: PredicateName) -> Parsed<CondKind> {
        let predicate = match name {
            PredicateName::Guard { .. } => Predicate::Guard(self.guard(name)?),
            PredicateName::Only => Predicate::Only(self.in_parentheses(Self::guards)?),
            PredicateName::Unknown => self.in_parentheses(Self::nothing).map(|()| Predicate::Unknown)?,
            PredicateName::Mentions => Predicate::Mentions(self.in_parentheses(Self::texts)?),
            PredicateName::Passed => Predicate::Passed(self.in_parentheses(Self::patterns)?),
        };
        Ok(CondKind::Predicate(predicate.into()))
    }

    /// What is between the parentheses after the token.
    fn in_parentheses<T>(&mut self, rule: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        self.advance();
        let opening = self.range.clone();
        self.advance();
        let inside = match self.grouped(opening.clone(), rule) {
            Ok(inside) if self.token == Token::Close => inside,
            Ok(_) => {
                let wrong = self.unfinished().also(self.reader.span(opening), "opened here");
                self.report(wrong);
                return self.leave_parentheses();
            }
            Err(_) => return self.leave_parentheses(),
        };
        self.advance();
        Ok(inside)
    }

    fn guard(&mut self, name: PredicateName) -> Parsed<Guard> {
        let PredicateName::Guard { verb, is_possible } = name else {
            let wrong = self.no_guard();
            return self.give_up(wrong);
        };
        let start = self.range.start;
        let mut guard = Guard::new(UncomparedSpan::default(), verb, is_possible);
        self.in_parentheses(|parser| {
            guard.of = parser.patterns()?;
            if parser.eat_word("except") {
                guard.except = parser.some_patterns("except")?;
            }
            if parser.eat_word("by") {
                guard.by = parser.some_patterns("by")?;
            } else if parser.token == Token::Not {
                parser.advance();
                if !parser.eat_word("by") {
                    let wrong = parser.expected("`by` after `not`");
                    let wrong = wrong.help("write exceptions after `except`: `writes(except './**')`");
                    return parser.give_up(wrong);
                }
                guard.not_by = parser.some_patterns("not by")?;
            }
            Ok(())
        })?;
        guard.span = UncomparedSpan(self.since(start));
        Ok(guard)
    }

    fn guards(&mut self) -> Parsed<Vec<Guard>> {
        let mut guards = Vec::new();
        while self.token != Token::Close {
            let Some(name @ PredicateName::Guard { is_possible: false, .. }) = self.at_predicate() else {
                let wrong = self.no_guard();
                return self.give_up(wrong);
            };
            guards.push(self.guard(name)?);
            if matches!(self.token, Token::And | Token::Or) {
                let wrong = self.expected("`,` or `)`").help("write a comma between the guards of `only`");
                return self.give_up(wrong);
            }
            if !self.eat(Token::Comma) {
                break;
            }
        }
        Ok(guards)
    }

    fn no_guard(&self) -> Diagnostic {
        let written = self.written();
        if self.token == Token::Name && PredicateName::certain().contains(&written) {
            let wrong = self.wrong_here(format!("`{written}` has its patterns in parentheses"));
            return wrong.with_label("no `(` follows").help(format!("write `{written}('...')`"));
        }
        let wrong = self.expected("a guard");
        let near = match PredicateName::from_name(self.written()) {
            Some(PredicateName::Guard { verb, .. }) => Some(verb.plural()),
            _ => nearest(self.written(), PredicateName::certain()),
        };
        match near.filter(|_| self.token == Token::Name) {
            Some(near) => wrong.did_you_mean(Some(near), self.here()),
            None => wrong.help(GUARDS),
        }
    }

    fn nothing(&mut self) -> Parsed<()> {
        if self.token == Token::Close {
            return Ok(());
        }
        let wrong = self.expected("`)`").help("`unknown()` has no patterns");
        self.give_up(wrong)
    }

    /// Patterns after a word, which needs at least one.
    fn some_patterns(&mut self, word: &str) -> Parsed<Vec<Pattern>> {
        let patterns = self.patterns()?;
        if patterns.is_empty() {
            let wrong = self.expected(&format!("a pattern after `{word}`"));
            return self.give_up(wrong.help("write a pattern in quotes, or the name of a set: `@secrets`"));
        }
        Ok(patterns)
    }

    /// Patterns with commas between them, which may be none.
    fn patterns(&mut self) -> Parsed<Vec<Pattern>> {
        self.list(|parser| parser.pattern(false))
    }

    /// The patterns of `mentions`, which can be regular expressions without quotes.
    fn texts(&mut self) -> Parsed<Vec<Pattern>> {
        self.list(|parser| parser.pattern(true))
    }

    fn list(&mut self, each: impl Fn(&mut Self) -> Parsed<Option<Pattern>>) -> Parsed<Vec<Pattern>> {
        let mut patterns = Vec::new();
        while let Some(pattern) = each(self)? {
            patterns.push(pattern);
            if !self.eat(Token::Comma) {
                break;
            }
        }
        Ok(patterns)
    }

    /// One pattern; `None` if there is something else that can follow.
    fn pattern(&mut self, is_text: bool) -> Parsed<Option<Pattern>> {
        match (self.token, self.written()) {
            (Token::Quote, _) => self.quoted_pattern().map(Some),
            (Token::Foreign, "@") => self.set().map(Some),
            (Token::Foreign, "/") if is_text => self.regex().map(Some),
            (Token::Foreign, "/") => {
                let wrong = self.expected("a pattern in quotes");
                self.give_up(wrong.help(
                    "write `'/tmp/**'`; a regular expression without quotes is a pattern of `mentions`",
                ))
            }
            (Token::Close | Token::Not | Token::End, _) | (Token::Name, "except" | "by") => Ok(None),
            _ => {
                let wrong = self.no_pattern();
                self.give_up(wrong)
            }
        }
    }

    fn no_pattern(&self) -> Diagnostic {
        let wrong = self.expected("a pattern");
        match self.token {
            Token::Bracket => wrong.help("write the patterns without brackets: `reads('a', 'b')`"),
            Token::Name => {
                let word = excerpt(self.written());
                wrong.help(format!("put a pattern in quotes, `'{word}'`, or name a set: `@{word}`"))
            }
            _ => wrong.help("write a pattern in quotes, or the name of a set: `@secrets`"),
        }
    }

    fn quoted_pattern(&mut self) -> Parsed<Pattern> {
        let start = self.range.start;
        let text = self.read(|reader| {
            reader.any_control = true;
            reader.string_text()
        })?;
        Ok(Spanned::new(text, self.since(start)))
    }

    /// `@name`
    fn set(&mut self) -> Parsed<Pattern> {
        let start = self.range.start;
        let end = self.range.end;
        self.advance();
        if self.token != Token::Name || self.range.start != end {
            let wrong = self.expected("the name of a set after `@`").help("write `@secrets`");
            return self.give_up(wrong);
        }
        let text = self.reader.verbatim(start..self.range.end);
        self.advance();
        Ok(Spanned::new(text, self.since(start)))
    }

    /// `/regex/`, `/regex/i`
    fn regex(&mut self) -> Parsed<Pattern> {
        let start = self.range.start;
        let (value, flag) = self.read(|reader| reader.slashed())?;
        let regex = value.as_str().unwrap_or_default();
        let text = format!("/{regex}/{}", if flag.is_some() { "i" } else { "" });
        let written = self.reader.verbatim(start..self.last_end);
        // Other spans if a slash is escaped.
        let text = if written.value == text { written } else { Text::plain(text) };
        Ok(Spanned::new(text, self.since(start)))
    }

    pub(super) fn eat_word(&mut self, word: &str) -> bool {
        let is_there = self.token == Token::Name && self.written() == word;
        if is_there {
            self.advance();
        }
        is_there
    }

    /// Something that cannot follow a pattern.
    fn unfinished(&self) -> Diagnostic {
        if let Some(early) = self.reader.ended_early(self.last_end) {
            return early;
        }
        match (self.token, self.written()) {
            (Token::Quote, _) | (Token::Foreign, "@") => self.expected("`,` before the next pattern"),
            (Token::Name, "except" | "by") | (Token::Not, _) => self
                .expected("`)`")
                .help("the order is `reads('a' except 'b' by 'c')`, with either `by` or `not by`"),
            (Token::Name, word) => {
                let wrong = self.expected("`)`");
                match nearest(word, ["except", "by"]) {
                    Some(near) => wrong.did_you_mean(Some(near), self.here()),
                    None => wrong.help("write `,` and another pattern, `except`, `by`, `not by` or `)`"),
                }
            }
            _ => self.expected("`)`"),
        }
    }
}
