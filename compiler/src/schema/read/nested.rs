//! Keywords with schemas, whose shape is valid.

use hookc_base::row_number;
use hookc_schema::value::{Kind, Member, Value};
use hookc_vm::format::keyword::Keyword;

use super::super::graph::Operand;
use super::super::pattern;
use super::Reader;
use super::values::saturating_count;

impl<'v> Reader<'_, 'v> {
    /// The location of a schema. Location 0 would be the whole one, and `$ref: '#'`.
    fn place_of(&self, value: &Value) -> u32 {
        let place = self.index.place_of(value);
        row_number(self.faults.known(place, 0, "a schema inside a schema has no location"))
    }

    /// The location next to this one; `None` too if it is not a schema, which is reported there.
    fn sibling(&self, name: &str) -> Option<u32> {
        self.index.place_of(self.value.get(name)?).map(row_number)
    }

    pub(super) fn places(&self, value: &Value) -> Vec<u32> {
        match &value.kind {
            Kind::Seq(items) => items.iter().map(|item| self.place_of(item)).collect(),
            _ => Vec::new(),
        }
    }

    pub(super) fn schema(&mut self, keyword: Keyword, value: &Value) {
        self.rule(keyword, Operand::Schema(self.place_of(value)));
    }

    pub(super) fn schemas(&mut self, keyword: Keyword, value: &Value) {
        self.rule(keyword, Operand::Schemas(self.places(value)));
    }

    pub(super) fn items(&mut self, value: &Value) {
        let first = match self.value.get("prefixItems").map(|prefix| &prefix.kind) {
            Some(Kind::Seq(items)) => row_number(items.len()),
            _ => 0,
        };
        self.rule(Keyword::Items, Operand::From(self.place_of(value), first));
    }

    pub(super) fn contains(&mut self, value: &Value) {
        let count = |name: &str| match &self.value.get(name)?.kind {
            Kind::Num(number) => Some(saturating_count(number)),
            _ => None,
        };
        let (least, most) = (count("minContains").unwrap_or(1), count("maxContains"));
        self.rule(Keyword::Contains, Operand::Contains(self.place_of(value), least, most));
    }

    pub(super) fn branch(&mut self, value: &Value) {
        let (then, other) = (self.sibling("then"), self.sibling("else"));
        self.rule(Keyword::If, Operand::Branch(self.place_of(value), then, other));
    }

    /// Pairs by the bytes of their names.
    pub(super) fn named(&mut self, keyword: Keyword, value: &Value) {
        let Kind::Map(members) = &value.kind else { return };
        let pair = |member: &Member| (member.key.node.clone(), self.place_of(&member.value));
        let mut pairs: Vec<(String, u32)> = members.iter().map(pair).collect();
        pairs.sort_unstable();
        self.rule(keyword, Operand::Named(pairs));
    }

    pub(super) fn patterned(&mut self, value: &Value) {
        let Kind::Map(members) = &value.kind else { return };
        let mut pairs = Vec::new();
        for member in members {
            match pattern::translate(&member.key.node, &|_| member.key.span) {
                Ok(pattern) => pairs.push((pattern, self.place_of(&member.value))),
                Err(new) => self.report(*new),
            }
        }
        pairs.sort_unstable();
        self.rule(Keyword::PatternProperties, Operand::Patterned(pairs));
    }
}
