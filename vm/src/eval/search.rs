//! From an event to its type's hooks, and through them by the strategy.

use hookc_base::{Strategy, row_number};
use hookc_shell::Members;
use hookc_shell::programs::Programs;
use serde_json::Value;

use super::decision::{Decision, Form, Recollection};
use super::kleene::Kleene;
use super::machine::Machine;
use super::past::Past;
use super::scratch::Scratch;
use super::{DecideError, DecideOptions};
use crate::event::{EventError, Origin, ParsedEvent, Slots, TYPES};
use crate::history::Histories;
use crate::index;
use crate::module::{Module, Tables, recalled_slots};
use crate::rows::{Event, Hook, NONE};
use crate::stop::StopReason;
use crate::view::EventView;

/// An event of a known type.
pub(super) struct Prepared<'a> {
    pub(super) machine: Machine<'a>,
    row: Option<usize>,
    /// The row of its type, if the module has hooks for it.
    pub(super) event: Option<&'a Event>,
    pub(super) hooks: &'a [Hook],
    index: &'a mut index::Buffers,
    hits: &'a mut Vec<u32>,
    reported: &'a mut Vec<u32>,
}

/// What views contain.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Views {
    /// The members that the module reads.
    Read,
    /// All members, for those who show values.
    Whole,
}

/// The byte order mark of UTF-8, which editors and some shells write at the start of a text.
const MARK: &[u8] = b"\xef\xbb\xbf";

/// Scans an event after its byte order mark, if it has one, and [opens](open) it.
pub(super) fn open_text<'e>(
    module: &Module,
    tables: &Tables<'_>,
    scratch: &mut Scratch,
    event: &'e [u8],
    ask: (&DecideOptions<'_>, Views),
) -> Result<(&'e str, Option<usize>), DecideError> {
    let event = event.strip_prefix(MARK).unwrap_or(event);
    let text = scratch.slots.read_late(event, &tables.trie(), module.trie_index(), module.limits())?;
    let row = open(module, tables, scratch, Origin::Text(text), ask)?;
    Ok((text, row))
}

