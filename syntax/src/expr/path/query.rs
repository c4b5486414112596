//! JSONPath: the root query, segments and selectors (RFC 9535 §2.1 to §2.5).

use hookc_schema::Diagnostic;
use hookc_schema::span::Spanned;
use hookc_schema::tree::{Query, Segment, Selector};

use crate::expr::reader::{Read, Reader, excerpt};

impl Reader<'_> {
    /// `$...`; the cursor is at the `$`.
    pub(super) fn root_query(&mut self) -> Read<Query> {
        let start = self.at;
        self.at += 1;
        let query = self.segments(is_name_char)?;
        let next = self.peek();
        if query.segments.is_empty() && self.at == start + 1 && next.is_some_and(is_name_char) {
            let wrong = self.expected("`.` or `[` after `$`");
            let name = self.clone().take_while(is_name_char);
            return Err(wrong.help(format!("write `$.{}`", excerpt(name))).into());
        }
        Ok(query)
    }

    /// The part after `$`, `@` or a view: all segments. `name` is a character of a name after a dot.
    pub(super) fn segments(&mut self, name: fn(char) -> bool) -> Read<Query> {
        let mut segments = Vec::new();
        loop {
            let before = self.at;
            self.skip_whitespace();
            if self.eat("..") {
                segments.push(Segment::Descendant(self.after_dots(name)?));
            } else if self.eat(".") {
                segments.push(Segment::Child(vec![self.after_dot(1, name)?]));
            } else if self.byte() == b'[' {
                segments.push(Segment::Child(self.selectors()?));
            } else {
                self.at = before;
                return Ok(Query { segments });
            }
        }
    }

    fn after_dots(&mut self, name: fn(char) -> bool) -> Read<Vec<Selector>> {
        match self.byte() {
            b'[' => self.selectors(),
            _ => Ok(vec![self.after_dot(2, name)?]),
        }
    }

    /// `*` or a bare name after `dots` dots.
    fn after_dot(&mut self, dots: usize, name: fn(char) -> bool) -> Read<Selector> {
        if self.eat("*") {
            return Ok(Selector::Wildcard);
        }
        if self.peek().is_some_and(|c| is_name_char(c) && !c.is_ascii_digit()) {
            return Ok(Selector::Name(self.take_while(name).to_owned()));
        }
        Err(self.no_name(dots).into())
    }

    fn no_name(&self, dots: usize) -> Diagnostic {
        let start = self.at.saturating_sub(dots);
        match self.byte() {
            0 if self.is_done() => self
                .wrong(start..self.at, "a path ends with a dot")
                .with_label("a name is missing after it")
                .help("remove it, or write a name or `*`"),
            b'0'..=b'9' => self.expected("a name or `*`").help("put an index in brackets: `$.items[0]`"),
            b'[' => self.expected("a name or `*`").help("remove the dot before `[`"),
            b'.' => self
                .expected("a name or `*`")
                .help("write two dots to search at any depth, or one to select a member"),
            b' ' | b'\t' | b'\r' | b'\n' => {
                self.expected("a name or `*`").help("remove the whitespace after the dot")
            }
            _ => self
                .expected("a name or `*`")
                .help("put a name with other characters in brackets and quotes: `$['such / a name']`"),
        }
    }

    /// `[a, b, ...]`; the cursor is at the bracket.
    fn selectors(&mut self) -> Read<Vec<Selector>> {
        let open = self.at;
        self.at += 1;
        let mut selectors = Vec::new();
        loop {
            self.skip_whitespace();
            selectors.push(self.selector(open)?);
            self.skip_whitespace();
            if self.eat("]") {
                return Ok(selectors);
            }
            if !self.eat(",") {
                return Err(self.no_end(open).into());
            }
        }
    }

    fn no_end(&self, open: usize) -> Diagnostic {
        let wrong = self.expected("`,` or `]`").also(self.span(open..open + 1), "opened here");
        match self.clone().take_while(is_name_char) {
            "or" => wrong.help("write `||`: the operators of a filter are those of JSONPath"),
            "and" => wrong.help("write `&&`: the operators of a filter are those of JSONPath"),
            "" if !self.rest().starts_with("=~") => wrong,
            _ => wrong.help(
                "the operators of a filter are those of JSONPath: `==`, `<`, `&&`, `||`, `search(@.name, 'pattern')`",
            ),
        }
    }

    fn selector(&mut self, open: usize) -> Read<Selector> {
        if self.at_string() {
            return self.string().map(Selector::Name);
        }
        match self.byte() {
            b'*' => {
                self.at += 1;
                Ok(Selector::Wildcard)
            }
            b'?' => self.filter_selector(open),
            b'-' | b':' | b'0'..=b'9' => self.index_or_slice(),
            _ => Err(self.no_selector(open).into()),
        }
    }

    fn no_selector(&self, open: usize) -> Diagnostic {
        let name = self.clone().take_while(is_name_char);
        if !name.is_empty() {
            let range = self.at..self.at + name.len();
            let wrong = self.wrong(range, "a name in brackets needs quotes").with_label("not in quotes");
            return wrong.help(format!("write `['{}']`", excerpt(name)));
        }
        let wrong = self.expected("a name in quotes, an index, a slice, `*` or a filter");
        match self.byte() {
            b'@' | b'(' => wrong.help("a filter starts with `?`: `[?@.id == 1]`"),
            _ => wrong.also(self.span(open..open + 1), "opened here"),
        }
    }

    fn filter_selector(&mut self, open: usize) -> Read<Selector> {
        let start = self.at;
        self.descend(open)?;
        self.at += 1;
        self.skip_whitespace();
        let filter = self.filter()?;
        self.ascend();
        Ok(Selector::Filter(Spanned::new(filter, self.since(start))))
    }

    /// `3`, `1:2`, `::-1`, ...
    fn index_or_slice(&mut self) -> Read<Selector> {
        let start = self.bound()?;
        let before = self.at;
        self.skip_whitespace();
        if !self.eat(":") {
            self.at = before;
            return match start {
                Some(index) => Ok(Selector::Index(index)),
                None => Err(self.expected("an index").into()),
            };
        }
        self.skip_whitespace();
        let end = self.bound()?;
        let before = self.at;
        self.skip_whitespace();
        let mut step = None;
        if self.eat(":") {
            self.skip_whitespace();
            step = self.bound()?;
        } else {
            self.at = before;
        }
        Ok(Selector::Slice { start, end, step })
    }

    fn bound(&mut self) -> Read<Option<i64>> {
        match self.at_number() {
            true => self.integer().map(Some),
            false => Ok(None),
        }
    }
}

/// RFC 9535 `name-char`.
pub(super) fn is_name_char(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_' || !c.is_ascii()
}
