//! What the data say that each agent can be answered with, held against what its
//! adapter makes of every verdict at every event.

use std::collections::BTreeMap;

use hookc_runtime::adapter::{self, Adapter, Answer};
use hookc_runtime::verdict::{self, Change, Permission};
use hookc_schema::agent::{self, Agent, Verdict};
use serde_json::{Map, Value, json};

/// A word that stands in an answer only if the hook's verdict is in it.
const MARK: &str = "mark-of-the-hook";

/// An event of an agent, with all that any of them has.
fn event(native: &str) -> Value {
    json!({
        "hook_event_name": native,
        "tool_name": "Bash",
        "tool_input": {"command": "ls"},
        "command": "ls",
        "tool_response": "out",
        "prompt": "hello",
        "file_path": "/a",
    })
}

/// What the runtime has for a verdict of the table.
fn merged(verdict: Verdict) -> verdict::Verdict {
    let of = |permission| verdict::Verdict::of(permission, Some(MARK.to_owned()));
    match verdict {
        Verdict::Allow => of(Permission::Allow),
        Verdict::Deny => of(Permission::Deny),
        Verdict::Ask => of(Permission::Ask),
        Verdict::Defer => of(Permission::Defer),
        Verdict::Modify => {
            let fields = Map::from_iter([("command".to_owned(), Value::from(MARK))]);
            verdict::Verdict { change: Some(Change { whole: false, fields }), ..verdict::Verdict::default() }
        }
        Verdict::Inject => verdict::Verdict::context(MARK),
        Verdict::Output => {
            verdict::Verdict { output: Some(Value::from(MARK)), ..verdict::Verdict::default() }
        }
        Verdict::Prompt => verdict::Verdict { prompt: Some(MARK.to_owned()), ..verdict::Verdict::default() },
        Verdict::Stop => verdict::Verdict { stop: Some(MARK.to_owned()), ..verdict::Verdict::default() },
    }
}

/// Whether an answer carries a verdict: it says something, and nothing of what an
/// adapter says of a thing that the agent has no way to do.
fn carries(answer: &Answer, verdict: Verdict) -> bool {
    let all = format!("{}{}", answer.stdout, answer.stderr);
    if all.contains("this agent does not support") || all.contains("cannot be denied") {
        return false;
    }
    match verdict {
        Verdict::Allow => all.contains("allow") && answer.code == 0,
        Verdict::Ask => all.contains("\"ask\""),
        Verdict::Defer => all.contains("\"defer\""),
        Verdict::Stop => answer.stdout.to_string().contains("\"continue\":false"),
        Verdict::Deny => all.contains(MARK) && (answer.code != 0 || answer.stdout.to_string().contains(MARK)),
        _ => answer.code == 0 && answer.stdout.to_string().contains(MARK),
    }
}

fn observed(host: &dyn Adapter, native: &str) -> Vec<&'static str> {
    let incoming = host.read(event(native).to_string().into_bytes(), None).unwrap();
    let can = |verdict: &&Verdict| carries(&host.answer(&incoming, &merged(**verdict)), **verdict);
    Verdict::ALL.iter().filter(can).map(|verdict| verdict.name()).collect()
}

fn declared(agent: &Agent, native: &str) -> Vec<&'static str> {
    let event = agent.event(native).unwrap();
    Verdict::ALL.iter().filter(|verdict| event.can(**verdict)).map(|verdict| verdict.name()).collect()
}

#[test]
fn every_adapter_matches_its_data() {
    let mut wrong = BTreeMap::new();
    let mut checked = 0;
    for host in adapter::ALL {
        let agent = agent::of(host.name()).unwrap_or_else(|| panic!("{} has no data", host.name()));
        assert!(agent.host, "{}", agent.name);
        for own in &agent.events {
            let (is, said) = (observed(*host, &own.name), declared(agent, &own.name));
            checked += Verdict::ALL.len();
            if is != said {
                wrong.insert(format!("{} {}", agent.name, own.name), (is, said));
            }
        }
    }
    assert!(wrong.is_empty(), "what it does, and what the data say: {wrong:#?}");
    assert!(checked > 800, "{checked}");
    let known = |agent: &Agent| adapter::of(&agent.name).is_some();
    assert!(agent::hosts().all(known) && agent::hosts().count() == adapter::ALL.len());
}

#[test]
fn every_adapter_names_events_and_tools_as_its_data_do() {
    for host in adapter::ALL {
        let agent = agent::of(host.name()).unwrap();
        for own in &agent.events {
            let incoming = host.read(event(&own.name).to_string().into_bytes(), None).unwrap();
            assert_eq!((&incoming.name, &incoming.native), (&own.event, &own.name), "{}", agent.name);
        }
        let renamed = host.renamed().iter().map(|(own, event)| ((*own).to_owned(), (*event).to_owned()));
        let declared = agent.events.iter().filter(|own| own.event != own.name);
        let declared = declared.map(|own| (own.name.clone(), own.event.clone()));
        let [mut is, mut said]: [Vec<_>; 2] = [renamed.collect(), declared.collect()];
        is.sort();
        said.sort();
        assert_eq!(is, said, "{}", agent.name);
    }
}
