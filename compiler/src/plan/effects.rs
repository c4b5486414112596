//! Predicates about effects.

use std::sync::Arc;

use hookc_vm::format::op::Op;

use super::{Builder, CondId, Effect, EffectId, Left, Right, Scope, ScopeId, SlotId};
use crate::ir::{ActionScope, EffectTest, ScopePaths};

impl Builder {
    /// The condition of a predicate about effects.
    pub(super) fn acts(&mut self, test: &EffectTest) -> CondId {
        let scope = self.action_scope(&test.scope);
        let effect = Effect { predicate: Arc::clone(&test.predicate), scope };
        let effect = EffectId::new(self.effects.add(effect));
        self.test_of(Op::Acts, Left::Effect(effect), Right::None)
    }

    fn action_scope(&mut self, scope: &ActionScope) -> ScopeId {
        let ScopePaths { input, tool, host_tool, cwd, project } = scope.paths();
        let row = Scope {
            input: self.slot(&input),
            tool: tool.map(|path| self.slot(&path)),
            host_tool: host_tool.map(|path| self.slot(&path)),
            cwd: self.slot(&cwd),
            project: project.map(|path| self.slot(&path)),
            stated: scope.project.as_ref().map(|path| self.pool.string(path)),
            tools: Arc::clone(&scope.tools),
        };
        ScopeId::new(self.scopes.add(row))
    }
}

impl Scope {
    /// The row with other numbers for its slots.
    pub(super) fn renumbered(self, slot: impl Fn(SlotId) -> SlotId) -> Self {
        Self {
            input: slot(self.input),
            tool: self.tool.map(&slot),
            host_tool: self.host_tool.map(&slot),
            cwd: slot(self.cwd),
            project: self.project.map(&slot),
            ..self
        }
    }
}
