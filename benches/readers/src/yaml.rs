//! YAML: what is lost, and what it costs.

use std::hint::black_box;

use hookc_benches::{Shape, Spec, Workload, read};

use crate::{median, row, short};

/// A policy whose action is `{type: deny, reason: VALUE}` or another text.
const CASES: &[(&str, &str)] = &[
    ("a duplicate key", "{type: deny, reason: one, reason: two}"),
    ("a merge key", "{<<: &base {type: deny}, reason: x}"),
    ("a large number", "{type: modify, input: {n: 9007199254740993.0}}"),
    ("a small difference", "{type: modify, input: {n: 0.1000000000000000055511151231257827}}"),
    ("an integer beyond 64 bits", "{type: modify, input: {n: 123456789012345678901234567890}}"),
    ("an exponent", "{type: modify, input: {n: 1e400}}"),
    ("not a number", "{type: modify, input: {n: .nan}}"),
    ("a tag", "{type: modify, input: {n: !secret x}}"),
    ("a number as key", "{type: modify, input: {1: x}}"),
    ("a list as key", "{type: modify, input: {[a]: x}}"),
    ("a misspelt key", "{type: deny, reson: x}"),
];

fn policy(action: &str) -> String {
    format!("hooks:\n  - event: PreToolUse\n    action: {action}\n")
}

/// What readers make of each case: the action, or the error.
pub fn cases() {
    println!("\nYAML: the action of a hook, as each reader gives it\n");
    row(&["case", "text", "serde_yaml to serde_json::Value", "serde_yaml::Value", "hookc"]);
    row(&["---", "---", "---", "---", "---"]);
    for (name, action) in CASES {
        let text = policy(action);
        let json = serde_yaml::from_str::<serde_json::Value>(&text);
        let json =
            json.map_or_else(|error| format!("error: {error}"), |all| all["hooks"][0]["action"].to_string());
        let own = serde_yaml::from_str::<serde_yaml::Value>(&text);
        let own = own.map_or_else(
            |error| format!("error: {error}"),
            |all| serde_yaml::to_string(&all["hooks"][0]["action"]).unwrap_or_else(|error| error.to_string()),
        );
        let hookc = read::error(&text, false).or_else(|| read::action(&text)).unwrap_or_default();
        let code = |text: &str| format!("`{}`", short(text));
        row(&[name, &code(action), &code(&json), &code(&own.trim().replace('\n', "; ")), &code(&hookc)]);
    }
}

/// Ten thousand hooks: a tree of values.
pub fn speed() {
    let yaml = Workload::new(Spec::new(Shape::Mixed, 10_000, 0)).yaml();
    let [hookc, json, own] = median([
        &|| assert!(read::yaml(black_box(&yaml))),
        &|| assert!(serde_yaml::from_str::<serde_json::Value>(black_box(&yaml)).is_ok()),
        &|| assert!(serde_yaml::from_str::<serde_yaml::Value>(black_box(&yaml)).is_ok()),
    ]);
    println!("\nReading {:.1} MB of YAML, 10,000 hooks, ms (median)\n", yaml.len() as f64 / 1e6);
    row(&["hookc, values with spans", "serde_yaml to serde_json::Value", "serde_yaml::Value"]);
    row(&["---:", "---:", "---:"]);
    row(&[&format!("{hookc:.0}"), &format!("{json:.0}"), &format!("{own:.0}")]);
}
