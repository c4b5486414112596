//! Writes the cases of `corpus/eval` for the tests of a binding:
//!
//! ```text
//! DIR/NAME/policy.*          its one source
//! DIR/NAME/module.hookc      the module, with the shipped hooks
//! DIR/NAME/events.ndjson     its events
//! DIR/NAME/decisions.ndjson  the decision about each event, or {"error": MESSAGE}
//! DIR/session.hookc          a module that denies a push after an edit without a test
//! ```
//!
//! The decisions are those of the virtual machine in Rust: a binding gives the same bytes.
//! `cargo run -p hookc-bindings --features compiler --example reference DIR`
#![allow(clippy::disallowed_methods, clippy::print_stdout, reason = "a tool of the tests")]

use std::error::Error;
use std::path::Path;

use hookc::{Builtin, DecideOptions, Policy, Scratch, Source};
use hookc_corpus::Case;

/// A policy about earlier events.
const SESSION: &str = r#"
facts:
  edited: {event: PostToolUse, when: "tool_name in ['Edit', 'Write']"}
  tested: {event: PostToolUse, when: "passed('cargo test')"}
hooks:
  - event: PreToolUse
    when: may_push() and formerly(edited since tested)
    action: {type: deny, reason: Run the tests first.}
"#;

fn main() -> Result<(), Box<dyn Error>> {
    let folder = std::env::args().nth(1).ok_or("usage: reference DIR")?;
    let (mut cases, mut events) = (0, 0);
    for case in hookc_corpus::cases("eval")? {
        // Others are about sessions.
        if !case.path.join("events.ndjson").exists() {
            continue;
        }
        events += write(&case, &Path::new(&folder).join(&case.name))?;
        cases += 1;
    }
    std::fs::write(Path::new(&folder).join("session.hookc"), Policy::from_yaml(SESSION)?.module().bytes())?;
    println!("{cases} cases, {events} events");
    Ok(())
}

fn write(case: &Case, folder: &Path) -> Result<usize, Box<dyn Error>> {
    std::fs::create_dir_all(folder)?;
    let [file] = case.inputs("policy")[..] else { return Err("a case with several sources".into()) };
    let text = case.text(file)?;
    let source = Source::new(file, text.as_str());
    let policy = Policy::builder().source(source).shipped_hooks(Builtin::Always).build()?;
    let module = policy.module();
    let lines = case.bytes("events.ndjson")?;
    let (mut scratch, mut decisions, mut count) = (Scratch::new(), String::new(), 0);
    for event in lines.split(|byte| *byte == b'\n').filter(|line| !line.is_empty()) {
        match module.decide(&mut scratch, event, &DecideOptions::default()) {
            Ok(decision) => decision.write_json(&mut decisions),
            Err(error) => {
                decisions.push_str(&format!("{{\"error\":{}}}", serde_json::json!(error.to_string())))
            }
        }
        decisions.push('\n');
        count += 1;
    }
    std::fs::write(folder.join(file), text)?;
    std::fs::write(folder.join("module.hookc"), module.bytes())?;
    std::fs::write(folder.join("events.ndjson"), lines)?;
    std::fs::write(folder.join("decisions.ndjson"), decisions)?;
    Ok(count)
}
