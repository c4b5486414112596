//! Labels, events, and the order within each.

use std::cmp::Ordering;

use foldhash::fast::RandomState;
use foldhash::{HashMap, HashMapExt};
use hookc_schema::tree::{Family, Layer};
use hookc_schema::value::Number;
use hookc_schema::vocab::Strategy;
use hookc_vm::format::number::{self, ShortDecimal};
use indexmap::IndexMap;

use super::strategy::DeclaredStrategies;
use super::{Distance, Entry, Linked, LinkedEvent, LinkedHook};
use crate::fault::Faults;
use crate::ir::{CheckedEvent, CheckedHook};

/// Distributes `entries`, in order of writing, over their events and sorts
/// each by rank.
pub(super) fn order(entries: Vec<Entry>, declared: &DeclaredStrategies, faults: &Faults) -> Linked {
    let names = IndexMap::default();
    let mut events = Events { names, index: HashMap::new(), buckets: Vec::new(), faults };
    for (at, entry) in entries.into_iter().enumerate() {
        events.add(at, entry);
    }
    events.finish(declared)
}

#[derive(Debug)]
struct Events<'f> {
    /// By event name, the number of hooks without an id so far: families share the count, so that
    /// labels are unique.
    names: IndexMap<String, usize, RandomState>,
    /// Buckets by family and name.
    index: HashMap<(Family, usize), usize>,
    buckets: Vec<Bucket>,
    faults: &'f Faults,
}

/// The hooks of one event type in the order of discovery.
#[derive(Debug)]
struct Bucket {
    family: Family,
    name: usize,
    declared: Option<Strategy>,
    /// The last entry added, which detects a hook that names an event twice.
    last: Option<usize>,
    hooks: Vec<(Key, LinkedHook)>,
}

/// The sort key of the order within an event. A stable sort keeps the source order.
#[derive(Debug)]
struct Key {
    priority: Priority,
    distance: Distance,
}

/// A priority. Nearly all are short, and compared without a look at their texts, which lie all over the memory.
#[derive(Debug)]
struct Priority {
    short: Option<ShortDecimal>,
    text: Number,
}

impl Priority {
    fn new(text: &Number) -> Self {
        Self { short: ShortDecimal::parse(text.0.as_bytes()), text: text.clone() }
    }

    fn compare(&self, other: &Self) -> Ordering {
        match (self.short, other.short) {
            (Some(a), Some(b)) => a.cmp(&b),
            _ => number::compare(&self.text.0, &other.text.0),
        }
    }
}

impl Events<'_> {
    fn add(&mut self, at: usize, entry: Entry) {
        let Entry { mut hook, distance, again, .. } = entry;
        let id = hook.id.as_ref().map(|id| if again { self.numbered(&id.node) } else { id.node.clone() });
        for place in std::mem::take(&mut hook.events) {
            let name = self.name(&place.name.node);
            let bucket = self.bucket(place.family, name);
            let declared = place.declared.as_ref().map(|event| event.strategy);
            let Some(bucket) = self.buckets.get_mut(bucket) else {
                self.faults.note("a hook of an event that the linker does not have");
                continue;
            };
            if bucket.last.replace(at) == Some(at) {
                continue;
            }
            bucket.declared = bucket.declared.or(declared);
            let label = match &id {
                Some(id) => id.clone(),
                None => count(&mut self.names, name, self.faults),
            };
            if hook.enabled {
                let key = Key { priority: Priority::new(&hook.priority), distance };
                bucket.hooks.push((key, linked(&hook, label, place)));
            }
        }
    }

    /// The label of a hook whose id a hook of other policies has: from 2 on.
    fn numbered(&mut self, id: &str) -> String {
        let name = self.name(id);
        if let Some((_, count)) = self.names.get_index_mut(name) {
            *count = (*count).max(1);
        }
        count(&mut self.names, name, self.faults)
    }

    fn name(&mut self, name: &str) -> usize {
        match self.names.get_index_of(name) {
            Some(known) => known,
            None => self.names.insert_full(name.to_owned(), 0).0,
        }
    }

    fn bucket(&mut self, family: Family, name: usize) -> usize {
        *self.index.entry((family, name)).or_insert_with(|| {
            self.buckets.push(Bucket { family, name, declared: None, last: None, hooks: Vec::new() });
            self.buckets.len() - 1
        })
    }

    fn finish(self, declared: &DeclaredStrategies) -> Linked {
        let Self { names, buckets, faults, .. } = self;
        let used = buckets.into_iter().filter(|bucket| !bucket.hooks.is_empty());
        let mut events: Vec<LinkedEvent> =
            used.map(|bucket| event(bucket, &names, declared, faults)).collect();
        events.sort_unstable_by(|a, b| (a.family, &a.name).cmp(&(b.family, &b.name)));
        Linked { events, ..Linked::default() }
    }
}

const UNNAMED: &str = "an event without a name";

/// The next label of a hook without an id.
fn count(names: &mut IndexMap<String, usize, RandomState>, name: usize, faults: &Faults) -> String {
    let Some((name, count)) = names.get_index_mut(name) else {
        faults.note(UNNAMED);
        return String::new();
    };
    *count += 1;
    format!("{name}#{count}")
}

fn linked(hook: &CheckedHook, label: String, place: CheckedEvent) -> LinkedHook {
    LinkedHook {
        label,
        span: hook.span,
        layer: hook.layer,
        mode: hook.mode,
        on_error: hook.on_error,
        on_failure: hook.on_failure,
        cond: place.cond,
        certain: place.certain,
        print: place.print,
        action: place.action,
    }
}

fn event(
    bucket: Bucket,
    names: &IndexMap<String, usize, RandomState>,
    declared: &DeclaredStrategies,
    faults: &Faults,
) -> LinkedEvent {
    let Bucket { family, name, declared: known, mut hooks, .. } = bucket;
    let name = names.get_index(name).map(|(name, _)| name.clone());
    let name = faults.known(name, String::new(), UNNAMED);
    let said =
        declared.get(&name).and_then(|declarations| declarations.iter().find(|said| said.family == family));
    let strategy = said.map(|said| said.strategy).or(known).unwrap_or_default();
    hooks.sort_by(|(a, _), (b, _)| rank(a, b));
    LinkedEvent { family, name, strategy, hooks: hooks.into_iter().map(|(_, hook)| hook).collect() }
}

/// Managed first, then the greater priority, then the nearer layer.
fn rank(a: &Key, b: &Key) -> Ordering {
    let managed = |key: &Key| key.distance.0 == Layer::Managed;
    let by_priority = b.priority.compare(&a.priority);
    managed(b).cmp(&managed(a)).then(by_priority).then_with(|| a.distance.cmp(&b.distance))
}
