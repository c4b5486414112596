//! Predicates about effects.

use std::sync::Arc;

use hookc_vm::format::op::Op;

use super::{Builder, CondId, Effect, EffectId, Left, Right, Scope, SlotId};
use crate::ir::EffectTest;

impl Builder {
    /// The condition of a predicate about effects.
    pub(super) fn acts(&mut self, test: &EffectTest) -> CondId {
        let effect = self.effect(test);
        self.test_of(Op::Acts, Left::Effect(effect), Right::None)
    }

    /// The row of a predicate about effects.
    pub(super) fn effect(&mut self, test: &EffectTest) -> EffectId {
        let scope = self.paths.action_scope(&test.scope, &mut self.pool);
        EffectId::new(self.effects.add(Effect { predicate: Arc::clone(&test.predicate), scope }))
    }
}

impl Scope {
    /// The row with other numbers for its slots.
    pub(super) fn renumbered(&self, slot: impl Fn(SlotId) -> SlotId) -> Self {
        Self {
            input: slot(self.input),
            tool: self.tool.map(&slot),
            host_tool: self.host_tool.map(&slot),
            cwd: slot(self.cwd),
            project: self.project.map(&slot),
            stated: self.stated,
            tools: Arc::clone(&self.tools),
        }
    }
}
