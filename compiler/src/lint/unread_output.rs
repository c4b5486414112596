//! Handlers that print an answer, or context for the model, where only their exit status is read (W0668).

use std::ops::Range;

use hookc_schema::agents;
use hookc_schema::tree::Hook;
use hookc_schema::value::{Kind, Value};
use hookc_schema::{Code, Diagnostic};
use hookc_shell::programs::find;
use hookc_shell::programs::interpreters::interpreter;
use hookc_shell::syntax::{self, Command, CommandKind, Joint, List, Pipeline};
use hookc_shell::{Context, units, with_commands};

use super::exit_status::words;
use super::scripts;

/// Members of the answers of agents that nothing else has.
const ANSWER: [&str; 2] = ["\"hookSpecificOutput\"", "\"permissionDecision\""];

pub(super) fn check(hook: &Hook) -> Option<Diagnostic> {
    let result = hook.param("result").and_then(Value::as_str);
    let in_background = hook.param("async").is_some_and(|value| value.kind == Kind::Bool(true));
    if in_background || result.is_some_and(|result| result != "status") {
        return None;
    }
    let events = || hook.events.iter().map(|event| event.node.as_str());
    // Elsewhere, other results are read.
    if !events().any(|event| !agents::capabilities(event).event.is_empty()) {
        return None;
    }
    let (value, commands) = commands(hook)?;
    if commands.iter().any(|command| prints_answer(command)) {
        let new =
            Diagnostic::new(Code::W0668, value.span, "nothing reads the answer that this command prints");
        let new = new.with_label("only its exit status counts").note("an answer that allows has no effect");
        return Some(new.help("write `result: agent`"));
    }
    let line = value.as_str().unwrap_or_default();
    let list = syntax::parse(line).unwrap_or_default();
    if let Some(text) = lost_reason(&list).and_then(|span| line.get(span)) {
        let new = Diagnostic::new(Code::W0668, value.span, "nothing reads the text that this command prints");
        let new = new.with_label("standard error is the reason of the denial");
        return Some(new.help(format!("write `{text} >&2`")));
    }
    let last = last(&list).and_then(|command| line.get(command.span.clone()?));
    let is_shown = last.is_some_and(|last| is_text(last) || says(last, "reports").as_deref() == Some("true"));
    let event = events().find(|event| agents::capabilities(event).text).filter(|_| is_shown)?;
    let what = format!("nothing reads what this command prints at `{event}`");
    let new = Diagnostic::new(Code::W0668, value.span, what).with_label("only its exit status counts");
    Some(new.help("write `result: agent`: the text becomes context for the model"))
}

/// The words of each command that a handler starts, with the parameter that has them.
pub(super) fn commands(hook: &Hook) -> Option<(&Value, Vec<Vec<String>>)> {
    if let Some(argv) = hook.param("argv") {
        let words = argv.items().iter().filter_map(Value::as_str).map(str::to_owned);
        return Some((argv, vec![words.collect()]));
    }
    let command = hook.param("command").filter(|_| hook.param("args").is_none())?;
    Some((command, words(&units::read(command.as_str()?).ok()?)))
}

/// Whether a command prints an answer of an agent: as an argument, or by code.
fn prints_answer(words: &[String]) -> bool {
    let Some((program, arguments)) = words.split_first() else { return false };
    let name = program.rsplit('/').next().unwrap_or(program);
    let has_code = || arguments.iter().any(|word| matches!(word.as_str(), "-c" | "-e"));
    let prints = prints_words(name) || interpreter(name).is_some() && has_code();
    prints
        && arguments.iter().any(|word| ANSWER.iter().any(|member| word.replace('\'', "\"").contains(member)))
}

/// A command that is a pipeline of its own, without redirections.
fn alone(pipeline: &Pipeline) -> Option<&Command> {
    let is_alone = !pipeline.is_negated && !pipeline.is_background && pipeline.joint != Joint::Or;
    let [command] = pipeline.commands.as_slice() else { return None };
    (is_alone && command.redirects.is_empty()).then_some(command)
}

/// The program that a list ends with.
fn last(list: &List) -> Option<&Command> {
    let command = list.pipelines.last().and_then(alone)?;
    match &command.kind {
        CommandKind::Simple { .. } => Some(command),
        CommandKind::Group(list) => last(list),
        _ => None,
    }
}

/// Where the text in front of an `exit` that denies is, which goes to standard output.
fn lost_reason(list: &List) -> Option<Range<usize>> {
    let denies = |command: &Command| match &command.kind {
        CommandKind::Simple { words, .. } => match words.as_slice() {
            [exit, status] => exit.text == "exit" && status.text.parse().is_ok_and(|status: u8| status > 0),
            _ => false,
        },
        _ => false,
    };
    let is_exit = |pipeline: &Pipeline| alone(pipeline).is_some_and(denies);
    let printed = |pipeline: &Pipeline| {
        let command = alone(pipeline)?;
        let CommandKind::Simple { words, .. } = &command.kind else { return None };
        prints_words(&words.first()?.text).then(|| command.span.clone())?
    };
    let mut pairs = list.pipelines.windows(2);
    let here = pairs.find_map(|pair| match pair {
        [text, exit] if is_exit(exit) => printed(text),
        _ => None,
    });
    // A redirection, a pipe or the call of a function can send the text to standard error.
    let with_same_output = |pipeline: &Pipeline| match pipeline.commands.as_slice() {
        [command] => command.redirects.is_empty() && !matches!(command.kind, CommandKind::Function { .. }),
        _ => false,
    };
    let inner = list.pipelines.iter().filter(|pipeline| with_same_output(pipeline));
    here.or_else(|| {
        inner.flat_map(|pipeline| &pipeline.commands).flat_map(scripts::lists).find_map(lost_reason)
    })
}

/// Whether a command prints a text.
fn is_text(command: &str) -> bool {
    says(command, "prints").as_deref() == Some("words")
}

/// What the row of a command says about it.
fn says(command: &str, key: &str) -> Option<String> {
    let context = Context::default();
    with_commands(command, &context, |commands| {
        let named = commands.iter().find(|command| command.starter().is_none() && !command.is_captured());
        named.and_then(|command| command.says(key)).map(str::to_owned)
    })
    .ok()?
}

/// Whether a program prints its arguments.
fn prints_words(program: &str) -> bool {
    find(program).is_some_and(|row| row.text("prints") == Some("words"))
}
