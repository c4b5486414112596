//! What an event does: gathered when a predicate asks, once for each scope.

use hookc_shell::effects::{Actions, Event, Input, Project, Value, gather, write_view};

use crate::event::Item;
use crate::module::row;
use crate::rows::{NONE, Scope, U32};
use crate::view::EventView;

/// The actions of an event by scope.
#[derive(Debug, Default)]
pub(super) struct GatheredActions {
    scopes: Vec<Gathered>,
}

#[derive(Debug, Default)]
pub(super) struct Gathered {
    is_current: bool,
    pub(super) actions: Actions,
    /// The predicates that can be true, a bit for each.
    candidates: Vec<u64>,
}

impl Gathered {
    /// Whether a predicate can be true of the event.
    pub(super) fn can_hold(&self, effect: u32) -> bool {
        let word = self.candidates.get((effect / u64::BITS) as usize);
        word.is_some_and(|word| word >> (effect % u64::BITS) & 1 != 0)
    }
}

impl GatheredActions {
    /// Forgets the event.
    pub(super) fn clear(&mut self) {
        self.scopes.iter_mut().for_each(|gathered| gathered.is_current = false);
    }

    /// What the event does, with the roles of a scope; `None` for a row that is not valid.
    pub(super) fn gathered(&mut self, view: &EventView<'_>, scope: u32) -> Option<&Gathered> {
        if self.scopes.len() < view.tables.scopes.len() {
            self.scopes.resize_with(view.tables.scopes.len(), Gathered::default);
        }
        let gathered = self.scopes.get_mut(scope as usize)?;
        if !gathered.is_current {
            let row = row(view.tables.scopes, scope)?;
            gather_scope(view, (scope, &row), &mut gathered.actions)?;
            view.module.effects().candidates(view.tables).find(&gathered.actions, &mut gathered.candidates);
            gathered.is_current = true;
        }
        Some(gathered)
    }

    /// Whether a predicate can be true of the event; also one that is not valid, so that it is asked.
    pub(super) fn can_hold(&mut self, view: &EventView<'_>, effect: u32) -> bool {
        let scope = row(view.tables.effects, effect).map(|effect| effect.scope.get());
        let gathered = scope.and_then(|scope| self.gathered(view, scope));
        gathered.is_none_or(|gathered| gathered.can_hold(effect))
    }

    /// Appends the view of what the event does; `None` for a row that is not valid.
    pub(super) fn write_view(&mut self, view: &EventView<'_>, scope: u32, out: &mut String) -> Option<()> {
        write_view(&self.gathered(view, scope)?.actions, out);
        Some(())
    }
}

fn gather_scope(view: &EventView<'_>, (number, scope): (u32, &Scope), out: &mut Actions) -> Option<()> {
    let tools = view.module.effects().tools(view.tables, number)?;
    let mut buffers: [String; 5] = Default::default();
    let [input, tool, host_tool, cwd, project] = &mut buffers;
    let input = value(view, scope.input, input);
    let project = match scope.stated.get() {
        NONE => match value(view, scope.project, project) {
            Item::Str(path) => Project::At(path),
            Item::Absent => Project::Absent,
            _ => Project::Nowhere,
        },
        stated => Project::At(view.tables.str(stated)),
    };
    let event = Event {
        tool: text(value(view, scope.tool, tool)).unwrap_or_default(),
        host_tool: text(value(view, scope.host_tool, host_tool)),
        cwd: text(value(view, scope.cwd, cwd)),
        project,
        tools,
        programs: view.module.programs(),
    };
    gather(&event, &Members::new(input, scope.tool.get() == NONE), out);
    Some(())
}

/// The value of a slot, absent if there is none. A string with escapes is decoded into the buffer.
fn value<'v>(view: &EventView<'v>, slot: U32, buffer: &'v mut String) -> Item<'v> {
    match slot.get() {
        NONE => Item::Absent,
        slot => view.stored(slot).item(buffer),
    }
}

const fn text(item: Item<'_>) -> Option<&str> {
    match item {
        Item::Str(text) => Some(text),
        _ => None,
    }
}

/// The member of an event that has the fields which its root does not have.
const EVENT: &str = "event";

/// The members of a value, read by path.
struct Members<'v> {
    input: Item<'v>,
    /// Whether it is the event itself.
    is_event: bool,
    /// The bits of the names of its members. A tool has more inputs than an event of it.
    names: u64,
}

