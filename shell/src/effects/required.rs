//! Which commands must succeed so that a line does.

use std::ops;

use super::{Act, Actions};
use crate::syntax::{self, CommandKind, Joint, List, Pipeline};
use crate::token::{Range, long};

/// Commands that end a shell, or change what its result is.
const ENDS: [&str; 7] = ["break", "continue", "exec", "exit", "kill", "return", "trap"];

/// For each command, whether the success of its line implies its success.
pub(super) fn commands(actions: &Actions) -> Vec<bool> {
    let mut required = vec![false; actions.commands().len()];
    for (line, (from, to)) in &actions.lines {
        let commands = || actions.commands().take(long(*to)).skip(long(*from));
        let mut spans = Vec::new();
        if !commands().any(ends)
            && let Ok(list) = syntax::parse(actions.text(*line).text)
        {
            self::required(&list, commands().next().is_some_and(sets_pipefail), &mut spans);
        }
        let is_required = |command: Act<'_>| {
            let is_in = |(from, to): Range| {
                spans.iter().any(|outer| outer.start <= long(from) && long(to) <= outer.end)
            };
            command.starter().is_none() && !command.is_captured() && command.facts.span.is_some_and(is_in)
        };
        for (command, flag) in commands().zip(required.iter_mut().skip(long(*from))) {
            *flag = is_required(command);
        }
    }
    required
}

/// Whether a command ends the shell, or changes what its result is.
fn ends(command: Act<'_>) -> bool {
    command.words().len() > 0 && command.name().is_none_or(|name| ENDS.contains(&name))
}

/// Whether a command makes the first failure of a pipeline its result.
fn sets_pipefail(command: Act<'_>) -> bool {
    command.name() == Some("set") && command.words().any(|word| word.as_literal() == Some("pipefail"))
}

/// The programs that must succeed so that a list does.
fn required(list: &List, is_pipefail: bool, spans: &mut Vec<ops::Range<usize>>) {
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

fn required_of(pipeline: &Pipeline, is_pipefail: bool, spans: &mut Vec<ops::Range<usize>>) {
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
