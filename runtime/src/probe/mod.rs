//! Questions of `hookc probe`: whether a call in an agent's settings reaches this program, and whether its answer
//! reaches the agent.
//!
//! A question is an event with a random token. Three things must agree before a call takes an event for one: the
//! variable [`VARIABLE`] names a file, that file is private to the user, young and contains the token, and the event has
//! the token in its member [`MEMBER`]. Whoever writes only events has none of the first two. The answer is a denial with
//! the token, or, at events that cannot be denied, no opinion; it is never an approval, so that a forged question denies
//! the call of whoever forged it. The call notes in the file that it answered.

use std::borrow::Cow;
use std::ffi::OsString;
use std::fs::{File, OpenOptions, Permissions};
use std::io::{self, Write};
use std::os::unix::fs::{MetadataExt, OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::time::Duration;

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
const LIFE: Duration = Duration::from_secs(300);

/// Most bytes that are read of such a file: the token, and a short line for each call that answered.
const BYTES: usize = 64 << 10;

/// Most bytes of the reason in a note.
const WHY: usize = 2000;

/// The length of a token.
const TOKEN: usize = 32;

/// A question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Probe {
    token: String,
    file: PathBuf,
}

/// What a call notes about its answer.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Note {
    /// Why the call could not decide, if it could not.
    pub failure: Option<String>,
    /// The tool of the event, as its policy sees it.
    pub tool: Option<String>,
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
        if !is_token(token) {
            return Err(io::Error::new(io::ErrorKind::InvalidInput, "a token has 32 hexadecimal digits"));
        }
        let file = folder.join(token);
        let mut created = OpenOptions::new().write(true).create_new(true).mode(0o600).open(&file)?;
        // Whatever the process creates files with.
        created.set_permissions(Permissions::from_mode(0o600))?;
        writeln!(created, "{token}")?;
        Ok(Self { token: token.to_owned(), file })
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
        (text.lines().next() == Some(&token)).then_some(Self { token, file })
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

    /// What the calls noted that answered until now.
    #[must_use]
    pub fn notes(&self) -> Vec<Note> {
        let text = read(&self.file).unwrap_or_default();
        let notes = text.lines().skip(1).filter_map(|line| serde_json::from_str::<Value>(line).ok());
        let text = |note: &Value, name: &str| note.get(name).and_then(Value::as_str).map(str::to_owned);
        notes.map(|note| Note { failure: text(&note, "failure"), tool: text(&note, "tool") }).collect()
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
        event.text(MEMBER).is_some_and(|token| *token == self.token)
    }

    /// The answer: a denial, or no opinion where nothing can be denied.
    pub(crate) fn answer(&self, sender: Sender, incoming: &Incoming) -> Answer {
        match incoming.capabilities.can_deny() {
            true => sender.answer(incoming, &Verdict::deny(self.reason())),
            false => sender.adapter.without_opinion(Some(&incoming.native)),
        }
    }

    /// Notes that a call answered about a tool, or why it could not decide.
    pub(crate) fn note(&self, failure: Option<&str>, tool: Option<&str>) {
        let failure = failure.and_then(|why| why.get(..floor_char_boundary(why, WHY)));
        let tool = tool.and_then(|tool| tool.get(..floor_char_boundary(tool, WHY)));
        let line = json!({"failure": failure, "tool": tool});
        let file = OpenOptions::new().append(true).open(&self.file);
        let _ = file.and_then(|mut file: File| file.write_all(format!("{line}\n").as_bytes()));
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
        let probe = Probe::create(folder.path(), TOKEN).unwrap();
        probe.note(None, Some("Bash"));
        probe.note(Some("no policy"), None);
        let notes: Vec<_> = probe.notes().into_iter().map(|note| (note.failure, note.tool)).collect();
        assert_eq!(notes, [(None, Some("Bash".to_owned())), (Some("no policy".to_owned()), None)]);
        probe.remove();
        assert!(probe.notes().is_empty());
    }
}
