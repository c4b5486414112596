//! Patterns of commands: `git push -f`, `curl | sh`.

mod anything;
mod doubt;
mod flows;
mod itself;
pub(super) mod keys;
mod matches;
mod read;
mod sequence;
mod started;
pub(super) mod tokens;
pub(super) mod verb;

pub use anything::{Anything, Runs, runs_anything};
pub use doubt::{Doubt, DoubtKind, doubts};
pub use itself::{Meant, as_meant};
pub(super) use matches::Context;
pub(super) use read::{read, regexes};

use std::sync::{Arc, OnceLock};

use super::pattern::choice::Choice;
use super::pattern::glob::Glob;
use super::pattern::path::PathPattern;
use super::pattern::regex::RegexPattern;
use super::sets::Source;
use crate::programs::Row;

/// A pattern of commands, which is read when a command can match it.
#[derive(Clone, Debug)]
pub(super) struct CommandPattern {
    text: String,
    source: Arc<Source>,
    sides: OnceLock<Option<Sides>>,
}

/// A command, or two commands of which the second gets the output of the first.
#[derive(Clone, Debug)]
pub(super) struct Sides {
    /// The command that gives its output.
    from: Option<Choice<Simple>>,
    to: Choice<Simple>,
}

impl CommandPattern {
    /// A pattern of a text, which can name sets and programs.
    pub(super) fn new(text: &str, source: &Arc<Source>) -> Self {
        Self { text: text.to_owned(), source: Arc::clone(source), sides: OnceLock::new() }
    }

    /// Its commands; none if it cannot be read, which its source notes.
    fn sides(&self) -> Option<&Sides> {
        let read = || read(&self.text, self.source.sets()).inspect_err(|_| self.source.fail()).ok();
        self.sides.get_or_init(read).as_ref()
    }
}

impl Sides {
    /// The names of its programs, if it has no pipe and they have no wildcards.
    pub(super) fn program_names(&self) -> Option<Vec<String>> {
        if self.from.is_some() {
            return None;
        }
        let programs = self.to.iter().flat_map(|simple| &simple.programs);
        let name = |program: &Program| match &program.name {
            Name::Name { glob, .. } => glob.literal().map(str::to_owned),
            Name::Path(_) => None,
        };
        programs.map(name).collect()
    }
}

/// A pattern of one command.
#[derive(Clone, Debug, Default)]
pub(super) struct Simple {
    env: Vec<(Glob, Choice<Value>)>,
    programs: Vec<Program>,
    /// Operands, the words of the subcommand included.
    operands: Vec<Choice<Operand>>,
    /// Bits of the words that the subcommand of a command can start with.
    first_words: u64,
    /// How many of the operands are words of the subcommand, which [`Program::verbs`] has.
    verb_words: usize,
    /// The operand that directly follows what is in front of it.
    anchored: Option<usize>,
    /// No operand follows those of the pattern.
    is_closed: bool,
    flags: Vec<FlagTest>,
    not_flags: Vec<FlagTest>,
    not_operands: Vec<Choice<Operand>>,
    /// Regular expressions of which some word has a match.
    regexes: Vec<Choice<RegexPattern>>,
}

/// A program of a pattern.
#[derive(Clone, Debug)]
struct Program {
    name: Name,
    /// Its subcommands: their words, with canonical names. Without any, each one matches.
    verbs: Vec<Vec<Glob>>,
    /// Bits of its keys: each command with this name has one of them.
    keys: u64,
}

#[derive(Clone, Debug)]
enum Name {
    Name { glob: Glob, row: Option<&'static Row> },
    Path(PathPattern),
}

/// Flags of which one must be there.
#[derive(Clone, Debug, Default)]
struct FlagTest {
    flags: Vec<Flag>,
    /// It is after a subcommand, whose row has a flag of this name.
    is_after_verb: bool,
    place: FlagPlace,
}

/// Where a flag is in a pattern.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum FlagPlace {
    /// In front of the operands.
    #[default]
    First,
    /// After an operand. If options end there, it is a flag of what the command starts: `sudo rm -f`.
    AfterOperand,
    /// After `--`.
    AfterDashes,
}

#[derive(Clone, Debug)]
struct Flag {
    name: Glob,
    /// The letters of `-rf`, of which each can be a flag.
    letters: Vec<String>,
    value: Option<Value>,
}

/// A word that is compared with an operand.
#[derive(Clone, Debug)]
pub(super) enum Operand {
    /// `*`: each of them.
    Each,
    Text(Glob),
    Path(PathPattern),
    /// The name of a variable that the operand expands.
    Variable(Glob),
    Regex(RegexPattern),
}

/// The value of a flag or a variable.
#[derive(Clone, Debug)]
enum Value {
    Text(Glob),
    Regex(RegexPattern),
}
