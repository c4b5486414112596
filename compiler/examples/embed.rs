//! Embedding: compile a policy, load the module, decide about an event.
//! A program that only decides needs `hookc-vm` alone, and a module file.
#![allow(clippy::print_stdout, reason = "an example that prints")]

use hookc_compiler::{Dialect, Input, Options, compile};
use hookc_schema::Sources;
use hookc_schema::diag::render;
use hookc_vm::{DecideOptions, Module, Scratch};

const POLICY: &str = r#"
hooks:
  - id: no_force_push
    event: PreToolUse
    when: tool_name == 'Bash' and tool_input.command =~ 'git +push .*--force'
    action: {type: deny, reason: "no force pushes: ${tool_input.command}"}
"#;

const EVENT: &[u8] =
    br#"{"hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"git push --force origin"}}"#;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // Once: from text to a verified module.
    let mut sources = Sources::new();
    let source = sources.add("policy.yaml", POLICY);
    let input = Input { source, dialect: Some(Dialect::HooksYaml), layer: None };
    let compiled = compile(&mut sources, &[input], &Options::default());
    let Some(bytes) = compiled.module else {
        return Err(render::text::render(&compiled.diagnostics, &sources).into());
    };
    let module = Module::load(bytes)?;

    // Per thread: a scratch. Per event: a decision.
    let mut scratch = Scratch::new();
    let decision = module.decide(&mut scratch, EVENT, &DecideOptions::default())?;
    for hook in decision.hooks() {
        let mut action = String::new();
        hook.render(&mut action)?;
        println!("{}: {action}", hook.label().unwrap_or("(stripped)"));
    }
    Ok(())
}
