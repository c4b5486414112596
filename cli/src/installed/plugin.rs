//! Agents that load plugins: a file of JavaScript next to the settings makes the calls that these name.

use std::path::{Path, PathBuf};

use hookc_runtime::open;

use super::target::Target;
use crate::args::{Global, Install, Scope, Uninstall};
use crate::edit::save::{self, NotText};
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

/// The plugin of a settings file, unless it is there. It can be written, in place of one of an older version.
pub(crate) fn planned(
    global: &Global,
    agent: Target,
    settings: &Path,
    args: &Install,
) -> Result<Result<Option<NewPlugin>, NotText>, Failure> {
    let Some((path, text)) = for_settings(agent, settings) else { return Ok(Ok(None)) };
    super::is_in_scope(&path, args.scope)?;
    let Ok(old) = save::read(global, &path)? else { return Ok(Err(NotText)) };
    if old.as_deref() == Some(text) {
        return Ok(Ok(None));
    }
    if !args.dry_run {
        save::check(&path)?;
    }
    Ok(Ok(Some(NewPlugin { path, old, text })))
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
    super::is_in_scope(&path, args.scope)?;
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
