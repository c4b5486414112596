//! Event types one by one: what is shared is verified when a module is opened, and what only one event type
//! reads when that type is first needed.
//!
//! The hooks of a type lead to their conditions, predicates, constants, actions and index. Each row is checked
//! once, by the check that a whole module has for it, so that both accept the same rows. Rows that no event
//! type leads to are not checked, and nothing reads them.

use std::collections::BTreeMap;

use super::code::{At, Detailed, Tested, is_common};
use super::open::{self, Reach};
use super::{Checked, Work, action, code, ensure, history, hooks, index, shared, text};
use crate::limits::MODULE_DEPTH;
use crate::module::{Tables, row};
use crate::op::{Op, Operand};
use crate::rows::keyword::{Keyword, Shape};
use crate::rows::{Compared, HookTest, NONE, ParamValue, Range, SectionKind, Template, TemplateForm, U32};

/// What is verified of a module, apart from what is shared.
pub(in crate::module) struct Parts {
    work: Work,
    /// For the order of constants in lists.
    order: Option<Work>,
    consts: Marks,
    lists: Marks,
    preds: Marks,
    /// The predicates that read bound nodes, and quantifiers.
    open: BTreeMap<u32, Reach>,
    /// By condition; a known one has a depth.
    conds: Vec<Reach>,
    actions: Marks,
    /// By template, one more than its depth, if known.
    templates: Vec<usize>,
    detailed: Detailed,
    indexes: index::State,
    watches: Marks,
    /// Watches that reads of the current event need.
    needed: Vec<u32>,
}

/// A bit per row.
struct Marks(Vec<u64>);

impl Marks {
    fn new(rows: usize) -> Self {
        Self(vec![0; rows.div_ceil(u64::BITS as usize)])
    }

    fn has(&self, row: u32) -> bool {
        self.0.get(row as usize / 64).is_some_and(|word| word >> (row % 64) & 1 != 0)
    }

    /// Sets a mark; `false` if it was set.
    fn set(&mut self, row: u32) -> bool {
        let is_new = !self.has(row);
        if let Some(word) = self.0.get_mut(row as usize / 64) {
            *word |= 1 << (row % 64);
        }
        is_new
    }
}

impl Parts {
    /// Verifies what event types share, of a module of `length` bytes; with it the trie nodes of the type
    /// paths, ascending.
    pub(in crate::module) fn open(t: &Tables<'_>, length: usize) -> Checked<(Self, Vec<U32>)> {
        let mut work = Work::for_length(length);
        let type_nodes = shared(t, &mut work)?;
        code::blocks(t)?;
        hooks::cell_names(t, hooks::names(t)?)?;
        index::buckets(t)?;
        let detailed = Detailed::new(t, &mut work)?;
        let mut parts = Self {
            work,
            order: Some(Work::for_length(length)),
            consts: Marks::new(t.consts.len()),
            lists: Marks::new(t.lists.len()),
            preds: Marks::new(t.preds.len()),
            open: BTreeMap::new(),
            conds: vec![Reach::default(); t.conds.len()],
            actions: Marks::new(t.actions.len()),
            templates: vec![0; t.templates.len()],
            detailed,
            indexes: index::State::new(t),
            watches: Marks::new(t.watches.len()),
            needed: Vec::new(),
        };
        Walk { t, parts: &mut parts }.shared()?;
        Ok((parts, type_nodes))
    }

    /// Verifies what the event type of a row reads.
    pub(in crate::module) fn event(&mut self, t: &Tables<'_>, number: u32) -> Checked {
        Walk { t, parts: self }.event(number)
    }

    /// Whether a predicate is verified.
    pub(in crate::module) fn has_pred(&self, pred: u32) -> bool {
        self.preds.has(pred)
    }

    /// Whether a template is verified.
    pub(in crate::module) fn has_template(&self, node: u32) -> bool {
        self.templates.get(node as usize).is_some_and(|depth| *depth > 0)
    }
}

struct Walk<'w, 't> {
    t: &'w Tables<'t>,
    parts: &'w mut Parts,
}

