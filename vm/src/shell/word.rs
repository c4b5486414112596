//! Words: quotes and their content.

use super::reader::{Read, Reader};
use super::{Cause, Unit, Word, braces};

/// The context of a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// A context that allows an assignment.
    First,
    /// Within `[[ ]]`.
    Pattern,
    Other,
}

/// A word that is being read.
#[derive(Default)]
pub(super) struct Draft {
    pub(super) units: Word,
    /// It sets a variable.
    pub(super) assigns: bool,
    /// Bare `{`, `,` and `}` in it, from the first `{` on.
    marks: Vec<usize>,
    /// It has quotes or expansions.
    dressed: bool,
    /// Whether the first `=` was read.
    equals: bool,
    /// Its name has a subscript.
    subscript: bool,
    /// It is a word even if it is empty.
    there: bool,
}

impl Draft {
    pub(super) fn push(&mut self, unit: Unit) {
        self.units.push(unit);
    }

    /// The word, without brace expansion.
    pub(super) fn units(self) -> Word {
        if self.units == [Unit::Glob('[')] { vec![Unit::Char('[')] } else { self.units }
    }

    /// The words after brace expansion.
    pub(super) fn expand(self, words: &mut Vec<Word>) {
        if !self.there && self.units.is_empty() {
            return;
        }
        if self.marks.len() < 2 {
            words.push(self.units());
        } else {
            braces::expand(&self.units, &self.marks, words);
        }
    }

    fn is_name(&self) -> bool {
        let name = match self.units.split_last() {
            Some((Unit::Char('+'), name)) => name,
            _ => &self.units,
        };
        let sound = |unit: &Unit| matches!(unit, Unit::Char(c) if c.is_ascii_alphanumeric() || *c == '_');
        !self.dressed && starts_name(name) && name.iter().all(sound)
    }

    /// A bare character.
    fn bare(&mut self, char: char) {
        match char {
            '{' => self.marks.push(self.units.len()),
            ',' | '}' if !self.marks.is_empty() => self.marks.push(self.units.len()),
            '=' if !self.equals => {
                self.equals = true;
                self.assigns = self.subscript || self.is_name();
            }
            _ => {}
        }
        self.push(match char {
            '*' | '?' | '[' => Unit::Glob(char),
            // As the last of a line it is not seen by some shells.
            '\r' => Unit::Unknown,
            char => Unit::Char(char),
        });
    }
}

fn starts_name(units: &[Unit]) -> bool {
    matches!(units.first(), Some(Unit::Char(c)) if c.is_ascii_alphabetic() || *c == '_')
}

