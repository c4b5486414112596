//! Which commands must succeed so that a line does.

use super::actions::{Actions, CommandFacts};
use crate::arguments::Reading;
use crate::programs::Attribute;
use crate::token::long;

/// What the exit status of a command says.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Status {
    /// Nothing about other commands.
    #[default]
    Own,
    /// It is 0 only if the command that it starts succeeds.
    Command,
    /// It ends its shell, or changes what the result of that is.
    Shell,
}

/// Options that replace what a program does.
const HELP: [&str; 2] = ["help", "version"];

impl Status {
    /// Of a command, along its row.
    pub(super) fn new(reading: &Reading<'_>) -> Self {
        let is_open = || {
            reading.has_unlisted
                || reading.has(Attribute::Dry)
                || reading.flags.iter().any(|flag| HELP.contains(&flag.name))
        };
        match reading.text("status") {
            Some("shell") => Self::Shell,
            Some("command") if !is_open() => Self::Command,
            _ => Self::Own,
        }
    }
}

/// For each command, whether the success of its line implies its success.
pub(super) fn commands(actions: &Actions) -> Vec<bool> {
    let mut required = vec![false; actions.commands.len()];
    for (_, (from, to)) in &actions.lines {
        let range = long(*from)..long(*to);
        let commands = actions.commands.get(range.clone()).unwrap_or_default();
        if commands.iter().any(ends) {
            continue;
        }
        for (number, command) in range.zip(commands) {
            let starter = command.starter.map(long);
            let passes = |starter: usize| {
                let status = actions.commands.get(starter).map(|starter| starter.status);
                status == Some(Status::Command) && required.get(starter) == Some(&true)
            };
            let is_required = command.is_required && starter.is_none_or(passes);
            required.get_mut(number).into_iter().for_each(|flag| *flag = is_required);
        }
    }
    required
}

/// Whether a command can end its shell, or change what the result of that is.
const fn ends(command: &CommandFacts) -> bool {
    let (from, to) = command.words;
    from < to && (command.name.is_none() || matches!(command.status, Status::Shell))
}
