//! A hook as the value that the front end would read it from.

use hookc_schema::tree::{
    Action, Cond, CondKind, EarlierEvent, Example, Family, Guard, Hook, Leaf, Pattern, Predicate, Quantified,
    Right,
};
use hookc_schema::value::{Kind, Member, Number, Text, Value};
use hookc_schema::{Span, Spanned};

use super::history;
use crate::expr::print;
use crate::write::history::path_levels;
use crate::write::value::{Map, boolean, list, text};

/// The vocabulary of a family that a hooks file cannot name.
pub(in crate::write) fn foreign(family: Family) -> Option<&'static str> {
    match family {
        Family::Thread => None,
        Family::Agent => Some("coding agents"),
        Family::Repository => Some("repositories"),
        Family::Skill => Some("skills"),
        Family::Workflow => Some("workflows"),
    }
}

/// The levels of lists and mappings that a condition needs; counted before lowering, bounded by the
/// depth of conditions.
pub(in crate::write) fn cond_levels(cond: Option<&Cond>) -> usize {
    match cond.map(|cond| &cond.kind) {
        None | Some(CondKind::Const(_)) => 0,
        Some(CondKind::All(items) | CondKind::Any(items)) => {
            2 + items.iter().map(|item| cond_levels(Some(item))).max().unwrap_or(0)
        }
        Some(CondKind::Not(inner)) => 1 + cond_levels(Some(inner)),
        Some(CondKind::Leaf(leaf)) => {
            let right = match &leaf.right {
                Right::Path(right) => path_levels(right),
                Right::None | Right::Value(_) => 0,
            };
            1 + path_levels(&leaf.path).max(right)
        }
        Some(CondKind::Formerly(selection)) => {
            let inner = selection.patterns().map(|pattern| cond_levels(pattern.condition.as_ref()));
            3 + inner.max().unwrap_or(0)
        }
        Some(CondKind::Predicate(predicate)) => match **predicate {
            Predicate::Unknown => 1,
            Predicate::Mentions(_) | Predicate::Passed(_) => 2,
            Predicate::Guard(_) => 3,
            Predicate::Only(_) => 5,
        },
        Some(CondKind::Quantified(inner)) => 2 + cond_levels(Some(&inner.cond)),
    }
}

/// A hook, its keys in the order of the dialect.
pub(in crate::write) fn hook(hook: &Hook) -> Value {
    let mut map = Map::default();
    let string = |value: &Option<Spanned<String>>| value.as_ref().map(|value| text(&value.node));
    map.maybe("id", string(&hook.id));
    map.maybe("description", string(&hook.description));
    map.put("event", events(hook));
    let number = |number: &Spanned<Number>| Value::new(Kind::Num(number.node.clone()), Span::default());
    map.maybe("priority", hook.priority.as_ref().map(number));
    map.maybe("enabled", hook.enabled.map(|enabled| boolean(enabled.node)));
    map.maybe("mode", hook.mode.map(|mode| text(mode.node.name())));
    map.maybe("condition", hook.condition.as_ref().map(cond));
    map.put("action", action(&hook.action));
    map.maybe("on_error", hook.on_error.map(|on_error| text(on_error.node.name())));
    map.maybe("on_failure", hook.on_failure.map(|on_failure| text(on_failure.node.name())));
    if !hook.examples.is_empty() {
        map.put("examples", list(hook.examples.iter().map(example)));
    }
    map.done()
}

fn events(hook: &Hook) -> Value {
    match hook.events.as_slice() {
        [one] => text(&one.node),
        several => list(several.iter().map(|event| text(&event.node))),
    }
}

fn example(example: &Example) -> Value {
    let mut map = Map::default();
    map.put("event", example.event.clone());
    map.put("matches", boolean(example.matches));
    if !example.history.is_empty() {
        map.put("history", list(example.history.iter().map(earlier)));
    }
    map.maybe("at", example.at.as_ref().map(|at| text(&at.node)));
    map.done()
}

