//! Labels, source locations and names of patterns, for people; a stripped module has none.

use foldhash::fast::RandomState;
use hookc_base::row_number;
use hookc_schema::{SourceId, Sources, Span};
use hookc_vm::format::Image;
use hookc_vm::format::{CellName, Label, Location, Str};
use indexmap::IndexMap;

use crate::fault::Faults;
use crate::plan::{Hook, Plan};

/// Fills the tables of labels and locations, in the order of the hook table, and that of names of patterns.
pub(super) fn add(plan: &Plan, sources: &Sources, image: &mut Image, faults: &Faults) {
    let hooks: Vec<&Hook> = plan.events.iter().flat_map(|event| &event.hooks).collect();
    let mut names = Names { known: IndexMap::default(), bytes: Vec::new() };
    let positions = positions(&hooks, sources, faults);
    for (hook, (line, column)) in hooks.iter().zip(positions) {
        let name = names.add(&hook.label);
        let file = names.add(sources.name(hook.span.source));
        image.labels.push(Label { name, layer: u32::from(hook.layer.number()).into() });
        image.locations.push(Location { file, line: line.into(), column: column.into() });
    }
    for (cell, name) in &plan.cell_names {
        image.cell_names.push(CellName { cell: row_number(*cell).into(), text: names.add(name) });
    }
    image.names = names.bytes;
}

/// The blob of names, each once.
struct Names<'n> {
    known: IndexMap<&'n str, Str, RandomState>,
    bytes: Vec<u8>,
}

impl<'n> Names<'n> {
    fn add(&mut self, name: &'n str) -> Str {
        *self.known.entry(name).or_insert_with(|| {
            let offset = row_number(self.bytes.len()).into();
            self.bytes.extend_from_slice(name.as_bytes());
            Str { offset, length: row_number(name.len()).into() }
        })
    }
}

/// Lines and columns of all hooks, in one pass over each source: computing them one by one would
/// count a long line repeatedly.
fn positions(hooks: &[&Hook], sources: &Sources, faults: &Faults) -> Vec<(u32, u32)> {
    let mut order: Vec<(Span, usize)> = hooks.iter().map(|hook| hook.span).zip(0..).collect();
    order.sort_unstable();
    let mut found = vec![(1, 1); hooks.len()];
    for group in order.chunk_by(|a, b| a.0.source == b.0.source) {
        let source = group.first().map_or(SourceId(0), |(span, _)| span.source);
        let mut walk = Walk { bytes: sources.text(source).as_bytes(), at: 0, line: 1, column: 1 };
        for (span, hook) in group {
            let place = walk.to(span.start as usize);
            faults.put(&mut found, *hook, place, "a location belongs to no hook");
        }
    }
    found
}

/// A position in a text that advances.
struct Walk<'t> {
    bytes: &'t [u8],
    at: usize,
    line: u32,
    column: u32,
}

impl Walk<'_> {
    /// Line and column of the byte `at`, not before the last one; both from 1.
    fn to(&mut self, at: usize) -> (u32, u32) {
        let at = at.min(self.bytes.len()).max(self.at);
        for byte in self.bytes.get(self.at..at).unwrap_or(&[]) {
            match byte {
                b'\n' => (self.line, self.column) = (self.line.saturating_add(1), 1),
                // The bytes of a character after its first.
                byte if byte & 0xc0 == 0x80 => {}
                _ => self.column = self.column.saturating_add(1),
            }
        }
        self.at = at;
        (self.line, self.column)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_walk_agrees_with_the_look_up() {
        let mut sources = Sources::new();
        let text = "aé\n\nb\u{1f600}c\r\nd";
        let source = sources.add("f", text);
        let mut walk = Walk { bytes: text.as_bytes(), at: 0, line: 1, column: 1 };
        for (at, _) in text.char_indices() {
            let span = Span::new(source, at..at + 1);
            assert_eq!(walk.to(at), sources.line_col(span), "at {at}");
        }
        assert_eq!(walk.to(1000), (4, 2));
    }
}
