//! Which files are settings of an agent, and their owner.

use std::path::{Path, PathBuf};

use crate::args::Scope;
use crate::installed::target::{self, Target};
use crate::installed::{self, calls, location};

/// A file that an agent reads.
pub(super) struct AgentFile {
    pub(super) agent: Target,
    /// The base directory of relative paths: that of the project. `None` for settings of all
    /// projects.
    pub(super) root: Option<PathBuf>,
}

/// The agent that reads a file, by its path.
pub(super) fn agent_file(path: &Path) -> Option<AgentFile> {
    if !is_json(path) && !is_toml(path) {
        return None;
    }
    let whole = location::normalized(path);
    if let Some(agent) = target::all().find(|agent| agent.managed_files().contains(&whole)) {
        return Some(AgentFile { agent, root: None });
    }
    let users = |agent: &Target| {
        user_file(*agent).is_some_and(|settings| reads(*agent, &settings, &whole))
            || installed::more_files(*agent).iter().any(|settings| location::normalized(settings) == whole)
    };
    if let Some(agent) = target::all().find(users) {
        // Cursor starts a user's own hooks in the directory of the file.
        let root = whole.parent().filter(|_| agent.settings.starts_in_own_folder);
        return Some(AgentFile { agent, root: root.map(Path::to_path_buf) });
    }
    target::all().find_map(|agent| {
        let project = agent.project_files();
        let levels =
            project.filter(|file| ends(agent, file, &whole)).map(|file| Path::new(file).components().count());
        let levels = levels.max();
        let mut users = std::iter::once(&agent.settings.user).chain(&agent.settings.also_user);
        let user = levels.is_none() && users.any(|file| ends(agent, file, &whole));
        let root = levels.and_then(|levels| whole.ancestors().nth(levels)).map(Path::to_path_buf);
        (user || root.is_some()).then_some(AgentFile { agent, root })
    })
}

fn user_file(agent: Target) -> Option<PathBuf> {
    installed::file(agent, Scope::User).ok().map(|file| location::normalized(&file))
}

/// Whether a file is the agent's own, or in a directory that it reads completely.
fn reads(agent: Target, settings: &Path, path: &Path) -> bool {
    path == settings || (agent.settings.whole_folder && is_json(path) && path.parent() == settings.parent())
}

/// Like `reads`, for a path relative to a project or home directory.
fn ends(agent: Target, settings: &str, path: &Path) -> bool {
    let is_in_folder = || {
        path.parent()
            .zip(Path::new(settings).parent())
            .is_some_and(|(folder, settings)| folder.ends_with(settings))
    };
    let whole = agent.settings.whole_folder && !agent.is_further(settings);
    path.ends_with(settings) || (whole && is_json(path) && is_in_folder())
}

fn is_toml(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "toml")
}

fn is_json(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "json")
}

/// The existing settings of all projects.
pub(super) fn everywhere() -> Vec<PathBuf> {
    let there = |path: &PathBuf| path.symlink_metadata().is_ok();
    let mut files: Vec<PathBuf> = target::all().flat_map(Target::managed_files).collect();
    for agent in target::all().filter(|agent| !agent.settings.scripts) {
        let Ok(user) = installed::file(agent, Scope::User) else { continue };
        let folder = user.parent().filter(|_| agent.settings.whole_folder);
        let mut found = folder.map(target::json_files).unwrap_or_default();
        found.retain(|path| *path != user);
        let more = installed::more_files(agent);
        files.extend(Some(user).into_iter().chain(more).filter(there).chain(found));
    }
    files
}

/// The settings of the project, if this is a directory in it.
pub(super) fn of_project() -> Vec<PathBuf> {
    let project = installed::project();
    if project == Path::new(".") {
        return Vec::new();
    }
    let agents = target::all().filter(|agent| !agent.settings.scripts);
    let files = agents.flat_map(|agent| calls::files(agent, &project));
    let mut found: Vec<PathBuf> =
        files.filter(|(scope, _)| matches!(*scope, "project" | "local")).map(|(_, path)| path).collect();
    found.sort();
    found.dedup();
    found
}

/// The scripts of agents that run one for each event, with the directory of the project for those of projects.
pub(super) fn scripts() -> Vec<(Target, PathBuf, Option<PathBuf>)> {
    let project = installed::project();
    let agents = target::all().filter(|agent| agent.settings.scripts);
    let scripts = agents.flat_map(|agent| {
        let root = |scope| (scope != "user").then(|| location::real(&project));
        let files = calls::files(agent, &project).into_iter();
        files.map(move |(scope, path)| (agent, path, root(scope))).collect::<Vec<_>>()
    });
    scripts.collect()
}

/// Directories in a project where settings of hosts are read.
pub(super) fn folders(folder: &Path) -> Vec<PathBuf> {
    // A directory of scripts is right.
    let files = target::all().filter(|agent| !agent.settings.scripts);
    let paths =
        files.flat_map(Target::project_files).map(|file| folder.join(file)).filter(|path| path.is_dir());
    paths.map(|path| path.strip_prefix(".").map(Path::to_path_buf).unwrap_or(path)).collect()
}

/// The agent in whose directory a file is that the agent does not read.
pub(super) fn ignored_by(path: &Path) -> Option<Target> {
    let json = is_json(path) || path.extension().is_some_and(|extension| extension == "jsonc");
    let name = path.file_name()?.to_str()?.to_ascii_lowercase();
    let sample = ["example", "sample", "template"].iter().any(|word| name.contains(word));
    if !json || sample || agent_file(path).is_some() {
        return None;
    }
    let whole = location::normalized(path);
    let folder = whole.parent()?;
    target::all().filter(|agent| !agent.settings.whole_folder).find(|agent| {
        // A file in the root of the project has no directory of its own.
        let settings = Path::new(&agent.settings.project).parent().filter(|parent| *parent != Path::new(""));
        settings.is_some_and(|parent| folder.ends_with(parent) || folder.ends_with(parent.join("hooks")))
    })
}
