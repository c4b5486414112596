//! Settings files of agents: adds hooks under their events and removes them.

use std::collections::BTreeMap;

use hookc_schema::agents::{self, Agent};
use hookc_schema::value::{Kind, Member, Value};
use hookc_schema::{Code, Diagnostic, Diagnostics, Sources};
use hookc_syntax::front;
use serde_json::json;

use super::change::{self, Edit};
use super::json::{self, Piece, append};
use super::layout::Layout;

/// Whether a handler of an event should be removed.
pub(crate) type ShouldRemove<'g> = dyn FnMut(&str, &Value) -> bool + 'g;

/// Why a text is not changed.
#[derive(Debug)]
pub(crate) struct Refused {
    pub(crate) diagnostics: Vec<Diagnostic>,
    pub(crate) sources: Sources,
}

/// Valid settings.
#[derive(Debug)]
pub(crate) struct File<'t> {
    name: &'t str,
    layout: Layout<'t>,
    /// With the events under `hooks`.
    root: Value,
    /// The file as it is, if that differs.
    written: Option<Written<'t>>,
}

/// A file whose events are not under `hooks`.
#[derive(Debug)]
enum Written<'t> {
    /// They are members of the file.
    Bare,
    /// They are in sets by name, and new ones in this.
    Named(&'t str),
    /// They are hooks of a list, if there is one.
    Listed(Option<Value>),
}

impl<'t> File<'t> {
    /// The file of an agent.
    pub(crate) fn of_agent(agent: &'t Agent, name: &'t str, text: &'t str) -> Result<Self, Refused> {
        let Some(form) = &agent.form else { return Self::read(name, text) };
        let mut file = Self::parse(name, text, form.listed.is_some())?;
        let hooks = file.root.get("hooks");
        file.written = match (&form.named, hooks.map(|hooks| &hooks.kind)) {
            (Some(set), _) => Some(Written::Named(set)),
            (None, None) if agent.has_bare_events(name, &file.root) => Some(Written::Bare),
            (None, None | Some(Kind::Seq(_))) if form.listed.is_some() => {
                Some(Written::Listed(hooks.cloned()))
            }
            (None, _) => None,
        };
        file.root = agent.by_event(name, file.root);
        Ok(file)
    }

    pub(crate) fn read(name: &'t str, text: &'t str) -> Result<Self, Refused> {
        Self::parse(name, text, false)
    }

    fn parse(name: &'t str, text: &'t str, may_list: bool) -> Result<Self, Refused> {
        let mut sources = Sources::new();
        let source = sources.add(name, text);
        let mut diagnostics = Diagnostics::new();
        let read = front::json::read(text, source, &mut diagnostics);
        diagnostics.retain(Diagnostic::is_error);
        if let Some(root) = read.map(|document| document.value) {
            diagnostics.extend(wrong(&root, may_list));
            if diagnostics.is_empty() {
                let first = json::children(&root).first().map(|first| first.start);
                return Ok(Self { name, layout: Layout::new(text, first), root, written: None });
            }
        }
        Err(Refused { diagnostics: diagnostics.finish(), sources })
    }

    /// Rejects a file that an agent ignores because of a key other than these.
    pub(crate) fn check_root(&self, keys: &[String], agent: &str) -> Result<(), Refused> {
        let is_known = |member: &&Member| member.key.node == "hooks" || keys.contains(&member.key.node);
        let Some(other) = self.root.members().iter().find(|member| !is_known(member)) else { return Ok(()) };
        let mut sources = Sources::new();
        sources.add(self.name, self.layout.text);
        let what = format!("{agent} ignores a file with the key `{}` next to `hooks`", other.key.node);
        let new = Diagnostic::new(Code::E0201, other.key.span, what).with_label("unknown key");
        Err(Refused { diagnostics: vec![new.help("remove it, and install again")], sources })
    }

    /// Why nothing can be added under an event.
    fn no_list(&self, event: &Member) -> Refused {
        let mut sources = Sources::new();
        sources.add(self.name, self.layout.text);
        let diagnostics = vec![type_error(&event.value, &format!("`{}`", event.key.node), "an array")];
        Refused { diagnostics, sources }
    }

