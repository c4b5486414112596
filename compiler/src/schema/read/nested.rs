//! Keywords with schemas, whose shape is valid.

use hookc_schema::value::{Kind, Member, Value};
use hookc_vm::format::keyword::Keyword;

use super::super::graph::Operand;
use super::super::pattern;
use super::Reader;

impl<'v> Reader<'_, 'v> {
    fn place_of(&self, value: &Value) -> u32 {
        u32::try_from(self.index.of(value).unwrap_or_default()).unwrap_or(u32::MAX)
    }

    fn sibling(&self, name: &str) -> Option<u32> {
        let value = self.value.get(name)?;
        let place = self.index.of(value)?;
        Some(u32::try_from(place).unwrap_or(u32::MAX))
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
        let prefix = self.value.get("prefixItems").map(|prefix| self.places(prefix).len());
        let first = u32::try_from(prefix.unwrap_or(0)).unwrap_or(u32::MAX);
        self.rule(Keyword::Items, Operand::From(self.place_of(value), first));
    }

    pub(super) fn contains(&mut self, value: &Value) {
        let count = |name: &str| match &self.value.get(name)?.kind {
            Kind::Num(number) => Some(number.text().parse::<u32>().unwrap_or(u32::MAX).min(u32::MAX - 1)),
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