/// Finds the row of an event's type, reads the views that the type needs, and
/// forgets the event before.
fn open(
    module: &Module,
    tables: &Tables<'_>,
    scratch: &mut Scratch,
    event: Origin<'_>,
    (ask, content): (&DecideOptions<'_>, Views),
) -> Result<Option<usize>, DecideError> {
    let Scratch { slots, memo, schema, queries, hits, reported, late, elements, actions, past, .. } = scratch;
    let row = typed((module, tables), slots, event, ask)?;
    let members = module.require(row)?;
    actions.clear();
    if !tables.views.is_empty() {
        let numbers = row.and_then(|row| tables.events.get(row)).map(|event| tables.indices_of(event.views));
        let views = numbers.into_iter().flatten().filter_map(|number| {
            let number = number.get() as usize;
            let read = members.get(number)?;
            let (view, members) =
                (tables.views.get(number)?, if content == Views::Read { read } else { Members::all() });
            Some((view, tables.stated(view), members))
        });
        let mut effects = |slots: &Slots, scope, out: &mut String| {
            actions.write_view(&EventView { module, tables, slots, event }, scope, out)
        };
        let made_with: (&Programs, _) = (module.programs(), &mut effects as _);
        slots.read_views(views, made_with, event, &tables.trie(), module.trie_index())?;
    }
    memo.start(tables);
    schema.start(module);
    queries.start(module);
    hits.clear();
    reported.clear();
    late.clear();
    elements.clear();
    if !tables.cells.is_empty() {
        past.clear();
    }
    Ok(row)
}

/// The row of the event's type. Duplicates on the type paths are rejected before the type is read,
/// those on the paths of the type afterwards. A parsed event has none.
fn typed(
    (module, tables): (&Module, &Tables<'_>),
    slots: &Slots,
    event: Origin<'_>,
    ask: &DecideOptions<'_>,
) -> Result<Option<usize>, DecideError> {
    let text = match event {
        Origin::Text(text) => Some(text),
        Origin::Parsed(_) => None,
    };
    if let Some(text) = text.filter(|_| slots.may_have_duplicates(&[])) {
        slots.check_duplicates(text.as_bytes(), &tables.trie(), module.type_nodes(), &[])?;
    }
    let name = ask.event.or_else(|| stated(slots, text?)).ok_or(EventError::NoType)?;
    let row = module.types().find(tables, name, ask.family)?;
    if let (Some(text), Some(event)) = (text, row.and_then(|row| tables.events.get(row))) {
        let whole = tables.indices_of(event.whole);
        if slots.may_have_duplicates(whole) {
            let reads = tables.indices_of(event.reads);
            slots.check_duplicates(text.as_bytes(), &tables.trie(), reads, whole)?;
        }
    }
    Ok(row)
}

/// The type that the event states: the first string at a type path.
pub(super) fn stated<'s>(slots: &'s Slots, event: &'s str) -> Option<&'s str> {
    (0..TYPES).find_map(|slot| slots.string(slot, event))
}

impl<'a> Prepared<'a> {
    /// An event that was opened.
    pub(super) fn new(
        module: &'a Module,
        tables: &'a Tables<'a>,
        scratch: &'a mut Scratch,
        (event, row, histories): (Origin<'a>, Option<usize>, Option<&'a Histories<'a>>),
    ) -> Self {
        let Scratch {
            slots,
            memo,
            texts,
            schema,
            queries,
            index,
            hits,
            reported,
            late,
            elements,
            actions,
            past,
        } = scratch;
        let view = EventView { module, tables, slots, event };
        let machine = Machine {
            view,
            memo,
            texts,
            schema,
            queries,
            late,
            elements,
            actions,
            past: Past { histories, memory: past },
            last: NONE,
            last_of_node: NONE,
        };
        let event = row.and_then(|row| tables.events.get(row));
        let hooks = event.map_or(&[] as &[Hook], |event| tables.hooks_of(event));
        Self { machine, row, event, hooks, index, hits, reported }
    }

    /// How hooks combine: as requested; one at a time when stepping; by the event type; `first` for
    /// a type without hooks.
    pub(super) fn strategy(&self, ask: &DecideOptions<'_>) -> Strategy {
        let declared = || self.event.and_then(|event| Strategy::from_number(event.strategy));
        let stepping = ask.after.map(|_| Strategy::First);
        ask.strategy.or(stepping).or_else(declared).unwrap_or(Strategy::First)
    }

    /// The hooks to visit, with their ranks.
    pub(super) fn ranks(&self, ask: &DecideOptions<'_>) -> impl Iterator<Item = (u32, &'a Hook)> + use<'a> {
        let skip = ask.after.map_or(0, |rank| (rank as usize).saturating_add(1));
        (0..).zip(self.hooks).skip(skip)
    }
}

/// Decides about an event in JSON.
pub(super) fn decide<'a>(
    module: &'a Module,
    scratch: &'a mut Scratch,
    event: &'a [u8],
    ask: &DecideOptions<'a>,
) -> Result<Decision<'a>, DecideError> {
    let tables = module.tables_in_place();
    let (text, row) = open_text(module, tables, scratch, event, (ask, Views::Read))?;
    let input = (Origin::Text(text), row, ask.history);
    let strategy = search(Prepared::new(module, tables, scratch, input), ask)?;
    let Scratch { slots, hits, reported, past, .. } = scratch;
    let event = row.and_then(|row| tables.events.get(row));
    let past = Recollection { memory: past, histories: ask.history };
    let (form, name) = (Form::Text(text), ask.event);
    Ok(Decision { module, slots, form, name, event, strategy, hits, reported, past, opinion: true })
}

/// Decides about a parsed event.
pub(super) fn decide_value<'a>(
    module: &'a Module,
    scratch: &'a mut Scratch,
    value: &'a Value,
    ask: &DecideOptions<'a>,
) -> Result<Decision<'a>, DecideError> {
    let tables = module.tables_in_place();
    let trie = tables.trie();
    let event = ParsedEvent::new(value, trie, module.trie_index(), module.limits())?;
    let name = ask.event.or_else(|| (0..TYPES).find_map(|slot| event.string(slot)));
    let name = Some(name.ok_or(EventError::NoType)?);
    let ask = DecideOptions { event: name, ..*ask };
    scratch.slots.start(&trie);
    let origin = Origin::Parsed(&event);
    let row = open(module, tables, scratch, origin, (&ask, Views::Read));
    let searched = row.and_then(|row| {
        let strategy = search(Prepared::new(module, tables, scratch, (origin, row, ask.history)), &ask)?;
        Ok((row.and_then(|row| tables.events.get(row)), strategy))
    });
    event.check()?;
    let (event, strategy) = searched?;
    let Scratch { slots, hits, reported, past, .. } = scratch;
    let past = Recollection { memory: past, histories: ask.history };
    let form = Form::Value(value);
    Ok(Decision { module, slots, form, name, event, strategy, hits, reported, past, opinion: true })
}

