//! From an event to its type's hooks, and through them by the strategy.

use hookc_base::{Family, Mode, Strategy};
use serde_json::Value;

use super::decision::Decision;
use super::machine::Machine;
use super::scratch::Scratch;
use super::{DecideError, DecideOptions};
use crate::event::{EventError, Item, Slots, Stored, TYPES};
use crate::index;
use crate::module::{Module, Tables};
use crate::rows::{Event, Hook, NONE};
use crate::view::EventView;

/// An event in either form.
#[derive(Clone, Copy)]
pub(super) enum Source<'a> {
    Bytes(&'a [u8]),
    Value(&'a Value),
}

impl<'a> Source<'a> {
    /// Fills the slots and returns the text of the event; a value has no text.
    fn fill(self, module: &Module, tables: &Tables<'_>, slots: &mut Slots) -> Result<&'a str, EventError> {
        let (trie, trie_index, limits) = (tables.trie(), module.trie_index(), module.limits());
        match self {
            Self::Bytes(event) => slots.read_late(event, &trie, trie_index, limits),
            Self::Value(event) => slots.read_value(event, &trie, trie_index, limits).map(|()| ""),
        }
    }

    /// A value is past having duplicates.
    fn bytes(self) -> Option<&'a [u8]> {
        match self {
            Self::Bytes(event) => Some(event),
            Self::Value(_) => None,
        }
    }
}

/// A scanned event of a known type.
pub(super) struct Prepared<'a> {
    pub(super) machine: Machine<'a>,
    pub(super) name: &'a str,
    /// Its row, if the module has hooks for it.
    pub(super) event: Option<&'a Event>,
    pub(super) hooks: &'a [Hook],
    index: &'a mut index::Buffers,
    hits: &'a mut Vec<u32>,
    reported: &'a mut Vec<u32>,
}

/// Scans the event, finds its type, and reads the views of command lines that the type needs.
pub(super) fn prepare<'a>(
    module: &'a Module,
    scratch: &'a mut Scratch,
    source: Source<'a>,
    ask: &DecideOptions<'a>,
) -> Result<Prepared<'a>, DecideError> {
    let tables = module.tables();
    let Scratch { slots, memo, texts, schema, queries, index, hits, reported, late } = scratch;
    let text = source.fill(module, &tables, slots)?;
    let has_views = !tables.views.is_empty();
    if has_views {
        let view = EventView { module, tables, slots, event: text };
        let (_, event) = typed(view, source.bytes(), ask)?;
        let numbers = event.map_or(&[] as &[_], |event| tables.indices_of(event.views));
        let views = numbers.iter().filter_map(|number| tables.views.get(number.get() as usize));
        slots.read_views(views, module.wrappers(), text, &tables.trie(), module.trie_index())?;
    }
    let slots: &'a Slots = slots;
    let view = EventView { module, tables, slots, event: text };
    // What was checked before the views is not checked again.
    let bytes = source.bytes().filter(|_| !has_views);
    let (name, event) = typed(view, bytes, ask)?;
    memo.start(&tables);
    schema.start(module);
    queries.start(module);
    hits.clear();
    reported.clear();
    late.release();
    let hooks = event.map_or(&[] as &[Hook], |event| tables.hooks_of(event));
    let machine = Machine { view, memo, texts, schema, queries, late, last: NONE };
    Ok(Prepared { machine, name, event, hooks, index, hits, reported })
}

/// The name of the event's type and its row. In `bytes`, duplicates on the type paths are rejected
/// before the type is read, those on the paths of the type afterwards.
fn typed<'s>(
    view: EventView<'s>,
    bytes: Option<&[u8]>,
    ask: &DecideOptions<'s>,
) -> Result<(&'s str, Option<&'s Event>), DecideError> {
    let EventView { module, tables, slots, .. } = view;
    if let Some(bytes) = bytes {
        slots.check_duplicates(bytes, tables.trie(), module.type_nodes(), &[])?;
    }
    let name = ask.event.or_else(|| stated(view)).ok_or(EventError::NoType)?;
    let event = find(&tables, name, ask.family)?;
    if let (Some(bytes), Some(event)) = (bytes, event) {
        let (reads, whole) = (tables.indices_of(event.reads), tables.indices_of(event.whole));
        slots.check_duplicates(bytes, tables.trie(), reads, whole)?;
    }
    Ok((name, event))
}