impl Walk<'_, '_> {
    /// The constants of schemas, of values in filters, and of checks.
    fn shared(&mut self) -> Checked {
        for keyword in self.t.keywords {
            match Keyword::from_number(keyword.op).map(Keyword::shape) {
                Some(Shape::List) => self.list(keyword.a.get())?,
                Some(Shape::Number | Shape::Divisor) => self.constant(keyword.a.get())?,
                _ => {}
            }
        }
        for value in self.t.values {
            if Op::from_number(value.op).is_some_and(|op| op.operands().0 == Operand::Const) {
                self.constant(value.a.get())?;
            }
        }
        for check in self.t.checks {
            self.optional(Some(check.minimum.get()).filter(|row| *row != NONE))?;
            if check.allowed.get() != NONE {
                self.list(check.allowed.get())?;
            }
        }
        Ok(())
    }

    fn event(&mut self, number: u32) -> Checked {
        let t = self.t;
        let Some(event) = row(t.events, number) else { return Ok(()) };
        let first = event.hooks.start.get();
        for (at, hook) in (first..).zip(t.hooks_of(&event)) {
            hooks::hook(t, at as usize, hook)?;
            let needs = self.hook_test(hook.test())?.needs;
            ensure(needs == 0, SectionKind::Hooks, at as usize, "the condition reads a bound node")?;
            self.action(hook.action.get())?;
        }
        for (at, _) in history::watches_of(t, number) {
            self.watch(at)?;
        }
        while let Some(at) = self.parts.needed.pop() {
            self.watch(at)?;
        }
        let start = first as usize;
        let rows = start..start.saturating_add(event.hooks.length.get() as usize);
        let names = text::blob(t.names, SectionKind::Names)?;
        hooks::labels(t, names, rows.clone())?;
        hooks::locations(t, names, rows)?;
        let Parts { indexes, work, .. } = &mut *self.parts;
        index::index_of(t, (number, &event), indexes, work)
    }

    /// A watch with its conditions.
    fn watch(&mut self, number: u32) -> Checked {
        let (t, at) = (self.t, number as usize);
        let Some(watch) = row(t.watches, number).filter(|_| self.parts.watches.set(number)) else {
            return Ok(());
        };
        history::watch_tests(t, at, &watch)?;
        let mut reach = Reach::default();
        for test in history::tests_of(t, &watch) {
            reach = reach.and(self.hook_test(test)?);
        }
        history::watch_reach(t, at, &watch, reach)
    }

    /// What a read needs, apart from what all event types share. Recalls that it refers to refer to no further one.
    fn recall(&mut self, number: u32) -> Checked {
        let Some(recall) = row(self.t.recalls, number) else { return Ok(()) };
        let other = match recall.comparison().map(|comparison| comparison.with) {
            Some(Compared::Const(constant)) => {
                self.constant(constant)?;
                None
            }
            Some(Compared::Recall(other)) => row(self.t.recalls, other),
            _ => None,
        };
        for read in std::iter::once(recall).chain(other) {
            let now = self.t.indices_of(read.now).iter().map(|watch| watch.get());
            let new = now.filter(|watch| !self.parts.watches.has(*watch));
            let new: Vec<u32> = new.collect();
            self.parts.needed.extend(new);
        }
        Ok(())
    }

    /// A condition, after those that it tests; `level` is its nesting.
    fn cond(&mut self, cond: u32, level: usize) -> Checked<Reach> {
        let known = row(&self.parts.conds, cond).unwrap_or_default();
        if known.depth > 0 {
            return Ok(known);
        }
        let at = cond as usize;
        let bad = |good, what| ensure(good, SectionKind::Conds, at, what);
        bad(level <= MODULE_DEPTH, "nested too deep")?;
        let (block, first) =
            (self.t.block(cond), row(self.t.conds, cond).map_or(0, |range| range.start.get()));
        let mut total = Reach::default();
        for (row, code) in block.iter().enumerate() {
            let place = At { cond: at, row, rows: block.len() };
            let tested = code::instruction(self.t, code, (first as usize).saturating_add(row), place)?;
            let reach = match tested {
                Some(Tested::Cond(cond)) => self.cond(cond, level.saturating_add(1))?,
                Some(Tested::Pred(pred)) => {
                    let above = (pred as usize).saturating_add(1);
                    Reach { above, ..self.pred(pred, level)? }
                }
                None => continue,
            };
            let fits = open::is_marked(code) == (reach.needs > 0);
            bad(fits, "a test of a bound node is not marked, or another is")?;
            total = total.and(reach);
        }
        total.depth = total.depth.saturating_add(1);
        bad(total.depth <= MODULE_DEPTH, "nested too deep")?;
        if let Some(place) = self.parts.conds.get_mut(at) {
            *place = total;
        }
        Ok(total)
    }