    /// Without the handlers of events that `gone` selects; their groups, events and `hooks` are
    /// removed too if nothing else is left.
    pub(crate) fn without(&self, should_remove: &mut ShouldRemove<'_>) -> String {
        let mut edits = Vec::new();
        if let Some(list) = self.list() {
            let handlers: BTreeMap<u32, (&str, &Value)> =
                self.handlers().map(|(event, handler)| (handler.span.start, (event, handler))).collect();
            let gone: Vec<bool> = list
                .items()
                .iter()
                .map(|item| {
                    handlers
                        .get(&item.span.start)
                        .is_some_and(|(event, handler)| should_remove(event, handler))
                })
                .collect();
            if gone.contains(&true) {
                edits = json::remove(&self.layout, list, false, &gone);
            }
            return change::apply(self.layout.text, edits);
        }
        let mut keys = Vec::new();
        for member in self.root.members() {
            let hooks = member.key.node == "hooks";
            keys.push(hooks && self.remove_from_events(member, should_remove, &mut edits));
        }
        if keys.contains(&true) && matches!(self.written, Some(Written::Bare)) {
            return "{}\n".to_owned();
        }
        if keys.contains(&true) {
            edits.extend(json::remove(&self.layout, &self.root, true, &keys));
        }
        change::apply(self.layout.text, edits)
    }

    /// Removes handlers from all events. Returns whether `hooks` becomes empty.
    fn remove_from_events(
        &self,
        hooks: &Member,
        should_remove: &mut ShouldRemove<'_>,
        out: &mut Vec<Edit>,
    ) -> bool {
        let (mut removed, mut edits) = (Vec::new(), Vec::new());
        for event in hooks.value.members() {
            removed.push(self.remove_from_event(event, should_remove, &mut edits));
        }
        self.remove_parts(&hooks.value, &removed, edits, out)
    }

    /// Removes handlers from an event. Returns whether it becomes empty.
    fn remove_from_event(
        &self,
        event: &Member,
        should_remove: &mut ShouldRemove<'_>,
        out: &mut Vec<Edit>,
    ) -> bool {
        let name = event.key.node.as_str();
        let (mut removed, mut edits) = (Vec::new(), Vec::new());
        for entry in event.value.items() {
            let Some(hooks) = entry.get("hooks") else {
                removed.push(should_remove(name, entry));
                continue;
            };
            let handlers: Vec<bool> =
                hooks.items().iter().map(|handler| should_remove(name, handler)).collect();
            let removes_all = !handlers.is_empty() && !handlers.contains(&false);
            removed.push(removes_all);
            if !removes_all && handlers.contains(&true) {
                edits.extend(json::remove(&self.layout, hooks, false, &handlers));
            }
        }
        self.remove_parts(&event.value, &removed, edits, out)
    }

    /// Removes parts of a value. Returns whether it becomes empty and is removed itself; otherwise the edits of its parts
    /// are added.
    fn remove_parts(&self, value: &Value, removed: &[bool], inner: Vec<Edit>, out: &mut Vec<Edit>) -> bool {
        if !removed.contains(&true) {
            out.extend(inner);
            return false;
        }
        if !removed.contains(&false) && !json::was_empty(value) {
            return true;
        }
        out.extend(inner);
        out.extend(json::remove(&self.layout, value, false, removed));
        false
    }

    /// Whether an event has the entry.
    pub(crate) fn has(&self, event: &str, entry: &serde_json::Value) -> bool {
        let entry = super::plain(entry);
        agents::entries(&self.root).any(|(listed, item)| listed.key.node == event && item.same(&entry))
    }

    /// Without a member of the file.
    pub(crate) fn without_key(&self, key: &str) -> String {
        let should_remove: Vec<bool> =
            self.root.members().iter().map(|member| member.key.node == key).collect();
        let edits = if should_remove.contains(&true) {
            json::remove(&self.layout, &self.root, true, &should_remove)
        } else {
            Vec::new()
        };
        change::apply(self.layout.text, edits)
    }

    /// The handlers of all events, with their events.
    fn handlers(&self) -> impl Iterator<Item = (&str, &Value)> {
        agents::entries(&self.root).flat_map(|(event, entry)| {
            agents::handlers(entry).iter().map(|handler| (event.key.node.as_str(), handler))
        })
    }

    /// With a member of the handlers changed or added, where `value` gives one by event and handler.
    pub(crate) fn set(&self, key: &str, value: &dyn Fn(&str, &Value) -> Option<serde_json::Value>) -> String {
        let mut edits = Vec::new();
        for (event, handler) in self.handlers() {
            let Some(new) = value(event, handler) else { continue };
            match handler.members().iter().rfind(|member| member.key.node == key) {
                Some(member) if member.value.same(&super::plain(&new)) => {}
                Some(member) => edits.push(Edit::replace(member.value.span.range(), new.to_string())),
                None => {
                    let piece = Piece { key: Some(key), value: new, open: 0 };
                    edits.extend(append(&self.layout, self.as_written(handler), false, &[piece]));
                }
            }
        }
        change::apply(self.layout.text, edits)
    }

