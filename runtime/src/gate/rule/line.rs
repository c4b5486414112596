//! The commands of a line that a rule checks.

use hookc_shell::programs::Programs;
use hookc_shell::units::{self, Word};

/// The commands of a line, word by word, with those that others start.
pub(super) struct Line {
    pub(super) commands: Vec<Vec<Word>>,
    /// Some of what it runs is unknown.
    pub(super) is_opaque: bool,
}

/// The commands of a line; or why it cannot be read.
pub(super) fn commands(text: &str, programs: &Programs) -> Result<Line, String> {
    let line = units::read_with(text, programs).map_err(|problem| problem.cause.to_string())?;
    let commands = line.commands.into_iter().map(|command| command.words);
    let commands = commands.filter(|words| !words.is_empty()).collect();
    Ok(Line { commands, is_opaque: line.is_opaque })
}
