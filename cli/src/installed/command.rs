//! Command lines of handlers: written with shell quoting, and parsed as far as possible without a
//! shell.

use std::borrow::Cow;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use clap::{Command, CommandFactory, Parser};
use hookc_runtime::adapter;
use hookc_shell::argv::{self, ArgumentText};
use hookc_shell::{Leading, leading};

use super::fallback::{self, Fallback};
use super::{cloud, location, version};
use crate::args::{Cli, Command as Verb};

/// The words of the first command of a line, without redirections.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Words<'l> {
    /// Without quotes; variables stay as written.
    pub(crate) words: Vec<String>,
    /// Whether the line consists only of these words.
    pub(crate) whole: bool,
    /// Whether another command could add words.
    pub(crate) open: bool,
    /// Whether it has redirections.
    pub(crate) redirects: bool,
    /// The rest of the line from the operator on, if there is one. A compound command, and a line
    /// that no shell can read, is part of the rest.
    pub(crate) rest: Option<&'l str>,
}

/// Reads the first command of a line as a shell does.
pub(crate) fn words(line: &str) -> Words<'_> {
    let line = line.trim_end();
    let Ok(Leading { words, redirects, substitutes, rest }) = leading(line) else {
        return Words { rest: Some(line), ..Words::default() };
    };
    let whole = !redirects && !substitutes && rest.is_empty();
    Words { words, whole, open: substitutes, redirects, rest: Some(rest).filter(|rest| !rest.is_empty()) }
}

/// The number of words before the program of a command: assignments, `!`, `time`, and programs that start the one in their
/// arguments.
pub(crate) fn before(words: &[String]) -> usize {
    let is_before = |word: &&String| assignment(word).is_some() || matches!(word.as_str(), "!" | "time");
    let first = words.iter().take_while(is_before).count();
    let argument = |word: &String| ArgumentText { text: Cow::Owned(word.clone()), is_open: false };
    let rest: Vec<_> = words.iter().skip(first).map(argument).collect();
    first + argv::last_program(&rest)
}

/// The name and the value of `NAME=VALUE`.
pub(crate) fn assignment(word: &str) -> Option<(&str, &str)> {
    let (name, value) = word.split_once('=')?;
    let plain = !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    plain.then_some((name, value))
}

/// A word that needs no quoting.
pub(crate) fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "_./:@%+=,-".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', "'\\''"))
}

/// A path below the directory in a variable.
pub(crate) fn below(variable: &str, path: &str) -> String {
    let mut word = format!("\"${variable}/");
    for c in path.chars() {
        if matches!(c, '"' | '\\' | '$' | '`') {
            word.push('\\');
        }
        word.push(c);
    }
    word.push('"');
    word
}

/// A command that `hookc install` may have written.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct InstalledCommand {
    pub(crate) program: String,
    pub(crate) host: String,
    pub(crate) event: Option<String>,
    pub(crate) verify_key: Option<String>,
    /// Whom it asks, if it says so.
    pub(crate) ask: Option<String>,
    pub(crate) policies: Vec<String>,
    /// The version of the `hookc` that wrote it.
    since: Option<String>,
    /// Whether it lets an event pass that it cannot decide.
    pub(crate) fails_open: bool,
}

impl InstalledCommand {
    /// The files that its policies are, seen from a project.
    pub(crate) fn files(&self, root: Option<&Path>) -> Vec<PathBuf> {
        self.policies.iter().map(|word| file(word, root)).collect()
    }

    /// The file of the key that its module is signed with.
    pub(crate) fn key_file(&self, root: Option<&Path>) -> Option<PathBuf> {
        self.verify_key.as_ref().map(|word| file(word, root))
    }
}

/// The file that a word is, seen from a project.
fn file(word: &str, root: Option<&Path>) -> PathBuf {
    match location::resolve(word, root, root, &|_| None) {
        Some(path) => location::real(&path),
        None => PathBuf::from(word),
    }
}

