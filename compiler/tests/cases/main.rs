//! One trial per directory of the corpus: reject cases against their rendered diagnostics, accept
//! cases without any, parity cases against each other, goldens of stages and formats.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::disallowed_methods,
    reason = "tests"
)]

use std::process::ExitCode;

use hookc_compiler::testing::Exercised;
use hookc_compiler::{Builtin, Compiled, Dialect, Hosts, Input, Options, compile, disasm, plan, testing};
use hookc_corpus::Case;
use hookc_schema::agents::{self, Agent};
use hookc_schema::diag::render;
use hookc_schema::tree::{Family, Layer, Policy, print};
use hookc_schema::{Code, Sources};
use hookc_vm::Module;
use libtest_mimic::{Arguments, Failed, Trial};

type Judge = fn(&Case) -> Result<(), String>;

const KINDS: [(&str, Judge); 5] =
    [("reject", reject), ("accept", accept), ("parity", parity), ("stages", stages), ("fmt", fmt)];

fn main() -> ExitCode {
    let trials = KINDS.iter().flat_map(|&(kind, judge)| {
        hookc_corpus::cases(kind).unwrap().into_iter().map(move |case| {
            Trial::test(format!("{kind}::{}", case.name), move || judge(&case).map_err(Failed::from))
        })
    });
    libtest_mimic::run(&Arguments::from_args(), trials.collect()).exit_code()
}

fn build(case: &Case, files: &[&str], options: &Options) -> (Compiled, Sources) {
    let mut sources = Sources::new();
    let mut inputs = Vec::new();
    for file in files {
        let source = sources.add(*file, case.text(file).unwrap());
        let mut input = Input::new(source);
        for choice in choices(file) {
            input = match choice {
                Choice::Dialect(dialect) => input.with_dialect(Some(dialect)),
                Choice::Managed => input.with_layer(Some(Layer::Managed)),
                Choice::Agent(_) => input,
            };
        }
        inputs.push(input);
    }
    let agent = |choice| match choice {
        Choice::Agent(agent) => Some(agent),
        Choice::Dialect(_) | Choice::Managed => None,
    };
    let hosts = Hosts::from_agents(files.iter().flat_map(|file| choices(file)).filter_map(agent));
    (compile(&mut sources, &inputs, &options.clone().hosts(hosts)), sources)
}

/// What a part of the name of a file chooses.
enum Choice {
    /// `input.directive-xml.md`
    Dialect(Dialect),
    /// `input.for-claude.yaml`
    Agent(&'static Agent),
    /// `input.managed.yaml`
    Managed,
}

/// The choices between the stem and the extension of a name.
fn choices(file: &str) -> Vec<Choice> {
    let mut parts = file.split('.').skip(1).collect::<Vec<_>>();
    parts.pop();
    let parse = |part: &str| {
        let dialect = || Dialect::all().find(|dialect| dialect.name() == part).map(Choice::Dialect);
        let agent = |name| agents::answered().find(|agent| agent.name == name).map(Choice::Agent);
        let choice = match part.strip_prefix("for-") {
            Some(name) => agent(name),
            None if part == "managed" => Some(Choice::Managed),
            None => dialect(),
        };
        choice.unwrap_or_else(|| panic!("{file}: `{part}` is no dialect, agent or layer"))
    };
    parts.into_iter().map(parse).collect()
}

fn reject(case: &Case) -> Result<(), String> {
    let name = case.name.split('-').next().unwrap();
    let code = Code::from_name(name).ok_or("the name begins with no code")?;
    let options = Options::default().builtin(Builtin::Threads);
    let (mut compiled, sources) = build(case, &case.inputs("input"), &options);
    if !compiled.failed() {
        let examples = testing::examples(&compiled, &|_| true, None, &mut Exercised::default()).unwrap();
        compiled.diagnostics.extend(examples.diagnostics);
        compiled.diagnostics.extend(testing::diagnostics(&examples.cases));
    }
    let rendered = render::text::render(&compiled.diagnostics, &sources);
    if !compiled.diagnostics.iter().any(|diagnostic| diagnostic.code == code) {
        return Err(format!("{code} is not reported\n{rendered}"));
    }
    case.expect("expected.txt", &rendered)
}

/// The case of conditions that no guard replaces.
const LOW_LEVEL: &str = "low-level-conditions";

/// Unusual but valid policies give no diagnostics, even under `--strict`.
fn accept(case: &Case) -> Result<(), String> {
    for file in case.inputs("policy") {
        let options = Options::default().builtin(Builtin::Never).strict(true);
        let (mut compiled, sources) = build(case, &[file], &options);
        // The cases are about lints of low-level conditions, which W0665 reports as such.
        compiled.diagnostics.retain(|one| one.code != Code::W0665 || case.name == LOW_LEVEL);
        if !compiled.diagnostics.is_empty() {
            return Err(format!("{file}:\n{}", render::text::render(&compiled.diagnostics, &sources)));
        }
    }
    Ok(())
}

/// Notations of one policy give one tree and one module.
fn parity(case: &Case) -> Result<(), String> {
    let options = Options::default().strip(true);
    let mut first = None;
    for file in &case.files {
        let (compiled, sources) = build(case, &[file], &options);
        let tree = comparable(&compiled.policies[0]);
        let Some(module) = compiled.module else {
            return Err(format!("{file}:\n{}", render::short::render(&compiled.diagnostics, &sources)));
        };
        let Some((first, first_tree, first_module)) = &first else {
            first = Some((file, tree, module));
            continue;
        };
        assert_eq!(first_tree, &tree, "the trees of {first} and {file}");
        assert!(first_module == &module, "the modules of {first} and {file} differ");
    }
    if case.files.len() > 1 { Ok(()) } else { Err("one notation only".to_owned()) }
}

/// The tree of a policy independent of its notation, which alone determines the first vocabulary of
/// its events, whether strings are templates, and the skill.
fn comparable(policy: &Policy) -> String {
    let mut policy = Policy { skill: None, ..policy.clone() };
    for hook in &mut policy.hooks {
        hook.family = Family::Thread;
        hook.action.templates = true;
    }
    print::policy(&policy)
}

fn stages(case: &Case) -> Result<(), String> {
    let (compiled, sources) = build(case, &case.inputs("policy"), &Options::default());
    let reported = || render::short::render(&compiled.diagnostics, &sources);
    let tree: String = compiled.policies.iter().map(print::policy).collect();
    let plan = plan::print(compiled.plan.as_ref().ok_or_else(reported)?);
    let module = Module::load(compiled.module.clone().unwrap()).unwrap();
    let asm = disasm::print(&module.tables().unwrap());
    let compared = [("tree.txt", tree), ("plan.txt", plan), ("asm.txt", asm)];
    compared.iter().try_for_each(|(file, text)| case.expect(file, text))
}

/// Formatting gives the expected text, which stays as it is when it is formatted again.
fn fmt(case: &Case) -> Result<(), String> {
    let format = |text: &str| {
        hookc_compiler::format(&case.name, text)
            .map_err(|(sources, reported)| render::text::render(&reported, &sources))
    };
    let once = format(&case.text("input.yaml").unwrap())?;
    assert_eq!(format(&once)?, once, "the second time");
    case.expect("expected.yaml", &once)
}
