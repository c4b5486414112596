//! Questions of `hookc probe`: whether a call in an agent's settings reaches this program, and whether its answer
//! reaches the agent.
//!
//! A question is an event with a random token. Three things must agree before a call takes an event for one: the
//! variable [`VARIABLE`] names a file, that file is private to the user, young and contains the token, and the event has
//! the token in its member [`MEMBER`]. Whoever writes only events has none of the first two. The answer is a denial with
//! the token, or, at events that cannot be denied, no opinion; it is never an approval, so that a forged question denies
//! the call of whoever forged it. The call notes in the file that it answered.
//!
//! A *live* question is a session of the agent's own program, which sends events without a token. Every event of the
//! session is one: each that is about a tool is denied, and the others pass, except a prompt that is not the one of the
//! session.

use std::borrow::Cow;
use std::ffi::OsString;
use std::fs::{File, OpenOptions, Permissions};
use std::io::{self, Write};
use std::os::unix::fs::{MetadataExt, OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use hookc_base::text::floor_char_boundary;
use serde_json::{Value, json};

use crate::adapter::{Adapter, Answer, Incoming, Sender};
use crate::event::{Event, EventError};
use crate::open;
use crate::verdict::Verdict;

/// The environment variable with the file of a question.
pub const VARIABLE: &str = "HOOKC_PROBE";

/// The member of an event with the token.
pub const MEMBER: &str = "hookc_probe";

/// How long the file of a question is valid. A probe that takes longer creates another file for its next question.
pub const LIFE: Duration = Duration::from_secs(300);

/// Most bytes that are read of such a file: the token, and a short line for each call that answered.
const BYTES: usize = 64 << 10;

/// Most bytes of the reason in a note.
const WHY: usize = 2000;

/// The length of a token.
const TOKEN: usize = 32;

/// How many digits of the token the command of a live question has: the answer, with all of them, is another text.
const SHOWN: usize = 8;

/// What follows the token in the file of a live question.
const LIVE: &str = " live";

/// A question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Probe {
    token: String,
    file: PathBuf,
    is_live: bool,
    /// The policies of the call that answers.
    policies: Vec<String>,
}

/// What a call notes about its answer.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Note {
    /// Why the call could not decide, if it could not.
    pub failure: Option<String>,
    /// The tool of the event, as its policy sees it.
    pub tool: Option<String>,
    /// The agent's name of the event.
    pub event: Option<String>,
    /// The policies of the call, as the decision log has them.
    pub policies: Vec<String>,
    /// When the call noted it.
    pub at: SystemTime,
}

/// What a question leads to if the call answers it.
#[derive(Debug)]
#[non_exhaustive]
pub struct Expected {
    /// The answer that the agent reads.
    pub answer: Answer,
    /// Whether that answer denies.
    pub denies: bool,
    /// The tool of the event, as policies see it.
    pub tool: Option<String>,
}

impl Probe {
    /// A question with a token of 32 hexadecimal digits, whose file is created in a directory.
    ///
    /// # Errors
    /// The file cannot be created, or the token has another form.
    pub fn create(folder: &Path, token: &str) -> io::Result<Self> {
        Self::write(folder, token, false)
    }

    /// Like [`create`](Self::create), for a session of the agent's own program.
    ///
    /// # Errors
    /// The file cannot be created, or the token has another form.
    pub fn create_live(folder: &Path, token: &str) -> io::Result<Self> {
        Self::write(folder, token, true)
    }

    fn write(folder: &Path, token: &str, is_live: bool) -> io::Result<Self> {
        if !is_token(token) {
            return Err(io::Error::new(io::ErrorKind::InvalidInput, "a token has 32 hexadecimal digits"));
        }
        let file = folder.join(token);
        let mut created = OpenOptions::new().write(true).create_new(true).mode(0o600).open(&file)?;
        // Whatever the process creates files with.
        created.set_permissions(Permissions::from_mode(0o600))?;
        writeln!(created, "{token}{}", if is_live { LIVE } else { "" })?;
        Ok(Self { token: token.to_owned(), file, is_live, policies: Vec::new() })
    }

