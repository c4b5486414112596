//! A process that is told to end takes its handlers along. What is ended here
//! stays so: this is one test.
#![cfg(unix)]
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::disallowed_methods,
    reason = "tests"
)]

mod support;

use std::path::Path;
use std::time::{Duration, Instant};

use hookc_runtime::engine::Engine;
use hookc_runtime::host::Bare;
use hookc_runtime::process::{Command, Ended, StartError, Status, end_all, is_ending, unless_ending};
use hookc_runtime::skill::Scripts;
use hookc_runtime::{Event, Layered, Outcome};
use hookc_schema::tree::Layer;
use hookc_vm::Ask;
use serde_json::json;
use support::{gone, lines};

fn policy(folder: &Path) -> Engine {
    let file = folder.join("hooks.yaml");
    let text = "hooks: [{id: g, event: PreToolUse, on_error: retry, action: {type: run, result: agent, command: \
                'echo $$ >> guard; sleep 100'}}]";
    std::fs::write(&file, text.replace(">> guard", &format!(">> {}", folder.join("guard").display())))
        .unwrap();
    Engine::new(Layered::new().with(Layer::Project, file, None).compile().unwrap())
}

#[test]
fn all_end_with_this_process() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let run = |line: &str| {
        let mut command = Command::shell(line.to_owned());
        command.cwd = Some(folder.path().to_owned());
        std::thread::spawn(move || command.run().unwrap())
    };
    let stubborn = "trap '' TERM; (trap '' TERM; sleep 100) & echo $! > s; sleep 100 & echo $! >> s; echo $$ >> s; \
                    while :; do sleep 1; done";
    let handlers: Vec<(std::thread::JoinHandle<Ended>, Vec<String>)> = [
        ("s", 3, stubborn),
        ("p", 2, "trap 'echo {}; exit 0' TERM; echo $$ > p; sleep 100 & echo $! >> p; wait"),
        ("n", 1, "echo $$ > n; exec sleep 100"),
    ]
    .into_iter()
    .map(|(file, count, line)| (run(line), lines(&at(file), count)))
    .collect();

    let script = |name: &str, text: &str| {
        std::fs::write(at(name), format!("import os, time\ndef execute(context):\n    {text}\n")).unwrap();
        at(name).to_str().unwrap().to_owned()
    };
    let (idle, busy) = (Scripts::default(), Scripts::default());
    let own = script("idle.py", "return os.getpid()");
    let minute = Duration::from_secs(60);
    let worker = idle.execute(&own, "a", &json!({}), minute).unwrap().0.to_string();
    let file = at("b");
    let text = format!(
        "print(os.getpid(), file=open({:?}, 'w', buffering=1)); time.sleep(100)",
        file.to_str().unwrap()
    );
    let sleepy = script("busy.py", &text);
    let call = std::thread::spawn(move || busy.execute(&sleepy, "a", &json!({}), minute));
    let mut all = lines(&file, 1);
    all.push(worker);

    let engine = policy(folder.path());
    let decided = std::thread::spawn(move || {
        let event =
            Event::of(json!({"hook_event_name": "PreToolUse", "tool_name": "Bash", "tool_input": {}}));
        engine.handle(&event, &Ask::default(), &Bare).unwrap()
    });
    all.extend(lines(&at("guard"), 1));

    assert!(!is_ending() && unless_ending(|| 1) == Some(1));
    let start = Instant::now();
    end_all();
    assert!(start.elapsed() < Duration::from_secs(4), "{:?}", start.elapsed());
    all.iter().for_each(|pid| gone(pid));
    for (handler, pids) in handlers {
        assert_eq!(handler.join().unwrap().status, Status::Stopped);
        pids.iter().for_each(|pid| gone(pid));
    }
    assert!(call.join().unwrap().is_err());

    // A handler of the grouped form that fails is passed over, but not one that
    // was never let to answer; and it was not tried again.
    let handled = decided.join().unwrap();
    let Outcome::Failed(failure) = &handled.effects[0].outcome else { panic!("{handled:?}") };
    assert_eq!(failure.why, "stopped, since this process is to end");
    assert!(handled.opinion().0.permission.is_some() && handled.effects[0].tries == 1);

    // Nothing starts any more.
    assert!(is_ending() && unless_ending(|| 1).is_none());
    assert!(matches!(Command::shell("true").run(), Err(StartError::Ending)));
    assert!(idle.execute(&own, "a", &json!({}), minute).is_err());
    let start = Instant::now();
    end_all();
    assert!(start.elapsed() < Duration::from_secs(1));
}
