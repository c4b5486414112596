//! `hookc new hook`: a hook, a stub of its handler, an event to try it with,
//! and a test.
//!
//! `spec.rs` is what is wanted, asked for where it is missing (`ask.rs`);
//! `plan.rs` makes files of it, `stub.rs` the handler in them, `sample.rs` an
//! event. All is compiled before anything is written.

mod action;
mod ask;
mod overlay;
mod plan;
mod policy;
mod sample;
mod spec;
mod stub;
mod tell;
mod write;

use std::sync::Arc;

use hookc_compiler::{Compiled, Input, Options};
use hookc_schema::Sources;
use hookc_vm::{Ask, Module, Scratch};

use crate::args::{Global, NewHook};
use crate::exit::{Exit, Failure, Outcome};
use crate::out;
use ask::Asker;
use plan::{File, Plan, Role};
use spec::Spec;

pub(crate) fn run(global: &Global, args: &NewHook) -> Outcome {
    let spec = Spec::gather(args, &mut Asker::new())?;
    let mut plan = Plan::new(&spec, &args.dir);
    let (sources, compiled) = compile(&plan, &spec);
    out::diagnostics(global, &compiled.diagnostics, &sources);
    let Some(bytes) = compiled.module.clone() else {
        out::say(global, "hookc: the hook does not compile: nothing was written");
        return Ok(Exit::Errors);
    };
    let module = Module::load(bytes).map_err(|error| Failure::input(error.to_string()))?;
    let event = sample::event(&spec, &compiled);
    let (label, matches) = tried(&module, &spec, &event);
    plan.add_trial(&spec, &event, label.as_deref().filter(|_| matches));
    if args.dry_run {
        out::stdout(tell::dry(global, &plan).as_bytes())?;
        return Ok(Exit::Done);
    }
    write::all(&plan)?;
    confirm(&plan, &spec)?;
    out::stdout(tell::written(global, &plan, &spec, &args.dir).as_bytes())?;
    Ok(Exit::Done)
}

/// Compiles the policy as if all files were there.
fn compile(plan: &Plan, spec: &Spec) -> (Sources, Compiled) {
    let mut sources = Sources::new();
    let source = sources.add(plan.policy.shown(), plan.policy.text.clone());
    let input = Input { source, dialect: Some(spec.dialect), layer: None };
    let options = Options { files: Some(Arc::new(overlay::Overlay::new(plan))), ..Options::default() };
    let compiled = hookc_compiler::compile(&mut sources, &[input], &options);
    (sources, compiled)
}

/// What the hook is called, if it is the only one that decides about the
/// event; whether it does.
fn tried(module: &Module, spec: &Spec, event: &str) -> (Option<String>, bool) {
    let mut scratch = Scratch::new();
    let ask = Ask { event: Some(&spec.event), ..Ask::default() };
    let Ok(decision) = module.decide(&mut scratch, event.as_bytes(), &ask) else { return (None, false) };
    let mut hooks = decision.hooks();
    let label = hooks.next().and_then(|fired| fired.label()).map(str::to_owned);
    let own = label.as_deref().is_some_and(|label| label == spec.id || label == format!("{}#1", spec.event));
    (label, own && hooks.next().is_none())
}

/// Compiles once more, from the files: what stands there is what counts.
fn confirm(plan: &Plan, spec: &Spec) -> Result<(), Failure> {
    if plan.snippet {
        return Ok(());
    }
    let sources = crate::args::Sources {
        layers: Vec::new(),
        dialect: Some(spec.dialect.name().to_owned()),
        no_builtin: false,
        strict: false,
        no_fs: false,
        merge: "append".to_owned(),
    };
    let built = crate::load::build(std::slice::from_ref(&plan.policy.path), &sources, false)?;
    match built.compiled.diagnostics.iter().find(|diagnostic| diagnostic.is_error()) {
        None => Ok(()),
        Some(first) => {
            write::undo(plan);
            Err(Failure::input(format!("the written hook does not compile: {}", first.message)))
        }
    }
}

/// Whether a file is part of the plan only for those who try the hook.
fn is_trial(file: &File) -> bool {
    matches!(file.role, Role::Event | Role::Test)
}