    /// The question whose file the variable [`VARIABLE`] names; `None` if the file is not one of this user.
    #[must_use]
    pub fn from_variable(value: Option<OsString>) -> Option<Self> {
        let file = PathBuf::from(value?);
        let found = file.symlink_metadata().ok()?;
        let is_young = found.modified().ok()?.elapsed().map_or(true, |age| age <= LIFE);
        let owner = rustix::process::geteuid().as_raw();
        let is_private = found.is_file() && found.uid() == owner && found.mode() & 0o077 == 0;
        let token = file.file_name()?.to_str().filter(|name| is_token(name))?.to_owned();
        let text = read(&file).filter(|_| file.is_absolute() && is_private && is_young)?;
        let is_live = match text.lines().next()?.strip_prefix(&token)? {
            "" => false,
            LIVE => true,
            _ => return None,
        };
        Some(Self { token, file, is_live, policies: Vec::new() })
    }

    /// The question as a call with these policies answers it.
    #[must_use]
    pub fn with_policies(self, policies: Vec<String>) -> Self {
        Self { policies, ..self }
    }

    /// The token.
    #[must_use]
    pub fn token(&self) -> &str {
        &self.token
    }

    /// The file.
    #[must_use]
    pub fn file(&self) -> &Path {
        &self.file
    }

    /// The reason of the denial.
    #[must_use]
    pub fn reason(&self) -> String {
        format!("hookc probe {}", self.token)
    }

    /// The command that the agent of a live question is asked to run. It changes nothing.
    #[must_use]
    pub fn command(&self) -> String {
        format!("echo hookc-probe-{}", self.token.get(..SHOWN).unwrap_or_default())
    }

    /// What the calls noted that answered until now.
    #[must_use]
    pub fn notes(&self) -> Vec<Note> {
        let text = read(&self.file).unwrap_or_default();
        text.lines()
            .skip(1)
            .filter_map(|line| serde_json::from_str(line).ok())
            .map(|note| Note::from_json(&note))
            .collect()
    }

    /// Removes the file: no call answers the question any more.
    pub fn remove(&self) {
        let _ = std::fs::remove_file(&self.file);
    }

    /// What the agent reads if a call answers this question; `event` is the agent's name of it, if the call states that.
    ///
    /// # Errors
    /// The event is not one of this agent.
    pub fn expected(
        &self,
        agent: &'static dyn Adapter,
        bytes: Vec<u8>,
        event: Option<&str>,
    ) -> Result<Expected, EventError> {
        let incoming = agent.read(bytes, event)?;
        let denies = incoming.capabilities.can_deny();
        let answer = self.answer(Sender::named(agent), &incoming);
        Ok(Expected { answer, denies, tool: incoming.event.text("tool_name").map(Cow::into_owned) })
    }

    /// Whether an event is this question.
    pub(crate) fn is_event(&self, event: &Event) -> bool {
        if self.is_live {
            return event.text("prompt").is_none_or(|prompt| prompt.contains(&self.command()));
        }
        event.text(MEMBER).is_some_and(|token| *token == self.token)
    }

    /// The answer: a denial, or no opinion where nothing can be denied. In a session, only tools are denied.
    pub(crate) fn answer(&self, sender: Sender, incoming: &Incoming) -> Answer {
        let is_about_tool = || incoming.event.text("tool_name").is_some();
        match incoming.capabilities.can_deny() && (!self.is_live || is_about_tool()) {
            true => sender.answer(incoming, &Verdict::deny(self.reason())),
            false => sender.adapter.without_opinion(Some(&incoming.native)),
        }
    }

    /// Notes that a call answered an event, or why it could not decide.
    pub(crate) fn note(&self, failure: Option<&str>, incoming: Option<&Incoming>) {
        let short = |text: &str| text.get(..floor_char_boundary(text, WHY)).unwrap_or_default().to_owned();
        let tool = incoming.and_then(|incoming| incoming.event.text("tool_name"));
        let note = Note {
            failure: failure.map(short),
            tool: tool.as_deref().map(short),
            event: incoming.map(|incoming| short(&incoming.native)),
            policies: self.policies.clone(),
            at: SystemTime::now(),
        };
        let file = OpenOptions::new().append(true).open(&self.file);
        let _ = file.and_then(|mut file: File| file.write_all(format!("{}\n", note.json()).as_bytes()));
    }
}

impl Note {
    fn json(&self) -> Value {
        let at =
            self.at.duration_since(UNIX_EPOCH).map_or(0, |at| u64::try_from(at.as_millis()).unwrap_or(0));
        let Self { failure, tool, event, policies, .. } = self;
        json!({"failure": failure, "tool": tool, "event": event, "policies": policies, "at": at})
    }

