//! The text of a host's settings with the calls of `hookc run` in it, and
//! without.

use hookc_compiler::front::json;
use hookc_schema::value::{Kind, Member, Value};
use hookc_schema::{Code, Diagnostic, Sources};
use serde_json::json;

use super::command::{self, Ours};
use super::edit::{self, Edit, Piece, append};
use super::host::{Form, Host};
use super::layout::Layout;

/// Why a text is left alone.
#[derive(Debug)]
pub(crate) struct Refused {
    pub(crate) diagnostics: Vec<Diagnostic>,
    pub(crate) sources: Sources,
}

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
    let pruned = file.without(host, &mut |event, ours| {
        let same = |known: &Option<Ours>| known.as_ref().is_some_and(|known| known.policies == ours.policies);
        if !known.iter().any(same) {
            return false;
        }
        let fits = |at: &usize| {
            wanted.get(*at).is_some_and(|wanted| wanted.event == event)
                && known.get(*at).and_then(Option::as_ref).is_some_and(|known| fits(known, ours, event))
        };
        let found = (0..wanted.len()).find(fits).and_then(|at| kept.get_mut(at));
        found.is_none_or(|kept| std::mem::replace(kept, true))
    });
    let missing: Vec<&Wanted> = wanted.iter().zip(kept).filter(|(_, kept)| !kept).map(|(w, _)| w).collect();
    File::read(name, &pruned)?.with(host, &missing)
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
    Ok(File::read(name, text)?.without(host, &mut |_, _| true))
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

/// A file that is what it should be.
struct File<'t> {
    name: &'t str,
    layout: Layout<'t>,
    root: Value,
}

impl<'t> File<'t> {
    fn read(name: &'t str, text: &'t str) -> Result<Self, Refused> {
        let mut sources = Sources::new();
        let source = sources.add(name, text);
        let mut diagnostics = Vec::new();
        let read = json::read(text, source, &mut diagnostics);
        diagnostics.retain(Diagnostic::is_error);
        if let Some(root) = read.map(|document| document.value) {
            diagnostics.extend(wrong(&root));
            if diagnostics.is_empty() {
                let first = edit::children(&root).first().map(|first| first.start);
                return Ok(Self { name, layout: Layout::of(text, first), root });
            }
        }
        Err(Refused { diagnostics, sources })
    }

    /// Why nothing can be put under an event.
    fn no_list(&self, event: &Member) -> Refused {
        let mut sources = Sources::new();
        sources.add(self.name, self.layout.text);
        let diagnostics = vec![told(&event.value, &format!("`{}`", event.key.node), "an array")];
        Refused { diagnostics, sources }
    }

    /// Without those calls that `gone` says; their groups, events and `hooks`
    /// go with them if nothing else is there.
    fn without(&self, host: &Host, gone: &mut dyn FnMut(&str, &Ours) -> bool) -> String {
        let mut edits = Vec::new();
        let mut keys = Vec::new();
        for member in members(&self.root) {
            let hooks = member.key.node == "hooks";
            keys.push(hooks && self.events(member, host, gone, &mut edits));
        }
        if keys.contains(&true) {
            edits.extend(edit::remove(&self.layout, &self.root, true, &keys));
        }
        edit::apply(self.layout.text, edits)
    }

    /// Whether nothing is left under `hooks`.
    fn events(
        &self,
        hooks: &Member,
        host: &Host,
        gone: &mut dyn FnMut(&str, &Ours) -> bool,
        out: &mut Vec<Edit>,
    ) -> bool {
        let (mut own, mut edits) = (Vec::new(), Vec::new());
        for event in members(&hooks.value) {
            own.push(self.entries(event, host, gone, &mut edits));
        }
        self.emptied(&hooks.value, &own, edits, out)
    }

    /// Whether nothing is left under an event.
    fn entries(
        &self,
        event: &Member,
        host: &Host,
        gone: &mut dyn FnMut(&str, &Ours) -> bool,
        out: &mut Vec<Edit>,
    ) -> bool {
        let name = event.key.node.as_str();
        let (mut own, mut edits) = (Vec::new(), Vec::new());
        for entry in items(&event.value) {
            let mut is_gone = |handler: &Value| {
                call(handler).is_some_and(|ours| ours.host == host.name && gone(name, &ours))
            };
            let Some(hooks) = entry.get("hooks") else {
                own.push(is_gone(entry));
                continue;
            };
            let handlers: Vec<bool> = items(hooks).iter().map(&mut is_gone).collect();
            let all = !handlers.is_empty() && handlers.iter().all(|gone| *gone);
            own.push(all);
            if !all && handlers.contains(&true) {
                edits.extend(edit::remove(&self.layout, hooks, false, &handlers));
            }
        }
        self.emptied(&event.value, &own, edits, out)
    }

