//! A selection as a read of a monitor: its patterns with their ties, its anchors, its window and its partition.

use std::sync::Arc;

use hookc_history::{CellId, Kind, Verdict, Verdicts};
use hookc_schema::tree::{EventPattern, Extent, PartitionKey, Path, Selection};
use hookc_schema::vocab::{Type, TypeSet};
use hookc_schema::{Code, Diagnostic, Span};

use super::bounds::{self, Need};
use super::pattern::{self, DeclaredValues, PatternEvent, PatternEvents};
use super::ties::{self, Exclusion, Part, Split, Tie};
use super::{DEPTH, Outer, source};
use crate::check::event::Scope;
use crate::check::path::Reported;
use crate::check::{Cx, path};
use crate::ir::{Excluded, LowCond, Monitor, ReadPath, RecallText, RecallValue, TiedMonitor, Watch};
use crate::tools;

/// The event that starts a turn.
const PROMPT: &str = "UserPromptSubmit";

/// A pattern with its ties: what its events add to a monitor, and the current side.
pub(super) struct TiedPattern {
    /// What identifies each watch, without its ties.
    sources: Vec<Arc<str>>,
    watches: Vec<Watch>,
    level: u8,
    folds: Vec<bool>,
    excluded_folds: Vec<Vec<bool>>,
    current: Vec<ReadPath>,
    excluded: Vec<Vec<ReadPath>>,
    /// Whether the text of its value is kept for each event.
    pub(super) keeps_text: bool,
    /// The declared types of its values.
    types: TypeSet,
    /// How many different values, or tuples, it can have.
    most: Option<u64>,
}

impl TiedPattern {
    /// Whether it compares its events with the current one.
    fn is_tied(&self) -> bool {
        !self.current.is_empty() || !self.excluded.is_empty()
    }

    /// Whether an event, or the current one, can have several keys.
    pub(super) fn has_several_keys(&self) -> bool {
        let paths = self.watches.iter().flat_map(|watch| &watch.keys).chain(&self.current);
        paths.into_iter().any(|path| matches!(path, ReadPath::Nodes(_)))
    }

    /// Whether each event of another pattern is one of these.
    fn contains(&self, other: &Self) -> bool {
        let is_event = |watch: &Watch, anchor: &Watch| {
            (watch.family, &watch.event) == (anchor.family, &anchor.event)
                && anchor.verdicts.bits() & watch.verdicts.bits() == watch.verdicts.bits()
                && (anchor.cond == LowCond::Const(true) || anchor.cond == watch.cond)
        };
        let is_one = |watch: &Watch| self.watches.iter().any(|anchor| is_event(watch, anchor));
        !self.is_tied() && other.watches.iter().all(is_one)
    }

    /// Whether each event of a type is one of these.
    fn has_every(&self, scope: &Scope, cx: &Cx<'_>) -> bool {
        let name = cx.event_name(scope);
        let has_it = |watch: &Watch| {
            (watch.family, &*watch.event) == (scope.family, name)
                && watch.verdicts.contains(Verdict::None)
                && watch.cond == LowCond::Const(true)
        };
        !self.is_tied() && self.watches.iter().any(has_it)
    }

    /// How many conjuncts `not (TIES and ...)` it has.
    pub(super) fn conjuncts(&self) -> usize {
        self.excluded.len()
    }

    /// What keeps its latest event.
    pub(super) fn latest(&self) -> Kind {
        match u8::try_from(self.conjuncts()) {
            Ok(conjuncts) if conjuncts > 0 => Kind::Differing { conjuncts },
            _ => Kind::Recent { capacity: 1 },
        }
    }
}

