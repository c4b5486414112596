//! `hookc new hook`: a hook, a stub of its handler, an event to try it with,
//! and a test.
//!
//! `spec.rs` determines the wanted hook and asks for missing values (`crate::ask`); `plan.rs` plans its
//! files, `stub.rs` the handler, `sample.rs` an event; `put.rs` adds the hook to an existing file.
//! Everything is compiled before anything is written (`built.rs`).

mod action;
mod built;
mod overlay;
mod plan;
mod policy;
mod put;
mod sample;
mod spec;
mod stub;
mod tell;
mod tool;
mod write;

use crate::args::{Format, Global, New, NewHook, NewVerb};
use crate::ask::Asker;
use crate::exit::{Exit, Failure, Outcome};
use crate::out;
pub(super) use spec::DIALECTS;

use built::Built;
use plan::{Placement, Plan};
use spec::Spec;

pub(crate) fn run(global: &Global, args: &New) -> Outcome {
    match (&args.verb, &args.recipe) {
        (Some(NewVerb::Hook(args)), _) => hook(global, args),
        (None, Some(name)) => super::starter::recipe(global, name, &args.to),
        (None, None) => Err(Failure::usage("name a recipe with `--recipe`, or call `hookc new hook`")),
    }
}

fn hook(global: &Global, args: &NewHook) -> Outcome {
    let spec = Spec::gather(args, &mut Asker::new())?;
    let mut plan = Plan::new(&spec, &args.dir);
    let alone = Built::new(&plan, &spec, &plan.policy.text, Some(0));
    if alone.compiled.failed() {
        out::diagnostics(global, &alone.compiled.diagnostics, &alone.sources);
        out::say(global, "hookc: the hook does not compile: nothing was written");
        return Ok(Exit::Errors);
    }
    if alone.is_inert() {
        out::diagnostics(global, &alone.compiled.diagnostics, &alone.sources);
        out::say(global, "hookc: no agent executes this action at this event: nothing was written");
        return Ok(Exit::Errors);
    }
    let event = sample::event(&spec, &alone.compiled);
    let Some(built) = put::into(global, &mut plan, &spec, alone)? else { return Ok(Exit::Errors) };
    plan.add_trial(&spec, &event, &built.decides(&spec, &event)?);
    if matches!(plan.placement, Placement::Exists) {
        plan.keep();
    }
    if args.dry_run {
        let text = tell::dry(global, &plan);
        if global.format == Format::Json { out::json(&text) } else { out::text(&text) }?;
        return Ok(Exit::Done);
    }
    let backup = write::all(&plan)?;
    confirm(&plan, &spec)?;
    tell::written(global, &plan, &spec, &args.dir, backup.as_deref())?;
    Ok(Exit::Done)
}

/// Compiles again from the written files.
fn confirm(plan: &Plan, spec: &Spec) -> Result<(), Failure> {
    if matches!(plan.placement, Placement::Shown | Placement::Exists) {
        return Ok(());
    }
    let dialect = Some(spec.dialect.name().to_owned());
    let sources = crate::args::Sources { dialect, ..crate::args::Sources::plain() };
    let built = crate::load::build(
        std::slice::from_ref(&plan.policy.path),
        &mut crate::files::Texts::default(),
        &sources,
        false,
    )?;
    match built.compiled.diagnostics.iter().find(|diagnostic| diagnostic.is_error()) {
        None => Ok(()),
        Some(first) => {
            write::undo(plan);
            Err(Failure::input(format!("the written hook does not compile: {}", first.message)))
        }
    }
}
