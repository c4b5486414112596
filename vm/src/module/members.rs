//! The members of commands that the conditions and templates of a module read: the others are not
//! written into its views.
//!
//! Too many are never wrong, only slower: whatever is not understood here reads all of them.

use hookc_base::ViewKind;
use hookc_shell::{MemberBits, Members};

use super::tables::{Tables, row};
use crate::op::{Op, Operand};
use crate::rows::{Compared, NODE, NONE, Query, Row, Segment, TieValue, View};

/// The tag of a template that is the nodes of a query, and that of one slot.
const QUERY: u32 = 5;
const SLOT: u32 = 1;

/// The tags of selectors: of a name, and of those that select elements by their place.
const NAME: u8 = 0;
const ELEMENTS: [u8; 3] = [1, 2, 3];

/// Whether a row is evaluated.
type IsUsed<'u> = &'u dyn Fn(u32) -> bool;

/// By view, the members that are read by the predicates and templates that are used. Those must be verified,
/// with all that they refer to.
pub(super) fn of_views(t: &Tables<'_>, pred: IsUsed<'_>, template: IsUsed<'_>) -> Vec<Members> {
    if t.views.is_empty() {
        return Vec::new();
    }
    let reads = Reads::new(t, pred, template);
    let of_view = |view: &View| match view.kind() {
        Some(ViewKind::Shell) => reads.of_view(view),
        // Other views have no such commands.
        Some(ViewKind::File | ViewKind::Effects | ViewKind::Size) | None => MemberBits::NONE,
    };
    t.views.iter().map(|view| Members::from_bits(of_view(view))).collect()
}

/// By the number of quantifiers between the reader and the one that binds the node, the members that
/// are read of the bound node.
type ByBinding = Vec<MemberBits>;

fn add(members_by_binding: &mut ByBinding, up: usize, members: MemberBits) {
    if members_by_binding.len() <= up {
        members_by_binding.resize(up.saturating_add(1), MemberBits::NONE);
    }
    if let Some(known) = members_by_binding.get_mut(up) {
        *known = known.and(members);
    }
}

struct Reads<'t, 'm> {
    t: &'t Tables<'m>,
    pred: IsUsed<'t>,
    template: IsUsed<'t>,
    /// By predicate.
    preds: Vec<ByBinding>,
    /// By condition, as far as known.
    conds: Vec<Option<ByBinding>>,
}

impl<'t, 'm> Reads<'t, 'm> {
    fn new(t: &'t Tables<'m>, pred: IsUsed<'t>, template: IsUsed<'t>) -> Self {
        let (preds, conds) = (Vec::with_capacity(t.preds.len()), vec![None; t.conds.len()]);
        let mut reads = Self { t, pred, template, preds, conds };
        for (number, pred) in (0..).zip(t.preds) {
            let of_pred = if (reads.pred)(number) { reads.pred(pred) } else { ByBinding::new() };
            reads.preds.push(of_pred);
        }
        reads
    }

    /// What a predicate reads of the nodes that the quantifiers around it bind. It tests only
    /// predicates with lower numbers.
    fn pred(&mut self, pred: &Row) -> ByBinding {
        let mut read = ByBinding::new();
        let Some(op) = Op::from_number(pred.op) else { return read };
        if op != Op::Some {
            let (a, b) = op.operands();
            let operands = [(a, pred.a.get()), (b, pred.b.get())];
            for (kind, number) in operands {
                match kind {
                    Operand::Slot => self.slot(number, &mut read),
                    Operand::Recall => self.recall(number, &mut read),
                    // A predicate that reads recalls.
                    Operand::Pred if op == Op::Recalled => {
                        let inner = self.preds.get(number as usize).cloned().unwrap_or_default();
                        inner.into_iter().enumerate().for_each(|(up, members)| add(&mut read, up, members));
                    }
                    _ => {}
                }
            }
            return read;
        }
        let mut inner = self.cond(pred.b.get()).into_iter();
        let innermost = inner.next().unwrap_or_default();
        inner.enumerate().for_each(|(up, members)| add(&mut read, up, members));
        if let Some(bound) = row(self.t.bounds, pred.a.get()).filter(|bound| bound.up.get() != NONE) {
            let is_same = self.segments(bound.query.get()).is_empty();
            let members = if is_same { innermost } else { self.first_member(bound.query.get()) };
            add(&mut read, bound.up.get() as usize, members);
        }
        read
    }

