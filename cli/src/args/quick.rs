//! Reads the common command lines of `run` and `eval` without clap: describing all verbs to it costs more
//! than a decision. Options that are not listed here, help and mistakes are clap's, which then reads the
//! whole command line.

use std::ffi::{OsStr, OsString};
use std::path::PathBuf;

use clap::ValueEnum;

use super::{
    Cli, Color, Command, Eval, EventFlags, Format, Global, HistoryMode, Logging, Questions, Run, Sources,
};

/// A verb that agents and scripts call for each event. `main` prepares for it before anything can fail.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum QuickVerb {
    Run,
    Eval,
}

impl QuickVerb {
    /// The verb of this process, if it is one of them.
    pub(crate) fn of_process() -> Option<Self> {
        Self::parse(&std::env::args_os().nth(1)?)
    }

    fn parse(word: &OsStr) -> Option<Self> {
        match word.to_str()? {
            "run" => Some(Self::Run),
            "eval" => Some(Self::Eval),
            _ => None,
        }
    }
}

/// The command line, if it is one of these:
///
/// ```text
/// run POLICY... --host NAME [--project DIR] [--since VERSION] [--no-log | --log FILE] [--on-failure MODE]
///     [--ask MODE] [--or-starter NAME] [--history MODE] [--history-sync]
/// eval POLICY... [EVENTS]
/// ```
pub(super) fn parse(args: impl IntoIterator<Item = OsString>) -> Option<Cli> {
    let mut args = args.into_iter().skip(1);
    let verb = QuickVerb::parse(&args.next()?)?;
    let mut given = Given::default();
    given.read(args, verb == QuickVerb::Run)?;
    match verb {
        QuickVerb::Run => given.run(),
        QuickVerb::Eval => given.eval(),
    }
}

#[derive(Default)]
struct Given {
    files: Vec<PathBuf>,
    host: Option<OsString>,
    log: Option<OsString>,
    project: Option<OsString>,
    since: Option<OsString>,
    on_failure: Option<OsString>,
    ask: Option<OsString>,
    or_starter: Option<OsString>,
    history: Option<OsString>,
    history_sync: bool,
    no_log: bool,
}

impl Given {
    /// Options with the values that follow them, each at most once, and files.
    fn read(&mut self, mut args: impl Iterator<Item = OsString>, options: bool) -> Option<()> {
        while let Some(arg) = args.next() {
            let option = if arg.as_encoded_bytes().starts_with(b"-") { arg.to_str()? } else { "" };
            let place = match option {
                "" => {
                    self.files.push(plain(arg)?.into());
                    continue;
                }
                _ if !options => return None,
                "--no-log" if !self.no_log => {
                    self.no_log = true;
                    continue;
                }
                "--history-sync" if !self.history_sync => {
                    self.history_sync = true;
                    continue;
                }
                "--history" => &mut self.history,
                "--host" => &mut self.host,
                "--log" => &mut self.log,
                "--project" => &mut self.project,
                "--since" => &mut self.since,
                "--on-failure" => &mut self.on_failure,
                "--ask" => &mut self.ask,
                "--or-starter" => &mut self.or_starter,
                _ => return None,
            };
            if place.replace(plain(args.next()?)?).is_some() {
                return None;
            }
        }
        (!self.files.is_empty() || self.or_starter.is_some()).then_some(())
    }

    fn run(self) -> Option<Cli> {
        if self.no_log && self.log.is_some() {
            return None;
        }
        let on_failure = match self.on_failure {
            None => None,
            Some(name) => Some(choice(&name)?),
        };
        let ask = self.ask.map_or(Some(Questions::User), |name| choice(&name))?;
        let history = self.history.map_or(Some(HistoryMode::Strict), |name| choice(&name))?;
        let run = Run {
            files: self.files,
            sources: Sources::plain(),
            host: self.host?.into_string().ok()?,
            given: no_event(),
            on_failure,
            ask,
            project: self.project.map(PathBuf::from),
            since: self.since.map(OsString::into_string).transpose().ok()?,
            or_starter: self.or_starter.map(OsString::into_string).transpose().ok()?,
            history,
            history_sync: self.history_sync,
            logging: Logging {
                log: self.log.map(PathBuf::from),
                no_log: self.no_log,
                log_payload: false,
                redact: Vec::new(),
            },
        };
        Some(Cli { global: global(), command: Command::Run(run) })
    }

