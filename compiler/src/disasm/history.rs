//! The history: reads as they would be written, and the listing of monitors, of what is recorded and of reads.

use std::fmt::Write;

use hookc_base::RecallTag;
use hookc_base::json::quoted;
use hookc_schema::vocab::Vocabulary;
use hookc_vm::Family;
use hookc_vm::format::{
    Cell, Compared, HookTest, NONE, Observed, Range, Recall, RelationTag, Tables, Tie, TieValue, Verdicts,
    Watch,
};

use super::condition::tree_of_hook;
use super::describe::Names;
use super::{Done, Listing, rows};

/// A pattern after `since`: one name needs no parentheses.
fn grouped(pattern: &str) -> String {
    if pattern.contains(' ') { format!("({pattern})") } else { pattern.to_owned() }
}

/// Tests of the condition of a pattern that are printed.
const TESTS: usize = 64;

/// Patterns of a monitor that are printed: `*` has one for each event type.
const PATTERNS: usize = 8;

impl Names<'_> {
    /// A read of the history, in so many quantifiers, as it would be written.
    pub(super) fn recall(&self, number: u32, depth: u32) -> String {
        let t = &self.tables;
        let Some(recall) = t.recalls.get(number as usize) else { return format!("h{number}") };
        let mut out = self.selection(recall, depth);
        if let Some(comparison) = recall.comparison() {
            let other = match comparison.with {
                Compared::Const(id) => self.constant(id),
                Compared::Slot(slot) => self.operand(slot, depth),
                Compared::Recall(other) => match t.recalls.get(other as usize) {
                    Some(other) => self.selection(other, depth),
                    None => format!("h{other}"),
                },
            };
            let _ = write!(out, " {} {other}", sign(comparison.relation));
        }
        self.clip(&out).to_owned()
    }

    /// A read without its comparison.
    fn selection(&self, recall: &Recall, depth: u32) -> String {
        let cell = recall.cell.get();
        let pattern = self.pattern_of(cell, recall, depth);
        let operator = RecallTag::from_number(recall.operator).unwrap_or(RecallTag::Formerly);
        let values = self.values_of(cell);
        let mut out = match operator {
            RecallTag::Sum | RecallTag::Distinct => format!("{operator}({values} of {pattern}"),
            RecallTag::Last if recall.back > 1 => format!("last({}, {pattern}", recall.back),
            RecallTag::Formerly | RecallTag::Count | RecallTag::Last => format!("{operator}({pattern}"),
        };
        if recall.within.get() != NONE {
            let _ = write!(out, " within {}", duration(recall.within.get()));
        }
        let restarts =
            self.tables.cells.get(cell as usize).map_or(&[][..], |cell| self.tables.indices_of(cell.anchors));
        for anchor in restarts {
            let untied = Recall::new(RecallTag::Formerly, anchor.get());
            let _ = write!(out, " since {}", grouped(&self.pattern_of(anchor.get(), &untied, depth)));
        }
        for anchor in self.tables.indices_of(recall.since) {
            if let Some(anchor) = self.tables.recalls.get(anchor.get() as usize) {
                let _ = write!(out, " since {}", grouped(&self.pattern_of(anchor.cell.get(), anchor, depth)));
            }
        }
        if recall.now.length.get() > 0 {
            out.push_str(" including now");
        }
        out.push(')');
        if operator == RecallTag::Last {
            let _ = write!(out, ".{values}");
        }
        out
    }

    /// The patterns that feed a monitor, with the tie of a read.
    fn pattern_of(&self, cell: u32, read: &Recall, depth: u32) -> String {
        let written = self.tables.cells.get(cell as usize).and_then(|cell| self.patterns.get(cell.id));
        if let Some(written) = written.or_else(|| self.tables.cell_name(cell)) {
            return self.clip(written).to_owned();
        }
        let found = self.watches.get(cell as usize).map_or(&[][..], Vec::as_slice);
        let patterns = found.iter().take(PATTERNS).filter_map(|(event, watch)| {
            let watch = self.tables.watches.get(*watch as usize)?;
            Some(self.watched(*event, watch, read, depth))
        });
        let mut patterns: Vec<String> = patterns.collect();
        if found.len() > PATTERNS {
            patterns.push("...".to_owned());
        }
        patterns.join(" or ")
    }

    fn watched(&self, event: u32, watch: &Watch, read: &Recall, depth: u32) -> String {
        let mut parts = Vec::new();
        if let Some(text) = self.condition_of(watch.test()) {
            parts.push(text);
        }
        parts.extend(self.tie_of(watch.tie.get(), read.tie.get(), depth));
        let currents = self.tables.indices_of(read.excluded);
        for (pair, current) in self.tables.indices_of(watch.excluded).chunks(2).zip(currents) {
            let [test, past] = pair else { continue };
            let cond = Some(test.get()).filter(|test| *test != NONE).map(HookTest::from_number);
            let tie = self.tie_of(past.get(), current.get(), depth);
            let inner: Vec<String> =
                cond.and_then(|cond| self.condition_of(cond)).into_iter().chain(tie).collect();
            parts.push(format!("not ({})", inner.join(" and ")));
        }
        let name = self.event_name(event, watch);
        if parts.is_empty() { name } else { format!("{name} where {}", parts.join(" and ")) }
    }

    /// The name of an event type with its outcome word.
    fn event_name(&self, event: u32, watch: &Watch) -> String {
        let Some(row) = self.tables.events.get(event as usize) else { return format!("event {event}") };
        let name = self.tables.str(row.name.get());
        let family = Family::from_number(row.family);
        let declared = family.map(|family| (family, Vocabulary::builtin()));
        let is_preventable = declared.is_some_and(|(family, vocabulary)| {
            vocabulary.event(family, name).is_none_or(|event| event.prevents)
        });
        let word = match watch.meant() {
            Some(Verdicts::DENIED) => "denied ",
            Some(Verdicts::ASKED) => "asked ",
            Some(Verdicts::ALLOWED) => "allowed ",
            Some(Verdicts::ANY) if is_preventable => "any ",
            _ => "",
        };
        format!("{word}{}", self.clip(name))
    }

    /// A condition as it would be written; `None` for one that is always true.
    fn condition_of(&self, test: HookTest) -> Option<String> {
        match tree_of_hook(&self.tables, test, TESTS) {
            Some(super::condition::Tree::Const(true)) => None,
            Some(tree) => Some(self.whole(&tree)),
            None => Some("...".to_owned()),
        }
    }

    fn tie_of(&self, past: u32, current: u32, depth: u32) -> Option<String> {
        let past = self.tables.ties.get(past as usize)?;
        let current = self.tables.ties.get(current as usize)?;
        let pairs = self.tie_values(past, depth, "").into_iter().zip(self.tie_values(current, depth, "now."));
        let pair = |((past, fold), (current, _)): ((String, bool), (String, bool))| {
            format!("{past} == {current}{}", if fold { " nocase" } else { "" })
        };
        Some(pairs.map(pair).collect::<Vec<_>>().join(" and "))
    }

    /// The values of a row of ties, and whether their case is ignored.
    fn tie_values(&self, tie: &Tie, depth: u32, prefix: &str) -> Vec<(String, bool)> {
        let value = |(at, number): (u32, &hookc_vm::format::U32)| {
            let text = match TieValue::from_number(number.get()) {
                TieValue::Query(query) => format!("{prefix}{}", self.query(query)),
                TieValue::Slot(slot) if slot < self.tables.slots => format!("{prefix}{}", self.slot(slot)),
                TieValue::Slot(slot) => self.operand(slot, depth),
            };
            (text, tie.fold.get().checked_shr(at).unwrap_or(0) & 1 == 1)
        };
        (0..).zip(self.tables.indices_of(tie.values)).map(value).collect()
    }

    /// The values that a monitor keeps, by the first of its patterns.
    fn values_of(&self, cell: u32) -> String {
        let first = self.watches.get(cell as usize).and_then(|watches| watches.first());
        let watch = first.and_then(|(_, watch)| self.tables.watches.get(*watch as usize));
        let tie = watch.and_then(|watch| self.tables.ties.get(watch.values.get() as usize));
        let values = tie.map(|tie| self.tie_values(tie, 0, "")).unwrap_or_default();
        values.into_iter().map(|(text, _)| text).collect::<Vec<_>>().join(", ")
    }
}

