//! The public cases of another engine of temporal policies (`../shared/suites`, or `HOOKC_SHARED`), translated into
//! hooks. Its text is not part of this project; without it the test reports that it was skipped.
#![allow(clippy::float_cmp, clippy::cast_precision_loss, reason = "tests")]

mod read;
mod translate;

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use hookc_compiler::Dialect;
use hookc_history::Limits;
use hookc_oracle::{Keys, Verdict};
use hookc_schema::tree::{Layer, Policy};
use serde_json::Value;

use crate::common;
use crate::history::sessions::{Answer, Event, Sessions};

/// Cases and verdicts that are equal, and the cases that compile: those with bounded histories. A change must be
/// deliberate.
const EQUAL: (usize, usize, usize) = (508, 3_219, 505);

struct Case {
    policy: Policy,
    traces: Vec<(Trace, Vec<(usize, bool)>)>,
}

/// Events: the time, the type and the text of each. The expected verdicts go by their numbers.
type Trace = Vec<(u64, String, String)>;

fn case(files: &serde_json::Map<String, Value>) -> Result<Case, String> {
    let text = |name: &str| files.get(name).and_then(Value::as_str);
    let mut rules = Vec::new();
    for (_, policy) in files.iter().filter(|(name, _)| name.ends_with(".dw")) {
        rules.extend(read::policy(policy.as_str().unwrap_or_default())?);
    }
    let schema = text("event.dwschema").map_or_else(|| Ok(read::Schema::default()), read::schema)?;
    let (mut traces, mut events) = (Vec::new(), BTreeSet::new());
    for (name, expected) in files.iter().filter(|(name, _)| name.starts_with("expected_")) {
        let trace = text(&name.replace("expected_", "trace_").replace(".out", ".log")).ok_or("no trace")?;
        let lines = trace.lines().filter(|line| !line.trim().is_empty());
        let trace = lines.map(read::trace).collect::<Result<Vec<_>, String>>()?;
        events.extend(trace.iter().map(|(_, event, _)| event.clone()));
        let expected = expected.as_str().unwrap_or_default();
        traces.push((trace, expected.lines().map(verdict).collect::<Result<_, String>>()?));
    }
    Ok(Case { policy: translate::policy(&rules, &schema, &events)?, traces })
}

/// `@30 (time point 7): true`
fn verdict(line: &str) -> Result<(usize, bool), String> {
    let (_, rest) = line.split_once("time point ").ok_or("a verdict")?;
    let (number, truth) = rest.split_once("): ").ok_or("a verdict")?;
    Ok((number.parse().map_err(|_| "a number".to_owned())?, truth == "true"))
}

/// What was found about a case.
#[derive(Default)]
struct Found {
    /// How many verdicts of the oracle are equal.
    equal: usize,
    /// Which ones differ, also from those of the VM.
    different: Vec<String>,
    /// Why the policy does not compile.
    unbounded: Option<String>,
}

fn judge(case: &Case) -> Found {
    let mut found = Found::default();
    let policies = vec![(case.policy.clone(), Layer::Project)];
    let oracle = common::oracle(&policies, None);
    let module = match common::build(&common::yaml(&policies), Dialect::HooksYaml, false, false) {
        Ok(built) => Some(common::load(built.bytes)),
        Err(why) => {
            found.unbounded = Some(why);
            None
        }
    };
    let key = || Some("s".to_owned());
    let keys: Keys = [key(), key(), key(), key()];
    for (trace, expected) in &case.traces {
        let mut sessions = Sessions::new(module.as_ref(), &oracle, Limits::default());
        for (number, (time, _, text)) in trace.iter().enumerate() {
            let event = Event { text: text.clone(), at: time * 1_000, keys: keys.clone() };
            let (vm, judge) = sessions.step(&event, true, false, |_| Verdict::None);
            if vm.as_ref().is_some_and(|vm| *vm != judge) {
                found.different.push(format!("event {number}: vm {vm:?}, oracle {judge:?}"));
            }
            let Some((_, expected)) = expected.iter().find(|(at, _)| *at == number) else { continue };
            if judge.as_ref().is_ok_and(|answer| permits(answer) == Some(*expected)) {
                found.equal += 1;
            } else {
                found.different.push(format!("event {number}: {judge:?}, not {expected}"));
            }
        }
    }
    found
}

/// Whether a hook allows and none denies; nothing if one is unknown.
fn permits(answer: &Answer) -> Option<bool> {
    let has = |kind: &str| {
        let is_kind = |action: &String| action.contains(&format!("\"type\":\"{kind}\""));
        answer.seen.1.iter().any(|(_, _, action)| action.as_ref().is_some_and(is_kind))
    };
    answer.unknown.is_empty().then(|| has("allow") && !has("deny"))
}

#[test]
fn cases_of_another_engine_are_decided_as_it_does() {
    let shared =
        std::env::var_os("HOOKC_SHARED").map_or_else(|| PathBuf::from("../../shared"), PathBuf::from);
    let Ok(cases) = std::fs::read_to_string(shared.join("suites/dogwood-temporal/cases.ndjson")) else {
        eprintln!("skipped: the cases are not here");
        return;
    };
    let (mut skipped, mut equal, mut verdicts, mut different) = (BTreeMap::new(), 0, 0, Vec::new());
    let mut unbounded = Vec::new();
    for line in cases.lines() {
        let whole: Value = serde_json::from_str(line).unwrap();
        let name = whole["name"].as_str().unwrap().to_owned();
        let case = match case(whole["files"].as_object().unwrap()) {
            Ok(case) => case,
            Err(why) => {
                skipped.entry(why).or_insert_with(Vec::new).push(name);
                continue;
            }
        };
        let found = judge(&case);
        unbounded.extend(found.unbounded.map(|why| format!("{name}: {why}")));
        if found.different.is_empty() {
            (equal, verdicts) = (equal + 1, verdicts + found.equal);
        } else {
            different.push(format!("{name}: {}", found.different.join("; ")));
        }
    }
    if std::env::var_os("HOOKC_DIFFERENCES").is_some() {
        for (why, names) in &skipped {
            eprintln!("{} {why}: {}", names.len(), names.join(" "));
        }
        eprintln!(
            "{equal} cases, {verdicts} verdicts, {} do not compile:\n{}",
            unbounded.len(),
            unbounded.join("\n")
        );
    }
    assert!(different.is_empty(), "{} differ:\n{}", different.len(), different.join("\n"));
    assert_eq!((equal, verdicts, equal - unbounded.len()), EQUAL);
}
