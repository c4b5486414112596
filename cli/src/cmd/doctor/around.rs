//! Ways around hooks that files reveal: settings of the administrator or the user that disable
//! hooks, and mods, which are code inside Claude Code. `trust.rs` has those that wait for a person.
//! `docs/security.md` lists all ways, including those that no file reveals.

use std::path::{Path, PathBuf};

use hookc_schema::Sources;
use hookc_schema::agents::Switch;
use hookc_schema::value::{Kind, Value};

use super::finding::Findings;
use super::reading::Readings;
use super::trust;
use crate::args::Scope;
use crate::installed::target::{self, Target};
use crate::installed::{self, location, plugin};

/// The checked settings with hooks.
#[derive(Clone, Debug)]
pub(super) struct CheckedSettings {
    pub(super) agent: Target,
    pub(super) path: PathBuf,
    /// The directory of the project; `None` for settings of all projects.
    pub(super) root: Option<PathBuf>,
    /// The start of the hooks.
    pub(super) at: String,
}

/// Searches settings for ways around the hooks.
pub(super) fn look(readings: &Readings, out: &mut Findings) {
    let checked = std::mem::take(&mut out.checked);
    let managed =
        |one: &CheckedSettings| one.agent.managed_files().contains(&location::normalized(&one.path));
    let unmanaged: Vec<&CheckedSettings> = checked.iter().filter(|one| !managed(one)).collect();
    for one in &unmanaged {
        managed_only(one, one.agent.managed_keys(), readings, out);
        switched_off(one, readings, out);
        disabled(one, readings, out);
        trust::check(one, readings, out);
        plugin(one, out);
    }
    if unmanaged.iter().any(|one| one.agent.name == "claude")
        && let Some(claude) = target::by_name("claude")
    {
        mods(claude, readings, out);
    }
}

/// A plugin that does not make the calls of a settings file, and variables with which the agent loads none.
fn plugin(checked: &CheckedSettings, out: &mut Findings) {
    let (agent, help) = (checked.agent, format!("run `hookc install {}` again", checked.agent.name));
    if let Some(message) = plugin::trouble(agent, &checked.path) {
        out.dead("no-plugin", checked.at.clone(), message, &help);
    }
    for variable in &agent.settings.off {
        if std::env::var_os(variable)
            .is_some_and(|value| !value.is_empty() && value != "0" && value != "false")
        {
            let message = format!("`{variable}` is set here: {} does not load the plugin", agent.label);
            out.dead("switched-off", checked.at.clone(), message, "unset it");
        }
    }
}

/// Plugins without the settings with their calls: they deny.
pub(super) fn plugins_alone(out: &mut Findings) {
    for (agent, (plugin, settings)) in
        target::all().flat_map(|agent| plugin::without_settings(agent).map(move |found| (agent, found)))
    {
        let message = format!("{} is missing: the plugin denies every action", settings.display());
        let help = format!("run `hookc install {}` again, or `hookc uninstall {}`", agent.name, agent.name);
        out.dead("no-settings", plugin.display().to_string(), message, &help);
    }
}

pub(super) fn is_true(value: &Value) -> bool {
    value.kind == Kind::Bool(true)
}

/// Settings of the administrator that let no hooks of others run.
fn managed_only(
    checked: &CheckedSettings,
    managed: impl Iterator<Item = (PathBuf, &'static [String])>,
    readings: &Readings,
    out: &mut Findings,
) {
    for (path, keys) in managed {
        let Some(file) = readings.read(&path) else { continue };
        let set =
            keys.iter().filter_map(|key| Some((key, file.root.at(key).filter(|value| is_true(value))?)));
        for (key, value) in set {
            let message =
                format!("`{key}` in {} keeps these hooks from running", file.sources.location(value.span));
            let help = "ask the administrator to put the hooks into the managed settings";
            out.dead("managed-only", checked.at.clone(), message, help);
        }
    }
}

/// The settings that apply to the hooks of a file: those of the person and the administrator, and
/// the others of the project. Of a directory of hooks files each is about its own hooks.
fn governing(checked: &CheckedSettings) -> Vec<PathBuf> {
    let (agent, settings) = (checked.agent, checked.agent.settings);
    let mut files = installed::more_files(agent);
    if !settings.whole_folder {
        files.extend(user(agent, None));
    }
    if let Some(root) = &checked.root {
        let of_project = (!settings.whole_folder).then_some(&settings.project);
        let of_project = of_project.into_iter().chain(&settings.local).chain(&settings.also);
        files.extend(of_project.map(|file| root.join(file)));
    }
    files.extend(agent.managed_files());
    files
}

/// Settings elsewhere that switch these hooks off.
fn switched_off(checked: &CheckedSettings, readings: &Readings, out: &mut Findings) {
    for path in governing(checked) {
        if let Some(file) = readings.read(&path) {
            switches(checked.agent, &file.root, &file.sources, out);
        }
    }
}

/// Reports the keys of a file that switch hooks off.
pub(super) fn switches(agent: Target, root: &Value, sources: &Sources, out: &mut Findings) {
    for switch in &agent.settings.switches {
        let Some(value) = switch.disabling(root) else { continue };
        let location = sources.location(value.span);
        // The compiler may have reported it already, at the key.
        let file =
            |location: &str| location.rsplitn(3, ':').nth(2).map(|file| location::real(Path::new(file)));
        if !out.found.iter().any(|one| one.what == "W0239" && file(&one.location) == file(&location)) {
            out.dead("switched-off", location, disables(agent, switch), "remove it");
        }
    }
}

fn disables(agent: Target, switch: &Switch) -> String {
    let but = if switch.spares_managed { " that are not managed" } else { "" };
    format!("`{}` disables all hooks of {}{but}", switch.key, agent.label)
}

/// Handlers that a list in settings disables.
fn disabled(checked: &CheckedSettings, readings: &Readings, out: &mut Findings) {
    let keys = &checked.agent.settings.disabled;
    if keys.is_empty() {
        return;
    }
    let mut names: Vec<(String, String)> = Vec::new();
    for path in governing(checked).into_iter().chain([checked.path.clone()]) {
        let Some(file) = readings.read(&path) else { continue };
        for name in keys.iter().filter_map(|key| file.root.at(key)).flat_map(Value::items) {
            names.extend(name.as_str().map(|text| (text.to_owned(), file.sources.location(name.span))));
        }
    }
    let Some(file) = readings.read(&checked.path).filter(|_| !names.is_empty()) else { return };
    for handler in handlers(&file.root).map(|(_, handler)| handler) {
        for key in ["name", "command"] {
            let Some(value) = handler.get(key) else { continue };
            if let Some((_, location)) = names.iter().find(|(name, _)| value.as_str() == Some(name)) {
                let message = format!("the list at {location} disables this hook");
                let at = file.sources.location(value.span);
                out.dead("switched-off", at, message, "remove it from the list");
            }
        }
    }
}

/// The position of a handler: its event, its group, and its position in that group.
pub(super) type Position<'v> = (&'v str, usize, usize);

