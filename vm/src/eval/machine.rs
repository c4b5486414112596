//! The machine: conditions and predicates of one event.

use super::actions::GatheredActions;
use super::elements::Elements;
use super::error::DecideError;
use super::past::{Memory, Past};
use super::scratch::{Late, Memo};
use super::test::{Test, built, pattern, test_scalar};
use crate::compare::Texts;
use crate::event::{Item, Parsed, Stored};
use crate::history::{Histories, Unknown};
use crate::limits::HISTORY_FEEDS;
use crate::module::{LoadError, row};
use crate::op::{Op, OpForm, Operand};
use crate::query;
use crate::rows::{Hook, HookTest, NONE, Row, Template, tag};
use crate::schema;
use crate::stop::{Budget, StopReason};
use crate::view::EventView;
use hookc_base::text::Case;

/// Evaluates a module's conditions over filled slots.
pub(super) struct Machine<'s> {
    pub(super) view: EventView<'s>,
    pub(super) memo: &'s mut Memo,
    pub(super) texts: &'s mut Texts,
    /// For schemas.
    pub(super) schema: &'s mut schema::Buffers,
    pub(super) queries: &'s mut query::Buffers,
    pub(super) late: &'s mut Late,
    /// The arrays that predicates about many nodes search.
    pub(super) elements: &'s mut Elements,
    /// What the event does.
    pub(super) actions: &'s mut GatheredActions,
    /// What happened before it.
    pub(super) past: Past<'s>,
    /// The predicate tested last, or [`NONE`].
    pub(super) last: u32,
    /// The predicate tested last in the condition of a quantifier, or [`NONE`].
    pub(super) last_of_node: u32,
}

/// What made a condition true, if no predicate about effects did.
const UNEXPLAINED: &str = "the condition of the hook is true";

/// What made the condition of a hook true that has matched, by the template for it. The buffers of the decision may be
/// used for the next one, so it has its own.
pub(super) fn because<'v>(
    view: &EventView<'v>,
    histories: Option<&'v Histories<'v>>,
    node: &Template,
) -> String {
    let (mut memo, mut texts, mut schema, mut queries) =
        (Memo::default(), Texts::default(), schema::Buffers::default(), query::Buffers::default());
    let (mut late, mut elements, mut actions) =
        (Late::default(), Elements::default(), GatheredActions::default());
    let mut memory = Memory::default();
    memo.start(view.tables);
    schema.start(view.module);
    queries.start(view.module);
    let mut machine = Machine {
        view: *view,
        memo: &mut memo,
        texts: &mut texts,
        schema: &mut schema,
        queries: &mut queries,
        late: &mut late,
        elements: &mut elements,
        actions: &mut actions,
        past: Past { histories, memory: &mut memory },
        last: NONE,
        last_of_node: NONE,
    };
    machine.reason(node)
}

/// The operation of a row.
#[inline]
fn operation(row: &Row) -> Option<Op> {
    OpForm::from_number(row.op).map(|form| form.op)
}

impl<'s> Machine<'s> {
    /// Whether condition `index` is true. The recursion depth is the nesting of conditions, which
    /// the verifier bounds.
    pub(super) fn cond(&mut self, index: u32) -> Result<bool, StopReason> {
        if let Some((truth, last)) = self.memo.cond(index) {
            self.settle(last);
            return Ok(truth);
        }
        let before = std::mem::replace(&mut self.last, NONE);
        let block = self.view.tables.code_of(index).ok_or(StopReason::Unverified)?;
        let truth = self.run(block)?;
        let last = std::mem::replace(&mut self.last, before);
        self.memo.set_cond(index, truth, last);
        self.settle(last);
        Ok(truth)
    }

    /// Whether what a hook tests is true.
    #[inline]
    pub(super) fn hook(&mut self, hook: &Hook) -> Result<bool, StopReason> {
        self.hook_test(hook.test())
    }

    #[inline]
    fn hook_test(&mut self, test: HookTest) -> Result<bool, StopReason> {
        match test {
            HookTest::Cond(cond) => self.cond(cond),
            HookTest::Pred(pred) => self.pred(pred),
        }
    }

    /// A condition without tests has no deciding predicate.
    pub(super) fn settle(&mut self, last: u32) {
        if last != NONE {
            self.last = last;
        }
    }

    /// Runs a closed block. Addresses only grow, so it ends: past the last row in `yes`, further on in `no`.
    fn run(&mut self, block: &[Row]) -> Result<bool, StopReason> {
        let mut at = 0;
        while let Some(row) = block.get(at) {
            let a = row.a.get();
            let go = match operation(row) {
                Some(Op::Yes) => return Ok(true),
                Some(Op::No) => return Ok(false),
                Some(Op::Jump) => true,
                Some(op @ (Op::IfPred | Op::UnlessPred)) => self.tested(a)? == (op == Op::IfPred),
                Some(op @ (Op::IfCond | Op::UnlessCond)) => self.cond(a)? == (op == Op::IfCond),
                _ => return Err(StopReason::Unverified),
            };
            at = if go { row.b.get() as usize } else { at.saturating_add(1) };
        }
        Ok(at == block.len())
    }

