//! What an event does as JSON: the view `effects()` of paths and templates, and the output of `hookc effects`.
//!
//! Effects are in the order of the commands, and those of one command in that of their kinds and objects, so that the
//! view does not depend on how they are gathered.

use std::cmp::Ordering;
use std::collections::HashSet;
use std::fmt::Write;

use hookc_base::json::push_string;

use super::{Act, Actions, Effect, Kind, Text, UnknownCause};
use crate::limits::SHELL_VIEW_BYTES;

/// The members that list the objects of one kind of effect.
const OBJECTS: [(&str, Kind); 10] = [
    ("code", Kind::Code),
    ("contacts", Kind::Contact),
    ("deletes", Kind::Delete),
    ("installs", Kind::Install),
    ("lists", Kind::List),
    ("pushes", Kind::Push),
    ("reads", Kind::Read),
    ("sends", Kind::Send),
    ("uses", Kind::Use),
    ("writes", Kind::Write),
];

/// Appends the view of what an event does as canonical JSON.
pub fn write_view(actions: &Actions, out: &mut String) {
    let start = out.len();
    let effects = ordered(actions);
    let mut view = View { actions, effects: &effects, out, end: start.saturating_add(SHELL_VIEW_BYTES) };
    if !view.write(actions.unknown()) {
        out.truncate(start);
        let nothing = Actions::default();
        View { actions: &nothing, effects: &[], out, end: usize::MAX }.write(Some(UnknownCause::Limit));
    }
}

/// The effects in the order of the view, each once.
fn ordered(actions: &Actions) -> Vec<Effect<'_>> {
    let mut effects: Vec<Effect<'_>> = actions.effects().collect();
    effects.sort_by(order);
    effects.dedup_by(|one, other| order(one, other).is_eq());
    effects
}

fn order(one: &Effect<'_>, other: &Effect<'_>) -> Ordering {
    let rank = |effect: &Effect<'_>| (effect.command, effect.kind);
    let object = |effect: &Effect<'_>| [effect.scheme.prefix(), effect.object.text].concat();
    let marks = |effect: &Effect<'_>| {
        let is_known = effect.object.holes.is_empty();
        (effect.is_tree, effect.is_implied, effect.is_assumed, is_known)
    };
    rank(one)
        .cmp(&rank(other))
        .then_with(|| object(one).cmp(&object(other)))
        .then_with(|| marks(one).cmp(&marks(other)))
}

struct View<'a, 'o> {
    actions: &'a Actions,
    effects: &'a [Effect<'a>],
    out: &'o mut String,
    /// The longest text.
    end: usize,
}

impl<'a> View<'a, '_> {
    /// Writes the members in the order of their names; `false` beyond the limit.
    fn write(&mut self, unknown: Option<UnknownCause>) -> bool {
        let (actions, effects) = (self.actions, self.effects);
        self.out.push_str("{\"all\":");
        let mut is_within = self.list(effects.iter(), Self::effect);
        for (name, kind) in OBJECTS {
            match name {
                "deletes" => self.truth(",\"declared\":", !actions.is_undeclared()),
                "sends" => {
                    self.out.push_str(",\"runs\":");
                    is_within &= self.list(actions.commands(), Self::command);
                }
                "uses" => {
                    self.out.push_str(",\"unknown\":");
                    self.optional(unknown.map(|cause| cause.to_string()).as_deref());
                }
                _ => {}
            }
            let _ = write!(self.out, ",\"{name}\":");
            is_within &= self.objects(kind);
        }
        self.out.push('}');
        is_within
    }

    /// A list, up to the limit; whether that is all of it.
    fn list<T>(&mut self, items: impl Iterator<Item = T>, each: impl Fn(&mut Self, T)) -> bool {
        self.out.push('[');
        let mut is_within = true;
        for (at, item) in items.enumerate() {
            is_within = self.out.len() < self.end;
            if !is_within {
                break;
            }
            if at > 0 {
                self.out.push(',');
            }
            each(self, item);
        }
        self.out.push(']');
        is_within && self.out.len() < self.end
    }

    /// The objects of a kind, each once.
    fn objects(&mut self, kind: Kind) -> bool {
        let mut seen = HashSet::new();
        let mut is_new = |effect: &Effect<'a>| seen.insert((effect.scheme.prefix(), effect.object.text));
        let effects = self.effects.iter().filter(|effect| effect.kind == kind && is_new(effect));
        self.list(effects, Self::object)
    }

    fn object(&mut self, effect: &Effect<'_>) {
        match effect.scheme.prefix() {
            "" => self.text(effect.object.text),
            prefix => self.text(&format!("{prefix}{}", effect.object.text)),
        }
    }

    fn effect(&mut self, effect: &Effect<'_>) {
        self.truth("{\"assumed\":", effect.is_assumed);
        self.out.push_str(",\"by\":");
        let actions = self.actions;
        let command = effect.command.and_then(|number| actions.command(number));
        self.optional(command.and_then(Act::name));
        self.out.push_str(",\"command\":");
        match effect.command {
            Some(number) => {
                let _ = write!(self.out, "{number}");
            }
            None => self.out.push_str("null"),
        }
        self.truth(",\"implied\":", effect.is_implied);
        let _ = write!(self.out, ",\"kind\":\"{}\"", effect.kind.as_str());
        self.truth(",\"known\":", effect.object.holes.is_empty());
        self.out.push_str(",\"object\":");
        self.object(effect);
        self.truth(",\"tree\":", effect.is_tree);
        self.out.push('}');
    }

    fn command(&mut self, command: Act<'_>) {
        self.out.push_str("{\"name\":");
        self.optional(command.name());
        self.truth(",\"plain\":", command.is_plain());
        self.out.push_str(",\"sub\":");
        self.optional(command.verb());
        self.out.push_str(",\"words\":");
        self.list(command.words(), |view, word: Text<'_>| view.text(word.text));
        self.out.push('}');
    }

    fn text(&mut self, text: &str) {
        push_string(text, self.out);
    }

    fn truth(&mut self, name: &str, truth: bool) {
        self.out.push_str(name);
        self.out.push_str(if truth { "true" } else { "false" });
    }

    fn optional(&mut self, text: Option<&str>) {
        match text {
            Some(text) => self.text(text),
            None => self.out.push_str("null"),
        }
    }
}
