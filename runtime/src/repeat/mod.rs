//! Two calls of hookc for one call of a tool: an agent that also reads the settings of another one starts both. The second
//! repeats the result of the first without running handlers again.
//!
//! A call is found again by its session, the id of its tool call, its tool and input, and the policy. Both calls may run
//! at once: the first holds a lock on a file, and the second waits for it. The file has no text of the event: the key is a
//! hash, and the content is a word for each handler. What only policies decide is decided again, which gives the same
//! verdict and the same reason.

use std::fs::{self, File, OpenOptions};
use std::io::{Read, Seek, SeekFrom, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use serde_json::{Map, Value};

use crate::event::Event;
use crate::limits::{REPEAT_WAIT, REPEAT_WINDOW};
use crate::open;
use crate::outcome::{Effect, EventOutcome, Outcome, PendingAction, hex};
use crate::verdict::{Permission, Verdict};

/// Most bytes of a file.
const BYTES: u64 = 1 << 20;

/// Files that are looked at when old ones are removed.
const CLEANED: usize = 256;

/// After this time a file is removed.
const OLD: Duration = Duration::from_secs(60);

/// What a call does about a tool call that another one may be about too.
#[derive(Debug)]
pub(crate) enum Turn {
    /// It is the first: its result is kept.
    First(Keeper),
    /// Another call had this result.
    Again(Results),
}

/// Keeps the result of the first call. Until this is dropped, a second one waits.
#[derive(Debug)]
pub(crate) struct Keeper(File);

/// The outcomes of handlers, by the ranks of their hooks.
#[derive(Debug, Default)]
pub(crate) struct Results(Map<String, Value>);

impl Turn {
    /// For an event in a directory; `None` if it has no session or no id of a tool call, or if there is no such file.
    pub(crate) fn take(folder: &Path, event: &Event, module: &[u8; 32]) -> Option<Self> {
        let start = SystemTime::now();
        let path = folder.join(key(event, module)?);
        fs::create_dir_all(folder).ok()?;
        clean(folder, start);
        let mut options = OpenOptions::new();
        options.read(true).write(true).create(true).truncate(false).mode(0o600);
        let flags = rustix::fs::OFlags::NOFOLLOW | rustix::fs::OFlags::NONBLOCK;
        let mut file = options.custom_flags(i32::try_from(flags.bits()).ok()?).open(path).ok()?;
        if !file.metadata().ok()?.is_file() {
            return None;
        }
        open::lock(&file, REPEAT_WAIT).ok()?;
        let age = start.duration_since(file.metadata().ok()?.modified().ok()?).unwrap_or_default();
        let mut text = String::new();
        (&mut file).take(BYTES).read_to_string(&mut text).ok()?;
        match serde_json::from_str(&text) {
            Ok(Value::Object(results)) if age <= REPEAT_WINDOW => Some(Self::Again(Results(results))),
            _ => Some(Self::First(Keeper(file))),
        }
    }
}

impl Keeper {
    /// Keeps the outcomes of handlers.
    pub(crate) fn keep(mut self, outcome: &EventOutcome) {
        let words = outcome.effects.iter().map(|effect| (effect.hook.rank.to_string(), word(effect).into()));
        let text = Value::Object(words.collect()).to_string();
        let written = self.0.set_len(0).and_then(|()| self.0.seek(SeekFrom::Start(0)));
        if written.and_then(|_| self.0.write_all(text.as_bytes())).is_err() {
            let _ = self.0.set_len(0);
        }
    }
}

impl Results {
    /// What a handler that does not run again leads to: its denial or its question. Its other effects, an
    /// approval included, are in the answer of the first call.
    pub(crate) fn effect(&self, pending: PendingAction) -> Effect {
        let word = self.0.get(&pending.hook.rank.to_string()).and_then(Value::as_str);
        let reason = format!(
            "hook {} decided this in the first call of hookc for the same tool call",
            pending.hook.label
        );
        let outcome = match word {
            Some("deny") => Verdict::deny(reason).into(),
            Some("ask") => {
                Verdict { permission: Some(Permission::Ask), reasons: vec![reason], ..Verdict::default() }
                    .into()
            }
            _ => Outcome::Skipped("another call of hookc ran it for the same tool call".to_owned()),
        };
        Effect::new(pending.hook, outcome)
    }
}

/// The verdict of a hook as a word.
fn word(effect: &Effect) -> &'static str {
    let verdict = effect.verdict();
    match verdict.permission {
        Some(Permission::Deny) => "deny",
        _ if verdict.stop.is_some() => "deny",
        Some(Permission::Ask | Permission::Defer) => "ask",
        Some(Permission::Allow) | None => "none",
    }
}

