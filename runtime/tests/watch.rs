//! Reloading when files change.

use std::path::Path;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use hookc_runtime::policies::Watch;
use hookc_runtime::{Engine, Event, PolicySet};
use hookc_schema::tree::Layer;
use hookc_vm::DecideOptions;
use serde_json::json;

const EVERY: Duration = Duration::from_millis(5);

fn policy(id: &str) -> String {
    format!("hooks: [{{id: {id}, event: PreToolUse, action: {{type: deny}}}}]\n")
}

fn hooks(engine: &Engine) -> Vec<String> {
    let event = Event::from_value(json!({"hook_event_name": "PreToolUse"}));
    engine.decide(&event, &DecideOptions::default()).unwrap().hooks().map(|hook| hook.label.clone()).collect()
}

fn watched(path: &Path) -> (Arc<Engine>, Watch, Receiver<bool>) {
    let layers = PolicySet::new().with(Layer::Project, path, None);
    let engine = Arc::new(Engine::new(PolicySet::new().compile().unwrap()));
    let (send, results) = channel();
    let watch = Watch::start(engine.clone(), layers, EVERY, move |result| send.send(result.is_ok()).unwrap());
    (engine, watch.unwrap(), results)
}

fn next(results: &Receiver<bool>) -> bool {
    results.recv_timeout(Duration::from_secs(10)).unwrap()
}

#[test]
fn changes_new_files_and_lost_ones_are_seen() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name);
    std::fs::write(file("a.yaml"), policy("one")).unwrap();
    let (engine, watch, results) = watched(folder.path());
    assert!(next(&results));
    assert_eq!(hooks(&engine), ["one"]);
    std::fs::write(file("new"), policy("two")).unwrap();
    std::fs::rename(file("new"), file("a.yaml")).unwrap();
    assert!(next(&results));
    assert_eq!(hooks(&engine), ["two"]);
    std::fs::write(file("new"), "hooks: [{event: PreToolUse, action: {type: no}}]").unwrap();
    std::fs::rename(file("new"), file("a.yaml")).unwrap();
    assert!(!next(&results));
    assert_eq!(hooks(&engine), ["two"]);
    std::fs::write(file("new"), policy("three")).unwrap();
    std::fs::rename(file("new"), file("b.yaml")).unwrap();
    assert!(!next(&results));
    std::fs::remove_file(file("a.yaml")).unwrap();
    assert!(next(&results));
    assert_eq!(hooks(&engine), ["three"]);
    drop(watch);
    std::fs::write(file("b.yaml"), policy("four")).unwrap();
    assert!(results.recv_timeout(EVERY * 20).is_err());
    assert_eq!(hooks(&engine), ["three"]);
}

#[test]
fn a_file_that_is_not_there_yet() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("hooks.yaml");
    let (engine, _watch, results) = watched(&path);
    assert!(!next(&results));
    std::fs::write(folder.path().join("new"), policy("late")).unwrap();
    std::fs::rename(folder.path().join("new"), &path).unwrap();
    assert!(next(&results));
    assert_eq!(hooks(&engine), ["late"]);
}
