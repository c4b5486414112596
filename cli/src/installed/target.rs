//! The agents whose settings `install` writes, with the data about those settings.

use std::collections::BTreeSet;
use std::ops::Deref;
use std::path::{Path, PathBuf};

use hookc_runtime::adapter;
use hookc_schema::agents::{
    self, Agent, Capability, DenyingExit, Managed, Settings, UnstartedDenial, Version,
};
use hookc_shell::programs::interpreters::is_shell;
use serde_json::{Map, Value, json};

use super::fallback::Fallback;
use crate::args::Scope;

/// The reason of the answer in place of a program that gives none.
const NO_ANSWER: &str = "hookc did not start, or ended without an answer: install it, or run `hookc doctor`";

/// An agent that has settings.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Target {
    agent: &'static Agent,
    pub(crate) settings: &'static Settings,
}

impl Deref for Target {
    type Target = Agent;

    fn deref(&self) -> &'static Agent {
        self.agent
    }
}

/// All of them.
pub(crate) fn all() -> impl Iterator<Item = Target> {
    agents::answered().filter_map(|agent| Some(Target { agent, settings: agent.settings.as_ref()? }))
}

/// The agent of a name.
pub(crate) fn by_name(name: &str) -> Option<Target> {
    all().find(|target| target.name == name)
}

