//! Errors and help for expressions that do not parse.

use std::ops::Range;

use hookc_schema::diag::Fix;
use hookc_schema::suggest::nearest;
use hookc_schema::tree::{Op, Path, PredicateName, Verb, ViewKind};
use hookc_schema::{Code, Diagnostic};

use super::parser::{Parsed, Parser};
use super::token::Token;
use crate::expr::history;
use crate::expr::reader::{excerpt, shown};

/// The words that can follow a condition in a selection.
const WORDS: [&str; 7] = ["and", "or", "nocase", "within", "since", "per", "including"];

impl Parser<'_, '_> {
    /// Reports an error at the token.
    pub(super) fn wrong_here(&self, message: impl Into<String>) -> Diagnostic {
        self.reader.wrong(self.range.clone(), message)
    }

    /// Reports that something other than the token was expected.
    pub(super) fn expected(&self, what: &str) -> Diagnostic {
        let message = format!("expected {what}, found {}", self.found());
        self.wrong_here(message).with_label(format!("expected {what}"))
    }

    fn found(&self) -> String {
        match self.token {
            Token::End => "the end".to_owned(),
            Token::Quote => "a string".to_owned(),
            Token::Digit => "a number".to_owned(),
            Token::Unknown => self.written().chars().next().map_or_else(String::new, shown),
            _ => format!("`{}`", excerpt(self.written())),
        }
    }

    /// Whether the token consists of letters.
    fn is_word(&self) -> bool {
        self.written().starts_with(|c: char| c.is_ascii_alphabetic())
    }

    pub(super) fn followed_by_operator(&self) -> bool {
        matches!(self.peek(), Token::Op(_))
    }

    pub(super) fn empty(&self) -> Diagnostic {
        let wrong = self.wrong_here("an expression is empty").with_label("expected a condition");
        wrong.help("write a condition such as `cost.spend > 10`, or remove `when`")
    }

    pub(super) fn wrong_case(&self, word: &str) -> Diagnostic {
        let written = excerpt(self.written());
        let wrong =
            self.wrong_here(format!("`{written}` must be in lower case")).with_label("not in lower case");
        let help = format!("write `{word}`, or `['{written}']` for a field of that name");
        let mut wrong = wrong.did_you_mean(Some(word), self.here());
        wrong.help = Some(help);
        wrong
    }

    /// The token is a keyword that looks like the name of a field.
    pub(super) fn field_like_word(&self) -> Diagnostic {
        let word = excerpt(self.written());
        let wrong = self.wrong_here(format!("`{word}` is a keyword")).with_label("not a field");
        wrong.help(format!("for a field of that name, write `['{word}']`"))
    }

    /// Rejects `true.a`: the keyword is not a field.
    pub(super) fn refuse_step_of_word(&mut self) -> Parsed<()> {
        if !matches!(self.next_byte(), b'.' | b'[') {
            return Ok(());
        }
        let wrong = self.field_like_word();
        self.give_up(wrong)
    }

    /// Rejects `not.a` and `not == 1`.
    pub(super) fn negatable(&mut self) -> Parsed<()> {
        if self.is_word() && (self.next_byte() == b'.' || self.followed_by_operator()) {
            let wrong = self.field_like_word();
            return self.give_up(wrong);
        }
        Ok(())
    }

    /// Rejects `all`, `any` and `exists` without arguments.
    pub(super) fn callable(&mut self) -> Parsed<()> {
        if self.peek() == Token::Open {
            return Ok(());
        }
        let word = self.written();
        let like_field = self.followed_by_operator() || matches!(self.next_byte(), b'.' | b'[');
        let wrong = if like_field {
            self.field_like_word()
        } else {
            let wrong = self
                .wrong_here(format!("`{word}` is not followed by `(`"))
                .with_label("expected `(` after it");
            match self.token {
                Token::Exists => wrong.help("write `exists(path)`"),
                _ => wrong.help(format!("write `{word}(a == 1, b == 2)`")),
            }
        };
        self.give_up(wrong)
    }

