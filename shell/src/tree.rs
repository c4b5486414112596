//! The structure of a line.

use std::rc::Rc;

use super::token::{Range, Symbol, Token, Words};

/// Commands in a row.
#[derive(Debug, Default)]
pub(super) struct List(pub(super) Vec<Stage>);

impl List {
    /// How many of its first commands can fail although the list succeeds.
    pub(super) fn optional(&self) -> usize {
        let mut next = self.0.len();
        if self.0.last().is_some_and(|stage| stage.background) {
            return next;
        }
        for (at, stage) in self.0.iter().enumerate().rev() {
            match stage.joint {
                Joint::Or => return next,
                Joint::Next => return at,
                Joint::And => next = at,
                Joint::Pipe => {}
            }
        }
        0
    }
}

/// A command of a pipeline.
#[derive(Debug)]
pub(super) struct Stage {
    pub(super) joint: Joint,
    /// `!` is before it.
    pub(super) negated: bool,
    /// `time` is before it.
    pub(super) timed: bool,
    /// `&` is after it.
    pub(super) background: bool,
    /// Where it is in the line, if it is there.
    pub(super) span: Range,
    pub(super) node: Node,
}

/// What is between a command and the one before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Joint {
    Next,
    And,
    Or,
    Pipe,
}

/// What a loop runs for.
#[derive(Clone, Copy, Debug)]
pub(super) enum Items {
    Listed(Words),
    /// The positional parameters.
    Positions,
    /// What the user of `select` chooses: a word with an unknown value.
    Chosen(Words),
}

#[derive(Debug)]
pub(super) enum Node {
    Simple(Simple),
    Group(List),
    Subshell(List),
    /// A subshell whose input and output are pipes of the shell.
    Coprocess(List),
    /// A condition and what runs if it is true, several times; what runs if none is.
    If(Vec<(List, List)>, List),
    While(List, List),
    For(Token, Items, List),
    /// The expansions in the arithmetic of `for ((...))`.
    Count(Token, List),
    /// The patterns of each arm, whether it goes on in the next arm, what it runs.
    Case(Token, Vec<(Words, bool, List)>),
    Function(Token, Rc<Node>),
    /// `[[ ... ]]`: its words.
    Test(Words),
    /// `((...))`: the expansions in it.
    Arithmetic(Token),
    Redirected(Box<Node>, Range),
    Nothing,
}

/// A program and its arguments.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Simple {
    /// Its assignments, in the arena.
    pub(super) assigns: Range,
    pub(super) words: Words,
    /// Its redirections, in the arena.
    pub(super) redirects: Range,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Assign {
    pub(super) name: Symbol,
    pub(super) text: Token,
    pub(super) value: Assigned,
    /// `+=`
    pub(super) appends: bool,
}

#[derive(Clone, Copy, Debug)]
pub(super) enum Assigned {
    Text(Token),
    Array(Words),
    /// One element of an array; its subscript and value are walked.
    Element(Token, Token),
}

/// Stands for the descriptor of `{name}>`, and for a number that no descriptor has.
pub(super) const NAMED: u32 = u32::MAX;

#[derive(Clone, Copy, Debug)]
pub(super) struct Redirect {
    pub(super) op: &'static str,
    /// The number of the descriptor; [`NAMED`] if the shell chooses it.
    pub(super) fd: u32,
    /// The word after the operator; for a here-document, its delimiter.
    pub(super) target: Token,
    /// The number of a here-document.
    pub(super) body: Option<u32>,
}

/// An expansion.
#[derive(Clone, Debug)]
pub(super) enum Part {
    Parameter(Parameter),
    Commands(Rc<List>, Shape),
    /// Arithmetic: the expansions in it.
    Inner(Token),
    /// The subscript of a variable in front of `=`.
    Subscript(Symbol, Token),
    /// The elements of an array that an argument of `declare` sets.
    Array(Words),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    /// `$(...)`, backticks.
    Output,
    /// `<(...)`
    Input,
    /// `>(...)`
    Sink,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Parameter {
    pub(super) name: Name,
    pub(super) subscript: Option<Token>,
    pub(super) op: Op,
    pub(super) word: Option<Token>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Name {
    Variable(Symbol),
    Position(u32),
    /// `$@`
    All,
    /// `$*`
    Joined,
    /// `$?`, `$$`, `$!`, `$#`
    Number,
    /// `$-`, forms of zsh.
    Other,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Op {
    None,
    /// `-`, `:-`
    Default {
        empty: bool,
    },
    /// `=`, `:=`
    Assign {
        empty: bool,
    },
    /// `+`, `:+`
    Alternative {
        empty: bool,
    },
    /// `?`, `:?`
    Demand,
    /// `#`, `##`
    Prefix {
        longest: bool,
    },
    /// `%`, `%%`
    Suffix {
        longest: bool,
    },
    /// `/`, `//`
    Replace {
        all: bool,
    },
    /// `:offset:length`
    Slice,
    /// `^^`, `,,`
    Case {
        upper: bool,
        all: bool,
    },
    /// `!name`
    Indirect,
    /// `#name`
    Length,
    /// `@P`: the value is expanded like a prompt.
    Prompt,
    Other,
}
