//! Ways around hooks that files reveal: settings of the administrator or the user that disable
//! hooks, a directory that the agent does not trust, and mods, which are code inside Claude Code.
//! `docs/security.md` lists all ways, including those that no file reveals.

use std::path::{Path, PathBuf};

use hookc_runtime::open;
use hookc_schema::Sources;
use hookc_schema::value::{Kind, Value};
use hookc_syntax::front::json;

use super::finding::Findings;
use super::toml;
use crate::args::Scope;
use crate::cmd::install::target::{self, Target};
use crate::cmd::install::{self, place};
use crate::edit::json::{items, members};
use crate::files;

/// The maximum size of an agent's file that is read.
const BYTES: usize = 16 << 20;

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
pub(super) fn look(out: &mut Findings) {
    let checked = std::mem::take(&mut out.checked);
    let managed = |one: &CheckedSettings| one.agent.managed_files().contains(&place::normalized(&one.path));
    let own: Vec<&CheckedSettings> = checked.iter().filter(|one| !managed(one)).collect();
    for one in &own {
        managed_only(one, &one.agent.managed_files(), out);
        if let Some(root) = one.root.as_deref().filter(|root| is_here(root)) {
            untrusted(one, root, out);
        }
    }
    let claude: Vec<&&CheckedSettings> = own.iter().filter(|one| one.agent.name == "claude").collect();
    if let Some(claude) = claude.first().and_then(|_| target::of("claude")) {
        switched_off(claude, out);
        mods(claude, out);
    }
    if own.iter().any(|one| one.agent.name == "codex") {
        features(out);
    }
}

/// Whether a project is the directory of this `doctor` call: others are samples.
fn is_here(root: &Path) -> bool {
    std::env::current_dir().is_ok_and(|here| place::real(root) == place::real(&here))
}

fn read(path: &Path) -> Option<(Value, Sources)> {
    let text = String::from_utf8(open::read(path, BYTES).ok()?).ok()?;
    let mut sources = Sources::new();
    let source = sources.add(files::name(path), text.as_str());
    Some((json::read(&text, source, &mut Vec::new())?.value, sources))
}

fn is_true(value: &Value) -> bool {
    value.kind == Kind::Bool(true)
}

/// Settings of the administrator that let no hooks of others run.
fn managed_only(checked: &CheckedSettings, managed: &[PathBuf], out: &mut Findings) {
    for (root, sources) in managed.iter().filter_map(|path| read(path)) {
        let keys = checked.agent.settings.managed_only.iter();
        for (key, value) in keys.filter_map(|key| Some((key, root.get(key).filter(|value| is_true(value))?)))
        {
            let message =
                format!("`{key}` in {} keeps these hooks from running", sources.location(value.span));
            let help = "ask the administrator to put the hooks into the managed settings";
            out.dead("managed-only", checked.at.clone(), message, help);
        }
    }
}

/// The user's settings, which also apply here.
fn switched_off(claude: Target, out: &mut Findings) {
    let Some((root, sources)) = user(claude, None).and_then(|path| read(&path)) else { return };
    if let Some(value) = root.get("disableAllHooks").filter(|value| is_true(value)) {
        let at = sources.location(value.span);
        // The compiler has already reported it for a checked file.
        let file = |place: &str| place.rsplitn(3, ':').nth(2).map(|file| place::real(Path::new(file)));
        if !out.found.iter().any(|found| found.what == "W0239" && file(&found.place) == file(&at)) {
            let message = "`disableAllHooks` disables all hooks that are not managed".to_owned();
            out.dead("switched-off", at, message, "remove it");
        }
    }
}

/// A file in the user's directory of an agent; its settings if no name is given.
fn user(agent: Target, name: Option<&str>) -> Option<PathBuf> {
    let own = install::file(agent, Scope::User).ok()?;
    Some(match name {
        Some(name) if agent.name == "copilot" => own.parent()?.parent()?.join(name),
        Some(name) => own.parent()?.join(name),
        None => own,
    })
}