    /// What a slot reads of a bound node, or of those that its recall reads.
    fn slot(&self, slot: u32, read: &mut ByBinding) {
        let Some(bound) = slot.checked_sub(self.t.slots).filter(|_| slot != NODE) else { return };
        match row(self.t.bounds, bound) {
            Some(bound) => add(read, bound.up.get() as usize, self.first_member(bound.query.get())),
            None => {
                let bounds = u32::try_from(self.t.bounds.len()).unwrap_or(u32::MAX);
                self.recall(bound.saturating_sub(bounds), read);
            }
        }
    }

    /// What a recall reads of bound nodes: the current side of its ties, and what it is compared with.
    fn recall(&self, number: u32, bits: &mut ByBinding) {
        let Some(recall) = row(self.t.recalls, number) else { return };
        let other = match recall.comparison().map(|comparison| comparison.with) {
            Some(Compared::Slot(slot)) => {
                if let Some(bound) =
                    slot.checked_sub(self.t.slots).and_then(|bound| row(self.t.bounds, bound))
                {
                    add(bits, bound.up.get() as usize, self.first_member(bound.query.get()));
                }
                None
            }
            Some(Compared::Recall(other)) => row(self.t.recalls, other),
            _ => None,
        };
        for read in std::iter::once(recall).chain(other) {
            let since = self.t.indices_of(read.since).iter();
            let since = since.filter_map(|number| row(self.t.recalls, number.get()));
            for side in std::iter::once(read).chain(since) {
                let excluded = self.t.indices_of(side.excluded).iter().copied();
                std::iter::once(side.tie).chain(excluded).for_each(|tie| self.tie(tie.get(), bits));
            }
        }
    }

    fn tie(&self, tie: u32, read: &mut ByBinding) {
        let values = row(self.t.ties, tie).map_or(&[][..], |tie| self.t.indices_of(tie.values));
        for value in values {
            let TieValue::Slot(slot) = TieValue::from_number(value.get()) else { continue };
            let bound = slot.checked_sub(self.t.slots).and_then(|bound| row(self.t.bounds, bound));
            if let Some(bound) = bound {
                add(read, bound.up.get() as usize, self.first_member(bound.query.get()));
            }
        }
    }

    /// The recursion depth is the nesting of conditions, which the verifier bounds.
    fn cond(&mut self, cond: u32) -> ByBinding {
        if let Some(Some(known)) = self.conds.get(cond as usize) {
            return known.clone();
        }
        let mut read = ByBinding::new();
        for code in self.t.block(cond) {
            let tested = match Op::from_number(code.op).map(|op| op.operands().0) {
                Some(Operand::Cond) => self.cond(code.a.get()),
                Some(Operand::Pred) => self.preds.get(code.a.get() as usize).cloned().unwrap_or_default(),
                _ => continue,
            };
            tested.into_iter().enumerate().for_each(|(up, members)| add(&mut read, up, members));
        }
        if let Some(place) = self.conds.get_mut(cond as usize) {
            *place = Some(read.clone());
        }
        read
    }

