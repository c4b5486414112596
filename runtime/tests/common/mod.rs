//! Shared by the tests of the runtime: compiled policies.
#![allow(dead_code, reason = "no test uses all of it")]

use hookc_compiler::{Input, Options, compile};
use hookc_runtime::Engine;
use hookc_schema::Sources;
use hookc_schema::diag::render::short;
use hookc_vm::Module;

/// A policy without the shipped hooks.
pub(crate) fn module(policy: &str) -> Module {
    compiled(policy, &Options::default())
}

/// Like `module` in an engine.
pub(crate) fn engine(policy: &str) -> Engine {
    Engine::new(module(policy))
}

/// A policy as it is linked.
pub(crate) fn compiled(policy: &str, options: &Options) -> Module {
    let mut sources = Sources::new();
    let source = sources.add("hooks.yaml", policy);
    let compiled = compile(&mut sources, &[Input::new(source)], options);
    let reported = short::render(&compiled.diagnostics, &sources);
    Module::load(compiled.module.unwrap_or_else(|| panic!("{reported}"))).unwrap()
}
