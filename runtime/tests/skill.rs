//! Scripts of skills, in a real interpreter.

use crate::common;
use crate::support;

use std::path::Path;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use hookc_runtime::ActionFailure;
use hookc_runtime::action::{Action, LogLevel};
use hookc_runtime::host::{EventContext, Host};
use hookc_runtime::outcome::Outcome;
use hookc_runtime::skill::Scripts;
use hookc_runtime::{Engine, Event};
use hookc_vm::DecideOptions;
use serde_json::{Map, Value, json};

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
            let path = folder.path().join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        }
        Some(Self { folder, scripts: Scripts::default() })
    }

    /// With an interpreter that a shell script starts.
    fn started_by(mut self, lines: &str) -> Self {
        let path = self.path("start");
        let lines = lines.replace("FOLDER", self.folder.path().to_str().unwrap());
        hookc_corpus::write_program(path.as_ref(), format!("#!/bin/sh\n{lines}\n").as_bytes()).unwrap();
        self.scripts = Scripts::new(path);
        self
    }

    fn path(&self, name: &str) -> String {
        self.folder.path().join(name).to_str().unwrap().to_owned()
    }

    fn call(&self, name: &str, skill: &str, event: Value) -> Result<(Value, String), String> {
        let called = self.scripts.execute(&self.path(name), skill, &event, Duration::from_secs(10));
        called.map_err(|error| error.to_string())
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
fn failures_are_reported_and_isolated() {
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
    let died = call("die.py").unwrap_err();
    assert!(
        died.contains("the worker terminated while it ran") && died.contains("(exit status 9)"),
        "{died}"
    );
    assert_eq!(call("n.py").unwrap().0, 1);
    let start = Instant::now();
    let late = skills.scripts.execute(&skills.path("hang.py"), "s", &json!({}), Duration::from_millis(300));
    assert!(
        late.unwrap_err().why.contains("took longer than 0.3 s") && start.elapsed() < Duration::from_secs(5)
    );
    assert_eq!(call("n.py").unwrap().0, 1);
    let large = json!({"message": "x".repeat(4 << 20)});
    assert_eq!(skills.call("n.py", "s", large).unwrap().0, 2);
    let none = Scripts::new("no-such-python").execute("x", "x", &json!({}), Duration::from_secs(1));
    assert!(none.unwrap_err().why.contains("cannot be started"));
}

#[test]
fn hooks_of_skills_run_in_order_despite_failures() {
    let files = [
        ("raise.py", "def execute(context):\n    raise ValueError('no')\n"),
        ("ok.py", "def execute(context):\n    return context.skill['name']\n"),
    ];
    let Some(skills) = Skills::new(&files) else { return };
    let engine = engine_of(&skills);
    let event = Event::from_value(json!({"event": {"type": "pre_execute"}, "skill": {"name": "commit"}}));
    let handled = engine.handle(&event, &DecideOptions::default(), &skills.scripts).unwrap();
    assert!(
        matches!(&handled.effects[0].outcome, Outcome::Failed(why) if why.why.contains("ValueError: no"))
    );
    assert_eq!(handled.effects[1].outcome, Outcome::Value(json!("commit")));
    assert_eq!(handled.verdict().0.permission, None);
}

/// `raise.py`, then `ok.py`.
fn engine_of(skills: &Skills) -> Engine {
    let hook = |id: &str, file: &str| json!({"id": id, "event": "pre_execute", "action": {"type": "script", "file": skills.path(file), "namespace": "s"}});
    let policy = json!({"hooks": [hook("a", "raise.py"), hook("b", "ok.py")]}).to_string();
    common::engine(&policy)
}

struct Listening<'s> {
    skills: &'s Skills,
    heard: Mutex<Vec<String>>,
}

impl Host for Listening<'_> {
    fn perform(&self, action: &Action, context: &EventContext<'_>) -> Result<Outcome, ActionFailure> {
        let Action::Script(script) = action else { return Err(ActionFailure::unsupported(action)) };
        self.skills.scripts.call(script, context, self)
    }
    fn log(&self, level: LogLevel, message: &str, fields: Option<&Map<String, Value>>) {
        let message = message.lines().last().unwrap();
        self.heard.lock().unwrap().push(format!(
            "{}: {}: {message}",
            level.as_str(),
            fields.unwrap()["hook"]
        ));
    }
}