impl Target {
    /// What is known of the agent, which outlives this.
    pub(crate) fn agent(self) -> &'static Agent {
        self.agent
    }

    /// Its file for a scope. `home` is the user's home directory, `moved` the directory of the
    /// variable that replaces the agent's.
    pub(crate) fn file(self, scope: Scope, home: &Path, moved: Option<PathBuf>) -> Option<PathBuf> {
        match (scope, moved) {
            (Scope::Project, _) => Some(PathBuf::from(&self.settings.project)),
            (Scope::Local, _) => self.settings.local.as_ref().map(PathBuf::from),
            (Scope::User, Some(folder)) => Some(folder.join(inside(&self.settings.user))),
            (Scope::User, None) => Some(home.join(&self.settings.user)),
        }
    }

    /// The files of a project, seen from it: where `install` writes, and where hooks are
    /// read too.
    pub(crate) fn project_files(self) -> impl Iterator<Item = &'static str> {
        let first = std::iter::once(self.settings.project.as_str());
        first.chain(self.settings.local.as_deref()).chain(self.settings.also.iter().map(String::as_str))
    }

    /// Whether a file of a project or a person is one of the further ones, which hold other
    /// things too.
    pub(crate) fn is_further(self, file: &str) -> bool {
        self.settings.also.iter().chain(&self.settings.also_user).any(|further| further == file)
    }

    /// Like `is_further`, for a path.
    pub(crate) fn is_at_further(self, path: &Path) -> bool {
        let path = super::location::normalized(path);
        let mut further = self.settings.also.iter().chain(&self.settings.also_user);
        further.any(|known| path.ends_with(known))
            || super::more_files(self).iter().any(|known| super::location::normalized(known) == path)
    }

    /// Further files of a person that hooks are read from; `home` and `moved` as for
    /// [`Self::file`].
    pub(crate) fn more_user_files(self, home: &Path, moved: Option<&Path>) -> Vec<PathBuf> {
        let place = |file: &String| match moved {
            Some(folder) => folder.join(inside(file)),
            None => home.join(file),
        };
        self.settings.also_user.iter().map(place).collect()
    }

    /// The files of the administrator that are there; each may have a directory of more
    /// next to it (`managed-settings.d`), or be all files of one.
    pub(crate) fn managed_files(self) -> Vec<PathBuf> {
        self.settings.managed.iter().flat_map(managed).collect()
    }

    /// The managed files, each with its keys that keep all other hooks from running.
    pub(crate) fn managed_keys(self) -> impl Iterator<Item = (PathBuf, &'static [String])> {
        let exclusive = self.settings.managed.iter().filter(|one| !one.only.is_empty());
        exclusive.flat_map(|one| managed(one).into_iter().map(|file| (file, one.only.as_slice())))
    }

    /// The vocabulary's name for an event of the agent, if that is one.
    pub(crate) fn vocabulary(self, native: &str) -> Option<&'static str> {
        self.agent.event(native).map(|event| event.event.as_str())
    }

    /// Whether matchers of an event test the name of a tool.
    pub(crate) fn matches_tools(self, native: &str) -> bool {
        self.agent.event(native).is_some_and(|event| event.matcher.as_deref() == Some("tool_name"))
    }

    /// The agent's name for an event of the vocabulary.
    pub(crate) fn native_name(self, event: &str) -> Option<&'static str> {
        self.agent.native(event).map(|event| event.name.as_str())
    }

    /// The agent's names for an event of the vocabulary, each of which must be installed.
    pub(crate) fn native_names(self, event: &str) -> Vec<&'static str> {
        self.agent.installed(event).into_iter().map(|event| event.name.as_str()).collect()
    }

    /// The events to install for an event of the vocabulary that no call is for; `called` are those with a call.
    pub(crate) fn uncalled(self, event: &str, called: &BTreeSet<&str>) -> Vec<&'static str> {
        let mut missing = self.native_names(event);
        let is_called = called.iter().any(|name| self.agent.translated(name) == event);
        match missing.len() {
            0 | 1 if is_called => Vec::new(),
            _ => {
                missing.retain(|name| !called.contains(name));
                missing
            }
        }
    }

    /// The names of all events.
    pub(crate) fn event_names(self) -> impl Iterator<Item = &'static str> {
        self.agent.events.iter().map(|event| event.name.as_str())
    }

    /// A timeout of a handler: its key, and the time in the agent's unit.
    pub(crate) fn waits(self, seconds: u32) -> (&'static str, u64) {
        let (key, unit) = self.agent.timeout_key();
        (key, u64::from(seconds) * u64::from(unit))
    }

    /// A timeout at an event: the agent would cut a longer one, with a warning at each start.
    pub(crate) fn at_most(self, event: &str, seconds: u32) -> u32 {
        let longest = self.agent.event(event).and_then(|known| known.longest);
        longest.map_or(seconds, |longest| seconds.min(longest))
    }

    /// The key that denies the action if the handler fails, and its value, at events that happen before it.
    pub(crate) fn closed(self, event: &str) -> Option<(&'static str, Value)> {
        let known = self.agent.event(event)?;
        let before = matches!(known.event.as_str(), "PreToolUse" | "UserPromptSubmit");
        self.agent.fail_closed_key().filter(|_| before && known.can(Capability::Deny))
    }

    /// What denies in place of a call under an event if the program is gone: the shell of the agent must understand it.
    pub(crate) fn fallback(self, event: &str) -> Option<Fallback> {
        let shell = match self.settings.shell.as_deref()? {
            "$SHELL" => std::env::var("SHELL").unwrap_or_else(|_| "sh".to_owned()),
            shell => shell.to_owned(),
        };
        let denial = self.agent.denial_without_program(event).filter(|_| is_shell(&shell))?;
        match denial {
            UnstartedDenial::ExitStatus => Some(Fallback::ExitStatus),
            UnstartedDenial::Answer => {
                let answer = adapter::by_name(&self.name)?.refuse_unread(Some(event), b"", NO_ANSWER);
                Some(Fallback::Answer(answer.stdout.to_string().trim_end().to_owned()))
            }
        }
    }

    /// Whether the agent denies an event whatever a call of it ends with, except success.
    pub(crate) fn any_status_denies(self, event: &str) -> bool {
        let is_any = self.agent.event(event).is_some_and(|known| known.exit() == DenyingExit::Any);
        is_any && self.agent.ignores_exit.is_none()
    }

    /// An entry under an event that calls `command`.
    pub(crate) fn entry(self, event: &str, command: &str, seconds: Option<u32>) -> Value {
        let fixed = self.settings.handler.iter().map(|(key, value)| (key.clone(), json!(value)));
        let mut handler: Map<String, Value> = fixed.collect();
        handler.extend(self.agent.command_keys().next().map(|key| (key.to_owned(), json!(command))));
        if let Some((key, time)) = seconds.map(|seconds| self.waits(seconds)) {
            handler.insert(key.to_owned(), json!(time));
        }
        if let Some((key, yes)) = self.closed(event) {
            handler.insert(key.to_owned(), yes);
        }
        let is_listed = self.settings.version == Version::V1;
        let listed = self.agent.form.as_ref().and_then(|form| form.listed.as_ref()).filter(|_| is_listed);
        if let Some(listed) = listed {
            let (key, _) = self.waits(0);
            let timeout = handler.remove(key);
            let mut hook = Map::from_iter([
                ("name".to_owned(), json!(format!("hookc {event}"))),
                (listed.event.clone(), json!(event)),
                (listed.handler.clone(), Value::Object(handler)),
            ]);
            hook.extend(timeout.map(|timeout| (key.to_owned(), timeout)));
            return Value::Object(hook);
        }
        let is_alone = self.agent.event(event).is_some_and(|event| event.alone);
        if self.agent.groups && !is_alone { json!({"hooks": [handler]}) } else { Value::Object(handler) }
    }
}

