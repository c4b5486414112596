//! Keywords about objects.

use super::run::{Done, Marks, Run};
use crate::event::{Item, Tree};
use crate::rows::keyword::Keyword;
use crate::rows::{Keyword as Row, U32};

impl<'r> Run<'r> {
    /// A row, the block that it is of, an object.
    pub(super) fn object(
        &mut self,
        keyword: Keyword,
        (row, block): (&Row, &[Row]),
        node: usize,
        marks: Marks,
    ) -> Done {
        let a = row.a.get();
        match keyword {
            Keyword::MinProperties => Ok(self.nodes.children(node).len() >= a as usize),
            Keyword::MaxProperties => Ok(self.nodes.children(node).len() <= a as usize),
            Keyword::Required => {
                let names = self.indices_of(row);
                self.budget.charge(names.len())?;
                Ok(names.iter().all(|name| self.has(node, *name)))
            }
            Keyword::DependentRequired => {
                let names = self.indices_of(row);
                self.budget.charge(names.len())?;
                let holds = |pair: &[U32]| match pair {
                    [name, other] => !self.has(node, *name) || self.has(node, *other),
                    _ => false,
                };
                Ok(names.chunks(2).all(holds))
            }
            Keyword::PropertyNames => self.names(a, node),
            Keyword::Properties => self.properties(row, node, marks),
            Keyword::PatternProperties => self.patterned(row, node, marks),
            Keyword::AdditionalProperties => self.additional(a, block, node, marks),
            Keyword::UnevaluatedProperties => self.unevaluated(a, node, marks),
            _ => Ok(true),
        }
    }

    fn has(&self, node: usize, name: U32) -> bool {
        self.nodes.member(node, self.tables.str(name.get())).is_some()
    }

    /// Each name is a separate string value.
    fn names(&mut self, schema: u32, node: usize) -> Done {
        let mut tree = Tree::default();
        for member in self.nodes.children(node) {
            let Ok(Some(nodes)) = tree.read(Item::Str(self.nodes.key(member)), 1, usize::MAX) else {
                return Ok(false);
            };
            let mut run = Run {
                module: self.module,
                tables: self.tables,
                nodes,
                marks: &mut *self.marks,
                text: &mut *self.text,
                budget: &mut *self.budget,
                depth: self.depth,
            };
            if !run.valid(schema, nodes.root(), None)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn properties(&mut self, row: &Row, node: usize, marks: Marks) -> Done {
        let pairs = self.indices_of(row);
        self.budget.charge(pairs.len())?;
        let first = self.nodes.children(node).start;
        for pair in pairs.chunks(2) {
            let [name, schema] = pair else { return Ok(false) };
            let Some(member) = self.nodes.member(node, self.tables.str(name.get())) else { continue };
            if !self.valid(schema.get(), member, None)? {
                return Ok(false);
            }
            self.mark(marks, member.saturating_sub(first));
        }
        Ok(true)
    }

    fn patterned(&mut self, row: &Row, node: usize, marks: Marks) -> Done {
        for (place, member) in self.nodes.children(node).enumerate() {
            for pair in self.indices_of(row).chunks(2) {
                let [pattern, schema] = pair else { return Ok(false) };
                self.budget.charge(1)?;
                if !self.found(pattern.get(), self.nodes.key(member))? {
                    continue;
                }
                if !self.valid(schema.get(), member, None)? {
                    return Ok(false);
                }
                self.mark(marks, place);
            }
        }
        Ok(true)
    }

    /// Members that `properties` and `patternProperties` of the same block do not cover.
    fn additional(&mut self, schema: u32, block: &[Row], node: usize, marks: Marks) -> Done {
        let row = |keyword: Keyword| block.iter().find(|row| row.op == keyword as u8);
        let named = row(Keyword::Properties).map_or(&[] as &[U32], |row| self.indices_of(row));
        let patterns = row(Keyword::PatternProperties).map_or(&[] as &[U32], |row| self.indices_of(row));
        for (place, member) in self.nodes.children(node).enumerate() {
            self.budget.charge(1)?;
            let key = self.nodes.key(member);
            if self.is_named(named, key) || self.is_patterned(patterns, key)? {
                continue;
            }
            if !self.valid(schema, member, None)? {
                return Ok(false);
            }
            self.mark(marks, place);
        }
        Ok(true)
    }

    /// Names ascend by their bytes, each followed by its schema.
    fn is_named(&self, pairs: &[U32], key: &str) -> bool {
        let (pairs, _) = pairs.as_chunks::<2>();
        let order = |[name, _]: &[U32; 2]| self.tables.bytes(name.get()).cmp(key.as_bytes());
        pairs.binary_search_by(order).is_ok()
    }

    fn is_patterned(&mut self, pairs: &[U32], key: &str) -> Done {
        for pattern in pairs.iter().step_by(2) {
            self.budget.charge(1)?;
            if self.found(pattern.get(), key)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    pub(super) fn dependent_schemas(&mut self, row: &Row, node: usize, marks: Marks) -> Done {
        let pairs = self.indices_of(row);
        self.budget.charge(pairs.len())?;
        for pair in pairs.chunks(2) {
            let [name, schema] = pair else { return Ok(false) };
            if self.has(node, *name) && !self.branch(schema.get(), node, marks)? {
                return Ok(false);
            }
        }
        Ok(true)
    }
}
