//! The monitors of a partition as bytes.

use std::collections::VecDeque;
use std::sync::Arc;

use super::bytes::{Reader, Writer, whole};
use super::record::{
    read_decimal, read_reading, read_value, read_verdict, write_decimal, write_reading, write_value,
    write_verdict,
};
use super::shape::{read_kind, write_kind};
use crate::cell::{Body, Cell, Differing, Match, Recent, Sums, Total};
use crate::cells::{Cells, FEW, Section, Unread};
use crate::key::Key;
use crate::limits::EXCLUDED;
use crate::limits::{ANCHORS, CELLS, LAST, MONITORS, SUM, VALUES};
use crate::monitor::{Monitor, Oldest};
use crate::shape::Kind;
use crate::stamp::Stamp;
use crate::state::State;

/// The first version of the format in which many cells have a section.
const WITH_SECTIONS: u8 = 2;
/// Events of a partition: so many that a further one can always be counted.
const EVENTS: u64 = 1 << 53;

pub(super) fn write_state(out: &mut Writer, state: &State) {
    let last = Stamp { number: state.number, time: state.time };
    out.number(last.number);
    out.number(last.time);
    out.option(state.reading, write_reading);
    out.fixed(state.fingerprint);
    out.stamp(state.adopted, last);
    out.option(state.unseen, Writer::number);
    out.list(sorted(state.monitors.iter()), |out, (id, monitor)| {
        out.id(*id);
        write_monitor(out, monitor, last);
    });
}

/// The format version, the bytes of the whole file, and where its snapshot ends in them.
#[derive(Clone, Copy, Debug)]
pub(super) struct Snapshot<'a> {
    pub(super) version: u8,
    pub(super) bytes: &'a Arc<Vec<u8>>,
    pub(super) end: usize,
}

pub(super) fn read_state(input: &mut Reader<'_>, snapshot: Snapshot<'_>) -> Option<State> {
    let last = Stamp { number: input.number()?, time: input.number()? };
    let mut state = State {
        number: last.number,
        time: last.time,
        reading: input.option(read_reading)?,
        fingerprint: input.fixed()?,
        adopted: input.stamp(last)?,
        unseen: input.option(Reader::number)?,
        ..State::default()
    };
    let monitors = input.list(MONITORS, |input| Some((input.id()?, read_monitor(input, last, snapshot)?)));
    state.monitors = map(monitors?)?;
    state.count();
    (state.cells <= CELLS && last.number <= EVENTS).then_some(state)
}

/// The entries of a map, in order.
fn sorted<'a, K: Ord, V>(
    entries: impl Iterator<Item = (&'a K, &'a V)>,
) -> std::vec::IntoIter<(&'a K, &'a V)> {
    let mut entries: Vec<(&K, &V)> = entries.collect();
    entries.sort_unstable_by_key(|(key, _)| *key);
    entries.into_iter()
}

/// A map of entries that are in order.
fn map<K: Ord, V, M: FromIterator<(K, V)>>(entries: Vec<(K, V)>) -> Option<M> {
    entries.is_sorted_by(|(a, _), (b, _)| a < b).then(|| entries.into_iter().collect())
}

fn write_monitor(out: &mut Writer, monitor: &Monitor, last: Stamp) {
    write_kind(out, monitor.kind);
    out.list(monitor.anchors.iter(), |out, id| out.id(*id));
    out.option(monitor.retention, Writer::number);
    out.stamp(monitor.watched_since, last);
    out.option(monitor.unused_since, |out, stamp| out.stamp(stamp, last));
    out.option(monitor.dropped, |out, stamp| out.stamp(stamp, last));
    out.option(monitor.crowded, |out, stamp| out.stamp(stamp, last));
    out.option(monitor.passed_over, |out, (stamp, verdict)| {
        out.stamp(stamp, last);
        write_verdict(out, verdict);
    });
    write_cells(out, &monitor.cells, last);
}

/// Few cells one after the other; many in a section of their own, where a reader finds those that it needs.
fn write_cells(out: &mut Writer, cells: &Cells, last: Stamp) {
    let cell_bytes = |cell: &Cell| {
        let mut content = Writer::default();
        write_cell(&mut content, cell, last);
        content.bytes
    };
    let mut entries: Vec<(Key, Vec<u8>)> = cells.iter().map(|(key, cell)| (key, cell_bytes(&cell))).collect();
    entries.sort_unstable_by_key(|(key, _)| *key);
    out.length(entries.len());
    if entries.len() <= FEW {
        for (key, cell) in entries {
            out.key(key);
            out.bytes.extend(cell);
        }
        return;
    }
    let section = Unread::write(entries.iter().map(|(key, cell)| (*key, cell.as_slice())));
    out.length(cells.bytes());
    out.length(section.len());
    out.bytes.extend(section);
}

fn read_monitor(input: &mut Reader<'_>, last: Stamp, snapshot: Snapshot<'_>) -> Option<Monitor> {
    let kind = read_kind(input)?;
    Some(Monitor {
        kind,
        anchors: input.list(ANCHORS, Reader::id)?,
        retention: input.option(Reader::number)?,
        watched_since: input.stamp(last)?,
        unused_since: input.option(|input| input.stamp(last))?,
        dropped: input.option(|input| input.stamp(last))?,
        crowded: input.option(|input| input.stamp(last))?,
        passed_over: match snapshot.version {
            1 => None,
            _ => input.option(|input| Some((input.stamp(last)?, read_verdict(input)?)))?,
        },
        oldest: Oldest::default(),
        cells: read_cells(input, (kind, last), snapshot)?,
    })
}