#[test]
fn output_of_scripts_is_reported_on_success_and_failure() {
    let files = [
        ("raise.py", "def execute(context):\n    print('so far')\n    raise ValueError('no')\n"),
        (
            "ok.py",
            "import logging\nlogger = logging.getLogger(__name__)\ndef execute(context):\n    logger.info('ready')\n    logger.debug('no')\n",
        ),
    ];
    let Some(skills) = Skills::new(&files) else { return };
    let host = Listening { skills: &skills, heard: Mutex::default() };
    let event = Event::from_value(json!({"event": {"type": "pre_execute"}}));
    let engine = engine_of(&skills);
    for _ in 0..2 {
        engine.handle(&event, &DecideOptions::default(), &host).unwrap();
    }
    let once = ["info: \"a\": so far", "error: \"a\": ValueError: no", "info: \"b\": ready"];
    assert_eq!(*host.heard.lock().unwrap(), [once, once].concat());
    let error = skills.call("raise.py", "s", json!({})).unwrap_err();
    assert!(error.ends_with("ValueError: no\nits output:\nso far"), "{error}");
}

const COUNT: &str = "n = 0\ndef execute(context):\n    global n\n    n += 1\n    return n\n";

#[test]
fn an_invalid_value_fails_only_its_own_call() {
    let returns = |what: &str| format!("def execute(context):\n    return {what}\n");
    let unusual = [
        ("float('nan')", "returned a value that JSON cannot represent: ValueError"),
        ("[float('inf')]", "returned a value that JSON cannot represent: ValueError"),
        ("{(1, 2): 3}", "returned a value that JSON cannot represent: TypeError"),
        (
            "(lambda a: a.append(a) or a)([])",
            "returned a value that JSON cannot represent: ValueError: Circular",
        ),
        ("type('A', (), {'__repr__': lambda self: 1 / 0})()", "ZeroDivisionError"),
        ("10 ** 400", "cannot be read: number out of range"),
        ("eval('[' * 150 + ']' * 150)", "cannot be read: recursion limit"),
        ("'x' * (17 << 20)", "returned 17825794 bytes of JSON, more than 16777216"),
        ("(n for n in range(3))", "returned a generator, which never runs"),
        ("execute(context)", "RecursionError"),
    ];
    let Some(skills) = Skills::new(&[("n.py", COUNT)]) else { return };
    for (n, (what, why)) in unusual.into_iter().enumerate() {
        std::fs::write(skills.path("odd.py"), returns(what)).unwrap();
        let error = skills.call("odd.py", "odd", json!({})).unwrap_err();
        assert!(error.contains(why), "{what}: {error}");
        assert_eq!(skills.call("n.py", "s", json!({})).unwrap().0, n + 1, "{what}");
    }
    // Invalid text is no reason to fail: a file's name can be anything.
    let lone = "def execute(context):\n    print('a\\udcffb')\n    return {'\\ud800': 'a\\udcffb'}\n";
    std::fs::write(skills.path("odd.py"), lone).unwrap();
    let (value, printed) = skills.call("odd.py", "odd", json!({})).unwrap();
    assert_eq!((value, printed.as_str()), (json!({"\u{fffd}": "a\u{fffd}b"}), "a\\udcffb\n"));
    std::fs::write(skills.path("odd.py"), "def execute(context):\n    raise ValueError('a\\udcffb')\n")
        .unwrap();
    assert!(skills.call("odd.py", "odd", json!({})).unwrap_err().ends_with("ValueError: a\u{fffd}b"));
}

#[test]
fn a_coroutine_runs_and_a_generator_is_rejected() {
    let files = [
        (
            "async.py",
            "import asyncio\nasync def execute(context):\n    await asyncio.sleep(0)\n    return context.message\n",
        ),
        ("yield.py", "def execute(context):\n    yield 1\n"),
    ];
    let Some(skills) = Skills::new(&files) else { return };
    for _ in 0..2 {
        assert_eq!(skills.call("async.py", "s", json!({"message": "m"})).unwrap().0, "m");
    }
    assert!(skills.call("yield.py", "s", json!({})).unwrap_err().contains("instead of `yield`"));
}

