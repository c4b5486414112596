//! The commands of a line that a rule checks.

use hookc_vm::format::shell::{self, Unit, Word, Wrapper};

/// The commands of a line, word by word, with those that others start.
pub(super) struct Line {
    pub(super) commands: Vec<Vec<Word>>,
    /// Some of what it runs is unknown.
    pub(super) is_opaque: bool,
}

/// The commands of a line; or why it cannot be read.
pub(super) fn commands(text: &str, wrappers: &[Wrapper]) -> Result<Line, String> {
    let line = shell::read_with(text, wrappers).map_err(|problem| problem.cause.to_string())?;
    let commands = line.commands.into_iter().map(|command| command.words);
    let commands: Vec<Vec<Word>> = commands.filter(|words| !words.is_empty()).collect();
    let is_opaque = line.is_opaque || commands.iter().any(|words| evaluates(words));
    Ok(Line { commands, is_opaque })
}

/// Builtins of bash that read names of variables, or numbers, in their arguments.
const READERS: [&str; 13] = [
    "[",
    "declare",
    "export",
    "let",
    "local",
    "mapfile",
    "printf",
    "read",
    "readarray",
    "readonly",
    "test",
    "typeset",
    "unset",
];

/// Whether bash runs a substitution in a quoted subscript of a command, as in `test -v 'a[$(x)]'`.
fn evaluates(words: &[Word]) -> bool {
    let Some((name, arguments)) = words.split_first() else { return false };
    let is_run = |text: String| {
        text.split_once('[').is_some_and(|(_, rest)| rest.contains("$(") || rest.contains('`'))
    };
    READERS.contains(&known(name).as_str()) && arguments.iter().any(|word| is_run(known(word)))
}

/// The known characters of a word.
fn known(word: &[Unit]) -> String {
    let char = |unit: &Unit| match unit {
        Unit::Char(char) | Unit::Glob(char) => Some(*char),
        Unit::Unknown => None,
    };
    word.iter().filter_map(char).collect()
}