/// Parses a command line that consists of a call of `hookc run`. An invalid call is parsed as far
/// as possible.
pub(crate) fn ours(line: &str) -> Option<InstalledCommand> {
    let (line, _) = fallback::split(cloud::without_end(line));
    let Words { words, whole: true, .. } = words(line) else { return None };
    let (program, rest) = words.split_first()?;
    let mut words = rest.iter();
    let (mut host, mut event, mut verify_key, mut positional) = (None, None, None, Vec::new());
    let (mut since, mut ask, mut fails_open) = (None, None, false);
    while let Some(word) = words.next() {
        let (option, value) = match word.split_once('=') {
            Some((option, value)) if option.starts_with("--") => (option, Some(value.to_owned())),
            _ if takes_value(word) => (word.as_str(), words.next().cloned()),
            _ if word.len() > 1 && word.starts_with('-') => continue,
            _ => {
                positional.push(word.clone());
                continue;
            }
        };
        match option {
            "--host" => host = value,
            "--event" => event = value,
            "--verify-key" => verify_key = value,
            "--since" => since = value,
            "--ask" => ask = value,
            "--on-failure" => fails_open = value.as_deref() == Some("open"),
            _ => {}
        }
    }
    let (verb, policies) = positional.split_first()?;
    let ours = verb == "run" && (is_hookc(program) || is_run(rest));
    ours.then_some(InstalledCommand {
        program: program.clone(),
        host: host?,
        event,
        verify_key,
        ask,
        policies: policies.to_vec(),
        since,
        fails_open,
    })
}

/// A call as this version writes it: with its version and its fallback. Everything else stays. A call of a newer version
/// keeps it, and one that fails open gets no fallback.
pub(crate) fn upgraded(line: &str, fallback: Option<&Fallback>) -> Option<String> {
    let call = ours(line)?;
    let (bare, old) = fallback::split(line);
    let mut new = bare.trim_end().to_owned();
    let since = match call.since {
        Some(since) if !version::is_older(&since, version::OWN) => since,
        Some(since) => {
            let from = new.find(SINCE)? + SINCE.len();
            new.replace_range(from..from + since.len(), version::OWN);
            version::OWN.to_owned()
        }
        None => {
            new.push_str(SINCE);
            new.push_str(version::OWN);
            version::OWN.to_owned()
        }
    };
    if let Some(fallback) = fallback.filter(|_| old.is_some() || !call.fails_open).or(old.as_ref()) {
        new = fallback.wrap(&new);
    }
    // After a comment, nothing is added.
    (ours(&new)?.since? == since).then_some(new)
}

/// The option with the version, as `install` writes it.
pub(crate) const SINCE: &str = " --since ";

/// Whether an option of `run` takes its value from the next word.
fn takes_value(word: &str) -> bool {
    static VALUED: OnceLock<Vec<String>> = OnceLock::new();
    let valued = VALUED.get_or_init(|| {
        let cli = Cli::command();
        let run = cli.find_subcommand("run").into_iter().flat_map(Command::get_arguments);
        let valued = cli.get_arguments().chain(run).filter(|arg| arg.get_action().takes_values());
        valued.filter_map(|arg| Some(format!("--{}", arg.get_long()?))).collect()
    });
    valued.iter().any(|option| option == word)
}

/// Whether a program has the name of this one, or is this one.
pub(crate) fn is_hookc(program: &str) -> bool {
    let name = program.rsplit(['/', '\\']).next();
    name.is_some_and(|name| matches!(name, "hookc" | "hookc.exe")) || is_this(program)
}

fn is_this(program: &str) -> bool {
    let found = if program.contains('/') { Some(PathBuf::from(program)) } else { super::on_path(program) };
    let real = |path: PathBuf| path.canonicalize().ok();
    found.and_then(real).is_some_and(|found| std::env::current_exe().ok().and_then(real) == Some(found))
}

/// Whether these are the arguments of a call of `run`: a program that accepts them is hookc under
/// another name.
pub(crate) fn is_run(words: &[String]) -> bool {
    words.iter().any(|word| word == "run")
        && matches!(parsed(words), Ok(Cli { command: Verb::Run(run), .. }) if adapter::by_name(&run.host).is_some())
}

