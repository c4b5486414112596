//! Every verb at every agent: a guard is installed, denies once, is alive, is broken in ten ways that are found, and is
//! removed.
#![cfg(unix)]

use std::fs;
use std::path::PathBuf;

use hookc_schema::agents::{self, Agent};
use serde_json::Value;

use crate::common::{project, put, read};
use crate::probe::Place;

const GUARD: &str =
    "hooks:\n  - {id: push, event: PreToolUse, when: pushes(), action: {type: deny, reason: guard-push}}\n";

/// The agents whose settings `install` writes; every fourth in the short run.
fn installed() -> impl Iterator<Item = &'static Agent> {
    agents::answered().filter(|agent| agent.settings.is_some()).step_by(hookc_corpus::effort(1, 4))
}

/// A project in which the guard is installed, and the file with its calls for commands.
pub(crate) fn guarded(agent: &Agent) -> (Place, PathBuf) {
    let place = Place::new();
    put(place.root(), "guard.yaml", GUARD);
    let installed = place.hookc(&["install", &agent.name, "guard.yaml"]);
    assert_eq!(installed.code, 0, "{}: {}", agent.name, installed.err);
    let rows = place.hookc(&["-q", "status", "--json"]).out;
    let settings = rows.lines().map(|row| serde_json::from_str::<Value>(row).unwrap());
    let file = settings.map(|row| place.root().join(row["settings"].as_str().unwrap())).next().unwrap();
    (place, file)
}

/// The agent's event before `git push`, as the corpus has it, and its name.
fn sample(agent: &Agent) -> (String, String) {
    let text = read(project().join("corpus/agents"), &format!("{}.json", agent.name));
    let samples: Value = serde_json::from_str(&text.replace("$COMMAND", "git push")).unwrap();
    let event = samples["tools"]["Bash"].clone();
    let stated = agent.protocol.names.iter().find_map(|name| event[name].as_str());
    let native = agent.native("PreToolUse").unwrap().name.as_str();
    (event.to_string(), stated.unwrap_or(native).to_owned())
}

#[test]
fn every_verb_works_at_every_agent() {
    for agent in installed() {
        let (name, (place, file)) = (agent.name.as_str(), guarded(agent));
        let verb = |args: &[&str], code: i32| {
            let run = place.hookc(args);
            assert_eq!(run.code, code, "{name} {args:?}: {run:?}");
            run
        };
        verb(&["check", "guard.yaml", "--host", name], 0);
        if !agent.settings.as_ref().is_some_and(|settings| settings.scripts) {
            read_back(&place, agent, file.to_str().unwrap());
        }
        let again = verb(&["install", name, "guard.yaml"], 0).err;
        assert!(again.contains("already"), "{name}: {again}");
        let found = verb(&["doctor"], 0);
        assert!(!found.out.contains("dead") && found.err.contains("no dead hooks"), "{name}: {found:?}");
        assert!(verb(&["probe", name], 0).out.contains("alive"), "{name}");
        verb(&["status"], 1);
        let (event, native) = sample(agent);
        let run = place.run(&["run", "--host", name, "guard.yaml", "--event", &native], &event, &[]);
        assert!(format!("{}{}", run.out, run.err).contains("guard-push"), "{name}: {run:?}");
        verb(&["uninstall", name], 0);
        let left = place.hookc(&["status"]);
        assert!(left.out.is_empty() && left.err.contains("no call of `hookc run`"), "{name}: {left:?}");
        let left = fs::read_to_string(&file).unwrap_or_default();
        assert!(!left.contains("hookc"), "{name}: {left}");
    }
}

/// The settings of an agent are valid, and read as its own.
fn read_back(place: &Place, agent: &Agent, file: &str) {
    let (host, options) = (agent.name.as_str(), ["--no-builtin", "--no-fs", "-v", file]);
    let found = place.hookc(&[&["check", "--format", "short"], &options[..]].concat());
    let is_clean = !found.out.contains("warning") && !found.err.contains("warning");
    let dialect = if agent.form.is_some() { host } else { "settings" };
    let is_read = found.err.contains(&format!("read as {dialect}"));
    assert!(found.code == 0 && is_clean && is_read, "{host}: {found:?}");
    let listed = place.hookc(&[&["list"], &options[..]].concat()).out;
    // An agent with an event for each tool has a call for each of them.
    let before = agent.events.iter().filter(|known| known.event == "PreToolUse");
    let (parts, whole): (Vec<_>, Vec<_>) = before.partition(|known| known.part);
    let expected = if whole.is_empty() { parts.len() } else { 1 };
    let calls = listed.matches(&format!("run --host {host}")).count();
    assert_eq!(calls, expected, "{host}: {listed}");
}

/// How a text with a call becomes one that does not guard.
type Break = fn(&str) -> String;

/// Ways to break a set-up by its settings.
const BREAKS: [(&str, Break); 7] = [
    ("cut in half", |text| text[..text.len() / 2].to_owned()),
    ("a missing program", |text| text.replace("hookc run", "hookc-gone run")),
    ("another agent", |text| text.replace("--host ", "--host flat-")),
    ("an unknown option", |text| text.replace("--since ", "--sinse ")),
    ("a policy that is not there", |text| text.replace("guard.yaml", "gard.yaml")),
    ("no input", |text| text.replace(" --since ", " < /dev/null --since ")),
    ("hooks that are off", |text| text.replace(" run --host", " run --disabled --host")),
];

#[test]
fn ten_ways_to_break_it_are_found_at_every_agent() {
    for agent in installed() {
        let (name, (place, file)) = (agent.name.as_str(), guarded(agent));
        let text = fs::read_to_string(&file).unwrap();
        let find = |what: &str, variables: &[(&str, &str)]| {
            let found = place.run(&["probe", name], "", variables);
            assert_eq!(found.code, 1, "{name}, {what}: {found:?}");
        };
        for (what, change) in BREAKS {
            let changed = change(&text);
            assert_ne!(changed, text, "{name}, {what}");
            fs::write(&file, changed).unwrap();
            find(what, &[]);
        }
        fs::write(&file, &text).unwrap();
        put(place.root(), "guard.yaml", "hooks: [{event: PreToolUse, acton: x}]");
        find("a policy that does not compile", &[]);
        let found = place.hookc(&["doctor"]);
        assert!(found.code == 1 && found.out.contains("dead"), "{name}: {found:?}");
        put(place.root(), "guard.yaml", GUARD);
        find("a variable that turns hooks off", &[("HOOKC_DISABLE", "1")]);
        fs::remove_file(&file).unwrap();
        find("no settings", &[]);
    }
}