#[test]
fn skills_have_their_own_modules_and_directories() {
    let uses = "import os, util\nfrom parts import word\ndef execute(context):\n    import late\n    return [util.X, word.X, late.X, os.path.basename(__file__)]\n";
    let by_path = "import os, sys\nsys.path.append(b'')\nsys.path.insert(0, os.path.join(os.path.dirname(__file__), '..', 'lib'))\nimport own\ndef execute(context):\n    import later\n    return [own.X, later.X]\n";
    let mut files = vec![
        ("dc.py", "from __future__ import annotations\nfrom dataclasses import dataclass\nimport pickle, typing\n@dataclass\nclass A:\n    x: int = 1\ndef execute(context):\n    return [pickle.loads(pickle.dumps(A())).x, str(typing.get_type_hints(A)['x'])]\n".to_owned()),
        ("away.py", "import os\ndef execute(context):\n    os.chdir('/')\n".to_owned()),
        ("coded.py", "\u{feff}def execute(context):\n    return 'é'\n".to_owned()),
    ];
    for skill in ["one", "two"] {
        for (name, text) in [("hooks/h.py", uses), ("hooks/p.py", by_path)] {
            files.push((Box::leak(format!("{skill}/{name}").into_boxed_str()), text.to_owned()));
        }
        for name in ["hooks/util.py", "hooks/late.py", "hooks/parts/word.py", "lib/own.py", "lib/later.py"] {
            files.push((Box::leak(format!("{skill}/{name}").into_boxed_str()), format!("X = '{skill}'\n")));
        }
    }
    let files: Vec<_> = files.iter().map(|(name, text)| (*name, text.as_str())).collect();
    let Some(skills) = Skills::new(&files) else { return };
    for skill in ["one", "two", "one", "two"] {
        let value = |name: &str| skills.call(&format!("{skill}/hooks/{name}"), skill, json!({})).unwrap().0;
        assert_eq!(value("h.py"), json!([skill, skill, skill, "h.py"]));
        assert_eq!(value("p.py"), json!([skill, skill]));
    }
    assert_eq!(skills.call("dc.py", "three", json!({})).unwrap().0, json!([1, "<class 'int'>"]));
    assert_eq!(skills.call("coded.py", "three", json!({})).unwrap().0, "é");

    // A script that changes the directory does not affect others.
    let skills = skills.started_by("cd FOLDER && exec python3 \"$@\"");
    let call = |file: &str| skills.scripts.execute(file, "s", &json!({}), Duration::from_secs(10)).unwrap().0;
    assert_eq!((call("away.py"), call("coded.py")), (Value::Null, json!("é")));
}

#[test]
fn scripts_of_one_skill_keep_their_own_function() {
    let files = [
        (
            "a.py",
            "import os\ndef execute(context):\n    return [os.path.basename(__file__), execute.__code__.co_filename[-4:]]\n",
        ),
        ("b.py", "def execute(context):\n    return 'b'\n"),
    ];
    let Some(skills) = Skills::new(&files) else { return };
    for _ in 0..2 {
        assert_eq!(skills.call("a.py", "s", json!({})).unwrap().0, json!(["a.py", "a.py"]));
        assert_eq!(skills.call("b.py", "s", json!({})).unwrap().0, "b");
    }
}

#[test]
fn foreign_entries_are_never_replaced() {
    let files = [
        ("site/gptme/__init__.py", ""),
        ("site/gptme/message.py", "class Message: pass\n"),
        ("site/gptme/lessons/__init__.py", "REAL = True\n"),
        // Not for the worker, whose directory it is.
        ("json.py", "raise SystemExit(1)\n"),
        (
            "has.py",
            "from gptme.message import Message\nimport gptme.lessons.hooks\ndef execute(context: gptme.lessons.hooks.HookContext):\n    return [gptme.lessons.REAL, isinstance(context, gptme.lessons.hooks.HookContext)]\n",
        ),
        ("lacks.py", "import gptme.lessons.hooks\nfrom gptme.message import Message\n"),
    ];
    let Some(skills) = Skills::new(&files) else { return };
    let skills = skills.started_by("cd FOLDER && PYTHONPATH=FOLDER/site exec python3 \"$@\"");
    assert_eq!(skills.call("has.py", "s", json!({})).unwrap().0, json!([true, true]));
    let Some(skills) = Skills::new(&files) else { return };
    let error = skills.call("lacks.py", "s", json!({})).unwrap_err();
    assert!(error.contains("No module named 'gptme.message'"), "{error}");
}

#[test]
fn a_context_has_all_members_of_the_event() {
    let file = "def execute(context):\n    context.seen = 1\n    if context.extra and 'error' in context.extra:\n        return [context.extra['error'], context['seen'], context.tools, context.config, context.skill]\n    return context.mesage\n";
    let Some(skills) = Skills::new(&[("c.py", file)]) else { return };
    let value = skills.call("c.py", "s", json!({"error": "boom", "message": "m"})).unwrap().0;
    assert_eq!(value, json!(["boom", 1, [], {}, null]));
    assert_eq!(skills.call("c.py", "s", json!({"extra": {"error": 2}})).unwrap().0[0], 2);
    let error = skills.call("c.py", "s", json!({"message": "m"})).unwrap_err();
    assert!(error.contains("no member 'mesage'; there are: skill, message,"), "{error}");
    assert!(!error.contains("<string>"), "the worker's own lines are nobody's business: {error}");
}