fn read_cells(input: &mut Reader<'_>, (kind, last): (Kind, Stamp), snapshot: Snapshot<'_>) -> Option<Cells> {
    let count = input.length().filter(|count| *count <= CELLS)?;
    if count <= FEW || snapshot.version < WITH_SECTIONS {
        let cells: Option<_> =
            (0..count).map(|_| Some((input.key()?, read_cell(input, kind, last)?))).collect();
        return map(cells?);
    }
    let bytes = usize::try_from(input.number()?).ok()?;
    let length = input.length()?;
    input.take(length)?;
    let end = snapshot.end.checked_sub(input.len())?;
    let section = Section::new(snapshot.bytes, end.checked_sub(length)?..end);
    Some(Unread::new(section, (count, bytes), (kind, last), read_unread)?.into())
}

fn read_unread(bytes: &[u8], kind: Kind, last: Stamp) -> Option<Cell> {
    whole(bytes, |input| read_cell(input, kind, last))
}

fn write_cell(out: &mut Writer, cell: &Cell, last: Stamp) {
    out.stamp(cell.seen, last);
    out.option(cell.possible, |out, stamp| out.stamp(stamp, last));
    match &cell.body {
        Body::Recent(recent) => {
            out.length(recent.len());
            recent.iter().for_each(|stamp| out.stamp(stamp, last));
        }
        Body::Differing(differing) => {
            out.list(differing.matches.iter(), |out, found| {
                out.stamp(found.stamp, last);
                for keys in &found.excluded {
                    out.list(keys.iter(), |out, key| out.key(*key));
                }
            });
            out.option(differing.pruned, |out, stamp| out.stamp(stamp, last));
        }
        Body::Counter { count, start } => {
            out.number(*count);
            out.number(*start);
        }
        Body::Total(total) => {
            write_decimal(out, total.sum);
            out.number(total.start);
        }
        Body::Sums(entries) => out.list(entries.iter(), |out, (stamp, number)| {
            out.stamp(stamp, last);
            write_decimal(out, number);
        }),
        Body::Distinct(entries) => out.list(entries.iter(), |out, (stamp, value)| {
            out.stamp(*stamp, last);
            out.key(*value);
        }),
        Body::Last(entries) => out.list(entries.iter(), |out, (stamp, values)| {
            out.stamp(*stamp, last);
            out.list(values.iter(), |out, value| out.option(value.as_ref(), write_value));
        }),
    }
}

fn read_cell(input: &mut Reader<'_>, kind: Kind, last: Stamp) -> Option<Cell> {
    let (seen, possible) = (input.stamp(last)?, input.option(|input| input.stamp(last))?);
    let body = match kind {
        Kind::Recent { capacity } => {
            let stamps = input.list(usize::from(capacity), |input| input.stamp(last))?;
            Body::Recent(Recent::from_ordered(ordered(stamps, |stamp| *stamp)?))
        }
        Kind::Differing { conjuncts } => read_differing(input, usize::from(conjuncts), last)?,
        Kind::Counter => Body::Counter { count: input.number()?, start: input.number()? },
        Kind::Total => Body::Total(Box::new(Total { sum: read_decimal(input)?, start: input.number()? })),
        Kind::Sums => {
            let entries = input.list(SUM, |input| Some((input.stamp(last)?, read_decimal(input)?)))?;
            Body::Sums(Box::new(Sums::from_ordered(ordered(entries, |(stamp, _)| *stamp)?)))
        }
        Kind::Distinct { capacity } => {
            let entries =
                input.list(usize::from(capacity), |input| Some((input.stamp(last)?, input.key()?)))?;
            let is_ordered = entries.is_sorted_by_key(|(stamp, _)| stamp.number);
            Body::Distinct(is_ordered.then_some(entries)?)
        }
        Kind::Last { capacity, values } => {
            let entry = |input: &mut Reader<'_>| {
                let (stamp, kept) =
                    (input.stamp(last)?, input.list(VALUES, |input| input.option(read_value))?);
                (kept.len() == usize::from(values)).then(|| (stamp, kept.into_boxed_slice()))
            };
            let entries = input.list(usize::from(capacity).min(LAST), entry)?;
            Body::Last(ordered(entries, |(stamp, _)| *stamp)?)
        }
    };
    Some(Cell { possible, seen, body })
}

fn read_differing(input: &mut Reader<'_>, conjuncts: usize, last: Stamp) -> Option<Body> {
    let most = 1_usize.checked_shl(u32::try_from(conjuncts).ok()?)?;
    let matches = input.list(most, |input| {
        let stamp = input.stamp(last)?;
        let excluded: Option<Vec<_>> = (0..conjuncts).map(|_| input.list(EXCLUDED, Reader::key)).collect();
        Some(Match { stamp, excluded: excluded?.into_boxed_slice() })
    })?;
    let is_ordered = matches.is_sorted_by(|a, b| a.stamp.number > b.stamp.number);
    let pruned = input.option(|input| input.stamp(last))?;
    is_ordered.then(|| Body::Differing(Box::new(Differing { matches, pruned })))
}

/// Entries of events in their order.
fn ordered<T>(entries: Vec<T>, stamp: impl Fn(&T) -> Stamp) -> Option<VecDeque<T>> {
    let is_ordered = entries.is_sorted_by(|a, b| {
        let (a, b) = (stamp(a), stamp(b));
        a.number < b.number && a.time <= b.time
    });
    is_ordered.then(|| entries.into())
}