    fn segments(&self, query: u32) -> &'m [Segment] {
        row(self.t.queries, query).map_or(&[], |query| self.t.segments_of(&query))
    }

    /// The members of a command that a query from it reads.
    fn first_member(&self, query: u32) -> MemberBits {
        self.segments(query).first().map_or(MemberBits::ALL, |segment| self.named(segment))
    }

    /// The members that a segment selects.
    fn named(&self, segment: &Segment) -> MemberBits {
        let selectors = self.t.selectors_of(segment);
        if segment.tag.get() != 0 || selectors.iter().any(|selector| selector.tag != NAME) {
            return MemberBits::ALL;
        }
        let name = |number: i64| u32::try_from(number).map_or("", |number| self.t.str(number));
        selectors.iter().fold(MemberBits::NONE, |bits, one| bits.and(MemberBits::named(name(one.a.get()))))
    }

    fn of_view(&self, view: &View) -> MemberBits {
        let Some(root) = row(self.t.nodes, view.node.get()) else { return MemberBits::ALL };
        if root.slot.get() != NONE {
            return MemberBits::ALL;
        }
        let is_commands = |name: u32| name != NONE && self.t.str(name) == "commands";
        let edge = self.t.edges_of(&root).iter().find(|edge| is_commands(edge.name.get()));
        let Some(node) = edge.and_then(|edge| row(self.t.nodes, edge.node.get())) else {
            return MemberBits::NONE;
        };
        let mut bits = MemberBits::NONE;
        for command in self.t.edges_of(&node).iter().filter_map(|edge| row(self.t.nodes, edge.node.get())) {
            if command.slot.get() != NONE {
                return MemberBits::ALL;
            }
            for edge in self.t.edges_of(&command).iter().filter(|edge| edge.name.get() != NONE) {
                bits = bits.and(MemberBits::named(self.t.str(edge.name.get())));
            }
        }
        if node.slot.get() == NONE { bits } else { bits.and(self.of_list(node.slot.get())) }
    }

    /// The members that are read through the slot of a list of commands.
    fn of_list(&self, slot: u32) -> MemberBits {
        let slots = self.with_merged(slot);
        let is_list = |slot: u32| slots.contains(&slot);
        let mut bits = MemberBits::NONE;
        for (_, pred) in (0..).zip(self.t.preds).filter(|(number, _)| (self.pred)(*number)) {
            bits = bits.and(match Op::from_number(pred.op) {
                Some(Op::Some) => self.of_quantifier(pred, &is_list),
                Some(Op::Any) => self.of_query(pred.a.get(), &is_list, MemberBits::ALL),
                Some(Op::Exists) | None => MemberBits::NONE,
                Some(op) => {
                    let (a, b) = op.operands();
                    let reads = |kind, slot: u32| kind == Operand::Slot && is_list(slot);
                    if reads(a, pred.a.get()) || reads(b, pred.b.get()) {
                        MemberBits::ALL
                    } else {
                        MemberBits::NONE
                    }
                }
            });
        }
        for tie in self.t.ties {
            for value in self.t.indices_of(tie.values) {
                bits = bits.and(match TieValue::from_number(value.get()) {
                    TieValue::Slot(slot) if is_list(slot) => MemberBits::ALL,
                    TieValue::Slot(_) => MemberBits::NONE,
                    TieValue::Query(query) => self.of_query(query, &is_list, MemberBits::ALL),
                });
            }
        }
        let compared = self.t.recalls.iter().filter_map(|recall| recall.comparison());
        if compared.into_iter().any(|one| matches!(one.with, Compared::Slot(slot) if is_list(slot))) {
            return MemberBits::ALL;
        }
        for filter in self.t.filters.iter().chain(self.t.values) {
            if Op::from_number(filter.op).is_some_and(|op| op.operands().0 == Operand::Query) {
                bits = bits.and(self.of_query(filter.a.get(), &is_list, MemberBits::ALL));
            }
        }
        for (_, template) in (0..).zip(self.t.templates).filter(|(number, _)| (self.template)(*number)) {
            bits = bits.and(match template.tag.get() {
                SLOT if is_list(template.a.get()) => MemberBits::ALL,
                QUERY => self.of_query(template.a.get(), &is_list, MemberBits::ALL),
                _ => MemberBits::NONE,
            });
        }
        bits
    }

    /// A slot and those of merged fields that can take their value from it.
    fn with_merged(&self, slot: u32) -> Vec<u32> {
        let first = (self.t.slots as usize).saturating_sub(self.t.derived.len());
        let merged = self.t.derived.iter().enumerate();
        let merged = merged.filter(|(_, row)| row.root.get() == slot || row.nested.get() == slot);
        let merged = merged.filter_map(|(at, _)| u32::try_from(first.saturating_add(at)).ok());
        std::iter::once(slot).chain(merged).collect()
    }

    fn of_quantifier(&self, pred: &Row, is_list: &impl Fn(u32) -> bool) -> MemberBits {
        let Some(bound) = row(self.t.bounds, pred.a.get()).filter(|bound| bound.up.get() == NONE) else {
            return MemberBits::NONE;
        };
        let inner = self.conds.get(pred.b.get() as usize).and_then(Option::as_ref);
        let bits = inner.map_or(MemberBits::ALL, |inner| inner.first().copied().unwrap_or_default());
        self.of_query(bound.query.get(), is_list, bits)
    }

    /// The members that a query from the list reads; `bits` are those that are read of its nodes if
    /// they are commands.
    fn of_query(&self, query: u32, is_list: &impl Fn(u32) -> bool, bits: MemberBits) -> MemberBits {
        let Some(Query { slot, .. }) = row(self.t.queries, query) else { return MemberBits::NONE };
        if !is_list(slot.get()) {
            return MemberBits::NONE;
        }
        let selects_elements = |segment: &Segment| {
            let selectors = self.t.selectors_of(segment);
            segment.tag.get() == 0 && selectors.iter().all(|selector| ELEMENTS.contains(&selector.tag))
        };
        match self.segments(query) {
            [first, rest @ ..] if selects_elements(first) => {
                rest.first().map_or(bits, |segment| self.named(segment))
            }
            _ => MemberBits::ALL,
        }
    }
}