    /// Whether a value goes whole, since nothing is left in it that was empty
    /// before; else what goes of it is added to the edits.
    fn emptied(&self, value: &Value, gone: &[bool], inner: Vec<Edit>, out: &mut Vec<Edit>) -> bool {
        if !gone.contains(&true) {
            out.extend(inner);
            return false;
        }
        let all = gone.iter().all(|gone| *gone);
        if all && !edit::was_empty(value) {
            return true;
        }
        out.extend(inner);
        out.extend(edit::remove(&self.layout, value, false, gone));
        false
    }

    /// With calls added.
    fn with(&self, host: &Host, missing: &[&Wanted]) -> Result<String, Refused> {
        if missing.is_empty() {
            return Ok(self.layout.text.to_owned());
        }
        let entry = |wanted: &Wanted| host.entry(&wanted.command, wanted.timeout);
        let hooks = members(&self.root).iter().rfind(|member| member.key.node == "hooks");
        let (mut edits, mut events, mut whole) = (Vec::new(), Vec::new(), serde_json::Map::new());
        for wanted in missing {
            let there =
                hooks.and_then(|hooks| members(&hooks.value).iter().rfind(|m| m.key.node == wanted.event));
            match there {
                Some(event) if !matches!(event.value.kind, Kind::Seq(_)) => return Err(self.no_list(event)),
                Some(event) => {
                    let piece = Piece { key: None, value: entry(wanted), open: 0 };
                    edits.extend(append(&self.layout, &event.value, false, &[piece]));
                }
                None if hooks.is_some() => {
                    events.push(Piece { key: Some(&wanted.event), value: json!([entry(wanted)]), open: 1 });
                }
                None => drop(whole.insert(wanted.event.clone(), json!([entry(wanted)]))),
            }
        }
        if let Some(hooks) = hooks.filter(|_| !events.is_empty()) {
            edits.extend(append(&self.layout, &hooks.value, false, &events));
        }
        let versioned = members(&self.root).iter().any(|member| member.key.node == "version");
        let mut pieces = Vec::new();
        if host.form == Form::Handlers && !versioned {
            pieces.push(Piece { key: Some("version"), value: json!(1), open: 0 });
        }
        if !whole.is_empty() {
            pieces.push(Piece { key: Some("hooks"), value: whole.into(), open: 2 });
        }
        if !pieces.is_empty() {
            edits.extend(append(&self.layout, &self.root, true, &pieces));
        }
        let text = edit::apply(self.layout.text, edits);
        File::read(self.name, &text)?;
        Ok(text)
    }
}

/// The call of `hookc run` that a handler is.
pub(crate) fn call(handler: &Value) -> Option<Ours> {
    let line = ["command", "bash"].iter().find_map(|key| handler.get(key)?.as_str())?;
    command::ours(line)
}

/// The members of an object; of anything else none.
pub(crate) fn members(value: &Value) -> &[Member] {
    match &value.kind {
        Kind::Map(members) => members,
        _ => &[],
    }
}

/// The items of an array; of anything else none.
pub(crate) fn items(value: &Value) -> &[Value] {
    match &value.kind {
        Kind::Seq(items) => items,
        _ => &[],
    }
}

/// What keeps hooks from being put into a file.
fn wrong(root: &Value) -> Vec<Diagnostic> {
    if !matches!(root.kind, Kind::Map(_)) {
        return vec![told(root, "a settings file", "an object")];
    }
    let hooks = members(root).iter().filter(|member| member.key.node == "hooks");
    let wrong = hooks.filter(|hooks| !matches!(hooks.value.kind, Kind::Map(_)));
    wrong.map(|hooks| told(&hooks.value, "`hooks`", "an object of events")).collect()
}

fn told(value: &Value, what: &str, expected: &str) -> Diagnostic {
    let found = value.noun();
    let message = format!("{what} must be {expected}, not {found}");
    Diagnostic::new(Code::E0203, value.span, message).saying(format!("this is {found}"))
}
