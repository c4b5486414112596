//! A guard in ten lines: a policy in YAML, an event as JSON, the hooks that match.
//!
//! `cargo run --example guard`
#![allow(clippy::print_stdout, reason = "an example that prints")]

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let event_bytes = br#"{
        "hook_event_name": "PreToolUse",
        "tool_name": "Bash",
        "tool_input": {"command": "git push --force"}
    }"#;

    let policy = hookc::Policy::from_yaml(
        r#"
hooks:
  - event: PreToolUse
    when: may_push()
    action: {type: ask, reason: "Push ${tool_input.command}?"}
"#,
    )?;
    let engine = hookc::Engine::new(policy);
    let decision = engine.decide(event_bytes)?;
    for hook in decision.hooks() {
        println!("{} -> {:?}", hook.id(), hook.action()?);
    }
    Ok(())
}
