//! The commands of a line that a rule checks: those of its parser, and those in text that a shell
//! on the line receives as input.

use hookc_base::interpreters;
use hookc_vm::format::shell::{self, Command, Unit, Word};

/// The maximum depth of shells that receive text from each other.
const DEPTH: usize = 4;

/// The commands of a line, word by word; or why it cannot be parsed.
pub(super) fn commands(text: &str) -> Result<Vec<Vec<Word>>, String> {
    let mut all = Vec::new();
    collect(text, DEPTH, &mut all)?;
    Ok(all)
}

fn collect(text: &str, depth: usize, all: &mut Vec<Vec<Word>>) -> Result<(), String> {
    let line = shell::read(text).map_err(|problem| problem.cause.to_string())?;
    for command in line.commands {
        for input in inputs(&command) {
            match input.filter(|_| depth > 0) {
                Some(code) => collect(&code, depth - 1, all)?,
                None => all.push(vec![vec![Unit::Unknown]]),
            }
        }
        if !command.words.is_empty() {
            all.push(command.words);
        }
    }
    let names: Vec<Word> = all.iter().flat_map(|words| aliases(words)).collect();
    let renamed =
        |words: &&Vec<Word>| words.first().is_some_and(|word| names.iter().any(|name| may_be(name, word)));
    // Aliases are not expanded.
    let anything: Vec<Vec<Word>> = all.iter().filter(renamed).map(|words| anything(words)).collect();
    all.extend(anything);
    Ok(())
}

/// The text that a shell of the command reads; `None` is unknown text.
fn inputs(command: &Command) -> Vec<Option<String>> {
    if !command.words.iter().any(is_shell) {
        return Vec::new();
    }
    let input = |redirect: &shell::Redirect| match (redirect.op, &redirect.body) {
        (_, Some(body)) => Some(body.known.then(|| body.text.clone())),
        ("<<<", None) => Some(plain(&redirect.target)),
        _ => None,
    };
    command.redirects.iter().filter_map(input).collect()
}

fn is_shell(word: &Word) -> bool {
    plain(word).is_some_and(|word| interpreters::is_shell(&word))
}

/// A completely known word.
fn plain(word: &[Unit]) -> Option<String> {
    let char = |unit: &Unit| match unit {
        Unit::Char(char) | Unit::Glob(char) => Some(*char),
        Unit::Unknown => None,
    };
    word.iter().map(char).collect()
}

/// The names that an `alias` command defines.
fn aliases(words: &[Word]) -> Vec<Word> {
    let is_alias = words.first().is_some_and(|word| plain(word).as_deref() == Some("alias"));
    let name = |word: &Word| word.split(|unit| *unit == Unit::Char('=')).next().unwrap_or_default().to_vec();
    words.iter().skip(1).filter(|_| is_alias).map(name).collect()
}

/// Whether a command's name can be that of an alias.
fn may_be(alias: &[Unit], name: &[Unit]) -> bool {
    alias.contains(&Unit::Unknown) || alias == name
}

/// A command of which only the arguments are known.
fn anything(words: &[Word]) -> Vec<Word> {
    [vec![Unit::Unknown]].into_iter().chain(words.iter().skip(1).cloned()).collect()
}
