//! Strings, constants, lists and patterns, each once.

use hookc_base::ConstTag;
use std::hash::Hash;

use foldhash::fast::RandomState;
use hookc_schema::value::{Kind, Value};
use hookc_schema::{Code, Diagnostic, Diagnostics};
use hookc_vm::format::number::{self, NumberError};
use indexmap::IndexSet;

use super::{ConstId, Constant, ListId, PatternId, StrId};
use crate::canonical::{self, NotCanonical};
use crate::schema::Literal;

/// A table without duplicate rows, numbered in order of insertion.
#[derive(Debug)]
pub(super) struct Unique<T>(IndexSet<T, RandomState>);

impl<T> Default for Unique<T> {
    fn default() -> Self {
        Self(IndexSet::default())
    }
}

impl<T: Hash + Eq> Unique<T> {
    /// Whether there are no rows.
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The number of a row.
    pub(super) fn add(&mut self, row: T) -> usize {
        self.0.insert_full(row).0
    }

    pub(super) fn get(&self, index: u32) -> Option<&T> {
        self.0.get_index(index as usize)
    }

    /// The rows by number.
    pub(super) fn rows(&self) -> impl Iterator<Item = &T> {
        self.0.iter()
    }

    /// The rows by number.
    pub(super) fn into_rows(self) -> Vec<T> {
        self.0.into_iter().collect()
    }
}

/// Literals in order of insertion; constants are sorted at the end.
#[derive(Debug, Default)]
pub(super) struct Pool {
    pub(super) strings: Unique<String>,
    pub(super) consts: Unique<Constant>,
    pub(super) lists: Unique<Vec<ConstId>>,
    pub(super) patterns: Unique<StrId>,
    /// An error of planning.
    pub(super) problems: Diagnostics,
    /// Buffers for texts that are only used as lookup keys.
    scratch: String,
}

impl Pool {
    /// Copies `text` only when it is new.
    pub(super) fn string(&mut self, text: &str) -> StrId {
        match self.strings.0.get_index_of(text) {
            Some(known) => StrId::new(known),
            None => StrId::new(self.strings.add(text.to_owned())),
        }
    }

    pub(super) fn constant(&mut self, value: &Value) -> ConstId {
        let constant = match &value.kind {
            Kind::Null => Constant { kind: ConstTag::Null, text: None },
            Kind::Bool(false) => Constant { kind: ConstTag::False, text: None },
            Kind::Bool(true) => Constant { kind: ConstTag::True, text: None },
            Kind::Num(number) => self.number(&number.0, value),
            Kind::Str(text) => Constant { kind: ConstTag::String, text: Some(self.string(&text.value)) },
            Kind::Seq(_) => self.container(ConstTag::Array, value),
            Kind::Map(_) => self.container(ConstTag::Object, value),
        };
        ConstId::new(self.consts.add(constant))
    }

    /// Ensures that there is a null constant.
    pub(super) fn null(&mut self) {
        self.consts.add(Constant { kind: ConstTag::Null, text: None });
    }

    fn number(&mut self, written: &str, value: &Value) -> Constant {
        let text = number::canonical(written).unwrap_or_else(|error| {
            self.problem((error, value.span));
            "0".to_owned()
        });
        Constant { kind: ConstTag::Number, text: Some(self.string(&text)) }
    }

    fn container(&mut self, kind: ConstTag, value: &Value) -> Constant {
        let mut text = std::mem::take(&mut self.scratch);
        text.clear();
        if let Err(bad) = canonical::write(value, &mut text) {
            self.problem(bad);
        }
        let id = self.string(&text);
        self.scratch = text;
        Constant { kind, text: Some(id) }
    }

    /// The checker rejects such numbers; they are reported again here rather than compiled
    /// incorrectly.
    fn problem(&mut self, (error, span): NotCanonical) {
        let message = match error {
            NumberError::Exponent => "a number with an exponent beyond the limit",
            _ => "not a JSON number",
        };
        self.problems.push(Diagnostic::new(Code::E0308, span, message).with_label("this number"));
    }

    /// A list by its members: order and repeats do not matter to it.
    pub(super) fn list<'v>(&mut self, values: impl IntoIterator<Item = &'v Value>) -> ListId {
        let ids = values.into_iter().map(|value| self.constant(value)).collect();
        self.members(ids)
    }

    fn members(&mut self, mut ids: Vec<ConstId>) -> ListId {
        ids.sort_unstable();
        ids.dedup();
        ListId::new(self.lists.add(ids))
    }

    /// The constant of a literal.
    pub(super) fn literal(&mut self, literal: &Literal) -> ConstId {
        let plain = matches!(literal.kind, ConstTag::Null | ConstTag::False | ConstTag::True);
        let text = (!plain).then(|| self.string(&literal.text));
        ConstId::new(self.consts.add(Constant { kind: literal.kind, text }))
    }

    /// The list of literals.
    pub(super) fn literals<'l>(&mut self, literals: impl IntoIterator<Item = &'l Literal>) -> ListId {
        let ids = literals.into_iter().map(|literal| self.literal(literal)).collect();
        self.members(ids)
    }

    pub(super) fn pattern(&mut self, text: &str) -> PatternId {
        let text = self.string(text);
        PatternId::new(self.patterns.add(text))
    }
}
