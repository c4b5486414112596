//! The event that effects are gathered from.

use std::fmt;

use crate::programs::Programs;

use super::Tools;

/// What [`gather`](super::gather()) has to know about an event besides the inputs of its tool.
#[derive(Clone, Copy, Debug)]
pub struct Event<'e> {
    /// The name of the tool.
    pub tool: &'e str,
    /// The name that the agent has for the tool, if it is another one: `apply_patch`.
    pub host_tool: Option<&'e str>,
    /// The working directory of the agent.
    pub cwd: Option<&'e str>,
    /// The project that relative patterns start from.
    pub project: Project<'e>,
    /// What the inputs of tools mean.
    pub tools: &'e Tools,
    /// The programs that policies describe, in addition to the shipped ones.
    pub programs: &'e Programs,
}

/// The project of an event.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Project<'e> {
    /// A directory.
    At(&'e str),
    /// None: nothing is certainly in the project.
    Nowhere,
    /// The event does not say: it is the working directory.
    #[default]
    Absent,
}

/// The inputs of a tool, which are read by path: `command`, `edits[*].path`.
pub trait Input {
    /// Calls `see` with each value at a path, in order; never if there is none.
    fn each(&self, path: &str, see: &mut dyn FnMut(Value<'_>));
}

/// A value of an input.
pub enum Value<'v> {
    /// A text.
    Text(&'v str),
    /// A list of texts: the words of a command line.
    Words(&'v mut dyn Iterator<Item = &'v str>),
    /// Anything else.
    Other,
}

impl fmt::Debug for Value<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Text(text) => f.debug_tuple("Text").field(text).finish(),
            Self::Words(_) => f.write_str("Words"),
            Self::Other => f.write_str("Other"),
        }
    }
}
