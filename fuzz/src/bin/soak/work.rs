//! The threads, and what they assert.

use std::collections::HashSet;
use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use hookc_compiler::{Dialect, Input, Options, compile};
use hookc_runtime::host::NoopHost;
use hookc_runtime::log::{Entry, Log};
use hookc_runtime::{Engine, Event};
use hookc_schema::Sources;
use hookc_vm::{DecideOptions, Module};
use serde_json::{Value, json};

use crate::sample::Sample;

const THREADS: u64 = 8;
const POLICIES: usize = 50;
/// One event of so many starts a process; one of so many is logged.
const HANDLED: u64 = 400;
const LOGGED: u64 = 50;
const RELOAD: Duration = Duration::from_millis(20);
const LOOK: Duration = Duration::from_secs(1);
/// After so many samples the log is read, and begins again.
const ROTATE: usize = 30;

/// A policy that says its number before and after the event's own mark, and starts a handler for some.
fn policy(n: usize) -> String {
    format!(
        "hooks:
  - {{id: a, event: PreToolUse, action: {{type: inject, text: 'p{n}'}}}}
  - {{id: c, event: PreToolUse, action: {{type: inject, text: '${{tool_input.command}}'}}}}
  - {{id: d, event: PreToolUse, when: \"tool_input.command ends_with '/run'\", action: {{type: run, result: agent, argv: [sh, -c, \
     \"cat >/dev/null; echo '{{\\\"additionalContext\\\": \\\"p{n}\\\"}}'\"]}}}}
  - {{id: e, event: PreToolUse, when: \"some(c in shell(tool_input.command).commands: c.name == 'rm')\", action: {{type: deny, reason: r}}}}
"
    )
}

fn module(n: usize) -> Module {
    let mut sources = Sources::new();
    let source = sources.add("policy", policy(n));
    let input = Input::new(source).with_dialect(Dialect::HooksYaml);
    let compiled = compile(&mut sources, &[input], &Options::default());
    let why = || hookc_schema::diag::render::short::render(&compiled.diagnostics, &sources);
    let bytes = compiled.module.clone().unwrap_or_else(|| panic!("{}", why()));
    Module::load(bytes).expect("it loads")
}

/// Sums of all threads.
#[derive(Debug, Default)]
pub(crate) struct Done {
    events: AtomicU64,
    handlers: AtomicU64,
    lines: AtomicU64,
    read: AtomicU64,
    reloads: AtomicU64,
}

impl fmt::Display for Done {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let count = |number: &AtomicU64| number.load(Ordering::Relaxed);
        write!(
            f,
            "{} events by {THREADS} threads, {} handlers, {} reloads, {} lines logged and {} read again",
            count(&self.events),
            count(&self.handlers),
            count(&self.reloads),
            count(&self.lines),
            count(&self.read)
        )
    }
}

/// A log, and the ids of the lines that were reported as written.
struct Book {
    path: PathBuf,
    log: Log,
    written: HashSet<String>,
}

impl Book {
    fn open(directory: &Path) -> Self {
        let path = directory.join("decisions.jsonl");
        let _ = fs::remove_file(&path);
        let log = Log::open(&path).expect("the log opens");
        Self { path, log, written: HashSet::new() }
    }

    /// Each line is whole, and is one that was written; none is missing.
    fn check(&mut self) -> u64 {
        let text = fs::read_to_string(&self.path).expect("the log is text");
        for line in text.lines() {
            let line: Value = serde_json::from_str(line).expect("a line is JSON");
            let session = line["session"].as_str().unwrap_or_default().to_owned();
            assert!(self.written.remove(&session), "a line that nobody wrote: {line}");
        }
        assert!(self.written.is_empty(), "{} lines are lost", self.written.len());
        text.lines().count() as u64
    }
}

/// Works for so long; what was seen each second.
pub(crate) fn run(time: Duration) -> (Vec<Sample>, Done) {
    let modules: Vec<Module> = (0..POLICIES).map(module).collect();
    let engine = Engine::new(modules[0].clone());
    let directory = std::env::temp_dir().join(format!("hookc-soak-{}", std::process::id()));
    fs::create_dir_all(&directory).expect("a directory");
    let (over, done) = (AtomicBool::new(false), Done::default());
    let book = Mutex::new(Book::open(&directory));
    let mut samples = Vec::new();
    std::thread::scope(|scope| {
        for worker in 0..THREADS {
            let (engine, modules, over, done, book) = (&engine, &modules, &over, &done, &book);
            scope.spawn(move || {
                let _ends = Ends(over);
                let mut n = 0;
                while !over.load(Ordering::Relaxed) {
                    one(engine, modules, worker, n, done, book);
                    n += 1;
                }
            });
        }
        let (engine, modules, over, done, book) = (&engine, &modules, &over, &done, &book);
        scope.spawn(move || {
            let _ends = Ends(over);
            for module in modules.iter().cycle() {
                if over.load(Ordering::Relaxed) {
                    return;
                }
                engine.reload(module.bytes().to_vec()).expect("it reloads");
                done.reloads.fetch_add(1, Ordering::Relaxed);
                std::thread::sleep(RELOAD);
            }
        });
        let begin = Instant::now();
        while begin.elapsed() < time && !over.load(Ordering::Relaxed) {
            std::thread::sleep(LOOK.min(time));
            samples.push(Sample::now(begin.elapsed(), done.events.load(Ordering::Relaxed)));
            if samples.len() % ROTATE == 0 {
                rotate(book, &directory, done);
            }
        }
        over.store(true, Ordering::Relaxed);
    });
    rotate(&book, &directory, &done);
    let _ = fs::remove_dir_all(&directory);
    (samples, done)
}

/// Ends all threads with this one, also if it panics.
struct Ends<'a>(&'a AtomicBool);

impl Drop for Ends<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

fn rotate(book: &Mutex<Book>, directory: &Path, done: &Done) {
    let mut book = book.lock().unwrap_or_else(PoisonError::into_inner);
    done.read.fetch_add(book.check(), Ordering::Relaxed);
    *book = Book::open(directory);
}

/// Handles an event: all its parts are of one policy, and of this event.
fn one(engine: &Engine, modules: &[Module], worker: u64, n: u64, done: &Done, book: &Mutex<Book>) {
    let runs = n.is_multiple_of(HANDLED);
    let (mark, session) =
        (format!("ls {worker}/{n}{}", if runs { "/run" } else { "" }), format!("s-{worker}-{n}"));
    let event = json!({"hook_event_name": "PreToolUse", "session_id": session, "tool_name": "Bash", "tool_input": {"command": mark}});
    let event = Event::new(event.to_string());
    let begin = Instant::now();
    let handled = engine.handle(&event, &DecideOptions::default(), &NoopHost).expect("it is decided");
    let contexts = handled.verdict().0.contexts;
    assert_eq!(contexts.len(), if runs { 3 } else { 2 }, "{contexts:?}");
    assert_eq!(contexts[1], mark, "another event's text");
    let number: usize = contexts[0].trim_start_matches('p').parse().expect("the policy's number");
    assert_eq!(handled.module, modules[number].hash(), "another policy's decision");
    if runs {
        assert_eq!(contexts[2], contexts[0], "another policy's handler");
        done.handlers.fetch_add(1, Ordering::Relaxed);
    }
    if n.is_multiple_of(LOGGED) {
        let mut book = book.lock().unwrap_or_else(PoisonError::into_inner);
        book.log.write(&Entry::new("soak", &event, Ok(&handled), begin.elapsed())).expect("it is logged");
        book.written.insert(session);
        done.lines.fetch_add(1, Ordering::Relaxed);
    }
    done.events.fetch_add(1, Ordering::Relaxed);
}