    /// A predicate and what it refers to, in a condition nested to `level`.
    fn pred(&mut self, number: u32, level: usize) -> Checked<Reach> {
        if self.parts.preds.has(number) {
            return Ok(self.parts.open.get(&number).copied().unwrap_or_default());
        }
        let (t, at) = (self.t, number as usize);
        let Some(pred) = row(t.preds, number) else {
            return ensure(false, SectionKind::Preds, at, "out of range").map(|()| Reach::default());
        };
        let op = Op::from_number(pred.op);
        // The check of globs reads constants.
        if op.is_some_and(|op| op.operands().1 == Operand::List) {
            self.list(pred.b.get())?;
        }
        if !is_common(t, &pred) {
            self.parts.detailed.pred(t, at, &pred, &mut self.parts.work)?;
        }
        let reach = match op.map(|op| op.operands().1) {
            Some(Operand::Cond) => {
                let inner = self.cond(pred.b.get(), level.saturating_add(1))?;
                open::quantifier(t, at, &pred, inner)?
            }
            other => {
                match other {
                    Some(Operand::Const) => self.constant(pred.b.get())?,
                    // It tests a node, so that it refers to no other one.
                    Some(Operand::Pred) => drop(self.pred(pred.b.get(), level)?),
                    _ => {}
                }
                match op {
                    Some(Op::Past) => self.recall(pred.a.get())?,
                    Some(Op::Recalled) => drop(self.pred(pred.a.get(), level)?),
                    _ => {}
                }
                for recall in history::slots_of(t, &pred).filter_map(|slot| history::recall_of(t, slot)) {
                    self.recall(recall)?;
                }
                open::simple(t, op, &pred)
            }
        };
        self.parts.preds.set(number);
        if reach.needs > 0 || reach.depth > 0 || reach.level > 0 {
            self.parts.open.insert(number, reach);
        }
        Ok(reach)
    }

    fn constant(&mut self, number: u32) -> Checked {
        let at = number as usize;
        let Some(constant) = row(self.t.consts, number) else {
            return ensure(false, SectionKind::Consts, at, "out of range");
        };
        if self.parts.consts.set(number) {
            text::constant(self.t, at, &constant, &mut self.parts.work)?;
        }
        Ok(())
    }

    fn optional(&mut self, constant: Option<u32>) -> Checked {
        constant.map_or(Ok(()), |constant| self.constant(constant))
    }

    /// A list of constants that ascend.
    fn list(&mut self, number: u32) -> Checked {
        let (t, at) = (self.t, number as usize);
        let Some(list) = row(t.lists, number) else {
            return ensure(false, SectionKind::Lists, at, "out of range");
        };
        if !self.parts.lists.set(number) {
            return Ok(());
        }
        text::list(t, at, list, &mut self.parts.work)?;
        let constants = t.indices_of(list);
        for constant in constants {
            self.constant(constant.get())?;
        }
        self.ascends(at, constants)
    }

    /// In a whole module, a constant is compared with the one before it. Here those of a list are compared with
    /// each other; where that is too much work, all are verified.
    fn ascends(&mut self, list: usize, constants: &[U32]) -> Checked {
        for pair in constants.windows(2) {
            let [Some(a), Some(b)] =
                [pair.first(), pair.last()].map(|row| self.t.consts.get(row?.get() as usize))
            else {
                continue;
            };
            let Some(order) = &mut self.parts.order else { return Ok(()) };
            let bytes = self.t.bytes(b.text.get()).len();
            if order.charge(bytes.saturating_add(1)).is_err() {
                self.parts.order = None;
                return text::consts(self.t, &mut Work::for_length(usize::MAX));
            }
            let less = text::Value::from_const(self.t, a).order(&text::Value::from_const(self.t, b)).is_lt();
            ensure(less, SectionKind::Lists, list, "its constants do not ascend")?;
        }
        Ok(())
    }

