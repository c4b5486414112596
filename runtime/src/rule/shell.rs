//! The commands of a shell line, as far as reading without running can tell.
//!
//! Quotes and backslashes are taken away, redirections left out, and commands
//! within substitutions found too. What only the shell itself would know (the
//! value of a variable, the output of a substitution) is an unknown part of its
//! word; what is not read at all (here-documents, brace expansion) is said.

use super::wild::Unit;

/// How deep substitutions are followed.
const DEPTH: u32 = 32;

/// A word of a command.
pub(super) type Word = Vec<Unit>;

/// What a line has.
#[derive(Debug, Default)]
pub(super) struct Line {
    /// Its commands, those in substitutions too, word by word.
    pub(super) commands: Vec<Vec<Word>>,
    /// What in it was not read.
    pub(super) unread: Option<&'static str>,
}

/// Reads a line, or a script of several.
pub(super) fn read(text: &str) -> Line {
    let mut reader = Reader { chars: text.chars().collect(), at: 0, depth: 0, line: Line::default() };
    reader.list(None);
    reader.line
}

/// The command that is being read.
#[derive(Default)]
struct Open {
    words: Vec<Word>,
    word: Option<Word>,
    /// The next word is the target of a redirection.
    redirect: bool,
}

impl Open {
    fn push(&mut self, unit: Unit) {
        self.word.get_or_insert_default().push(unit);
    }

    fn end_word(&mut self) {
        if let Some(word) = self.word.take()
            && !std::mem::take(&mut self.redirect)
        {
            self.words.push(word);
        }
    }
}

struct Reader {
    chars: Vec<char>,
    at: usize,
    depth: u32,
    line: Line,
}

impl Reader {
    fn peek(&self) -> Option<char> {
        self.chars.get(self.at).copied()
    }

    fn next(&mut self) -> Option<char> {
        let char = self.peek()?;
        self.at += 1;
        Some(char)
    }

    fn eat(&mut self, char: char) -> bool {
        let is = self.peek() == Some(char);
        self.at += usize::from(is);
        is
    }

    fn unread(&mut self, what: &'static str) {
        self.line.unread.get_or_insert(what);
    }

    /// Leaves the rest alone.
    fn give_up(&mut self, what: &'static str) {
        self.unread(what);
        self.at = self.chars.len();
    }

    /// Commands up to the end, or to the bracket that ends a substitution.
    fn list(&mut self, end: Option<char>) {
        let (mut open, mut brackets) = (Open::default(), 0_u32);
        loop {
            let Some(char) = self.next() else {
                if end.is_some() {
                    self.unread("a substitution that does not end");
                }
                break;
            };
            match char {
                _ if Some(char) == end && brackets == 0 => break,
                ' ' | '\t' | '\r' => open.end_word(),
                '&' if self.peek() == Some('>') => open.end_word(),
                '\n' | ';' | '&' | '|' => self.end(&mut open),
                '(' => {
                    brackets += 1;
                    self.end(&mut open);
                }
                ')' => {
                    brackets = brackets.saturating_sub(1);
                    self.end(&mut open);
                }
                '<' | '>' => self.redirection(char, &mut open),
                '#' if open.word.is_none() => self.comment(),
                _ => self.part(char, &mut open),
            }
        }
        self.end(&mut open);
    }

    fn end(&mut self, open: &mut Open) {
        open.end_word();
        open.redirect = false;
        let words = std::mem::take(&mut open.words);
        if !words.is_empty() {
            self.line.commands.push(words);
        }
    }

    fn comment(&mut self) {
        while self.peek().is_some_and(|char| char != '\n') {
            self.at += 1;
        }
    }

    /// A part of a word.
    fn part(&mut self, char: char, open: &mut Open) {
        match char {
            '\\' => match self.next() {
                Some('\n') => {}
                next => open.push(Unit::Char(next.unwrap_or(char))),
            },
            '\'' => self.quoted(open),
            '"' => self.doubly_quoted(open),
            '$' => self.dollar(open, false),
            '`' => self.backticks(open),
            _ => {
                if char == '{' && self.is_brace_expansion() {
                    self.unread("a brace expansion");
                }
                open.push(Unit::Char(char));
            }
        }
    }