/// The existing files of an entry of the data.
fn managed(one: &Managed) -> Vec<PathBuf> {
    let variable = one.variable.as_ref().and_then(std::env::var_os);
    let moved = variable.filter(|value| !value.is_empty()).map(PathBuf::from);
    let places = moved.map_or_else(|| one.files.iter().map(PathBuf::from).collect(), |file| vec![file]);
    let mut files = Vec::new();
    for file in places {
        if file.ends_with("*.json") {
            files.extend(file.parent().into_iter().flat_map(json_files));
            continue;
        }
        let drop_ins = file.with_extension("d");
        files.push(file);
        if one.folder {
            files.extend(json_files(&drop_ins));
        }
    }
    files.retain(|path| path.symlink_metadata().is_ok());
    files
}

/// A path without its first directory.
fn inside(path: &str) -> PathBuf {
    Path::new(path).components().skip(1).collect()
}

/// The JSON files of a directory, in order.
pub(crate) fn json_files(folder: &Path) -> Vec<PathBuf> {
    let entries = folder.read_dir().into_iter().flatten();
    let mut paths: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    paths.retain(|path| path.extension().is_some_and(|ending| ending == "json"));
    paths.sort();
    paths
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn events_have_the_agents_names() {
        let native = |name, event| by_name(name).and_then(|agent| agent.native_name(event));
        assert_eq!(native("claude", "PreToolUse"), Some("PreToolUse"));
        assert_eq!(native("claude", "error"), None);
        assert_eq!(native("gemini", "PreToolUse"), Some("BeforeTool"));
        assert_eq!(native("cursor", "UserPromptSubmit"), Some("beforeSubmitPrompt"));
        assert_eq!(native("copilot", "Stop"), Some("agentStop"));
        assert_eq!(native("codex", "Notification"), None);
        let cursor = by_name("cursor").and_then(|agent| agent.vocabulary("beforeShellExecution"));
        assert_eq!(cursor, Some("PreToolUse"));
    }

    #[test]
    fn files_are_where_the_agent_reads_them() {
        let home = Path::new("/home/u");
        let file = |name, scope, moved: Option<&str>| {
            by_name(name).and_then(|agent| agent.file(scope, home, moved.map(PathBuf::from)))
        };
        assert_eq!(file("claude", Scope::User, None), Some("/home/u/.claude/settings.json".into()));
        assert_eq!(file("claude", Scope::User, Some("/c")), Some("/c/settings.json".into()));
        assert_eq!(file("claude", Scope::Local, None), Some(".claude/settings.local.json".into()));
        assert_eq!(file("codex", Scope::Local, None), None);
    }
}
