//! A session remembers what happened: the third identical call is denied, and a day has a budget in all sessions.
//!
//! `cargo run --example history`
#![allow(clippy::print_stdout, reason = "an example that prints")]

use hookc::{Engine, Policy, Verdict};

const POLICY: &str = r#"
hooks:
  - id: third_identical_call
    event: PreToolUse
    when: count(PreToolUse where tool_input == now.tool_input) >= 2
    action: {type: deny, reason: "Twice is enough."}
  - id: budget
    event: PreToolUse
    when: sum(tool_input.amount of PreToolUse within 24h per user including now) > 100
    action: {type: prompt, prompt: "Spend more than 100 today?"}
"#;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let engine = Engine::new(Policy::from_yaml(POLICY)?);
    for (id, amount) in [("monday", 30), ("monday", 30), ("monday", 30), ("other", 30), ("other", 40)] {
        let event = format!(
            r#"{{"hook_event_name": "PreToolUse", "tool_name": "pay", "tool_input": {{"amount": {amount}}}}}"#
        );
        let session = engine.session(id);
        let decision = session.decide(event.as_str())?;
        let hooks: Vec<_> = decision.hooks().iter().map(hookc::MatchedHook::id).collect();
        println!("{id}: {amount} -> {hooks:?}");
        if let (Some(step), ["budget"]) = (decision.step(), &hooks[..]) {
            // The program asks, and says what became of it.
            session.settle(step, Verdict::Deny);
        }
    }
    Ok(())
}
