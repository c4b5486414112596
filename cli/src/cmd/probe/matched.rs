//! Which handlers of a settings file an event reaches, and what keeps them from running.

use std::path::{Path, PathBuf};

use hookc_runtime::adapter::Incoming;
use hookc_runtime::policies::Unit;
use hookc_schema::Code;
use hookc_vm::{DecideOptions, Family, Module, Scratch};

use crate::args::Sources;
use crate::cmd::doctor::settings::dialect;
use crate::cmd::doctor::{self, DoubtfulHook};
use crate::files::Texts;
use crate::installed::calls::Call;
use crate::installed::target::Target;
use crate::load;

/// Findings of `doctor` that stop every hook of a file, or the hook at their location.
const STOPS: [&str; 8] =
    ["no-plugin", "switched-off", "managed-only", "unreadable", "untrusted", "narrowed", "W0239", "W0631"];

/// A settings file as the agent reads it.
pub(super) struct SettingsFile {
    /// Its hooks as a policy, to decide about matchers; `None` if they cannot be compiled or have no matchers.
    module: Option<Module>,
    doubtful: Vec<DoubtfulHook>,
    /// The locations of calls of hookc, and of their handlers.
    calls: Vec<String>,
}

impl SettingsFile {
    pub(super) fn new(agent: Target, path: PathBuf, calls: &[Call]) -> Self {
        let calls = calls.iter().flat_map(|call| [call.at.clone(), call.handler.clone()]).collect();
        // A plugin of hookc makes every call of its settings.
        if agent.settings.scripts || agent.settings.plugin.is_some() {
            let doubtful = if agent.settings.scripts { Vec::new() } else { doctor::doubtful_in(&path) };
            return Self { module: None, doubtful, calls };
        }
        let doubtful = doctor::doubtful_in(&path);
        let mut texts = Texts::default();
        if let Some(text) = without_unread_keys(&path, &doubtful, &mut texts) {
            texts.provide(&path, text.as_bytes());
        }
        let unit = Unit::new(vec![path]).with_dialect(dialect(agent));
        let built = load::unit(&unit, &mut texts, &Sources::plain()).ok();
        let bytes = built.and_then(|built| built.compiled.module);
        Self { module: bytes.and_then(|bytes| Module::load(bytes).ok()), doubtful, calls }
    }

    /// Whether the agent starts a call for an event.
    pub(super) fn reaches(&self, call: &Call, event: &Incoming) -> bool {
        let Some(module) = &self.module else { return true };
        let options = DecideOptions::default().event(event.name.as_str()).family(Some(Family::Agent));
        let mut scratch = Scratch::new();
        let Ok(decision) = module.decide(&mut scratch, event.event.bytes(), &options) else { return true };
        decision
            .hooks()
            .filter_map(|hook| hook.location())
            .any(|(file, line, column)| call.handler == format!("{file}:{line}:{column}"))
    }

    /// Why the agent does not run a call at all, or does not wait for it.
    pub(super) fn dead(&self, call: &Call) -> Option<String> {
        let is_here = |one: &&DoubtfulHook| one.location == call.at || one.location == call.handler;
        let stops = || self.doubtful.iter().filter(|one| one.is_dead && STOPS.contains(&one.what.as_str()));
        let whole = || stops().find(|one| !self.calls.contains(&one.location));
        stops().find(is_here).or_else(whole).map(|one| format!("{} ({})", one.message, one.what))
    }

    /// What else is dead or doubtful in the file: other hooks, or what `doctor` says of the whole file. An attempt says
    /// what is wrong with a call of hookc.
    pub(super) fn others(&self) -> impl Iterator<Item = &DoubtfulHook> {
        let is_in_call = |one: &&DoubtfulHook| {
            one.what == Code::W0685.name() && self.calls.iter().any(|call| is_after(&one.location, call))
        };
        let others = self.doubtful.iter().filter(|one| !self.calls.contains(&one.location));
        others.filter(move |one| !is_in_call(one))
    }
}

/// The text of a settings file with other names for the keys that hookc reads in it and the agent does not: `enabled`
/// switches nothing off there.
fn without_unread_keys(path: &Path, doubtful: &[DoubtfulHook], texts: &mut Texts) -> Option<String> {
    let keys: Vec<_> = doubtful.iter().filter(|one| one.what == "not-read" && !one.is_dead).collect();
    if keys.is_empty() {
        return None;
    }
    let text = String::from_utf8(texts.regular(path, |_| true)?).ok()?;
    let mut lines: Vec<String> = text.split_inclusive('\n').map(str::to_owned).collect();
    for key in keys {
        let Some((before, column)) = parts(&key.location) else { continue };
        let number = before.rsplit_once(':').and_then(|(_, line)| line.parse::<usize>().ok()?.checked_sub(1));
        let Some(line) = number.and_then(|number| lines.get_mut(number)) else { continue };
        // The first letter, after the quote that is at the column.
        let Some((at, letter)) = line.char_indices().nth(column) else { continue };
        line.replace_range(at..at.saturating_add(letter.len_utf8()), "_");
    }
    Some(lines.concat())
}

/// A location without its column, and its column.
fn parts(location: &str) -> Option<(&str, usize)> {
    let (line, column) = location.rsplit_once(':')?;
    Some((line, column.parse().ok()?))
}

/// Whether a location is after another one on the same line: a command is one line.
fn is_after(location: &str, start: &str) -> bool {
    parts(location)
        .zip(parts(start))
        .is_some_and(|((line, column), (start, from))| line == start && column >= from)
}
