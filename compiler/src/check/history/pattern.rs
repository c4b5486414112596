//! Patterns: the event types that they name, the verdicts that they mean, and their conditions at each event type.

use std::sync::Arc;

use foldhash::HashSet;
use hookc_history::Verdicts;
use hookc_schema::tree::{Cond, EventPattern, Family, OutcomeWord, Path};
use hookc_schema::value::{Kind, Value};
use hookc_schema::vocab::{EventType, FieldSchema, Type, TypeSet};
use hookc_schema::{Code, Diagnostic, Diagnostics, Span, Spanned};

use super::{facts, source};
use crate::check::event::Scope;
use crate::check::{Cx, cond, path as paths};
use crate::ir::{LowCond, ReadPath};
use crate::lint::constant;
use crate::tools::{self, Place, ToolSet};

/// The name that is every event type of a vocabulary.
pub(super) const EVERY: &str = "*";

/// The events that a pattern means.
#[derive(Clone, Default)]
pub(super) struct PatternEvents {
    pub(super) events: Vec<PatternEvent>,
}

/// A pattern at one event type.
#[derive(Clone)]
pub(super) struct PatternEvent {
    pub(super) scope: Scope,
    pub(super) name: Arc<str>,
    pub(super) verdicts: Verdicts,
    pub(super) cond: LowCond,
    /// What identifies it: see [`source`].
    pub(super) source: Arc<str>,
    /// The highest level of the monitors that its condition reads.
    pub(super) level: u8,
    /// How many conditions were added to it: its own, and those of the facts that it uses.
    pub(super) conditions: u8,
    /// The paths whose text is kept.
    pub(super) keep: Arc<[ReadPath]>,
    /// The tools that its conditions leave.
    pub(super) tools: ToolSet,
    /// Whether it is one of all event types: then a field that it does not have is not a mistake.
    pub(super) is_one_of_all: bool,
}

impl PatternEvents {
    /// Adds the events of another pattern.
    pub(super) fn extend(&mut self, other: Self) {
        self.events.extend(other.events);
    }

    /// Removes events that differ in nothing from an earlier one.
    pub(super) fn without_repeats(mut self) -> Self {
        let mut seen = HashSet::default();
        self.events.retain(|event| seen.insert((Arc::clone(&event.source), Arc::clone(&event.keep))));
        self
    }
}

/// The events of a pattern, with its condition if that has no ties. `None` after an error.
pub(super) fn events<'a>(
    pattern: &'a EventPattern,
    family: Family,
    is_tied: bool,
    cx: &mut Cx<'a>,
) -> Option<PatternEvents> {
    let mut found = named(pattern, family, cx)?;
    let Some(cond) = pattern.condition.as_ref().filter(|_| !is_tied) else { return Some(found) };
    let narrowed = tools::narrow(Some(cond), &mut cx.tools);
    let (mut is_sound, mut is_always) = (true, !found.events.is_empty());
    for event in &mut found.events {
        match lowered(cond, narrowed.place(), event, cx) {
            Some(low) => {
                event.tools = event.tools.and(narrowed.whole());
                is_always &=
                    low != LowCond::Const(true) && constant::value(&low, &mut cx.facts) == Some(true);
                event.require(low);
            }
            None => is_sound = false,
        }
    }
    if is_always && is_sound {
        let new = Diagnostic::new(Code::W0679, cond.span, "the condition of this pattern is always true");
        let new = new.with_label("true of every such event");
        cx.report_once(new.help("remove it, or write the condition that the past event met"));
    }
    report_constant(cond, &found, cx);
    is_sound.then_some(found)
}

/// Reports a condition that no event of the pattern meets.
pub(super) fn report_constant(cond: &Cond, found: &PatternEvents, cx: &mut Cx<'_>) {
    let never = found.events.iter().all(|event| constant::value(&event.cond, &mut cx.facts) == Some(false));
    if never && !found.events.is_empty() {
        let new = Diagnostic::new(Code::W0679, cond.span, "this pattern never matches");
        let new = new.with_label("never true of such an event");
        cx.report_once(new.help("write the condition that the past event met"));
    }
}

