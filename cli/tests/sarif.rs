//! `check --format sarif` and `check --format github`.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::fs;

use serde_json::Value;

use crate::common;
use crate::documents::copy;

/// The schema of OASIS for SARIF 2.1.0, errata 01, without line ends.
fn schema() -> jsonschema::Validator {
    // Its pattern for languages has a bracket that must be escaped.
    let text = include_str!("sarif/schema.json").replace("]?$", r"\\]?$");
    jsonschema::validator_for(&serde_json::from_str(&text).unwrap()).unwrap()
}

fn log(directory: &std::path::Path, args: &[&str]) -> Value {
    let args = [&["check", "--format", "sarif"], args].concat();
    serde_json::from_str(&common::hookc(directory, &args, "").out).unwrap()
}

fn results(log: &Value) -> &[Value] {
    log["runs"][0]["results"].as_array().unwrap()
}

#[test]
fn the_log_of_the_rejected_cases_is_valid_and_the_same_each_time() {
    let corpus = common::project().join("corpus/reject");
    let mut cases: Vec<_> = fs::read_dir(&corpus).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    cases.sort();
    let place = tempfile::tempdir().unwrap();
    let cases: Vec<_> = cases.iter().step_by(hookc_corpus::effort(1, 20)).collect();
    cases.iter().for_each(|name| copy(&corpus.join(name), &place.path().join(name)));
    let (directory, args) = (place.path(), ["check", "--format", "sarif", "-v", "."]);
    let (first, second) = (common::hookc(directory, &args, ""), common::hookc(directory, &args, ""));
    assert_eq!(first.out, second.out);
    let log: Value = serde_json::from_str(&first.out).unwrap();
    let wrong: Vec<_> = schema().iter_errors(&log).map(|error| error.to_string()).take(5).collect();
    assert!(wrong.is_empty(), "{wrong:?}");
    let results = results(&log);
    assert!(results.len() >= cases.len(), "{} results of {} cases", results.len(), cases.len());
    let rules = log["runs"][0]["tool"]["driver"]["rules"].as_array().unwrap();
    for result in results {
        let index = usize::try_from(result["ruleIndex"].as_u64().unwrap()).unwrap();
        assert_eq!(rules[index]["id"], result["ruleId"]);
        let artifact = &result["locations"][0]["physicalLocation"]["artifactLocation"];
        assert_eq!(artifact["uriBaseId"], "%SRCROOT%", "{result}");
        let uri = artifact["uri"].as_str().unwrap();
        assert!(!uri.starts_with('/') && !uri.contains(' '), "{uri}");
    }
    let fingerprints: BTreeSet<_> =
        results.iter().map(|result| result["partialFingerprints"]["hookc/v1"].as_str().unwrap()).collect();
    assert_eq!(fingerprints.len(), results.len());
    let levels: BTreeSet<_> = results.iter().map(|result| result["level"].as_str().unwrap()).collect();
    assert!(levels.contains("error") && levels.contains("warning"), "{levels:?}");
    assert!(results.iter().any(|result| result["fixes"].is_array()), "no fix");
}

const WRONG: &str = "hooks:
  - id: first
    event: PreToolUse
    whne: tool_name == 'Bash'
    action: {type: deny, reason: No.}
  - id: second
    event: PreToolUse
    when: tool_nme == 'Bash'
    action: {type: deny, reason: No.}
  - id: third
    event: PreToolUse
    when: tool_nme == 'Bash'
    action: {type: ask, reason: May I?}
";

/// Where each fingerprint is.
fn fingerprints(log: &Value) -> BTreeMap<String, u64> {
    let one = |result: &Value| {
        let line = result["locations"][0]["physicalLocation"]["region"]["startLine"].as_u64().unwrap();
        (result["partialFingerprints"]["hookc/v1"].as_str().unwrap().to_owned(), line)
    };
    results(log).iter().map(one).collect()
}

#[test]
fn fingerprints_stay_when_lines_move() {
    let place = tempfile::tempdir().unwrap();
    common::put(place.path(), "guard.yaml", WRONG);
    let before = fingerprints(&log(place.path(), &["guard.yaml"]));
    let lines: BTreeSet<_> = before.values().copied().collect();
    assert!(lines.is_superset(&[4, 8, 12].into()), "{before:?}");
    // The hooks differ, so no fingerprint needs a number.
    assert!(before.keys().all(|one| one.ends_with(":1")), "{before:?}");
    common::put(place.path(), "guard.yaml", "# a line\n".repeat(10) + WRONG);
    let after = fingerprints(&log(place.path(), &["guard.yaml"]));
    let moved: BTreeMap<_, _> = before.into_iter().map(|(one, line)| (one, line + 10)).collect();
    assert_eq!(after, moved);
}