    pub(super) fn no_function(&self) -> Diagnostic {
        let word = excerpt(self.written());
        let wrong = self.wrong_here(format!("unknown function `{word}`")).with_label("not a function");
        if self.written() == history::FORMERLY {
            return self
                .wrong_here("`formerly(...)` is a condition, not a value")
                .with_label("true or false")
                .help("write it alone, or `count(...)` for the number of events");
        }
        if let Some(help) = self.function_of_others() {
            return wrong.help(help);
        }
        if let Some(meant) = history::meant_function(self.written()) {
            return wrong.did_you_mean(Some(meant), self.here());
        }
        let operator = operator_for_word(self.written());
        if let Some(near) = predicate(self.written(), operator.is_none()) {
            return wrong.did_you_mean(Some(near), self.here());
        }
        let views = ViewKind::ALL.iter().map(|kind| kind.name());
        let history = history::operators();
        if let Some(near) = nearest(self.written(), views.chain(history)).filter(|_| operator.is_none()) {
            return wrong.did_you_mean(Some(near), self.here());
        }
        match operator {
            Some(op) => wrong.help(format!("write an operator between a path and a value: `path {op} ...`")),
            None => wrong.help("the functions are `exists(path)`, `all(...)`, `any(...)`, `some(x in path: ...)`, `every(x in path: ...)` and predicates such as `runs(...)`; about the past, `formerly(...)`, `count(...)`, `sum(...)`, `distinct(...)` and `last(...)`; a path can start with `shell(path)`, `file(path)` or `size(path)`"),
        }
    }

    /// Expected a condition here.
    pub(super) fn no_condition(&self) -> Diagnostic {
        match self.token {
            Token::Quote | Token::Digit | Token::Brace => self.literal_left(),
            Token::Null if !matches!(self.next_byte(), b'.' | b'[') => self.literal_left(),
            _ if self.is_word() && (self.next_byte() == b'.' || self.followed_by_operator()) => {
                self.field_like_word()
            }
            Token::Op(_) if self.next_byte() == b'(' => self.no_function(),
            Token::Foreign if self.written() == "@" => {
                self.expected("a condition").help("a path starts with a name or with `$`")
            }
            Token::Foreign if self.written() == "." => self.expected("a condition").help("remove the dot"),
            _ => {
                self.expected("a condition").help("write a path, an operator and a value: `cost.spend > 10`")
            }
        }
    }

    /// A literal where a path is expected.
    pub(super) fn literal_left(&self) -> Diagnostic {
        let mut reader = self.reader.clone();
        reader.at = self.range.start;
        let end = reader.value().map_or(self.range.end, |_| reader.at);
        let wrong = self.reader.wrong(self.range.start..end, "a literal in place of a path");
        let wrong = wrong.with_label("expected a path");
        match self.token {
            Token::Digit => wrong.help(
                "write the path first: `cost.spend < 10`; for a name that starts with a digit, \
                       write `['2fa']`",
            ),
            _ if self.another_value().is_some() => {
                let help = self.another_value().unwrap_or_default();
                wrong.help(help)
            }
            _ => wrong.help(
                "write a whole condition, with the path first: `error.code == 'timeout'`; for one of several values, \
                       `tool_name in ['Edit', 'Write']` or `runs('make', 'ninja')`",
            ),
        }
    }

    /// A raw string contains an escape of other languages.
    pub(super) fn warn_of_escape(&mut self, range: Range<usize>) {
        let written = self.reader.slice(range.clone());
        let span = self.reader.span(range);
        let message = format!("`{written}` is not an escape in `'...'`, where a backslash is a backslash");
        let mut wrong = Diagnostic::new(Code::W0310, span, message).with_label("literal characters");
        if written == "\\\\" {
            wrong.help = Some("write one backslash".to_owned());
            // If the surrounding notation changes neither character.
            if span.range().len() == 2 {
                wrong.fix = Some(Fix::new(span, "\\"));
            }
        } else {
            wrong.help = Some(format!("write the string in double quotes, where `{written}` is an escape"));
        }
        self.warn(wrong);
    }

