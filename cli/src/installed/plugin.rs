//! Agents that load plugins: a file of JavaScript next to the settings makes the calls that these name.

use std::path::{Path, PathBuf};

use hookc_runtime::open;

use super::target::Target;
use crate::args::{Global, Install, Scope, Uninstall};
use crate::edit::save;
use crate::exit::Failure;
use crate::out;

/// The plugin that reads a settings file: its path and its text.
pub(crate) fn for_settings(agent: Target, settings: &Path) -> Option<(PathBuf, &'static str)> {
    let (place, text) = agent.plugin()?;
    Some((settings.parent()?.join(place), text))
}

/// The plugin that is to be written for a settings file.
pub(crate) struct NewPlugin {
    path: PathBuf,
    old: Option<String>,
    text: &'static str,
}

/// What is to be done about the plugin of a settings file.
pub(crate) enum PluginPlan {
    /// Nothing: it is there, or the agent has none.
    Keep,
    /// It can be written, in place of one of an older version.
    Write(NewPlugin),
    /// Nothing of the settings either: the file in its place is not text, which was reported.
    Stop,
}

/// What is to be done about the plugin of a settings file.
pub(crate) fn plan(
    global: &Global,
    agent: Target,
    settings: &Path,
    args: &Install,
) -> Result<PluginPlan, Failure> {
    let Some((path, text)) = for_settings(agent, settings) else { return Ok(PluginPlan::Keep) };
    super::check_scope(&path, args.scope)?;
    let Ok(old) = save::read(global, &path)? else { return Ok(PluginPlan::Stop) };
    if old.as_deref() == Some(text) {
        return Ok(PluginPlan::Keep);
    }
    if !args.dry_run {
        save::check(&path)?;
    }
    Ok(PluginPlan::Write(NewPlugin { path, old, text }))
}

/// Writes a plugin.
pub(crate) fn install(
    global: &Global,
    plugin: &NewPlugin,
    settings: &Path,
    args: &Install,
) -> Result<(), Failure> {
    let NewPlugin { path, old, text } = plugin;
    if args.dry_run {
        return save::show(path, old.as_deref().unwrap_or_default(), text);
    }
    let backup = save::change(path, old.as_deref(), text)?;
    let what = format!("makes the calls in {}", settings.display());
    save::report_saved(global, path, backup.as_deref(), &what);
    Ok(())
}

/// Removes the plugin of settings without calls. A changed one is kept as a copy.
pub(crate) fn uninstall(
    global: &Global,
    agent: Target,
    settings: &Path,
    args: &Uninstall,
) -> Result<(), Failure> {
    let Some((path, _)) = for_settings(agent, settings) else { return Ok(()) };
    super::check_scope(&path, args.scope)?;
    let Ok(Some(old)) = save::read(global, &path)? else { return Ok(()) };
    if args.dry_run {
        return save::show(&path, &old, "");
    }
    let backup = save::remove(&path, &old)?;
    out::say(global, &format!("{} is removed: now {}", path.display(), backup.display()));
    Ok(())
}

/// What keeps a plugin from making the calls of a settings file.
pub(crate) fn trouble(agent: Target, settings: &Path) -> Option<String> {
    let (path, text) = for_settings(agent, settings)?;
    let (name, label) = (path.display(), &agent.label);
    match open::read(&path, text.len()) {
        Ok(found) if found == text.as_bytes() => None,
        Ok(_) => Some(format!(
            "{name} is not the plugin of this version of hookc: someone changed it, or hookc is newer"
        )),
        Err(error) => {
            Some(format!("{label} makes these calls by the plugin {name}, which cannot be read: {error}"))
        }
    }
}

/// The plugins of an agent whose settings are gone: they deny each action.
pub(crate) fn without_settings(agent: Target) -> impl Iterator<Item = (PathBuf, PathBuf)> {
    let settings =
        [Scope::Project, Scope::User].into_iter().filter_map(move |scope| super::file(agent, scope).ok());
    let plugins = settings.filter_map(move |settings| Some((for_settings(agent, &settings)?.0, settings)));
    plugins.filter(|(plugin, settings)| plugin.exists() && settings.symlink_metadata().is_err())
}
