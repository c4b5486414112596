//! One trial per case of `corpus/eval`: decided by the VM and by the oracle, against its golden. The events of
//! `events.ndjson` are independent, the steps of `steps.ndjson` have a history.
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
#[path = "../histogram.rs"]
mod histogram;
#[path = "../history/sessions.rs"]
mod sessions;

use std::process::ExitCode;

use hookc_compiler::{Builtin, Dialect, Input, Options, compile};
use hookc_corpus::Case;
use hookc_history::Limits;
use hookc_oracle::{Oracle, Verdict};
use hookc_schema::Sources;
use hookc_schema::tree::Layer;
use hookc_vm::{DecideOptions, Module, Scratch};
use libtest_mimic::{Arguments, Failed, Trial};
use serde_json::Value;
use sessions::{Event, Sessions};

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
    let actual = match case.text("steps.ndjson") {
        Ok(steps) => sequence(case, &module, &oracle, &steps)?,
        Err(_) => independent(case, &module, &oracle)?,
    };
    case.expect("expected.txt", &actual)
}

fn independent(case: &Case, module: &Module, oracle: &Oracle) -> Result<String, String> {
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
    Ok(actual)
}

/// Steps have the keys of the steps of a test: `event`, `at` in seconds from the first step, and `outcome`.
fn sequence(case: &Case, module: &Module, oracle: &Oracle, steps: &str) -> Result<String, String> {
    let mut sessions = Sessions::new(Some(module), oracle, Limits::default());
    let (mut at, mut actual) = (0, String::new());
    for line in steps.lines().filter(|line| !line.is_empty()) {
        let step: Value = serde_json::from_str(line).map_err(|why| format!("{line}: {why}"))?;
        at = step["at"].as_u64().unwrap_or(at + 1);
        let given = |name: &str| step["event"][name].as_str().unwrap_or_default().to_owned();
        let session =
            step["event"].get("session_id").is_none_or(Value::is_string).then(|| given("session_id"));
        let agent = session.as_ref().map(|session| format!("{session} {}", given("agent_id")));
        let keys = [session, agent, Some(given("project_dir")), Some("user".to_owned())];
        // The event is the last key, so that its text is taken as it is.
        let text = line.split_once("\"event\": ").and_then(|(_, rest)| rest.strip_suffix('}'));
        let text = text.ok_or_else(|| format!("{line}: `event` comes last"))?.to_owned();
        let event = Event { text, at: 1_000_000 + at * 1_000, keys };
        let verdict = |seen: &common::Seen| verdict(step["outcome"].as_str(), seen);
        let (vm, judge) = sessions.step(&event, false, false, verdict);
        let vm = vm.ok_or("no module")?;
        if vm.as_ref().ok() != judge.as_ref().ok() {
            return Err(format!("{}: {line}\nvm:     {vm:?}\noracle: {judge:?}", case.name));
        }
        actual.push_str(&match vm {
            Ok(answer) if answer.unknown.is_empty() => show(&answer.seen),
            Ok(answer) => {
                format!("{} | unknown: {}\n", show(&answer.seen).trim_end(), answer.unknown.join(", "))
            }
            Err(error) => format!("! {error}\n"),
        });
    }
    Ok(actual)
}

/// What the step says, else what the strictest action is.
fn verdict(outcome: Option<&str>, seen: &common::Seen) -> Verdict {
    match outcome {
        Some("denied") => return Verdict::Deny,
        Some("asked") => return Verdict::Ask,
        Some("allowed") => return Verdict::Allow,
        Some(_) => return Verdict::None,
        None => {}
    }
    let kind = |(_, _, action): &(usize, String, Option<String>)| {
        let action: Option<Value> = serde_json::from_str(action.as_deref()?).ok();
        match action?["type"].as_str()? {
            "deny" => Some(Verdict::Deny),
            "ask" => Some(Verdict::Ask),
            "allow" => Some(Verdict::Allow),
            _ => None,
        }
    };
    seen.1.iter().filter_map(kind).max().unwrap_or_default()
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
