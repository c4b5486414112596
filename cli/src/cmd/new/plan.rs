//! The files of a new hook.

use std::path::{Path, PathBuf};

use hookc_base::action::Kind;
use hookc_compiler::Dialect;
use hookc_schema::tree::Family;

use super::spec::{self, Spec};
use super::{policy, stub};
use crate::edit::scalar;
use crate::files;

/// The agent itself reads it.
pub(super) const SETTINGS: &str = ".claude/settings.json";

/// The purpose of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    Policy,
    /// A handler that is started: it has a run bit.
    Handler,
    /// A script that is loaded by a worker.
    Script,
    Event,
    Test,
}

/// A file to write.
#[derive(Debug)]
pub(super) struct File {
    pub(super) role: Role,
    /// From where we are.
    pub(super) path: PathBuf,
    /// From the root of the repository, with `/`.
    pub(super) local: String,
    pub(super) text: String,
    /// It exists and stays unchanged.
    kept: bool,
}

impl File {
    /// As diagnostics call it.
    pub(super) fn shown(&self) -> String {
        files::name(&self.path)
    }
}

/// The policy that decides about the sample event.
#[derive(Debug)]
pub(super) enum Decides {
    /// The hook of this label, which is the new one.
    Alone(String),
    None,
    /// Others, with the new one or without it.
    Others,
}

/// How the hook is added to its policy.
#[derive(Debug)]
pub(super) enum Placement {
    /// In a new file.
    New,
    /// Into a file with this current text.
    Into(String),
    /// It already exists.
    Exists,
    /// By hand: the file exists, and the policy is the text to add.
    Shown,
}

/// All files of a hook.
#[derive(Debug)]
pub(super) struct Plan {
    pub(super) policy: File,
    pub(super) placement: Placement,
    pub(super) handler: Option<File>,
    pub(super) event: Option<File>,
    pub(super) test: Option<File>,
    dir: PathBuf,
}

impl Plan {
    pub(super) fn new(spec: &Spec, dir: &Path) -> Self {
        let file = |role, local: String, text: String| {
            let path = spec::place(dir, &local);
            File { role, path, local, text, kept: false }
        };
        let handler = spec.handler.map(|language| {
            let (role, local) = match spec.action {
                Kind::Run => {
                    (Role::Handler, format!("scripts/hooks/{}", spec::file_name(&spec.id, language)))
                }
                _ => (Role::Script, script(spec)),
            };
            file(role, local, stub::handler(spec, language))
        });
        let local = spec.into.clone().unwrap_or_else(|| match spec.dialect {
            Dialect::Settings if policy::is_native(spec) => SETTINGS.to_owned(),
            // The agent reads neither conditions nor typed actions: a policy has them.
            Dialect::Settings => format!(".hooks/{}.json", spec.id),
            Dialect::Skill => format!(".claude/skills/{}/SKILL.md", spec.id),
            Dialect::Repository => format!(".system/hooks/{}.yaml", spec.id),
            _ => format!(".hooks/{}.yaml", spec.id),
        });
        let text = policy::text(spec, handler.as_ref().map(|file| file.local.as_str()));
        let policy = file(Role::Policy, local, text);
        // These files have other content too; they are changed, not overwritten.
        let shared = matches!(spec.dialect, Dialect::Settings | Dialect::Skill) || spec.into.is_some();
        let there = shared && std::fs::symlink_metadata(&policy.path).is_ok();
        let placement = if there { Placement::Shown } else { Placement::New };
        Self { policy, placement, handler, event: None, test: None, dir: dir.to_path_buf() }
    }

    /// Adds a sample event for the hook and, if the deciding policy is known, a test.
    pub(super) fn add_trial(&mut self, spec: &Spec, event: &str, decides: &Decides) {
        let base = trial(spec);
        let file = |role, local: String, text| {
            let path = spec::place(&self.dir, &local);
            Some(File { role, path, local, text, kept: false })
        };
        let label = match decides {
            Decides::Alone(label) => Some(Some(label.as_str())),
            Decides::None => Some(None),
            Decides::Others => None,
        };
        self.event = file(Role::Event, format!("{base}.events.ndjson"), format!("{event}\n"));
        if let Some(label) = label.filter(|_| !matches!(self.placement, Placement::Shown)) {
            let test = test(&self.policy.local, &base, spec, event, label);
            self.test = file(Role::Test, format!("{base}.test.yaml"), test);
        }
    }

    /// Keeps existing files, which came with the hook.
    pub(super) fn keep(&mut self) {
        for file in [&mut self.handler, &mut self.event, &mut self.test].into_iter().flatten() {
            file.kept = std::fs::symlink_metadata(&file.path).is_ok();
        }
    }

    /// The files to write.
    pub(super) fn files(&self) -> impl Iterator<Item = &File> {
        let policy = matches!(self.placement, Placement::New).then_some(&self.policy);
        let files = policy.into_iter().chain(&self.handler).chain(&self.event).chain(&self.test);
        files.filter(|file| !file.kept)
    }
}

fn script(spec: &Spec) -> String {
    match spec.dialect {
        Dialect::Skill => format!(".claude/skills/{}/hooks/{}.py", spec.id, spec.event),
        _ => format!("scripts/hooks/{}.py", spec.id),
    }
}

/// The path of event and test without their extensions: outside directories of policies that are
/// read completely.
fn trial(spec: &Spec) -> String {
    match spec.dialect {
        Dialect::Skill => format!(".claude/skills/{}/tests/{}", spec.id, spec.event),
        Dialect::HooksYaml => format!(".hooks/{}", spec.id),
        _ => format!("scripts/hooks/{}", spec.id),
    }
}

fn test(policy: &str, base: &str, spec: &Spec, event: &str, label: Option<&str>) -> String {
    let up = if Path::new(policy).is_absolute() { 0 } else { base.matches('/').count() };
    let up = "../".repeat(up);
    let near = Path::new(base).parent().and_then(|folder| Path::new(policy).strip_prefix(folder).ok());
    let policy = near.map_or_else(|| format!("{up}{policy}"), |near| near.to_string_lossy().into_owned());
    let (name, expect) = match label {
        Some(label) => (format!("{} is for this event", spec.id), scalar(label)),
        None => (format!("{} is not for this event", spec.id), "none".to_owned()),
    };
    let event_type = scalar(&spec.event);
    let builtin = if spec.family == Family::Thread && label.is_none() { "builtin: false\n" } else { "" };
    format!(
        "policy: {}\n{builtin}tests:\n  - name: {}\n    type: {event_type}\n    event: {event}\n    expect: {expect}\n",
        scalar(&policy),
        scalar(&name),
    )
}
