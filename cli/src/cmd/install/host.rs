//! The data about hosts: the location of their settings, the format of an entry, and their events.

use std::path::{Path, PathBuf};

use hookc_runtime::adapter;
use hookc_schema::tree::Family;
use hookc_schema::vocab::Vocabulary;
use serde_json::{Map, Value, json};

use crate::args::Scope;

/// The format of a host's hooks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    /// Under an event groups, with handlers in them.
    Groups,
    /// Under an event handlers; `version` at the root.
    Handlers,
}

/// A host with its own settings.
#[derive(Debug)]
pub(crate) struct Host {
    /// Its name on the command line.
    pub(crate) name: &'static str,
    /// Its name for people.
    pub(crate) label: &'static str,
    pub(crate) form: Form,
    /// Its file, seen from a project.
    pub(crate) project: &'static str,
    /// Its file for one person in a project.
    pub(crate) local: Option<&'static str>,
    /// Its file, relative to the home directory.
    pub(crate) user: &'static str,
    /// The variable that replaces the first directory of `user`.
    pub(crate) moved: Option<&'static str>,
    /// The variable with the project directory in handlers.
    pub(crate) root: Option<&'static str>,
    /// Whether project handlers start in the project directory.
    pub(crate) starts_in_root: bool,
    /// Whether the event contains its own name.
    pub(crate) names_event: bool,
    /// The key of the command in a handler.
    pub(crate) command: &'static str,
    /// The key of the timeout, and how much of it is a second.
    pub(crate) timeout: (&'static str, u32),
    /// What the agent waits for, silently, before it runs hooks of a project or of the user.
    pub(crate) trust: [Option<&'static str>; 2],
    /// Whether the file contains only hooks.
    pub(crate) hooks_only: bool,
    /// Files that only the administrator can change.
    pub(crate) managed: &'static [&'static str],
    /// Its events with the same name in the vocabulary, or unknown there; for Claude Code all of
    /// the vocabulary's.
    events: &'static [&'static str],
}

const PLAIN: Host = Host {
    name: "",
    label: "",
    form: Form::Groups,
    project: "",
    local: None,
    user: "",
    moved: None,
    root: None,
    starts_in_root: false,
    names_event: true,
    command: "command",
    timeout: ("timeout", 1),
    trust: [None, None],
    hooks_only: true,
    managed: &[],
    events: &[],
};

/// Codex CLI treats hooks of both scopes in the same way.
const REVIEW: Option<&str> = Some("start `codex` here and trust the hooks; until then it ignores them");

const FOLDER: Option<&str> = Some(
    "start `copilot` here and trust the directory (with `-p`: `--trust-folder`); until then it ignores \
     hooks",
);

/// All of them.
pub(crate) const ALL: &[Host] = &[
    Host {
        name: "claude",
        label: "Claude Code",
        project: ".claude/settings.json",
        local: Some(".claude/settings.local.json"),
        user: ".claude/settings.json",
        moved: Some("CLAUDE_CONFIG_DIR"),
        root: Some("CLAUDE_PROJECT_DIR"),
        hooks_only: false,
        managed: &[
            "/etc/claude-code/managed-settings.json",
            "/Library/Application Support/ClaudeCode/managed-settings.json",
        ],
        ..PLAIN
    },
    Host {
        name: "gemini",
        label: "Gemini CLI",
        project: ".gemini/settings.json",
        user: ".gemini/settings.json",
        // `GEMINI_PROJECT_DIR` cannot be used: the agent already quotes its value if it contains a
        // space, so it would be quoted twice. Handlers start there.
        starts_in_root: true,
        timeout: ("timeout", 1000),
        hooks_only: false,
        managed: &["/etc/gemini-cli/settings.json", "/Library/Application Support/GeminiCli/settings.json"],
        events: &[
            "SessionStart",
            "SessionEnd",
            "Notification",
            "BeforeModel",
            "AfterModel",
            "BeforeToolSelection",
        ],
        ..PLAIN
    },
    Host {
        name: "codex",
        label: "Codex CLI",
        project: ".codex/hooks.json",
        user: ".codex/hooks.json",
        moved: Some("CODEX_HOME"),
        trust: [REVIEW, REVIEW],
        events: &[
            "SessionStart",
            "SessionEnd",
            "UserPromptSubmit",
            "PreToolUse",
            "PermissionRequest",
            "PostToolUse",
            "SubagentStart",
            "SubagentStop",
            "PreCompact",
            "PostCompact",
            "Stop",
            "Interrupt",
            "PreModelRequest",
            "PostModelRequest",
        ],
        ..PLAIN
    },
    Host {
        name: "cursor",
        label: "Cursor",
        form: Form::Handlers,
        project: ".cursor/hooks.json",
        user: ".cursor/hooks.json",
        starts_in_root: true,
        managed: &["/etc/cursor/hooks.json", "/Library/Application Support/Cursor/hooks.json"],
        events: &["afterAgentResponse", "afterAgentThought"],
        ..PLAIN
    },
    Host {
        name: "copilot",
        label: "Copilot CLI",
        form: Form::Handlers,
        project: ".github/hooks/hookc.json",
        user: ".copilot/hooks/hookc.json",
        moved: Some("COPILOT_HOME"),
        trust: [FOLDER, None],
        starts_in_root: true,
        names_event: false,
        command: "bash",
        timeout: ("timeoutSec", 1),
        ..PLAIN
    },
];

/// The host of a name.
pub(crate) fn of(name: &str) -> Option<&'static Host> {
    ALL.iter().find(|host| host.name == name)
}