/// A bit for a name.
fn bit(name: &str) -> u64 {
    let first = name.bytes().next().unwrap_or_default();
    let length = u8::try_from(name.len()).unwrap_or(u8::MAX);
    1_u64.wrapping_shl(u32::from(first.wrapping_add(length.wrapping_mul(7))))
}

impl<'v> Members<'v> {
    fn new(input: Item<'v>, is_event: bool) -> Self {
        let mut names = 0;
        input.members(&mut |name, _| {
            names |= bit(name);
            true
        });
        Self { input, is_event, names }
    }
}

impl Input for Members<'_> {
    fn each(&self, path: &str, see: &mut dyn FnMut(Value<'_>)) {
        let mut is_seen = false;
        let (name, _) = first_name(path);
        if name.is_empty() || self.names & bit(name) != 0 {
            walk(self.input, path, &mut |value| {
                is_seen = true;
                see(value);
            });
        }
        if self.is_event && !is_seen {
            self.input.members(&mut |key, member| {
                if key == EVENT {
                    walk(member, path, see);
                }
                true
            });
        }
    }
}

/// The name at the start of a path, and what follows it.
fn first_name(path: &str) -> (&str, &str) {
    path.split_at(path.bytes().position(|byte| matches!(byte, b'.' | b'[')).unwrap_or(path.len()))
}

/// Calls `see` with each value at `name.name`, `name[*].name`. A null is as absent.
fn walk(item: Item<'_>, path: &str, see: &mut dyn FnMut(Value<'_>)) {
    let path = path.strip_prefix('.').unwrap_or(path);
    if path.is_empty() {
        return show(item, see);
    }
    if let Some(rest) = path.strip_prefix("[*]") {
        item.elements(&mut |element| {
            walk(element, rest, see);
            true
        });
        return;
    }
    let (name, rest) = first_name(path);
    item.members(&mut |key, member| {
        if key == name {
            walk(member, rest, see);
        }
        true
    });
}

fn show(item: Item<'_>, see: &mut dyn FnMut(Value<'_>)) {
    match item {
        Item::Absent | Item::Null => {}
        Item::Str(text) => see(Value::Text(text)),
        Item::Array(_) => match words(item) {
            Some(words) => see(Value::Words(&mut words.iter().map(String::as_str))),
            None => see(Value::Other),
        },
        Item::Bool(_) | Item::Num(_) | Item::Object(_) => see(Value::Other),
    }
}

/// The elements of a list of texts; `None` for any other value.
fn words(list: Item<'_>) -> Option<Vec<String>> {
    let mut words = Some(Vec::new());
    list.elements(&mut |element| {
        match (element, &mut words) {
            (Item::Str(word), Some(words)) => words.push(word.to_owned()),
            _ => words = None,
        }
        words.is_some()
    });
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seen(json: &str, path: &str, is_event: bool) -> Vec<String> {
        let mut seen = Vec::new();
        Members::new(Item::Object(json), is_event).each(path, &mut |value| {
            seen.push(match value {
                Value::Text(text) => text.to_owned(),
                Value::Words(words) => format!("{:?}", words.collect::<Vec<_>>()),
                Value::Other => "other".to_owned(),
            });
        });
        seen
    }

    #[test]
    fn inputs_are_read_by_path() {
        let json = r#"{"command": ["git", "push"], "edits": [{"path": "a"}, {"path": 1}, {}, 2],
                       "x": null, "n": {"m": "d\u0065ep"}, "list": ["a", "b"], "mixed": ["a", 1]}"#;
        for (path, expected) in [
            ("command", &[r#"["git", "push"]"#][..]),
            ("edits[*].path", &["a", "other"]),
            ("n.m", &["deep"]),
            ("list[*]", &["a", "b"]),
            ("mixed", &["other"]),
            ("n", &["other"]),
            ("x", &[]),
            ("y", &[]),
            ("command.x", &[]),
        ] {
            assert_eq!(seen(json, path, false), expected, "{path}");
        }
        let event = r#"{"a": "root", "event": {"a": "x", "b": "inner"}}"#;
        assert_eq!(
            (seen(event, "a", true), seen(event, "b", true)),
            (vec!["root".to_owned()], vec!["inner".to_owned()])
        );
        assert!(seen(event, "b", false).is_empty());
    }
}