/// The paths of events whose texts the monitors of a module keep, each once.
#[must_use]
pub fn kept_paths(tables: &Tables<'_>) -> Vec<String> {
    let (names, mut paths) = (Names::new(*tables), Vec::new());
    for (cell, watches) in tables.cells.iter().zip(&names.watches).filter(|(cell, _)| cell.kept.get() != 0) {
        let watches = watches.iter().filter_map(|(_, watch)| tables.watches.get(*watch as usize));
        let ties = watches.filter_map(|watch| tables.ties.get(watch.values.get() as usize));
        let values = ties.flat_map(|tie| (0..).zip(names.tie_values(tie, 0, "")));
        let is_kept = |at: u32| cell.kept.get().checked_shr(at).unwrap_or(0) & 1 == 1;
        paths.extend(values.filter(|(at, _)| is_kept(*at)).map(|(_, (path, _))| path));
    }
    paths.sort_unstable();
    paths.dedup();
    paths
}

/// By monitor, the event types and rows of what feeds it.
pub(super) fn by_cell(cells: usize, observed: &[Observed], watches: &[Watch]) -> Vec<Vec<(u32, u32)>> {
    let mut found = vec![Vec::new(); cells];
    for row in observed {
        let start = row.watches.start.get();
        for number in start..start.saturating_add(row.watches.length.get()) {
            let cell = watches.get(number as usize).map(|watch| watch.cell.get() as usize);
            if let Some(list) = cell.and_then(|cell| found.get_mut(cell)) {
                list.push((row.event.get(), number));
            }
        }
    }
    found
}

