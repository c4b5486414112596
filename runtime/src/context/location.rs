//! Where a handler runs: the directories that agents provide in variables, and the root of the
//! repository of the hook.

use std::borrow::Cow;
use std::path::{Path, PathBuf};

use hookc_base::Family;
use hookc_base::action::DIRECTORIES;

use super::ActionContext;
use crate::limits::ARGUMENT_BYTES;
use crate::outcome::Hook;
use crate::process::Program;

/// A variable as handlers receive it: the host's, otherwise this process' own.
pub(crate) fn variable(context: &ActionContext<'_>, name: &str) -> Option<String> {
    let host = context.host.environment().into_iter().rev().find(|(listed, _)| listed == name);
    host.map_or_else(|| std::env::var(name).ok(), |(_, value)| value).filter(|value| !value.is_empty())
}

/// The directories of one handler.
pub(crate) struct Locations {
    /// The known variables of [`DIRECTORIES`], and whether the handler's environment lacks them.
    known: Vec<(&'static str, String, bool)>,
    /// Whether arguments use them.
    fills: bool,
    /// Where the handler runs, and relative directories start: the root of the repository, or the directory of the
    /// agent.
    root: Option<PathBuf>,
    /// Whether relative programs start there too.
    is_repository: bool,
}

impl Locations {
    pub(crate) fn for_hook(hook: &Hook, context: &ActionContext<'_>) -> Self {
        let file = hook.source.as_deref().and_then(file);
        let fills = context.family == Some(Family::Agent);
        let known = DIRECTORIES.iter().filter(|_| fills).filter_map(|name| {
            let given = variable(context, name).map(|value| (*name, value, false));
            given.or_else(|| Some((*name, derived(name, file, context)?, true)))
        });
        let is_repository = context.family == Some(Family::Repository);
        let root = if is_repository { file.and_then(root) } else { agent_directory(context) };
        Self { known: known.collect(), fills, root, is_repository }
    }

    /// The program with its variables substituted; only without a shell, which would do it itself.
    pub(crate) fn resolve(&self, program: Program) -> Result<Program, String> {
        let Program::Argv { program, args } = program else { return Ok(program) };
        let mut program = self.filled(program)?;
        if program.contains('/') && Path::new(&program).is_relative() {
            // A program of the policy is not looked for where the agent happens to be.
            let directory = if self.is_repository { self.root.clone() } else { self.base()? };
            program = directory.unwrap_or_default().join(&program).to_string_lossy().into_owned();
        }
        let args = args.into_iter().map(|arg| self.filled(arg)).collect::<Result<_, _>>()?;
        Ok(Program::Argv { program, args })
    }

    /// The directory of this process, if the handler runs in another one.
    fn base(&self) -> Result<Option<PathBuf>, String> {
        let here = || std::env::current_dir().map_err(|error| format!("the working directory: {error}"));
        self.root.as_ref().map(|_| here()).transpose()
    }

    /// Text of the event is marked with NUL, and stays unchanged.
    fn filled(&self, mut text: String) -> Result<String, String> {
        for name in DIRECTORIES.iter().filter(|_| self.fills) {
            let hole = format!("${{{name}}}");
            if text.contains(&hole) {
                let known = self.known.iter().find(|(listed, ..)| listed == name);
                let (_, value, _) = known.ok_or_else(|| format!("it uses {hole}, which is not set"))?;
                text = text.replace(&hole, value);
            }
        }
        Ok(if self.fills { text.replace('\0', "") } else { text })
    }

    /// The variables that are added to the handler's environment.
    pub(crate) fn environment(&self) -> impl Iterator<Item = (String, Option<String>)> + '_ {
        let added = self.known.iter().filter(|(.., added)| *added);
        added.map(|(name, value, _)| ((*name).to_owned(), Some(value.clone())))
    }

    /// The working directory: that of the action, relative to the root of the repository or the directory of the agent.
    pub(crate) fn directory(&self, given: Option<&str>) -> Option<PathBuf> {
        match (&self.root, given) {
            (Some(root), Some(given)) => Some(root.join(given)),
            (root, given) => given.map(PathBuf::from).or_else(|| root.clone()),
        }
    }
}

/// The file of a location `file:line:column`.
pub(crate) fn file(location: &str) -> Option<&Path> {
    location.rsplitn(3, ':').nth(2).map(Path::new)
}

/// A variable that is not set: the project is the directory of the agent, a plugin is the directory
/// whose `hooks/hooks.json` names the handler.
fn derived(name: &str, file: Option<&Path>, context: &ActionContext<'_>) -> Option<String> {
    match name {
        "CLAUDE_PROJECT_DIR" => context.event.text("cwd").filter(|cwd| is_folder(cwd)).map(Cow::into_owned),
        "CLAUDE_PLUGIN_ROOT" => {
            let file = file.filter(|file| file.ends_with("hooks/hooks.json"))?;
            let file = std::path::absolute(file).ok()?;
            Some(file.parent()?.parent()?.to_string_lossy().into_owned())
        }
        _ => None,
    }
}

/// Whether a text can be passed to programs as the name of a directory.
fn is_folder(text: &str) -> bool {
    !text.is_empty() && text.len() < ARGUMENT_BYTES
}

/// The agent's directory, which its event names. If it is gone, handlers run in that of this process.
fn agent_directory(context: &ActionContext<'_>) -> Option<PathBuf> {
    let of_agent = context.family == Some(Family::Agent);
    let cwd = of_agent.then(|| context.event.text("cwd")).flatten().filter(|cwd| is_folder(cwd))?;
    Some(PathBuf::from(cwd.as_ref())).filter(|cwd| cwd.is_absolute() && cwd.is_dir())
}

/// The directory that the nearest `.system` above a file is in.
fn root(file: &Path) -> Option<PathBuf> {
    let file = std::path::absolute(file).ok()?;
    let system =
        file.ancestors().skip(1).find(|folder| folder.file_name().is_some_and(|name| name == ".system"))?;
    system.parent().map(Path::to_owned)
}