/// The handlers in groups of a file.
pub(super) fn handlers(root: &Value) -> impl Iterator<Item = (Position<'_>, &Value)> {
    let events = root.get("hooks").map(Value::members).unwrap_or_default().iter();
    events.flat_map(|event| {
        let groups = event.value.items().iter().enumerate();
        groups.flat_map(move |(group, value)| {
            let handlers = value.get("hooks").map(Value::items).unwrap_or_default().iter().enumerate();
            handlers.map(move |(at, handler)| ((event.key.node.as_str(), group, at), handler))
        })
    })
}

/// A file in the user's directory of an agent; its settings if no name is given.
pub(super) fn user(agent: Target, name: Option<&str>) -> Option<PathBuf> {
    let settings = installed::file(agent, Scope::User).ok()?;
    Some(match name {
        Some(name) if agent.name == "copilot" => settings.parent()?.parent()?.join(name),
        Some(name) => settings.parent()?.join(name),
        None => settings,
    })
}

/// Mods that may load: from enabled plugins, and those written in a session.
fn mods(claude: Target, readings: &Readings, out: &mut Findings) {
    let settings = [
        user(claude, None),
        Some((&claude.settings.project).into()),
        claude.settings.local.as_ref().map(PathBuf::from),
    ];
    let on: Vec<String> = settings
        .into_iter()
        .flatten()
        .filter_map(|path| readings.read(&path))
        .flat_map(|file| on(&file.root))
        .collect();
    let installed =
        user(claude, Some("plugins/installed_plugins.json")).and_then(|path| readings.read(&path));
    let plugins = installed.iter().filter_map(|file| file.root.get("plugins")).flat_map(Value::members);
    let mut found: Vec<PathBuf> = Vec::new();
    for plugin in plugins.filter(|plugin| on.contains(&plugin.key.node)) {
        let one = std::slice::from_ref(&plugin.value);
        let installs = if plugin.value.items().is_empty() { one } else { plugin.value.items() };
        let paths = installs.iter().filter_map(|one| one.get("installPath")?.as_str());
        found.extend(paths.map(PathBuf::from));
    }
    let sessions = user(claude, Some("dev-mods")).map(|folder| folders(&folder)).unwrap_or_default();
    found.extend(sessions.iter().flat_map(|session| folders(session)));
    for folder in found {
        let file = folder.join("hooks/hooks.json");
        let Some(file) = readings.read(&file) else { continue };
        let Some(modules) = file.root.get("modules").filter(|modules| !modules.items().is_empty()) else {
            continue;
        };
        let name = folder.file_name().unwrap_or_default().to_string_lossy();
        let message = format!(
            "the mod `{name}` runs inside Claude Code, and can approve a call that a `PreToolUse` hook blocks"
        );
        let help = "check the mod with `claude plugin validate`, or put the hooks into managed settings";
        out.odd("mod", file.sources.location(modules.span), message, help);
    }
}

/// The plugins that settings switch on.
fn on(root: &Value) -> Vec<String> {
    let plugins = root.get("enabledPlugins").map(Value::members).unwrap_or_default().iter();
    plugins.filter(|member| is_true(&member.value)).map(|member| member.key.node.clone()).collect()
}

fn folders(folder: &Path) -> Vec<PathBuf> {
    let entries = folder.read_dir().into_iter().flatten();
    let mut paths: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    paths.retain(|path| path.is_dir());
    paths.sort();
    paths
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_of_the_administrator() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("managed-settings.json");
        let checked = CheckedSettings {
            agent: target::by_name("claude").unwrap(),
            path: ".claude/settings.json".into(),
            root: None,
            at: "x:1:1".to_owned(),
        };
        for (text, expected) in [
            ("{\"allowManagedHooksOnly\": true}", 1),
            ("{\"disableAllHooks\": true}", 1),
            ("{\"allowManagedHooksOnly\": false}", 0),
            ("{", 0),
        ] {
            std::fs::write(&file, text).unwrap();
            let mut out = Findings::default();
            let only = |path: &PathBuf| {
                let one = &target::by_name("claude").unwrap().settings.managed[0];
                std::iter::once((path.clone(), one.only.as_slice()))
            };
            managed_only(&checked, only(&file), &Readings::default(), &mut out);
            assert_eq!(out.found.len(), expected, "{text}");
        }
    }
}
