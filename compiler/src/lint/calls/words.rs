//! What the words of a command say of its status and its output.

use std::ops::Range;

use hookc_shell::programs::find;
use hookc_shell::syntax::{Command, CommandKind, Pipeline, Word};

/// The range of a pipeline.
pub(super) fn whole(pipeline: &Pipeline) -> Option<Range<usize>> {
    let (first, last) = (pipeline.commands.first()?, pipeline.commands.last()?);
    Some(first.span.as_ref()?.start..last.span.as_ref()?.end)
}

/// The words of a pipeline of one program.
pub(super) fn words(pipeline: &Pipeline) -> Option<Vec<&str>> {
    match pipeline.commands.as_slice() {
        [Command { kind: CommandKind::Simple { words, .. }, .. }] if !pipeline.is_negated => {
            Some(words.iter().map(|word| word.text.as_str()).collect())
        }
        _ => None,
    }
}

/// Whether a pipeline certainly succeeds, or certainly fails.
pub(super) fn certain(pipeline: &Pipeline) -> Option<bool> {
    match words(pipeline)?.first().copied()? {
        "true" | ":" => Some(true),
        "false" => Some(false),
        _ => None,
    }
}

/// Whether nothing runs after a pipeline.
pub(super) fn is_end(pipeline: &Pipeline) -> bool {
    let words = words(pipeline).unwrap_or_default();
    matches!(words.as_slice(), ["exit", ..] | ["exec", _, ..])
}

pub(super) fn base(program: &str) -> &str {
    program.rsplit('/').next().unwrap_or(program)
}

pub(super) fn prints(program: &str) -> Option<&'static str> {
    find(base(program)).and_then(|row| row.text("prints"))
}

pub(super) fn prints_words(program: &str) -> bool {
    prints(program) == Some("words")
}

/// Whether a command prints its input: `cat`, `tee FILE`.
pub(super) fn copies(command: &Command) -> bool {
    let CommandKind::Simple { words, .. } = &command.kind else { return false };
    let Some((first, rest)) = words.split_first() else { return false };
    let reads_files = find(base(&first.text))
        .and_then(|row| row.text("operands"))
        .is_some_and(|operands| !operands.starts_with("WRITE"));
    let is_input = |word: &Word| word.text.starts_with('-') && word.parts.is_empty();
    prints(&first.text) == Some("input") && (!reads_files || rest.iter().all(is_input))
}

/// Whether a command prints nothing, or a text that is written in the line.
pub(super) fn says_nothing_new(command: &Command) -> bool {
    let CommandKind::Simple { words, .. } = &command.kind else { return false };
    let Some((first, rest)) = words.split_first() else { return false };
    let is_fixed = rest.iter().all(|word| word.parts.is_empty());
    matches!(first.text.as_str(), "true" | ":" | "false") || prints_words(&first.text) && is_fixed
}