/// The name of the file of an event; `None` if it has no session or no id of a tool call.
pub(crate) fn key(event: &Event, module: &[u8; 32]) -> Option<String> {
    let text = |name: &str| event.text(name).filter(|text| !text.is_empty());
    let (session, call) = (text("session_id")?, text("tool_use_id")?);
    let mut hash = blake3::Hasher::new();
    hash.update(module);
    let input = event.raw("tool_input").unwrap_or_default();
    let name = text("hook_event_name").unwrap_or_default();
    let tool = text("tool_name").unwrap_or_default();
    for part in [&*session, &*call, &*name, &*tool, input] {
        hash.update(&(part.len() as u64).to_le_bytes());
        hash.update(part.as_bytes());
    }
    Some(hex(hash.finalize().as_bytes()))
}

/// Removes files of earlier tool calls.
fn clean(folder: &Path, now: SystemTime) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    let paths = entries.take(CLEANED).filter_map(|entry| entry.ok().map(|entry| entry.path()));
    let is_old = |path: &PathBuf| {
        let modified = path.symlink_metadata().and_then(|found| found.modified());
        modified.is_ok_and(|time| now.duration_since(time).is_ok_and(|age| age > OLD))
    };
    paths.filter(is_old).for_each(|path| {
        let _ = fs::remove_file(path);
    });
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::outcome::HistoryNote;

    fn event(session: &str, call: &str, command: &str) -> Event {
        Event::from_value(json!({
            "hook_event_name": "PreToolUse", "session_id": session, "tool_use_id": call, "tool_name": "Bash",
            "tool_input": {"command": command}
        }))
    }

    #[test]
    fn a_call_is_found_by_all_that_it_is_about() {
        let base = key(&event("s", "t", "ls"), &[0; 32]).unwrap();
        assert_eq!(key(&event("s", "t", "ls"), &[0; 32]), Some(base.clone()));
        for other in [event("s2", "t", "ls"), event("s", "t2", "ls"), event("s", "t", "rm -rf /")] {
            assert_ne!(key(&other, &[0; 32]), Some(base.clone()));
        }
        assert_ne!(key(&event("s", "t", "ls"), &[1; 32]), Some(base));
        assert_eq!(key(&event("", "t", "ls"), &[0; 32]), None);
        assert_eq!(key(&event("s", "", "ls"), &[0; 32]), None);
    }

    #[test]
    fn the_second_call_gets_what_the_first_kept_for_five_seconds() {
        let folder = tempfile::tempdir().unwrap();
        let (event, module) = (event("s", "t", "ls"), [0; 32]);
        let take = || Turn::take(folder.path(), &event, &module);
        let Some(Turn::First(keeper)) = take() else { panic!("the first") };
        let outcome = EventOutcome {
            event: "PreToolUse".to_owned(),
            family: None,
            effects: Vec::new(),
            reported: Vec::new(),
            module,
            history: HistoryNote::default(),
        };
        keeper.keep(&outcome);
        assert!(matches!(take(), Some(Turn::Again(_))));
        let file = folder.path().join(key(&event, &module).unwrap());
        let old = SystemTime::now() - REPEAT_WINDOW - Duration::from_secs(2);
        File::options().write(true).open(&file).unwrap().set_modified(old).unwrap();
        assert!(matches!(take(), Some(Turn::First(_))), "a later call");
        drop(take());
        assert!(matches!(take(), Some(Turn::First(_))), "a first call that ended without a result");
    }
}
