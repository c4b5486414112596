//! What `explain` says about the events of a case, compared with what `eval` decides.

use hookc_corpus::Case;
use serde_json::Value;

use crate::common::{hookc, project};

/// The tested part of a line of `explain`; values can be numbers that `f64` cannot represent.
#[derive(serde::Deserialize)]
struct Line {
    hook: String,
    verdict: String,
}

pub(crate) fn agrees(case: &Case) -> Result<(), String> {
    let [policy] = case.inputs("policy")[..] else { return Ok(()) };
    let policy = case.path.join(policy).to_str().unwrap().to_owned();
    // A line that is an array would be read as an array of events.
    // Steps have a history, which `eval` of one event has not.
    let Ok(events) = case.text("events.ndjson") else { return Ok(()) };
    let events: Vec<&str> = events.lines().filter(|line| !line.starts_with('[')).collect();
    let evals = hookc(project(), &["eval", &policy, "-"], events.join("\n")).out;
    let evals: Vec<Value> = evals.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(evals.len(), events.len());
    // Each event starts a process.
    for (event, eval) in events.into_iter().zip(evals).step_by(hookc_corpus::effort(1, 4)) {
        let run = hookc(project(), &["explain", &policy, "-", "--format", "json"], event);
        assert_eq!(run.code == 1, eval["error"].is_string(), "{event}: {}", run.err);
        verdicts_agree(event, &run.out, &eval);
        trees_agree(event, &run.out);
    }
    Ok(())
}

fn verdicts_agree(event: &str, explained: &str, eval: &Value) {
    let hooks: Vec<Line> = explained.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let named = |verdict: &str| -> Vec<&str> {
        hooks.iter().filter(|hook| hook.verdict == verdict).map(|hook| hook.hook.as_str()).collect()
    };
    let decided = |key: &str| -> Vec<&str> {
        eval[key].as_array().into_iter().flatten().filter_map(|hook| hook["hook"].as_str()).collect()
    };
    assert_eq!(named("decides"), decided("decision"), "{event}");
    assert_eq!(named("reported"), decided("reported"), "{event}");
}

fn trees_agree(event: &str, explained: &str) {
    for line in explained.lines() {
        // Values can be numbers that `f64` cannot represent: other tests cover those lines.
        let Ok(line) = serde_json::from_str::<Value>(line) else { continue };
        let matched = line["verdict"] != "no match";
        assert_eq!(judged(&line["condition"]), Some(matched), "{event}: {line}");
    }
}

/// The outcome of a tree from those of its tests.
fn judged(part: &Value) -> Option<bool> {
    let parts = |word: &str| part[word].as_array().cloned();
    let stated = part["outcome"].as_bool();
    let (all, parts) = match (parts("all"), parts("any")) {
        (Some(parts), _) => (true, parts),
        (_, Some(parts)) => (false, parts),
        _ => return stated,
    };
    let outcomes: Vec<Option<bool>> = parts.iter().map(judged).collect();
    let decided = outcomes.iter().position(|outcome| *outcome == Some(!all));
    if stated.is_some() {
        assert_eq!(stated, Some(decided.is_none() == all), "{part}");
        let needed = decided.unwrap_or(outcomes.len());
        assert!(outcomes[..needed].iter().all(Option::is_some), "{part}");
        assert!(outcomes.iter().skip(needed + 1).all(Option::is_none), "{part}");
    } else {
        assert!(outcomes.iter().all(Option::is_none), "{part}");
    }
    stated
}
