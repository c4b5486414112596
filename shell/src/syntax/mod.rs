//! The structure of a line: lists, pipelines, compound commands, words and redirections, and where they are in it.
//!
//! [`with_commands()`](crate::with_commands) gives what a line starts. This module gives how it is written, for tools
//! that format, explain or check scripts. Nothing is expanded but braces: `{a,b}` is two words.
//!
//! ```
//! use hookc_shell::syntax::{CommandKind, Joint, parse};
//!
//! let line = "cd src && grep -n 'a b' *.rs | head >out; echo \"$(date)\"";
//! let list = parse(line)?;
//! let [cd, grep, echo] = &list.pipelines[..] else { panic!("three pipelines") };
//! assert_eq!((cd.joint, grep.joint, echo.joint), (Joint::Next, Joint::And, Joint::Next));
//! assert_eq!(grep.commands.len(), 2);
//!
//! let CommandKind::Simple { words, .. } = &grep.commands[0].kind else { panic!("a program") };
//! let span = words[2].span.clone().unwrap();
//! assert_eq!((words[2].text.as_str(), &line[span]), ("a b", "'a b'"));
//! assert_eq!(grep.commands[1].redirects[0].word.text, "out");
//! # Ok::<(), hookc_shell::Problem>(())
//! ```

mod convert;

use std::ops::Range;
use std::sync::Arc;

use crate::Problem;
use crate::arena::Arena;
use crate::read;

use convert::Convert;

/// Pipelines in a row.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct List {
    /// Its pipelines; a command alone is one.
    pub pipelines: Vec<Pipeline>,
}

/// Commands of which each reads the output of the one before.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pipeline {
    /// What is between it and the pipeline before.
    pub joint: Joint,
    /// Whether `!` is in front of it.
    pub is_negated: bool,
    /// Whether `&` follows it.
    pub is_background: bool,
    /// Its commands, at least one.
    pub commands: Vec<Command>,
}

/// What is between two pipelines.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Joint {
    /// `;`, `&` or a line break; or nothing, for the first one.
    Next,
    /// `&&`
    And,
    /// `||`
    Or,
}

/// A command of a pipeline.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Command {
    /// What it is.
    pub kind: CommandKind,
    /// Whether `time` is in front of it.
    pub is_timed: bool,
    /// Its redirections, in order.
    pub redirects: Vec<Redirect>,
    /// Its range in the line, with `!` and `time`; none within backticks.
    pub span: Option<Range<usize>>,
}

/// What a command is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CommandKind {
    /// A program or builtin with its arguments.
    Simple {
        /// The assignments in front of it.
        assignments: Vec<Assignment>,
        /// The program and its arguments.
        words: Vec<Word>,
    },
    /// `{ ...; }`
    Group(List),
    /// `( ... )`
    Subshell(List),
    /// `coproc`
    Coprocess(List),
    /// `if`, with its `elif`.
    If {
        /// Each condition, and what runs if it is true.
        branches: Vec<(List, List)>,
        /// What runs if none is true.
        otherwise: List,
    },
    /// `while` or `until`.
    While {
        /// Its condition.
        condition: List,
        /// What is repeated.
        body: List,
    },
    /// `for NAME in WORDS` or `select`.
    For {
        /// The variable.
        variable: Word,
        /// The words; none for the positional parameters.
        items: Option<Vec<Word>>,
        /// What is repeated.
        body: List,
    },
    /// `for ((...))`.
    Count {
        /// The three expressions.
        expressions: Word,
        /// What is repeated.
        body: List,
    },
    /// `case`.
    Case {
        /// The word that is compared.
        word: Word,
        /// Its arms.
        arms: Vec<Arm>,
    },
    /// The definition of a function.
    Function {
        /// Its name.
        name: Word,
        /// Its body.
        body: Box<Command>,
    },
    /// `[[ ... ]]` or `((...))`, with the words that have expansions.
    Test(Vec<Word>),
    /// Nothing, after `!` or `time`.
    Empty,
}

/// An arm of `case`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Arm {
    /// Its patterns.
    pub patterns: Vec<Word>,
    /// What runs if one matches.
    pub body: List,
    /// Whether the next arm can run too: `;&`, `;;&`.
    pub continues: bool,
}

/// An assignment in front of a command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Assignment {
    /// The variable.
    pub name: String,
    /// Whether the value is added to the old one: `+=`.
    pub appends: bool,
    /// Its value.
    pub value: Value,
    /// Its range in the line; none within backticks.
    pub span: Option<Range<usize>>,
}

/// The value of an assignment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    /// `A=b`
    Text(Word),
    /// `A=(b c)`
    Array(Vec<Word>),
    /// `A[b]=c`
    Element {
        /// The name with its subscript.
        subscript: Word,
        /// The value.
        value: Word,
    },
}

/// A redirection.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Redirect {
    /// Its operator, without the descriptor.
    pub operator: &'static str,
    /// The number of its descriptor; none if the shell chooses it: `{fd}>`.
    pub descriptor: Option<u32>,
    /// The word after it; for a here-document, its delimiter.
    pub word: Word,
    /// The text of a here-document.
    pub body: Option<Word>,
}

/// A word without its quotes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Word {
    /// Its text; expansions are as they are written.
    pub text: String,
    /// Whether a part of it is in quotes.
    pub is_quoted: bool,
    /// Its patterns and expansions, in order.
    pub parts: Vec<Part>,
    /// Its range in the line, with its quotes; none within backticks.
    pub span: Option<Range<usize>>,
}

/// A part of a word that is not what it says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// Its range in the text of the word.
    pub range: Range<usize>,
    /// What it is.
    pub kind: PartKind,
}

/// What a part of a word is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PartKind {
    /// A character of a pattern: `*`, `?` or `[`.
    Pattern,
    /// Text that becomes other text.
    Expansion(Arc<Expansion>),
    /// What shells do not agree about.
    Unknown,
}

/// Text that becomes other text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Expansion {
    /// `$A`, `${A:-b}`, `$1`
    Parameter {
        /// The name or number; none for `$@`, `$?` and similar.
        variable: Option<String>,
        /// The subscript and the word after an operator.
        words: Vec<Word>,
    },
    /// `$(...)` and backticks.
    Output(List),
    /// `<(...)`
    Input(List),
    /// `>(...)`
    Sink(List),
    /// `$((...))` and subscripts: their text, with the expansions in it.
    Arithmetic(Word),
    /// The elements of an array in an argument: `declare a=(b $(c))`.
    Array(Vec<Word>),
}

/// Reads the structure of a line, or of a script of several lines.
///
/// # Errors
/// If the text is not a valid line, or exceeds a limit.
pub fn parse(line: &str) -> Result<List, Problem> {
    let mut arena = Arena::default();
    let list = read::read(line, &mut arena)?;
    Ok(Convert::new(&arena).list(&list))
}
