//! A terminating process ends its handlers. The termination is final: this is one test, in its own
//! process.
#![cfg(unix)]
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::disallowed_methods,
    reason = "tests"
)]

#[path = "../support/mod.rs"]
mod support;

use std::path::Path;
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use hookc_runtime::engine::Engine;
use hookc_runtime::host::NoopHost;
use hookc_runtime::process::{Command, Ended, StartError, Status, is_ending, terminate_all, unless_ending};
use hookc_runtime::skill::Scripts;
use hookc_runtime::{Event, EventOutcome, Outcome, PolicySet};
use hookc_schema::tree::Layer;
use hookc_vm::DecideOptions;
use serde_json::{Value, json};
use support::{gone, lines};

/// Started processes, and the results for their callers.
struct Waited<T> {
    pids: Vec<String>,
    by: JoinHandle<T>,
}

/// Handlers that ignore SIGTERM, that handle it, and that end by it.
fn handlers(folder: &Path) -> Vec<Waited<Ended>> {
    let stubborn = "trap '' TERM; (trap '' TERM; sleep 100) & echo $! > s; sleep 100 & echo $! >> s; echo $$ >> s; \
                    while :; do sleep 1; done";
    let cases = [
        ("s", 3, stubborn),
        ("p", 2, "trap 'echo {}; exit 0' TERM; echo $$ > p; sleep 100 & echo $! >> p; wait"),
        ("n", 1, "echo $$ > n; exec sleep 100"),
    ];
    let start = |(file, count, line): (&str, usize, &str)| {
        let mut command = Command::shell(line.to_owned());
        command.cwd = Some(folder.to_owned());
        let by = std::thread::spawn(move || command.run().unwrap());
        Waited { pids: lines(&folder.join(file), count), by }
    };
    cases.into_iter().map(start).collect()
}

fn script(folder: &Path, name: &str, text: &str) -> String {
    let path = folder.join(name);
    std::fs::write(&path, format!("import os, time\ndef execute(context):\n    {text}\n")).unwrap();
    path.to_str().unwrap().to_owned()
}

fn call(scripts: &Scripts, script: &str) -> Result<Value, String> {
    let called = scripts.execute(script, "a", &json!({}), Duration::from_secs(60));
    called.map(|(value, _)| value).map_err(|error| error.to_string())
}

/// A worker in the midst of a call.
fn busy(folder: &Path) -> Waited<Result<Value, String>> {
    let file = folder.join("b");
    let name = file.to_str().unwrap();
    let text = format!("print(os.getpid(), file=open({name:?}, 'w', buffering=1)); time.sleep(100)");
    let sleepy = script(folder, "busy.py", &text);
    let by = std::thread::spawn(move || call(&Scripts::default(), &sleepy));
    Waited { pids: lines(&file, 1), by }
}

/// A decision whose handler runs.
fn decision(folder: &Path) -> Waited<EventOutcome> {
    let guard = folder.join("guard");
    let text = "hooks: [{id: g, event: PreToolUse, on_error: retry, action: {type: run, result: agent, command: \
                'echo $$ >> guard; sleep 100'}}]";
    let file = folder.join("hooks.yaml");
    std::fs::write(&file, text.replace(">> guard", &format!(">> {}", guard.display()))).unwrap();
    let engine = Engine::new(PolicySet::new().with(Layer::Project, file, None).compile().unwrap());
    let by = std::thread::spawn(move || {
        let event = Event::from_value(
            json!({"hook_event_name": "PreToolUse", "tool_name": "Bash", "tool_input": {}}),
        );
        engine.handle(&event, &DecideOptions::default(), &NoopHost).unwrap()
    });
    Waited { pids: lines(&guard, 1), by }
}

impl<T> Waited<T> {
    /// The outcome, when all have ended.
    fn gone(self) -> T {
        self.pids.iter().for_each(|pid| gone(pid));
        self.by.join().unwrap()
    }
}

/// Ends all, in a time that leaves it no way to wait for any of them.
fn end() {
    let start = Instant::now();
    terminate_all();
    assert!(start.elapsed() < Duration::from_secs(10), "{:?}", start.elapsed());
}

#[test]
fn all_end_with_this_process() {
    let folder = tempfile::tempdir().unwrap();
    let handlers = handlers(folder.path());
    let idle = Scripts::default();
    let idle_script = script(folder.path(), "idle.py", "return os.getpid()");
    let worker = call(&idle, &idle_script).unwrap().to_string();
    let busy = busy(folder.path());
    let decision = decision(folder.path());
    assert!(!is_ending() && unless_ending(|| 1) == Some(1));
    end();
    gone(&worker);
    for handler in handlers {
        assert_eq!(handler.gone().status, Status::Stopped);
    }
    assert!(busy.gone().is_err());

    // A failing handler of the grouped format is ignored, but not one that was prevented from
    // answering; and it was not retried.
    let handled = decision.gone();
    let Outcome::Failed(failure) = &handled.effects[0].outcome else { panic!("{handled:?}") };
    assert_eq!(failure.why, "stopped, because this process is terminating");
    assert!(handled.verdict().0.permission.is_some() && handled.effects[0].tries == 1);

    // Nothing starts any more.
    assert!(is_ending() && unless_ending(|| 1).is_none());
    assert!(matches!(Command::shell("true").run(), Err(StartError::Ending)));
    assert!(call(&idle, &idle_script).is_err());
    end();
}
