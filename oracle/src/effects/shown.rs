//! Which commands have an output that can be seen.

use super::commands::parsed;
use super::line::{Command, Line, Word};
use super::model::{Effect, Kind, Scheme};
use super::table::Rows;

/// Commands of a line by their number.
pub(super) struct Seen {
    /// What they print of variables and stores can be seen.
    names: Vec<bool>,
    /// What they print of files can be seen, or is passed on.
    files: Vec<bool>,
}

/// Roles of words that start something.
pub(super) const STARTS: [&str; 11] =
    ["LINE", "LINES", "CODE", "EXPR", "SQL", "SETTING", "SCRIPT", "LOAD", "MODULE", "COMMAND", "WORDS"];

impl Seen {
    pub(super) fn new(rows: &Rows, line: &Line) -> Self {
        let mut seen = Self { names: Vec::new(), files: Vec::new() };
        for command in &line.commands {
            seen.names.push(!command.is_captured || command.is_traced);
            seen.files.push(!command.is_captured || command.is_traced);
        }
        for (number, command) in line.commands.iter().enumerate().rev() {
            let arguments = parsed(rows, command).arguments;
            if arguments.row.as_ref().is_some_and(|row| row.is("silent")) {
                continue;
            }
            let word = |at: &usize| command.words.get(*at);
            let operands: Vec<&Word> = arguments.operands.iter().filter_map(|(at, ..)| word(at)).collect();
            let is_started = |at: usize| {
                let mut roles = arguments.roles.iter().filter(|argument| argument.at == at);
                roles.any(|argument| STARTS.contains(&argument.role.as_str()))
            };
            let words = command.words.iter().enumerate().skip(1).filter(|(at, _)| !is_started(*at));
            let contents: Vec<&Word> = words.map(|(_, word)| word).chain(bodies(command)).collect();
            pass(&mut seen.names, number, &operands);
            pass(&mut seen.files, number, &contents);
        }
        seen
    }

    /// A read that nobody sees is a use.
    pub(super) fn hide(&self, number: usize, effects: &mut [Effect]) {
        for effect in effects.iter_mut().filter(|effect| effect.kind == Kind::Read) {
            let seen = match effect.scheme {
                Scheme::File => &self.files,
                _ => &self.names,
            };
            if !seen.get(number).copied().unwrap_or(true) {
                effect.kind = Kind::Use;
            }
        }
    }
}

/// Texts that a command reads, and commands whose output it reads like a file.
fn bodies(command: &Command) -> impl Iterator<Item = &Word> {
    command.redirects.iter().filter(|redirect| !redirect.is_inherited).map(|redirect| &redirect.word)
}

/// What a command shows that can be seen, can be seen too.
fn pass(seen: &mut [bool], number: usize, words: &[&Word]) {
    if seen.get(number) == Some(&true) {
        for origin in words.iter().flat_map(|word| &word.origins) {
            seen.get_mut(*origin).into_iter().for_each(|is_seen| *is_seen = true);
        }
    }
}
