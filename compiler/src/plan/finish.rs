//! The end of planning: sorts constants into the module's order, puts derived slots after those of
//! the trie, and renumbers all references to them.

use hookc_base::ConstTag;
use std::cmp::Ordering;

use hookc_vm::format::number;

use crate::fault::{Fault, Faults};

use super::paths::Paths;
use super::schema::{Finished, SchemaRule};
use super::{Builder, ConstId, Constant, Left, ListId, Plan, Pred, Right, SlotId, Template, View};

/// New numbers for old.
struct Numbers {
    consts: Vec<ConstId>,
    paths: Paths,
    faults: Faults,
}

impl Builder {
    pub(super) fn finish(self) -> Result<Plan, Fault> {
        let strings = self.pool.strings.into_rows();
        let (consts, order) = ordered(self.pool.consts.into_rows(), &strings, &self.faults);
        let faults = self.paths.faults.check(self.faults)?;
        let numbers = Numbers { consts: order, paths: self.paths, faults };
        let preds = self.preds.into_rows().into_iter().map(|pred| numbers.pred(pred)).collect();
        let lists = self.pool.lists.into_rows().into_iter().map(|list| numbers.list(list)).collect();
        let templates = self.templates.into_rows().into_iter().map(|node| numbers.template(node)).collect();
        let mut words = Finished(|id| numbers.constant(id));
        let mut reworded =
            |rules: Vec<SchemaRule>| rules.iter().map(|rule| rule.reworded(&mut words)).collect();
        let schemas = self.schemas.rows.into_iter().map(&mut reworded).collect();
        let constant = |id| numbers.constant(id);
        let slot = |slot| numbers.slot(slot);
        let views = numbers.views();
        let scopes = numbers.paths.scopes.rows().map(|scope| scope.renumbered(slot)).collect();
        let ties = self.ties.rows().map(|tie| tie.renumbered(slot)).collect();
        let cells = self.monitors.cells();
        let recalls = self.recalls.into_rows().into_iter();
        let recalls = recalls.map(|recall| recall.renumbered(slot, constant)).collect();
        let queries =
            self.queries.into_rows().into_iter().map(|query| query.renumbered(&slot, &constant)).collect();
        let mut checks = self.checks.into_rows();
        checks
            .iter_mut()
            .for_each(|check| check.minimum = check.minimum.map(|least| numbers.constant(least)));
        numbers.faults.check(())?;
        Ok(Plan {
            strings,
            consts,
            lists,
            patterns: self.pool.patterns.into_rows(),
            nodes: numbers.paths.nodes,
            slots: numbers.paths.slots,
            derived: numbers.paths.derived.into_rows(),
            views,
            wrappers: self.wrappers,
            programs: self.programs,
            schemas,
            queries,
            bounds: self.bounds.into_rows(),
            effects: self.effects.into_rows(),
            scopes,
            ties,
            cells,
            cell_names: Vec::new(),
            recalls,
            preds,
            conds: self.conds.into_rows(),
            templates,
            checks,
            actions: self.actions.into_rows(),
            events: self.events,
        })
    }
}

/// The constants in the module's order, and by old number the new one.
fn ordered(consts: Vec<Constant>, strings: &[String], faults: &Faults) -> (Vec<Constant>, Vec<ConstId>) {
    let mut order: Vec<(Constant, usize)> = consts.into_iter().zip(0..).collect();
    order.sort_unstable_by(|(a, _), (b, _)| compare(a, b, strings));
    let mut new = vec![ConstId(0); order.len()];
    for (at, (_, old)) in order.iter().enumerate() {
        faults.put(&mut new, *old, ConstId::new(at), "a constant without a place in the order");
    }
    (order.into_iter().map(|(constant, _)| constant).collect(), new)
}

fn compare(a: &Constant, b: &Constant, strings: &[String]) -> Ordering {
    let text = |c: &Constant| c.text.and_then(|id| strings.get(id.index())).map_or("", String::as_str);
    let by_text = || match a.kind {
        ConstTag::Number => number::compare(text(a), text(b)),
        _ => text(a).cmp(text(b)),
    };
    a.kind.cmp(&b.kind).then_with(by_text)
}

impl Numbers {
    fn views(&self) -> Vec<View> {
        let slot = |slot| self.slot(slot);
        let renumbered = |view: &View| View {
            cwd: view.cwd.map(slot),
            tool: view.tool.map(slot),
            project: view.project.map(slot),
            ..*view
        };
        self.paths.views.iter().map(renumbered).collect()
    }

    fn constant(&self, old: ConstId) -> ConstId {
        self.faults.known(self.consts.get(old.index()).copied(), old, "a constant without a number")
    }

    fn slot(&self, old: SlotId) -> SlotId {
        self.paths.number(old)
    }

    fn list(&self, old: Vec<ConstId>) -> Vec<ConstId> {
        let mut new: Vec<ConstId> = old.into_iter().map(|id| self.constant(id)).collect();
        new.sort_unstable();
        new
    }

    fn pred(&self, old: Pred) -> Pred {
        let right = match old.right {
            Right::Const(id) => Right::Const(self.constant(id)),
            Right::Slot(slot) => Right::Slot(self.slot(slot)),
            right @ (Right::None
            | Right::List(ListId(_))
            | Right::Pattern(_)
            | Right::Schema(_)
            | Right::Pred(_)
            | Right::Recall(_)
            | Right::Bound(_)
            | Right::Cond(_)) => right,
        };
        let left = match old.left {
            Left::Slot(slot) => Left::Slot(self.slot(slot)),
            left @ (Left::Node
            | Left::Query(_)
            | Left::Bound(_)
            | Left::Effect(_)
            | Left::Recall(_)
            | Left::Pred(_)) => left,
        };
        Pred { op: old.op, left, right }
    }

    fn template(&self, old: Template) -> Template {
        match old {
            Template::Const(id) => Template::Const(self.constant(id)),
            Template::Slot(slot, default) => {
                Template::Slot(self.slot(slot), default.map(|id| self.constant(id)))
            }
            Template::Recall(recall, default) => {
                Template::Recall(recall, default.map(|id| self.constant(id)))
            }
            Template::Nodes(query, default) => Template::Nodes(query, default.map(|id| self.constant(id))),
            other @ (Template::Because(_) | Template::Text(_) | Template::Array(_) | Template::Object(_)) => {
                other
            }
        }
    }
}
