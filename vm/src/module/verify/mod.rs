//! The verifier: small named checks over decoded tables.
//!
//! Each table is read once, row by row. A check that follows rows into other tables (a list into
//! the constants, a parameter into the bytes of its key) charges what it reads to a budget
//! proportional to the module, so that verification stays linear whatever is shared.
//!
//! The verifier proves that every index is in range, every string is UTF-8, every block of code
//! ends in a verdict and only jumps forward, what reads a bound node runs only under its quantifier,
//! conditions, schemas of one value, filters and
//! templates refer only to lower ones with bounded depth, and every table that must be sorted is
//! sorted. The evaluator relies on nothing else.

mod action;
mod canonical;
mod code;
mod effects;
mod group;
mod history;
mod hooks;
mod index;
mod open;
mod part;
mod query;
mod schema;
mod text;
mod trie;
mod view;

use hookc_base::json::key_order;

pub(super) use part::Parts;

use super::error::LoadError;
use super::tables::Tables;
use crate::rows::{Range, SectionKind, U32};

/// The outcome of a check.
type Checked<T = ()> = Result<T, LoadError>;

/// How often, on average, a byte of the module can be read through other tables: far more than rows
/// that share constants and names need, and few enough that verification time stays proportional to
/// the length.
const SHARING: usize = 64;

/// Verifies the tables of a module of `length` bytes and returns the trie nodes of the type paths,
/// ascending.
pub(super) fn verify(tables: &Tables<'_>, length: usize) -> Checked<Vec<U32>> {
    let mut work = Work::for_length(length);
    let type_nodes = shared(tables, &mut work)?;
    text::consts(tables, &mut work)?;
    text::lists(tables, &mut work)?;
    code::preds(tables, &mut work)?;
    code::conds(tables)?;
    hooks::watches(tables)?;
    open::open(tables)?;
    action::templates(tables, &mut work)?;
    action::arguments(tables)?;
    action::actions(tables, &mut work)?;
    hooks::hooks(tables)?;
    let (names, all) = (hooks::names(tables)?, 0..tables.hooks.len());
    hooks::cell_names(tables, names)?;
    hooks::labels(tables, names, all.clone())?;
    hooks::locations(tables, names, all)?;
    index::indexes(tables, tables.slots, &mut work)?;
    Ok(type_nodes)
}

/// Verifies what event types share, apart from constants; see [`Parts`].
fn shared(tables: &Tables<'_>, work: &mut Work) -> Checked<Vec<U32>> {
    text::strings(tables)?;
    text::patterns(tables)?;
    let slots = trie::slots(tables)?;
    view::roots(tables)?;
    let type_nodes = trie::nodes(tables, slots, work)?;
    trie::derived(tables, slots)?;
    view::views(tables, slots)?;
    view::wrappers(tables, work)?;
    effects::effects(tables, work)?;
    schema::schemas(tables, work)?;
    query::queries(tables, work)?;
    action::checks(tables)?;
    action::params(tables)?;
    action::kinds(tables, work)?;
    hooks::events(tables, slots, work)?;
    history::history(tables, work)?;
    Ok(type_nodes)
}

/// Rejects a row unless `good`.
fn ensure(good: bool, section: SectionKind, row: usize, what: &'static str) -> Checked {
    if good { Ok(()) } else { Err(LoadError::Row { section, row, what }) }
}

/// Whether an index is in range of a table.
fn within<T>(index: U32, table: &[T]) -> bool {
    (index.get() as usize) < table.len()
}

/// Whether a range is within a table.
fn spans<T>(range: Range, table: &[T]) -> bool {
    let end = u64::from(range.start.get()).saturating_add(u64::from(range.length.get()));
    end <= table.len() as u64
}

/// Whether indexes ascend strictly.
fn ascends(indices: &[U32]) -> bool {
    indices.windows(2).all(|pair| matches!(pair, [a, b] if a.get() < b.get()))
}

/// The remaining budget for reads through other tables, in bytes.
struct Work {
    left: usize,
}

impl Work {
    /// That of a module of `length` bytes.
    fn for_length(length: usize) -> Self {
        Self { left: length.saturating_mul(SHARING) }
    }

    fn charge(&mut self, bytes: usize) -> Checked {
        self.left = self.left.checked_sub(bytes).ok_or(LoadError::Sharing)?;
        Ok(())
    }
}

/// Rows of a table that must belong to exactly one row of another. The compiler writes them in the order of
/// their owners, so that mostly the end of those with an owner is all that is to be known.
struct Claims {
    rows: usize,
    /// Rows with an owner. As long as `taken` is empty, these are the first.
    count: usize,
    /// By row, if the owners are in another order.
    taken: Vec<bool>,
}

impl Claims {
    fn new(rows: usize) -> Self {
        Self { rows, count: 0, taken: Vec::new() }
    }

    /// Assigns a range: `false` if it is out of range or one of its rows already has an owner.
    #[inline]
    fn take(&mut self, range: Range) -> bool {
        let start = range.start.get() as usize;
        let end = start.saturating_add(range.length.get() as usize);
        if end > self.rows {
            return false;
        }
        if start == self.count && self.taken.is_empty() {
            self.count = end;
            return true;
        }
        start == end || self.take_each(start, end)
    }

    #[inline(never)]
    fn take_each(&mut self, start: usize, end: usize) -> bool {
        if self.taken.is_empty() {
            self.taken = (0..self.rows).map(|row| row < self.count).collect();
        }
        let Some(rows) = self.taken.get_mut(start..end) else { return false };
        for row in rows {
            if std::mem::replace(row, true) {
                return false;
            }
            self.count = self.count.saturating_add(1);
        }
        true
    }

    /// Whether every row has an owner.
    fn all(&self) -> bool {
        self.count == self.rows
    }
}
