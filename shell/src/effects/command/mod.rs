//! Patterns of commands: `git push -f`, `curl | sh`.

mod anything;
mod doubt;
mod flows;
mod matches;
mod read;
mod tokens;
mod verb;

pub use anything::{Anything, Runs, runs_anything};
pub use doubt::{Doubt, DoubtKind, doubts};
pub(super) use matches::Context;
pub(super) use read::{program_word, read, regexes};

use super::keys::{self, Key, Keyed, Part};
use super::pattern::choice::Choice;
use super::pattern::glob::Glob;
use super::pattern::path::PathPattern;
use super::pattern::regex::RegexPattern;
use crate::programs::Row;

/// A command, or two commands of which the second gets the output of the first.
#[derive(Clone, Debug)]
pub(super) struct CommandPattern {
    /// The command that gives its output.
    pub(super) from: Option<Choice<Simple>>,
    pub(super) to: Choice<Simple>,
}

impl CommandPattern {
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

impl Keyed for CommandPattern {
    fn keys(&self) -> Option<Vec<Key>> {
        self.to.keys()
    }
}

impl Keyed for Simple {
    fn keys(&self) -> Option<Vec<Key>> {
        let keys: Option<Vec<_>> = self.programs.iter().map(|program| program.name.keys()).collect();
        keys.map(|keys| keys.concat())
    }
}

impl Name {
    /// The keys of the commands with this name; none if it has a wildcard.
    fn keys(&self) -> Option<Vec<Key>> {
        match self {
            Self::Path(_) => Some(vec![keys::key(Part::ProgramPath, "")]),
            Self::Name { glob, row } => {
                let name = glob.literal().filter(|name| name.is_ascii())?;
                let names = row.iter().flat_map(|row| row.same_program()).filter(|other| *other != name);
                Some(names.chain([name]).map(|name| keys::key(Part::Program, name)).collect())
            }
        }
    }
}

/// A pattern of one command.
#[derive(Clone, Debug, Default)]
pub(super) struct Simple {
    env: Vec<(Glob, Choice<Value>)>,
    programs: Vec<Program>,
    /// Operands, the words of the subcommand included.
    operands: Vec<Choice<Operand>>,
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
