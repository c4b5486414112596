//! The counters of a replay.

use std::collections::{BTreeMap, HashMap};
use std::path::PathBuf;

use hookc_vm::format::Tables;
use hookc_vm::{Decision, MatchedHook};
use hookc_vm::{Layer, Mode};

use super::lines::Spot;
use crate::files;

/// Event types that are counted separately; further ones are counted together, so that a log of
/// invented types needs no memory.
const TYPES: usize = 1000;

/// The name for event types beyond the limit.
const OTHERS: &str = "(others)";

/// A line of a log.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Place {
    pub(super) log: usize,
    pub(super) spot: Spot,
}

/// A hook and how often it matched.
#[derive(Debug)]
pub(super) struct HookHits {
    pub(super) label: String,
    pub(super) mode: Mode,
    /// A hook that is shipped with hookc.
    shipped: bool,
    pub(super) hits: usize,
    /// The first and the last line that it matched.
    pub(super) lines: Option<(Place, Place)>,
}

/// Events of a type.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct TypeHits {
    pub(super) events: usize,
    /// Those about which a hook decided.
    pub(super) decided: usize,
}

/// Errors of a kind.
#[derive(Debug)]
pub(super) struct Errors {
    pub(super) events: usize,
    pub(super) first: Place,
    /// The first one.
    pub(super) message: String,
}

/// All counters.
#[derive(Debug)]
pub(super) struct Tally {
    logs: Vec<String>,
    pub(super) hooks: Vec<HookHits>,
    by_label: HashMap<String, usize>,
    pub(super) types: BTreeMap<String, TypeHits>,
    pub(super) errors: BTreeMap<&'static str, Errors>,
    /// Lines of a decision log without the event.
    pub(super) without_event: usize,
    /// The number of such lines of a decision log, and the first one.
    pub(super) torn: Option<(usize, Place)>,
}

impl Tally {
    pub(super) fn new(tables: &Tables<'_>, logs: &[PathBuf]) -> Self {
        let mut tally = Self {
            logs: logs.iter().map(|path| files::name(path)).collect(),
            hooks: Vec::new(),
            by_label: HashMap::new(),
            types: BTreeMap::new(),
            errors: BTreeMap::new(),
            without_event: 0,
            torn: None,
        };
        tally.add_hooks(tables);
        tally
    }

    /// Every hook once, in the order of the module.
    fn add_hooks(&mut self, tables: &Tables<'_>) {
        for event in tables.events {
            for (hook, rank) in tables.hooks_of(event).iter().zip(0u32..) {
                let at = event.hooks.start.get().saturating_add(rank) as usize;
                let label = tables.labels.get(at).map(|label| tables.name(label.name));
                let layer = tables.labels.get(at).map(|label| label.layer.get());
                let shipped = layer == Some(u32::from(Layer::Builtin.number()));
                let name = name(label, tables.str(event.name.get()), rank);
                if !self.by_label.contains_key(&name) {
                    let mode = hook.mode().unwrap_or(Mode::Enforce);
                    self.by_label.insert(name.clone(), self.hooks.len());
                    self.hooks.push(HookHits { label: name, mode, shipped, hits: 0, lines: None });
                }
            }
        }
    }

    pub(super) fn decision(&mut self, at: Place, decision: &Decision<'_>) {
        let seen = match self.types.get_mut(decision.event()) {
            Some(seen) => seen,
            None => {
                let name = if self.types.len() < TYPES { decision.event() } else { OTHERS };
                self.types.entry(name.to_owned()).or_default()
            }
        };
        seen.events += 1;
        seen.decided += usize::from(!decision.is_empty());
        for fired in decision.hooks().chain(decision.reported()) {
            self.hit(at, decision.event(), &fired);
        }
    }

    fn hit(&mut self, at: Place, event: &str, fired: &MatchedHook<'_>) {
        let index = match fired.label() {
            Some(label) => self.by_label.get(label),
            None => self.by_label.get(&name(None, event, fired.rank())),
        };
        if let Some(hook) = index.and_then(|&index| self.hooks.get_mut(index)) {
            hook.hits += 1;
            hook.lines = Some((hook.lines.map_or(at, |(first, _)| first), at));
        }
    }

    pub(super) fn error(&mut self, at: Place, kind: &'static str, message: &str) {
        let new = || Errors { events: 0, first: at, message: message.to_owned() };
        self.errors.entry(kind).or_insert_with(new).events += 1;
    }

    pub(super) fn without_event(&mut self) {
        self.without_event += 1;
    }

    pub(super) fn torn(&mut self, at: Place) {
        let (count, first) = self.torn.unwrap_or((0, at));
        self.torn = Some((count + 1, first));
    }

    /// Events without a decision.
    pub(super) fn failed(&self) -> usize {
        self.errors.values().map(|errors| errors.events).sum()
    }

    /// Events that were decided about, whether a hook had an opinion or not.
    pub(super) fn answered(&self) -> usize {
        self.types.values().map(|seen| seen.events).sum()
    }

    /// All events, including those without a decision.
    pub(super) fn events(&self) -> usize {
        self.answered() + self.failed()
    }

    /// Those about which a hook decided.
    pub(super) fn decided(&self) -> usize {
        self.types.values().map(|seen| seen.decided).sum()
    }

    /// The hooks that matched, most often first.
    pub(super) fn fired(&self) -> Vec<&HookHits> {
        let mut fired: Vec<&HookHits> = self.hooks.iter().filter(|hook| hook.hits > 0).collect();
        fired.sort_by_key(|hook| std::cmp::Reverse(hook.hits));
        fired
    }

    /// The user's hooks that never fired.
    pub(super) fn never(&self) -> impl Iterator<Item = &HookHits> {
        self.hooks.iter().filter(|hook| hook.hits == 0 && !hook.shipped)
    }

    /// The file of a location, if there are several.
    pub(super) fn file(&self, place: Place) -> Option<&str> {
        let several = self.logs.len() > 1;
        self.logs.get(place.log).filter(|_| several).map(String::as_str)
    }

    /// A location as text.
    pub(super) fn place(&self, place: Place) -> String {
        let Spot { line, event } = place.spot;
        let event = event.map(|event| format!(" event {event}")).unwrap_or_default();
        match self.file(place) {
            Some(file) => format!("{file}:{line}{event}"),
            None => format!("{line}{event}"),
        }
    }
}

/// The name of a hook; in a stripped module only its rank.
fn name(label: Option<&str>, event: &str, rank: u32) -> String {
    label.map_or_else(|| format!("{event} rank {rank}"), str::to_owned)
}

/// A share in a hundred, with one decimal.
pub(super) fn percent(part: usize, whole: usize) -> f64 {
    if whole == 0 {
        return 0.0;
    }
    (part as f64 * 1000.0 / whole as f64).round() / 10.0
}
