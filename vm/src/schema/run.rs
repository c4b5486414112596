//! A walk: one value, one schema.

use std::cmp::Ordering;

use super::formats;
use crate::compare;
use crate::event::{Item, Nodes, Stored};
use crate::module::{Module, Tables, row};
use crate::number::{self, Divisor};
use crate::rows::keyword::{Format, Keyword};
use crate::rows::{Keyword as Row, NONE, Range, U32};
use crate::stop::{Budget, StopReason};
use hookc_base::text::Case;

pub(super) type Done = Result<bool, StopReason>;

/// The start of the marks of the current node, if any are kept: one per child, set if a keyword has
/// evaluated it.
pub(super) type Marks = Option<usize>;

/// Bytes of text per step.
const TEXT: usize = 16;

/// A walk. Marks are a stack: those of the current value are on top.
pub(super) struct Run<'r> {
    pub(super) module: &'r Module,
    pub(super) tables: Tables<'r>,
    pub(super) nodes: Nodes<'r>,
    pub(super) marks: &'r mut Vec<bool>,
    pub(super) text: &'r mut String,
    pub(super) budget: &'r mut Budget,
    pub(super) depth: usize,
}

impl<'r> Run<'r> {
    fn read(&mut self, text: &str) -> Result<(), StopReason> {
        self.budget.charge(text.len() / TEXT)
    }

    /// Whether a node is valid against a schema. With `marks`, evaluated children are marked; the
    /// marks of an invalid value are undefined.
    pub(super) fn valid(&mut self, schema: u32, node: usize, marks: Marks) -> Done {
        if self.depth >= self.module.limits().schema_depth {
            return Err(StopReason::Depth);
        }
        let block = self.tables.keywords_of(schema);
        let base = self.marks.len();
        let marks = match block.last() {
            Some(last) if marks.is_none() && last.op >= Keyword::UnevaluatedItems as u8 => {
                Some(self.fresh(node)?)
            }
            _ => marks,
        };
        self.depth = self.depth.saturating_add(1);
        let valid = self.block(block, node, marks);
        self.depth = self.depth.saturating_sub(1);
        self.marks.truncate(base);
        valid
    }

