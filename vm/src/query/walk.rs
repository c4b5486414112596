//! A walk: from a node by segments and selectors to the nodes of a query.

use hookc_base::SegmentTag;

use super::buffers::ParsedValues;
use super::filter::Dynamic;
use crate::event::{Item, Nodes, Stored};
use crate::module::Tables;
use crate::rows::{Query, Segment, Selector, SelectorForm};
use crate::stop::{Budget, StopReason};
use crate::view::EventView;

/// Whether to continue.
pub(super) type Done = Result<bool, StopReason>;

/// The fate of a node.
pub(super) type Each<'e> = &'e mut dyn FnMut(&mut Walk<'_>, NodeRef<'_>) -> Done;

/// Bytes of text per step.
pub(super) const TEXT: usize = 16;

/// A node of a parsed value.
#[derive(Clone, Copy)]
pub(super) struct NodeRef<'w> {
    pub(super) nodes: Nodes<'w>,
    pub(super) node: usize,
}

impl<'w> NodeRef<'w> {
    pub(super) fn stored(self) -> Stored<'w> {
        self.nodes.stored(self.node)
    }

    const fn at(self, node: usize) -> Self {
        Self { nodes: self.nodes, node }
    }
}

/// The node that the single selectors of a query's segments lead to from `start`, if it is there.
pub(super) fn below<'w>(tables: &Tables<'_>, query: &Query, start: NodeRef<'w>) -> Option<NodeRef<'w>> {
    tables.segments_of(query).iter().try_fold(start, |at, segment| {
        let node = match tables.selectors_of(segment).first()?.form()? {
            SelectorForm::Name(name) => at.nodes.member(at.node, tables.str(name))?,
            SelectorForm::Index(place) if at.nodes.is_array(at.node) => {
                let children = at.nodes.children(at.node);
                children.start.checked_add(index(place, children.len())?)?
            }
            _ => return None,
        };
        Some(at.at(node))
    })
}

/// A walk over parsed values.
pub(super) struct Walk<'w> {
    pub(super) source: EventView<'w>,
    pub(super) parsed: &'w ParsedValues,
    pub(super) dynamic: &'w mut Dynamic,
    pub(super) budget: &'w mut Budget,
}

