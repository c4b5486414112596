//! The root of the project of an event. Agents change their working directory, so `cwd` alone does not say it.

use std::path::{Path, PathBuf};

use hookc_schema::agents::Agent;
use serde_json::Value;

use super::Incoming;
use crate::event::Event;
use crate::git;

/// The member of the vocabulary.
pub(crate) const PROJECT: &str = "project_dir";

/// The name of what is in the root of every repository.
const REPOSITORY: &str = ".git";

/// The repositories that a directory is in, the nearest first. The home directory is one for itself alone: the
/// repository of a person's own files does not contain their projects.
pub fn repositories(directory: &Path, home: Option<PathBuf>) -> impl Iterator<Item = &Path> {
    let home = home.and_then(|home| home.canonicalize().ok());
    let above = directory.ancestors().enumerate();
    let above = above.take_while(move |(level, above)| *level == 0 || home.as_deref() != Some(above));
    let above = above.map(|(_, above)| above);
    above.filter(|above| above.join(REPOSITORY).symlink_metadata().is_ok())
}

/// What says where the project is, besides the event.
pub(crate) struct Context<'c> {
    /// The variables of the environment.
    pub(crate) variable: &'c (dyn Fn(&str) -> Option<String> + Sync),
    /// The directory that the call names.
    pub(crate) recorded: Option<&'c Path>,
}

impl Context<'_> {
    /// The root of the project: what the agent gives, the recorded directory, or the nearest repository above `cwd`.
    pub(crate) fn root(&self, agent: &Agent, event: &Event) -> Option<PathBuf> {
        let absolute = |text: String| Some(PathBuf::from(text)).filter(|path| path.is_absolute());
        let member = agent.protocol.project.as_ref().and_then(|member| first(event, member));
        let variable = || agent.settings.as_ref()?.root.as_ref().and_then(|name| (self.variable)(name));
        let given = member.and_then(absolute).or_else(|| variable().and_then(absolute));
        let recorded = || self.recorded.map(Path::to_owned);
        let repository = || {
            let cwd = event.text("cwd").and_then(|cwd| absolute(cwd.into_owned()))?;
            let home = (self.variable)("HOME").map(PathBuf::from);
            // A directory that only has the name of one is not a repository.
            repositories(&cwd, home).find(|root| git::is_root(root)).map(Path::to_owned)
        };
        given.or_else(recorded).or_else(repository)
    }
}

/// A text, or the first text of a list.
fn first(event: &Event, member: &str) -> Option<String> {
    match serde_json::from_str(event.raw(member)?).ok()? {
        Value::String(text) => Some(text),
        Value::Array(items) => items.first().and_then(Value::as_str).map(str::to_owned),
        _ => None,
    }
}

impl Incoming {
    /// Adds the root of the project to the event, or `null` without one. A member of that name stays.
    pub(crate) fn add_project(&mut self, context: &Context<'_>) {
        self.add_member(PROJECT, |incoming| {
            let root = context.root(incoming.agent, &incoming.event);
            Some(root.and_then(|root| Some(Value::from(root.to_str()?))).unwrap_or_default())
        });
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::adapter;

    /// The project of an event of an agent, which has no other variable than those of all agents.
    fn project(agent: &str, cwd: &Path, recorded: Option<&str>, more: Value) -> Value {
        let mut event =
            json!({"hook_event_name": "SessionStart", "session_id": "s", "cwd": cwd, "source": "startup"});
        event.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        let adapter = adapter::by_name(agent).unwrap();
        let native = adapter.agent().native("SessionStart").map_or("SessionStart", |event| &event.name);
        let mut incoming = adapter.read(event.to_string().into_bytes(), Some(native)).unwrap();
        let variable = |name: &str| name.ends_with("_PROJECT_DIR").then(|| format!("/{name}"));
        incoming.add_project(&Context { variable: &variable, recorded: recorded.map(Path::new) });
        let event: Value = serde_json::from_slice(incoming.event.bytes()).unwrap();
        event[PROJECT].clone()
    }

    #[test]
    fn each_agent_says_where_the_project_is_or_a_call_does() {
        for adapter in adapter::all() {
            let root = adapter.agent().settings.as_ref().and_then(|settings| settings.root.as_ref());
            let given = root.map_or("/recorded".to_owned(), |name| format!("/{name}"));
            let found = project(adapter.name(), Path::new("/p/sub"), Some("/recorded"), json!({}));
            assert_eq!(found, given, "{}", adapter.name());
        }
        let roots = json!({"workspace_roots": ["/p", "/q"]});
        assert_eq!(project("cursor", Path::new("/p/sub"), None, roots), "/p");
        assert_eq!(project("codex", Path::new("/p"), None, json!({"project_dir": "/own"})), "/own");
    }

    #[test]
    fn without_any_it_is_the_repository_of_the_directory() {
        let directory = tempfile::tempdir().unwrap();
        let root = directory.path();
        for name in ["repository/.git/objects", "repository/.git/refs", "repository/a/b/.git"] {
            std::fs::create_dir_all(root.join(name)).unwrap();
        }
        std::fs::write(root.join("repository/.git/HEAD"), "ref: refs/heads/main\n").unwrap();
        let found = |path: &str| project("codex", &root.join(path), None, json!({}));
        assert_eq!(found("repository/a/b"), json!(root.join("repository")));
        assert_eq!(found("repository"), json!(root.join("repository")));
        assert_eq!(project("codex", Path::new("relative"), None, json!({})), Value::Null);
        assert_eq!(project("codex", Path::new("/"), None, json!({})), Value::Null);
    }

    #[test]
    fn the_repository_of_the_home_directory_has_no_projects() {
        let home = tempfile::tempdir().unwrap();
        let home = home.path().canonicalize().unwrap();
        std::fs::create_dir_all(home.join(".git")).unwrap();
        let first = |path: &Path| repositories(path, Some(home.clone())).next().map(Path::to_owned);
        assert_eq!(first(&home), Some(home.clone()));
        assert_eq!(first(&home.join("project")), None);
    }
}
