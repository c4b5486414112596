//! Filters: tests of the current node (RFC 9535 §2.3.5 and §2.4).

use std::cmp::Ordering;

use hookc_base::text::Case;
use regex::Regex;

use super::iregexp;
use super::walk::{Done, NodeRef, TEXT, Walk};
use crate::event::{Item, Stored};
use crate::limits::EVENT_REGEX_BYTES;
use crate::module::row;
use crate::number;
use crate::op::Op;
use crate::rows::{NONE, Row};
use crate::stop::StopReason;

/// Steps charged for compiling an expression from the event, in addition to its text: some thousand
/// of them are as much work as a decision is allowed.
const BUILD_STEPS: usize = 1 << 14;

/// Steps charged for each byte of its text: parsing it takes about a microsecond and 190 bytes of memory
/// each. A decision can thus parse 256 KiB of expressions.
const TEXT_STEPS: usize = 1 << 8;

/// Compiled sizes that are tried for an expression from the event, each with the steps charged for
/// four bytes of text: in the worst case the time is the length of the text times the size of the
/// expression.
const SIZES: [(usize, usize); 4] = [(4 << 10, 1), (16 << 10, 4), (64 << 10, 16), (EVENT_REGEX_BYTES, 64)];

/// The operand of a comparison.
enum Value<'w> {
    Nothing,
    Item(Item<'w>),
    /// A long string with escapes, decoded.
    Text(String),
    /// The text of a number that a function gave.
    Number(String),
}

impl Value<'_> {
    fn item(&self) -> Option<Item<'_>> {
        match self {
            Self::Nothing => None,
            Self::Item(item) => Some(*item),
            Self::Text(text) => Some(Item::Str(text)),
            Self::Number(text) => Some(Item::Num(text)),
        }
    }

    fn str(&self) -> Option<&str> {
        match self {
            Self::Item(Item::Str(text)) => Some(text),
            Self::Text(text) => Some(text),
            _ => None,
        }
    }
}

/// What an expression of the event is compiled to.
#[derive(Debug, Default)]
enum Built {
    #[default]
    Nothing,
    /// The text is not an I-Regexp, or its expression is too large.
    Invalid,
    /// With the weight of its size.
    Regex(Regex, usize),
}

/// The last expression compiled from the event, which usually serves many nodes in a row.
#[derive(Debug, Default)]
pub(super) struct Dynamic {
    text: String,
    whole: bool,
    built: Built,
}

impl Dynamic {
    fn is(&self, text: &str, whole: bool) -> bool {
        !matches!(self.built, Built::Nothing) && self.whole == whole && self.text == text
    }

    fn build(&mut self, text: &str, whole: bool, limit: usize) {
        self.text.clear();
        self.text.push_str(text);
        self.whole = whole;
        let pattern = iregexp::translate(text, whole);
        let build = |pattern: &str, size: usize| {
            regex::RegexBuilder::new(pattern).size_limit(size.min(limit)).build().ok()
        };
        self.built = pattern
            .and_then(|pattern| {
                SIZES
                    .into_iter()
                    .find_map(|(size, weight)| Some(Built::Regex(build(&pattern, size)?, weight)))
            })
            .unwrap_or(Built::Invalid);
    }
}

impl<'w> Walk<'w> {
    /// Whether a row of the filter table is true for a node. The recursion depth is the nesting of
    /// rows, which the verifier bounds.
    pub(super) fn filter(&mut self, filter: u32, node_ref: NodeRef<'_>) -> Done {
        self.budget.charge(1)?;
        let Some(Row { op, a, b, .. }) = row(self.source.tables.filters, filter) else { return Ok(false) };
        let (a, b) = (a.get(), b.get());
        match Op::from_number(op) {
            Some(Op::All) => self.until(false, a, b, node_ref),
            Some(Op::OneOf) => self.until(true, a, b, node_ref),
            Some(Op::Not) => Ok(!self.filter(a, node_ref)?),
            Some(Op::Has) => self.has(a, node_ref),
            Some(Op::Match) => {
                let text = self.value(a, node_ref)?;
                self.found(&text, b)
            }
            Some(op) => {
                let (left, right) = (self.value(a, node_ref)?, self.value(b, node_ref)?);
                self.compare(op, &left, &right)
            }
            None => Ok(false),
        }
    }

    /// Tries the rows from `a` to `b` until one is `found`.
    fn until(&mut self, found: bool, a: u32, b: u32, node_ref: NodeRef<'_>) -> Done {
        for inner in a..=b {
            if self.filter(inner, node_ref)? == found {
                return Ok(found);
            }
        }
        Ok(!found)
    }

    fn compare(&mut self, op: Op, left: &Value<'_>, right: &Value<'_>) -> Done {
        match op {
            Op::Same => self.same(left, right),
            Op::Less => self.less(left, right),
            Op::AtMost => Ok(self.less(left, right)? || self.same(left, right)?),
            Op::MatchValue => self.fits(left, right, true),
            Op::SearchValue => self.fits(left, right, false),
            _ => Ok(false),
        }
    }

    fn same(&mut self, left: &Value<'_>, right: &Value<'_>) -> Done {
        match (left.item(), right.item()) {
            (None, None) => Ok(true),
            (Some(left), Some(right)) => {
                self.read(left)?;
                self.read(right)?;
                Ok(left.equals(right))
            }
            _ => Ok(false),
        }
    }