/// The read of a selection at one event type; `None` after an error.
pub(super) fn read<'a>(
    selection: &'a Selection,
    scope: &Scope,
    need: &Need<'_>,
    text: Arc<str>,
    cx: &mut Cx<'a>,
) -> Option<RecallValue> {
    let partition = partition(selection, cx);
    let within = match selection.within.map(|within| within.node) {
        Some(Extent::Duration { count, unit }) => Some(count.saturating_mul(unit.milliseconds())),
        Some(Extent::Turn | Extent::Session) | None => None,
    };
    let of = tied(&selection.of, scope, Some(need), cx);
    let turn = turn(selection, scope, cx);
    let since = selection.since.as_ref().map(|since| tied(since, scope, None, cx));
    let (of, turn, partition) = (of?, turn.ok()?, partition?);
    let since = match since {
        Some(since) => Some(since?),
        None => None,
    };
    if need.is_about_several() && turn.iter().chain(&since).any(|anchor| anchor.contains(&of)) {
        cx.report_once(single(selection));
    }
    let is_itself = |anchor: &TiedPattern| anchor.contains(&of) && of.contains(anchor);
    if matches!(need, Need::Latest) && turn.iter().chain(&since).any(is_itself) {
        cx.report_once(useless(selection));
    }
    let is_anchor_tied = since.as_ref().is_some_and(TiedPattern::is_tied);
    let kind = bounds::kind(need, &of, (within.is_some(), is_anchor_tied), selection, cx)?;
    let anchors: Vec<TiedMonitor> = [turn, since]
        .into_iter()
        .flatten()
        .map(|anchor| {
            let kind = anchor.latest();
            monitor(anchor, kind, partition, Vec::new(), within)
        })
        .collect();
    cx.history.names_event |= selection.including_now.is_some();
    if selection.including_now.is_some() && matches!(need, Need::Latest) && of.has_every(scope, cx) {
        cx.report_once(constant(selection));
    }
    let restarts = matches!(kind, Kind::Counter | Kind::Total);
    let (own_anchors, since) = match restarts {
        true => (anchors.into_iter().map(|anchor| anchor.monitor).collect(), Vec::new()),
        false => (Vec::new(), anchors),
    };
    let (types, most) = (of.types, of.most);
    let pattern = monitor(of, kind, partition, own_anchors, within);
    let read = RecallValue {
        pattern,
        within,
        since,
        now: selection.including_now.map(|_| (scope.family, cx.event_name(scope).into())),
        back: need.back(),
        counts: matches!(need, Need::Count(_)),
        types,
        most,
        text: RecallText(text),
    };
    fits(&read, selection, cx).then_some(read)
}

/// The selection starts at its own last event.
fn single(selection: &Selection) -> Diagnostic {
    let what = "this selection has at most one event: it starts at the last one";
    let new =
        Diagnostic::new(Code::W0684, selection.of.span.0, what).with_label("also the start of the selection");
    new.help("write another event after `since`, or a duration: `within 10m`")
}

/// The selection starts at its own last event, which is in it if there is one.
fn useless(selection: &Selection) -> Diagnostic {
    let what = "this selection starts at its own last event, so its start changes nothing";
    let new =
        Diagnostic::new(Code::W0684, selection.of.span.0, what).with_label("also the start of the selection");
    new.help("write another event after `since`, or a duration: `within 10m`")
}

/// The current event is one of its events.
fn constant(selection: &Selection) -> Diagnostic {
    let what = "this selection always has an event: the current one";
    let new = Diagnostic::new(Code::W0679, selection.of.span.0, what).with_label("the current event too");
    new.help("remove `including now`, or write the condition that the events meet")
}

/// Whether the nesting is within the limit.
fn fits(read: &RecallValue, selection: &Selection, cx: &mut Cx<'_>) -> bool {
    if read.level() <= DEPTH {
        return true;
    }
    let what = format!("conditions about the past are nested more than {DEPTH} deep");
    let new = Diagnostic::new(Code::E0461, selection.span.0, what).with_label("the outermost one");
    cx.report_once(new.note("the conditions of facts count").help("write a simpler fact"));
    false
}

/// Whose history it is; `None` after an error.
fn partition(selection: &Selection, cx: &mut Cx<'_>) -> Option<PartitionKey> {
    let Some(per) = selection.per else { return Some(PartitionKey::Session) };
    let has_end = matches!(per.node, PartitionKey::Session | PartitionKey::Agent);
    let is_limited = matches!(selection.within.map(|it| it.node), Some(Extent::Duration { .. }));
    if has_end || is_limited {
        return Some(per.node);
    }
    let what = format!("`per {}` without a duration", per.node.name());
    let new = Diagnostic::new(Code::E0457, per.span, what).with_label("its history never ends");
    cx.report_once(new.help(format!("write how far back: `within 1h per {}`", per.node.name())));
    None
}

/// The anchor of `within turn`.
fn turn(selection: &Selection, scope: &Scope, cx: &mut Cx<'_>) -> Result<Option<TiedPattern>, Reported> {
    let Some(within) = selection.within.filter(|within| within.node == Extent::Turn) else {
        return Ok(None);
    };
    let declared = cx.vocabulary.events.get(&(scope.family, PROMPT.to_owned()));
    let Some(declared) = declared else {
        let new = Diagnostic::new(Code::E0457, within.span, "`within turn` where no event is a prompt");
        let new = new.with_label("these hooks have no turns");
        cx.report_once(new.help("write a duration, as in `within 10m`, or an event: `since EVENT`"));
        return Err(Reported);
    };
    let verdicts = if declared.prevents { Verdicts::HAPPENED } else { Verdicts::ANY };
    let watch = Watch {
        family: scope.family,
        event: PROMPT.into(),
        verdicts,
        cond: LowCond::Const(true),
        keys: Vec::new(),
        excluded: Vec::new(),
        values: Vec::new(),
        span: within.span,
    };
    Ok(Some(TiedPattern {
        sources: vec![source::event(scope.family, PROMPT, verdicts).into()],
        watches: vec![watch],
        level: 0,
        folds: Vec::new(),
        excluded_folds: Vec::new(),
        current: Vec::new(),
        excluded: Vec::new(),
        keeps_text: false,
        types: TypeSet::ANY,
        most: None,
    }))
}

