//! Leaves: a path, an operator, and its right operand.

use std::ops::Range;

use hookc_schema::span::Spanned;
use hookc_schema::tree::{
    Cond, CondKind, Leaf, Op, Path, PathKind, PredicateName, RecallOperator, Right, ViewKind,
};
use hookc_schema::value::Value;
use hookc_schema::{Code, Diagnostic};

use super::parser::{Parsed, Parser};
use super::token::{Token, miscased};
use crate::expr::history;
use crate::expr::reader::{Read, Reader};

impl Parser<'_, '_> {
    /// `path operator right`
    pub(super) fn leaf(&mut self) -> Parsed<Cond> {
        let start = self.range.start;
        if self.at_call() {
            let wrong = self.no_function();
            return self.give_up(wrong);
        }
        let path = self.path()?;
        let span = self.range.clone();
        let Token::Op(op) = self.token else {
            return self.no_operator(start, &path);
        };
        self.advance();
        self.last_leaf = Some((start..span.start, op, self.range.start));
        let op = Spanned::new(op, self.reader.span(span));
        if op.node == Op::Regex && self.written() == "/" {
            let (pattern, flag) = self.read(|reader| reader.slashed())?;
            let flag = flag.map(|flag| Spanned::new((), flag));
            return self.finish(start, path, op, (Right::Value(pattern.into()), flag));
        }
        let right = self.right(op.node)?;
        self.finish(start, path, op, (right, None))
    }

    /// `exists(path)`, `exists(path, literal)`
    pub(super) fn exists(&mut self) -> Parsed<Cond> {
        self.callable()?;
        let start = self.range.start;
        let op = Spanned::new(Op::Exists, self.here());
        self.advance();
        let opening = self.range.clone();
        self.advance();
        if !matches!(self.token, Token::Name | Token::Dollar | Token::Bracket) {
            let wrong = self.expected("a path");
            return self.give_up(wrong.help("write a path without quotes: `exists(error.code)`"));
        }
        let path = self.path()?;
        let right =
            if self.eat(Token::Comma) { Right::Value(self.literal(Op::Exists)?.into()) } else { Right::None };
        self.close(opening)?;
        self.finish(start, path, op, (right, None))
    }

    /// The words after a leaf, which apply to it. In addition to the right operand, the flag `i`.
    fn finish(
        &mut self,
        start: usize,
        path: Path,
        op: Spanned<Op>,
        (right, ignore_case): (Right, Option<Spanned<()>>),
    ) -> Parsed<Cond> {
        let mut leaf = Leaf { path, op, right, ignore_case, assert_format: None };
        loop {
            let place = Spanned::new((), self.here());
            let slot = match self.token {
                Token::NoCase => &mut leaf.ignore_case,
                Token::AssertFormat => &mut leaf.assert_format,
                _ => break,
            };
            if let Some(first) = slot.replace(place) {
                let wrong = self.wrong_here(format!("duplicate `{}`", self.written()));
                self.report(wrong.with_label("again here").also(first.span, "first here"));
            }
            self.advance();
        }
        Ok(Cond { span: self.since(start), kind: CondKind::Leaf(leaf.into()) })
    }