impl Reader<'_> {
    /// A word up to whitespace or an operator; empty if there is none.
    pub(super) fn word(&mut self, kind: Kind) -> Read<Draft> {
        let mut draft = Draft::default();
        while let Some(byte) = self.peek() {
            match byte {
                b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'_' | b'-' | b'.' | b'/' => {
                    let is =
                        |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.' | b'/');
                    let run = self.rest().bytes().take_while(is).count();
                    let plain = self.rest().get(..run).unwrap_or_default();
                    draft.units.reserve(run + 8);
                    draft.units.extend(plain.bytes().map(|byte| Unit::Char(char::from(byte))));
                    self.at += run;
                }
                b' ' | b'\t' | b'\n' | b';' | b'&' | b'|' | b')' => break,
                b'<' | b'>' => {
                    if self.peek_at(1) != Some(b'(') {
                        break;
                    }
                    self.at += 2;
                    draft.dressed = true;
                    draft.push(Unit::Unknown);
                    self.substitution()?;
                }
                b'(' => {
                    let sets =
                        kind == Kind::First && draft.assigns && draft.units.last() == Some(&Unit::Char('='));
                    if !sets {
                        break;
                    }
                    self.at += 1;
                    self.array()?;
                    draft.push(Unit::Unknown);
                }
                b'[' if kind == Kind::First && !draft.equals && !draft.subscript && draft.is_name() => {
                    self.at += 1;
                    self.subscript()?;
                    draft.push(Unit::Unknown);
                    draft.subscript = matches!(self.peek(), Some(b'=' | b'+'));
                }
                b'\\' => {
                    self.at += 1;
                    match self.char() {
                        Some('\n') => continue,
                        Some(char) => draft.push(Unit::Char(char)),
                        None => draft.push(Unit::Char('\\')),
                    }
                    draft.dressed = true;
                }
                b'\'' => {
                    self.at += 1;
                    draft.dressed = true;
                    self.quoted(&mut draft)?;
                }
                b'"' => {
                    self.at += 1;
                    draft.dressed = true;
                    self.doubly_quoted(&mut draft)?;
                }
                b'$' => {
                    self.at += 1;
                    draft.dressed = true;
                    self.dollar(&mut draft, false)?;
                }
                b'`' => {
                    self.at += 1;
                    draft.dressed = true;
                    self.backticks(&mut draft, false)?;
                }
                0..=0x7f => {
                    self.at += 1;
                    draft.bare(char::from(byte));
                }
                _ => {
                    let char = self.char().unwrap_or_default();
                    draft.bare(char);
                }
            }
            draft.there = true;
        }
        Ok(draft)
    }

    /// After a `'`.
    pub(super) fn quoted(&mut self, draft: &mut Draft) -> Read<()> {
        let rest = self.rest();
        let Some(end) = rest.find('\'') else { return self.fail(Cause::OpenQuote) };
        draft.units.extend(rest.get(..end).unwrap_or_default().chars().map(Unit::Char));
        self.at += end + 1;
        Ok(())
    }

    /// After a `"`.
    pub(super) fn doubly_quoted(&mut self, draft: &mut Draft) -> Read<()> {
        loop {
            match self.char() {
                None => return self.fail(Cause::OpenQuote),
                Some('"') => return Ok(()),
                Some('$') => self.dollar(draft, true)?,
                Some('`') => self.backticks(draft, true)?,
                Some('\\') => match self.char() {
                    Some('\n') => {}
                    Some(char @ ('$' | '`' | '"' | '\\')) => draft.push(Unit::Char(char)),
                    other => {
                        draft.push(Unit::Char('\\'));
                        draft.units.extend(other.map(Unit::Char));
                    }
                },
                Some(char) => draft.push(Unit::Char(char)),
            }
        }
    }

    /// After `NAME=(`: words up to the `)`.
    fn array(&mut self) -> Read<()> {
        loop {
            self.blanks();
            match self.peek() {
                None => return self.fail(Cause::OpenBracket),
                Some(b')') => {
                    self.at += 1;
                    return Ok(());
                }
                Some(b'\n') if self.pending.is_empty() => self.at += 1,
                Some(b'<' | b'>') if self.peek_at(1) == Some(b'(') => drop(self.word(Kind::Other)?),
                Some(b'\n' | b';' | b'&' | b'|' | b'(' | b'<' | b'>') => return self.fail(Cause::Syntax),
                Some(_) => drop(self.word(Kind::Other)?),
            }
        }
    }

    /// After a `[`: up to the matching `]`.
    pub(super) fn subscript(&mut self) -> Read<()> {
        let (mut open, mut inner) = (0_usize, Draft::default());
        loop {
            match self.char() {
                None => return self.fail(Cause::OpenBracket),
                Some('[') => open += 1,
                Some(']') if open == 0 => return Ok(()),
                Some(']') => open -= 1,
                Some('\'') => self.quoted(&mut inner)?,
                Some('"') => self.doubly_quoted(&mut inner)?,
                Some('$') => self.dollar(&mut inner, false)?,
                Some('`') => self.backticks(&mut inner, false)?,
                Some('\\') => drop(self.char()),
                Some(_) => {}
            }
        }
    }
}