    /// Expected a value or a path here.
    pub(super) fn no_right(&self, op: Op) -> Diagnostic {
        let sign = op.symbol();
        let wrong = self.expected(&format!("a value after `{sign}`"));
        match self.token {
            Token::Foreign if self.written() == "+" => wrong.help("remove the `+` sign"),
            Token::Foreign if self.written() == "." => {
                wrong.help("write a digit before the decimal point: `0.5`")
            }
            Token::Foreign if self.written() == "/" => {
                wrong.help("a pattern in slashes follows `=~`; put other text in quotes: `'/tmp'`")
            }
            _ if self.is_word() => {
                let word = excerpt(self.written());
                wrong.help(format!(
                    "`{word}` is a keyword: put text in quotes, or write `(['{word}'])` \
                        for a field of that name"
                ))
            }
            _ => wrong.help("write a string in quotes, a number, `true`, `false`, `null`, a list or a path"),
        }
    }

    /// Expected an operator after `path`.
    pub(super) fn unknown_operator(&self, path: &Path) -> Diagnostic {
        let shown = excerpt(&path.text);
        match self.token {
            Token::Not if self.followed_by_operator() => {
                let wrong = self
                    .wrong_here(format!("`{}` must precede the whole condition", self.written()))
                    .with_label("inside a condition");
                wrong.help(format!("write `not {shown} {} ...`", self.operator_behind()))
            }
            Token::Name if history::is_operator(&path.text) => {
                let wrong = self.expected("`(`");
                wrong.help(format!("write `{shown}({})`", excerpt(self.written())))
            }
            Token::Exists => self
                .wrong_here("`exists` must precede its path")
                .with_label("after the path")
                .help(format!("write `exists({shown})`")),
            Token::Open => {
                let wrong = self.expected("an operator");
                wrong.help(match method(&path.text) {
                    Some((of, op)) => {
                        format!(
                            "write an operator between a path and a value: `{} {op} {}`",
                            excerpt(of),
                            example(op)
                        )
                    }
                    None => "write an operator between a path and a value: `path starts_with 'a'`".to_owned(),
                })
            }
            Token::Foreign if self.written() == "!~" => {
                Diagnostic::new(Code::E0401, self.here(), "unknown operator `!~`")
                    .with_label("not an operator")
                    .help(format!("write `not {shown} =~ ...`"))
            }
            Token::Name | Token::Foreign => self.foreign_operator(),
            _ => self
                .expected("an operator")
                .help("write an operator such as `==`, `!=`, `>`, `in`, `contains`, `=~`"),
        }
    }

    fn operator_behind(&self) -> &'static str {
        match self.peek() {
            Token::Op(op) => op.symbol(),
            _ => "==",
        }
    }

    fn foreign_operator(&self) -> Diagnostic {
        let word = self.written();
        let message = format!("unknown operator `{}`", excerpt(word));
        let wrong = Diagnostic::new(Code::E0401, self.here(), message).with_label("not an operator");
        if let Some(new) = self.operator_of_others(&wrong) {
            return new;
        }
        // `of` is in a selection, after a path.
        if history::is_word(word) && word != "of" {
            return wrong.help(format!(
                "earlier events are asked for with `formerly(...)`: `formerly(EVENT {word} ...)`"
            ));
        }
        let near = operator_for_sign(word).or_else(|| operator_for_word(word));
        let near = near
            .or_else(|| nearest(word, Op::ALL.iter().filter(|op| **op != Op::Exists).map(|op| op.as_str())));
        match near {
            Some(near) => wrong.did_you_mean(Some(near), self.here()),
            None => wrong.help(
                "the operators are `==`, `!=`, `>`, `>=`, `<`, `<=`, `in`, `contains`, \
                    `starts_with`, `ends_with`, `=~`, `glob` and `matches`",
            ),
        }
    }

    pub(super) fn not_closed(&self, opening: Range<usize>) -> Diagnostic {
        let wrong = self.expected("`)`").also(self.reader.span(opening), "opened here");
        match self.token {
            Token::Comma => {
                wrong.help("only `all(...)` and `any(...)` take a list; put a list of values in brackets")
            }
            _ => wrong,
        }
    }

    /// A complete condition is followed by something else.
    pub(super) fn left_over(&self) -> Diagnostic {
        if let Some(early) = self.reader.ended_early(self.last_end) {
            return early;
        }
        let wrong = match self.token {
            Token::Close => {
                return self.wrong_here("unmatched `)`").with_label("no matching `(`").help("remove it");
            }
            _ => self.expected("`and`, `or` or the end"),
        };
        let word = self.written();
        match self.token {
            Token::Foreign if word == "&" => wrong.did_you_mean(Some("&&"), self.here()),
            Token::Foreign if word == "|" => wrong.did_you_mean(Some("||"), self.here()),
            Token::Name if self.in_history && history::is_word(word) => {
                wrong.help(format!("write `{word}` after the parentheses of the condition"))
            }
            Token::Name if self.in_where => match nearest(&word.to_ascii_lowercase(), WORDS) {
                Some(near) => wrong.did_you_mean(Some(near), self.here()),
                None => wrong.help("write `and`, `or`, `within`, `since`, `per`, `including now` or `)`"),
            },
            Token::Name if history::is_word(word) => {
                wrong.help(format!("write `{word}` inside of the parentheses, before `)`"))
            }
            Token::Name => match nearest(&word.to_ascii_lowercase(), ["and", "or", "nocase"]) {
                Some(near) => wrong.did_you_mean(Some(near), self.here()),
                None => wrong.help("join conditions with `and` or `or`; put text in quotes"),
            },
            Token::NoCase | Token::AssertFormat => wrong.help(format!("`{word}` must follow a single leaf")),
            Token::Foreign if matches!(self.written(), "*" | "/" | "+" | "-" | "%") => wrong.help(
                "conditions cannot calculate: compare with a number, or with a field that contains the \
                 result",
            ),
            Token::Foreign if word == ":" => wrong.help(
                "to test each element of a list, write `some(x in path: x.name == 'a')`, or `every(...)` for all of them",
            ),
            _ if word == "#" => {
                wrong.help("in a text of several lines, `#` starts no comment: remove it with the words after it")
            }
            Token::Op(_) | Token::Foreign => wrong.help(
                "a comparison has one operator: join two comparisons with `and`, and write a condition without `== true`",
            ),
            _ => wrong.help("join conditions with `and` or `or`"),
        }
    }
}

