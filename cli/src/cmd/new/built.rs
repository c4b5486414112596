//! A policy with the new hook, compiled as if all planned files were there.

use std::sync::Arc;

use hookc_compiler::{Builtin, Compiled, Files, Input, Options};
use hookc_schema::tree::Hook;
use hookc_schema::{Code, Diagnostic, Sources, Span};
use hookc_vm::{DecideOptions, Module, Scratch};

use super::overlay::Overlay;
use super::plan::{Decides, Plan};
use super::spec::Spec;
use crate::exit::Failure;
use crate::load;

/// A compilation of the policy's file.
pub(super) struct Built {
    pub(super) sources: Sources,
    pub(super) compiled: Compiled,
    /// Which of its hooks is the new one.
    pub(super) index: Option<usize>,
}

impl Built {
    /// For a text that its file could have.
    pub(super) fn new(plan: &Plan, spec: &Spec, text: &str, index: Option<usize>) -> Self {
        let mut sources = Sources::new();
        let source = sources.add(plan.policy.shown(), text);
        let input = Input::new(source).with_dialect(spec.dialect);
        let files = Some(Arc::new(Overlay::new(plan)) as Arc<dyn Files>);
        let options = Options::default().builtin(Builtin::Threads).files(files);
        let compiled = hookc_compiler::compile(&mut sources, &[input], &options);
        Self { sources, compiled, index }
    }

    /// The hooks in the file.
    pub(super) fn hooks(&self) -> &[Hook] {
        self.compiled.policies.first().map_or(&[], |policy| &policy.hooks)
    }

    /// Whether the new hook has an action that no agent executes at its event.
    pub(super) fn is_inert(&self) -> bool {
        let Some(hook) = self.index.and_then(|index| self.hooks().get(index)) else { return false };
        let within = |span: Span| {
            span.source == hook.span.0.source && hook.span.0.range().contains(&span.range().start)
        };
        self.compiled.diagnostics.iter().any(|one| one.code == Code::W0430 && one.span().is_some_and(within))
    }

    /// Diagnostics that the file did not have before.
    pub(super) fn new_diagnostics(&self, before: &Self) -> Vec<Diagnostic> {
        let mut known: Vec<_> = before
            .compiled
            .diagnostics
            .iter()
            .map(|diagnostic| (diagnostic.code, &diagnostic.message))
            .collect();
        let is_new = |diagnostic: &&Diagnostic| {
            let at = known.iter().position(|known| *known == (diagnostic.code, &diagnostic.message));
            at.map(|at| known.swap_remove(at)).is_none()
        };
        self.compiled.diagnostics.iter().filter(is_new).cloned().collect()
    }

    /// The policy that decides about an event.
    pub(super) fn decides(&self, spec: &Spec, event: &str) -> Result<Decides, Failure> {
        let bytes = self.compiled.module.clone().unwrap_or_default();
        let module: Module = load::open(Module::load, bytes, "the compiled policy")?;
        let mut scratch = Scratch::new();
        let ask = DecideOptions::default().event(spec.event.as_str());
        let Ok(decision) = module.decide(&mut scratch, event.as_bytes(), &ask) else {
            return Ok(Decides::None);
        };
        let hook = self.index.and_then(|index| self.hooks().get(index));
        let location = hook.map(|hook| self.sources.line_col(hook.span.0));
        let mut fired = decision.hooks();
        Ok(match (fired.next(), fired.next()) {
            (None, _) => Decides::None,
            (Some(one), None) if one.location().map(|(_, line, column)| (line, column)) == location => {
                one.label().map_or(Decides::Others, |label| Decides::Alone(label.to_owned()))
            }
            _ => Decides::Others,
        })
    }
}