fn sign(relation: RelationTag) -> &'static str {
    match relation {
        RelationTag::None => "",
        RelationTag::Eq => "==",
        RelationTag::Gt => ">",
        RelationTag::Gte => ">=",
        RelationTag::Lt => "<",
        RelationTag::Lte => "<=",
    }
}

/// A window as it would be written.
fn duration(milliseconds: u32) -> String {
    const UNITS: [(u32, &str); 4] = [(86_400_000, "d"), (3_600_000, "h"), (60_000, "m"), (1_000, "s")];
    let unit = UNITS.iter().find(|(unit, _)| milliseconds.is_multiple_of(*unit));
    unit.map_or_else(
        || format!("{milliseconds}ms"),
        |(unit, name)| format!("{}{name}", milliseconds.checked_div(*unit).unwrap_or(0)),
    )
}

impl Listing<'_> {
    /// The tables about the history.
    pub(super) fn history(&self, out: &mut String) -> Done {
        let t = &self.tables;
        rows(out, "ties", t.ties.len(), |at| self.tie(at))?;
        rows(out, "cells", t.cells.len(), |at| self.cell(at))?;
        rows(out, "watches", t.watches.len(), |at| self.watch(at))?;
        rows(out, "recalls", t.recalls.len(), |at| self.read(at))?;
        rows(out, "observed", t.observed.len(), |at| self.observed(at))
    }

    fn tie(&self, at: u32) -> String {
        let Some(tie) = self.tables.ties.get(at as usize) else { return String::new() };
        let numbers =
            self.tables.indices_of(tie.values).iter().map(|value| match TieValue::from_number(value.get()) {
                TieValue::Slot(slot) => format!("s{slot}"),
                TieValue::Query(query) => format!("q{query}"),
            });
        let fold = if tie.fold.get() == 0 { String::new() } else { format!(" fold {:#b}", tie.fold.get()) };
        format!("tie{at} {}{fold}", numbers.collect::<Vec<_>>().join(" "))
    }

    fn cell(&self, at: u32) -> String {
        let Some(cell) = self.tables.cells.get(at as usize) else { return String::new() };
        let id: String = cell.id.iter().map(|byte| format!("{byte:02x}")).collect();
        let mut out = format!("cell{at} {id}{}", form(cell));
        let _ = write!(out, " level {} ties {}", cell.level, cell.ties);
        if cell.kept.get() != 0 {
            let _ = write!(out, " kept {:#b}", cell.kept.get());
        }
        out.push_str(&self.list(" since cell", cell.anchors));
        if cell.retention.get() != NONE {
            let _ = write!(out, " within {}", duration(cell.retention.get()));
        }
        if let Some(name) = self.tables.cell_name(at) {
            let _ = write!(out, " {}", quoted(name));
        }
        out
    }

    fn watch(&self, at: u32) -> String {
        let Some(watch) = self.tables.watches.get(at as usize) else { return String::new() };
        let mut out =
            format!("watch{at} cell{} {} verdicts {:#06b}", watch.cell, test(watch.test()), watch.verdicts);
        for (name, tie) in [("tie", watch.tie), ("values", watch.values)] {
            if tie.get() != NONE {
                let _ = write!(out, " {name} tie{tie}");
            }
        }
        for pair in self.tables.indices_of(watch.excluded).chunks(2) {
            let [cond, tie] = pair else { continue };
            let _ = write!(out, " but tie{tie}");
            if cond.get() != NONE {
                let _ = write!(out, " if {}", test(HookTest::from_number(cond.get())));
            }
        }
        out
    }

    fn read(&self, at: u32) -> String {
        let Some(recall) = self.tables.recalls.get(at as usize) else { return String::new() };
        let operator = RecallTag::from_number(recall.operator).map_or("?", RecallTag::name);
        let mut out = format!("h{at} {operator} cell{}", recall.cell);
        if recall.back > 0 {
            let _ = write!(out, " {} value {}", recall.back, recall.value);
        }
        if recall.tie.get() != NONE {
            let _ = write!(out, " tie{}", recall.tie);
        }
        out.push_str(&self.list(" but tie", recall.excluded));
        out.push_str(&self.list(" since h", recall.since));
        if recall.within.get() != NONE {
            let _ = write!(out, " within {}", duration(recall.within.get()));
        }
        out.push_str(&self.list(" now watch", recall.now));
        if let Some(comparison) = recall.comparison() {
            let other = match comparison.with {
                Compared::Const(id) => format!("k{id}"),
                Compared::Slot(slot) => format!("s{slot}"),
                Compared::Recall(other) => format!("h{other}"),
            };
            let _ = write!(out, " {} {other}", comparison.relation);
        }
        format!("{out} ; {}", self.names.recall(at, 0))
    }

    fn observed(&self, at: u32) -> String {
        let Some(row) = self.tables.observed.get(at as usize) else { return String::new() };
        let name = self
            .tables
            .events
            .get(row.event.get() as usize)
            .map_or("?", |event| self.tables.str(event.name.get()));
        let (start, length) = (row.watches.start.get(), row.watches.length.get());
        let mut out = format!("event {} watch{start}", row.event);
        if length > 1 {
            let _ = write!(out, " to watch{}", start.saturating_add(length).saturating_sub(1));
        }
        if row.index.get() != NONE {
            let _ = write!(out, " index i{}", row.index);
        }
        format!("{out} ; {name}")
    }

    fn list(&self, prefix: &str, range: Range) -> String {
        self.tables.indices_of(range).iter().map(|number| format!("{prefix}{number}")).collect()
    }
}

/// What a cell keeps, and whose history.
fn form(cell: &Cell) -> String {
    let Some(form) = cell.form() else { return " ?".to_owned() };
    let kind = crate::plan::kind_text(form.kind);
    format!(" {kind} {}", form.partition)
}

fn test(test: HookTest) -> String {
    match test {
        HookTest::Cond(cond) => format!("c{cond}"),
        HookTest::Pred(pred) => format!("p{pred}"),
    }
}