/// A call of a method, `a.b.startsWith`: the path before it, and the operator for it.
fn method(path: &str) -> Option<(&str, &'static str)> {
    let (of, word) = path.rsplit_once('.')?;
    let op = if word == "matches" { Some("=~") } else { operator_for_word(word) };
    op.map(|op| (of, op))
}

/// The predicate of another form of a verb, `read` or `may_runs`, and else, if wanted, of a misspelled one.
fn predicate(word: &str, misspelled: bool) -> Option<&'static str> {
    let plain = word.strip_prefix("may_").unwrap_or(word);
    let verb = Verb::ALL.iter().find(|verb| [verb.singular(), verb.plural()].contains(&plain));
    let named = verb.map(|verb| if plain == word { verb.plural() } else { verb.possible() });
    let names = || PredicateName::all().map(PredicateName::as_str);
    named.or_else(|| misspelled.then(|| nearest(word, names())).flatten())
}

/// A value that an operator takes.
fn example(op: &str) -> &'static str {
    match op {
        "in" => "['a']",
        "gt" | "gte" | "ge" | "lt" | "lte" | "le" => "1",
        _ => "'a'",
    }
}

/// The operator for a sign of other languages.
fn operator_for_sign(sign: &str) -> Option<&'static str> {
    Some(match sign {
        "=" | "===" => "==",
        "!==" | "<>" => "!=",
        "=>" => ">=",
        "=<" => "<=",
        "~=" | "~" => "=~",
        _ => return None,
    })
}

/// The operator for a word of other languages.
fn operator_for_word(word: &str) -> Option<&'static str> {
    let plain: String = word.chars().filter(|c| *c != '_').map(|c| c.to_ascii_lowercase()).collect();
    Some(match plain.as_str() {
        "is" | "equal" | "equals" => "==",
        "neq" | "isnt" | "differs" => "!=",
        "gte" => "ge",
        "lte" => "le",
        "regex" | "match" | "search" | "test" => "=~",
        "like" => "glob",
        "has" | "include" | "includes" | "contain" => "contains",
        "startswith" | "beginswith" | "hasprefix" => "starts_with",
        "endswith" | "hassuffix" => "ends_with",
        "schema" => "matches",
        _ => {
            return Op::ALL
                .iter()
                .filter(|op| **op != Op::Exists)
                .map(|op| op.as_str())
                .find(|op| *op == plain);
        }
    })
}
