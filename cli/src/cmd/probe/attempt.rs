//! One question: a call is started as the agent starts it, and its answer is compared with the one that the agent reads.

use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use hookc_runtime::adapter::{Adapter, Incoming};
use hookc_runtime::probe::{self, Expected, Note, Probe};
use hookc_runtime::process::{Command, Ended, Program, Status};
use hookc_schema::agents::Event;

use super::question::{self, Subject};
use crate::exit::Failure;
use crate::installed::calls::Call;
use crate::installed::command::quoted;
use crate::installed::fallback::Fallback;
use crate::installed::target::Target;
use crate::state;

/// Most characters of what a command wrote.
const QUOTE: usize = 200;

/// How the calls of an agent are started.
pub(super) struct Attempts<'a> {
    pub(super) agent: Target,
    pub(super) adapter: &'static dyn Adapter,
    /// The directory of the project.
    pub(super) root: &'a Path,
    /// How long an answer is waited for if the agent waits longer.
    pub(super) patience: Duration,
}

/// What came of a question.
#[derive(Debug)]
pub(super) struct Attempt {
    pub(super) took: Duration,
    /// Why the call is dead, if it is.
    pub(super) dead: Option<String>,
}

impl Attempts<'_> {
    /// What an agent sends about a subject, as its hooks get it; `None` if it sends no such event.
    pub(super) fn incoming(&self, event: &Event, subject: &Subject) -> Option<Incoming> {
        let bytes = question::event(self.agent.agent(), event, subject, self.root, "");
        self.adapter.read(bytes, Some(&event.name)).ok()
    }

    /// Starts a call for an event about a subject, and reads its answer.
    ///
    /// # Errors
    /// There is no directory for the user's state.
    pub(super) fn start(&self, call: &Call, event: &Event, subject: &Subject) -> Result<Attempt, Failure> {
        let probe = Probe::create(&folder()?, &token()?)?;
        let bytes = question::event(self.agent.agent(), event, subject, self.root, probe.token());
        let attempt = match probe.expected(self.adapter, bytes.clone(), Some(&event.name)) {
            Ok(expected) => Ok(self.answered(call, event, (&probe, bytes, &expected))),
            Err(error) => Err(Failure::input(format!(
                "the question for `{}` cannot be read as an event: {error}",
                event.name
            ))),
        };
        probe.remove();
        attempt
    }

    fn answered(
        &self,
        call: &Call,
        event: &Event,
        (probe, bytes, expected): (&Probe, Vec<u8>, &Expected),
    ) -> Attempt {
        let (command, waits) = self.command(call, probe, bytes);
        let ended = command.run();
        let notes = probe.notes();
        let ended = match ended {
            Ok(ended) => ended,
            Err(error) => return Attempt { took: Duration::ZERO, dead: Some(error.to_string()) },
        };
        let failure = notes.iter().find_map(|note| note.failure.as_deref());
        let dead = match (ended.status, failure) {
            (Status::TimedOut, _) => Some(late(command.timeout, waits)),
            (_, Some(why)) => {
                Some(format!("the policy cannot decide: {why}; {}", self.leads_to(event, &ended)))
            }
            _ if notes.is_empty() => Some(self.not_reached(event, &ended)),
            _ => self.lost(event, expected, &ended).or_else(|| misread(&notes, expected)),
        };
        Attempt { took: ended.took, dead }
    }

    /// The command of a call, and how long the agent waits for it.
    fn command(&self, call: &Call, probe: &Probe, bytes: Vec<u8>) -> (Command, Duration) {
        let settings = self.agent.settings;
        let root = settings.root.as_deref();
        let text = |text: &str, value: &str| match root
            .filter(|_| settings.fills_root || call.start.args.is_some())
        {
            Some(name) => filled(text, name, value),
            None => text.to_owned(),
        };
        let directory = self.root.to_string_lossy();
        let program = match &call.start.args {
            _ if settings.scripts => Program::Argv { program: absolute(&call.file), args: Vec::new() },
            Some(args) => Program::Argv {
                program: text(&call.start.line, &directory),
                args: args.iter().map(|arg| text(arg, &directory)).collect(),
            },
            None => {
                Program::Shell { shell: self.shell(call), line: text(&call.start.line, &quoted(&directory)) }
            }
        };
        let mut command = Command::new(program);
        let variable = root.map(|name| (name.to_owned(), directory.clone().into_owned()));
        let set = variable.into_iter().chain(call.start.env.iter().cloned());
        command.env = set.map(|(name, value)| (name, Some(value))).collect();
        let file = probe.file().to_string_lossy().into_owned();
        command.env.push((probe::VARIABLE.to_owned(), Some(file)));
        command.cwd = Some(self.directory(call));
        command.stdin = Arc::new(bytes);
        let waits = call.start.timeout.unwrap_or_else(|| self.agent_waits(&call.event));
        command.timeout = waits.min(self.patience);
        (command, waits)
    }

    /// Why no `hookc` answered.
    fn not_reached(&self, event: &Event, ended: &Ended) -> String {
        if hookc_runtime::engine::disabled() {
            return "`HOOKC_DISABLE=1` is set here: every call passes".to_owned();
        }
        let wrote = [&ended.stderr.text, &ended.stdout.text];
        let line = wrote.iter().find_map(|text| text.lines().map(str::trim).find(|line| !line.is_empty()));
        let line = line
            .map(|line| format!(": {}", line.chars().take(QUOTE).collect::<String>()))
            .unwrap_or_default();
        format!("no answer of hookc ({}{line}); {}", ended.status, self.leads_to(event, ended))
    }

    /// What the agent does after a call that ends like this.
    fn leads_to(&self, event: &Event, ended: &Ended) -> String {
        let by_status = matches!(ended.status, Status::Exited(code) if event.exit().denies(code));
        let by_answer = || {
            self.agent.fallback(&event.name) == Some(Fallback::Answer(ended.stdout.text.trim().to_owned()))
        };
        match (&self.agent.ignores_exit, by_status) {
            (None, true) => "every call is denied".to_owned(),
            (Some(_), _) if by_answer() => "every call is denied".to_owned(),
            (Some(program), true) => format!("every call passes in {program}, which ignores exit statuses"),
            (_, false) => "every call passes".to_owned(),
        }
    }

    /// Why the answer of hookc does not reach the agent, if it does not.
    fn lost(&self, event: &Event, expected: &Expected, ended: &Ended) -> Option<String> {
        let answer = &expected.answer;
        let printed = answer.stdout.to_string();
        let (printed_text, should) = (ended.stdout.text.trim(), printed.trim());
        let code = match ended.status {
            Status::Exited(code) => code,
            status => return Some(format!("hookc answered, and the command was {status}")),
        };
        let is_by_status = self.agent.ignores_exit.is_none();
        if !expected.denies || (is_by_status && event.exit().denies(code)) {
            return None;
        }
        if code != i32::from(answer.code) && is_by_status {
            return Some(format!(
                "hookc denied, and the command ends with exit status {code} in place of {}: {}",
                answer.code,
                self.leads_to(event, ended)
            ));
        }
        (printed_text != should).then(|| match printed_text.is_empty() {
            true => {
                "hookc denied, and its answer does not reach the standard output of the command".to_owned()
            }
            false => "hookc denied, and the command writes other text to standard output too".to_owned(),
        })
    }

    fn agent_waits(&self, event: &str) -> Duration {
        let seconds = self.agent.call_timeout(self.agent.translated(event));
        seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok()).unwrap_or(self.patience)
    }

    fn shell(&self, call: &Call) -> String {
        let named = call.start.shell.as_deref().or(self.agent.settings.shell.as_deref());
        match named {
            Some("$SHELL") => std::env::var("SHELL").unwrap_or_else(|_| "sh".to_owned()),
            Some("powershell") => "pwsh".to_owned(),
            Some(shell) => shell.to_owned(),
            None => "sh".to_owned(),
        }
    }

    /// The working directory of a call.
    fn directory(&self, call: &Call) -> PathBuf {
        let folder =
            call.file.parent().filter(|_| self.agent.settings.starts_in_own_folder && call.scope == "user");
        folder.map_or_else(|| self.root.to_owned(), Path::to_owned)
    }
}

