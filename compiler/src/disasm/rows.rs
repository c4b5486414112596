//! The rows of queries in the listing.

use hookc_vm::format::{NONE, Range, Selector};

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
                let kind = if segment.tag.get() == 1 { "descendant" } else { "child" };
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
    let (a, b, c) = (selector.a.get(), selector.b.get(), selector.c.get());
    let bound = |bit: u8, value: i64| if selector.has & bit != 0 { value.to_string() } else { String::new() };
    match selector.tag {
        0 => format!("name x{a}"),
        1 => "wildcard".to_owned(),
        2 => format!("index {a}"),
        3 => format!("slice {}:{}:{c}", bound(1, a), bound(2, b)),
        _ => format!("filter f{a}"),
    }
}
