//! Expansions: parameters, substitutions, arithmetic.

use std::borrow::Cow;
use std::rc::Rc;

use super::super::Cause;
use super::super::spare::Draft;
use super::super::token::{Symbol, Token, short};
use super::super::tree::{List, Name, Op, Parameter, Part, Shape};
use super::reader::{Read, Reader, Stop};

const fn is_name(byte: u8) -> bool {
    byte == b'_' || byte.is_ascii_alphanumeric()
}

impl Reader<'_, '_> {
    pub(super) fn part(&mut self, part: Part) -> u32 {
        self.arena.parts.push(part);
        short(self.arena.parts.len() - 1)
    }

    /// Adds an expansion whose text starts at `start`.
    fn add(&mut self, part: Part, start: usize, quoted: bool, draft: &mut Draft) {
        let id = self.part(part);
        draft.part(id, self.text.get(start..self.at).unwrap_or_default(), quoted);
    }

    /// At a `$`.
    pub(super) fn dollar(&mut self, draft: &mut Draft, quoted: bool) -> Read<()> {
        let start = self.at;
        self.at += 1;
        self.continuations();
        let part = match self.peek() {
            Some(b'(') if self.peek_at(1) == Some(b'(') => {
                self.at += 2;
                Part::Inner(self.nested(Self::arithmetic)?)
            }
            Some(b'(') => {
                self.at += 1;
                let inner = self.at;
                let list = self.substitution()?;
                let text = self.text.get(inner..self.at).unwrap_or_default();
                if quoted && text.contains("esac") && ends_in_pattern(text) {
                    return self.fail(Cause::Ambiguous);
                }
                Part::Commands(list, Shape::Output)
            }
            Some(b'[') => {
                self.bashism();
                self.at += 1;
                Part::Inner(self.nested(Self::subscript)?)
            }
            Some(b'{') => {
                self.at += 1;
                self.nested(|reader| reader.parameter(quoted))?
            }
            Some(b'\'') if !quoted => {
                self.bashism();
                self.at += 1;
                return self.escaped(draft);
            }
            // A text that is translated: it is read as the quote that it is.
            Some(b'"') if !quoted => {
                self.bashism();
                return Ok(());
            }
            Some(byte) if byte == b'_' || byte.is_ascii_alphabetic() => {
                let name = self.name();
                simple(if self.is_zsh_suffix() { Name::Other } else { Name::Variable(name) })
            }
            // `$10` is the tenth parameter of zsh.
            Some(b'1'..=b'9') if self.peek_at(1).is_some_and(|byte| byte.is_ascii_digit()) => {
                self.at += 1;
                simple(Name::Other)
            }
            Some(byte @ (b'@' | b'*' | b'#' | b'?' | b'-' | b'$' | b'!' | b'0'..=b'9')) => {
                self.at += 1;
                simple(single(byte))
            }
            // `$=x` and `$~x` of zsh.
            Some(b'=' | b'~' | b'^') if self.peek_at(1).is_some_and(|byte| byte.is_ascii_alphabetic()) => {
                self.at += 1;
                let _ = self.name();
                simple(Name::Other)
            }
            _ => {
                draft.char('$');
                return Ok(());
            }
        };
        self.add(part, start, quoted, draft);
        Ok(())
    }