fn earlier(earlier: &EarlierEvent) -> Value {
    let mut map = Map::default();
    map.put("event", earlier.event.clone());
    map.maybe("at", earlier.at.as_ref().map(|at| text(&at.node)));
    map.maybe("outcome", earlier.outcome.map(|outcome| text(outcome.node.name())));
    map.done()
}

pub(super) fn cond(cond: &Cond) -> Value {
    let mut map = Map::default();
    match &cond.kind {
        CondKind::Const(truth) => return boolean(*truth),
        CondKind::All(items) => map.put("all", list(items.iter().map(self::cond))),
        CondKind::Any(items) => map.put("any", list(items.iter().map(self::cond))),
        CondKind::Not(inner) => map.put("not", self::cond(inner)),
        CondKind::Leaf(leaf) => return self::leaf(leaf),
        CondKind::Quantified(inner) => map.put(inner.quantifier.name(), quantified(inner)),
        CondKind::Predicate(predicate) => map.put(predicate.name(), self::predicate(predicate)),
        CondKind::Formerly(selection) => map.put("formerly", history::selection(selection)),
    }
    map.done()
}

fn predicate(predicate: &Predicate) -> Value {
    match predicate {
        Predicate::Guard(guard) => self::guard(guard),
        Predicate::Only(guards) => list(guards.iter().map(|guard| {
            let mut map = Map::default();
            map.put(guard.name().as_str(), self::guard(guard));
            map.done()
        })),
        Predicate::Unknown => boolean(true),
        Predicate::Mentions(of) | Predicate::Passed(of) => patterns(of),
    }
}

/// A list of patterns, or a mapping of lists.
fn guard(guard: &Guard) -> Value {
    let lists = [("except", &guard.except), ("by", &guard.by), ("not_by", &guard.not_by)];
    if lists.iter().all(|(_, list)| list.is_empty()) {
        return patterns(&guard.of);
    }
    let mut map = Map::default();
    let lists = std::iter::once(("of", &guard.of)).chain(lists);
    lists.filter(|(_, list)| !list.is_empty()).for_each(|(key, list)| map.put(key, patterns(list)));
    map.done()
}

fn patterns(patterns: &[Pattern]) -> Value {
    list(patterns.iter().map(|pattern| text(&pattern.node.value)))
}

fn quantified(inner: &Quantified) -> Value {
    let mut map = Map::default();
    map.put("as", text(&inner.name.node));
    map.put("in", text(&print::path(&inner.path)));
    map.put("condition", cond(&inner.cond));
    map.done()
}

fn leaf(leaf: &Leaf) -> Value {
    let mut map = Map::default();
    map.put("path", text(&print::path(&leaf.path)));
    map.put("op", text(leaf.op.node.name()));
    match &leaf.right {
        Right::None => {}
        Right::Value(value) => map.put("value", Value::clone(value)),
        Right::Path(path) => map.put("value_path", text(&print::path(path))),
    }
    map.maybe("ignore_case", leaf.ignore_case.map(|_| boolean(true)));
    map.maybe("assert_format", leaf.assert_format.map(|_| boolean(true)));
    map.done()
}

fn action(action: &Action) -> Value {
    let mut map = Map::default();
    map.put("type", text(&action.kind.node));
    for (key, value) in &action.params {
        map.put(&key.node, if action.templates { value.clone() } else { literal(value) });
    }
    map.done()
}

/// A value whose strings are not templates, where strings are templates.
fn literal(value: &Value) -> Value {
    let kind = match &value.kind {
        Kind::Str(text) => Kind::Str(Text::plain(text.value.replace("${", "$${"))),
        Kind::Seq(items) => Kind::Seq(items.iter().map(literal).collect()),
        Kind::Map(members) => {
            let member = |member: &Member| Member { key: member.key.clone(), value: literal(&member.value) };
            Kind::Map(members.iter().map(member).collect())
        }
        other => other.clone(),
    };
    Value::new(kind, value.span)
}
