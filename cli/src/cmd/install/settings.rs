//! The text of an agent's settings with the calls of `hookc run` in it, and
//! without.

use std::path::{Path, PathBuf};

use hookc_schema::value::Value;

use crate::edit::settings::{File, Refused};
use crate::installed::command::{self, InstalledCommand};
use crate::installed::target::Target;
use crate::installed::{call, program};

/// A required call under an event of the agent.
#[derive(Debug)]
pub(crate) struct RequiredCall {
    /// The agent's event.
    pub(crate) event: String,
    /// The command line.
    pub(crate) command: String,
    /// Seconds that the agent waits.
    pub(crate) timeout: Option<u32>,
}

/// The text with all `wanted` calls, and without other calls of the same policies, whose paths are
/// relative to `root`.
pub(crate) fn install(
    name: &str,
    text: &str,
    agent: Target,
    root: Option<&Path>,
    wanted: &[RequiredCall],
) -> Result<String, Refused> {
    let base = base(agent);
    let text = if text.trim_start_matches('\u{feff}').trim().is_empty() { &base } else { text };
    let known = |wanted: &RequiredCall| command::ours(&wanted.command).map(|ours| (ours.files(root), ours));
    let known: Vec<_> = wanted.iter().map(known).collect();
    let mut kept = vec![false; wanted.len()];
    let file = File::of_agent(agent.agent(), name, text)?;
    if let Some(keys) = agent.form.as_ref().and_then(|form| form.root.as_ref()) {
        file.check_root(keys, &agent.label)?;
    }
    let pruned = file.without(&mut |event, handler| {
        let Some(ours) = call(agent, handler).filter(|ours| ours.host == agent.name) else { return false };
        let files = ours.files(root);
        let same: Vec<_> =
            known.iter().map(|known| known.as_ref().filter(|(expected, _)| *expected == files)).collect();
        if same.iter().all(Option::is_none) {
            return false;
        }
        let fits = |(wanted, known): &(&RequiredCall, Option<&(Vec<PathBuf>, InstalledCommand)>)| {
            wanted.event == event
                && known.is_some_and(|(_, known)| {
                    fits(known, &ours, event) && has_key(known, &ours, root) && asks_as(known, &ours)
                })
        };
        let found = wanted.iter().zip(same).position(|both| fits(&both)).and_then(|at| kept.get_mut(at));
        found.is_none_or(|kept| std::mem::replace(kept, true))
    });
    let pruned = upgraded(name, pruned, agent, root, wanted)?;
    let pruned = closed(name, pruned, agent, root, wanted)?;
    let timed = timed(name, pruned, agent, root, wanted)?;
    let missing = wanted.iter().zip(kept).filter(|(_, kept)| !kept).map(|(wanted, _)| wanted);
    let entry = |wanted: &'_ RequiredCall| agent.entry(&wanted.event, &wanted.command, wanted.timeout);
    let missing: Vec<_> = missing.map(|wanted| (wanted.event.as_str(), entry(wanted))).collect();
    File::of_agent(agent.agent(), name, &timed)?.with(version(agent), &missing)
}

/// The text with existing calls as this version writes them.
fn upgraded(
    name: &str,
    text: String,
    agent: Target,
    root: Option<&Path>,
    wanted: &[RequiredCall],
) -> Result<String, Refused> {
    let Some(command_of_ours) = wanted.first().and_then(|first| command::ours(&first.command)) else {
        return Ok(text);
    };
    let files = command_of_ours.files(root);
    let mut text = text;
    for key in agent.command_keys() {
        let line = |event: &str, handler: &Value| {
            let line = handler.get(key)?.as_str()?;
            command::ours(line).filter(|ours| ours.host == agent.name && ours.files(root) == files)?;
            command::upgraded(line, agent.fallback(event).as_ref()).map(serde_json::Value::from)
        };
        let new = File::of_agent(agent.agent(), name, &text)?.set(key, &line);
        text = new;
    }
    Ok(text)
}

