//! Keywords about arrays.

use super::run::{Done, Marks, Run};
use crate::rows::keyword::Keyword;
use crate::rows::{Keyword as Row, NONE};

impl Run<'_> {
    pub(super) fn array(&mut self, keyword: Keyword, row: &Row, node: usize, marks: Marks) -> Done {
        let elements = self.nodes.children(node);
        let a = row.a.get();
        match keyword {
            Keyword::MinItems => Ok(elements.len() >= a as usize),
            Keyword::MaxItems => Ok(elements.len() <= a as usize),
            Keyword::UniqueItems => self.unique(node),
            Keyword::PrefixItems => {
                for ((place, element), schema) in elements.enumerate().zip(self.indices_of(row)) {
                    if !self.valid(schema.get(), element, None)? {
                        return Ok(false);
                    }
                    self.mark(marks, place);
                }
                Ok(true)
            }
            Keyword::Items => {
                for (place, element) in elements.enumerate().skip(row.b.get() as usize) {
                    if !self.valid(a, element, None)? {
                        return Ok(false);
                    }
                    self.mark(marks, place);
                }
                Ok(true)
            }
            Keyword::Contains => self.contains(row, node, marks),
            Keyword::UnevaluatedItems => self.unevaluated(a, node, marks),
            _ => Ok(true),
        }
    }

    /// Counts the valid elements: all of them if marks are kept, otherwise until the result is
    /// known.
    fn contains(&mut self, row: &Row, node: usize, marks: Marks) -> Done {
        let (least, most) = (row.b.get() as usize, row.c.get());
        let mut count = 0_usize;
        for (place, element) in self.nodes.children(node).enumerate() {
            if self.valid(row.a.get(), element, None)? {
                self.mark(marks, place);
                count = count.saturating_add(1);
            }
            if marks.is_none() && count >= least && (most == NONE || count > most as usize) {
                break;
            }
        }
        Ok(count >= least && (most == NONE || count <= most as usize))
    }

    /// Every child that is not marked is valid against the schema, and then
    /// marked.
    pub(super) fn unevaluated(&mut self, schema: u32, node: usize, marks: Marks) -> Done {
        for (place, child) in self.nodes.children(node).enumerate() {
            self.budget.charge(1)?;
            if self.marked(marks, place) {
                continue;
            }
            if !self.valid(schema, child, None)? {
                return Ok(false);
            }
            self.mark(marks, place);
        }
        Ok(true)
    }

    /// Equal values have equal canonical texts, so sorting suffices, even for hostile events.
    fn unique(&mut self, node: usize) -> Done {
        let elements = self.nodes.children(node);
        self.text.clear();
        let mut places = Vec::with_capacity(elements.len());
        let mut decoded = String::new();
        for element in elements {
            let start = self.text.len();
            self.nodes.stored(element).item(&mut decoded).write_canonical(self.text);
            places.push(start..self.text.len());
        }
        self.budget.charge(self.text.len())?;
        let text = |place: &std::ops::Range<usize>| self.text.get(place.clone()).unwrap_or_default();
        places.sort_unstable_by(|a, b| text(a).cmp(text(b)));
        Ok(places.windows(2).all(|pair| matches!(pair, [a, b] if text(a) != text(b))))
    }
}
