//! What to write instead of a wrong command line.

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Command, CommandFactory};

use crate::args::Cli;

/// What people type who know other programs, and what to write instead.
const MEANT: [(&str, &str); 22] = [
    ("lint", "hookc check"),
    ("validate", "hookc check"),
    ("verify", "hookc check"),
    ("format", "hookc fmt"),
    ("logs", "hookc log"),
    ("docs", "hookc guide"),
    ("simulate", "hookc explain"),
    ("why", "hookc explain"),
    ("--json", "--format json"),
    ("--command", "--tool Bash --input command='LINE'"),
    ("--tool-input", "--input NAME=VALUE"),
    ("--file", "--input file_path=PATH"),
    ("--agent", "--host"),
    ("--output", "--format json"),
    ("--fail-on", "--deny warnings"),
    ("--fail-on-warnings", "--deny warnings"),
    ("--warnings-as-errors", "--deny warnings"),
    ("--no-color", "--color never"),
    ("--global", "--scope user"),
    ("--dry-run", "--diff"),
    ("-k", "--filter NAME"),
    ("-t", "--filter NAME"),
];

/// A call of each verb that needs arguments.
const EXAMPLES: [&str; 18] = [
    "hookc eval guard.yaml events.ndjson",
    "hookc explain guard.yaml --event PreToolUse --tool Bash --input command='git push'",
    "hookc convert guard.yaml --to directive-xml",
    "hookc fmt guard.yaml",
    "hookc replay guard.yaml decisions.jsonl",
    "hookc disasm guard.hookc",
    "hookc bench guard.yaml events.ndjson",
    "hookc path '$.tool_input.command' event.json",
    "hookc run --host claude guard.yaml",
    "hookc install claude guard.yaml",
    "hookc uninstall claude",
    "hookc probe claude",
    "hookc emit PromptSubmit",
    "hookc completions bash",
    "hookc starter show guard",
    "hookc starter add guard",
    "hookc history clear --all",
    "hookc history verify FILE",
];

/// The verb or the option that is meant, if the typed name does not exist.
pub(super) fn instead(error: &clap::Error, words: &[String]) -> Option<String> {
    let kind = match error.kind() {
        ErrorKind::InvalidSubcommand => ContextKind::InvalidSubcommand,
        ErrorKind::UnknownArgument => ContextKind::InvalidArg,
        _ => return None,
    };
    let Some(ContextValue::String(typed)) = error.get(kind) else { return None };
    let verbs = Verbs::new(words);
    let meant = MEANT.iter().find(|(word, instead)| word == typed && verbs.has_option(instead));
    match meant {
        Some((typed, instead)) => Some(format!("there is no `{typed}`: write `{instead}`")),
        None if verbs.names == ["effects"] && !typed.starts_with('-') => Some(
            "`effects` takes one command line: write it in quotes, `hookc effects 'git push --force'`"
                .to_owned(),
        ),
        None => None,
    }
}

/// A line after an error of the command line: a call of the verb that needs arguments, or the options that it has.
pub(super) fn more(error: &mut clap::Error, words: &[String]) -> Option<String> {
    let verbs = Verbs::new(words);
    match error.kind() {
        ErrorKind::MissingRequiredArgument => Some(format!("For example: {}", verbs.example()?)),
        ErrorKind::UnknownArgument if error.get(ContextKind::SuggestedArg).is_none() => {
            // Whoever writes an option that does not exist rarely means a value.
            error.remove(ContextKind::Suggested);
            Some(format!("Options of `hookc {}`: {}", verbs.names.join(" "), verbs.options()?.join(", ")))
        }
        _ => None,
    }
}

/// The verbs of a command line: `starter show`.
struct Verbs {
    names: Vec<String>,
    /// The last one.
    command: Command,
}

impl Verbs {
    fn new(words: &[String]) -> Self {
        let mut command = Cli::command();
        command.build();
        let mut names = Vec::new();
        for word in words.iter().skip(1) {
            let Some(verb) = command.find_subcommand(word).cloned() else { continue };
            names.push(verb.get_name().to_owned());
            command = verb;
        }
        Self { names, command }
    }

    /// Whether the verb has the option with which a text starts; true for a text without an option.
    fn has_option(&self, text: &str) -> bool {
        let Some(option) = text.strip_prefix("--").and_then(|text| text.split(' ').next()) else {
            return true;
        };
        self.command.get_arguments().any(|argument| argument.get_long() == Some(option))
    }

    /// The options that only this verb has.
    fn options(&self) -> Option<Vec<String>> {
        let local = self.command.get_arguments().filter(|argument| !argument.is_global_set());
        let names =
            local.filter(|argument| !argument.is_hide_set()).filter_map(|argument| argument.get_long());
        let names: Vec<String> =
            names.filter(|name| *name != "help").map(|name| format!("--{name}")).collect();
        (!names.is_empty() && !self.names.is_empty()).then_some(names)
    }

    fn example(&self) -> Option<&'static str> {
        let start = format!("hookc {} ", self.names.join(" "));
        EXAMPLES.iter().copied().find(|example| example.starts_with(&start))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(line: &str) -> Vec<String> {
        line.split(' ').map(|word| word.trim_matches('\'').to_owned()).collect()
    }

    /// Every verb, with the ones below it.
    fn verbs(command: &Command, above: &str, out: &mut Vec<String>) {
        for verb in command.get_subcommands().filter(|verb| verb.get_name() != "help") {
            let name = format!("{above} {}", verb.get_name());
            verbs(verb, &name, out);
            out.push(name);
        }
    }

    #[test]
    fn every_verb_that_needs_arguments_has_an_example() {
        let mut known_verbs = Vec::new();
        verbs(&Cli::command(), "hookc", &mut known_verbs);
        let missing = |verb: &String| {
            let error = Cli::command().try_get_matches_from(words(verb)).err();
            error.is_some_and(|error| error.kind() == ErrorKind::MissingRequiredArgument)
        };
        let without: Vec<_> = known_verbs.into_iter().filter(missing).collect();
        let has = |verb: &String| Verbs::new(&words(verb)).example().is_some();
        let wrong: Vec<_> = without.iter().filter(|verb| !has(verb)).collect();
        // It needs a program that asks it.
        assert_eq!(wrong, ["hookc ability run"]);
    }

    #[test]
    fn examples_are_command_lines() {
        for example in EXAMPLES {
            let parsed = Cli::command().try_get_matches_from(words(&example.replace("'git push'", "git")));
            assert!(parsed.is_ok(), "{example}: {:?}", parsed.err());
        }
    }

    #[test]
    fn what_is_meant_exists() {
        for (word, instead) in MEANT.iter().filter(|(_, instead)| instead.starts_with("--")) {
            let mut known_verbs = Vec::new();
            verbs(&Cli::command(), "hookc", &mut known_verbs);
            assert!(known_verbs.iter().any(|verb| Verbs::new(&words(verb)).has_option(instead)), "{word}");
        }
    }
}
