//! Scripts of skills, in a real interpreter.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::print_stderr,
    clippy::disallowed_methods,
    reason = "tests"
)]

mod common;

use std::time::{Duration, Instant};

use hookc_runtime::Event;
use hookc_runtime::effect::Outcome;
use hookc_runtime::skill::Scripts;
use hookc_vm::Ask;
use serde_json::{Value, json};

struct Skills {
    folder: tempfile::TempDir,
    scripts: Scripts,
}

impl Skills {
    fn new(files: &[(&str, &str)]) -> Option<Self> {
        let python = std::process::Command::new("python3").arg("--version").output();
        if !python.is_ok_and(|done| done.status.success()) {
            eprintln!("skipped: there is no python3");
            return None;
        }
        let folder = tempfile::tempdir().unwrap();
        for (name, text) in files {
            std::fs::write(folder.path().join(name), text).unwrap();
        }
        Some(Self { folder, scripts: Scripts::default() })
    }

    fn path(&self, name: &str) -> String {
        self.folder.path().join(name).to_str().unwrap().to_owned()
    }

    fn call(&self, name: &str, skill: &str, event: Value) -> Result<(Value, String), String> {
        self.scripts.execute(&self.path(name), skill, &event, Duration::from_secs(10))
    }
}

#[test]
fn context_namespaces_and_state() {
    let files = [
        (
            "a.py",
            "from gptme.lessons.hooks import HookContext\ncount = 0\ndef execute(context: HookContext):\n    global count\n    count += 1\n    print('hello', context.skill.title)\n    return {'n': count, 'config': context.config.get('k'), 'message': context.message, 'tools': context['tools']}\n",
        ),
        ("b.py", "def execute(context):\n    return count\n"),
        ("c.py", "def execute(context):\n    return object\n"),
    ];
    let Some(skills) = Skills::new(&files) else { return };
    let event = json!({"skill": {"name": "s"}, "message": "m", "config": {"k": 7}});
    let (value, printed) = skills.call("a.py", "one", event.clone()).unwrap();
    assert_eq!(value, json!({"n": 1, "config": 7, "message": "m", "tools": []}));
    assert_eq!(printed, "hello s\n");
    assert_eq!(skills.call("a.py", "one", event.clone()).unwrap().0["n"], 2);
    assert_eq!(skills.call("b.py", "one", json!({})).unwrap().0, 2);
    assert_eq!(skills.call("a.py", "two", event).unwrap().0["n"], 1);
    assert!(skills.call("c.py", "one", json!({})).unwrap().0.as_str().unwrap().contains("object"));
}

#[test]
fn failures_are_told_and_isolated() {
    let files = [
        ("raise.py", "def execute(context):\n    raise ValueError('no good')\n"),
        ("exit.py", "import sys\ndef execute(context):\n    sys.exit(3)\n"),
        ("syntax.py", "def execute(context:\n"),
        ("none.py", "x = 1\n"),
        ("die.py", "import os\ndef execute(context):\n    os._exit(9)\n"),
        ("hang.py", "import time\ndef execute(context):\n    time.sleep(100)\n"),
        (
            "loud.py",
            "import os, sys\ndef execute(context):\n    os.system('echo noise; echo noise >&2')\n    sys.__stdout__.write('noise\\n')\n    return 'ok'\n",
        ),
        ("n.py", "n = 0\ndef execute(context):\n    global n\n    n += 1\n    return n\n"),
    ];
    let Some(skills) = Skills::new(&files) else { return };
    let call = |name: &str| skills.call(name, "s", json!({}));
    let error = call("raise.py").unwrap_err();
    assert!(error.contains("Traceback") && error.ends_with("ValueError: no good"), "{error}");
    assert!(call("exit.py").unwrap_err().contains("SystemExit"));
    assert!(call("syntax.py").unwrap_err().contains("SyntaxError"));
    assert!(call("none.py").unwrap_err().contains("defines no execute(context)"));
    assert!(call("gone.py").unwrap_err().contains("FileNotFoundError"));
    assert_eq!(call("loud.py").unwrap().0, "ok");
    assert_eq!((call("n.py").unwrap().0, call("n.py").unwrap().0), (json!(1), json!(2)));
    assert!(call("die.py").unwrap_err().contains("the worker died while it ran"));
    assert_eq!(call("n.py").unwrap().0, 1);
    let start = Instant::now();
    let late = skills.scripts.execute(&skills.path("hang.py"), "s", &json!({}), Duration::from_millis(300));
    assert!(late.unwrap_err().contains("took longer than 0.3 s") && start.elapsed() < Duration::from_secs(5));
    assert_eq!(call("n.py").unwrap().0, 1);
    let large = json!({"message": "x".repeat(4 << 20)});
    assert_eq!(skills.call("n.py", "s", large).unwrap().0, 2);
    let none = Scripts::new("no-such-python").execute("x", "x", &json!({}), Duration::from_secs(1));
    assert!(none.unwrap_err().contains("cannot be started"));
}

#[test]
fn hooks_of_skills_in_order_whatever_fails() {
    let files = [
        ("raise.py", "def execute(context):\n    raise ValueError('no')\n"),
        ("ok.py", "def execute(context):\n    return context.skill['name']\n"),
    ];
    let Some(skills) = Skills::new(&files) else { return };
    let hook = |id: &str, file: &str| json!({"id": id, "event": "pre_execute", "action": {"type": "script", "file": skills.path(file), "namespace": "s"}});
    let policy = json!({"hooks": [hook("a", "raise.py"), hook("b", "ok.py")]}).to_string();
    let engine = common::engine(&policy);
    let event = Event::of(json!({"event": {"type": "pre_execute"}, "skill": {"name": "commit"}}));
    let handled = engine.handle(&event, &Ask::default(), &skills.scripts).unwrap();
    assert!(
        matches!(&handled.effects[0].outcome, Outcome::Failed(why) if why.why.contains("ValueError: no"))
    );
    assert_eq!(handled.effects[1].outcome, Outcome::Value(json!("commit")));
    assert_eq!(handled.opinion().0.permission, None);
}

#[test]
fn calls_wait_for_one_another() {
    let files = [(
        "n.py",
        "import time\nbusy = 0\ndef execute(context):\n    global busy\n    busy += 1\n    time.sleep(0.02)\n    busy -= 1\n    return busy\n",
    )];
    let Some(skills) = Skills::new(&files) else { return };
    std::thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| assert_eq!(skills.call("n.py", "s", json!({})).unwrap().0, 0));
        }
    });
}