impl Walk<'_> {
    /// Charges the steps of visiting a whole value.
    pub(super) fn read(&mut self, item: Item<'_>) -> Result<(), StopReason> {
        match item {
            Item::Num(text) | Item::Str(text) | Item::Array(text) | Item::Object(text) => {
                self.budget.charge(text.len() / TEXT)
            }
            Item::Absent | Item::Null | Item::Bool(_) => Ok(()),
        }
    }

    /// Calls `each` with the nodes that segments select from `node_ref`; `false` once that returns
    /// it. Every segment goes down, so the recursion depth is that of the value.
    pub(super) fn segments(&mut self, segments: &[Segment], node_ref: NodeRef<'_>, each: Each<'_>) -> Done {
        let Some((segment, rest)) = segments.split_first() else { return each(self, node_ref) };
        if segment.kind() == Some(SegmentTag::Descendant) {
            self.descend(segment, rest, node_ref, each)
        } else {
            self.select(segment, rest, node_ref, each)
        }
    }

    /// A node before its descendants, siblings in order (RFC 9535 §2.5.2.2).
    fn descend(
        &mut self,
        segment: &Segment,
        rest: &[Segment],
        node_ref: NodeRef<'_>,
        each: Each<'_>,
    ) -> Done {
        if !self.select(segment, rest, node_ref, each)? {
            return Ok(false);
        }
        for child in node_ref.nodes.children(node_ref.node) {
            self.budget.charge(1)?;
            if !node_ref.nodes.children(child).is_empty()
                && !self.descend(segment, rest, node_ref.at(child), each)?
            {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn select(&mut self, segment: &Segment, rest: &[Segment], node_ref: NodeRef<'_>, each: Each<'_>) -> Done {
        for selector in self.source.tables.selectors_of(segment) {
            self.budget.charge(1)?;
            if !self.selector(selector, rest, node_ref, each)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn selector(
        &mut self,
        selector: &Selector,
        rest: &[Segment],
        node_ref: NodeRef<'_>,
        each: Each<'_>,
    ) -> Done {
        let nodes = node_ref.nodes;
        let children = nodes.children(node_ref.node);
        let array = nodes.is_array(node_ref.node);
        match selector.form() {
            Some(SelectorForm::Name(name)) => {
                match nodes.member(node_ref.node, self.source.tables.str(name)) {
                    Some(member) => self.segments(rest, node_ref.at(member), each),
                    None => Ok(true),
                }
            }
            Some(SelectorForm::Wildcard) => self.all(children, rest, node_ref, each),
            Some(SelectorForm::Index(at)) if array => match index(at, children.len()) {
                Some(place) => self.segments(rest, node_ref.at(children.start.saturating_add(place)), each),
                None => Ok(true),
            },
            Some(SelectorForm::Slice { start, end, step }) if array => {
                let places = slice((start, end), step, children.len());
                let places = places.map(|place| children.start.saturating_add(place));
                self.all(places, rest, node_ref, each)
            }
            Some(SelectorForm::Filter(filter)) => {
                for child in children {
                    let node_ref = node_ref.at(child);
                    if self.filter(filter, node_ref)? && !self.segments(rest, node_ref, each)? {
                        return Ok(false);
                    }
                }
                Ok(true)
            }
            // Only arrays have indexes; the verifier rejects unknown tags.
            Some(SelectorForm::Index(_) | SelectorForm::Slice { .. }) | None => Ok(true),
        }
    }

    fn all(
        &mut self,
        places: impl Iterator<Item = usize>,
        rest: &[Segment],
        node_ref: NodeRef<'_>,
        each: Each<'_>,
    ) -> Done {
        for place in places {
            self.budget.charge(1)?;
            if !self.segments(rest, node_ref.at(place), each)? {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

/// The position of an index, negative from the end.
fn index(index: i64, length: usize) -> Option<usize> {
    let distance = usize::try_from(index.unsigned_abs()).ok()?;
    let place = if index < 0 { length.checked_sub(distance)? } else { distance };
    (place < length).then_some(place)
}

/// The positions of a slice in order (RFC 9535 §2.3.4.2.2).
fn slice(
    (start, end): (Option<i64>, Option<i64>),
    step: i64,
    length: usize,
) -> impl Iterator<Item = usize> + use<> {
    // An array has fewer than 2^63 elements: each takes a byte of the event.
    let length = i64::try_from(length).unwrap_or(i64::MAX);
    let from_start = |at: i64| if at < 0 { at.saturating_add(length) } else { at };
    let bound = |at: Option<i64>, least: i64, most: i64| at.map(|at| from_start(at).clamp(least, most));
    let last = length.saturating_sub(1);
    let (first, end) = if step < 0 {
        (bound(start, -1, last).unwrap_or(last), bound(end, -1, last).unwrap_or(-1))
    } else {
        (bound(start, 0, length).unwrap_or(0), bound(end, 0, length).unwrap_or(length))
    };
    let within = move |at: &i64| if step < 0 { *at > end } else { step > 0 && *at < end };
    let next = move |at: &i64| at.checked_add(step);
    std::iter::successors(Some(first), next).take_while(within).filter_map(|at| usize::try_from(at).ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn places(start: Option<i64>, end: Option<i64>, step: i64, length: usize) -> Vec<usize> {
        slice((start, end), step, length).collect()
    }

    #[test]
    fn slices() {
        assert_eq!(places(None, None, 1, 3), [0, 1, 2]);
        assert_eq!(places(None, None, -1, 3), [2, 1, 0]);
        assert_eq!(places(Some(1), Some(-1), 1, 4), [1, 2]);
        assert_eq!(places(Some(5), Some(1), -2, 7), [5, 3]);
        assert_eq!(places(Some(-100), Some(100), 2, 3), [0, 2]);
        assert_eq!(places(Some(100), Some(-100), -1, 2), [1, 0]);
        assert_eq!(places(None, None, 0, 3), [0; 0]);
        assert_eq!(places(Some(i64::MIN), Some(i64::MAX), i64::MAX, 3), [0]);
        assert_eq!(places(None, None, i64::MIN, 3), [2]);
        assert_eq!(places(None, None, -1, 0), [0; 0]);
        assert_eq!(
            (index(-3, 3), index(-4, 3), index(3, 3), index(i64::MIN, 3)),
            (Some(0), None, None, None)
        );
    }
}
