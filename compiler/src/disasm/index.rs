//! Indexes in the listing: under each probe its keys and where they lead.

use std::fmt::Write;

use hookc_base::json::quoted;
use hookc_base::{DimTag, PartitionTag, ProbeTag};
use hookc_vm::format::Tables;
use hookc_vm::format::{Dim, INLINE_RANK, Key, NONE, Probe, Range};
use indexmap::IndexMap;

use super::{Done, LONGEST, Listing};

/// Keys by owner.
type Owned<'t> = IndexMap<u32, Vec<&'t Key>>;

impl Listing<'_> {
    pub(super) fn indexes(&self, out: &mut String) -> Done {
        let t = &self.tables;
        if t.indexes.is_empty() {
            return Ok(());
        }
        let mut owned = Owned::new();
        for key in t.keys {
            owned.entry(key.owner.get()).or_default().push(key);
        }
        writeln!(out, "\nindexes")?;
        for (number, index) in t.indexes.iter().enumerate() {
            writeln!(out, "  i{number}")?;
            for (number, probe) in numbered(t.probes, index.probes) {
                self.probe(number, probe, &owned, out)?;
            }
            self.group(index.group.get(), &owned, out)?;
        }
        Ok(())
    }

    fn probe(&self, number: u32, probe: &Probe, owned: &Owned<'_>, out: &mut String) -> Done {
        let slot = probe.slot.get();
        let Some(tag) = ProbeTag::from_number(probe.kind) else { return Ok(()) };
        let to = match tag {
            ProbeTag::Present | ProbeTag::Acts | ProbeTag::Tied => {
                format!(" -> {}", self.posting(probe.rows.start.get()))
            }
            _ => String::new(),
        };
        if tag == ProbeTag::Acts {
            return writeln!(out, "    {tag} e{slot} from {}{to}", probe.least);
        }
        if tag == ProbeTag::Tied {
            let tie = if slot == NONE { String::new() } else { format!(" t{slot}") };
            let key = PartitionTag::from_number(probe.step).map_or("", PartitionTag::name);
            writeln!(out, "    {tag}{tie} per {key} from {}, all{to}", probe.least)?;
            return self.keys(tag, owned.get(&number), out);
        }
        let path = self.names.slot_paths(slot);
        writeln!(out, "    {tag} s{slot} from {}{to} ; {path}", probe.least)?;
        self.keys(tag, owned.get(&number), out)
    }

    fn keys(&self, tag: ProbeTag, keys: Option<&Vec<&Key>>, out: &mut String) -> Done {
        let mut lines: Vec<String> = keys.into_iter().flatten().map(|key| self.key(tag, key)).collect();
        lines.sort();
        lines.iter().try_for_each(|line| writeln!(out, "      {line}"))
    }

    fn key(&self, tag: ProbeTag, key: &Key) -> String {
        let value = key.value.get();
        let value = match tag {
            ProbeTag::Equal => format!("k{value} {}", self.names.constant(value)),
            ProbeTag::Tied => format!("c{value}"),
            ProbeTag::Has | ProbeTag::HasFold | ProbeTag::Within => {
                let gram = key.hash.get().to_le_bytes();
                let text = quoted(self.tables.str(value));
                format!("x{value} {text} by {}", quoted(&String::from_utf8_lossy(&gram)))
            }
            _ => format!("x{value} {}", quoted(self.tables.str(value))),
        };
        format!("{value} -> {}", self.posting(key.posting.get()))
    }

    fn posting(&self, number: u32) -> String {
        if number & INLINE_RANK != 0 {
            return (number & !INLINE_RANK).to_string();
        }
        let Some(posting) = self.tables.postings.get(number as usize) else { return String::new() };
        match posting.index.get() {
            NONE => ranks(&self.tables, posting.ranks),
            index => format!("i{index}"),
        }
    }

    fn group(&self, number: u32, owned: &Owned<'_>, out: &mut String) -> Done {
        let t = &self.tables;
        let Some(group) = t.groups.get(number as usize) else { return Ok(()) };
        writeln!(out, "    group {}", ranks(t, group.ranks))?;
        for (number, dim) in numbered(t.dims, group.dims) {
            self.dim(dim, out)?;
            let owner = u32::try_from(t.probes.len()).unwrap_or(NONE).saturating_add(number);
            self.keys(ProbeTag::Equal, owned.get(&owner), out)?;
        }
        Ok(())
    }

    fn dim(&self, dim: &Dim, out: &mut String) -> Done {
        let slot = dim.slot.get();
        let path = self.names.slot_paths(slot);
        if DimTag::from_number(dim.kind) == Some(DimTag::Value) {
            return writeln!(out, "      excluding by value of s{slot} ; {path}");
        }
        let points = self.tables.points_of(dim);
        let shown = points.iter().map(|point| point.value.get().to_string()).collect::<Vec<_>>().join(" ");
        writeln!(out, "      within ranges of s{slot} at {} ; {path}", cut(shown))
    }
}

/// The rows of a range with their numbers.
fn numbered<T>(table: &[T], range: Range) -> impl Iterator<Item = (u32, &T)> {
    let start = range.start.get();
    let rows = table.iter().skip(start as usize).take(range.length.get() as usize);
    (start..).zip(rows)
}

fn ranks(tables: &Tables<'_>, range: Range) -> String {
    cut(tables.indices_of(range).iter().map(ToString::to_string).collect::<Vec<_>>().join(" "))
}

fn cut(mut text: String) -> String {
    if text.len() > LONGEST {
        text.truncate(LONGEST);
        text.push('…');
    }
    text
}