/// The text with existing calls that deny the action if they fail, as a new call does. A call that
/// says otherwise stays.
fn closed(
    name: &str,
    text: String,
    agent: Target,
    root: Option<&Path>,
    wanted: &[RequiredCall],
) -> Result<String, Refused> {
    let (Some((key, yes)), Some(first)) = (agent.fail_closed_key(), wanted.first()) else { return Ok(text) };
    let Some(command_of_ours) = command::ours(&first.command) else { return Ok(text) };
    let files = command_of_ours.files(root);
    let open = |event: &str, handler: &Value| {
        let ours = call(agent, handler).filter(|ours| ours.host == agent.name && ours.files(root) == files);
        let is_open = ours.is_some() && agent.closed(event).is_some() && handler.get(key).is_none();
        is_open.then(|| yes.clone())
    };
    Ok(File::of_agent(agent.agent(), name, &text)?.set(key, &open))
}

/// The text with the requested timeout in existing calls.
fn timed(
    name: &str,
    text: String,
    agent: Target,
    root: Option<&Path>,
    wanted: &[RequiredCall],
) -> Result<String, Refused> {
    let (key, _) = agent.waits(0);
    let time = |event: &str, handler: &Value| {
        let one = wanted.iter().find(|one| one.event == event)?;
        let files = command::ours(&one.command)?.files(root);
        call(agent, handler).filter(|ours| ours.host == agent.name && ours.files(root) == files)?;
        Some(serde_json::Value::from(agent.waits(one.timeout?).1))
    };
    Ok(File::of_agent(agent.agent(), name, &text)?.set(key, &time))
}

/// Whether an existing call is equivalent to the wanted one; the user may have added options.
fn fits(wanted: &InstalledCommand, found: &InstalledCommand, event: &str) -> bool {
    // A bare name stays if something has that name here: settings are shared.
    let program = found.program == wanted.program || (found.program == program::NAME && program::is_found());
    let stated = match &found.event {
        Some(stated) => stated == event,
        None => wanted.event.is_none(),
    };
    program && stated
}

/// Whether an existing call verifies its module with the wanted key. The user may have added a key.
fn has_key(wanted: &InstalledCommand, found: &InstalledCommand, root: Option<&Path>) -> bool {
    let key = wanted.key_file(root);
    key.is_none() || key == found.key_file(root)
}

/// Whether an existing call asks whom the wanted one asks. The user may have added the option.
fn asks_as(wanted: &InstalledCommand, found: &InstalledCommand) -> bool {
    wanted.ask.is_none() || wanted.ask == found.ask
}

/// The text without any call of `hookc run` for the agent.
pub(crate) fn uninstall(name: &str, text: &str, agent: Target) -> Result<String, Refused> {
    if text.trim_start_matches('\u{feff}').trim().is_empty() {
        return Ok(text.to_owned());
    }
    let is_ours = |handler: &Value| call(agent, handler).is_some_and(|ours| ours.host == agent.name);
    Ok(File::of_agent(agent.agent(), name, text)?.without(&mut |_, handler| is_ours(handler)))
}

/// The text without the `version` that `install` may have added.
pub(crate) fn unversioned(name: &str, text: &str, agent: Target) -> Option<String> {
    let file = File::of_agent(agent.agent(), name, text).ok().filter(|_| version(agent).is_some())?;
    Some(file.without_key("version")).filter(|bare| bare != text)
}

/// Whether only the initial content of a hooks file is left.
pub(crate) fn is_bare(text: &str) -> bool {
    match serde_json::from_str(text.trim_start_matches('\u{feff}')) {
        Ok(serde_json::Value::Object(members)) => members.iter().all(|(key, value)| {
            key == "version" || key == "hooks" && value.as_array().is_some_and(Vec::is_empty)
        }),
        _ => false,
    }
}

/// The `version` that the file needs.
fn version(agent: Target) -> Option<serde_json::Value> {
    serde_json::from_str(agent.settings.version.json()?).ok()
}

/// A file without hooks.
fn base(agent: Target) -> String {
    match agent.settings.version.json() {
        None => "{}\n".to_owned(),
        Some(version) => format!("{{\n  \"version\": {version}\n}}\n"),
    }
}