    fn block(&mut self, block: &'r [Row], node: usize, marks: Marks) -> Done {
        let stored = self.nodes.stored(node);
        for row in block {
            self.budget.charge(1)?;
            let Some(keyword) = Keyword::from_number(row.op) else { return Ok(false) };
            if keyword >= Keyword::AllOf && keyword < Keyword::UnevaluatedItems {
                if self.inner(keyword, row, node, marks)? {
                    continue;
                }
                return Ok(false);
            }
            // A long string is decoded for each keyword, so that nested schemas hold no copies.
            let mut decoded = String::new();
            let item = match stored {
                Stored::Escaped(_) if keyword == Keyword::Type => Item::Str(""),
                Stored::Escaped(text) => {
                    self.budget.charge(text.written() / TEXT)?;
                    stored.item(&mut decoded)
                }
                Stored::Item(_) | Stored::Parsed(_) => stored.item(&mut decoded),
            };
            let holds = match item {
                _ if keyword < Keyword::Minimum => self.any(keyword, row, item)?,
                Item::Num(text) => self.number(keyword, row, text)?,
                Item::Str(text) => self.string(keyword, row, text)?,
                Item::Array(_) => self.array(keyword, row, node, marks)?,
                Item::Object(_) => self.object(keyword, (row, block), node, marks)?,
                Item::Absent | Item::Null | Item::Bool(_) => true,
            };
            if !holds {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Keywords for any value.
    fn any(&mut self, keyword: Keyword, row: &Row, item: Item<'_>) -> Done {
        match keyword {
            Keyword::Type => Ok(row.a.get() & types(item) != 0),
            Keyword::Enum => {
                if let Item::Array(text) | Item::Object(text) = item {
                    self.read(text)?;
                }
                let list = self.tables.list(row.a.get());
                if compare::exceeds(&self.tables, item, list) {
                    return Ok(false);
                }
                let key = compare::key(item, self.text);
                let order = |index: &U32| compare::order(&self.tables, key, index.get()).reverse();
                Ok(list.binary_search_by(order).is_ok())
            }
            _ => Ok(false),
        }
    }

    fn number(&mut self, keyword: Keyword, row: &Row, text: &str) -> Done {
        self.read(text)?;
        let Item::Num(bound) = self.tables.constant(row.a.get()) else { return Ok(true) };
        let order = || number::compare(text, bound);
        Ok(match keyword {
            Keyword::Minimum => order().is_ge(),
            Keyword::Maximum => order().is_le(),
            Keyword::ExclusiveMinimum => order() == Ordering::Greater,
            Keyword::ExclusiveMaximum => order() == Ordering::Less,
            Keyword::MultipleOf => Divisor::parse(bound).is_some_and(|divisor| divisor.divides(text)),
            _ => true,
        })
    }

    fn string(&mut self, keyword: Keyword, row: &Row, text: &str) -> Done {
        let a = row.a.get();
        self.read(text)?;
        match keyword {
            Keyword::MinLength => Ok(text.chars().count() >= a as usize),
            Keyword::MaxLength => Ok(text.chars().count() <= a as usize),
            Keyword::Pattern => self.found(a, text),
            Keyword::Format => Ok(Format::from_number(a).is_some_and(|format| formats::fits(format, text))),
            _ => Ok(true),
        }
    }

    /// Whether a pattern is found in a text.
    pub(super) fn found(&mut self, pattern: u32, text: &str) -> Done {
        self.read(text)?;
        let written = row(self.tables.patterns, pattern).map_or("", |row| self.tables.str(row.text.get()));
        let limit = self.module.limits().regex_bytes;
        if !self.module.patterns().can_match(pattern, || written, text) {
            return Ok(false);
        }
        match self.module.patterns().get(pattern, Case::Respected, || written, limit) {
            Some(Ok(regex)) => Ok(regex.is_match(text)),
            Some(Err(_)) => Err(StopReason::Pattern { index: pattern, case: Case::Respected }),
            None => Ok(false),
        }
    }

    /// Keywords that apply other schemas to the value.
    fn inner(&mut self, keyword: Keyword, row: &Row, node: usize, marks: Marks) -> Done {
        match keyword {
            Keyword::AllOf => {
                for schema in self.indices_of(row) {
                    if !self.branch(schema.get(), node, marks)? {
                        return Ok(false);
                    }
                }
                Ok(true)
            }
            Keyword::AnyOf => self.any_of(row, node, marks),
            Keyword::OneOf => {
                let mut count = 0_usize;
                for schema in self.indices_of(row) {
                    count = count.saturating_add(usize::from(self.branch(schema.get(), node, marks)?));
                    if count > 1 {
                        break;
                    }
                }
                Ok(count == 1)
            }
            Keyword::Not => Ok(!self.valid(row.a.get(), node, None)?),
            Keyword::If => {
                let then = if self.branch(row.a.get(), node, marks)? { row.b } else { row.c };
                if then.get() == NONE { Ok(true) } else { self.branch(then.get(), node, marks) }
            }
            Keyword::DependentSchemas => self.dependent_schemas(row, node, marks),
            _ => Ok(false),
        }
    }

    /// With marks, every schema is evaluated.
    fn any_of(&mut self, row: &Row, node: usize, marks: Marks) -> Done {
        let mut any = false;
        for schema in self.indices_of(row) {
            any |= self.branch(schema.get(), node, marks)?;
            if any && marks.is_none() {
                break;
            }
        }
        Ok(any)
    }

    /// Validity against an inner schema; its marks apply if it is valid.
    pub(super) fn branch(&mut self, schema: u32, node: usize, marks: Marks) -> Done {
        let Some(own) = marks else { return self.valid(schema, node, None) };
        let base = self.fresh(node)?;
        let valid = self.valid(schema, node, Some(base))?;
        if valid && let Some((below, theirs)) = self.marks.split_at_mut_checked(base) {
            let ours = below.get_mut(own..).unwrap_or_default();
            ours.iter_mut().zip(theirs).for_each(|(ours, theirs)| *ours |= *theirs);
        }
        self.marks.truncate(base);
        Ok(valid)
    }

    /// Marks for a node, none set, on top of the stack.
    fn fresh(&mut self, node: usize) -> Result<usize, StopReason> {
        let (base, count) = (self.marks.len(), self.nodes.children(node).len());
        self.budget.charge(count)?;
        self.marks.resize(base.saturating_add(count), false);
        Ok(base)
    }

    /// Marks a child by its position.
    pub(super) fn mark(&mut self, marks: Marks, child: usize) {
        if let Some(mark) = marks.and_then(|base| self.marks.get_mut(base.saturating_add(child))) {
            *mark = true;
        }
    }

    /// Whether a child is marked.
    pub(super) fn marked(&self, marks: Marks, child: usize) -> bool {
        marks.and_then(|base| self.marks.get(base.saturating_add(child))) == Some(&true)
    }

    /// The numbers that a row's range picks.
    pub(super) fn indices_of(&self, row: &Row) -> &'r [U32] {
        self.tables.indices_of(Range { start: row.a, length: row.b })
    }
}

/// The types of a value, by bit.
fn types(item: Item<'_>) -> u32 {
    match item {
        Item::Absent => 0,
        Item::Null => 1,
        Item::Bool(_) => 2,
        Item::Num(text) if number::is_integer(text) => 4 | 8,
        Item::Num(_) => 8,
        Item::Str(_) => 16,
        Item::Array(_) => 32,
        Item::Object(_) => 64,
    }
}
