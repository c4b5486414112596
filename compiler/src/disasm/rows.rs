//! The rows of queries in the listing.

use hookc_base::{SegmentTag, SelectorTag};
use hookc_vm::format::{NONE, Range, Selector, SelectorForm};

use super::{Done, Listing, instruction, rows};

impl Listing<'_> {
    pub(super) fn queries(&self, out: &mut String) -> Done {
        let t = &self.tables;
        rows(out, "values", t.values.len(), |at| {
            numbered('v', at, t.values.get(at as usize).map(instruction))
        })?;
        rows(out, "filters", t.filters.len(), |at| {
            numbered('f', at, t.filters.get(at as usize).map(instruction))
        })?;
        rows(out, "selectors", t.selectors.len(), |at| {
            numbered('e', at, t.selectors.get(at as usize).map(selector))
        })?;
        rows(out, "segments", t.segments.len(), |at| {
            let segment = t.segments.get(at as usize).map(|segment| {
                let kind = segment.kind().map_or("?", SegmentTag::name);
                format!("{kind}{}", range('e', segment.selectors))
            });
            numbered('g', at, segment)
        })?;
        rows(out, "queries", t.queries.len(), |at| {
            let query = t.queries.get(at as usize).map(|query| {
                let slot = query.slot.get();
                let begin = if slot == NONE { "@".to_owned() } else { format!("s{slot}") };
                format!("{begin}{} ; {}", range('g', query.segments), self.names.query(at))
            });
            numbered('q', at, query)
        })?;
        rows(out, "bound nodes", t.bounds.len(), |at| {
            let bound = t.bounds.get(at as usize).map(|bound| match bound.up.get() {
                NONE => format!("q{}", bound.query),
                up => format!("s{} {up} out q{}", t.slots.saturating_add(at), bound.query),
            });
            numbered('u', at, bound)
        })
    }
}

fn numbered(letter: char, at: u32, row: Option<String>) -> String {
    format!("{letter}{at} {}", row.unwrap_or_default())
}

/// ` e3`, ` e3..e5`, or nothing.
fn range(letter: char, range: Range) -> String {
    let (first, length) = (range.start.get(), range.length.get());
    match length {
        0 => String::new(),
        1 => format!(" {letter}{first}"),
        _ => format!(" {letter}{first}..{letter}{}", first.saturating_add(length).saturating_sub(1)),
    }
}

fn selector(selector: &Selector) -> String {
    let name = SelectorTag::from_number(selector.tag).map_or("?", SelectorTag::name);
    let bound = |at: Option<i64>| at.map_or_else(String::new, |at| at.to_string());
    match selector.form() {
        Some(SelectorForm::Name(text)) => format!("{name} x{text}"),
        Some(SelectorForm::Index(at)) => format!("{name} {at}"),
        Some(SelectorForm::Slice { start, end, step }) => {
            format!("{name} {}:{}:{step}", bound(start), bound(end))
        }
        Some(SelectorForm::Filter(filter)) => format!("{name} f{filter}"),
        Some(SelectorForm::Wildcard) | None => name.to_owned(),
    }
}
