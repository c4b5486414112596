//! Effects: a kind, an object, and marks.

use std::fmt;

use crate::Opaque;

use super::Text;
use super::keys::Keys;

/// What an event does to an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Effect<'a> {
    /// What is done.
    pub kind: Kind,
    /// What it is done to, without the prefix of its scheme. Files are resolved: absolute, below `~`, or, if the
    /// directory of the event is unknown, from there. A path that starts with a hole is anywhere.
    pub object: Text<'a>,
    /// What kind of object it is.
    pub scheme: Scheme,
    /// Everything below the object, too.
    pub is_tree: bool,
    /// The program does it by itself: no word names the object.
    pub is_implied: bool,
    /// It is assumed from the name of an input of a tool that nobody declares.
    pub is_assumed: bool,
    /// The number of the command that causes it; none for a tool.
    pub command: Option<usize>,
    /// The keys of the patterns that its object can match.
    pub(super) keys: Keys<'a>,
}

hookc_base::named_enums! {
    /// What is done.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
    pub enum Kind as_str {
        /// Starts a program. The object is its name.
        Run "run";
        /// Shows, copies into a repository or sends the content of a file.
        Read "read";
        /// Opens a file for the program itself.
        Use "use";
        /// Looks at names, sizes, dates or existence.
        List "list";
        /// Creates, changes or replaces a file, or its permissions.
        Write "write";
        /// Deletes a file, or moves it away.
        Delete "delete";
        /// Gives the content of a file or a pipe to another machine.
        Send "send";
        /// Talks to a machine.
        Contact "contact";
        /// Adds a package that nothing declares yet.
        Install "install";
        /// Moves a branch of a remote.
        Push "push";
        /// Runs code that is not on the line.
        Code "code";
    }
}

/// What kind of object an effect has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Scheme {
    /// A file or directory.
    File,
    /// A variable of the environment, `env:NAME`.
    Variable,
    /// A local branch or tag, `ref:NAME`.
    Ref,
    /// A store of secrets, `store:NAME`.
    Store,
    /// A pipe: what a program gets from another one.
    Pipe,
    /// Text that is posted.
    Text,
    /// A machine, `@configured` or `registry:MANAGER`.
    Host,
    /// A package, `MANAGER:SPEC`.
    Package,
    /// A branch of a remote, `REMOTE:BRANCH`.
    Branch,
    /// Code: a script, a setting, a plug-in.
    Code,
    /// The name of a program.
    Program,
}

impl Scheme {
    /// What a pattern of such an object starts with; empty for schemes that the kind of the effect implies.
    #[must_use]
    pub const fn prefix(self) -> &'static str {
        match self {
            Self::Variable => "env:",
            Self::Ref => "ref:",
            Self::Store => "store:",
            _ => "",
        }
    }
}

/// Why part of what an event does is unknown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnknownCause {
    /// A command line cannot be read.
    Line(crate::Cause),
    /// Part of what a command line runs is unknown.
    Opaque(Opaque),
    /// An input with a role is not a text, or is absent and required.
    Input,
    /// An input is code, which is not read.
    Code,
    /// A patch has no section.
    Patch,
    /// The tool is declared as `unknown`.
    Tool,
    /// A limit is exceeded.
    Limit,
}

impl fmt::Display for UnknownCause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Line(cause) => write!(f, "the command line cannot be read: {cause}"),
            Self::Opaque(Opaque::Name) => f.write_str("the command line does not say which program starts"),
            Self::Opaque(Opaque::Code) => {
                f.write_str("the command line executes code that it does not contain")
            }
            Self::Opaque(Opaque::Input) => f.write_str("a shell or an interpreter executes what it reads"),
            Self::Input => f.write_str("an input of the tool is missing, or is not a text"),
            Self::Code => f.write_str("the input is code of a language that is not read"),
            Self::Patch => f.write_str("the patch names no file"),
            Self::Tool => f.write_str("the tool is declared as unknown"),
            Self::Limit => f.write_str("it does more than the limits allow"),
        }
    }
}
