//! Patterns that name a program which runs anything, without what it may run: `xargs`, `bash`, `python *`.

use super::read::row_of;
use super::tokens::tokens;
use super::{Flag, Name, Operand, Program, Simple, Value, read};
use crate::effects::Set;
use crate::effects::sets::Sets;
use crate::programs::{OptionArgument, Place, Role, Row};

/// A program that runs what its words name, in a pattern that does not name it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Anything {
    /// The program, with its subcommand.
    pub program: String,
    /// What it runs.
    pub what: Runs,
}

/// What a program runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Runs {
    /// A program with any name.
    Program,
    /// A command, which is a command of the line too.
    Command,
    /// A command on another machine, or in a container.
    Elsewhere,
    /// A script.
    Script,
    /// Code in a word.
    Code,
}

/// The first program of a pattern that runs anything.
#[must_use]
pub fn runs_anything(pattern: &str, sets: &[Set]) -> Option<Anything> {
    if tokens(pattern).first().is_some_and(|program| program.text == "*") {
        return Some(Anything { program: "*".to_owned(), what: Runs::Program });
    }
    let pattern = read(pattern, Sets { declared: sets, programs: Default::default() }).ok()?;
    pattern.to.iter().find_map(|simple| simple.programs.iter().find_map(|program| simple.anything(program)))
}

impl Simple {
    fn anything(&self, program: &Program) -> Option<Anything> {
        let row = program.name.row()?;
        let name = match &program.name {
            Name::Name { glob, .. } => glob.literal().map(str::to_owned),
            Name::Path(_) => None,
        };
        let name = name.unwrap_or_else(|| row.name().to_owned());
        let Some(first) = program.verbs.first() else {
            return Some(Anything { what: self.what(row, row)?, program: name });
        };
        let inner = row_of(row, first)?;
        Some(Anything { what: self.what(row, inner)?, program: format!("{name} {}", inner.name()) })
    }

    /// What the row of a subcommand runs, if the pattern leaves it open.
    fn what(&self, program: &'static Row, row: &'static Row) -> Option<Runs> {
        let has_literal =
            |from: usize| self.operands.iter().skip(from).any(|word| word.iter().all(is_literal));
        let has_code = self.flags.iter().flat_map(|test| &test.flags).any(|flag| takes_code(flag, row));
        if has_code && !has_literal(self.verb_words) {
            return Some(Runs::Code);
        }
        let places = row.operands().unwrap_or_default();
        let is_open = |at: usize, place: &Place| {
            let before = places.iter().take(at).filter(|place| !place.repeats).count();
            runs(place.role) && !self.is_closed && !has_literal(self.verb_words + before)
        };
        let (_, place) = places.iter().enumerate().find(|(at, place)| is_open(*at, place))?;
        let is_elsewhere = program.is("elsewhere") || row.is("elsewhere");
        Some(match place.role {
            Role::Script => Runs::Script,
            _ if is_elsewhere => Runs::Elsewhere,
            Role::Command | Role::Words | Role::Module => Runs::Command,
            _ => Runs::Code,
        })
    }
}

/// Whether a word in this role is a program, a script or code for a shell or an interpreter.
const fn runs(role: Role) -> bool {
    matches!(role, Role::Command | Role::Words | Role::Module | Role::Script | Role::Code | Role::Expr)
}

/// Whether a flag of a pattern takes code, and the pattern does not say which.
fn takes_code(flag: &Flag, row: &Row) -> bool {
    let is_open = match &flag.value {
        None => true,
        Some(Value::Text(glob)) => glob.literal().is_none(),
        Some(Value::Regex(_)) => false,
    };
    let name = flag.name.literal();
    let takes = |name: &str| {
        let mut options = row.known().filter(|(listed, _)| listed.trim_start_matches('-') == name);
        options.any(|(_, takes)| {
            matches!(takes, OptionArgument::Code | OptionArgument::LastCode | OptionArgument::Module)
        })
    };
    is_open && name.into_iter().chain(flag.letters.iter().map(String::as_str)).any(takes)
}

fn is_literal(operand: &Operand) -> bool {
    match operand {
        Operand::Text(glob) => glob.literal().is_some(),
        Operand::Path(path) => path.is_literal(),
        Operand::Each | Operand::Variable(_) | Operand::Regex(_) => false,
    }
}