#[test]
fn a_flood_is_cut_while_it_is_printed() {
    let file = "import resource\ndef execute(context):\n    for n in range(300):\n        print('x' * 1000000)\n    try:\n        with open('/proc/self/status') as status:\n            return next(int(line.split()[1]) for line in status if line.startswith('VmHWM'))\n    except OSError:\n        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss\n";
    let Some(skills) = Skills::new(&[("flood.py", file)]) else { return };
    let (value, printed) = skills.call("flood.py", "s", json!({})).unwrap();
    // Kilobytes or, on some systems, bytes. On Linux, only of the worker: `getrusage` includes the
    // process that it was forked from.
    assert!(value.as_u64().unwrap() < 100_000 || cfg!(target_os = "macos"), "{value}");
    assert!(printed.ends_with("\n[298951724 more bytes were discarded]\n") && printed.len() < 2 << 20);
}

#[test]
fn the_end_of_a_worker_is_reported() {
    let files = [
        ("n.py", COUNT),
        (
            "later.py",
            "import os, signal\ndef execute(context):\n    signal.signal(signal.SIGALRM, lambda *_: os._exit(3))\n    signal.setitimer(signal.ITIMER_REAL, 0.05)\n    return os.getpid()\n",
        ),
        ("fork.py", "import os\ndef execute(context):\n    return 'child' if os.fork() == 0 else 'parent'\n"),
    ];
    let Some(skills) = Skills::new(&files) else { return };
    for _ in 0..2 {
        assert_eq!(skills.call("fork.py", "s", json!({})).unwrap().0, "parent");
    }
    assert_eq!(skills.call("n.py", "s", json!({})).unwrap().0, 1);
    support::gone(&skills.call("later.py", "s", json!({})).unwrap().0.to_string());
    let (value, printed) = skills.call("n.py", "s", json!({})).unwrap();
    assert_eq!(value, 1);
    assert_eq!(printed, "the worker had ended (exit status 3), and the state of all skills was lost\n");

    let skills = skills.started_by("echo 'too old' >&2; exit 7");
    let error = skills.call("n.py", "s", json!({})).unwrap_err();
    assert!(error.contains("(exit status 7: too old)"), "{error}");
    let skills = skills.started_by("echo '1 {\"value\": 1'; sleep 5");
    let error = skills.call("n.py", "s", json!({})).unwrap_err();
    assert!(error.contains("n.py cannot be read: EOF while parsing"), "{error}");
    let skills = skills.started_by("echo 'Python 2'; sleep 5");
    assert!(skills.call("n.py", "s", json!({})).unwrap_err().contains("(it sent an unexpected answer)"));
}

#[test]
fn calls_come_in_the_order_of_their_coming() {
    // The first call of `a` reports that it has started, and waits for permission to end.
    let file = "import os, time\nall = []\ndef execute(context):\n    all.append(context.message)\n    if all == ['first', 'a']:\n        open(context.begun, 'w').write('a\\n')\n        while not os.path.exists(context.end):\n            time.sleep(0.005)\n    return all\n";
    let Some(skills) = Skills::new(&[("n.py", file)]) else { return };
    let (begun, end) = (skills.path("begun"), skills.path("end"));
    let event = |who: &str| json!({"message": who, "begun": begun, "end": end});
    let call = |who: &str| skills.call("n.py", "s", event(who)).unwrap().0;
    call("first");
    std::thread::scope(|scope| {
        // Returns immediately, repeatedly; no waiting thread is overtaken.
        scope.spawn(|| (0..3).for_each(|_| drop(call("a"))));
        support::lines(Path::new(&begun), 1);
        for who in ["b", "c"] {
            let (calls, called) = std::sync::mpsc::channel();
            scope.spawn(move || {
                calls.send(()).unwrap();
                call(who)
            });
            // It is in the queue a moment later, which cannot be observed.
            called.recv().unwrap();
            std::thread::sleep(Duration::from_millis(200));
        }
        std::fs::write(&end, "").unwrap();
    });
    assert_eq!(call("last"), json!(["first", "a", "b", "c", "a", "a", "last"]));
}

#[test]
fn calls_are_serialized() {
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
