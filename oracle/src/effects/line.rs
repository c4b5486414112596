//! What the reader says about a command line, as plain data.

use super::text::Text;

/// A command line.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Line {
    /// Its commands.
    pub commands: Vec<Command>,
    /// Whether some of what it runs is unknown.
    pub is_opaque: bool,
    /// The variables that it sets, and whether programs get them.
    pub variables: Vec<(String, bool)>,
    /// Variables with those whose values they get: `X` and `Y` of `read X <<< "$Y"`; `@` for the positional parameters.
    pub flows: Vec<(String, String)>,
}

/// A word.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Word {
    /// Its text without quotes.
    pub text: Text,
    /// The text with holes as they are written.
    pub source: String,
    /// The variables whose values are in it; `*` for one of unknown name.
    pub variables: Vec<String>,
    /// The commands whose output is in it.
    pub origins: Vec<usize>,
}

/// A command of a line.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Command {
    /// The program and its arguments.
    pub words: Vec<Word>,
    /// The program as it is written, if it is known.
    pub program: Option<String>,
    /// Assignments in front of it.
    pub env: Vec<(Word, Word)>,
    /// Variables that earlier commands export, with their values, if those are known.
    pub exported: Vec<(String, Option<Word>)>,
    /// Redirections, and those around it that are in effect.
    pub redirects: Vec<Redirect>,
    /// The redirection that is in effect for its input.
    pub input: Option<Redirect>,
    /// The redirection that is in effect for its output.
    pub output: Option<Redirect>,
    /// The command that starts it.
    pub starter: Option<usize>,
    /// The commands whose output it executes.
    pub runs: Vec<usize>,
    /// The commands after it in its pipelines.
    pub pipes_to: Vec<usize>,
    /// The commands whose output it has in its words.
    pub inputs: Vec<usize>,
    /// A substitution takes its output.
    pub is_captured: bool,
    /// The shell prints it first: `set -x`.
    pub is_traced: bool,
    /// The success of what runs it implies its own: that of the line, or of the command that starts it.
    pub is_required: bool,
    /// Arguments follow that are unknown.
    pub has_more: bool,
    /// Every directory that it can run in, the likely one first; none is an unknown one.
    pub directories: Vec<Option<String>>,
    /// The second directory is as likely as the first.
    pub is_either: bool,
}

/// What a redirection does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RedirectKind {
    /// `<`
    Read,
    /// `>`, `>>`
    Write,
    /// `<>`
    ReadWrite,
    /// A here-document or a here-string.
    Here,
    /// A descriptor.
    Duplicate,
}

/// A redirection.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Redirect {
    /// What it does.
    pub kind: RedirectKind,
    /// Its file, or the text of a here-document.
    pub word: Word,
    /// Every directory that it can be in, the likely one first.
    pub directories: Vec<Option<String>>,
    /// The descriptor.
    pub descriptor: Option<u32>,
    /// It is in effect around the command.
    pub is_inherited: bool,
}
