//! The text of a host's settings with the calls of `hookc run` in it, and
//! without.

use hookc_schema::value::Value;

use super::command::{self, Ours};
use super::host::{Form, Host};
use crate::edit::settings::{File, Refused};

/// A call that is wanted under an event of the host.
#[derive(Debug)]
pub(crate) struct Wanted {
    /// The host's event.
    pub(crate) event: String,
    /// The command line.
    pub(crate) command: String,
    /// Seconds that the host waits.
    pub(crate) timeout: Option<u32>,
}

/// The text with all of `wanted`, and without other calls of the same policies.
pub(crate) fn install(name: &str, text: &str, host: &Host, wanted: &[Wanted]) -> Result<String, Refused> {
    let base = base(host);
    let text = if text.trim_start_matches('\u{feff}').trim().is_empty() { base } else { text };
    let file = File::read(name, text)?;
    let mut kept = vec![false; wanted.len()];
    let known: Vec<Option<Ours>> = wanted.iter().map(|wanted| command::ours(&wanted.command)).collect();
    let pruned = file.without(&mut |event, handler| {
        let Some(ours) = call(handler).filter(|ours| ours.host == host.name) else { return false };
        let same = |known: &Option<Ours>| known.as_ref().is_some_and(|known| known.policies == ours.policies);
        if !known.iter().any(same) {
            return false;
        }
        let fits = |at: &usize| {
            wanted.get(*at).is_some_and(|wanted| wanted.event == event)
                && known.get(*at).and_then(Option::as_ref).is_some_and(|known| fits(known, &ours, event))
        };
        let found = (0..wanted.len()).find(fits).and_then(|at| kept.get_mut(at));
        found.is_none_or(|kept| std::mem::replace(kept, true))
    });
    let missing = wanted.iter().zip(kept).filter(|(_, kept)| !kept).map(|(wanted, _)| wanted);
    let entry = |wanted: &'_ Wanted| host.entry(&wanted.command, wanted.timeout);
    let missing: Vec<_> = missing.map(|wanted| (wanted.event.as_str(), entry(wanted))).collect();
    File::read(name, &pruned)?.with(host.form == Form::Handlers, &missing)
}

/// Whether a call that is there does what the wanted one would; it may have
/// options that somebody added.
fn fits(wanted: &Ours, found: &Ours, event: &str) -> bool {
    let program = found.program == wanted.program || found.program == "hookc";
    let told = match &found.event {
        Some(told) => told == event,
        None => wanted.event.is_none(),
    };
    program && told
}

/// The text without any call of `hookc run` for the host.
pub(crate) fn uninstall(name: &str, text: &str, host: &Host) -> Result<String, Refused> {
    if text.trim_start_matches('\u{feff}').trim().is_empty() {
        return Ok(text.to_owned());
    }
    let own = |handler: &Value| call(handler).is_some_and(|ours| ours.host == host.name);
    Ok(File::read(name, text)?.without(&mut |_, handler| own(handler)))
}

/// Whether there is nothing but what a hooks file begins with.
pub(crate) fn is_bare(text: &str) -> bool {
    match serde_json::from_str(text.trim_start_matches('\u{feff}')) {
        Ok(serde_json::Value::Object(members)) => members.keys().all(|key| key == "version"),
        _ => false,
    }
}

/// A file without hooks.
fn base(host: &Host) -> &'static str {
    match host.form {
        Form::Groups => "{}\n",
        Form::Handlers => "{\n  \"version\": 1\n}\n",
    }
}

/// The call of `hookc run` that a handler is.
pub(crate) fn call(handler: &Value) -> Option<Ours> {
    let line = ["command", "bash"].iter().find_map(|key| handler.get(key)?.as_str())?;
    command::ours(line)
}
