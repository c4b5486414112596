//! Facts: patterns with a name, for the hooks of their file.

use std::sync::Arc;

use hookc_schema::tree::{Fact, FactPattern, Family, Path, Policy};
use hookc_schema::{Code, Diagnostic, Span, Spanned, suggest};

use super::pattern::{self, PatternEvents};
use super::{Outer, check_path};
use crate::check::tool_names::Conditions;
use crate::check::{Cx, cond, path};
use crate::ir::ReadPath;

/// A fact, and whether anything uses it.
pub(super) struct Entry<'a> {
    pub(super) fact: &'a Fact,
    pub(super) is_used: bool,
}

/// The paths of one fact whose text the state keeps.
const KEPT: usize = hookc_history::limits::VALUES;

/// The events with different conditions that a fact means at most: the alternatives of facts that use facts multiply.
const EVENTS: usize = 1_024;

/// How many facts with a condition use one another at most: each adds its condition to those of the one above.
const CONDITIONS: u8 = 64;

/// Reads the facts of a policy: their names, and what is valid independent of their events.
pub(in crate::check) fn check_facts<'a>(policy: &'a Policy, cx: &mut Cx<'a>) {
    for fact in &policy.facts {
        let number = cx.history.entries.len();
        let is_name = is_name(fact, policy, cx);
        // A fact without a name of its own cannot be used, and one without patterns was reported.
        let is_invalid = fact.patterns.is_empty();
        cx.history.entries.push(Entry { fact, is_used: !is_name || is_invalid });
        if is_invalid {
            cx.history.resolved.extend(Family::ALL.iter().map(|family| ((number, *family), None)));
        }
        if is_name {
            cx.history.by_name.insert(&fact.name.node, number);
        }
        for FactPattern { pattern, keep, .. } in &fact.patterns {
            let is_sound = pattern.condition.as_ref().is_none_or(|cond| cond::check(cond, cx));
            let keeps = keep.iter().filter(|path| !is_kept(path, cx)).count() == 0;
            if !is_sound || !keeps {
                let families = Family::ALL.iter();
                cx.history.resolved.extend(families.map(|family| ((number, *family), None)));
            }
        }
    }
    cx.history.visible = cx.history.entries.len();
}

/// Whether the name of a fact is new, and no event type.
fn is_name(fact: &Fact, policy: &Policy, cx: &mut Cx<'_>) -> bool {
    let name = &fact.name;
    let families = || policy.hooks.iter().map(|hook| hook.family);
    let is_event = |family| cx.vocabulary.event(family, &name.node).is_some();
    let new = if let Some(first) = cx.history.by_name.get(name.node.as_str()) {
        let first = cx.history.entries.get(*first).map_or(name.span, |entry| entry.fact.name.span);
        Diagnostic::new(Code::E0453, name.span, format!("two facts are called `{}`", name.node))
            .with_label("the second one")
            .also(first, "the first one")
            .help("choose another name, or write both patterns as a list under one name")
    } else if families().any(is_event) {
        Diagnostic::new(Code::E0453, name.span, format!("`{}` is an event type", name.node))
            .with_label("not a name for a fact")
            .help("choose another name, such as a word for what has happened: `edited`")
    } else {
        return true;
    };
    cx.report(new);
    false
}

/// Whether the text at a path can be kept.
fn is_kept(written: &Path, cx: &mut Cx<'_>) -> bool {
    if !check_path(written, cx) {
        return false;
    }
    if written.is_singular() {
        return true;
    }
    let new = Diagnostic::new(Code::E0460, written.span, "`keep` takes paths with at most one result");
    cx.report(new.with_label("can have several results").help("write the path of one value"));
    false
}

/// The events of the fact of this number; `None` after an error. They are resolved once for each vocabulary.
pub(super) fn resolve<'a>(number: usize, family: Family, cx: &mut Cx<'a>) -> Option<Arc<PatternEvents>> {
    let key = (number, family);
    if let Some(known) = cx.history.resolved.get(&key) {
        return known.clone();
    }
    let fact = cx.history.entries.get(number)?.fact;
    let outer = Outer::leave(cx);
    cx.history.hidden.clear();
    let conditions = fact.patterns.iter().filter_map(|fact| fact.pattern.condition.as_ref());
    let conditions = std::mem::replace(&mut cx.conditions, Conditions::new(conditions));
    let visible = std::mem::replace(&mut cx.history.visible, number);
    let events = alternatives(fact, family, cx).map(Arc::new);
    (cx.history.visible, cx.conditions) = (visible, conditions);
    outer.resume(cx);
    cx.history.resolved.insert(key, events.clone());
    events
}

