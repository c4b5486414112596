//! JSONPath filters: logical expressions, comparisons and functions, with the
//! types that RFC 9535 §2.3.5 and §2.4 ask of them.

use std::ops::Range;

use hookc_schema::Diagnostic;
use hookc_schema::suggest::nearest;
use hookc_schema::tree::{Comparable, CompareOp, Filter, Function};

use super::query::is_name_char;
use crate::expr::reader::{Read, Reader, excerpt};

const OPS: [(&str, CompareOp); 6] = [
    ("==", CompareOp::Eq),
    ("!=", CompareOp::Ne),
    ("<=", CompareOp::Lte),
    (">=", CompareOp::Gte),
    ("<", CompareOp::Lt),
    (">", CompareOp::Gt),
];

const FUNCTIONS: [&str; 5] = ["length", "count", "match", "search", "value"];

impl Reader<'_> {
    /// `a || b && c`. A group of the operator around it is a part of its list: `(a && b) && c` is `a && b && c`.
    pub(super) fn filter(&mut self) -> Read<Filter> {
        self.connected("||", Filter::Or, |reader| reader.connected("&&", Filter::And, Self::basic))
    }

    fn connected(
        &mut self,
        word: &str,
        join: fn(Vec<Filter>) -> Filter,
        part: impl Fn(&mut Self) -> Read<Filter>,
    ) -> Read<Filter> {
        let first = part(self)?;
        let mut others = Vec::new();
        loop {
            let before = self.at;
            self.skip_whitespace();
            if !self.eat(word) {
                self.at = before;
                break;
            }
            self.skip_whitespace();
            others.push(part(self)?);
        }
        if others.is_empty() {
            return Ok(first);
        }
        let parts = std::iter::once(first).chain(others).flat_map(|part| match (part, word) {
            (Filter::And(parts), "&&") | (Filter::Or(parts), "||") => parts,
            (part, _) => vec![part],
        });
        Ok(join(parts.collect()))
    }

    /// A group, a test, or a comparison.
    fn basic(&mut self) -> Read<Filter> {
        match self.byte() {
            b'(' => self.group(),
            b'!' => self.negated(),
            _ => self.test_or_comparison(),
        }
    }

    fn group(&mut self) -> Read<Filter> {
        let open = self.at;
        self.descend(open)?;
        self.at += 1;
        self.skip_whitespace();
        let filter = self.filter()?;
        self.skip_whitespace();
        if !self.eat(")") {
            let wrong = self.expected("`)`").also(self.span(open..open + 1), "opened here");
            return Err(wrong.into());
        }
        self.ascend();
        Ok(filter)
    }

    fn negated(&mut self) -> Read<Filter> {
        self.at += 1;
        self.skip_whitespace();
        if self.byte() == b'(' {
            return Ok(Filter::Not(Box::new(self.group()?)));
        }
        if self.byte() == b'!' {
            let wrong = self.expected("a test or `(` after `!`");
            return Err(wrong.help("two `!` cancel each other: remove both").into());
        }
        let start = self.at;
        let operand = self.operand()?;
        let end = self.at;
        self.skip_whitespace();
        if let Some((text, _)) = self.compare_op() {
            let wrong = self.wrong(self.at..self.at + text.len(), "`!` negates a test, not a comparison");
            return Err(wrong
                .with_label("a comparison")
                .help("put the comparison in parentheses: `!(@.a == 1)`")
                .into());
        }
        self.at = end;
        Ok(Filter::Not(Box::new(self.test(operand, start..end)?)))
    }

    fn test_or_comparison(&mut self) -> Read<Filter> {
        let start = self.at;
        let left = self.operand()?;
        let end = self.at;
        self.skip_whitespace();
        let Some((text, op)) = self.compare_op() else {
            self.refuse_single_equals()?;
            self.at = end;
            return self.test(left, start..end);
        };
        self.comparable(&left, start..end)?;
        self.at += text.len();
        self.skip_whitespace();
        let start = self.at;
        let right = self.operand()?;
        self.comparable(&right, start..self.at)?;
        Ok(Filter::Compare(left, op, right))
    }

    fn compare_op(&self) -> Option<(&'static str, CompareOp)> {
        OPS.into_iter().find(|(text, _)| self.rest().starts_with(text))
    }

    fn refuse_single_equals(&self) -> Read<()> {
        if self.byte() != b'=' {
            return Ok(());
        }
        if self.rest().starts_with("=~") {
            let wrong = self.wrong(self.at..self.at + 2, "unknown operator `=~` in a filter");
            let wrong = wrong.with_label("not an operator of JSONPath");
            return Err(wrong.help("write a function: `search(@.name, 'pattern')`").into());
        }
        let wrong =
            self.wrong(self.next_range(), "unknown operator `=` in a filter").with_label("not an operator");
        Err(wrong.did_you_mean(Some("=="), self.span(self.next_range())).into())
    }

    /// A single operand: tests existence, or a function result.
    fn test(&self, operand: Comparable, range: Range<usize>) -> Read<Filter> {
        let wrong = match operand {
            Comparable::Query(root, query) => return Ok(Filter::Exists(root, query)),
            Comparable::Call(function) if is_logical(&function) => return Ok(Filter::Call(*function)),
            Comparable::Call(_) => self
                .wrong(range, "a function that returns a value is not a test")
                .with_label("a value")
                .help("compare it: `length(@.a) > 0`"),
            _ => self
                .wrong(range, "a literal alone is not a test")
                .with_label("a literal")
                .help("compare it with something: `@.a == 1`"),
        };
        Err(wrong.into())
    }

    /// Rejects operands that a comparison does not allow.
    fn comparable(&self, operand: &Comparable, range: Range<usize>) -> Read<()> {
        let wrong = match operand {
            Comparable::Query(_, query) if !query.is_singular() => self
                .wrong(range, "a query that can have several results cannot be compared")
                .with_label("can have several results")
                .help("select one member or element, or use `count(...)` or `value(...)`"),
            Comparable::Call(function) if is_logical(function) => self
                .wrong(range, "a function that returns a boolean cannot be compared")
                .with_label("already a boolean")
                .help("write it alone, with `!` before it to negate it"),
            _ => return Ok(()),
        };
        Err(wrong.into())
    }

    /// A literal, a query or a function call.
    fn operand(&mut self) -> Read<Comparable> {
        if self.at_string() {
            return self.string().map(Comparable::Str);
        }
        if self.at_number() {
            return self.number().map(Comparable::Num);
        }
        let root = self.byte() == b'$';
        if root || self.byte() == b'@' {
            self.at += 1;
            return Ok(Comparable::Query(root, self.segments(is_name_char)?));
        }
        self.word_or_call()
    }

    fn word_or_call(&mut self) -> Read<Comparable> {
        let start = self.at;
        let word = self.take_while(|c| c.is_alphanumeric() || c == '_');
        if self.byte() == b'(' && !word.is_empty() {
            let function = self.call(word, start)?;
            return Ok(Comparable::Call(Box::new(function)));
        }
        match word {
            "null" => return Ok(Comparable::Null),
            "true" => return Ok(Comparable::Bool(true)),
            "false" => return Ok(Comparable::Bool(false)),
            _ => self.at = start,
        }
        Err(self.no_operand(word).into())
    }

    fn no_operand(&self, word: &str) -> Diagnostic {
        if word.is_empty() {
            return self
                .expected("`@`, `$`, a literal or a function")
                .help("write, for example, `@.id == 1`");
        }
        let range = self.at..self.at + word.len();
        let wrong = self.wrong(range.clone(), format!("`{}` is not valid in a filter", excerpt(word)));
        let wrong = wrong.with_label("expected `@`, `$`, a literal or a function");
        let lower = word.to_ascii_lowercase();
        let names = ["null", "true", "false"].into_iter().find(|known| *known == lower);
        match names {
            Some(_) => wrong.did_you_mean(names, self.span(range)),
            None if FUNCTIONS.contains(&word) => wrong.help(format!("write a function call: `{word}(@.a)`")),
            None => wrong.help(format!("put text in quotes, or write `@.{}` for a member", excerpt(word))),
        }
    }

    /// `name(arguments)`; the cursor is at the parenthesis.
    fn call(&mut self, name: &str, start: usize) -> Read<Function> {
        if !FUNCTIONS.contains(&name) {
            let range = start..self.at;
            let wrong = self.wrong(range.clone(), format!("unknown function `{}`", excerpt(name)));
            let wrong = wrong.with_label("not a function of JSONPath");
            let known = format!("the functions are {}", FUNCTIONS.map(|name| format!("`{name}`")).join(", "));
            let near = nearest(name, FUNCTIONS);
            return Err(wrong.help(known).did_you_mean(near, self.span(range)).into());
        }
        let arguments = self.arguments(name)?;
        let whole = start..self.at;
        match (name, arguments.as_slice()) {
            ("length", [one]) => Ok(Function::Length(self.valued(one)?)),
            ("match", [text, pattern]) => Ok(Function::Match(self.valued(text)?, self.valued(pattern)?)),
            ("search", [text, pattern]) => Ok(Function::Search(self.valued(text)?, self.valued(pattern)?)),
            ("count", [(Comparable::Query(root, query), _)]) => Ok(Function::Count(*root, query.clone())),
            ("value", [(Comparable::Query(root, query), _)]) => Ok(Function::Value(*root, query.clone())),
            ("count" | "value", [(_, range)]) => {
                let wrong =
                    self.wrong(range.clone(), format!("`{name}` takes a query")).with_label("not a query");
                Err(wrong.help(format!("write, for example, `{name}(@.*)`")).into())
            }
            _ => {
                let takes = if matches!(name, "match" | "search") { "two arguments" } else { "one argument" };
                let message = format!("`{name}` takes {takes}, {} given", arguments.len());
                Err(self.wrong(whole, message).with_label(format!("expected {takes}")).into())
            }
        }
    }

    /// An argument that must be a value.
    fn valued(&self, (argument, range): &(Comparable, Range<usize>)) -> Read<Comparable> {
        self.comparable(argument, range.clone())?;
        Ok(argument.clone())
    }

    fn arguments(&mut self, name: &str) -> Read<Vec<(Comparable, Range<usize>)>> {
        let open = self.at;
        self.descend(open)?;
        self.at += 1;
        let mut arguments = Vec::new();
        self.skip_whitespace();
        while !self.eat(")") {
            if !arguments.is_empty() {
                self.comma(open)?;
            }
            let from = self.at;
            let argument = self.operand()?;
            arguments.push((argument, from..self.at));
            self.skip_whitespace();
            self.refuse_logical(name)?;
        }
        self.ascend();
        Ok(arguments)
    }

    fn comma(&mut self, open: usize) -> Read<()> {
        if !self.eat(",") {
            let wrong = self.expected("`,` or `)`").also(self.span(open..open + 1), "opened here");
            return Err(wrong.into());
        }
        self.skip_whitespace();
        Ok(())
    }

    /// No function accepts a boolean.
    fn refuse_logical(&self, name: &str) -> Read<()> {
        let logical =
            self.compare_op().is_some() || self.rest().starts_with("&&") || self.rest().starts_with("||");
        if !logical {
            return Ok(());
        }
        let wrong = self.wrong(self.next_range(), format!("the argument of `{name}` cannot be a comparison"));
        Err(wrong.with_label("expected `,` or `)`").into())
    }
}

/// Whether a function returns a boolean instead of a value.
fn is_logical(function: &Function) -> bool {
    matches!(function, Function::Match(..) | Function::Search(..))
}