/// Mods that may load: from enabled plugins, and those written in a session.
fn mods(claude: Target, out: &mut Findings) {
    let settings = [
        user(claude, None),
        Some((&claude.settings.project).into()),
        claude.settings.local.as_ref().map(PathBuf::from),
    ];
    let on: Vec<String> = settings
        .into_iter()
        .flatten()
        .filter_map(|path| read(&path))
        .flat_map(|(root, _)| on(&root))
        .collect();
    let installed = user(claude, Some("plugins/installed_plugins.json")).and_then(|path| read(&path));
    let plugins = installed.iter().filter_map(|(root, _)| root.get("plugins")).flat_map(members);
    let mut found: Vec<PathBuf> = Vec::new();
    for plugin in plugins.filter(|plugin| on.contains(&plugin.key.node)) {
        let one = std::slice::from_ref(&plugin.value);
        let installs = if items(&plugin.value).is_empty() { one } else { items(&plugin.value) };
        let paths = installs.iter().filter_map(|one| one.get("installPath")?.as_str());
        found.extend(paths.map(PathBuf::from));
    }
    let sessions = user(claude, Some("dev-mods")).map(|folder| folders(&folder)).unwrap_or_default();
    found.extend(sessions.iter().flat_map(|session| folders(session)));
    for folder in found {
        let file = folder.join("hooks/hooks.json");
        let Some((root, sources)) = read(&file) else { continue };
        let Some(modules) = root.get("modules").filter(|modules| !items(modules).is_empty()) else {
            continue;
        };
        let name = folder.file_name().unwrap_or_default().to_string_lossy();
        let message = format!(
            "the mod `{name}` runs inside Claude Code, and can approve a call that a `PreToolUse` hook blocks"
        );
        let help = "check the mod with `claude plugin validate`, or put the hooks into managed settings";
        out.odd("mod", sources.location(modules.span), message, help);
    }
}

/// The plugins that settings switch on.
fn on(root: &Value) -> Vec<String> {
    let all = root.get("enabledPlugins").map(members).unwrap_or_default().iter();
    all.filter(|member| is_true(&member.value)).map(|member| member.key.node.clone()).collect()
}

fn folders(folder: &Path) -> Vec<PathBuf> {
    let entries = folder.read_dir().into_iter().flatten();
    let mut all: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    all.retain(|path| path.is_dir());
    all.sort();
    all
}

/// The agent's own record about a directory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Trust {
    Given,
    Refused,
    /// It has no record.
    Open,
}

/// A project whose hooks the agent ignores until a person trusts it.
fn untrusted(checked: &CheckedSettings, root: &Path, out: &mut Findings) {
    let root = place::real(root);
    let trust = match checked.agent.name.as_str() {
        "claude" => claude_trust(&root),
        "codex" => codex_trust(checked.agent, &root),
        "copilot" => copilot_trust(checked.agent, &root),
        "gemini" => gemini_trust(checked.agent, &root),
        _ => None,
    };
    let Some((trust, file)) = trust else { return };
    let (label, file) = (&checked.agent.label, files::name(&file));
    let help = format!("start {label} here and trust the directory");
    match trust {
        Trust::Given => {}
        Trust::Refused => {
            let message = format!("{label} does not trust this directory ({file}) and ignores these hooks");
            out.dead("untrusted", checked.at.clone(), message, &help);
        }
        Trust::Open => {
            let message = format!(
                "{label} does not trust this directory yet ({file}) and ignores these hooks until then"
            );
            out.odd("untrusted", checked.at.clone(), message, &help);
        }
    }
}

/// `hasTrustDialogAccepted` of the project or of a parent directory.
fn claude_trust(root: &Path) -> Option<(Trust, PathBuf)> {
    let set = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let file = set("CLAUDE_CONFIG_DIR").or_else(|| set("HOME"))?.join(".claude.json");
    let (value, _) = read(&file)?;
    let projects = value.get("projects")?;
    let said = |folder: &Path| projects.get(folder.to_str()?)?.get("hasTrustDialogAccepted");
    let given = root.ancestors().filter_map(said).any(is_true);
    let asked = said(root).is_some_and(|said| said.kind == Kind::Bool(false));
    let trust = if given || !asked { Trust::Given } else { Trust::Open };
    Some((trust, file))
}

