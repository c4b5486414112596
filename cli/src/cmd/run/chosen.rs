//! Which policy a call of `run` decides by: the files that it names, or with `--or-starter` the policy of the project,
//! or else the starter.

use std::path::{Path, PathBuf};

use hookc_schema::agents::Agent;

use crate::args::Run;
use crate::exit::Failure;
use crate::files::Texts;
use crate::installed::calls::{self, Call};
use crate::installed::{self, START, target};
use crate::starters::{self, Starter};

/// The policies of a project, in the order in which they are tried.
const PROJECT: [&str; 3] = ["guard.yaml", "hooks.yaml", ".hooks"];

/// The policies of a call.
pub(super) struct Chosen {
    pub(super) files: Vec<PathBuf>,
    starter: Option<Starter>,
}

impl Chosen {
    pub(super) fn new(args: &Run) -> Result<Self, Failure> {
        let Some(name) = &args.or_starter else {
            return Ok(Self { files: args.files.clone(), starter: None });
        };
        let starter = starters::starter(name).map_err(Failure::usage)?;
        let root = args.project.clone().unwrap_or_else(installed::project);
        let is_there = |path: &PathBuf| path.symlink_metadata().is_ok();
        let named: Vec<PathBuf> = args.files.iter().filter(|path| is_there(path)).cloned().collect();
        let policy = PROJECT.iter().map(|name| root.join(name)).find(is_there);
        let files = match (named.is_empty(), policy) {
            (false, _) => named,
            (true, Some(policy)) => vec![policy],
            (true, None) => {
                return Ok(Self { files: vec![PathBuf::from(in_log(&starter))], starter: Some(starter) });
            }
        };
        Ok(Self { files, starter: None })
    }

    /// The texts of what is not in a file.
    pub(super) fn texts(&self) -> Texts {
        let mut texts = Texts::default();
        if let (Some(starter), Some(path)) = (&self.starter, self.files.first()) {
            texts.provide(path, starter.policy.as_bytes());
        }
        texts
    }

    /// The names of the policies in the log: their real paths.
    pub(super) fn names(&self) -> Vec<String> {
        match &self.starter {
            Some(starter) => vec![in_log(starter)],
            None => self.files.iter().map(|path| calls::name(path)).collect(),
        }
    }
}

fn in_log(starter: &Starter) -> String {
    format!("starter:{}", starter.name)
}

/// Whether settings of the agent call `hookc run` with these policies at the start of each session.
pub(super) fn records_starts(agent: &Agent, project: Option<&Path>, policies: &[String]) -> bool {
    let starts = |call: &Call| call.policies == policies && call.agent.translated(&call.event) == START;
    settings_call(agent, project, starts)
}

/// Whether settings of the agent call `hookc run` with a policy: such a call decides, and this one would decide again.
pub(super) fn is_called_by_settings(agent: &Agent, project: Option<&Path>) -> bool {
    settings_call(agent, project, |call| !call.policies.is_empty() && !call.is_fallback)
}

fn settings_call(agent: &Agent, project: Option<&Path>, is_meant: impl Fn(&Call) -> bool) -> bool {
    let Some(agent) = target::by_name(&agent.name) else { return false };
    let root = project.map_or_else(installed::project, Path::to_owned);
    let calls = calls::files(agent, &root).into_iter();
    calls
        .filter_map(|(scope, file)| calls::of_file(agent, scope, &file, Some(&root)).ok())
        .flatten()
        .any(|call| is_meant(&call))
}