    fn redirection(&mut self, char: char, open: &mut Open) {
        let digit = |unit: &Unit| matches!(unit, Unit::Char(char) if char.is_ascii_digit());
        if open.word.as_ref().is_some_and(|word| word.iter().all(digit)) {
            open.word = None;
        }
        open.end_word();
        if self.peek() == Some('(') {
            return self.unread("a process substitution");
        }
        if char == '<' && self.eat('<') && !self.eat('<') {
            return self.give_up("a here-document");
        }
        while self.peek().is_some_and(|next| matches!(next, '<' | '>' | '|' | '&')) {
            self.at += 1;
        }
        open.redirect = true;
    }

    fn quoted(&mut self, open: &mut Open) {
        open.word.get_or_insert_default();
        loop {
            match self.next() {
                Some('\'') => return,
                Some(char) => open.push(Unit::Char(char)),
                None => return self.unread("a quote that does not end"),
            }
        }
    }

    fn doubly_quoted(&mut self, open: &mut Open) {
        open.word.get_or_insert_default();
        loop {
            match self.next() {
                Some('"') => return,
                Some('$') => self.dollar(open, true),
                Some('`') => self.backticks(open),
                Some('\\') => match self.next() {
                    Some('\n') => {}
                    Some(char @ ('$' | '`' | '"' | '\\')) => open.push(Unit::Char(char)),
                    other => ['\\'].into_iter().chain(other).for_each(|char| open.push(Unit::Char(char))),
                },
                Some(char) => open.push(Unit::Char(char)),
                None => return self.unread("a quote that does not end"),
            }
        }
    }

    /// Behind a `$`.
    fn dollar(&mut self, open: &mut Open, quoted: bool) {
        let name = |char: char| char.is_ascii_alphanumeric() || char == '_';
        match self.peek() {
            Some('(') => {
                self.at += 1;
                open.push(Unit::Any);
                if self.depth >= DEPTH {
                    return self.give_up("substitutions nested too deep");
                }
                self.depth += 1;
                self.list(Some(')'));
                self.depth -= 1;
            }
            Some('{') => {
                open.push(Unit::Any);
                self.parameter();
            }
            Some('\'') if !quoted => {
                self.at += 1;
                open.push(Unit::Any);
                self.escaped();
            }
            Some('"') if !quoted => {}
            Some(char) if name(char) => {
                open.push(Unit::Any);
                while self.peek().is_some_and(name) {
                    self.at += 1;
                }
            }
            Some('@' | '*' | '#' | '?' | '-' | '$' | '!') => {
                self.at += 1;
                open.push(Unit::Any);
            }
            _ => open.push(Unit::Char('$')),
        }
    }

    /// `${...}`, whose value is not known; what it may run is not read.
    fn parameter(&mut self) {
        let mut depth = 0_u32;
        while let Some(char) = self.next() {
            match char {
                '{' => depth += 1,
                '}' => depth = depth.saturating_sub(1),
                '`' => self.unread("a substitution within `${...}`"),
                '$' if self.peek() == Some('(') => self.unread("a substitution within `${...}`"),
                '\\' => drop(self.next()),
                _ => {}
            }
            if depth == 0 {
                return;
            }
        }
        self.unread("a `${` that does not end");
    }

    /// `$'...'`.
    fn escaped(&mut self) {
        while let Some(char) = self.next() {
            match char {
                '\'' => return,
                '\\' => drop(self.next()),
                _ => {}
            }
        }
        self.unread("a quote that does not end");
    }

