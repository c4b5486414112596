//! The policies and the settings of a project.

use std::path::{Path, PathBuf};

use hookc_base::Layer;
use hookc_compiler::{Builtin, Dialect, Input, Merge, Options};
use hookc_runtime::policies::{PolicySetError, is_there};
use hookc_runtime::skill::SkillRegistry;
use hookc_runtime::thread::Returns;
use hookc_runtime::{Engine, PolicySet};
use hookc_schema::diag::Severity;
use hookc_schema::{Code, Diagnostic, Sources};
use hookc_vm::Module;
use serde_json::Value;

use crate::failure::{Failure, complain};

/// The files that a session reads.
#[derive(Debug)]
pub(crate) struct Files {
    /// Settings files that exist, the user's first.
    pub(crate) settings: Vec<(Layer, PathBuf)>,
    /// Hooks files and directories that exist.
    pub(crate) policies: Vec<(Layer, PathBuf, Option<Dialect>)>,
    /// The directories of skills.
    pub(crate) skills: (Option<PathBuf>, PathBuf),
    /// Whether the repository has hooks of its own (`.system/hooks`).
    pub(crate) has_repository_hooks: bool,
}

/// The user's home.
pub(crate) fn home() -> Option<PathBuf> {
    std::env::var_os("HOME").filter(|home| !home.is_empty()).map(PathBuf::from)
}

impl Files {
    /// The files of the user and of a project, and those of the command line.
    pub(crate) fn new(project: &Path, settings: &[PathBuf], policies: &[PathBuf]) -> Self {
        let home = home();
        let user = home.as_ref().map(|home| (Layer::User, home.join(".claude/settings.json")));
        let project_settings = ["settings.json", "settings.local.json"]
            .map(|name| (Layer::Project, project.join(".claude").join(name)));
        let found = user.into_iter().chain(project_settings).filter(|(_, path)| is_there(path));
        let named = settings.iter().map(|path| (Layer::Project, path.clone()));
        let standard = [(".ai/config/hooks.yaml", None), (".system/hooks", Some(Dialect::Repository))];
        let standard = standard.map(|(name, dialect)| (Layer::Project, project.join(name), dialect));
        let has_repository_hooks = project.join(".system/hooks").is_dir();
        let standard = standard.into_iter().filter(|(_, path, _)| is_there(path));
        let more = policies.iter().map(|path| (Layer::Project, path.clone(), None));
        Self {
            settings: found.chain(named).collect(),
            policies: standard.chain(more).collect(),
            skills: (home.map(|home| home.join(".claude/skills")), project.join(".claude/skills")),
            has_repository_hooks,
        }
    }

    /// Compiles all of them.
    pub(crate) fn compile(&self, skills: &SkillRegistry, merge: Merge) -> Result<(Engine, Returns), Failure> {
        let mut set = PolicySet::new().with_builtin(Builtin::Threads).with_merge(merge);
        for (layer, path) in &self.settings {
            set = set.with(*layer, path, Some(Dialect::Settings));
        }
        for (layer, path, dialect) in &self.policies {
            set = set.with(*layer, path, *dialect);
        }
        for skill in &skills.skills {
            set = set.with(skill.layer, &skill.path, Some(Dialect::Skill));
        }
        let compiled = set.compile_and_report().map_err(|error| failure(&error))?;
        // Agents ignore handlers outside of a group; this one runs them.
        let shown = |one: &&Diagnostic| one.code.severity() == Severity::Warning && one.code != Code::W0238;
        for one in compiled.diagnostics.iter().filter(shown) {
            complain(&line(one, &compiled.sources));
        }
        Ok((Engine::new(compiled.module), compiled.returns))
    }
}

/// The errors of policies, as the command line of hookc shows them.
pub(crate) fn failure(error: &PolicySetError) -> Failure {
    let mut text = error.to_string();
    match error {
        PolicySetError::Policy(sources, diagnostics) => {
            for one in diagnostics.iter().filter(|one| one.is_error()) {
                text.push('\n');
                text.push_str(&line(one, sources));
            }
        }
        PolicySetError::File(_, cause) => text.push_str(&format!(": {cause}")),
        _ => {}
    }
    Failure::usage(text)
}

/// A diagnostic on one line.
fn line(one: &Diagnostic, sources: &Sources) -> String {
    let location = one.span().map(|span| format!("{}: ", sources.location(span))).unwrap_or_default();
    format!("{location}{}: {}", one.code, one.message)
}

/// What the agent does if the policies have no opinion.
pub(crate) fn defaults() -> Result<Engine, Failure> {
    let mut sources = Sources::new();
    let source = sources.add("defaults.yaml", include_str!("../data/defaults.yaml"));
    let compiled = hookc_compiler::compile(&mut sources, &[Input::new(source)], &Options::default());
    let module = compiled.module.ok_or_else(|| Failure::failed("the agent's own hooks do not compile"))?;
    let module = Module::load(module).map_err(|error| Failure::failed(error.to_string()))?;
    Ok(Engine::new(module))
}

/// A settings file as JSON.
pub(crate) fn settings(path: &Path) -> Result<Value, Failure> {
    let failure = |why: String| Failure::usage(format!("{}: {why}", path.display()));
    let text = std::fs::read_to_string(path).map_err(|error| failure(error.to_string()))?;
    serde_json::from_str(&text).map_err(|error| failure(error.to_string()))
}
