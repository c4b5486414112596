#![doc = include_str!("../README.md")]
//!
//! # How it works
//! ```text
//! text ──read──▶ tree ──eval──▶ commands ──view──▶ JSON
//!                  └─ words in one arena ─┘    └─ rows of programs
//! ```
//! The grammar makes a tree whose words are ranges of one arena. The evaluator walks it as a shell would run it, both
//! ways of each branch, and records each command that starts. [`effects`] gathers what these commands and the tool of an
//! event do, and evaluates predicates about it.

#![forbid(unsafe_code)]

mod arena;
mod arguments;
pub mod argv;
mod bytes;
pub mod effects;
mod eval;
mod leading;
pub mod limits;
mod members;
mod opaque;
pub mod patch;
pub mod paths;
pub mod programs;
mod read;
mod rewrite;
mod spare;
pub mod syntax;
mod token;
mod tree;
mod typed;
pub mod units;
mod view;
mod wrapper;

use std::fmt;

pub use arguments::Argument;
pub use eval::is_keyword;
pub use leading::{Leading, leading};
pub use members::{COMMAND_MEMBERS, MemberBits, Members};
pub use opaque::Opaque;
pub use rewrite::{RewriteError, rewrite};
pub use typed::{
    Command, Commands, Context, Directory, Exports, Flag, Hole, HoleKind, Redirect, RedirectKind, Setting,
    Variable, Word, with_commands,
};
pub use view::{MEMBERS, REDIRECT_MEMBERS, foreign, view, work, write_unread, write_view, write_word};
pub use wrapper::Wrapper;

/// Why a line was not read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Problem {
    /// The kind of problem.
    pub cause: Cause,
    /// Its position in bytes; within backticks and here-documents, their start.
    pub at: usize,
}

hookc_base::named_enums! {
    /// Why a line cannot be read.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Cause as_str {
        /// Longer than [`limits::SHELL_BYTES`].
        TooLong "too_long";
        /// Deeper than [`limits::SHELL_DEPTH`].
        TooDeep "too_deep";
        /// More than [`limits::SHELL_COMMANDS`].
        TooManyCommands "too_many_commands";
        /// A NUL, which no shell gets.
        Nul "nul";
        /// A quote that does not end.
        OpenQuote "open_quote";
        /// `$(`, `${`, `$((`, `(` and similar without their end.
        OpenBracket "open_bracket";
        /// `if` without `fi`, and similar.
        OpenCompound "open_compound";
        /// Text that shells read differently: `((` that does not end as arithmetic, a here-document whose end is not certain.
        Ambiguous "ambiguous";
        /// A word or an operator in a position where none is allowed.
        Syntax "syntax";
        /// A view larger than [`limits::SHELL_VIEW_BYTES`].
        TooLarge "too_large";
        /// More work than [`limits::SHELL_STEPS`]: loops and functions
        /// within one another.
        TooMuchWork "too_much_work";
        /// A line for PowerShell.
        PowerShell "powershell";
        /// A line for `cmd.exe`.
        Cmd "cmd";
        /// Neither a text nor a list of words.
        NotText "not_text";
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
