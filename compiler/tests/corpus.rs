//! The corpus: reject cases against their rendered diagnostics, parity cases
//! against each other, stage goldens.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

use std::collections::BTreeSet;

use hookc_compiler::testing::Exercised;
use hookc_compiler::{Builtin, Compiled, Dialect, Hosts, Input, Options, compile, disasm, plan, testing};
use hookc_corpus::Case;
use hookc_schema::agents::{self, Agent};
use hookc_schema::diag::{ALL_CODES, render};
use hookc_schema::tree::{Family, Layer, Policy, print};
use hookc_schema::{Code, Sources};
use hookc_vm::Module;

/// Codes that no small policy can report: files and limits too large for the corpus. Each has a
/// separate test.
const NO_CASE: &[Code] = &[
    Code::W0244,
    Code::W0648,
    Code::E0001,
    Code::E0002,
    Code::E0005,
    Code::E0006,
    Code::E0007,
    Code::W0008,
    Code::E0258,
    Code::E0437,
    Code::E0259,
    Code::E0703,
    Code::E0801,
    Code::E0802,
    Code::E0803,
    Code::E0999,
];

fn build(case: &Case, files: &[&str], options: &Options) -> (Compiled, Sources) {
    let mut sources = Sources::new();
    let mut inputs = Vec::new();
    for file in files {
        let source = sources.add(*file, case.text(file).unwrap());
        let layer = file.contains("managed").then_some(Layer::Managed);
        // A name such as `input.directive-xml.md` determines the dialect.
        let named = |dialect: &Dialect| file.contains(&format!(".{}.", dialect.name()));
        let dialect = Dialect::ALL.iter().copied().find(named);
        inputs.push(Input::new(source).with_dialect(dialect).with_layer(layer));
    }
    // A name such as `input.for-claude.yaml` determines the agent.
    let named = |agent: &&Agent| files.iter().any(|file| file.contains(&format!("for-{}.", agent.name)));
    let hosts = Hosts::of(agents::answered().filter(named));
    (compile(&mut sources, &inputs, &options.clone().hosts(hosts)), sources)
}

fn report(wrong: Vec<String>) {
    assert!(wrong.is_empty(), "{} cases:\n\n{}", wrong.len(), wrong.join("\n\n"));
}

#[test]
fn every_reject_case_has_its_expected_output() {
    let mut wrong = Vec::new();
    for case in hookc_corpus::cases("reject").unwrap() {
        let options = Options::default().builtin(Builtin::Threads);
        let (mut compiled, sources) = build(&case, &case.inputs("input"), &options);
        if !compiled.failed() {
            let examples = testing::examples(&compiled, &|_| true, None, &mut Exercised::default()).unwrap();
            compiled.diagnostics.extend(examples.diagnostics);
            compiled.diagnostics.extend(testing::diagnostics(&examples.cases));
        }
        let name = case.name.split('-').next().unwrap();
        let code = Code::from_name(name).unwrap_or_else(|| panic!("{}: begins with no code", case.name));
        let rendered = render::text::render(&compiled.diagnostics, &sources);
        if !compiled.diagnostics.iter().any(|diagnostic| diagnostic.code == code) {
            wrong.push(format!("{}: {code} is not told\n{rendered}", case.name));
        } else if let Err(why) = case.expect("expected.txt", &rendered) {
            wrong.push(why);
        }
    }
    report(wrong);
}

/// Unusual but valid policies give no diagnostics, even under `--strict`.
#[test]
fn every_accept_case_is_silent() {
    let cases = hookc_corpus::cases("accept").unwrap();
    assert!(!cases.is_empty());
    let mut wrong = Vec::new();
    for case in cases {
        for file in case.inputs("policy") {
            let options = Options::default().builtin(Builtin::Never).strict(true);
            let (compiled, sources) = build(&case, &[file], &options);
            if !compiled.diagnostics.is_empty() {
                wrong.push(format!(
                    "{}/{file}:\n{}",
                    case.name,
                    render::text::render(&compiled.diagnostics, &sources)
                ));
            }
        }
    }
    report(wrong);
}

#[test]
fn every_code_has_a_case() {
    let cases = hookc_corpus::cases("reject").unwrap();
    let covered: BTreeSet<Code> =
        cases.iter().filter_map(|case| Code::from_name(case.name.split('-').next()?)).collect();
    let missing: Vec<_> =
        ALL_CODES.iter().filter(|code| !covered.contains(code) && !NO_CASE.contains(code)).collect();
    assert!(missing.is_empty(), "no case in corpus/reject gives {missing:?}");
}

#[test]
fn notations_of_one_policy_give_one_module() {
    let cases = hookc_corpus::cases("parity").unwrap();
    assert!(!cases.is_empty());
    for case in cases {
        let options = Options::default().strip(true);
        let modules: Vec<_> = case
            .files
            .iter()
            .map(|file| {
                let (compiled, sources) = build(&case, &[file], &options);
                let reported = render::short::render(&compiled.diagnostics, &sources);
                let tree = comparable(&compiled.policies[0]);
                let module = compiled.module.unwrap_or_else(|| panic!("{}/{file}:\n{reported}", case.name));
                (file, tree, module)
            })
            .collect();
        assert!(modules.len() > 1, "{}: one notation only", case.name);
        for (file, tree, module) in &modules[1..] {
            let (first, first_tree, first_module) = &modules[0];
            assert_eq!(first_tree, tree, "{}: the trees of {first} and {file}", case.name);
            assert!(first_module == module, "{}: the modules of {first} and {file} differ", case.name);
        }
    }
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

#[test]
fn stages_print_as_written() {
    let mut wrong = Vec::new();
    let cases = hookc_corpus::cases("stages").unwrap();
    assert!(!cases.is_empty());
    for case in cases {
        let options = Options::default();
        let (compiled, sources) = build(&case, &case.inputs("policy"), &options);
        let reported = render::short::render(&compiled.diagnostics, &sources);
        let tree: String = compiled.policies.iter().map(print::policy).collect();
        let plan =
            plan::print(compiled.plan.as_ref().unwrap_or_else(|| panic!("{}:\n{reported}", case.name)));
        let module = Module::load(compiled.module.unwrap()).unwrap();
        let asm = disasm::print(&module.tables().unwrap());
        for (file, text) in [("tree.txt", tree), ("plan.txt", plan), ("asm.txt", asm)] {
            wrong.extend(case.expect(file, &text).err());
        }
    }
    report(wrong);
}