/// The type that the event states: the first string at a type path.
fn stated(view: EventView<'_>) -> Option<&str> {
    (0..TYPES).find_map(|slot| match view.stored(slot) {
        Stored::Item(Item::Str(name)) => Some(name),
        _ => None,
    })
}

/// The row of an event type: of the requested family, otherwise of the only one that declares the
/// name.
fn find<'m>(
    tables: &Tables<'m>,
    name: &str,
    family: Option<Family>,
) -> Result<Option<&'m Event>, EventError> {
    let of = |family: Family| {
        let order = |event: &Event| {
            let own = (event.family, tables.bytes(event.name.get()));
            own.cmp(&(family as u8, name.as_bytes()))
        };
        tables.events.binary_search_by(order).ok().and_then(|row| tables.events.get(row))
    };
    if let Some(family) = family {
        return Ok(of(family));
    }
    let mut found = Family::ALL.iter().filter_map(|family| of(*family));
    match (found.next(), found.next()) {
        (_, Some(_)) => Err(EventError::AmbiguousType(name.to_owned())),
        (event, None) => Ok(event),
    }
}

impl<'a> Prepared<'a> {
    /// How hooks combine: as requested; one at a time when stepping; by the event type; `first` for
    /// a type without hooks.
    pub(super) fn strategy(&self, ask: &DecideOptions<'_>) -> Strategy {
        let own = || self.event.and_then(|event| Strategy::from_number(event.strategy));
        let stepping = ask.after.map(|_| Strategy::First);
        ask.strategy.or(stepping).or_else(own).unwrap_or(Strategy::First)
    }

    /// The hooks to visit, with their ranks.
    pub(super) fn ranks(&self, ask: &DecideOptions<'_>) -> impl Iterator<Item = (u32, &'a Hook)> + use<'a> {
        let skip = ask.after.map_or(0, |rank| (rank as usize).saturating_add(1));
        (0..).zip(self.hooks).skip(skip)
    }
}

/// Scans, finds the type, searches.
pub(super) fn decide<'a>(
    module: &'a Module,
    scratch: &'a mut Scratch,
    source: Source<'a>,
    ask: &DecideOptions<'a>,
) -> Result<Decision<'a>, DecideError> {
    let mut prepared = prepare(module, scratch, source, ask)?;
    let strategy = prepared.strategy(ask);
    match prepared.event.map(|event| event.index.get()).filter(|index| *index != NONE) {
        Some(index) => prepared.look_up(index, ask, strategy)?,
        None => prepared.look_through(ask, strategy)?,
    }
    let Prepared { machine, name, event, hits, reported, .. } = prepared;
    machine.late.release();
    Ok(Decision::new(machine.view, name, event, strategy, hits, reported))
}

impl Prepared<'_> {
    /// Visits every hook.
    fn look_through(&mut self, ask: &DecideOptions<'_>, strategy: Strategy) -> Result<(), DecideError> {
        for (rank, hook) in self.ranks(ask) {
            if self.look_at(rank, hook, strategy)? {
                break;
            }
        }
        Ok(())
    }

    /// Visits the hooks that an index offers; no other hook matches.
    fn look_up(
        &mut self,
        index: u32,
        ask: &DecideOptions<'_>,
        strategy: Strategy,
    ) -> Result<(), DecideError> {
        let view = self.machine.view;
        let from = ask.after.map_or(0, |rank| rank.saturating_add(1));
        self.index.start(&view.tables, index, from);
        loop {
            // A probe may decode another long string.
            self.machine.late.release();
            let Some(rank) = self.index.next(&view) else { break };
            let Some(hook) = self.hooks.get(rank as usize) else { continue };
            if self.look_at(rank, hook, strategy)? {
                break;
            }
        }
        Ok(())
    }

    /// Visits a hook; `true` ends the search.
    fn look_at(&mut self, rank: u32, hook: &Hook, strategy: Strategy) -> Result<bool, DecideError> {
        let machine = &mut self.machine;
        if !machine.cond(hook.cond.get()).map_err(|stop| machine.explain(stop))? {
            return Ok(false);
        }
        if hook.mode != Mode::Enforce as u8 {
            self.reported.push(rank);
            return Ok(false);
        }
        self.hits.push(rank);
        Ok(strategy == Strategy::First)
    }
}
