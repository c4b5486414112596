//! Command lines: any text has a view within the limits, or a problem within it. The first line is
//! the working directory.

use hookc_shell::limits;
use hookc_shell::programs::Programs;
use hookc_shell::syntax::{CommandKind, parse};
use hookc_shell::units::read;
use hookc_shell::{Command, Context, Word, Wrapper, view, with_commands};
use hookc_vm::format::file;
use hookc_vm::limits::FILE_PATH_BYTES;

/// A text as the path of a file: `ok` is whether its path is known, which has no `..` and no end `/`, and is in the
/// directory only if that starts it.
fn path_of_file(text: &str, cwd: &str) {
    let file_view = file::view(text, Some(cwd));
    assert!(file_view.len() <= 16 * FILE_PATH_BYTES + 256, "a view of {} bytes", file_view.len());
    let value: serde_json::Value = serde_json::from_str(&file_view).unwrap_or_default();
    let member = |name: &str| value.get(name).and_then(serde_json::Value::as_str);
    let flag = |name: &str| value.get(name).and_then(serde_json::Value::as_bool);
    assert_eq!(flag("ok"), Some(member("path").is_some()), "{file_view}");
    assert_eq!(member("reason").is_none(), member("path").is_some(), "{file_view}");
    assert_eq!(flag("inside") == Some(true), member("relative").is_some(), "{file_view}");
    let Some(path) = member("path") else { return };
    assert!(path.starts_with('/') || path == "~" || path.starts_with("~/"), "{file_view}");
    assert!(path == "/" || !path.ends_with('/'), "{file_view}");
    assert!(path.split('/').skip(1).all(|part| !matches!(part, "." | "..")), "{file_view}");
}

/// Holes are in order and in the text of their word.
fn holes(word: Word<'_>) {
    let mut end = 0;
    for hole in word.holes() {
        assert!(hole.range.start >= end && !hole.text.is_empty(), "{word:?}");
        assert_eq!(word.text().get(hole.range.clone()), Some(hole.text), "{word:?}");
        end = hole.range.end;
    }
    assert!(word.literal().is_none() || word.is_known(), "{word:?}");
}

/// What a typed command has is on the line.
fn command(command: Command<'_>, count: usize) {
    let words = command.words().len();
    command.words().for_each(holes);
    for flag in command.flags().chain(command.global_flags()) {
        assert!(flag.at() > 0 && flag.at() < words, "{command:?}: {flag:?}");
        assert!(
            command.has_flag(flag.name()) || command.has_global_flag(flag.name()),
            "{command:?}: {flag:?}"
        );
        flag.value().into_iter().for_each(holes);
    }
    for (at, operand) in command.placed_operands() {
        assert!(at > 0 && at < words, "{command:?}: {operand:?}");
    }
    assert!(command.starter().is_none_or(|starter| starter.number() < command.number()), "{command:?}");
    assert!(command.runs().chain(command.pipes_to()).all(|other| other.number() < count), "{command:?}");
    assert!(command.cwd().paths().count() > 0, "{command:?}");
    command.redirects().for_each(|redirect| holes(redirect.word()));
}

/// The ranges of commands and words are in the text.
fn structure(text: &str) -> bool {
    let Ok(list) = parse(text) else { return false };
    for command in list.pipelines.iter().flat_map(|pipeline| &pipeline.commands) {
        let written = command.span.clone().and_then(|span| text.get(span));
        assert!(written.is_some_and(|name| !name.is_empty()), "{command:?}");
        let CommandKind::Simple { words, .. } = &command.kind else { continue };
        for word in words {
            let written = word.span.clone().and_then(|span| text.get(span));
            assert!(written.is_some_and(|name| !name.is_empty()), "{word:?}");
        }
    }
    true
}

/// A command line, which is also read as the path of a file.
pub fn shell(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let (cwd, wrapper) = text.split_once('\n').unwrap_or((text, ""));
    let (options, words): (Vec<&str>, Vec<&str>) = wrapper.split(' ').partition(|word| word.starts_with('-'));
    let name = words.first().copied().unwrap_or_default();
    let wrapper = Wrapper::new(name).with_options(options).with_operands(words.len() % 8);
    // No policy declares one without a name.
    let wrappers = if name.is_empty() { Vec::new() } else { vec![wrapper] };
    let has_wrapper = !wrappers.is_empty();
    let programs = Programs::new(wrappers, Vec::new()).unwrap_or_default();
    path_of_file(text, cwd);
    let shell_view = view(text, Some(cwd), &programs);
    assert!(shell_view.len() <= limits::SHELL_VIEW_BYTES, "a view of {} bytes", shell_view.len());
    let value: serde_json::Value = serde_json::from_str(&shell_view).unwrap_or_default();
    let ok = value.get("ok").and_then(serde_json::Value::as_bool);
    assert!(ok.is_some(), "{shell_view}");
    let commands = value.get("commands").and_then(serde_json::Value::as_array).map_or(0, Vec::len);
    assert!(commands <= limits::SHELL_COMMANDS, "too many commands");
    assert!(structure(text) || ok == Some(false), "{shell_view}");
    let context = Context { cwd: Some(cwd), programs: &programs };
    let typed = with_commands(text, &context, |typed| {
        typed.iter().for_each(|one| command(one, typed.len()));
        assert!(typed.variables().is_sorted_by(|a, b| a.name < b.name), "{typed:?}");
        typed.len()
    });
    assert!(ok != Some(true) || typed == Ok(commands), "{shell_view}");
    match read(text) {
        Ok(line) => {
            assert!(line.commands.len() <= limits::SHELL_COMMANDS, "too many commands");
            let units: usize = line.commands.iter().flat_map(|command| &command.words).map(Vec::len).sum();
            assert!(units <= limits::SHELL_STEPS * 8, "too much text");
        }
        Err(problem) => {
            assert!(problem.at <= text.len(), "{problem:?} is after the text");
            // With a wrapper there can be less work.
            assert!(ok == Some(false) || has_wrapper, "{shell_view}");
        }
    }
}
