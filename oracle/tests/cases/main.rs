//! One trial per case of `corpus/eval`: decided by the VM and by the oracle, against its golden.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    missing_docs,
    unreachable_pub,
    dead_code,
    reason = "tests"
)]

#[path = "../common/mod.rs"]
mod common;

use std::process::ExitCode;

use hookc_compiler::{Builtin, Dialect, Input, Options, compile};
use hookc_corpus::Case;
use hookc_schema::Sources;
use hookc_schema::tree::Layer;
use hookc_vm::{DecideOptions, Scratch};
use libtest_mimic::{Arguments, Failed, Trial};

fn main() -> ExitCode {
    let trial =
        |case: Case| Trial::test(format!("eval::{}", case.name), move || run(&case).map_err(Failed::from));
    let trials = hookc_corpus::cases("eval").unwrap().into_iter().map(trial);
    libtest_mimic::run(&Arguments::from_args(), trials.collect()).exit_code()
}

fn run(case: &Case) -> Result<(), String> {
    let mut sources = Sources::new();
    let mut inputs = Vec::new();
    for file in case.inputs("policy") {
        let source = sources.add(file, case.text(file).unwrap());
        // A name such as `policy.workflow.yaml` determines the dialect.
        let dialect = Dialect::all().find(|dialect| file.contains(&format!(".{}.", dialect.name())));
        inputs.push(Input::new(source).with_dialect(dialect));
    }
    let options = Options::default().builtin(Builtin::Always);
    let compiled = compile(&mut sources, &inputs, &options);
    let diagnostics = hookc_schema::diag::render::short::render(&compiled.diagnostics, &sources);
    let Some(bytes) = compiled.module else {
        return Err(format!("{} does not compile:\n{diagnostics}", case.name));
    };
    let module = common::load(bytes);
    let mut policies = compiled.policies;
    let shipped = compiled.shipped.and_then(|_| policies.pop());
    let oracle =
        common::oracle(&policies.into_iter().map(|policy| (policy, Layer::Directive)).collect(), shipped);
    let mut scratch = Scratch::default();
    let mut actual = String::new();
    for event in case.bytes("events.ndjson").unwrap().split(|&b| b == b'\n').filter(|line| !line.is_empty()) {
        let (line, vm) = match module.decide(&mut scratch, event, &DecideOptions::default()) {
            Ok(decision) => {
                let seen = common::seen(&decision);
                (show(&seen), Some(seen))
            }
            Err(error) => (format!("! {error}\n"), None),
        };
        let judged = oracle.decide(event, &hookc_oracle::DecideOptions::default()).map(common::judged);
        if vm != judged.clone().ok() {
            let event = String::from_utf8_lossy(event);
            return Err(format!("{}: {event}\nvm:     {vm:?}\noracle: {judged:?}", case.name));
        }
        actual.push_str(&line);
    }
    case.expect("expected.txt", &actual)
}

fn show((event, hooks, reported): &common::Seen) -> String {
    let one = |(_, label, action): &(usize, String, Option<String>)| {
        let plain = action.as_deref() == Some(r#"{"type":"continue"}"#);
        let action = if plain { "" } else { action.as_deref().unwrap_or("(action violates its parameters)") };
        format!(" {label}{}{action}", if plain { "" } else { " " })
    };
    let hooks: Vec<String> = hooks.iter().map(one).collect();
    let reported: Vec<String> = reported.iter().map(one).collect();
    let reported =
        if reported.is_empty() { String::new() } else { format!(" | reported:{}", reported.join(",")) };
    let hooks = if hooks.is_empty() { " no opinion".to_owned() } else { hooks.join(",") };
    format!("{event}:{hooks}{reported}\n")
}