    /// Whether zsh changes the value by what is after the name: `$x[1]`, `$x:t`.
    fn is_zsh_suffix(&self) -> bool {
        match (self.peek(), self.peek_at(1), self.peek_at(2)) {
            (Some(b'['), Some(byte), _) => byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'$' | b'('),
            (Some(b':'), Some(letter), next) => {
                b"AacehlPpQqrtugsx".contains(&letter) && next.is_none_or(|next| !is_name(next))
            }
            _ => false,
        }
    }

    /// Skips line breaks after backslashes, which a shell removes first.
    fn continuations(&mut self) {
        while self.rest().starts_with("\\\n") {
            self.at += 2;
        }
    }

    /// The name of a variable, which line breaks after backslashes do not end.
    fn name(&mut self) -> Symbol {
        let mut name = Cow::Borrowed("");
        loop {
            let rest = self.rest();
            let len = rest.bytes().position(|byte| !is_name(byte)).unwrap_or(rest.len());
            name += rest.get(..len).unwrap_or_default();
            self.at += len;
            if !self.rest().starts_with("\\\n") {
                return self.arena.symbol(&name);
            }
            self.continuations();
        }
    }

    /// At `<(` or `>(`.
    pub(super) fn process(&mut self, draft: &mut Draft) -> Read<()> {
        self.bashism();
        let (start, sink) = (self.at, self.peek() == Some(b'>'));
        self.at += 2;
        let list = self.substitution()?;
        self.add(Part::Commands(list, if sink { Shape::Sink } else { Shape::Input }), start, true, draft);
        Ok(())
    }

    /// After `$(`, `<(` or `>(`: commands up to the `)`.
    fn substitution(&mut self) -> Read<Rc<List>> {
        let outer = std::mem::take(&mut self.pending);
        let (stop, list) = self.nested(Self::list)?;
        match stop {
            // The text of a here-document would follow the bracket.
            Stop::Bracket if self.pending.is_empty() => self.at += 1,
            Stop::End => return self.fail(Cause::OpenBracket),
            _ => return self.fail(Cause::Syntax),
        }
        self.pending = outer;
        Ok(Rc::new(list))
    }

    /// After `((`: up to `))`. Text that is not arithmetic up to its end is not read.
    pub(super) fn arithmetic(&mut self) -> Read<Token> {
        let (start, mut open, mut inner) = (self.at, 0_usize, self.draft());
        loop {
            match self.peek() {
                Some(b'$') => self.dollar(&mut inner, true)?,
                Some(b'`') => self.backticks(&mut inner, true)?,
                _ => match self.char() {
                    None => return self.fail(Cause::OpenBracket),
                    Some('(') => open += 1,
                    Some(')') if open > 0 => open -= 1,
                    Some(')') if self.eat(b')') => break,
                    Some(')') => return self.fail(Cause::Ambiguous),
                    Some('"') => self.doubly_quoted(&mut inner)?,
                    Some('\\') => inner.text.extend(self.char()),
                    Some(char) => inner.char(char),
                },
            }
        }
        // Bash counts only brackets and quotes, and reads commands if the first `)` that closes is not `))`.
        let text = self.text.get(start..self.at).unwrap_or_default();
        if closing_bracket(text).is_none_or(|end| end + 2 != text.len()) {
            return self.fail(Cause::Ambiguous);
        }
        let token = inner.token(self.arena);
        self.spare.drafts.push(inner);
        Ok(token)
    }

    /// After `${`: up to the `}`.
    fn parameter(&mut self, quoted: bool) -> Read<Part> {
        if matches!(self.peek(), Some(b' ' | b'\t' | b'\n' | b'|')) {
            // `${ commands; }`
            self.bashism();
            let _ = self.eat(b'|');
            let (_, list) = self.list_until(&["}"])?;
            return Ok(Part::Commands(Rc::new(list), Shape::Output));
        }
        let mut op = Op::None;
        let flags = self.rest().strip_prefix('(').and_then(|rest| rest.split(')').next());
        if flags.is_some_and(|flags| flags.contains(['e', '%'])) {
            // `${(e)x}` of zsh expands the value.
            op = Op::Prompt;
        } else if self.eat(b'!') {
            op = Op::Indirect;
        } else if matches!(self.peek_at(1), Some(byte) if byte != b'}') && self.eat(b'#') {
            op = Op::Length;
        }
        let rest = self.rest();
        let len = rest.bytes().position(|byte| !is_name(byte)).unwrap_or(rest.len());
        let name = match self.peek() {
            Some(byte @ (b'@' | b'*' | b'#' | b'?' | b'-' | b'$' | b'!')) if len == 0 => {
                self.at += 1;
                single(byte)
            }
            _ => {
                self.at += len;
                let text = rest.get(..len).unwrap_or_default();
                match text.parse::<u32>() {
                    Ok(number) => Name::Position(number),
                    Err(_) => Name::Variable(self.arena.symbol(text)),
                }
            }
        };
        let subscript = if self.eat(b'[') { Some(self.subscript()?) } else { None };
        let operator = self.operator();
        op = match (op, operator) {
            (Op::None, operator) => operator,
            // `${!x#y}`, `${!x*}`
            (Op::Indirect, operator) if operator != Op::None => Op::Other,
            (op, _) => op,
        };
        let is_posix = matches!(
            op,
            Op::None
                | Op::Default { .. }
                | Op::Assign { .. }
                | Op::Alternative { .. }
                | Op::Demand
                | Op::Prefix { .. }
                | Op::Suffix { .. }
                | Op::Length
        );
        self.arena.has_bashism |= !is_posix || subscript.is_some();
        let pattern =
            matches!(operator, Op::Prefix { .. } | Op::Suffix { .. } | Op::Replace { .. } | Op::Case { .. });
        let replaces = matches!(operator, Op::Replace { .. });
        let word = self.rest_of_parameter(quoted && !pattern, quoted, replaces)?;
        Ok(Part::Parameter(Parameter { name, subscript, op, word: Some(word) }))
    }

    /// The operator after the name of a parameter.
    fn operator(&mut self) -> Op {
        let colon = self.peek() == Some(b':');
        let at = usize::from(colon);
        let (op, len) = match (self.peek_at(at), self.peek_at(at + 1)) {
            (Some(b'-'), _) => (Op::Default { empty: colon }, at + 1),
            (Some(b'='), _) => (Op::Assign { empty: colon }, at + 1),
            (Some(b'+'), _) => (Op::Alternative { empty: colon }, at + 1),
            (Some(b'?'), _) => (Op::Demand, at + 1),
            _ if colon => (Op::Slice, 1),
            (Some(b'#'), Some(b'#')) => (Op::Prefix { longest: true }, 2),
            (Some(b'#'), _) => (Op::Prefix { longest: false }, 1),
            (Some(b'%'), Some(b'%')) => (Op::Suffix { longest: true }, 2),
            (Some(b'%'), _) => (Op::Suffix { longest: false }, 1),
            (Some(b'/'), Some(b'/')) => (Op::Replace { all: true }, 2),
            (Some(b'/'), _) => (Op::Replace { all: false }, 1),
            (Some(first @ (b'^' | b',')), next) => {
                let repeats = next == Some(first);
                (Op::Case { upper: first == b'^', all: repeats }, if repeats { 2 } else { 1 })
            }
            (Some(b'@'), Some(b'P')) => (Op::Prompt, 2),
            (Some(b'}') | None, _) => (Op::None, 0),
            _ => (Op::Other, 0),
        };
        self.at += len;
        op
    }

    /// Up to the `}`. An escaped slash of a replacement is marked, as it does not separate.
    fn rest_of_parameter(&mut self, plain: bool, quoted: bool, replaces: bool) -> Read<Token> {
        let mut inner = self.draft();
        loop {
            match self.peek() {
                Some(b'$') => {
                    self.dollar(&mut inner, plain)?;
                    continue;
                }
                Some(b'`') => {
                    self.backticks(&mut inner, quoted)?;
                    continue;
                }
                Some(b'<' | b'>') if !quoted && self.peek_at(1) == Some(b'(') => {
                    self.process(&mut inner)?;
                    continue;
                }
                _ => {}
            }
            match self.char() {
                None => return self.fail(Cause::OpenBracket),
                Some('}') => break,
                Some('\\') => match self.char() {
                    Some('/') if replaces => inner.glob('/'),
                    Some(char) => inner.char(char),
                    None => {}
                },
                Some('\'') if !plain => {
                    // Within `"${x#...}"`, shells do not agree about it.
                    self.arena.has_bashism |= quoted;
                    self.quoted(&mut inner)?;
                }
                Some('"') => self.doubly_quoted(&mut inner)?,
                Some(char @ ('*' | '?' | '[')) => inner.glob(char),
                Some(char) => inner.char(char),
            }
        }
        let token = inner.token(self.arena);
        self.spare.drafts.push(inner);
        Ok(token)
    }

    /// At a backtick: up to the next unescaped one. The text between is read after removing
    /// backslashes.
    pub(super) fn backticks(&mut self, draft: &mut Draft, quoted: bool) -> Read<()> {
        let start = self.at;
        self.at += 1;
        let mut text = String::new();
        loop {
            match self.char() {
                None => return self.fail(Cause::OpenBracket),
                Some('`') => break,
                Some('\\') => match self.char() {
                    Some(char @ ('`' | '\\' | '$')) => text.push(char),
                    Some('"') if quoted => text.push('"'),
                    other => {
                        text.push('\\');
                        text.extend(other);
                    }
                },
                Some(char) => text.push(char),
            }
        }
        let list = self.nested(|reader| {
            let base = reader.arena.add(&text);
            let done = Reader::new(&text, base, reader.depth, reader.arena).all();
            done.map_err(|problem| super::super::Problem { at: start, ..problem })
        })?;
        self.add(Part::Commands(Rc::new(list), Shape::Output), start, quoted, draft);
        Ok(())
    }
}