    /// Whether predicate `index` is true.
    pub(super) fn pred(&mut self, index: u32) -> Result<bool, StopReason> {
        self.tested(index)
    }

    /// Tests a predicate, in line.
    #[inline(always)]
    fn tested(&mut self, index: u32) -> Result<bool, StopReason> {
        self.last = index;
        if let Some(truth) = self.memo.pred(index) {
            return Ok(truth);
        }
        let row = row(self.view.tables.preds, index).ok_or(StopReason::Unverified)?;
        let op = operation(&row).ok_or(StopReason::Unverified)?;
        let truth = match self.common(op, row) {
            Some(truth) => truth,
            None => self.test(op, row)?,
        };
        self.memo.set_pred(index, truth);
        Ok(truth)
    }

    /// The truth of a common predicate; `None` for all others.
    #[inline(always)]
    fn common(&self, op: Op, row: Row) -> Option<bool> {
        // The numbers of the common ones are the lowest.
        if op > Op::EndsWith {
            return None;
        }
        test_scalar(self.view.tables, op, row.b.get(), self.view.scalar(row.a.get())?)
    }

    /// Tests any predicate and value.
    #[inline(never)]
    fn test(&mut self, op: Op, row: Row) -> Result<bool, StopReason> {
        // What these parse does not need the strings of the last predicate.
        if matches!(op, Op::Any | Op::Some | Op::Matches) {
            self.late.release();
        }
        match op {
            Op::Any => self.any(row),
            Op::Some => self.some(row),
            Op::Acts => self.acts(row.a.get()),
            Op::Past | Op::Recalled => self.historic(op, row),
            _ => self.stored(op, row),
        }
    }

    /// Whether a predicate about effects is true. Out of line, so that other predicates cost what they did.
    #[cold]
    #[inline(never)]
    fn acts(&mut self, effect: u32) -> Result<bool, StopReason> {
        let tables = self.view.tables;
        let scope = row(tables.effects, effect).map(|effect| effect.scope.get());
        let gathered = scope.and_then(|scope| self.actions.gathered(&self.view, scope));
        let gathered = gathered.ok_or(StopReason::Unverified)?;
        if !gathered.can_hold(effect) {
            return Ok(false);
        }
        let predicate = self.view.module.effects().predicate(tables, effect);
        let predicate = predicate.ok_or(StopReason::Unverified)?;
        let truth = predicate.holds(&gathered.actions);
        if predicate.is_readable() { Ok(truth) } else { Err(StopReason::Unverified) }
    }

    /// What made the condition of a hook true, by the reasons of a template. A limit that is reached on the way changes
    /// no decision.
    fn reason(&mut self, node: &Template) -> String {
        let mut reasons = self.view.tables.reasons_of(node);
        let effect = reasons.find(|(test, _)| self.hook_test(*test).is_ok_and(|truth| truth));
        effect.and_then(|(_, effect)| self.because(effect)).unwrap_or_else(|| UNEXPLAINED.to_owned())
    }

    /// What of the event made a predicate about effects true or false.
    pub(super) fn because(&mut self, effect: u32) -> Option<String> {
        let tables = self.view.tables;
        let predicate = self.view.module.effects().predicate(tables, effect)?;
        let gathered = self.actions.gathered(&self.view, row(tables.effects, effect)?.scope.get())?;
        Some(predicate.sentence(&gathered.actions))
    }

    /// A predicate about the value of a slot.
    fn stored(&mut self, op: Op, row: Row) -> Result<bool, StopReason> {
        match self.view.stored(row.a.get()) {
            Stored::Item(item) => self.holds(op, row, item),
            Stored::Escaped(_) => self.holds_late(op, row),
            Stored::Parsed(parsed) => self.holds_parsed(op, row, parsed),
        }
    }

    /// Tests a long string with escapes. Out of line, so that other predicates cost what they
    /// did.
    #[cold]
    #[inline(never)]
    fn holds_late(&mut self, op: Op, row: Row) -> Result<bool, StopReason> {
        let (view, slot) = (self.view, row.a.get());
        let (left, right) = (view.stored(slot), view.stored(row.b.get()));
        // These need no copy of either.
        if let (Stored::Escaped(left), Stored::Escaped(right), Operand::Slot) = (left, right, op.operands().1)
        {
            match op {
                Op::EqSlot | Op::EqSlotFold => {
                    return Ok(left.equals(right, Case::ignored_if(op == Op::EqSlotFold)));
                }
                Op::StartsWithSlot | Op::StartsWithSlotFold => {
                    return Ok(left.starts_with(right, Case::ignored_if(op == Op::StartsWithSlotFold)));
                }
                Op::EndsWithSlot | Op::EndsWithSlotFold => {
                    return Ok(left.ends_with(right, Case::ignored_if(op == Op::EndsWithSlotFold)));
                }
                Op::ContainsSlot | Op::ContainsSlotFold => {
                    return Ok(left.contains(right, Case::ignored_if(op == Op::ContainsSlotFold)));
                }
                _ => {}
            }
        }
        if op == Op::Exists {
            return Ok(true);
        }
        let mut late = std::mem::take(&mut self.late.left);
        let truth = self.holds(op, row, late.read(slot, view.stored(slot)));
        self.late.left = late;
        truth
    }