/// `trust_level` of the project, or of its repository.
fn codex_trust(codex: Target, root: &Path) -> Option<(Trust, PathBuf)> {
    let file = user(codex, Some("config.toml"))?;
    let entries = toml::read(&String::from_utf8(open::read(&file, BYTES).ok()?).ok()?);
    let repository = root.ancestors().find(|folder| folder.join(".git").exists());
    let said = |folder: &Path| {
        let folder = folder.to_str()?;
        let level = |keys: &[String]| matches!(keys, [a, b, c] if a == "projects" && b == folder && c == "trust_level");
        entries.iter().find(|(keys, _)| level(keys)).map(|(_, value)| value.as_str())
    };
    let trust = match [Some(root), repository].into_iter().flatten().find_map(said) {
        Some("trusted") => Trust::Given,
        Some("untrusted") => Trust::Refused,
        _ => Trust::Open,
    };
    Some((trust, file))
}

/// `hooks = false` among Codex' features.
fn features(out: &mut Findings) {
    let Some(file) = target::of("codex").and_then(|codex| user(codex, Some("config.toml"))) else { return };
    let text = open::read(&file, BYTES).ok().and_then(|bytes| String::from_utf8(bytes).ok());
    for (keys, value) in text.map(|text| toml::read(&text)).unwrap_or_default() {
        let off = matches!(&keys[..], [a, b] if a == "features" && (b == "hooks" || b == "codex_hooks"));
        if off && value == "false" {
            let message = format!("`{}` disables all hooks of Codex CLI", keys.join("."));
            out.dead("switched-off", files::name(&file), message, "remove it");
        }
    }
}

/// `trusted_folders`: each with its subdirectories.
fn copilot_trust(copilot: Target, root: &Path) -> Option<(Trust, PathBuf)> {
    let file = user(copilot, Some("config.json"))?;
    let (value, _) = read(&file)?;
    let folders = ["trusted_folders", "trustedFolders"].iter().find_map(|key| value.get(key));
    let mut trusted = folders.map(items).unwrap_or_default().iter().filter_map(Value::as_str);
    let given = trusted.any(|folder| root.starts_with(folder));
    Some((if given { Trust::Given } else { Trust::Open }, file))
}

/// `trustedFolders.json`, the nearest rule first; without the file, whether the agent asks for
/// trust at all.
fn gemini_trust(gemini: Target, root: &Path) -> Option<(Trust, PathBuf)> {
    let settings = user(gemini, None)?;
    let enabled = read(&settings)
        .and_then(|(value, _)| Some(value.get("security")?.get("folderTrust")?.get("enabled")?.kind.clone()));
    if enabled == Some(Kind::Bool(false)) {
        return None;
    }
    let moved = std::env::var_os("GEMINI_CLI_TRUSTED_FOLDERS_PATH").map(PathBuf::from);
    let file = moved.or_else(|| user(gemini, Some("trustedFolders.json")))?;
    let rules = read(&file);
    let rules = rules.iter().flat_map(|(value, _)| members(value));
    let mut nearest: Option<(usize, Trust)> = None;
    for rule in rules {
        let path = Path::new(&rule.key.node);
        let (folder, trust) = match rule.value.as_str() {
            Some("TRUST_FOLDER") => (path, Trust::Given),
            Some("TRUST_PARENT") => (path.parent().unwrap_or(path), Trust::Given),
            Some("DO_NOT_TRUST") => (path, Trust::Refused),
            _ => continue,
        };
        let depth = folder.components().count();
        if root.starts_with(folder) && nearest.is_none_or(|(known, _)| depth >= known) {
            nearest = Some((depth, trust));
        }
    }
    match nearest {
        Some((_, trust)) => Some((trust, file)),
        None => (enabled == Some(Kind::Bool(true))).then_some((Trust::Open, file)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_of_the_administrator() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("managed-settings.json");
        let checked = CheckedSettings {
            agent: target::of("claude").unwrap(),
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
            managed_only(&checked, std::slice::from_ref(&file), &mut out);
            assert_eq!(out.found.len(), expected, "{text}");
        }
    }
}
