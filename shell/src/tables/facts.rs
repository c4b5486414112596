//! Names of options and subcommands, one row per program.
//!
//! `options` are in the notation of [`model`](super::model): those that take a value, and long ones
//! that can be abbreviated. `same` are pairs of names of one flag: `f=force`.

/// Where the subcommand of a program is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sub {
    /// It has none.
    None,
    /// The first operand; behind one of these groups, the next. A group with a `+` has a name between them.
    First(&'static str),
    /// The second operand: a service is before it.
    Second,
    /// The first operand that is one of these; else the last of the operands that look like names.
    Verb(&'static str),
}

/// A program with names of options and subcommands.
#[derive(Debug)]
pub struct Fact {
    /// Its names, separated by spaces.
    pub names: &'static str,
    /// The options before and behind its subcommand.
    pub options: &'static str,
    /// Flags of two names.
    pub same: &'static str,
    /// Where its subcommand is.
    pub sub: Sub,
    /// What is special about some subcommands.
    pub verbs: &'static [Verb],
    /// Options of several letters after one dash.
    pub long_dash: bool,
}

/// A subcommand.
#[derive(Debug)]
pub struct Verb {
    /// Its names, separated by spaces.
    pub names: &'static str,
    /// Its options.
    pub options: &'static str,
    /// Flags of two names.
    pub same: &'static str,
}

pub(super) const fn fact(names: &'static str, options: &'static str, same: &'static str) -> Fact {
    Fact { names, options, same, sub: Sub::None, verbs: &[], long_dash: false }
}

pub(super) const fn verb(names: &'static str, options: &'static str, same: &'static str) -> Verb {
    Verb { names, options, same }
}

impl Fact {
    pub(super) const fn sub(self, sub: Sub) -> Self {
        Self { sub, ..self }
    }

    pub(super) const fn long_dash(self) -> Self {
        Self { long_dash: true, ..self }
    }

    pub(super) const fn verbs(self, verbs: &'static [Verb]) -> Self {
        Self { verbs, ..self }
    }
}
