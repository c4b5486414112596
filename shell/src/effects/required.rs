//! Which commands must succeed so that a line does.

use std::ops::Range;

use crate::syntax::{self, CommandKind, Joint, List, Pipeline};
use crate::{Command, Commands, Word};

/// Commands that end a shell, or change what its result is.
const ENDS: [&str; 7] = ["break", "continue", "exec", "exit", "kill", "return", "trap"];

/// Whether the success of the line implies the success of each command.
pub(super) fn commands(line: &str, commands: Commands<'_>) -> Vec<bool> {
    let ends = |command: Command<'_>| command.name().is_none_or(|name| ENDS.contains(&name));
    let mut spans = Vec::new();
    if !commands.iter().any(|command| command.program().is_some() && ends(command))
        && let Ok(list) = syntax::parse(line)
    {
        required(&list, sets_pipefail(commands), &mut spans);
    }
    let is_required = |command: Command<'_>| {
        let span = command.program().and_then(Word::span);
        let is_in =
            |span: Range<usize>| spans.iter().any(|outer| outer.start <= span.start && span.end <= outer.end);
        command.starter().is_none() && !command.is_captured() && span.is_some_and(is_in)
    };
    commands.iter().map(is_required).collect()
}

/// Whether the line starts with a command that makes the first failure of a pipeline its result.
fn sets_pipefail(commands: Commands<'_>) -> bool {
    let first = commands.get(0).filter(|command| command.name() == Some("set"));
    let mut words = first.into_iter().flat_map(|command| command.words());
    words.any(|word| word.literal() == Some("pipefail"))
}

/// The programs that must succeed so that a list does.
fn required(list: &List, is_pipefail: bool, spans: &mut Vec<Range<usize>>) {
    for pipeline in list.pipelines.iter().rev() {
        if pipeline.joint == Joint::Or {
            return;
        }
        if !pipeline.is_negated && !pipeline.is_background {
            required_of(pipeline, is_pipefail, spans);
        }
        if pipeline.joint == Joint::Next {
            return;
        }
    }
}

fn required_of(pipeline: &Pipeline, is_pipefail: bool, spans: &mut Vec<Range<usize>>) {
    let skipped = if is_pipefail { 0 } else { pipeline.commands.len().saturating_sub(1) };
    for command in pipeline.commands.iter().skip(skipped) {
        match &command.kind {
            CommandKind::Simple { words, .. } => {
                spans.extend(words.first().and_then(|word| word.span.clone()));
            }
            CommandKind::Group(list) | CommandKind::Subshell(list) => required(list, is_pipefail, spans),
            _ => {}
        }
    }
}