    fn less(&mut self, left: &Value<'_>, right: &Value<'_>) -> Done {
        let (Some(left), Some(right)) = (left.item(), right.item()) else { return Ok(false) };
        self.read(left)?;
        self.read(right)?;
        Ok(match (left, right) {
            (Item::Num(left), Item::Num(right)) => number::compare(left, right) == Ordering::Less,
            // The order of UTF-8 is that of Unicode scalar values.
            (Item::Str(left), Item::Str(right)) => left < right,
            _ => false,
        })
    }

    fn has(&mut self, query: u32, node_ref: NodeRef<'_>) -> Done {
        let mut any = false;
        self.nested(query, node_ref, &mut |_, _| {
            any = true;
            Ok(false)
        })?;
        Ok(any || self.parsed.found(query).count > 0)
    }

    /// The nodes of a query that starts at the current node; empty for any other query, which is
    /// already evaluated.
    fn nested(
        &mut self,
        query: u32,
        node_ref: NodeRef<'_>,
        each: &mut dyn FnMut(&mut Walk<'_>, NodeRef<'_>) -> Done,
    ) -> Result<(), StopReason> {
        match row(self.source.tables.queries, query) {
            Some(found) if found.slot.get() == NONE => {
                self.segments(self.source.tables.segments_of(&found), node_ref, each).map(drop)
            }
            _ => Ok(()),
        }
    }

    fn value<'v>(&mut self, value: u32, node_ref: NodeRef<'v>) -> Result<Value<'v>, StopReason>
    where
        'w: 'v,
    {
        self.budget.charge(1)?;
        let Some(Row { op, a, .. }) = row(self.source.tables.values, value) else {
            return Ok(Value::Nothing);
        };
        let a = a.get();
        Ok(match Op::from_number(op) {
            Some(Op::Literal) => Value::Item(self.source.tables.constant(a)),
            Some(Op::Only) => self.only(a, node_ref)?,
            Some(Op::Count) => {
                let mut count = self.parsed.found(a).count;
                self.nested(a, node_ref, &mut |_, _| {
                    count = count.saturating_add(1);
                    Ok(true)
                })?;
                Value::Number(count.to_string())
            }
            Some(Op::Length) => {
                let inner = self.value(a, node_ref)?;
                self.length(&inner)?
            }
            _ => Value::Nothing,
        })
    }

    fn only<'v>(&mut self, query: u32, node_ref: NodeRef<'v>) -> Result<Value<'v>, StopReason>
    where
        'w: 'v,
    {
        if let Some(only) = self.parsed.only(&self.source, query) {
            return self.stored(only.stored());
        }
        let (mut node, mut count) = (node_ref.node, 0_usize);
        self.nested(query, node_ref, &mut |_, found| {
            node = found.node;
            count = count.saturating_add(1);
            Ok(count < 2)
        })?;
        // A query that starts at a node stays in its tree.
        if count == 1 { self.stored(node_ref.nodes.stored(node)) } else { Ok(Value::Nothing) }
    }

    /// The value of a node. Decoding a string is as much work as reading it.
    fn stored<'v>(&mut self, value: Stored<'v>) -> Result<Value<'v>, StopReason> {
        match value {
            Stored::Item(item) => Ok(Value::Item(item)),
            Stored::Escaped(text) => {
                self.budget.charge(text.written() / TEXT)?;
                let mut decoded = String::new();
                text.decode_into(&mut decoded);
                Ok(Value::Text(decoded))
            }
            // Only a slot has one: the nodes of its tree are parts of the text that it was given.
            Stored::Parsed(_) => Ok(Value::Nothing),
        }
    }

    fn length(&mut self, value: &Value<'_>) -> Result<Value<'static>, StopReason> {
        let Some(item) = value.item() else { return Ok(Value::Nothing) };
        self.read(item)?;
        let mut count = 0_usize;
        match item {
            Item::Str(text) => count = text.chars().count(),
            Item::Array(_) => item.elements(&mut |_| {
                count = count.saturating_add(1);
                true
            }),
            Item::Object(_) => item.members(&mut |_, _| {
                count = count.saturating_add(1);
                true
            }),
            _ => return Ok(Value::Nothing),
        }
        Ok(Value::Number(count.to_string()))
    }

    /// Whether a pattern of the module is found in a string.
    fn found(&mut self, text: &Value<'_>, pattern: u32) -> Done {
        let Some(text) = text.str() else { return Ok(false) };
        self.read(Item::Str(text))?;
        let tables = &self.source.tables;
        let written = row(tables.patterns, pattern).map_or("", |row| tables.str(row.text.get()));
        let module = self.source.module;
        match module.patterns().get(pattern, Case::Respected, || written, module.limits().regex_bytes) {
            Some(Ok(regex)) => Ok(regex.is_match(text)),
            Some(Err(_)) => Err(StopReason::Pattern { index: pattern, case: Case::Respected }),
            None => Ok(false),
        }
    }

    /// Whether an I-Regexp matches a string, if both operands are strings and the second one is
    /// valid.
    fn fits(&mut self, text: &Value<'_>, pattern: &Value<'_>, whole: bool) -> Done {
        let (Some(text), Some(pattern)) = (text.str(), pattern.str()) else { return Ok(false) };
        self.read(Item::Str(text))?;
        self.read(Item::Str(pattern))?;
        if !self.dynamic.is(pattern, whole) {
            self.budget.charge(BUILD_STEPS.saturating_add(pattern.len().saturating_mul(TEXT_STEPS)))?;
            self.dynamic.build(pattern, whole, self.source.module.limits().regex_bytes);
        }
        let Built::Regex(regex, weight) = &self.dynamic.built else { return Ok(false) };
        self.budget.charge((text.len() / 4).saturating_mul(*weight))?;
        Ok(regex.is_match(text))
    }
}
