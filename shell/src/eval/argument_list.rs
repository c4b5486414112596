//! What a program starts and sets by its words, for callers that read a list of arguments.

use super::super::programs::{Program, base_name};
use super::super::token::{Token, Words};
use super::arguments::{CodeOperands, Starts};
use super::{Seen, Walk};

/// What a program starts and sets.
pub(crate) struct Started {
    /// The words of each command that it starts.
    pub(crate) commands: Vec<Words>,
    /// The variables that it sets.
    pub(crate) env: Vec<Token>,
    /// Whether an operand can be one more command.
    pub(crate) may_have_more: bool,
}

impl Walk {
    /// Adds a command that no line has, and returns its number.
    pub(crate) fn add_command(&mut self, words: Words) -> usize {
        self.commands.push(Seen { words, ..Seen::default() });
        self.commands.len() - 1
    }

    /// What a program starts and sets by its words; `None` if that is too much work.
    pub(crate) fn starts_by_words(
        &mut self,
        number: usize,
        program: &'static Program,
        name: &str,
        words: Words,
    ) -> Option<Started> {
        let mut call = self.spare.calls.pop().unwrap_or_default();
        call.start(Some(program), self.operands.len());
        self.read_arguments(number, words, &mut call).ok()?;
        let mut commands: Vec<Words> = call.commands.iter().map(|(words, _)| *words).collect();
        let is_open = call.split.is_some_and(|text| !self.arena.is_known(text));
        let takes_first =
            call.code_operands != CodeOperands::All && call.starts != Starts::Nothing && !is_open;
        let first = if takes_first { self.inner_of(number, program, words, &mut call) } else { None };
        commands.extend(first.map(|inner| self.own_form(base_name(name), inner)));
        let env = call.environment.settings.clone();
        self.spare.calls.push(call);
        Some(Started { commands, env, may_have_more: takes_first && first.is_none() })
    }
}
