//! Hooks files of agents other than Claude Code, by path and by shape.

use hookc_schema::agents::{self, Id};
use hookc_schema::tree::Family;
use hookc_schema::vocab::Vocabulary;

use super::shape::{Shape, ValueShape};
use crate::Dialect;

/// Its handlers look like no others, and it shares names of events.
const COPILOT: Dialect = Dialect::Agent(Id::Copilot);

/// The dialects of such files.
fn dialects() -> impl Iterator<Item = (Dialect, &'static agents::Agent)> {
    Dialect::all().filter_map(|dialect| Some((dialect, dialect.agent()?)))
}

/// The agent that keeps its hooks at this path.
pub(super) fn by_path(path: &str) -> Option<Dialect> {
    // This runs for every file, and agents keep their hooks only in these.
    if !path.ends_with(".json") && !path.ends_with(".toml") {
        return None;
    }
    let is_file = |name: &String| match name.strip_suffix("*.json") {
        Some(folder) => path.rsplit_once('/').is_some_and(|(at, _)| ends(at, folder.trim_end_matches('/'))),
        None => ends(path, name),
    };
    let keeps = |agent: &agents::Agent| agent.form.iter().flat_map(|form| &form.paths).any(is_file);
    dialects().find(|(_, agent)| keeps(agent)).map(|(dialect, _)| dialect)
}

/// Whether a path ends with these complete names.
fn ends(path: &str, suffix: &str) -> bool {
    path.strip_suffix(suffix).is_some_and(|rest| rest.is_empty() || rest.ends_with('/'))
}

/// How many keys under `hooks` are read: agents have no more events than that.
const NAMES: usize = 200;

/// The agent of the events under `hooks`: the only one with one of them, otherwise the one of
/// several whose handlers look like these.
pub(super) fn of_shape(shape: &Shape, text: &str) -> Option<Dialect> {
    if !shape.flow || shape.hooks != Some(ValueShape::Mapping) || shape.below.is_empty() {
        return None;
    }
    let below = || shape.below.iter().take(NAMES);
    let claude = |name: &String| {
        let family =
            Vocabulary::builtin().events.get(&(Family::Agent, name.clone())).map(|event| event.family);
        family == Some(Family::Agent)
    };
    if below().all(claude) {
        return like_claude(text);
    }
    let has = |agent: &agents::Agent, name: &str| agent.event(name).is_some();
    let alone = |agent: &agents::Agent| {
        let others = || dialects().filter(|(_, other)| other.name != agent.name);
        let is_own = |name: &&String| {
            has(agent, name) && !claude(name) && !others().any(|(_, other)| has(other, name.as_str()))
        };
        below().any(|name| is_own(&name))
    };
    if let Some((dialect, _)) = dialects().find(|(_, agent)| alone(agent)) {
        return Some(dialect);
    }
    let known = |agent: &agents::Agent| below().any(|name| has(agent, name) && !claude(name));
    let copilot = ["\"bash\"", "\"powershell\"", "\"timeoutSec\"", "\"type\""];
    match copilot.iter().any(|key| text.contains(key)) {
        true => dialects().find(|(dialect, agent)| *dialect == COPILOT && known(agent)),
        false => dialects().filter(|(dialect, _)| *dialect != COPILOT).find(|(_, agent)| known(agent)),
    }
    .map(|(dialect, _)| dialect)
}

/// Codex CLI and Copilot CLI share event names with Claude Code; the rest of the file distinguishes
/// them.
fn like_claude(text: &str) -> Option<Dialect> {
    let has = |words: &[&str]| words.iter().any(|word| text.contains(word));
    if has(&["\"commandWindows\""])
        || has(&["CODEX_PLUGIN_ROOT", "${PLUGIN_ROOT}", ".codex/"]) && !has(&["CLAUDE_"])
    {
        return Some(Dialect::Agent(Id::Codex));
    }
    has(&["\"timeoutSec\"", "\"bash\":"]).then_some(COPILOT)
}
