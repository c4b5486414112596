//! `modify: {rewrite: ...}`: commands of a line begin with other words, at each agent that takes another input.

use serde_json::json;

use super::shell::{Shell, tool};

const POLICY: &str = "\
hooks:
  - id: pnpm
    event: PreToolUse
    when: may_run('npm', 'npx')
    action: {type: modify, rewrite: {npm: pnpm, npm ci: pnpm install --frozen-lockfile, npx: pnpm dlx}}
";

#[test]
fn the_line_begins_its_commands_with_other_words() {
    let shell = Shell::new(POLICY);
    let line = "cd 'my web' && sudo npm ci --x \"npm\" | tee log; npx tsc";
    let new = "cd 'my web' && sudo pnpm install --frozen-lockfile --x \"npm\" | tee log; pnpm dlx tsc";
    let gemini = json!({"hook_event_name": "BeforeTool", "session_id": "s", "cwd": "/", "tool_name": "run_shell_command", "tool_input": {"command": line, "description": "d"}});
    for (host, event) in
        [("claude", tool("PreToolUse", line)), ("codex", tool("PreToolUse", line)), ("gemini", gemini)]
    {
        let run = shell.host(host, &event);
        let new = serde_json::to_string(new).unwrap();
        assert!(run.code == 0 && run.out.contains(&format!("\"command\":{new}")), "{host}: {run:?}");
    }
}

#[test]
fn a_line_that_cannot_be_rewritten_is_denied() {
    let shell = Shell::new(POLICY);
    for (line, why) in [
        ("sh -c 'npm ci'", "a command that begins with `npm ci` cannot be rewritten"),
        ("N=npm; $N ci", "a command that begins with `npm ci` cannot be rewritten"),
        ("$X ci", "no command begins with words that `rewrite` replaces"),
        ("npm i && /usr/bin/npm install", "a command that begins with `npm` cannot be rewritten"),
        ("npm 'ci", "the command line cannot be read"),
    ] {
        let run = shell.host("claude", &tool("PreToolUse", line));
        assert!(run.out.contains("\"deny\"") && run.out.contains(why), "{line}: {run:?}");
    }
    let open = Shell::new(&POLICY.replace("    action:", "    on_failure: open\n    action:"));
    let run = open.host("claude", &tool("PreToolUse", "sh -c 'npm ci'"));
    assert!(
        !run.out.contains("deny") && run.out.contains("begins with `npm ci` cannot be rewritten"),
        "{run:?}"
    );
    // Nothing to change: no opinion.
    assert_eq!(open.host("claude", &tool("PreToolUse", "pnpm ci")).out, "");
}

/// The wrappers that a policy declares start commands too.
#[test]
fn a_declared_wrapper_starts_commands() {
    let shell = Shell::new(&format!("wrappers: [company-run]\n{POLICY}"));
    let run = shell.host("claude", &tool("PreToolUse", "company-run npm ci && npm test"));
    assert!(run.out.contains("company-run pnpm install --frozen-lockfile && pnpm test"), "{run:?}");
    let run = shell.host("claude", &tool("PreToolUse", "npm test; company-run /opt/npm ci"));
    assert!(run.out.contains("\"deny\"") && run.out.contains("cannot be rewritten"), "{run:?}");
}