/// A condition of a pattern at one of its event types.
pub(super) fn lowered<'a>(
    cond: &'a Cond,
    place: Place<'_>,
    event: &PatternEvent,
    cx: &mut Cx<'a>,
) -> Option<LowCond> {
    let place = place.within(event.tools);
    if !event.is_one_of_all {
        return cond::lower(cond, place, &event.scope, cx);
    }
    // A condition about every event type is false of those that do not have its fields.
    let reported = std::mem::take(cx.out);
    let low = cond::lower(cond, place, &event.scope, cx);
    let found = std::mem::replace(cx.out, reported);
    keep_errors(found, cx.out);
    low
}

/// The longest list of declared values whose different ones are counted.
const LISTED: usize = 256;

/// What the declarations of a path say about its values.
pub(super) struct DeclaredValues {
    pub(super) types: TypeSet,
    /// All values that it can have, if they are listed.
    listed: Option<Vec<Value>>,
}

impl DeclaredValues {
    fn new(schema: Option<&FieldSchema>) -> Self {
        let types = schema.map_or(TypeSet::ANY, |schema| schema.types);
        let allowed = schema.and_then(|schema| schema.allowed.as_ref());
        let listed = allowed.filter(|allowed| allowed.len() <= LISTED).cloned().or_else(|| {
            let truths = [true, false].map(|truth| Value::new(Kind::Bool(truth), Span::default()));
            types.within(TypeSet::only(Type::Boolean)).then(|| truths.to_vec())
        });
        Self { types, listed }
    }

    /// The values at a path of either of two events.
    pub(super) fn or(self, other: Self) -> Self {
        let listed = self.listed.zip(other.listed).map(|(one, other)| [one, other].concat());
        Self { types: self.types.or(other.types), listed }
    }

    /// How many different values it can have, `null` aside.
    pub(super) fn count(&self) -> Option<u64> {
        let listed = self.listed.as_ref()?;
        let is_new = |(at, value): &(usize, &Value)| {
            value.kind != Kind::Null && !listed.iter().take(*at).any(|earlier| earlier.same(value))
        };
        u64::try_from(listed.iter().enumerate().filter(is_new).count()).ok()
    }
}

/// A path of an event of a pattern, and what is declared about its values; `None` after an error.
pub(super) fn path(
    written: &Path,
    event: &PatternEvent,
    cx: &mut Cx<'_>,
) -> Option<(ReadPath, DeclaredValues)> {
    let reported = event.is_one_of_all.then(|| std::mem::take(cx.out));
    let field = paths::resolve(written, &event.scope, cx);
    if let Some(reported) = reported {
        let found = std::mem::replace(cx.out, reported);
        keep_errors(found, cx.out);
    }
    let field = field?;
    Some((field.path, DeclaredValues::new(field.schema.as_deref())))
}

fn keep_errors(found: Diagnostics, out: &mut Diagnostics) {
    out.extend(found.into_iter().filter(Diagnostic::is_error));
}

impl PatternEvent {
    fn new(name: &str, scope: Scope, verdicts: Verdicts, is_one_of_all: bool) -> Self {
        let source = source::event(scope.family, name, verdicts);
        Self {
            scope,
            name: name.into(),
            verdicts,
            cond: LowCond::Const(true),
            source: source.into(),
            level: 0,
            conditions: 0,
            keep: Arc::new([]),
            tools: ToolSet::ALL,
            is_one_of_all,
        }
    }

    /// Adds a condition.
    pub(super) fn require(&mut self, low: LowCond) {
        if low == LowCond::Const(true) {
            return;
        }
        self.source = source::required(&self.source, &low).into();
        self.level = self.level.max(source::level(&low));
        self.conditions = self.conditions.saturating_add(1);
        self.cond = match &self.cond {
            LowCond::Const(true) => low,
            cond => LowCond::All([cond.clone(), low].into()),
        };
    }
}

/// The event types or the fact that a pattern names, without its condition.
fn named<'a>(pattern: &'a EventPattern, family: Family, cx: &mut Cx<'a>) -> Option<PatternEvents> {
    if let [name] = pattern.names.as_slice()
        && let Some(number) = facts::number(&name.node, name.span, cx).ok()?
    {
        if let Some(outcome) = &pattern.outcome {
            let what = format!("`{}` before the fact `{}`", outcome.node.name(), name.node);
            let new = Diagnostic::new(Code::E0453, outcome.span, what).with_label("belongs to an event type");
            return cx.fail(new.help("write `outcome:` in the fact"));
        }
        return facts::resolve(number, family, cx).map(|known| PatternEvents::clone(&known));
    }
    let mut events = Some(PatternEvents::default());
    for name in &pattern.names {
        match (one_name(name, pattern, family, cx), &mut events) {
            (Some(found), Some(events)) => events.extend(found),
            _ => events = None,
        }
    }
    events.map(PatternEvents::without_repeats)
}

