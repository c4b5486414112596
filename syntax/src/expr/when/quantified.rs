//! `some(x in path: condition)`, `every(x in path: condition)`.

use hookc_schema::span::Spanned;
use hookc_schema::tree::{CondKind, Op, Quantified, Quantifier};
use hookc_schema::{Code, Diagnostic};

use super::is_reserved;
use super::parser::{Parsed, Parser};
use super::token::Token;
use crate::expr::history;
use crate::expr::reader::excerpt;

const SHAPE: &str = "write `some(x in $.items[*]: x.name == 'a')`";

impl Parser<'_, '_> {
    /// The quantifier that the token is, if a parenthesis follows.
    pub(super) fn at_quantifier(&self) -> Option<Quantifier> {
        let quantifier = Quantifier::from_name(self.written())?;
        (self.token == Token::Name && self.peek() == Token::Open).then_some(quantifier)
    }

    /// The whole quantifier; the token is its word.
    pub(super) fn quantified(&mut self) -> Parsed<CondKind> {
        let quantifier = self.at_quantifier().unwrap_or(Quantifier::Some);
        self.advance();
        let opening = self.range.clone();
        self.advance();
        let quantified = self.grouped(opening.clone(), |parser| {
            let name = parser.bound_name()?;
            parser.expect(Token::Op(Op::In), "`in` after the name")?;
            if !matches!(parser.token, Token::Name | Token::Dollar | Token::Bracket) {
                let wrong = parser.expected("a path");
                return parser.give_up(wrong.help(SHAPE));
            }
            let path = parser.path()?;
            if let Some(wrong) = history::no_value(&path, &format!("`{}`", quantifier.name())) {
                return parser.give_up(wrong);
            }
            if parser.written() != ":" {
                let wrong = parser.expected("`:` and a condition about the node");
                return parser.give_up(wrong.help(SHAPE));
            }
            parser.advance();
            let cond = parser.any_condition()?;
            Ok(Quantified { quantifier, name, path, cond })
        })?;
        self.close(opening)?;
        Ok(CondKind::Quantified(quantified.into()))
    }

    fn bound_name(&mut self) -> Parsed<Spanned<String>> {
        if self.token != Token::Name {
            let wrong = self.expected("a name for the node");
            return self.give_up(wrong.help(SHAPE));
        }
        let name = Spanned::new(self.written().to_owned(), self.here());
        if let Some(wrong) = unfit(&name) {
            self.report(wrong);
        }
        self.advance();
        Ok(name)
    }

    fn expect(&mut self, token: Token, what: &str) -> Parsed<()> {
        if self.eat(token) {
            return Ok(());
        }
        let wrong = self.expected(what);
        self.give_up(wrong.help(SHAPE))
    }
}

/// The diagnostic for a name that a quantifier cannot bind.
pub(crate) fn unfit(name: &Spanned<String>) -> Option<Diagnostic> {
    let text = name.node.as_str();
    let plain = text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    let word = is_reserved(text) || matches!(text, "some" | "every" | "shell");
    let (label, what) = match text.bytes().next() {
        _ if word => ("a word of the language", format!("`{text}` is a word of the language")),
        Some(first) if plain && !first.is_ascii_digit() => return None,
        _ => ("not a name", format!("`{}` cannot be the name of a node", excerpt(text))),
    };
    let new = Diagnostic::new(Code::E0443, name.span, what).with_label(label);
    Some(new.help("write a name of letters, digits and `_`, such as `item`"))
}
