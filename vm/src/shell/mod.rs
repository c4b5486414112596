//! A reader of command lines, as bash and POSIX shells have them: which simple
//! commands a line has, in all its branches, functions and substitutions.
//!
//! Nothing is executed, and nothing is looked up. What only a running shell knows (the value of a
//! variable, the output of a substitution, the files of a glob) is an unknown part of its word.
//! Text that is not a valid line, or that exceeds a limit, gives a [`Problem`] and no commands.
//!
//! Linear in the text: each character is read once per enclosing substitution, and the nesting of
//! substitutions is limited.

#![allow(
    clippy::arithmetic_side_effects,
    reason = "numbers are places in a text, or in what it expands to, which limits keep far from overflow"
)]

mod braces;
mod compound;
mod escapes;
mod expansion;
mod here;
mod reader;
mod view;
mod word;

use std::fmt;

use reader::Reader;
pub use view::{COMMAND_MEMBERS, MEMBERS, REDIRECT_MEMBERS, foreign, unread, view};

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

/// A simple command: a program and its arguments.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Command {
    /// `NAME=VALUE` in front of it.
    pub assignments: Vec<Word>,
    /// The program and its arguments; empty if there are only assignments or redirections.
    pub words: Vec<Word>,
    /// Its redirections.
    pub redirects: Vec<Redirect>,
}

/// A redirection.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Redirect {
    /// `>`, `<<-`, ...
    pub op: &'static str,
    /// The word after the operator; for a here-document, its delimiter.
    pub target: Word,
    /// The text of a here-document.
    pub body: Option<Body>,
}

/// The text of a here-document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Body {
    /// As written.
    pub text: String,
    /// Whether the shell does not expand it: its delimiter is quoted, or it contains no expansion.
    pub known: bool,
}

/// The content of a line.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Line {
    /// Its simple commands; those in a substitution come before the command that
    /// the substitution is a part of.
    pub commands: Vec<Command>,
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
    /// `((` that does not end as arithmetic: shells differ in what it means.
    Ambiguous,
    /// A word or an operator in a position where none is allowed.
    Syntax,
    /// A view larger than [`limits::SHELL_VIEW_BYTES`](crate::limits::SHELL_VIEW_BYTES).
    TooLarge,
    /// A line for PowerShell.
    PowerShell,
    /// A line for `cmd.exe`.
    Cmd,
}

impl Cause {
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
            Self::PowerShell => "powershell",
            Self::Cmd => "cmd",
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
            Self::Ambiguous => "`((` without arithmetic",
            Self::Syntax => "a syntax error",
            Self::TooLarge => "a view beyond the limit",
            Self::PowerShell => "the language of PowerShell",
            Self::Cmd => "the language of cmd.exe",
        })
    }
}

/// Reads a command line, or a script of several lines.
///
/// # Errors
/// If the text is not a valid line, or exceeds a limit.
pub fn read(text: &str) -> Result<Line, Problem> {
    if text.len() > crate::limits::SHELL_BYTES {
        return Err(Problem { cause: Cause::TooLong, at: crate::limits::SHELL_BYTES });
    }
    if let Some(at) = text.bytes().position(|byte| byte == 0) {
        return Err(Problem { cause: Cause::Nul, at });
    }
    let mut reader = Reader::new(text, 0);
    reader.script()?;
    Ok(Line { commands: reader.commands })
}

/// A word without unknown parts.
fn plain(word: &[Unit]) -> Option<String> {
    let char = |unit: &Unit| match unit {
        Unit::Char(char) | Unit::Glob(char) => Some(*char),
        Unit::Unknown => None,
    };
    word.iter().map(char).collect()
}