fn monitor(
    pattern: TiedPattern,
    kind: Kind,
    partition: PartitionKey,
    anchors: Vec<Arc<Monitor>>,
    retention: Option<u64>,
) -> TiedMonitor {
    let below = anchors.iter().map(|anchor| anchor.level).max().unwrap_or(0);
    let mut monitor = Monitor {
        id: CellId([0; 8]),
        kind,
        partition,
        watches: pattern.watches,
        folds: pattern.folds,
        excluded_folds: pattern.excluded_folds,
        anchors,
        retention,
        keeps_text: pattern.keeps_text && matches!(kind, Kind::Last { .. }),
        level: pattern.level.saturating_add(1).max(below),
    };
    let sources: Vec<&str> = pattern.sources.iter().map(|source| &**source).collect();
    monitor.id = source::identity(&monitor, &sources);
    TiedMonitor { monitor: Arc::new(monitor), current: pattern.current, excluded: pattern.excluded }
}

/// A pattern with its ties, and the values that `need` asks for; `None` after an error.
fn tied<'a>(
    pattern: &'a EventPattern,
    scope: &Scope,
    need: Option<&Need<'_>>,
    cx: &mut Cx<'a>,
) -> Option<TiedPattern> {
    let narrowed = tools::narrow(pattern.condition.as_ref(), &mut cx.tools);
    let split = ties::split(pattern, narrowed.place(), cx);
    let is_tied = split.as_ref().is_none_or(Split::is_tied);
    let mut sides = CurrentSides::default();
    let is_sound = split.as_ref().is_some_and(|split| sides.resolve(split, scope, cx));
    let outer = Outer::leave(cx);
    cx.narrowed.clone_from(&narrowed);
    let found = pattern::events(pattern, scope.family, is_tied, cx);
    let past = match (found, &split) {
        (Some(found), Some(split)) => past_side(found, split, need, pattern.span.0, cx),
        _ => None,
    };
    if let (Some(past), Some(cond)) = (&past, pattern.condition.as_ref().filter(|_| is_tied)) {
        pattern::report_constant(cond, &past.events, cx);
    }
    outer.resume(cx);
    let (past, split) = (past.filter(|_| is_sound)?, split?);
    let folds = |ties: &[Tie<'_>]| ties.iter().map(|tie| tie.case.is_ignored()).collect::<Vec<bool>>();
    Some(TiedPattern {
        sources: past.events.events.iter().map(|event| Arc::clone(&event.source)).collect(),
        level: past.events.events.iter().map(|event| event.level).max().unwrap_or(0).max(past.level),
        watches: past.watches,
        folds: folds(&split.ties),
        excluded_folds: split.excluded.iter().map(|exclusion| folds(&exclusion.ties)).collect(),
        current: sides.current,
        excluded: sides.excluded,
        keeps_text: past.keeps_text,
        types: past.types,
        most: past.most,
    })
}

/// The current side of ties.
#[derive(Default)]
struct CurrentSides {
    current: Vec<ReadPath>,
    excluded: Vec<Vec<ReadPath>>,
}

impl CurrentSides {
    /// Resolves them at an event type; whether they are sound.
    fn resolve(&mut self, split: &Split<'_, '_>, scope: &Scope, cx: &mut Cx<'_>) -> bool {
        let current = side(&split.ties, scope, cx);
        let excluded: Vec<_> =
            split.excluded.iter().map(|exclusion| side(&exclusion.ties, scope, cx)).collect();
        let excluded: Option<Vec<_>> = excluded.into_iter().collect();
        match (current, excluded) {
            (Some(current), Some(excluded)) => {
                (self.current, self.excluded) = (current, excluded);
                true
            }
            _ => false,
        }
    }
}

fn side(ties: &[Tie<'_>], scope: &Scope, cx: &mut Cx<'_>) -> Option<Vec<ReadPath>> {
    let found: Vec<_> = ties.iter().map(|tie| path::resolve(&tie.current, scope, cx)).collect();
    found.into_iter().map(|field| field.map(|field| field.path)).collect()
}

/// What the events of a pattern add to a monitor.
struct PastSide {
    events: PatternEvents,
    watches: Vec<Watch>,
    level: u8,
    keeps_text: bool,
    types: TypeSet,
    most: Option<u64>,
}

fn past_side<'a>(
    found: PatternEvents,
    split: &Split<'a, '_>,
    need: Option<&Need<'_>>,
    span: Span,
    cx: &mut Cx<'a>,
) -> Option<PastSide> {
    let mut side = Some(PastSide {
        events: PatternEvents::default(),
        watches: Vec::new(),
        level: 0,
        keeps_text: true,
        types: TypeSet::ANY,
        most: None,
    });
    let (mut declared, mut values): (Option<TypeSet>, Vec<DeclaredValues>) = (None, Vec::new());
    for event in found.events {
        match (watch(event, split, need, span, cx), &mut side) {
            (Some((event, watch, found)), Some(side)) => {
                declared = found.iter().map(|path| path.types).chain(declared).reduce(TypeSet::or);
                values = match values.is_empty() {
                    true => found,
                    false => values.into_iter().zip(found).map(|(one, other)| one.or(other)).collect(),
                };
                let excluded = watch.excluded.iter().map(|excluded| source::level(&excluded.cond)).max();
                side.level = side.level.max(excluded.unwrap_or(0));
                side.keeps_text &= watch.values.iter().all(|value| event.keep.contains(value));
                side.events.events.push(event);
                side.watches.push(watch);
            }
            _ => side = None,
        }
    }
    let types = declared.unwrap_or(TypeSet::ANY);
    if let (Some(Need::Sum(path)), Some(_), false) = (need, &side, types.has(Type::Integer)) {
        let what = format!("`sum` of `{}`, which is never a number", path.text);
        let new = Diagnostic::new(Code::W0601, path.span, what).with_label("adds nothing");
        cx.report_once(new.help("write the path of a number, or `distinct(...)` for different values"));
    }
    let most = values.iter().map(DeclaredValues::count).try_fold(1, |all: u64, one| all.checked_mul(one?));
    side.map(|side| PastSide { types, most, ..side })
}

/// What one event type adds, and the declared types of its values.
fn watch<'a>(
    mut event: PatternEvent,
    split: &Split<'a, '_>,
    need: Option<&Need<'_>>,
    span: Span,
    cx: &mut Cx<'a>,
) -> Option<(PatternEvent, Watch, Vec<DeclaredValues>)> {
    let rest = if split.is_tied() { parts(&split.rest, &event, cx) } else { Some(LowCond::Const(true)) };
    let keys = past_paths(split.ties.iter().map(|tie| tie.past), &event, cx);
    let excluded: Vec<_> = split.excluded.iter().map(|one| exclusion(one, &event, cx)).collect();
    cx.here = cx.narrowed.whole().and(event.tools);
    let values: Vec<_> =
        need.into_iter().flat_map(Need::values).map(|path| pattern::path(path, &event, cx)).collect();
    let (values, types): (Vec<_>, Vec<_>) =
        values.into_iter().collect::<Option<Vec<_>>>()?.into_iter().unzip();
    event.require(rest?);
    let watch = Watch {
        family: event.scope.family,
        event: Arc::clone(&event.name),
        verdicts: event.verdicts,
        cond: event.cond.clone(),
        keys: keys?,
        excluded: excluded.into_iter().collect::<Option<_>>()?,
        values,
        span,
    };
    Some((event, watch, types))
}