    /// Hands the text from this token on to a shared reader.
    pub(super) fn read<T>(&mut self, read: impl FnOnce(&mut Reader<'_>) -> Read<T>) -> Parsed<T> {
        let mut reader = self.reader.clone();
        reader.at = self.range.start;
        match read(&mut reader) {
            Ok(done) => {
                self.resume(reader.at);
                Ok(done)
            }
            Err(wrong) => self.give_up(*wrong),
        }
    }

    /// A path, or a value of the history.
    pub(super) fn path(&mut self) -> Parsed<Path> {
        if self.at_recall() {
            return self.recall();
        }
        if self.in_history && self.token == Token::Name && history::is_word(self.written()) {
            let wrong = self.field_like_word();
            return self.give_up(wrong);
        }
        if let Some(word) = miscased(self.written()) {
            let wrong = self.wrong_case(word);
            return self.give_up(wrong);
        }
        let token = self.range.clone();
        self.read(|reader| {
            let path = reader.path()?;
            match reader.at < token.end {
                true => Err(odd_character(reader).into()),
                false => Ok(path),
            }
        })
    }

    /// A literal of any kind, right of `op`.
    fn literal(&mut self, op: Op) -> Parsed<Value> {
        let (token, start) = (self.token, self.range.start);
        let (value, escape_like) = self.read(|reader| {
            reader.any_control = op == Op::Regex;
            let value = reader.value()?;
            match trailing(reader, token, start) {
                Some(wrong) => Err(wrong.into()),
                None => Ok((value, std::mem::take(&mut reader.escape_like))),
            }
        })?;
        // Patterns have escapes of their own.
        if !matches!(op, Op::Regex | Op::Glob | Op::Matches) {
            escape_like.into_iter().for_each(|like| self.warn_of_escape(like));
        }
        Ok(value)
    }

    /// The right operand of `op`.
    fn right(&mut self, op: Op) -> Parsed<Right> {
        use Token::*;
        let start = self.range.start;
        match self.token {
            Quote | Digit | Bracket | Brace | True | False | Null => {
                self.literal(op).map(|value| Right::Value(value.into()))
            }
            Name if self.at_call() => {
                let wrong = self.no_function();
                self.give_up(wrong)
            }
            Name | Dollar => {
                let path = self.path()?;
                self.taken(op, start..self.last_end);
                Ok(Right::Path(path))
            }
            Open => {
                let path = self.path_in_parentheses()?;
                self.taken(op, start..self.last_end);
                Ok(Right::Path(path))
            }
            _ => {
                let wrong = self.no_right(op);
                self.give_up(wrong)
            }
        }
    }

    /// `(path)`: a path that starts with a bracket as right operand, where a bracket alone starts a
    /// list.
    fn path_in_parentheses(&mut self) -> Parsed<Path> {
        let opening = self.range.clone();
        self.advance();
        if !matches!(self.token, Token::Name | Token::Dollar | Token::Bracket) {
            let wrong = self.expected("a path");
            return self.give_up(wrong.help("write a literal without parentheses, and a list in brackets"));
        }
        let path = self.path()?;
        if self.token != Token::Close {
            let wrong = self.not_closed(opening);
            return self.give_up(wrong);
        }
        self.advance();
        Ok(path)
    }

    /// Rejects a path for an operator that accepts only a literal.
    fn taken(&mut self, op: Op, range: Range<usize>) {
        if op.takes_path() {
            return;
        }
        let span = self.reader.span(range);
        let message = format!("`{}` takes {}, not a path", op.symbol(), literal_of(op));
        let wrong = Diagnostic::new(Code::E0402, span, message).with_label("a path");
        self.report(wrong.help(format!("write {}", literal_example(op))));
    }

    /// Whether a name directly followed by an opening parenthesis is next.
    fn at_call(&self) -> bool {
        self.token == Token::Name
            && self.next_byte() == b'('
            && ViewKind::from_name(self.written()).is_none()
            && !self.at_recall()
    }

    /// A path that is not followed by an operator.
    fn no_operator(&mut self, start: usize, path: &Path) -> Parsed<Cond> {
        if !self.at_boundary() {
            let wrong = self.unknown_operator(path);
            return self.give_up(wrong);
        }
        let wrong = Diagnostic::new(Code::E0303, path.span, "a path alone is not a condition");
        let shown = crate::expr::reader::excerpt(&path.text);
        let member = match &path.kind {
            PathKind::View(view) if !view.rest.segments.is_empty() => "",
            PathKind::View(view) if view.kind.reads_text() => ".ok",
            PathKind::View(_) => ".declared",
            PathKind::Short(_) | PathKind::Query(_) | PathKind::Recall(_) => "",
        };
        let help = match PredicateName::from_name(&path.text) {
            Some(_) => format!("write `{shown}()`, with patterns in the parentheses if it takes some"),
            None if path
                .recall()
                .is_some_and(|recall| !matches!(recall.operator, RecallOperator::Last { .. })) =>
            {
                format!("compare it: `{shown} >= 3`")
            }
            None => {
                let name = path.singular().is_some_and(|steps| steps.len() == 1);
                let fact = if name { format!("; of a fact, `formerly({shown})`") } else { String::new() };
                format!(
                    "write `exists({shown})` to test whether it is present, or `{shown}{member} == true`{fact}"
                )
            }
        };
        self.report(wrong.with_label("no test").help(help));
        // The expression is invalid; the rest is still checked.
        Ok(Cond { span: self.since(start), kind: CondKind::Const(true) })
    }
}

/// A character that a first segment cannot contain.
fn odd_character(reader: &Reader<'_>) -> Diagnostic {
    let wrong = reader.expected("an operator or a character of a name");
    let plain = reader.peek().and_then(crate::expr::reader::plain_character);
    wrong
        .help(plain.unwrap_or("put a name with other characters in brackets and quotes: `['such / a name']`"))
}

/// Something clings to a literal.
fn trailing(reader: &Reader<'_>, token: Token, start: usize) -> Option<Diagnostic> {
    let next = reader.peek()?;
    let clings = next.is_alphanumeric() || matches!(next, '_' | '.' | '-');
    if token == Token::Digit && clings {
        let wrong = reader.expected("whitespace or a parenthesis after the number");
        let number = reader.slice(start..reader.at).to_owned();
        let help = in_unit(&number, reader.rest());
        return Some(wrong.help(help.unwrap_or_else(|| format!("put text in quotes: `'{number}...'`"))));
    }
    if token == Token::Bracket && matches!(next, '.' | '[') {
        let wrong = reader.expected("whitespace or a parenthesis after the list");
        let help = "put a path that starts with a bracket in parentheses: `(['in'].a)`";
        return Some(wrong.help(help));
    }
    if matches!(token, Token::True | Token::False | Token::Null) && matches!(next, '.' | '[' | '-') {
        let word = reader.slice(start..reader.at);
        let wrong = reader.wrong(start..reader.at, format!("`{word}` is a keyword"));
        let help = format!("for a field of that name, write `(['{word}'])`");
        return Some(wrong.with_label("not a field").help(help));
    }
    None
}

/// What to write for a size with its unit, as in `100kb`.
fn in_unit(number: &str, rest: &str) -> Option<String> {
    let unit: String = rest.chars().take_while(|next| next.is_alphanumeric()).collect();
    let factor: u64 = match unit.to_ascii_lowercase().as_str() {
        "k" | "kb" | "kib" => 1 << 10,
        "m" | "mb" | "mib" => 1 << 20,
        "g" | "gb" | "gib" => 1 << 30,
        _ => return None,
    };
    let value = number.parse::<u64>().ok()?.checked_mul(factor)?;
    Some(format!("a number has no unit: write `{value}`"))
}

fn literal_of(op: Op) -> &'static str {
    match op {
        Op::Regex => "a pattern in quotes",
        Op::Glob => "a glob in quotes, or a list of them",
        Op::Matches => "a JSON Schema",
        _ => "a literal",
    }
}

fn literal_example(op: Op) -> &'static str {
    match op {
        Op::Regex => "for example `=~ '^rate_'`",
        Op::Glob => "for example `glob 'src/**'`",
        Op::Matches => "for example `matches {\"type\": \"string\"}`",
        _ => "`true` or `false`",
    }
}
