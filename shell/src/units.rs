//! The words of commands as lists of characters, each of which is known or not.

use super::eval::{self, Walk};
use super::limits::SHELL_STEPS;
use super::programs::Programs;
use super::token::{Special, Token, long};
use super::{Cause, Problem};

/// A part of a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// A character that the command gets.
    Char(char),
    /// A character that makes the word a pattern: `*`, `?` or `[`.
    Glob(char),
    /// The result of an expansion: empty, or any text.
    Unknown,
}

/// A word, without its quotes.
pub type Word = Vec<Unit>;

/// A program that a line starts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Command {
    /// The program and its arguments; empty if there are only redirections.
    pub words: Vec<Word>,
    /// Whether another command of the line starts it (`sudo`, `sh -c`).
    pub is_started: bool,
}

/// The content of a line.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Line {
    /// Its commands; those in a substitution come before the command that the substitution is a
    /// part of, and those that a command starts after it.
    pub commands: Vec<Command>,
    /// Some of what it runs is unknown.
    pub is_opaque: bool,
}

/// Reads a command line, or a script of several lines.
///
/// # Errors
/// If the text is not a valid line, or exceeds a limit.
pub fn read(text: &str) -> Result<Line, Problem> {
    read_with(text, <&Programs>::default())
}

/// Like [`read()`], with the programs that policies describe.
///
/// # Errors
/// As [`read()`].
pub fn read_with(text: &str, programs: &Programs) -> Result<Line, Problem> {
    Walk::with_line(text, None, programs, false, |walk, read| {
        read?;
        // Commands share words, so that together they can be longer than all that was read.
        let texts = walk.commands.iter().flat_map(|seen| walk.arena.words(seen.words));
        let length: usize = texts.map(|word| walk.arena.text(*word).len()).sum();
        if length > SHELL_STEPS * 8 {
            return Err(Problem { cause: Cause::TooLarge, at: 0 });
        }
        let words =
            |seen: &eval::Seen| walk.arena.words(seen.words).iter().map(|word| units(walk, *word)).collect();
        let command = |seen: &eval::Seen| {
            let mut words: Vec<Word> = words(seen);
            if seen.more {
                words.push(vec![Unit::Unknown]);
            }
            Command { words, is_started: seen.via > 0 }
        };
        Ok(Line {
            commands: walk.commands.iter().filter(|seen| !seen.implicit).map(command).collect(),
            is_opaque: walk.loose || !walk.opaque.is_empty(),
        })
    })
}

fn units(walk: &Walk, token: Token) -> Word {
    let (text, marks) = (walk.arena.text(token), walk.arena.marks(token));
    if marks.is_empty() {
        return text.chars().map(Unit::Char).collect();
    }
    let (mut units, mut open) = (Vec::with_capacity(text.len()), 0);
    let mut marks = marks.iter().filter(|mark| mark.len > 0).peekable();
    for (at, char) in text.char_indices() {
        while marks.next_if(|mark| long(mark.at + mark.len) <= at).is_some() {}
        let kind = marks.peek().filter(|mark| long(mark.at) <= at).map(|mark| mark.kind);
        match kind {
            Some(kind) if kind.is_open() => {
                if at >= open {
                    units.push(Unit::Unknown);
                    open = marks.peek().map_or(0, |mark| long(mark.at + mark.len));
                }
            }
            Some(Special::Glob) => units.push(Unit::Glob(char)),
            _ => units.push(Unit::Char(char)),
        }
    }
    units
}