    fn backticks(&mut self, open: &mut Open) {
        open.push(Unit::Any);
        let mut inner = Vec::new();
        loop {
            match self.next() {
                Some('`') => break,
                Some('\\') if matches!(self.peek(), Some('`' | '\\' | '$')) => inner.extend(self.next()),
                Some(char) => inner.push(char),
                None => return self.unread("a substitution that does not end"),
            }
        }
        if self.depth >= DEPTH {
            return self.give_up("substitutions nested too deep");
        }
        let mut within = Reader { chars: inner, at: 0, depth: self.depth + 1, line: Line::default() };
        within.list(None);
        self.line.commands.append(&mut within.line.commands);
        self.line.unread = self.line.unread.or(within.line.unread);
    }

    /// Whether what follows a `{` is `a,b}` or `1..3}`.
    fn is_brace_expansion(&self) -> bool {
        let rest = self.chars.get(self.at..).unwrap_or_default().iter().copied();
        let inner: Vec<char> =
            rest.take_while(|char| !char.is_whitespace() && *char != '}').take(4096).collect();
        inner.contains(&',') || inner.windows(2).any(|two| two == ['.', '.'])
    }
}

#[cfg(test)]
mod tests {
    use super::super::forms::forms;
    use super::{Unit, read};

    fn said(text: &str) -> Vec<String> {
        let char = |unit: &Unit| match unit {
            Unit::Char(char) => *char,
            Unit::Any => '◦',
        };
        let line = read(text);
        let forms = line.commands.iter().flat_map(|command| forms(command));
        forms.map(|form| form.iter().map(char).collect()).chain(line.unread.map(str::to_owned)).collect()
    }

    #[test]
    fn the_commands_of_a_line() {
        let table: [(&str, &[&str]); 30] = [
            ("git  push", &["git push"]),
            ("a && b || c; d | e |& f & g\nh", &["a", "b", "c", "d", "e", "f", "g", "h"]),
            ("A=1 B+=2 git push", &["git push"]),
            ("1A=1 x", &["1A=1 x"]),
            (r#"g"i"t 'pu'sh \-f"#, &["git push -f"]),
            ("echo 'a && b'", &["echo a && b"]),
            (r#"echo "a; \"b\" \x""#, &[r#"echo a; "b" \x"#]),
            ("make > out 2>&1 < in", &["make"]),
            ("make &> out x", &["make x"]),
            ("cat <<< word", &["cat"]),
            ("echo $HOME/x", &["echo ◦/x"]),
            ("echo \"$(git push)\"", &["git push", "echo ◦"]),
            ("echo `git push`", &["git push", "echo ◦"]),
            ("echo $((1 + 2))", &["1 + 2", "echo ◦"]),
            ("echo ${x:-y} ${a} z", &["echo ◦ ◦ z"]),
            ("(cd x; git push)", &["cd x", "git push"]),
            ("if true; then git push; fi", &["true", "git push", "fi"]),
            ("while ! git push; do sleep 1; done", &["git push", "sleep 1", "done"]),
            ("timeout -k 5 30s git push", &["timeout -k 5 30s git push", "git push"]),
            ("nohup nice -n 5 git push", &["nohup nice -n 5 git push", "nice -n 5 git push", "git push"]),
            ("ls | xargs rm", &["ls", "xargs rm", "rm"]),
            ("ls | xargs -n1 rm", &["ls", "xargs -n1 rm"]),
            ("make # git push", &["make"]),
            ("echo a#b", &["echo a#b"]),
            ("git \\\npush", &["git push"]),
            ("cat <<EOF\ngit push\nEOF", &["cat", "a here-document"]),
            ("diff <(a) b", &["diff", "a", "b", "a process substitution"]),
            ("{git,rm} x", &["{git,rm} x", "a brace expansion"]),
            ("echo 'x", &["echo x", "a quote that does not end"]),
            ("find . -exec rm {} \\;", &["find . -exec rm {} ;"]),
        ];
        for (text, expected) in table {
            assert_eq!(said(text), expected, "{text}");
        }
        assert_eq!(read(&"$(".repeat(10_000)).unread, Some("substitutions nested too deep"));
        assert_eq!(read(&"(".repeat(10_000)).commands.len(), 0);
    }
}