    /// Tests a number, an array or an object of a parsed event.
    #[inline(never)]
    fn holds_parsed(&mut self, op: Op, row: Row, parsed: Parsed<'s>) -> Result<bool, StopReason> {
        if op == Op::Exists {
            return Ok(true);
        }
        if let Some(truth) = self.compared(op, row, parsed) {
            return Ok(truth);
        }
        let mut late = std::mem::take(&mut self.late.left);
        let truth = self.holds(op, row, late.read(row.a.get(), Stored::Parsed(parsed)));
        self.late.left = late;
        truth
    }

    /// Whether a number satisfies a comparison with a constant; `None` if that needs its digits, and for
    /// other predicates.
    fn compared(&self, op: Op, row: Row, parsed: Parsed<'_>) -> Option<bool> {
        if !matches!(op, Op::Eq | Op::Gt | Op::Gte | Op::Lt | Op::Lte) {
            return None;
        }
        let tables = &self.view.tables;
        let constant = tables.consts.get(row.b.get() as usize)?;
        let order = match (parsed.number(), constant.tag.get()) {
            (Some(_), tag::NUMBER) => parsed.order(tables.bytes(constant.text.get()))?,
            (None, tag::ARRAY | tag::OBJECT) if op == Op::Eq => return None,
            // Values of different types are neither equal nor in an order.
            _ => return Some(false),
        };
        Some(match op {
            Op::Eq => order.is_eq(),
            Op::Gt => order.is_gt(),
            Op::Gte => order.is_ge(),
            Op::Lt => order.is_lt(),
            _ => order.is_le(),
        })
    }

    /// Whether a predicate is true for a node of a query. The result for a node is not cached.
    fn any(&mut self, any: Row) -> Result<bool, StopReason> {
        let test = row(self.view.tables.preds, any.b.get()).ok_or(StopReason::Unverified)?;
        let op = Op::from_number(test.op).ok_or(StopReason::Unverified)?;
        let view = self.view;
        let mut queries = std::mem::take(self.queries);
        let mut found = false;
        let walked = queries.each(&view, any.a.get(), &mut |budget, node| {
            found = self.node_holds(op, test, (node, budget))?;
            Ok(!found)
        });
        *self.queries = queries;
        walked.map(|()| found)
    }

    /// Whether a predicate is true for a node of a query, whose budget pays for it.
    pub(super) fn node_holds(
        &mut self,
        op: Op,
        row: Row,
        (node, budget): (Item<'_>, &mut Budget),
    ) -> Result<bool, StopReason> {
        let Self { view, texts, schema, late, elements, .. } = self;
        let right = match op.operands().1 {
            Operand::Const => view.tables.constant(row.b.get()),
            Operand::Slot => late.right.read(row.b.get(), view.stored(row.b.get())),
            _ => Item::Absent,
        };
        let (truth, steps) =
            Test { view, texts, schema }.of_many((op, row), (NONE, node, right), elements)?;
        budget.charge(steps)?;
        Ok(truth)
    }

    /// Whether a predicate other than `any` and `some` is true for a value.
    pub(super) fn holds(&mut self, op: Op, row: Row, item: Item<'_>) -> Result<bool, StopReason> {
        let view = &self.view;
        let mut test = Test { view, texts: self.texts, schema: self.schema };
        let late = &mut self.late.right;
        test.holds(op, row, item, || match op.operands().1 {
            Operand::Const => view.tables.constant(row.b.get()),
            Operand::Slot => late.read(row.b.get(), view.stored(row.b.get())),
            _ => Item::Absent,
        })
    }

    /// The error in full.
    pub(super) fn explain(&self, stop: StopReason) -> DecideError {
        let limits = self.view.module.limits();
        match stop {
            StopReason::Pattern { index, case } => {
                let built = built(&self.view, index, case);
                let why = built.and_then(|built| built.as_ref().err()).cloned().unwrap_or_default();
                DecideError::Pattern { pattern: pattern(&self.view, index).to_owned(), why }
            }
            StopReason::Values => DecideError::Values(limits.event_values),
            StopReason::Queries => DecideError::QuerySteps(limits.query_steps),
            StopReason::Steps => DecideError::SchemaSteps(limits.schema_steps),
            StopReason::Depth => DecideError::SchemaDepth(limits.schema_depth),
            StopReason::Feeds => DecideError::Feeds(HISTORY_FEEDS),
            StopReason::Unknown(cause) => {
                DecideError::History(Unknown { cause, histories: self.past.histories }.to_string())
            }
            StopReason::Unverified => DecideError::Module(LoadError::Unverified),
        }
    }
}
