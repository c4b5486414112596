//! Decides and executes: the runtime executes what it can, this program the rest.
//!
//! `cargo run --example execute --features runtime`
#![allow(clippy::print_stdout, reason = "an example that prints")]

use hookc::runtime::host::EventContext;
use hookc::runtime::{ActionFailure, Engine, Event, Host, Outcome};
use hookc::{Action, DecideOptions, Policy};

const POLICY: &str = r#"
action_types:
  page:
    description: Page whoever is on call
    parameters: {team: {type: string}}
hooks:
  - id: note_the_error
    event: error
    action: {type: log, level: warn, message: "the model failed: ${error.code}"}
  - id: page_somebody
    event: limit
    action: {type: page, team: platform}
"#;

/// What only this program can do.
struct Desk;

impl Host for Desk {
    fn perform(&self, action: &Action, _: &EventContext<'_>) -> Result<Outcome, ActionFailure> {
        match action {
            Action::Declared { kind, parameters } if kind == "page" => {
                println!("paging {}", parameters["team"]);
                Ok(Outcome::nothing())
            }
            other => Err(ActionFailure::unsupported(other)),
        }
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let policy = Policy::from_yaml(POLICY)?;
    let engine = Engine::new(policy.into());
    for event in [
        r#"{"event": {"type": "error"}, "error": {"code": "http_529"}}"#,
        r#"{"event": {"type": "limit"}, "limit_code": "spend_exceeded"}"#,
    ] {
        let outcome = engine.handle(&Event::new(event), &DecideOptions::default(), &Desk)?;
        for effect in &outcome.effects {
            println!("{}: {}", effect.hook.label, effect.outcome.as_str());
        }
    }
    Ok(())
}
