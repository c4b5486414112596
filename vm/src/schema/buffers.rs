//! The buffers of schemas, reused by the next decision.

use super::run::Run;
use crate::event::{Item, TooMany, Tree};
use crate::limits::LATE_BYTES;
use crate::module::Module;
use crate::stop::{Budget, StopReason};

/// Buffers for the current value and the marks on it.
#[derive(Debug, Default)]
pub(crate) struct Buffers {
    tree: Tree,
    /// The slot whose value the tree contains.
    slot: Option<u32>,
    marks: Vec<bool>,
    text: String,
    /// Steps left in this decision.
    budget: Budget,
}

impl Buffers {
    /// Starts a decision.
    pub(crate) fn start(&mut self, module: &Module) {
        self.slot = None;
        self.budget = Budget::new(module.limits().schema_steps, StopReason::Steps);
    }

    /// Whether `item`, which is the value of `slot` if given, is present and valid against schema
    /// `schema`.
    pub(crate) fn valid(
        &mut self,
        module: &Module,
        (item, slot): (Item<'_>, Option<u32>),
        schema: u32,
    ) -> Result<bool, StopReason> {
        let known = slot.is_some() && self.slot == slot;
        // Known only after the whole value is parsed.
        self.slot = None;
        let most = module.limits().event_values;
        let nodes = if known {
            self.tree.again(item)
        } else {
            self.tree.read(item, most, module.limits().late_bytes).map_err(|TooMany| StopReason::Values)?
        };
        self.slot = slot;
        let Some(nodes) = nodes else { return Ok(false) };
        self.marks.clear();
        let (marks, text, budget) = (&mut self.marks, &mut self.text, &mut self.budget);
        let mut run = Run { module, tables: *module.tables_in_place(), nodes, marks, text, budget, depth: 0 };
        if !known {
            run.budget.charge(nodes.len())?;
        }
        let valid = run.valid(schema, nodes.root(), None);
        // Large texts do not stay next to those of the next predicate.
        if self.text.capacity() >= LATE_BYTES {
            self.text = String::new();
        }
        if self.tree.own_len() >= LATE_BYTES {
            (self.tree, self.slot) = (Tree::default(), None);
        }
        valid
    }
}
