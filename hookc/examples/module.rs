//! A compiled policy within the program: the virtual machine alone, no compiler.
//! `hookc compile policy.yaml -o policy.hookc` wrote the module.
//!
//! `cargo run --example module --no-default-features`
#![allow(clippy::print_stdout, reason = "an example that prints")]

use hookc::{Engine, Policy};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let engine = Engine::new(Policy::from_module(include_bytes!("policy.hookc"))?);
    for command in ["ls", "rm -rf /", "rm -r build"] {
        let event = format!(
            r#"{{"hook_event_name": "PreToolUse", "tool_name": "Bash", "tool_input": {{"command": "{command}"}}}}"#
        );
        let decision = engine.decide(&event)?;
        match decision.hooks().first() {
            Some(hook) => println!("{command}: {}", hook.to_json()?),
            None => println!("{command}: no opinion"),
        }
    }
    Ok(())
}