/// Visits hooks; the ranks that match are then in the scratch.
fn search(mut prepared: Prepared<'_>, ask: &DecideOptions<'_>) -> Result<Strategy, DecideError> {
    let strategy = prepared.strategy(ask);
    let mut searched = prepared.search::<false>(ask, strategy);
    if let Err(StopReason::Unknown(_)) = searched {
        searched = prepared.search_again(ask, strategy);
    }
    if searched.is_ok() && ask.history.is_some() {
        searched = prepared.remember();
    }
    searched.map_err(|stop| prepared.machine.explain(stop))?;
    prepared.machine.late.clear();
    prepared.machine.elements.clear();
    Ok(strategy)
}

impl Prepared<'_> {
    /// Visits hooks; with `KLEENE` by the logic of three truths.
    #[inline(always)]
    fn search<const KLEENE: bool>(
        &mut self,
        ask: &DecideOptions<'_>,
        strategy: Strategy,
    ) -> Result<(), StopReason> {
        match self.event.map(|event| event.index.get()).filter(|index| *index != NONE) {
            Some(index) => self.look_up::<KLEENE>(index, ask, strategy),
            None => self.look_through::<KLEENE>(ask, strategy),
        }
    }

    /// Visits the hooks again after an unknown condition has appeared: what is known is remembered.
    #[cold]
    #[inline(never)]
    fn search_again(&mut self, ask: &DecideOptions<'_>, strategy: Strategy) -> Result<(), StopReason> {
        self.hits.clear();
        self.reported.clear();
        self.search::<true>(ask, strategy)
    }

    /// Visits every hook.
    fn look_through<const KLEENE: bool>(
        &mut self,
        ask: &DecideOptions<'_>,
        strategy: Strategy,
    ) -> Result<(), StopReason> {
        for (rank, hook) in self.ranks(ask) {
            if self.look_at::<KLEENE>(rank, hook, strategy)? {
                break;
            }
        }
        Ok(())
    }

    /// Visits the hooks that an index offers; no other hook matches.
    fn look_up<const KLEENE: bool>(
        &mut self,
        index: u32,
        ask: &DecideOptions<'_>,
        strategy: Strategy,
    ) -> Result<(), StopReason> {
        let view = self.machine.view;
        let from = ask.after.map_or(0, |rank| rank.saturating_add(1));
        self.index.start(view.tables, index, from);
        loop {
            // A probe may decode another long string.
            self.machine.late.release();
            let found = self.index.next(&view, &mut self.machine);
            let Some(rank) = found else { break };
            let Some(hook) = self.hooks.get(rank as usize) else { continue };
            if self.look_at::<KLEENE>(rank, hook, strategy)? {
                break;
            }
        }
        Ok(())
    }

    /// Visits a hook; `true` ends the search.
    fn look_at<const KLEENE: bool>(
        &mut self,
        rank: u32,
        hook: &Hook,
        strategy: Strategy,
    ) -> Result<bool, StopReason> {
        if KLEENE {
            match self.machine.truth(hook.test())? {
                Kleene::True => {}
                Kleene::False => return Ok(false),
                Kleene::Unknown(cause) => {
                    self.machine.past.memory.hooks.push((rank, cause));
                    return Ok(false);
                }
            }
        } else if !self.machine.hook(hook)? {
            return Ok(false);
        }
        if !hook.enforces() {
            self.reported.push(rank);
            return Ok(false);
        }
        self.hits.push(rank);
        Ok(strategy == Strategy::First)
    }

    /// Reads what the actions of the hooks that match render of the history, then records the event: all reads come
    /// before all writes.
    #[cold]
    #[inline(never)]
    fn remember(&mut self) -> Result<(), StopReason> {
        let tables = self.machine.view.tables;
        if !tables.recalls.is_empty() {
            let matched = self.hits.iter().chain(self.reported.iter());
            let hooks = matched.filter_map(|rank| self.hooks.get(*rank as usize));
            let actions: Vec<u32> = hooks.map(|hook| hook.action.get()).collect();
            for slot in recalled_slots(tables, &actions) {
                self.machine.recall_for_template(slot)?;
            }
        }
        let Some(observed) = self.row.and_then(|row| tables.observed_of(row_number(row))) else {
            return Ok(());
        };
        let first = observed.watches.start.get();
        if observed.index.get() == NONE {
            let count = observed.watches.length.get();
            return (first..first.saturating_add(count)).try_for_each(|watch| self.machine.record(watch));
        }
        let view = self.machine.view;
        self.index.start(view.tables, observed.index.get(), 0);
        loop {
            self.machine.late.release();
            let found = self.index.next(&view, &mut self.machine);
            let Some(place) = found else { return Ok(()) };
            self.machine.record(first.saturating_add(place))?;
        }
    }
}
