//! The agents that a repository or a person uses, by the directories of their settings.

use std::path::Path;

use crate::args::Scope;
use crate::installed;
use crate::installed::target::{self, Target};

/// An agent and where it was found.
pub(super) struct FoundAgent {
    pub(super) agent: Target,
    pub(super) why: String,
    in_project: bool,
}

pub(super) struct Found {
    pub(super) agents: Vec<FoundAgent>,
}

impl Found {
    /// The agents of the repository, or else those of the person.
    pub(super) fn default_names(&self) -> String {
        let any = self.agents.iter().any(|one| one.in_project);
        let names = self.agents.iter().filter(|one| one.in_project == any).map(|one| one.agent.name.as_str());
        names.collect::<Vec<_>>().join(",")
    }
}

/// All agents with settings here or at home.
pub(super) fn agents() -> Found {
    Found { agents: target::all().filter_map(found).collect() }
}

fn found(agent: Target) -> Option<FoundAgent> {
    let root = installed::project();
    let here = agent.project_files().find(|file| {
        let whole = root.join(file);
        let directory = Path::new(file).parent().filter(|folder| folder.components().count() == 1);
        whole.exists() || directory.is_some_and(|folder| root.join(folder).is_dir())
    });
    if let Some(file) = here {
        return Some(FoundAgent { agent, why: format!("{file} in this project"), in_project: true });
    }
    let user = installed::file(agent, Scope::User).ok()?;
    // The first directory below the home: an agent makes it when it first starts.
    let levels = Path::new(&agent.settings.user).components().count().saturating_sub(1);
    let folder = user.ancestors().nth(levels.max(1))?;
    let why = format!("{} at home", folder.display());
    folder.is_dir().then_some(FoundAgent { agent, why, in_project: false })
}

/// The names of all agents.
pub(super) fn known() -> String {
    target::all().map(|agent| agent.agent().name.as_str()).collect::<Vec<_>>().join(", ")
}