impl Host {
    /// Its file of a scope; `home` is the home directory, `moved` the value of the variable that
    /// can replace the host's directory in it.
    pub(crate) fn file(&self, scope: Scope, home: &Path, moved: Option<PathBuf>) -> Option<PathBuf> {
        match (scope, moved) {
            (Scope::Project, _) => Some(PathBuf::from(self.project)),
            (Scope::Local, _) => self.local.map(PathBuf::from),
            (Scope::User, Some(folder)) => {
                Some(folder.join(Path::new(self.user).components().skip(1).collect::<PathBuf>()))
            }
            (Scope::User, None) => Some(home.join(self.user)),
        }
    }

    /// The existing files of the administrator; each can have a directory with more next to it
    /// (`managed-settings.d`).
    pub(crate) fn managed_files(&self) -> Vec<PathBuf> {
        let files = self.managed.iter().map(PathBuf::from);
        let more = files.clone().map(|file| file.with_extension("d")).filter(|_| self.name == "claude");
        let more = more.flat_map(|folder| folder.read_dir().ok()).flatten();
        let mut more: Vec<PathBuf> = more.filter_map(|entry| Some(entry.ok()?.path())).collect();
        more.retain(|path| path.extension().is_some_and(|ending| ending == "json"));
        more.sort();
        files.chain(more).filter(|path| path.symlink_metadata().is_ok()).collect()
    }

    /// Its events: its own name, and the vocabulary's.
    pub(crate) fn events(&self) -> Vec<(&'static str, String)> {
        let renamed = adapter::of(self.name).map(adapter::Adapter::renamed).unwrap_or_default();
        let renamed = renamed.iter().map(|(own, name)| (*own, (*name).to_owned()));
        renamed.chain(self.events.iter().map(|name| (*name, (*name).to_owned()))).collect()
    }

    /// The host's name for an event of the vocabulary.
    pub(crate) fn native(&self, name: &str) -> Option<String> {
        if self.all_of_vocabulary() {
            let known = Vocabulary::builtin().events.contains_key(&(Family::Agent, name.to_owned()));
            return known.then(|| name.to_owned());
        }
        let events = self.events();
        events.iter().find(|(_, event)| event == name).map(|(own, _)| (*own).to_owned())
    }

    /// The vocabulary's name for an event of the host, if that is one.
    pub(crate) fn vocabulary(&self, native: &str) -> Option<String> {
        if self.all_of_vocabulary() {
            return self.native(native);
        }
        self.events().into_iter().find(|(own, _)| *own == native).map(|(_, event)| event)
    }

    /// Whether it reads all files in the directory of its file.
    pub(crate) fn whole_folder(&self) -> bool {
        self.name == "copilot"
    }

    /// The names of all events.
    pub(crate) fn names(&self) -> Vec<String> {
        if self.all_of_vocabulary() {
            let vocabulary = Vocabulary::builtin();
            let agent = vocabulary.events.keys().filter(|(family, _)| *family == Family::Agent);
            return agent.map(|(_, name)| name.clone()).collect();
        }
        self.events().into_iter().map(|(own, _)| own.to_owned()).collect()
    }

    /// The vocabulary of agents is that of Claude Code.
    fn all_of_vocabulary(&self) -> bool {
        self.name == "claude"
    }

    /// A timeout of a handler: its key, and the time in the host's unit.
    pub(crate) fn waits(&self, seconds: u32) -> (&'static str, u64) {
        let (key, unit) = self.timeout;
        (key, u64::from(seconds) * u64::from(unit))
    }

    /// An entry under an event that calls `command`.
    pub(crate) fn entry(&self, command: &str, seconds: Option<u32>) -> Value {
        let mut handler = Map::new();
        if self.name == "gemini" {
            handler.insert("name".to_owned(), json!("hookc"));
        }
        if self.name != "cursor" {
            handler.insert("type".to_owned(), json!("command"));
        }
        handler.insert(self.command.to_owned(), json!(command));
        if let Some((key, time)) = seconds.map(|seconds| self.waits(seconds)) {
            handler.insert(key.to_owned(), json!(time));
        }
        match self.form {
            Form::Groups => json!({"hooks": [handler]}),
            Form::Handlers => Value::Object(handler),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn events_have_the_hosts_names() {
        let native = |host, event| of(host).and_then(|host| host.native(event));
        assert_eq!(native("claude", "PreToolUse").as_deref(), Some("PreToolUse"));
        assert_eq!(native("claude", "error"), None);
        assert_eq!(native("gemini", "PreToolUse").as_deref(), Some("BeforeTool"));
        assert_eq!(native("gemini", "SessionStart").as_deref(), Some("SessionStart"));
        assert_eq!(native("cursor", "PreToolUse").as_deref(), Some("preToolUse"));
        assert_eq!(native("cursor", "UserPromptSubmit").as_deref(), Some("beforeSubmitPrompt"));
        assert_eq!(native("copilot", "Stop").as_deref(), Some("agentStop"));
        assert_eq!(native("codex", "Notification"), None);
        let cursor = of("cursor").and_then(|host| host.vocabulary("beforeShellExecution"));
        assert_eq!(cursor.as_deref(), Some("PreToolUse"));
    }

    #[test]
    fn files_lie_where_the_host_reads_them() {
        let home = Path::new("/home/u");
        let file = |host, scope, moved: Option<&str>| {
            of(host).and_then(|host| host.file(scope, home, moved.map(PathBuf::from)))
        };
        assert_eq!(file("claude", Scope::User, None), Some("/home/u/.claude/settings.json".into()));
        assert_eq!(file("claude", Scope::User, Some("/c")), Some("/c/settings.json".into()));
        assert_eq!(file("claude", Scope::Local, None), Some(".claude/settings.local.json".into()));
        assert_eq!(file("codex", Scope::Local, None), None);
    }
}