/// Whether the `)` of a pattern ends `"$(case ...)"` for shells that count brackets, such as bash 3.2, and quotes after it
/// are other ones for them.
fn ends_in_pattern(text: &str) -> bool {
    let after = closing_bracket(text).and_then(|end| text.get(end + 1..));
    !text.contains("<<") && after.is_some_and(|after| after.contains('"'))
}

/// The first `)` without its `(`, by brackets and quotes alone.
fn closing_bracket(text: &str) -> Option<usize> {
    let (mut open, mut quote, mut bytes) = (0_usize, None, text.bytes().enumerate());
    while let Some((at, byte)) = bytes.next() {
        match (byte, quote) {
            (b'\\', None | Some(b'"' | b'`')) => drop(bytes.next()),
            (b'\'' | b'"' | b'`', None) => quote = Some(byte),
            (byte, Some(opened)) if byte == opened => quote = None,
            (_, Some(_)) => {}
            (b'(', None) => open += 1,
            (b')', None) if open == 0 => return Some(at),
            (b')', None) => open -= 1,
            _ => {}
        }
    }
    None
}

const fn simple(name: Name) -> Part {
    Part::Parameter(Parameter { name, subscript: None, op: Op::None, word: None })
}

const fn single(byte: u8) -> Name {
    match byte {
        b'@' => Name::All,
        b'*' => Name::Joined,
        b'0'..=b'9' => Name::Position((byte - b'0') as u32),
        b'?' | b'$' | b'!' | b'#' => Name::Number,
        _ => Name::Other,
    }
}