    fn eval(self) -> Option<Cli> {
        let (sources, given) = (Sources::plain(), no_event());
        let eval = Eval { files: self.files, sources, given, all: false, pretty: false, stats: false };
        Some(Cli { global: global(), command: Command::Eval(eval) })
    }
}

/// The variant of this name, as clap reads it.
fn choice<T: ValueEnum>(name: &OsStr) -> Option<T> {
    T::from_str(name.to_str()?, false).ok()
}

/// A value that can only be a value.
fn plain(arg: OsString) -> Option<OsString> {
    let bytes = arg.as_encoded_bytes();
    (!bytes.is_empty() && !bytes.starts_with(b"-")).then_some(arg)
}

fn no_event() -> EventFlags {
    EventFlags { event: None, tool: None, input: Vec::new(), set: Vec::new() }
}

fn global() -> Global {
    Global { verbose: 0, quiet: false, color: Color::Auto, format: Format::Text }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser;

    const WORDS: &[&str] = &[
        "p.hookc",
        "é b",
        "-",
        "",
        "--",
        "--host",
        "claude",
        "--host=claude",
        "--log",
        "--no-log",
        "--project",
        "--since",
        "--on-failure",
        "open",
        "Open",
        "--ask",
        "deny",
        "--or-starter",
        "-v",
        "--help",
        "--event",
        "--all",
        "help",
    ];

    /// Every command line of up to five words that is read here, and some longer ones, is what clap reads.
    #[test]
    fn the_same_as_clap() {
        let mut read = 0;
        for verb in ["run", "eval", "check"] {
            let mut lines: Vec<Vec<&str>> = vec![vec!["hookc", verb]];
            let policy = ["hookc", verb, "p.hookc", "--host", "codex"].to_vec();
            let mut from = 0;
            for _ in 0..3 {
                let end = lines.len();
                for at in from..end {
                    for word in WORDS {
                        let mut longer = lines[at].clone();
                        longer.push(word);
                        lines.push(longer);
                    }
                }
                from = end;
            }
            let longer: Vec<Vec<&str>> =
                lines.iter().map(|words| [policy.clone(), words[2..].to_vec()].concat()).collect();
            for words in lines.iter().chain(&longer) {
                let Some(quick) = parse(words.iter().map(OsString::from)) else { continue };
                read += 1;
                let clap = Cli::try_parse_from(words);
                let clap = clap.unwrap_or_else(|error| panic!("{words:?}: {error}"));
                assert_eq!(format!("{quick:?}"), format!("{clap:?}"), "{words:?}");
            }
        }
        assert!(read > 500, "{read} command lines are read");
    }

    #[test]
    fn what_agents_call() {
        let is_read = |line: &str| parse(line.split(' ').map(OsString::from)).is_some();
        assert!(is_read("hookc run p.hookc --host claude"));
        assert!(is_read("hookc run --host claude --on-failure closed --no-log p.yaml q.yaml"));
        assert!(is_read("hookc run --host claude --since 0.1.0 p.yaml"));
        assert!(is_read("hookc run --host claude --ask deny p.yaml"));
        assert!(is_read("hookc run --host codex --project /p p.yaml"));
        assert!(is_read("hookc eval p.hookc e.json"));
        assert!(!is_read("hookc run p.hookc --host"));
        assert!(!is_read("hookc run --host claude"), "no policy");
        assert!(!is_read("hookc run p.hookc"), "no host");
        assert!(!is_read("hookc eval --all p.hookc"));
        assert!(!is_read("hookc --help"));
        assert!(!is_read("hookc"));
    }
}