    fn action(&mut self, number: u32) -> Checked {
        let (t, at) = (self.t, number as usize);
        let Some(action) = row(t.actions, number) else {
            return ensure(false, SectionKind::Actions, at, "out of range");
        };
        if !self.parts.actions.set(number) {
            return Ok(());
        }
        let arguments = action::action(t, at, &action, &mut self.parts.work)?;
        let rows = arguments.start.get()..arguments.start.get().saturating_add(arguments.length.get());
        for place in rows {
            let Some(argument) = row(t.arguments, place) else { continue };
            action::argument(t, place as usize, &argument)?;
            match argument.value() {
                ParamValue::Template(node) => drop(self.template(node, 0)?),
                ParamValue::Const(constant) => self.constant(constant)?,
            }
        }
        Ok(())
    }

    /// A template node, after its children; `level` is its nesting.
    fn template(&mut self, number: u32, level: usize) -> Checked<usize> {
        let (t, at) = (self.t, number as usize);
        if let Some(depth) = self.parts.templates.get(at).and_then(|known| known.checked_sub(1)) {
            return Ok(depth);
        }
        let bad = |good, what| ensure(good, SectionKind::Templates, at, what);
        bad(level <= MODULE_DEPTH, "nested too deep")?;
        let Some(node) = row(t.templates, number) else { return bad(false, "out of range").map(|()| 0) };
        match node.form() {
            Some(TemplateForm::Const(constant)) => self.constant(constant)?,
            Some(TemplateForm::Slot { slot, default }) => {
                self.optional(default)?;
                if let Some(recall) = history::recall_of(t, slot) {
                    self.recall(recall)?;
                }
            }
            Some(TemplateForm::Nodes { default, .. }) => self.optional(default)?,
            Some(TemplateForm::Text(range) | TemplateForm::Array(range)) => {
                self.children(number, range, 1, level)?;
            }
            Some(TemplateForm::Object(range)) => self.children(number, range, 2, level)?,
            Some(TemplateForm::Because(_)) => self.reasons(&node, at)?,
            None => {}
        }
        let known = &self.parts.templates;
        let depth_of = |child: u32| {
            let known = known.get(child as usize).filter(|_| child < number);
            known.and_then(|depth| depth.checked_sub(1))
        };
        let depth = action::template(t, at, &node, depth_of, &mut self.parts.work)?;
        if let Some(place) = self.parts.templates.get_mut(at) {
            *place = depth.saturating_add(1);
        }
        Ok(depth)
    }

    /// The tests of reasons, like those of hooks.
    fn reasons(&mut self, node: &Template, at: usize) -> Checked {
        for (test, _) in self.t.reasons_of(node) {
            let needs = self.hook_test(test)?.needs;
            ensure(needs == 0, SectionKind::Templates, at, "a test of a reason reads a bound node")?;
        }
        Ok(())
    }

    /// What a hook or a watch tests.
    fn hook_test(&mut self, test: HookTest) -> Checked<Reach> {
        match test {
            HookTest::Cond(cond) => self.cond(cond, 1),
            HookTest::Pred(pred) => self.pred(pred, 0),
        }
    }

    /// The children of a node: of a range every one, or every second one.
    fn children(&mut self, parent: u32, range: Range, step: usize, level: usize) -> Checked {
        let children = self.t.indices_of(range).iter().skip(step.saturating_sub(1)).step_by(step);
        for child in children.map(|child| child.get()) {
            let what = "a child is not below its parent";
            ensure(child < parent, SectionKind::Templates, parent as usize, what)?;
            self.template(child, level.saturating_add(1))?;
        }
        Ok(())
    }
}