#[test]
fn a_policy_without_problems_has_a_run_without_results() {
    let place = tempfile::tempdir().unwrap();
    common::put(place.path(), "a policy.yaml", "hooks: [{event: Stop, action: {type: continue}}]\n");
    let log = log(place.path(), &["a policy.yaml"]);
    assert_eq!(results(&log), [] as [Value; 0]);
    assert_eq!(log["runs"][0]["tool"]["driver"]["name"], "hookc");
}

#[test]
fn files_are_named_by_uris() {
    let place = tempfile::tempdir().unwrap();
    common::put(place.path(), "a policy.yaml", WRONG);
    let absolute = place.path().join("a policy.yaml");
    let (absolute, other) = (absolute.to_str().unwrap(), tempfile::tempdir().unwrap());
    let uri = |log: &Value| results(log)[0]["locations"][0]["physicalLocation"]["artifactLocation"].clone();
    for name in ["a policy.yaml", "./a policy.yaml"] {
        let found = uri(&log(place.path(), &[name]));
        assert_eq!(found, serde_json::json!({"uri": "a%20policy.yaml", "uriBaseId": "%SRCROOT%"}));
    }
    let found = uri(&log(other.path(), &[absolute]));
    assert_eq!(found["uri"], format!("file://{}", absolute.replace(' ', "%20")));
    assert_eq!(found["uriBaseId"], Value::Null);
}

/// GitHub keeps 5,000 results of a run.
#[test]
fn the_worst_results_are_kept_and_the_others_counted() {
    let place = tempfile::tempdir().unwrap();
    let hooks = |action: &str| {
        (0..900).fold("hooks:\n".to_owned(), |mut text, n| {
            let _ = writeln!(text, "  - {{id: h{n}, event: Stop, {action}}}");
            text
        })
    };
    for n in 0..6 {
        // A key that no hook has is an error.
        common::put(place.path(), &format!("p{n}.yaml"), hooks("nonsense: 1, action: {type: continue}"));
    }
    let log = log(place.path(), &["."]);
    let results = results(&log);
    assert_eq!(results.len(), 5_000);
    let last = results.last().unwrap();
    assert_eq!((last["ruleId"].as_str(), last["level"].as_str()), (Some("W0648"), Some("error")), "{last}");
    let text = last["message"]["text"].as_str().unwrap();
    assert!(text.ends_with("more diagnostics are omitted: SARIF has at most 5000"), "{text}");
}

#[test]
fn annotations_are_commands_of_one_line() {
    let place = tempfile::tempdir().unwrap();
    common::put(place.path(), "a,b%c.yaml", WRONG);
    let run = common::hookc(place.path(), &["check", "--format", "github", "a,b%c.yaml"], "");
    assert_eq!((run.code, run.err.as_str()), (1, ""));
    let lines: Vec<_> = run.out.lines().collect();
    assert!(lines.len() >= 3 && lines.iter().all(|line| line.starts_with("::")), "{}", run.out);
    assert!(
        lines[0].starts_with(
            "::error file=a%2Cb%25c.yaml,line=4,endLine=4,col=5,endColumn=9,title=E0201%3A an unknown key::"
        ),
        "{}",
        lines[0]
    );
    assert!(lines[0].ends_with("::a hook has no key `whne`%0Ahelp: did you mean `when`?"), "{}", lines[0]);
}

/// A value of a policy cannot write a command of its own.
#[test]
fn a_policy_cannot_write_workflow_commands() {
    let place = tempfile::tempdir().unwrap();
    let text = "hooks:\n  - {event: \"Stop\\n::stop-commands::x\", action: {type: continue}}\n";
    common::put(place.path(), "guard.yaml", text);
    let run = common::hookc(place.path(), &["check", "--strict", "--format", "github", "guard.yaml"], "");
    assert!(run.out.contains("stop-commands"), "{}", run.out);
    for line in run.out.lines() {
        assert!(line.starts_with("::error file=") || line.starts_with("::warning file="), "{line}");
    }
}

#[test]
fn the_formats_are_for_check() {
    let place = tempfile::tempdir().unwrap();
    for format in ["sarif", "github"] {
        let run = common::hookc(place.path(), &["list", "--format", format], "");
        assert_eq!(run.code, 2, "{}", run.out);
        assert_eq!(run.err, "hookc: `--format sarif` and `--format github` are for `hookc check`\n");
        let fix = common::hookc(place.path(), &["check", "--fix", "--format", format, "-"], "hooks: []\n");
        assert_eq!(fix.code, 2, "{}", fix.out);
    }
}