/// The arguments of a call as the command line parses them.
pub(crate) fn parsed(words: &[String]) -> Result<Cli, clap::Error> {
    Cli::try_parse_from(std::iter::once("hookc").chain(words.iter().map(String::as_str)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_as_a_shell_has_them() {
        let words_of = |line: &str| words(line).words;
        assert_eq!(words("a && b").rest, Some("&& b"));
        assert_eq!(words("a # && b").rest, None);
        assert_eq!(words("( a )").rest, Some("( a )"));
        assert_eq!(words("a 'b"), Words { rest: Some("a 'b"), ..Words::default() });
        assert!(!words("a 2>x").whole && !words("a 2>x").open && words("a $(b)").open);
        for word in ["a", "a b", "it's", "", "$x", "ü", "a\nb"] {
            assert_eq!(words_of(&quoted(word)), [word]);
        }
        assert_eq!(below("R", "a \"$b"), "\"$R/a \\\"\\$b\"");
    }

    #[test]
    fn words_before_the_program() {
        for (line, expected) in [
            ("a b", 0),
            ("A=1 a", 1),
            ("! time env A=1 B=2 exec a", 6),
            ("/usr/bin/env nice a", 2),
            ("sudo -u b a", 3),
            ("timeout 5 a run", 2),
            ("command -v a", 0),
            ("docker run a", 0),
            ("A=1", 1),
            ("exec", 0),
            ("", 0),
        ] {
            assert_eq!(before(&words(line).words), expected, "{line}");
        }
    }

    #[test]
    fn older_calls_are_upgraded() {
        let version = version::OWN;
        for (line, guarded, expected) in [
            (
                "hookc run --host claude p",
                true,
                format!("hookc run --host claude p --since {version} || exit 2"),
            ),
            ("hookc run --host claude p", false, format!("hookc run --host claude p --since {version}")),
            (
                "'/a run b/hookc'  run --host x p",
                true,
                format!("'/a run b/hookc'  run --host x p --since {version} || exit 2"),
            ),
            (
                "hookc run --since 0.0.9 --host claude p||exit 2 # x",
                false,
                format!("hookc run --since {version} --host claude p || exit 2"),
            ),
            (
                "hookc run --since 999.0.0 --host claude p",
                true,
                "hookc run --since 999.0.0 --host claude p || exit 2".to_owned(),
            ),
            (
                "hookc run --host claude --on-failure open p",
                true,
                format!("hookc run --host claude --on-failure open p --since {version}"),
            ),
            (
                "hookc run --host claude --on-failure=closed p",
                true,
                format!("hookc run --host claude --on-failure=closed p --since {version} || exit 2"),
            ),
        ] {
            let fallback = guarded.then_some(Fallback::ExitStatus);
            let new = upgraded(line, fallback.as_ref());
            assert_eq!(new.as_deref(), Some(expected.as_str()), "{line}");
            assert_eq!(
                upgraded(&expected, fallback.as_ref()).as_deref(),
                Some(expected.as_str()),
                "again: {line}"
            );
            assert!(ours(&expected).is_some(), "{expected}");
        }
        assert_eq!(upgraded("hookc run --host claude p # mine", Some(&Fallback::ExitStatus)), None);
        for line in [
            "hookc run --host claude p || true",
            "hookc run --host claude p >x || exit 2",
            "make run || exit 2",
        ] {
            assert_eq!(ours(line), None, "{line}");
        }
    }

    #[test]
    fn calls_of_run_are_known_again() {
        let read = ours("'/opt/my tools/hookc' run --host claude \"$CLAUDE_PROJECT_DIR/p.yaml\"").unwrap();
        assert_eq!(
            (read.host.as_str(), &read.policies[..]),
            ("claude", &["$CLAUDE_PROJECT_DIR/p.yaml".to_owned()][..])
        );
        let read = ours("hookc run --host=copilot --event stop --no-log --on-failure open a b").unwrap();
        assert_eq!((read.event.as_deref(), read.policies.len()), (Some("stop"), 2));
        for line in [
            "hookc -q run --host claude --bogus p",
            "hookc run --host claude --on-failure opne p",
            "/opt/hookc-0.1 run --host claude p",
            "hookc --color never run --host claude p",
        ] {
            assert_eq!(ours(line).map(|ours| ours.policies), Some(vec!["p".to_owned()]), "{line}");
        }
        for line in [
            "nohookc run --host claude --bogus p",
            "docker run --host elsewhere image",
            "hookc eval x",
            "hookc run x",
            "hookc run --host claude p | tee log",
            "nohookc run --host a b",
            "",
        ] {
            assert_eq!(ours(line), None, "{line}");
        }
    }
}
