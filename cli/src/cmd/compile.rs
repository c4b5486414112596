//! `hookc compile`

use std::path::{Path, PathBuf};

use hookc_compiler::index::{self, EventReport};
use hookc_compiler::{Compiled, IndexThresholds, disasm, plan};
use hookc_schema::tree::print;
use hookc_vm::Module;

use crate::args::{Compile, Emit, Global};
use crate::exit::{Exit, Failure, Outcome};
use crate::signed::Signer;
use crate::{files, load, out};

pub(crate) fn run(global: &Global, args: &Compile) -> Outcome {
    let output = output(args)?;
    files::reject_input(&output, &args.files)?;
    let signer = args.sign.as_deref().map(|key| signer(args, &output, key)).transpose()?;
    let built = load::build(&args.files, &mut crate::files::Texts::shown(), &args.sources, args.strip)?;
    built.report(global);
    let Some(bytes) = emitted(&built.compiled, args.emit)? else {
        return Ok(Exit::Errors);
    };
    if let Some(signer) = signer {
        signer.sign(&output, &bytes, args.valid_days)?;
    }
    files::write(&output, &bytes)?;
    if args.emit == Emit::Module {
        report(global, &built.compiled, &output);
    }
    Ok(Exit::Done)
}

/// The key, before the work of compiling: a wrong password ends the command at once.
fn signer(args: &Compile, output: &Path, key: &Path) -> Result<Signer, Failure> {
    if args.emit != Emit::Module || files::is_stdin(output) {
        return Err(Failure::usage(
            "`--sign` signs a module in a file: use `-o policy.hookc`, without `--emit`",
        ));
    }
    Signer::open(key)
}

fn output(args: &Compile) -> Result<PathBuf, Failure> {
    match &args.output {
        Some(path) => Ok(path.clone()),
        None if args.emit == Emit::Module => {
            Err(Failure::usage("name the output file: `-o policy.hookc`, or `-o -` for standard output"))
        }
        None => Ok(PathBuf::from("-")),
    }
}

fn emitted(compiled: &Compiled, emit: Emit) -> Result<Option<Vec<u8>>, Failure> {
    if compiled.failed() {
        return Ok(None);
    }
    Ok(match emit {
        Emit::Tree => Some(compiled.policies.iter().map(print::policy).collect::<String>().into_bytes()),
        Emit::Plan => compiled.plan.as_ref().map(|plan| plan::print(plan).into_bytes()),
        Emit::Module => compiled.module.clone(),
        Emit::Asm => match compiled.module.clone() {
            Some(bytes) => {
                let module = load::open(Module::load, bytes, "the module")?;
                Some(disasm::print(&load::tables(&module)?).into_bytes())
            }
            None => None,
        },
    })
}

fn report(global: &Global, compiled: &Compiled, output: &Path) {
    let bytes = compiled.module.as_ref().map_or(0, Vec::len);
    let hooks: usize = compiled.linked.events.iter().map(|event| event.hooks.len()).sum();
    let events = compiled.linked.events.len();
    out::say(
        global,
        &format!(
            "{}: {bytes} bytes, {} at {}",
            files::name(output),
            out::plural(hooks, "hook"),
            out::plural(events, "event type")
        ),
    );
    let verbose = compiled.plan.as_ref().filter(|_| global.verbose > 0);
    for event in verbose.map(|plan| index::report(plan, &IndexThresholds::default())).unwrap_or_default() {
        out::say(global, &indexed(&event));
        for (label, why) in &event.always {
            out::say(global, &format!("    {label} is evaluated for every event: {why}"));
        }
    }
}

fn indexed(event: &EventReport) -> String {
    let EventReport { name, hooks, indexed, always, .. } = event;
    if !indexed {
        return format!(
            "  {name}: {}, all evaluated: an index would cost more than it saves",
            out::plural(*hooks, "hook")
        );
    }
    format!("  {name}: {}, {} found by an index", out::plural(*hooks, "hook"), hooks - always.len())
}