/// The directory with the files of questions.
pub(super) fn folder() -> Result<PathBuf, Failure> {
    let state = state::folder().ok_or_else(|| Failure::usage("no directory for the user's state"))?;
    let folder = state.join("probe");
    std::fs::create_dir_all(&folder).map_err(|error| Failure::file(&folder, &error))?;
    Ok(folder)
}

/// 32 random hexadecimal digits.
pub(super) fn token() -> Result<String, Failure> {
    let mut bytes = [0; 16];
    std::fs::File::open("/dev/urandom")?.read_exact(&mut bytes)?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}

fn absolute(path: &Path) -> String {
    std::path::absolute(path).unwrap_or_else(|_| path.to_owned()).to_string_lossy().into_owned()
}

/// A text with the value of a variable in its place.
fn filled(text: &str, name: &str, value: &str) -> String {
    text.replace(&format!("${{{name}}}"), value).replace(&format!("${name}"), value)
}

fn late(waited: Duration, waits: Duration) -> String {
    let seconds = |time: Duration| format!("{} s", time.as_secs_f64());
    match waited < waits {
        true => format!("no answer after {}; the agent waits {}", seconds(waited), seconds(waits)),
        false => format!("no answer after {}, when the agent stops waiting", seconds(waited)),
    }
}

/// Another tool that the call sees in the event, because it is one for another agent.
fn misread(notes: &[Note], expected: &Expected) -> Option<String> {
    let meant = expected.tool.as_deref()?;
    let read = notes.iter().filter_map(|note| note.tool.as_deref()).find(|read| *read != meant)?;
    Some(format!("the call is for another agent: it reads the tool `{meant}` as `{read}`"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_directory_takes_the_place_of_its_variable() {
        for text in ["$ROOT_DIR/x", "${ROOT_DIR}/x"] {
            assert_eq!(filled(text, "ROOT_DIR", "'/a b'"), "'/a b'/x");
        }
    }

    #[test]
    fn tokens_differ() {
        let (first, second) = (token().unwrap(), token().unwrap());
        assert!(first.len() == 32 && first != second);
    }
}