fn one_name<'a>(
    name: &'a Spanned<String>,
    pattern: &'a EventPattern,
    family: Family,
    cx: &mut Cx<'a>,
) -> Option<PatternEvents> {
    let outcome = pattern.outcome.map(|outcome| outcome.node);
    if name.node == EVERY {
        return Some(every(outcome, family, cx));
    }
    if facts::number(&name.node, name.span, cx).ok()?.is_some() {
        let what = format!("the fact `{}` in a list of event types", name.node);
        let new = Diagnostic::new(Code::E0453, name.span, what).with_label("a fact is written alone");
        return cx.fail(new.help("write a fact with several patterns, or two conditions joined by `or`"));
    }
    if let Some(fact) = facts::misspelt(&name.node, cx) {
        let what = format!("unknown fact `{}`", name.node);
        let new = Diagnostic::new(Code::E0453, name.span, what).with_label("not a fact of this file");
        return cx.fail(new.did_you_mean(Some(&fact), name.span));
    }
    if let Some(new) = no_event(name, cx) {
        return cx.fail(new);
    }
    // What was reported before is known while the diagnostics are set aside.
    let _ = cx.was_reported(Code::E0428, name.span);
    let reported = std::mem::take(cx.out);
    let scope = cx.scope(cx.hook_family, name);
    let found = std::mem::replace(cx.out, reported);
    cx.out.extend(found.into_iter().map(|new| match new.code == Code::W0415 && new.fix.is_none() {
        true => new.help("write a fact under `facts:`, and an event that a program sends under `events:`"),
        false => new,
    }));
    let verdicts = verdicts(outcome, scope.declared.as_deref());
    Some(PatternEvents { events: vec![PatternEvent::new(&name.node, scope, verdicts, false)] })
}

/// A diagnostic for a tool, or several words of a selection, in place of an event type.
fn no_event(name: &Spanned<String>, cx: &Cx<'_>) -> Option<Diagnostic> {
    let text = &name.node;
    if cx.vocabulary.event(cx.hook_family, text).is_some() {
        return None;
    }
    let wrong = |what: &str| {
        Diagnostic::new(Code::E0428, name.span, format!("`{text}` is {what}, and no event has this name"))
            .with_label("not an event type or a fact")
    };
    if cx.vocabulary.tools.by_name.contains_key(text) {
        let help = format!("name the event, and the tool in its condition: `tool_name == '{text}'`");
        return Some(wrong("a tool").help(help));
    }
    let (first, rest) = text.split_once(' ')?;
    if OutcomeWord::from_name(first).is_some() {
        let help = format!("write `outcome: {first}` and `event: {}`", rest.trim());
        return Some(wrong("an outcome and an event").help(help));
    }
    let scope =
        rest.split(' ').find(|word| ["where", "within", "since", "per", "including"].contains(word))?;
    let help = match scope {
        "where" => format!("write a pattern: `{{event: {first}, when: ...}}`"),
        "including" => "write `including_now: true` next to it".to_owned(),
        scope => format!("write `{scope}:` as a key next to it"),
    };
    Some(wrong("a part of an expression").help(help))
}

/// Every event type of a vocabulary.
fn every(outcome: Option<OutcomeWord>, family: Family, cx: &mut Cx<'_>) -> PatternEvents {
    let vocabulary = cx.vocabulary;
    let declared = vocabulary.events.iter().filter(|((of, _), _)| *of == family);
    let mut events = Vec::new();
    for ((_, name), event) in declared {
        let scope = cx.known_scope(family, name);
        events.push(PatternEvent::new(name, scope, verdicts(outcome, Some(event)), true));
    }
    PatternEvents { events }
}

/// The verdicts that an outcome word means at an event type.
fn verdicts(outcome: Option<OutcomeWord>, event: Option<&EventType>) -> Verdicts {
    match outcome {
        Some(OutcomeWord::Denied) => Verdicts::DENIED,
        Some(OutcomeWord::Asked) => Verdicts::ASKED,
        Some(OutcomeWord::Allowed) => Verdicts::ALLOWED,
        Some(OutcomeWord::Any) => Verdicts::ANY,
        None if event.is_none_or(|event| event.prevents) => Verdicts::HAPPENED,
        None => Verdicts::ANY,
    }
}