/// The events of all patterns of a fact.
fn alternatives<'a>(fact: &'a Fact, family: Family, cx: &mut Cx<'a>) -> Option<PatternEvents> {
    let mut events = Some(PatternEvents::default());
    for alternative in &fact.patterns {
        too_many_kept(&alternative.keep, cx);
        let mut found = pattern::events(&alternative.pattern, family, false, cx);
        if let Some(found) = &mut found {
            found.events.iter_mut().for_each(|event| {
                cx.here = event.tools;
                let keep = alternative.keep.iter().filter_map(|kept| path::resolve(kept, &event.scope, cx));
                event.keep = keep.map(|field| field.path).collect::<Vec<ReadPath>>().into();
            });
        }
        match (found, &mut events) {
            (Some(found), Some(events)) => events.extend(found),
            _ => events = None,
        }
    }
    let events = events?.without_repeats();
    let too_many = too_many(fact, &events);
    let is_sound = too_many.is_none();
    too_many.into_iter().for_each(|new| cx.report_once(new));
    is_sound.then_some(events)
}

/// The diagnostic for a fact that means too many events, or whose events have too many conditions.
fn too_many(fact: &Fact, found: &PatternEvents) -> Option<Diagnostic> {
    let Spanned { node: name, span } = &fact.name;
    let (what, help) = if found.events.len() > EVENTS {
        let what = format!("the fact `{name}` means more than {EVENTS} events with different conditions");
        (what, "join the alternatives of a fact by `or` in one condition")
    } else if found.events.iter().any(|event| event.conditions > CONDITIONS) {
        let what = format!("the fact `{name}` has more than {CONDITIONS} conditions of facts above it");
        (what, "write the conditions in fewer facts, joined by `and`")
    } else {
        return None;
    };
    let new = Diagnostic::new(Code::E0461, *span, what).with_label("with the facts that it uses");
    Some(new.help(help))
}

fn too_many_kept(keep: &[Path], cx: &mut Cx<'_>) {
    let Some(first) = keep.get(KEPT) else { return };
    let what = format!("a fact keeps at most {KEPT} texts");
    cx.report_once(Diagnostic::new(Code::E0460, first.span, what).with_label("one too many"));
}

/// The number of a fact that can be used here. A fact that is written below is an error.
pub(super) fn number(name: &str, span: Span, cx: &mut Cx<'_>) -> Result<Option<usize>, ()> {
    let Some(number) = cx.history.by_name.get(name).copied() else { return Ok(None) };
    let is_visible = number < cx.history.visible;
    let Some(entry) = cx.history.entries.get_mut(number) else { return Ok(None) };
    entry.is_used = true;
    if is_visible {
        return Ok(Some(number));
    }
    let what = match number == cx.history.visible {
        true => format!("the fact `{name}` uses itself"),
        false => format!("the fact `{name}` is written below this one"),
    };
    let new = Diagnostic::new(Code::E0454, span, what).with_label("not known here");
    let new = new.also(entry.fact.name.span, "written here");
    cx.report_once(new.help("a fact uses facts that are written above it: move it up"));
    Err(())
}

/// The fact that is meant by a name, if no event type has that name.
pub(super) fn misspelt(name: &str, cx: &Cx<'_>) -> Option<String> {
    if cx.vocabulary.event(cx.hook_family, name).is_some() {
        return None;
    }
    let facts = cx.history.entries.iter().map(|entry| entry.fact.name.node.as_str());
    suggest::nearest(name, facts).map(str::to_owned)
}

/// Reports facts that nothing uses, after checking them as those that are used.
pub(in crate::check) fn report_unused<'a>(policy: &'a Policy, cx: &mut Cx<'a>) {
    // A condition with an error may be the one that uses them.
    let is_sound = cx.out.errors() == 0;
    let family = policy.hooks.first().map(|hook| hook.family);
    let mut families = Vec::new();
    for number in 0..cx.history.entries.len() {
        let found = family.and_then(|family| vocabulary(number, &families, family, cx));
        families.push(found);
        let Some(entry) = cx.history.entries.get(number) else { return };
        let (name, is_used) = (&entry.fact.name, entry.is_used);
        if is_used {
            continue;
        }
        let what = format!("no condition uses the fact `{}`", name.node);
        let new = Diagnostic::new(Code::W0680, name.span, what).with_label("unused");
        let new = new.help(format!("write `formerly({})` in a condition, or remove the fact", name.node));
        if is_sound {
            cx.report(new);
        }
        if let Some(found) = found {
            cx.hook_family = found;
            resolve(number, found, cx);
        }
    }
}

/// The vocabulary of the first event that a fact names; `above` has those of the facts above it. The name for every event
/// is in all of them.
fn vocabulary(number: usize, above: &[Option<Family>], family: Family, cx: &Cx<'_>) -> Option<Family> {
    let patterns = &cx.history.entries.get(number)?.fact.patterns;
    patterns.iter().flat_map(|fact| &fact.pattern.names).find_map(|name| {
        match cx.history.by_name.get(name.node.as_str()).and_then(|used| above.get(*used)) {
            Some(used) => *used,
            None if name.node == pattern::EVERY => None,
            None => Some(cx.vocabulary.event(family, &name.node).map_or(family, |event| event.family)),
        }
    })
}
