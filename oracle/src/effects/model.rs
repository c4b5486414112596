//! What an event does.

use super::place::Anchors;
use super::text::Text;

/// What an effect does with its object.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// Shows, copies into a repository or sends a file.
    Read,
    /// Opens a file for the program itself.
    Use,
    /// Looks at names, sizes, dates or existence.
    List,
    /// Creates or changes a file.
    Write,
    /// Deletes a file or moves it away.
    Delete,
    /// Gives content to another machine.
    Send,
    /// Talks to a machine.
    Contact,
    /// Adds a package.
    Install,
    /// Moves a branch of a remote.
    Push,
    /// Runs code that is not on the line.
    Code,
}

/// What the object of an effect is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Scheme {
    /// A path.
    File,
    /// A variable of the environment.
    Variable,
    /// A local branch.
    Ref,
    /// A store of secrets.
    Store,
    /// Text that is sent and is no file.
    Posted,
    /// A host.
    Host,
    /// A package of a manager.
    Package,
    /// A branch of a remote.
    Branch,
    /// Code.
    Code,
}

/// An effect other than the start of a program.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Effect {
    /// What it does.
    pub kind: Kind,
    /// With what.
    pub scheme: Scheme,
    /// Which one.
    pub object: Text,
    /// Everything below the object, too.
    pub is_tree: bool,
    /// No word names it.
    pub is_implied: bool,
    /// The name of an input of an undeclared tool says so.
    pub is_assumed: bool,
    /// The command that causes it.
    pub command: Option<usize>,
}

impl Effect {
    /// Whether its object is a file that holds nothing.
    pub(super) fn is_sink(&self) -> bool {
        let path = self.object.literal().filter(|_| self.scheme == Scheme::File).unwrap_or_default();
        matches!(path.as_str(), "/dev/null" | "/dev/tty" | "/dev/stdin" | "/dev/stdout" | "/dev/stderr")
            || path.starts_with("/dev/fd/")
    }
}

/// A flag of a command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Flag {
    /// All its names, without dashes.
    pub names: Vec<String>,
    /// Which word of the command it is in.
    pub at: usize,
    /// It is in front of the subcommand.
    pub is_global: bool,
    /// Its value.
    pub value: Option<Text>,
    /// The row does not have it.
    pub is_unlisted: bool,
    /// It takes code, or settings that can be code.
    pub is_code: bool,
}

/// An operand of a command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Operand {
    /// Its text.
    pub text: Text,
    /// Where it leads as a path.
    pub path: Text,
    /// Which word of the command it is; the program is 0.
    pub at: usize,
    /// The text with holes as they are written.
    pub source: String,
    /// The variables of its holes.
    pub variables: Vec<String>,
}

/// A command.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Act {
    /// The name of its program; none if it is unknown.
    pub name: Option<String>,
    /// The word of its program; none if there are only redirections.
    pub program: Option<Text>,
    /// The program as a resolved path, if it has a `/`.
    pub path: Option<Text>,
    /// The script that its program runs.
    pub script: Option<Text>,
    /// Every name of its subcommand, with its groups; empty without one.
    pub verbs: Vec<Vec<String>>,
    /// Whether a hole is in the place of the subcommand.
    pub is_verb_unknown: bool,
    /// Its flags, in front of the subcommand and after it.
    pub flags: Vec<Flag>,
    /// Its operands, without the subcommand.
    pub operands: Vec<Operand>,
    /// Every word after the program.
    pub words: Vec<Text>,
    /// These words with holes as they are written.
    pub sources: Vec<String>,
    /// The success of the line implies its own.
    pub is_required: bool,
    /// What its exit status says, by its row: `command`, `shell`, or nothing.
    pub status: String,
    /// Unknown words follow.
    pub has_more: bool,
    /// Whether a word of it can become any words.
    pub has_hole: bool,
    /// Assignments in front of it.
    pub env: Vec<(String, Text)>,
    /// Those, and what earlier commands export.
    pub environment: Vec<(String, Text)>,
    /// Whether a row of its program is there.
    pub has_row: bool,
    /// Whether its words say all that it does.
    pub is_plain: bool,
    /// Whether it executes what it reads.
    pub executes: bool,
    /// The directories that it starts in, also those that its options name.
    pub starts: Vec<Text>,
    /// The commands whose output is in its words.
    pub inputs: Vec<usize>,
    /// The commands before it that write a file which it reads or uses.
    pub files: Vec<usize>,
    /// The commands whose output it executes.
    pub runs: Vec<usize>,
    /// The commands that get its output by a pipe.
    pub pipes_to: Vec<usize>,
    /// The command that starts it, with what that finds.
    pub starter: Option<usize>,
}

/// All that an event does.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Deeds {
    /// Its commands.
    pub commands: Vec<Act>,
    /// Its other effects.
    pub effects: Vec<Effect>,
    /// Whether a part of it is unknown.
    pub is_unknown: bool,
    /// Whether nobody declares its tool.
    pub is_undeclared: bool,
    /// The variables that its lines set, and whether programs get them.
    pub variables: Vec<(String, bool)>,
    /// Its texts.
    pub texts: Vec<Text>,
    /// Where patterns are anchored.
    pub anchors: Anchors,
}
