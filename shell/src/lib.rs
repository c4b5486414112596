//! Command lines, as bash and POSIX shells read them: which programs a line starts, in all its
//! branches, functions and substitutions, and with which words.
//!
//! [`view()`] gives them as JSON; [`read()`] gives their words; [`leading()`] gives the words of the
//! first one as they are written. Nothing is executed, and nothing is looked up. What only a running shell knows (the value of a variable
//! that the line does not set, the output of a program, the files of a glob) is an unknown part of
//! its word. Text that is not a valid line, or that exceeds a limit, gives a [`Problem`] and no
//! commands.
//!
//! ```text
//! text ──read──▶ tree ──eval──▶ commands ──view──▶ JSON
//!                  └─ words in one arena ─┘    └─ tables of programs
//! ```

#![forbid(unsafe_code)]

mod arena;
mod eval;
mod leading;
pub mod limits;
mod members;
pub mod paths;
mod read;
pub mod tables;
mod tree;
mod view;
mod wrapper;

use std::fmt;

use crate::limits::SHELL_STEPS;

use arena::{Special, Token, long};
use eval::Walk;

pub use leading::{Leading, leading};
pub use members::{COMMAND_MEMBERS, MemberBits, Members};
pub use view::{MEMBERS, REDIRECT_MEMBERS, foreign, view, work, write_unread, write_view, write_word};
pub use wrapper::Wrapper;

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

/// Why a line was not read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Problem {
    /// The kind of problem.
    pub cause: Cause,
    /// Its position in bytes; within backticks and here-documents, their start.
    pub at: usize,
}

/// Why a line cannot be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cause {
    /// Longer than [`limits::SHELL_BYTES`](crate::limits::SHELL_BYTES).
    TooLong,
    /// Deeper than [`limits::SHELL_DEPTH`](crate::limits::SHELL_DEPTH).
    TooDeep,
    /// More than [`limits::SHELL_COMMANDS`](crate::limits::SHELL_COMMANDS).
    TooManyCommands,
    /// A NUL, which no shell gets.
    Nul,
    /// A quote that does not end.
    OpenQuote,
    /// `$(`, `${`, `$((`, `(` and similar without their end.
    OpenBracket,
    /// `if` without `fi`, and similar.
    OpenCompound,
    /// Text that shells read differently: `((` that does not end as arithmetic, a here-document whose end is not certain.
    Ambiguous,
    /// A word or an operator in a position where none is allowed.
    Syntax,
    /// A view larger than [`limits::SHELL_VIEW_BYTES`](crate::limits::SHELL_VIEW_BYTES).
    TooLarge,
    /// More work than [`limits::SHELL_STEPS`](crate::limits::SHELL_STEPS): loops and functions
    /// within one another.
    TooMuchWork,
    /// A line for PowerShell.
    PowerShell,
    /// A line for `cmd.exe`.
    Cmd,
    /// Neither a text nor a list of words.
    NotText,
}

impl Cause {
    /// Every cause.
    pub const ALL: [Self; 14] = [
        Self::TooLong,
        Self::TooDeep,
        Self::TooManyCommands,
        Self::Nul,
        Self::OpenQuote,
        Self::OpenBracket,
        Self::OpenCompound,
        Self::Ambiguous,
        Self::Syntax,
        Self::TooLarge,
        Self::TooMuchWork,
        Self::PowerShell,
        Self::Cmd,
        Self::NotText,
    ];

    /// Its name in the view.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::TooLong => "too_long",
            Self::TooDeep => "too_deep",
            Self::TooManyCommands => "too_many_commands",
            Self::Nul => "nul",
            Self::OpenQuote => "open_quote",
            Self::OpenBracket => "open_bracket",
            Self::OpenCompound => "open_compound",
            Self::Ambiguous => "ambiguous",
            Self::Syntax => "syntax",
            Self::TooLarge => "too_large",
            Self::TooMuchWork => "too_much_work",
            Self::PowerShell => "powershell",
            Self::Cmd => "cmd",
            Self::NotText => "not_text",
        }
    }
}

impl fmt::Display for Cause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::TooLong => "text beyond the limit",
            Self::TooDeep => "brackets or substitutions nested too deep",
            Self::TooManyCommands => "commands beyond the limit",
            Self::Nul => "a zero byte",
            Self::OpenQuote => "a quote without its end",
            Self::OpenBracket => "a bracket or substitution without its end",
            Self::OpenCompound => "a compound command without its end",
            Self::Ambiguous => "text that shells read differently",
            Self::Syntax => "a syntax error",
            Self::TooLarge => "a view beyond the limit",
            Self::TooMuchWork => "loops or functions beyond the limit",
            Self::PowerShell => "the language of PowerShell",
            Self::Cmd => "the language of cmd.exe",
            Self::NotText => "a value that is neither text nor a list of words",
        })
    }
}

/// Reads a command line, or a script of several lines.
///
/// # Errors
/// If the text is not a valid line, or exceeds a limit.
pub fn read(text: &str) -> Result<Line, Problem> {
    read_with(text, &[])
}

/// The same with the programs that a policy declares as wrappers.
///
/// # Errors
/// As [`read()`].
pub fn read_with(text: &str, wrappers: &[Wrapper]) -> Result<Line, Problem> {
    Walk::with(text.len(), None, wrappers, |walk| {
        walk.line(text)?;
        let walk = &*walk;
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
            is_opaque: walk.loose || walk.opaque.contains(&true),
        })
    })
}

fn units(walk: &Walk, token: Token) -> Word {
    let (text, marks) = (walk.arena.text(token), walk.arena.marks(token));
    if marks.is_empty() {
        return text.chars().map(Unit::Char).collect();
    }
    let (mut all, mut open) = (Vec::with_capacity(text.len()), 0);
    let mut marks = marks.iter().filter(|mark| mark.len > 0).peekable();
    for (at, char) in text.char_indices() {
        while marks.next_if(|mark| long(mark.at + mark.len) <= at).is_some() {}
        let kind = marks.peek().filter(|mark| long(mark.at) <= at).map(|mark| mark.kind);
        match kind {
            Some(kind) if kind.is_open() => {
                if at >= open {
                    all.push(Unit::Unknown);
                    open = marks.peek().map_or(0, |mark| long(mark.at + mark.len));
                }
            }
            Some(Special::Glob) => all.push(Unit::Glob(char)),
            _ => all.push(Unit::Char(char)),
        }
    }
    all
}
