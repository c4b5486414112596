//! Sessions that agents have played (`corpus/agents/past`): each event gets the answer that it got then.

use serde_json::Value;

use super::shell::Shell;
use crate::common;

#[test]
fn sessions_of_agents_are_decided_by_what_happened_before() {
    let folder = common::project().join("corpus/agents/past");
    let policy = std::fs::read_to_string(folder.join("hooks.yaml")).unwrap();
    for agent in ["claude", "codex", "copilot", "cursor", "droid", "gemini", "opencode"] {
        let shell = Shell::new(&policy);
        let text = std::fs::read_to_string(folder.join(format!("{agent}.jsonl"))).unwrap();
        let mut denied = Vec::new();
        for (number, line) in text.lines().enumerate() {
            let line: Value = serde_json::from_str(line).unwrap();
            let name = line["name"].as_str().map(|name| ["--event", name]);
            let args = [&["--host", agent][..], name.as_ref().map_or(&[], |name| &name[..])].concat();
            let run = shell.run(&args, line["event"].to_string().as_bytes(), &[]);
            let denies = run.out.contains("\"deny\"");
            assert_eq!(denies, line["denies"] == true, "{agent}, event {number}: {run:?}");
            denied.extend(denies.then_some(run.out));
        }
        let reasons = ["run the tests first", "twice already", "a secret was read"];
        assert_eq!(denied.len(), reasons.len(), "{agent}: {denied:?}");
        for (out, reason) in denied.iter().zip(reasons) {
            assert!(out.contains(reason), "{agent}: {out}");
        }
    }
}
