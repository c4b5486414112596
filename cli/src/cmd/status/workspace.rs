//! The agents of a workspace: those that `check` is for by default.

use std::path::{Path, PathBuf};

use crate::files;
use crate::installed::calls;
use crate::installed::target::{self, Target};
use crate::installed::{self, location};

/// The names of the agents whose settings in this project call hookc; if none of them does, of those that have settings in
/// it. No names if one of the policies is outside the project.
pub(crate) fn agents(policies: &[PathBuf]) -> Vec<String> {
    let project = installed::project();
    let root = location::real(&project);
    let is_inside = |file: &PathBuf| files::is_stdin(file) || location::real(file).starts_with(&root);
    if !policies.iter().all(is_inside) {
        return Vec::new();
    }
    let with_settings: Vec<(Target, bool)> =
        target::all().filter_map(|agent| Some((agent, has_call(agent, &project, &root)?))).collect();
    let any_calls = with_settings.iter().any(|(_, has_call)| *has_call);
    let agents = with_settings.iter().filter(|(_, has_call)| *has_call == any_calls);
    agents.map(|(agent, _)| agent.name.clone()).collect()
}

/// Whether the agent's settings of a project call hookc; `None` if it has none there. Files that it only reads too are
/// those of another agent.
fn has_call(agent: Target, project: &Path, root: &Path) -> Option<bool> {
    let mut files = calls::files(agent, project);
    files.retain(|(scope, file)| matches!(*scope, "project" | "local") && !agent.is_at_further(file));
    let is_calling = |(scope, file): &(&'static str, PathBuf)| {
        calls::of_file(agent, scope, file, Some(root)).map_or(true, |calls| !calls.is_empty())
    };
    (!files.is_empty()).then(|| files.iter().any(is_calling))
}
