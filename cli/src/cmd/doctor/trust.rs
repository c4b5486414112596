//! Hooks that wait for a person: of a directory that the agent does not trust, or that nobody has
//! reviewed.

use std::path::{Path, PathBuf};

use hookc_schema::value::{Kind, Value};

use super::around::{CheckedSettings, handlers, is_true, user};
use super::finding::Findings;
use super::reading::Readings;
use crate::files;
use crate::installed::location;
use crate::installed::target::Target;

/// The agent's own record about a directory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Trust {
    Given,
    Refused,
    /// It has no record.
    Open,
}

/// Checks whether the agent waits for a person before it runs the hooks of a file.
pub(super) fn check(checked: &CheckedSettings, readings: &Readings, out: &mut Findings) {
    if let Some(root) = checked.root.as_deref().filter(|root| is_here(root)) {
        untrusted(checked, root, readings, out);
    }
    if checked.agent.name == "codex" && checked.root.as_deref().is_none_or(is_here) {
        unreviewed(checked, readings, out);
    }
}

/// Whether a project is the directory of this `doctor` call: others are samples.
fn is_here(root: &Path) -> bool {
    std::env::current_dir().is_ok_and(|here| location::real(root) == location::real(&here))
}

/// Handlers that nobody has reviewed in Codex CLI, or that somebody has switched off there. Its
/// settings name each by file, event, group and position; the user's alone are read.
fn unreviewed(checked: &CheckedSettings, readings: &Readings, out: &mut Findings) {
    let Some(file) = user(checked.agent, Some("config.toml")) else { return };
    let Some(settings) = readings.read(&file) else { return };
    let state = settings.root.get("hooks").and_then(|hooks| hooks.get("state"));
    let Some(own_file) = readings.read(&checked.path) else { return };
    let paths = [location::normalized(&checked.path), location::real(&checked.path)];
    for ((event, group, at), handler) in handlers(&own_file.root) {
        let Some(command) = handler.get("command") else { continue };
        let key = |path: &PathBuf| format!("{}:{}:{group}:{at}", path.display(), snake(event));
        let known = paths.iter().find_map(|path| state?.get(&key(path)));
        let location = own_file.sources.location(command.span);
        if known.and_then(|known| known.get("enabled")).is_some_and(|on| on.kind == Kind::Bool(false)) {
            let message = format!("this hook is disabled in Codex CLI ({})", files::name(&file));
            out.dead("switched-off", location, message, "enable it in `/hooks` of `codex`");
        } else if known.and_then(|known| known.get("trusted_hash")).is_none() {
            let message = format!(
                "this hook waits for trust in Codex CLI ({}): it does not run until then",
                files::name(&file)
            );
            out.odd("untrusted", location, message, "start `codex` here and trust the hook");
        }
    }
}

/// `PreToolUse` as `pre_tool_use`.
fn snake(event: &str) -> String {
    let mut out = String::with_capacity(event.len() + 4);
    for c in event.chars() {
        if c.is_ascii_uppercase() && !out.is_empty() {
            out.push('_');
        }
        out.push(c.to_ascii_lowercase());
    }
    out
}

/// A project whose hooks the agent ignores until a person trusts it.
fn untrusted(checked: &CheckedSettings, root: &Path, readings: &Readings, out: &mut Findings) {
    let root = location::real(root);
    let trust = match checked.agent.name.as_str() {
        "claude" => claude_trust(&root, readings),
        "codex" => codex_trust(checked.agent, &root, readings),
        "copilot" => copilot_trust(checked.agent, &root, readings),
        "gemini" => gemini_trust(checked.agent, &root, readings),
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
fn claude_trust(root: &Path, readings: &Readings) -> Option<(Trust, PathBuf)> {
    let set = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let file = set("CLAUDE_CONFIG_DIR").or_else(|| set("HOME"))?.join(".claude.json");
    let read = readings.read(&file)?;
    let projects = read.root.get("projects")?;
    let said = |folder: &Path| projects.get(folder.to_str()?)?.get("hasTrustDialogAccepted");
    let given = root.ancestors().filter_map(said).any(is_true);
    let asked = said(root).is_some_and(|said| said.kind == Kind::Bool(false));
    let trust = if given || !asked { Trust::Given } else { Trust::Open };
    Some((trust, file))
}

/// `trust_level` of the project, or of its repository.
fn codex_trust(codex: Target, root: &Path, readings: &Readings) -> Option<(Trust, PathBuf)> {
    let file = user(codex, Some("config.toml"))?;
    let settings = readings.read(&file)?;
    let repository = root.ancestors().find(|folder| folder.join(".git").exists());
    let said =
        |folder: &Path| settings.root.get("projects")?.get(folder.to_str()?)?.get("trust_level")?.as_str();
    let trust = match [Some(root), repository].into_iter().flatten().find_map(said) {
        Some("trusted") => Trust::Given,
        Some("untrusted") => Trust::Refused,
        _ => Trust::Open,
    };
    Some((trust, file))
}

/// `trusted_folders`: each with its subdirectories.
fn copilot_trust(copilot: Target, root: &Path, readings: &Readings) -> Option<(Trust, PathBuf)> {
    let file = user(copilot, Some("config.json"))?;
    let read = readings.read(&file)?;
    let folders = ["trusted_folders", "trustedFolders"].iter().find_map(|key| read.root.get(key));
    let mut trusted = folders.map(Value::items).unwrap_or_default().iter().filter_map(Value::as_str);
    let given = trusted.any(|folder| root.starts_with(folder));
    Some((if given { Trust::Given } else { Trust::Open }, file))
}

/// `trustedFolders.json`, the nearest rule first; without the file, whether the agent asks for
/// trust at all.
fn gemini_trust(gemini: Target, root: &Path, readings: &Readings) -> Option<(Trust, PathBuf)> {
    let settings = user(gemini, None)?;
    let enabled = readings
        .read(&settings)
        .and_then(|file| Some(file.root.get("security")?.get("folderTrust")?.get("enabled")?.kind.clone()));
    if enabled == Some(Kind::Bool(false)) {
        return None;
    }
    let moved = std::env::var_os("GEMINI_CLI_TRUSTED_FOLDERS_PATH").map(PathBuf::from);
    let file = moved.or_else(|| user(gemini, Some("trustedFolders.json")))?;
    let rules = readings.read(&file);
    let rules = rules.iter().flat_map(|file| file.root.members());
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
    use super::snake;

    #[test]
    fn events_as_codex_writes_them() {
        for (event, expected) in [("PreToolUse", "pre_tool_use"), ("Stop", "stop")] {
            assert_eq!(snake(event), expected);
        }
    }
}
