//! The command line for completion scripts: with the values of options, and without the internal
//! verb.
//!
//! The parser does not know these values: it would reject others with its own message, while the
//! verbs suggest a correction.

use std::collections::BTreeSet;
use std::fmt::Write;

use clap::builder::PossibleValuesParser;
use clap::{Arg, Command, CommandFactory};
use hookc_compiler::Dialect;
use hookc_runtime::adapter;
use hookc_schema::agents;
use hookc_schema::diag::ALL_CODES;
use hookc_schema::publish::Schema;
use hookc_schema::vocab::Vocabulary;

use super::guide::Topic;
use super::new::DIALECTS;
use super::vocabulary;
use crate::args::Cli;
use crate::starters;

/// The command for scripts.
pub(super) fn command() -> Command {
    let cli = Cli::command();
    let mut command = Command::new("hookc").version(env!("CARGO_PKG_VERSION"));
    if let Some(about) = cli.get_about() {
        command = command.about(about.clone());
    }
    let verbs = cli.get_subcommands().filter(|verb| !verb.is_hide_set()).cloned();
    command.args(cli.get_arguments().cloned()).subcommands(verbs.map(|verb| with_values("", verb)))
}

/// Lines of a script for fish: the values of positional arguments, which its generator omits.
pub(super) fn fish_arguments() -> String {
    let mut lines = String::new();
    for verb in command().get_subcommands() {
        let values = verb.get_positionals().flat_map(|arg| arg.get_possible_values());
        let values: Vec<String> = values.map(|value| value.get_name().to_owned()).collect();
        if !values.is_empty() {
            let (verb, values) = (verb.get_name(), values.join(" "));
            let _ = writeln!(
                lines,
                "complete -c hookc -n \"__fish_hookc_using_subcommand {verb}\" -f -a \"{values}\""
            );
        }
    }
    lines
}

/// A verb, and those below it, with the values of its arguments.
fn with_values(above: &str, verb: Command) -> Command {
    let name = format!("{above} {}", verb.get_name()).trim().to_owned();
    let flag = name.clone();
    verb.mut_args(move |arg| match values(&flag, &arg) {
        Some(values) => arg.value_parser(PossibleValuesParser::new(values)),
        None => arg,
    })
    .mut_subcommands(move |verb| with_values(&name, verb))
}

/// The allowed values of an argument, if it is a list of names.
fn values(verb: &str, arg: &Arg) -> Option<Vec<&'static str>> {
    Some(match (verb, arg.get_id().as_str()) {
        (_, "host" | "hosts") => adapter::all().map(|adapter| adapter.name()).collect(),
        ("new hook", "dialect") => DIALECTS.iter().map(|dialect| dialect.name()).collect(),
        (_, "to") => Dialect::written().map(Dialect::name).collect(),
        (_, "dialect") => Dialect::all().map(Dialect::name).collect(),
        (_, "event" | "events") => events(),
        ("new hook", "action") => lasting(Vocabulary::builtin().actions.keys().cloned()),
        ("guide", "topic") => Topic::ALL.iter().map(|topic| topic.name()).collect(),
        ("guide", "name") => agents::all().map(|agent| agent.name.as_str()).collect(),
        ("vocabulary", "name") => lasting(vocabulary::names()),
        ("schema", "name") => Schema::all().map(Schema::name).collect(),
        ("starter show" | "starter add", "name") | ("run", "or_starter") => {
            starters::starters().map(|starter| starter.name).collect()
        }
        ("new", "recipe") => starters::recipes().map(|recipe| recipe.name).collect(),
        ("explain-code", "code") => ALL_CODES.iter().map(|code| code.name()).collect(),
        _ => return None,
    })
}

/// The events of all vocabularies, each once.
fn events() -> Vec<&'static str> {
    let vocabulary = Vocabulary::builtin();
    let names: BTreeSet<String> = vocabulary.events.keys().map(|(_, name)| name.clone()).collect();
    lasting(names)
}

/// Names for the rest of the process, which ends when the script is written.
fn lasting(names: impl IntoIterator<Item = String>) -> Vec<&'static str> {
    names.into_iter().map(|name| &*name.leak()).collect()
}

#[cfg(test)]
mod tests {
    use super::command;

    #[test]
    fn scripts_offer_values_and_no_hidden_verb() {
        for shell in [clap_complete::Shell::Bash, clap_complete::Shell::Zsh, clap_complete::Shell::Fish] {
            let mut script = Vec::new();
            clap_complete::generate(shell, &mut command(), "hookc", &mut script);
            let mut script = String::from_utf8(script).unwrap();
            if shell == clap_complete::Shell::Fish {
                assert!(script.contains("function __fish_hookc_using_subcommand"), "{script}");
                script += &super::fish_arguments();
            }
            assert!(!script.contains("run-handler") && !script.contains("run__handler"), "{shell}");
            for value in
                ["copilot", "directive-xml", "decision", "E0401", "PreToolUse", "pre_execute", "escalate"]
            {
                assert!(script.contains(value), "{shell} does not offer {value}");
            }
        }
    }
}
