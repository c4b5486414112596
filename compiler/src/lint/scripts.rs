//! The command lines of handlers, as trees.

use hookc_shell::syntax::{Command, CommandKind, List};

/// The lists in a command, with those of the function that it defines.
pub(super) fn lists(command: &Command) -> Vec<&List> {
    match &command.kind {
        CommandKind::Group(list) | CommandKind::Subshell(list) | CommandKind::Coprocess(list) => vec![list],
        CommandKind::If { branches, otherwise } => {
            branches.iter().flat_map(|(condition, body)| [condition, body]).chain([otherwise]).collect()
        }
        CommandKind::While { condition, body } => vec![condition, body],
        CommandKind::For { body, .. } | CommandKind::Count { body, .. } => vec![body],
        CommandKind::Case { arms, .. } => arms.iter().map(|arm| &arm.body).collect(),
        CommandKind::Function { body, .. } => lists(body),
        CommandKind::Simple { .. } | CommandKind::Test(_) | CommandKind::Empty => Vec::new(),
    }
}

/// The commands of a list.
pub(super) fn commands(list: &List) -> impl Iterator<Item = &Command> {
    list.pipelines.iter().flat_map(|pipeline| &pipeline.commands)
}
