//! The shorthand: `a.b['c'][0]`.

use hookc_schema::Diagnostic;
use hookc_schema::tree::Step;

use super::is_bare_char;
use crate::expr::reader::{Read, Reader, excerpt};

impl Reader<'_> {
    /// The steps of a path in the shorthand.
    pub(super) fn steps(&mut self) -> Read<Vec<Step>> {
        let mut steps = vec![self.first_step()?];
        loop {
            match self.byte() {
                b'.' => {
                    self.at += 1;
                    steps.push(self.dotted_step()?);
                }
                b'[' => steps.push(self.bracketed_step()?),
                _ => return Ok(steps),
            }
        }
    }

    fn first_step(&mut self) -> Read<Step> {
        let start = self.at;
        if self.byte() == b'[' {
            return match self.bracketed_step()? {
                Step::Index(_) => Err(self.no_first_name(start).into()),
                step => Ok(step),
            };
        }
        let name = self.take_while(is_bare_char);
        if name.is_empty() {
            return Err(self.no_first_step().into());
        }
        if name.starts_with('-') || name.bytes().all(|byte| byte.is_ascii_digit()) {
            return Err(self.no_first_name(start).into());
        }
        Ok(Step::Name(name.to_owned()))
    }

    fn no_first_name(&self, start: usize) -> Diagnostic {
        let wrong = self.wrong(start..self.at, "a path starts with a name").with_label("not a name");
        let inside = self.slice(start..self.at).trim_matches(['[', ']', ' ']);
        wrong.help(format!("for a field of that name, write `['{}']`", excerpt(inside)))
    }

    fn no_first_step(&self) -> Diagnostic {
        let Some(c) = self.peek() else {
            let wrong = self.wrong(self.at..self.at, "a path is empty").with_label("expected a name");
            return wrong.help("write the name of a field, such as `classification.category`");
        };
        let wrong = self.expected("a name at the start of the path");
        match c {
            '.' => wrong.help("remove the dot"),
            '@' => wrong.help("start with a name, or with `$` for JSONPath"),
            '*' => wrong.help("several results need JSONPath: `$.*`"),
            '"' | '\'' => wrong.help("put a name in quotes into brackets: `['retry-after']`"),
            ' ' | '\t' | '\r' | '\n' => wrong.help("remove the whitespace at the start of the path"),
            _ => {
                wrong.help(crate::expr::reader::plain_character(c).unwrap_or(
                    "put a name with other characters in brackets and quotes: `['such / a name']`",
                ))
            }
        }
    }

    /// The part after a dot.
    fn dotted_step(&mut self) -> Read<Step> {
        let start = self.at;
        let name = self.take_while(is_bare_char);
        if name.is_empty() {
            return Err(self.no_dotted_step().into());
        }
        if name.starts_with('-') {
            let wrong = self.wrong(start..self.at, "a name after a dot cannot start with `-`");
            let index =
                name.strip_prefix('-').is_some_and(|rest| rest.bytes().all(|byte| byte.is_ascii_digit()));
            let shown = excerpt(name);
            let help = if index { format!("write `[{shown}]`") } else { format!("write `['{shown}']`") };
            return Err(wrong.with_label("needs brackets").help(help).into());
        }
        if name.bytes().all(|byte| byte.is_ascii_digit()) {
            self.at = start;
            let wrong = |wrong: Box<Diagnostic>| {
                wrong.help(format!("for a field of that name, write `['{}']`", excerpt(name))).into()
            };
            return self.integer().map(Step::Index).map_err(wrong);
        }
        Ok(Step::Name(name.to_owned()))
    }

    fn no_dotted_step(&self) -> Diagnostic {
        let dot = self.at.saturating_sub(1);
        match self.peek() {
            None => self
                .wrong(dot..self.at, "a path ends with a dot")
                .with_label("a name is missing after it")
                .help("remove the dot, or write the name"),
            Some('.') => self
                .wrong(dot..self.at + 1, "a name is missing between two dots")
                .with_label("nothing between the dots")
                .help("remove one dot; to search at any depth, write JSONPath: `$..name`"),
            Some('*') => {
                self.expected("a name after the dot").help("several results need JSONPath: `$.items[*]`")
            }
            Some('[') => self.expected("a name after the dot").help("remove the dot before `[`"),
            Some(' ') => self.expected("a name after the dot").help("remove the dot, or write the name"),
            Some('"' | '\'') => {
                self.expected("a name after the dot").help("put a name in quotes into brackets: `a['b']`")
            }
            Some(_) => self
                .expected("a name after the dot")
                .help("put a name with other characters in brackets and quotes: `a['such / a name']`"),
        }
    }

    /// `['name']` or `[3]`; the cursor is at the bracket.
    fn bracketed_step(&mut self) -> Read<Step> {
        let open = self.at;
        self.at += 1;
        self.skip_whitespace();
        let step = if self.at_string() {
            Step::Name(self.string()?)
        } else if self.at_number() {
            Step::Index(self.integer()?)
        } else {
            return Err(self.no_bracketed_step(open).into());
        };
        self.skip_whitespace();
        if self.eat("]") {
            return Ok(step);
        }
        let wrong = self.expected("`]`").also(self.span(open..open + 1), "opened here");
        Err(match self.byte() {
            b':' | b',' => wrong.help("several results need JSONPath: `$.items[0:2]`"),
            _ => wrong,
        }
        .into())
    }

    fn no_bracketed_step(&self, open: usize) -> Diagnostic {
        let wrong = self.expected("a name in quotes or an index");
        let mut probe = self.clone();
        let name = probe.take_while(is_bare_char);
        if !name.is_empty() {
            let wrong =
                self.wrong(self.at..probe.at, "a name in brackets needs quotes").with_label("not in quotes");
            return wrong.help(format!("write `['{}']`", excerpt(name)));
        }
        match self.byte() {
            b'*' => wrong.help("several results need JSONPath: `$.items[*]`"),
            b'?' => wrong.help("a filter needs JSONPath: `$.items[?@.id == 1]`"),
            b':' => wrong.help("several results need JSONPath: `$.items[0:2]`"),
            _ => wrong.also(self.span(open..open + 1), "opened here").help("write `['name']` or `[0]`"),
        }
    }
}
