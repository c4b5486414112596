//! What is installed: the settings of agents on this machine, and the calls of hookc in them.
//!
//! `target.rs` contains what an agent's settings are, `command.rs` the command line of a call, `fallback.rs` what denies in its place, `location.rs` resolves the
//! paths in it, `calls.rs` finds the calls, `records.rs` the times of their installation, `program.rs` the program.

pub(crate) mod calls;
pub(crate) mod cloud;
pub(crate) mod command;
pub(crate) mod fallback;
pub(crate) mod location;
mod place;
pub(crate) mod plugin;
pub(crate) mod program;
pub(crate) mod records;
pub(crate) mod scripts;
pub(crate) mod target;
pub(crate) mod version;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use hookc_schema::agents;
use hookc_schema::suggest::nearest;
use hookc_schema::value::Value;
use hookc_vm::{Family, Module};

use crate::args::Scope;
use crate::exit::Failure;
use crate::{files, inside};
use command::InstalledCommand;
use target::Target;

/// The event at the start of a session, in the vocabulary.
pub(crate) const START: &str = "SessionStart";

/// The event whose hook replaces an action of the agent.
pub(crate) const WORKTREE: &str = "WorktreeCreate";

/// The directory of the project: the root of the repository, or the current directory.
pub(crate) fn project() -> PathBuf {
    let here = std::env::current_dir().ok();
    let root = here.as_deref().and_then(inside::repository).filter(|root| Some(root) != here.as_ref());
    root.unwrap_or_else(|| PathBuf::from("."))
}

/// Rejects settings of a project that are elsewhere.
pub(crate) fn stays_inside(settings: &Path, project: &Path) -> Result<(), Failure> {
    let root = std::path::absolute(project)?;
    inside::below(&root.join(settings), &root).map_err(|error| Failure::file(settings, &error))
}

/// Rejects a file of a project that is elsewhere. Those of a person may be links anywhere.
pub(crate) fn check_scope(path: &Path, scope: Scope) -> Result<(), Failure> {
    if scope == Scope::User { Ok(()) } else { stays_inside(path, &project()) }
}

/// The agent of that name.
pub(crate) fn host(name: &str) -> Result<Target, Failure> {
    if let Some(agent) = target::by_name(name) {
        return Ok(agent);
    }
    if let Some(other) = agents::by_name(name).and_then(|agent| agent.installed_as.as_deref()) {
        let why =
            format!("`{name}` runs the hooks of `{other}`, and hookc recognizes its events: use `{other}`");
        return Err(Failure::usage(why));
    }
    if name == "flat" {
        return Err(Failure::usage("`flat` has no settings file that hookc knows: look at yours"));
    }
    let known = || target::all().map(|agent| agent.agent().name.as_str());
    if Path::new(name).exists() {
        return Err(Failure::usage(format!("{name} is a file: name the agent first, then the policy")));
    }
    if let Some((first, _)) = name.split_once(',').filter(|(first, _)| target::by_name(first).is_some()) {
        return Err(Failure::usage(format!(
            "`{name}` is several agents: name one at a time, `{first}` first"
        )));
    }
    let near = nearest(name, known()).map(|near| format!("; did you mean `{near}`?")).unwrap_or_default();
    let known: Vec<&str> = known().collect();
    Err(Failure::usage(format!("unknown agent `{name}` (known: {}, flat){near}", known.join(", "))))
}

/// The location of the agent's settings of that scope.
pub(crate) fn file(agent: Target, scope: Scope) -> Result<PathBuf, Failure> {
    let set = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let moved = agent.settings.home.as_deref().and_then(set);
    let home = set("HOME").or_else(|| set("USERPROFILE"));
    let Some(home) = home.or_else(|| moved.clone()).or_else(|| (scope != Scope::User).then(PathBuf::new))
    else {
        return Err(Failure::usage("no home directory: HOME is not set"));
    };
    let no_local = || Failure::usage(format!("{} has no personal settings for a project", agent.label));
    let path = agent.file(scope, &home, moved).ok_or_else(no_local)?;
    let root = project();
    Ok(if scope == Scope::User || root == Path::new(".") { path } else { root.join(path) })
}

/// The agent's settings of that scope in the current directory, if that is below the root of the repository and they
/// are there.
pub(crate) fn file_here(agent: Target, scope: Scope) -> Option<PathBuf> {
    let name = agent.file(scope, Path::new(""), None).filter(|_| scope != Scope::User)?;
    (project() != Path::new(".") && name.symlink_metadata().is_ok()).then_some(name)
}

/// Further files of a person that an agent reads hooks from.
pub(crate) fn more_files(agent: Target) -> Vec<PathBuf> {
    let set = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let moved = agent.settings.home.as_deref().and_then(set);
    let home = set("HOME").or_else(|| set("USERPROFILE")).or_else(|| moved.clone());
    home.map(|home| agent.more_user_files(&home, moved.as_deref())).unwrap_or_default()
}

/// The file of a program's name.
pub(crate) fn on_path(name: &str) -> Option<PathBuf> {
    let folders = std::env::var_os("PATH")?;
    std::env::split_paths(&folders).map(|folder| folder.join(name)).find(|path| files::runs(path))
}

/// The names of the events that a policy has to be called for: it has hooks for them, or conditions about them when they
/// are past.
pub(crate) fn called(module: &Module) -> BTreeSet<String> {
    hooked(module).into_iter().chain(observed(module)).collect()
}

/// The names of the events that a policy has hooks for.
pub(crate) fn hooked(module: &Module) -> BTreeSet<String> {
    module.events().filter(|event| event.hooks > 0).map(|event| event.name.to_owned()).collect()
}

/// The names of the events of agents that conditions are about when they are past. With such conditions the start of a
/// session is one of them: it shows that nothing of its history is missing.
pub(crate) fn observed(module: &Module) -> BTreeSet<String> {
    let Ok(tables) = module.tables() else { return BTreeSet::new() };
    let events = (0..)
        .zip(module.events())
        .filter(|(row, event)| event.family == Family::Agent && tables.observed_of(*row).is_some());
    let mut names: BTreeSet<String> = events.map(|(_, event)| event.name.to_owned()).collect();
    if !names.is_empty() {
        names.insert(START.to_owned());
    }
    names
}

/// The call of `hookc run` that a handler is.
pub(crate) fn call(agent: Target, handler: &Value) -> Option<InstalledCommand> {
    let line = agent.command_keys().find_map(|key| handler.get(key)?.as_str())?;
    command::ours(line)
}