fn exclusion<'a>(one: &Exclusion<'a, '_>, event: &PatternEvent, cx: &mut Cx<'a>) -> Option<Excluded> {
    let cond = parts(&one.rest, event, cx);
    let keys = past_paths(one.ties.iter().map(|tie| tie.past), event, cx);
    Some(Excluded { cond: cond?, keys: keys? })
}

/// The conjunction of parts at an event type. All are lowered even after an error, so that all errors are reported.
fn parts<'a>(parts: &[Part<'a, '_>], event: &PatternEvent, cx: &mut Cx<'a>) -> Option<LowCond> {
    let lowered: Vec<_> = parts.iter().map(|part| lowered(*part, event, cx)).collect();
    let mut lowered = lowered.into_iter().collect::<Option<Vec<_>>>()?;
    Some(match lowered.len() {
        0 => LowCond::Const(true),
        1 => lowered.pop().unwrap_or(LowCond::Const(true)),
        _ => LowCond::All(lowered.into()),
    })
}

fn lowered<'a>(part: Part<'a, '_>, event: &PatternEvent, cx: &mut Cx<'a>) -> Option<LowCond> {
    let Part { cond, place, negated } = part;
    cx.polarity.negated = negated;
    let low = pattern::lowered(cond, place, event, cx)?;
    Some(if negated { LowCond::Not(low.into()) } else { low })
}

fn past_paths<'p>(
    paths: impl Iterator<Item = &'p Path>,
    event: &PatternEvent,
    cx: &mut Cx<'_>,
) -> Option<Vec<ReadPath>> {
    cx.here = cx.narrowed.whole().and(event.tools);
    let found: Vec<_> = paths.map(|path| pattern::path(path, event, cx)).collect();
    found.into_iter().map(|found| found.map(|(path, _)| path)).collect()
}
