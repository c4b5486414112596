//! Agents: any event of any agent gets an answer that the agent can read, the same one each time, and
//! never silence where nothing could be decided.

use std::sync::OnceLock;

use hookc_compiler::{Dialect, Input, Options, compile};
use hookc_runtime::adapter;
use hookc_runtime::bridge::{self, Invocation};
use hookc_schema::Sources;
use hookc_vm::Module;

/// Every kind of verdict, at every event; nothing that starts a process.
const POLICY: &str = r#"
hooks:
  - {event: PreToolUse, when: "tool_name == 'Bash' and tool_input.command contains 'rm'", action: {type: deny, reason: "not ${tool_input.command}"}}
  - {event: PreToolUse, when: "tool_input.command starts_with 'git'", action: {type: ask, reason: "sure?"}}
  - {event: PreToolUse, when: "tool_input.file_path ends_with '.rs'", action: {type: modify, input: {file_path: "/x${tool_input.file_path}"}}}
  - {event: PreToolUse, when: "tool_name in ['Read', 'Glob']", action: {type: allow, reason: "r"}}
  - {event: [UserPromptSubmit, SessionStart, PostToolUse], action: {type: inject, text: "${prompt ?? 'x'} ${source ?? 'y'}"}}
  - {event: [Stop, SubagentStop, UserPromptSubmit], when: "exists(reason) or prompt contains 'x'", action: {type: deny, reason: "on: ${reason}"}}
  - {event: [PreToolUse, PostToolUse, Notification], when: "some(c in shell(tool_input.command).commands: c.name == 'curl')", action: {type: log, message: "${tool_name}"}}
"#;

#[allow(clippy::expect_used, clippy::panic, reason = "a policy of this file")]
pub(crate) fn module() -> &'static [u8] {
    static MODULE: OnceLock<Vec<u8>> = OnceLock::new();
    MODULE.get_or_init(|| {
        let mut sources = Sources::new();
        let source = sources.add("policy", POLICY);
        let input = Input::new(source).with_dialect(Dialect::HooksYaml);
        let compiled = compile(&mut sources, &[input], &Options::default());
        let why = || hookc_schema::diag::render::short::render(&compiled.diagnostics, &sources);
        let bytes = compiled.module.clone().unwrap_or_else(|| panic!("{}", why()));
        Module::load(bytes.clone()).expect("it loads");
        bytes
    })
}

/// The agent's name of the event in the first line, and the event; for each agent.
pub fn hosts(bytes: &[u8]) {
    let end = bytes.iter().position(|byte| *byte == b'\n').unwrap_or(0);
    let (name, event) = bytes.split_at(end);
    let name = std::str::from_utf8(name).ok().filter(|name| !name.is_empty()).map(str::to_owned);
    // The bridge answers for whoever panics within it: what may not fail is outside.
    let module = module();
    for agent in adapter::all() {
        let invocation = || {
            let mut invocation = Invocation::new(agent);
            invocation.event.clone_from(&name);
            invocation
        };
        let answer = bridge::run(invocation(), event.to_vec(), || Module::load(module.to_vec()));
        let out = answer.stdout.to_string();
        let json = serde_json::from_str::<serde_json::Value>(&out);
        // The flat runtime reads text, and its events can be in the environment alone.
        let is_flat = agent.name() == "flat";
        // Kiro takes context as plain text.
        let is_read = out.trim().is_empty() || json.is_ok() || is_flat || agent.name() == "kiro";
        assert!(is_read, "{}: {out}", agent.name());
        let is_silent = out.trim().is_empty() && answer.stderr.is_empty() && answer.code == 0;
        let is_elsewhere = is_flat && event.trim_ascii().is_empty();
        if !is_elsewhere && serde_json::from_slice::<serde::de::IgnoredAny>(event).is_err() {
            assert!(!is_silent, "{}: silence about what is no event", agent.name());
        }
        let again = bridge::run(invocation(), event.to_vec(), || Module::load(module.to_vec()));
        assert!(again == answer, "{}: another answer", agent.name());
        let failed = bridge::run(invocation(), event.to_vec(), || Err::<Module, _>("no policy"));
        let is_reported =
            failed.stderr.contains("no policy") || failed.stdout.to_string().contains("hookc: ");
        assert!(is_reported || failed.code != 0, "{}: silence without a policy", agent.name());
    }
}