    fn from_json(note: &Value) -> Self {
        let text = |name: &str| note.get(name).and_then(Value::as_str).map(str::to_owned);
        let policies = note.get("policies").and_then(Value::as_array).into_iter().flatten();
        let at = Duration::from_millis(note.get("at").and_then(Value::as_u64).unwrap_or(0));
        Self {
            failure: text("failure"),
            tool: text("tool"),
            event: text("event"),
            policies: policies.filter_map(Value::as_str).map(str::to_owned).collect(),
            at: UNIX_EPOCH.checked_add(at).unwrap_or(UNIX_EPOCH),
        }
    }
}

fn is_token(text: &str) -> bool {
    text.len() == TOKEN && text.bytes().all(|byte| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte))
}

fn read(file: &Path) -> Option<String> {
    String::from_utf8(open::read(file, BYTES).ok()?).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    const TOKEN: &str = "0123456789abcdef0123456789abcdef";

    fn from(file: &Path) -> Option<Probe> {
        Probe::from_variable(Some(file.as_os_str().to_owned()))
    }

    #[test]
    fn a_question_is_read_from_its_own_file_alone() {
        let folder = tempfile::tempdir().unwrap();
        let probe = Probe::create(folder.path(), TOKEN).unwrap();
        assert_eq!(from(probe.file()), Some(probe.clone()));
        assert!(Probe::create(folder.path(), TOKEN).is_err(), "an existing file");
        assert!(Probe::create(folder.path(), "../x").is_err());
        assert_eq!(Probe::from_variable(None), None);
        let copy = folder.path().join("ffffffffffffffffffffffffffffffff");
        std::fs::copy(probe.file(), &copy).unwrap();
        assert_eq!(from(&copy), None, "another token");
        std::fs::set_permissions(probe.file(), Permissions::from_mode(0o644)).unwrap();
        assert_eq!(from(probe.file()), None, "readable by others");
        std::fs::set_permissions(probe.file(), Permissions::from_mode(0o600)).unwrap();
        let old = std::time::SystemTime::now() - LIFE - Duration::from_secs(5);
        File::options().write(true).open(probe.file()).unwrap().set_modified(old).unwrap();
        assert_eq!(from(probe.file()), None, "old");
    }

    #[test]
    fn a_link_is_no_question() {
        let folder = tempfile::tempdir().unwrap();
        let probe = Probe::create(folder.path(), TOKEN).unwrap();
        let elsewhere = tempfile::tempdir().unwrap();
        let link = elsewhere.path().join(TOKEN);
        std::os::unix::fs::symlink(probe.file(), &link).unwrap();
        assert_eq!(from(&link), None);
    }

    #[test]
    fn calls_note_their_answers() {
        let folder = tempfile::tempdir().unwrap();
        let probe =
            Probe::create(folder.path(), TOKEN).unwrap().with_policies(vec!["/p/guard.yaml".to_owned()]);
        let began = SystemTime::now() - Duration::from_millis(1);
        let gemini = crate::adapter::by_name("gemini").unwrap();
        let bytes =
            br#"{"hook_event_name": "BeforeTool", "tool_name": "run_shell_command", "tool_input": {}}"#;
        let incoming = gemini.read(bytes.to_vec(), None).unwrap();
        probe.note(None, Some(&incoming));
        probe.note(Some(&format!("{}é", "x".repeat(WHY - 1))), None);
        let notes = probe.notes();
        let first = notes.first().unwrap();
        assert_eq!((first.event.as_deref(), first.tool.as_deref()), (Some("BeforeTool"), Some("Bash")));
        assert_eq!((&first.failure, &first.policies), (&None, &vec!["/p/guard.yaml".to_owned()]));
        assert!(first.at >= began && first.at <= SystemTime::now(), "{first:?}");
        let second = notes.get(1).unwrap();
        assert_eq!(second.failure.as_ref().map(String::len), Some(WHY - 1));
        assert_eq!((&second.event, &second.tool), (&None, &None));
        probe.remove();
        assert!(probe.notes().is_empty());
    }

    #[test]
    fn a_live_question_is_read_as_one() {
        let folder = tempfile::tempdir().unwrap();
        let probe = Probe::create_live(folder.path(), TOKEN).unwrap();
        assert_eq!(from(probe.file()), Some(probe.clone()));
        assert!(!probe.command().contains(TOKEN), "the answer must be another text");
        std::fs::write(probe.file(), format!("{TOKEN} lively\n")).unwrap();
        assert_eq!(from(probe.file()), None, "no such kind");
    }
}