    /// The object of events that new ones are added to.
    fn hooks_to_extend(&self) -> Option<&Value> {
        let is_target = |member: &&Member| match &self.written {
            Some(Written::Named(name)) => self
                .layout
                .text
                .get(member.key.span.range())
                .is_some_and(|key| key.trim_matches('"') == *name),
            _ => true,
        };
        let hooks = self.root.members().iter().filter(|member| member.key.node == "hooks");
        hooks.rev().find(is_target).map(|member| &member.value)
    }

    /// The list of hooks, if the file has one.
    fn list(&self) -> Option<&Value> {
        match &self.written {
            Some(Written::Listed(list)) => list.as_ref(),
            _ => None,
        }
    }

    /// A handler as it is in the file.
    fn as_written<'v>(&'v self, handler: &'v Value) -> &'v Value {
        let Some(list) = self.list() else { return handler };
        list.items().iter().find(|item| item.span == handler.span).unwrap_or(handler)
    }

    /// With entries added at the end of their events; for a file whose events contain handlers,
    /// with its `version`.
    pub(crate) fn with(
        &self,
        version: Option<serde_json::Value>,
        entries: &[(&str, serde_json::Value)],
    ) -> Result<String, Refused> {
        if entries.is_empty() {
            return Ok(self.layout.text.to_owned());
        }
        let set = match &self.written {
            Some(Written::Named(name)) => name,
            _ => "hooks",
        };
        let (mut edits, mut events, mut whole) = (Vec::new(), Vec::new(), serde_json::Map::new());
        let is_listed = matches!(self.written, Some(Written::Listed(_)));
        let hooks = self.hooks_to_extend();
        for (name, entry) in entries.iter().filter(|_| !is_listed) {
            let there = hooks.and_then(|hooks| hooks.members().iter().rfind(|m| m.key.node == *name));
            match there {
                Some(event) if !matches!(event.value.kind, Kind::Seq(_)) => return Err(self.no_list(event)),
                Some(event) => {
                    let piece = Piece { key: None, value: entry.clone(), open: 0 };
                    edits.extend(append(&self.layout, &event.value, false, &[piece]));
                }
                None if hooks.is_some() => {
                    events.push(Piece { key: Some(name), value: json!([entry]), open: 1 });
                }
                None => drop(whole.insert((*name).to_owned(), json!([entry]))),
            }
        }
        let listed = || entries.iter().map(|(_, entry)| entry.clone());
        if let Some(list) = self.list() {
            let items: Vec<_> = listed().map(|value| Piece { key: None, value, open: 0 }).collect();
            edits.extend(append(&self.layout, list, false, &items));
        }
        if let Some(hooks) = hooks.filter(|_| !events.is_empty()) {
            edits.extend(append(&self.layout, hooks, matches!(self.written, Some(Written::Bare)), &events));
        }
        let mut pieces = Vec::new();
        if let Some(version) = version.filter(|_| self.root.get("version").is_none()) {
            pieces.push(Piece { key: Some("version"), value: version, open: 0 });
        }
        if is_listed && self.list().is_none() {
            let list: serde_json::Value = listed().collect();
            pieces.push(Piece { key: Some(set), value: list, open: 1 });
        } else if !whole.is_empty() {
            pieces.push(Piece { key: Some(set), value: whole.into(), open: 2 });
        }
        if !pieces.is_empty() {
            edits.extend(append(&self.layout, &self.root, true, &pieces));
        }
        let text = change::apply(self.layout.text, edits);
        File::parse(self.name, &text, is_listed)?;
        Ok(text)
    }
}

/// Why hooks cannot be added to a file.
fn wrong(root: &Value, may_list: bool) -> Vec<Diagnostic> {
    if !matches!(root.kind, Kind::Map(_)) {
        return vec![type_error(root, "a settings file", "an object")];
    }
    let hooks = root.members().iter().filter(|member| member.key.node == "hooks");
    let is_list = |value: &Value| may_list && matches!(value.kind, Kind::Seq(_));
    let wrong = hooks.filter(|hooks| !matches!(hooks.value.kind, Kind::Map(_)) && !is_list(&hooks.value));
    wrong.map(|hooks| type_error(&hooks.value, "`hooks`", "an object of events")).collect()
}

fn type_error(value: &Value, what: &str, expected: &str) -> Diagnostic {
    let found = value.noun();
    let message = format!("{what} must be {expected}, not {found}");
    Diagnostic::new(Code::E0203, value.span, message).with_label(format!("this is {found}"))
}
