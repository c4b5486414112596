//! Histories that several programs share: stores, threads and workflows.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use hookc_base::action::Action;
use hookc_history::{Limits, Partition};
use hookc_runtime::adapter;
use hookc_runtime::bridge::{Invocation, run};
use hookc_runtime::history::{
    Addition, Appended, HistoryStore, MemoryStore, SharedHistory, Store, StoreError, Stored,
};
use hookc_runtime::host::{EventContext, Host, NoopHost, Recorder};
use hookc_runtime::outcome::HistoryNote;
use hookc_runtime::thread::{Returns, Step, Thread};
use hookc_runtime::workflow::{Point, Workflow};
use hookc_runtime::{ActionFailure, Engine, Event, Outcome};
use hookc_vm::DecideOptions;
use serde_json::{Value, json};

use crate::common;

const STEPS: &str = r#"
hooks:
  - id: steps
    event: before_step
    when: count(before_step within 1h per user) >= 20
    action: {type: fail, error_message: "twenty steps"}
"#;

fn addition(partition: &str, version: u64, bytes: &[u8], is_snapshot: bool) -> Addition {
    Addition { partition: partition.to_owned(), version, bytes: bytes.to_vec(), is_snapshot }
}

/// What every store does with partitions.
fn check_partitions(store: &dyn HistoryStore, [first, second, third]: [&[u8]; 3]) {
    let append = |additions: &[Addition]| store.append(additions).unwrap();
    let load = |name: &str| store.load(name).unwrap();
    assert_eq!(load("a"), Stored::default());
    assert_eq!(append(&[addition("a", 0, first, true)]), Appended::Written);
    let one = load("a");
    assert_eq!(one.bytes, first);
    assert_eq!(append(&[addition("a", 0, second, false)]), Appended::Conflict);
    assert_eq!(append(&[addition("a", one.version, second, false)]), Appended::Written);
    let two = load("a");
    assert_eq!(two.bytes, [first, second].concat());
    let both = [addition("b", 0, first, true), addition("a", one.version, third, false)];
    assert_eq!(append(&both), Appended::Conflict);
    assert_eq!((load("a"), load("b")), (two.clone(), Stored::default()), "neither is written");
    let both = [addition("b", 0, first, true), addition("a", two.version, first, true)];
    assert_eq!(append(&both), Appended::Written);
    assert_eq!((load("a").bytes, load("b").bytes), (first.to_vec(), first.to_vec()));
    assert_eq!(append(&[addition("a", two.version, second, false)]), Appended::Conflict);
    assert_eq!(append(&[addition("aa", 0, first, true)]), Appended::Written);
    store.remove("a").unwrap();
    assert_eq!([load("a"), load("aa")], [Stored::default(), Stored::default()]);
    assert_eq!(load("b").bytes, first);
    // A program that loaded a partition before it was removed does not add to the one that began after that.
    assert_eq!(append(&[addition("a", 0, &[first, second].concat(), true)]), Appended::Written);
    assert_eq!(append(&[addition("a", one.version, third, false)]), Appended::Conflict);
}

/// A snapshot of an empty partition, and two records.
fn parts() -> [Vec<u8>; 3] {
    let snapshot = Partition::new(Limits::default()).encode();
    let record = |step: u64| hookc_history::Record::new(step).encode(step);
    [snapshot, record(1), record(2)]
}

fn check_store(store: &dyn HistoryStore) {
    let parts = parts();
    check_partitions(store, [&parts[0], &parts[1], &parts[2]]);
}

fn files(folder: &tempfile::TempDir) -> Store {
    Store::open(folder.path().join("history"), Limits::default()).unwrap()
}

#[test]
fn stores_write_all_additions_or_none() {
    check_store(&MemoryStore::default());
    check_store(&files(&tempfile::tempdir().unwrap()));
}

/// The variable that makes a test process one whose files have at most a kilobyte.
const FULL: &str = "HOOKC_HISTORY_FULL";

#[test]
fn an_addition_without_space() {
    let Ok(folder) = std::env::var(FULL) else { return };
    let store = Store::open(folder.into(), Limits::default()).unwrap();
    let [snapshot, record, _] = parts();
    let add = |name: &str, bytes: &[u8], is_snapshot| {
        addition(name, store.load(name).unwrap().version, bytes, is_snapshot)
    };
    let huge: Vec<u8> = snapshot.iter().copied().cycle().take(2_000).collect();
    for last in [add("large", &record, false), add("large", &huge, true)] {
        let additions = [
            add("small", &record, false),
            add("new", &snapshot, true),
            add("replaced", &[snapshot.as_slice(), record.as_slice()].concat(), true),
            last,
        ];
        assert!(store.append(&additions).is_err());
    }
}

#[test]
fn what_one_partition_cannot_have_is_in_no_other_one() {
    let folder = tempfile::tempdir().unwrap();
    let store = files(&folder);
    let [snapshot, ..] = parts();
    let records = (1..=100).flat_map(|step| hookc_history::Record::new(step).encode(step));
    let large: Vec<u8> = snapshot.iter().copied().chain(records).collect();
    assert!(snapshot.len() < 900 && large.len() > 1_024);
    let additions = [
        addition("small", 0, &snapshot, true),
        addition("replaced", 0, &snapshot, true),
        addition("large", 0, &large, true),
    ];
    assert_eq!(store.append(&additions).unwrap(), Appended::Written);
    let load = || ["small", "new", "replaced", "large"].map(|name| store.load(name).unwrap());
    let before = load();
    let mut command = std::process::Command::new("bash");
    command
        .args(["-c", "trap '' XFSZ; ulimit -f 1; exec \"$0\" \"$@\""])
        .arg(std::env::current_exe().unwrap());
    command.args(["--exact", "history_shared::an_addition_without_space"]);
    let done = command.env(FULL, folder.path().join("history")).output().unwrap();
    let out = String::from_utf8_lossy(&done.stdout);
    assert!(done.status.success() && out.contains("1 passed"), "{out}");
    assert_eq!(load(), before);
    let names = std::fs::read_dir(folder.path().join("history")).unwrap().flatten().map(|file| file.path());
    assert_eq!(names.filter(|path| path.extension().is_some()).count(), 0);
}

fn step(thread: &str) -> Event {
    Event::from_value(json!({"event": {"type": "before_step", "thread_id": thread}}))
}

/// Steps of several machines, of which twenty are allowed. Each gets its store by `connect`.
fn count_steps(connect: impl Fn() -> Arc<dyn HistoryStore> + Sync) {
    let (engine, returns) = (common::engine(STEPS), Returns::builtin().unwrap());
    let (allowed, failed) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let run = |name: &str, steps: usize| {
        let history = SharedHistory::new(connect(), [3; 32]);
        let mut thread = Thread::new(&engine, &returns).with_history(history);
        for _ in 0..steps {
            let counter = match thread.on(&step(name), &NoopHost).unwrap().step {
                Step::NoOpinion => &allowed,
                Step::Fail(_) => &failed,
                other => panic!("{other:?}"),
            };
            counter.fetch_add(1, Ordering::Relaxed);
        }
    };
    std::thread::scope(|scope| {
        for name in ["1", "2", "3", "4"] {
            scope.spawn(move || run(name, 8));
        }
    });
    assert!(allowed.load(Ordering::Relaxed) <= 20, "two programs never exceed a count: {allowed:?}");
    run("5", 20);
    assert_eq!(allowed.load(Ordering::Relaxed), 20);
    assert_eq!(failed.load(Ordering::Relaxed), 32);
}

#[test]
fn programs_at_once_never_exceed_a_count() {
    let memory = Arc::new(MemoryStore::default());
    count_steps(|| Arc::<MemoryStore>::clone(&memory));
    let folder = tempfile::tempdir().unwrap();
    count_steps(|| Arc::new(files(&folder)));
}

fn history() -> SharedHistory {
    SharedHistory::new(Arc::new(MemoryStore::default()), [3; 32])
}

#[test]
fn a_step_that_hooks_fail_did_not_happen() {
    let policy = r#"
hooks:
  - id: three
    event: before_step
    when: count(any before_step) >= 4
    action: {type: abort}
  - id: small
    event: before_step
    when: size > 10
    action: {type: fail, error_message: "too large"}
  - id: two
    event: before_step
    when: count(before_step) >= 2
    action: {type: fail, error_message: "two steps"}
"#;
    let (engine, returns) = (common::engine(policy), Returns::builtin().unwrap());
    let mut thread = Thread::new(&engine, &returns).with_history(history());
    let mut on = |size: u64| {
        let event = json!({"event": {"type": "before_step", "thread_id": "t"}, "size": size});
        thread.on(&Event::from_value(event), &NoopHost).unwrap()
    };
    assert_eq!(on(20).step, Step::Fail("too large".to_owned()));
    let first = on(1);
    assert_eq!((first.step, first.history.step), (Step::NoOpinion, Some(2)));
    assert_eq!(on(1).step, Step::NoOpinion);
    assert_eq!(on(1).step, Step::Fail("two steps".to_owned()));
    assert_eq!(on(1).step, Step::Abort, "four attempts");
}

#[test]
fn an_event_is_recorded_under_the_type_that_is_decided_about() {
    let (engine, returns, history) = (common::engine(STEPS), Returns::builtin().unwrap(), history());
    let agrees = json!({"event": {"type": "before_step"}, "hook_event_name": "Stop", "event_type": "Stop"});
    let mut thread = Thread::new(&engine, &returns).with_history(history.clone());
    for (number, event) in [agrees, json!({"event_type": "before_step"})].into_iter().enumerate() {
        let number = u64::try_from(number).unwrap() * 2;
        let (_, note) = call(&engine, &history, event.clone());
        assert_eq!(note.step, Some(number + 1), "{event}");
        let reply = thread.on(&Event::from_value(event.clone()), &NoopHost).unwrap();
        assert_eq!(reply.history.step, Some(number + 2), "{event}");
    }
}

#[test]
fn threads_have_histories_of_their_own_that_can_be_forgotten() {
    let policy = STEPS.replace("count(before_step within 1h per user) >= 20", "formerly(before_step)");
    let (engine, returns) = (common::engine(&policy), Returns::builtin().unwrap());
    let history = history();
    let mut thread = Thread::new(&engine, &returns).with_history(history.clone());
    let mut on = |name| thread.on(&step(name), &NoopHost).unwrap().step;
    let fails = Step::Fail("twenty steps".to_owned());
    assert_eq!([on("a"), on("b"), on("a")], [Step::NoOpinion, Step::NoOpinion, fails.clone()]);
    history.forget("a").unwrap();
    assert_eq!([on("a"), on("b")], [Step::NoOpinion, fails]);
    // Without a history, and without an id, the condition is unknown.
    for (mut thread, name) in
        [(Thread::new(&engine, &returns), "a"), (Thread::new(&engine, &returns).with_history(history), "")]
    {
        let reply = thread.on(&step(name), &NoopHost).unwrap();
        assert!(matches!(&reply.step, Step::Fail(why) if why.contains("unknown")), "{reply:?}");
    }
}

#[test]
fn a_session_is_forgotten_with_its_agents() {
    let policy = "hooks: [{id: again, event: PreToolUse, when: formerly(PreToolUse per agent), action: {type: deny, reason: again}}]";
    let folder = tempfile::tempdir().unwrap();
    for history in [history(), SharedHistory::from_files(files(&folder))] {
        let engine = common::engine(policy);
        let on = |session: &str, agent: &str| {
            let mut event = tool(session, "Bash");
            event["agent_id"] = agent.into();
            call(&engine, &history, event).0
        };
        for (session, agent) in [("s", ""), ("s", "a"), ("s", "b"), ("t", "a")] {
            assert_eq!([on(session, agent), on(session, agent)], ["", "again"], "{session} {agent}");
        }
        history.forget("s").unwrap();
        assert_eq!([on("s", ""), on("s", "a"), on("s", "b"), on("t", "a")], ["", "", "", "again"]);
    }
}

#[test]
fn a_store_that_is_full_still_records_the_partitions_that_it_has() {
    let (store, [first, second, _]) = (MemoryStore::default(), parts());
    let add = |name: &str, version, bytes: &[u8]| store.append(&[addition(name, version, bytes, false)]);
    for number in 0..100_000 {
        assert_eq!(add(&number.to_string(), 0, &first).unwrap(), Appended::Written);
    }
    assert!(add("new", 0, &first).unwrap_err().to_string().contains("more than 100000 histories"));
    let version = store.load("7").unwrap().version;
    assert_eq!(add("7", version, &second).unwrap(), Appended::Written);
    assert_eq!(store.load("7").unwrap().bytes, [first, second].concat());
}

/// A store that counts the events that wait for their handlers.
#[derive(Debug, Default)]
struct Watched(MemoryStore, AtomicUsize);

impl HistoryStore for Watched {
    fn load(&self, partition: &str) -> Result<Stored, StoreError> {
        self.0.load(partition)
    }

    fn append(&self, additions: &[Addition]) -> Result<Appended, StoreError> {
        let appended = self.0.append(additions)?;
        for addition in additions {
            let bytes = self.0.load(&addition.partition)?.bytes;
            let waiting = Partition::decode(&bytes, Limits::default())?.partition.waiting();
            self.1.store(waiting, Ordering::Relaxed);
        }
        Ok(appended)
    }

    fn remove(&self, prefix: &str) -> Result<(), StoreError> {
        self.0.remove(prefix)
    }
}

#[test]
fn only_events_with_handlers_wait_for_their_outcome() {
    let store = Arc::new(Watched::default());
    let history = SharedHistory::new(Arc::<Watched>::clone(&store), [3; 32]);
    let waiting = || store.1.load(Ordering::Relaxed);
    let calls = [
        ("{type: deny, reason: no}", 0, 0),
        ("{type: allow}", 0, 1),
        ("{type: log, message: seen}", 0, 1),
        ("{type: modify, input: {a: 1}}", 0, 1),
        // What can fail is not known before.
        ("{type: modify, rewrite: {npm: pnpm}}", 1, 0),
        ("{type: run, command: 'exit 2'}", 1, 0),
    ];
    for (number, (action, waits, happened)) in calls.into_iter().enumerate() {
        let policy = format!(
            "hooks: [{{id: h, event: PreToolUse, action: {action}}}, {{id: c, event: Stop, when: count(PreToolUse) >= 1, action: {{type: deny, reason: one}}}}]"
        );
        let (engine, session) = (common::engine(&policy), number.to_string());
        let event = Event::from_value(tool(&session, "Bash"));
        let decided = engine.decide_with(&history, &event, &DecideOptions::default()).unwrap();
        assert_eq!(waiting(), waits, "{action}");
        // Another event is decided before the actions are executed: what waits has happened.
        let stop = json!({"hook_event_name": "Stop", "session_id": session});
        let before = call(&engine, &history, stop.clone()).0;
        assert_eq!(before, if waits + happened > 0 { "one" } else { "" }, "{action}");
        let outcome = engine.execute(decided, &event, &NoopHost);
        assert_eq!(outcome.history.unknown, None);
        assert_eq!(waiting(), 0, "{action}");
        let after = call(&engine, &history, stop).0;
        assert_eq!(after, if happened > 0 { "one" } else { "" }, "{action}: {outcome:?}");
    }
    let policy = "hooks: [{event: error, action: {type: deny, reason: no}}, {event: before_step, when: formerly(error), action: {type: abort}}]";
    let (engine, returns) = (common::engine(policy), Returns::builtin().unwrap());
    let mut thread = Thread::new(&engine, &returns).with_history(history);
    let event = Event::from_value(json!({"event": {"type": "error", "thread_id": "t"}}));
    assert!(matches!(thread.on(&event, &NoopHost).unwrap().step, Step::Fail(_)));
    assert_eq!(waiting(), 0);
}

/// A host in whose actions another program runs the same point.
struct Other<'w>(&'w Workflow<'w>);

impl Host for Other<'_> {
    fn perform(&self, _: &Action, context: &EventContext<'_>) -> Result<Outcome, ActionFailure> {
        let Value::Object(event) = context.event.value().clone() else { unreachable!() };
        let ran = self.0.run(Point::PreDecision, event, 0, &Recorder::new()).unwrap();
        assert_eq!(ran.failed, None);
        Ok(Outcome::nothing())
    }
}

#[test]
fn a_point_fails_if_other_hooks_would_have_run_by_what_was_recorded_meanwhile() {
    for (limit, fails) in [(1, true), (2, false)] {
        let policy = format!(
            "hooks:\n  - {{id: limit, event: pre_decision, when: count(pre_decision) >= {limit}, action: {{type: deny, reason: enough}}}}\n  - {{id: work, event: pre_decision, action: {{type: invoke, artifact: a}}}}\n"
        );
        let engine = common::engine(&policy);
        let workflow = Workflow::new(&engine).with_history(history());
        let Value::Object(context) = json!({"session_id": "s"}) else { unreachable!() };
        let run =
            |host: &dyn Host| workflow.run(Point::PreDecision, context.clone(), 0, host).unwrap().failed;
        let failed = run(&Other(&workflow));
        assert_eq!(
            failed.as_ref().is_some_and(|why| why.contains("other hooks would have run")),
            fails,
            "{failed:?}"
        );
        // Both are recorded if the second of them may run too.
        assert!(run(&Recorder::new()).is_some_and(|why| why.contains("enough")));
    }
}

/// A store that fails, or whose partitions change all the time.
#[derive(Debug)]
struct Failing(bool);

impl HistoryStore for Failing {
    fn load(&self, _: &str) -> Result<Stored, StoreError> {
        Ok(Stored::default())
    }

    fn append(&self, _: &[Addition]) -> Result<Appended, StoreError> {
        if self.0 { Ok(Appended::Conflict) } else { Err("no space left".into()) }
    }

    fn remove(&self, _: &str) -> Result<(), StoreError> {
        Ok(())
    }
}

#[test]
fn an_event_that_cannot_be_recorded_fails() {
    for (always_changes, why) in [(true, "other programs change the history"), (false, "no space left")] {
        let (engine, returns) = (common::engine(STEPS), Returns::builtin().unwrap());
        let history = SharedHistory::new(Arc::new(Failing(always_changes)), [3; 32]);
        let mut thread = Thread::new(&engine, &returns).with_history(history);
        let reply = thread.on(&step("t"), &NoopHost).unwrap();
        assert!(matches!(&reply.step, Step::Fail(reason) if reason.contains(why)), "{reply:?}");
        assert!(reply.history.unknown.is_some() && reply.history.step.is_none());
    }
}

#[test]
fn the_hooks_of_a_workflow_see_one_history() {
    let policy = r#"
hooks:
  - {id: first, event: pre_decision, action: {type: inject, value: 1, as: first}}
  - {id: second, event: pre_decision, when: formerly(pre_decision), action: {type: inject, value: 1, as: second}}
  - {id: third, event: pre_decision, when: count(pre_decision) >= 2, action: {type: deny, reason: "twice"}}
"#;
    let engine = Engine::new(common::module(policy));
    let workflow = Workflow::new(&engine).with_history(history());
    let run = |session: &str| {
        let Value::Object(context) = json!({"session_id": session}) else { unreachable!() };
        let ran = workflow.run(Point::PreDecision, context, 0, &Recorder::new()).unwrap();
        (ran.context.contains_key("second"), ran.failed)
    };
    assert_eq!(run("a"), (false, None), "the point is recorded after its hooks");
    assert_eq!(run("a"), (true, None));
    assert_eq!(run("b"), (false, None));
    let (_, failed) = run("a");
    assert!(failed.unwrap().contains("twice"));
    let without = Workflow::new(&engine).run(Point::PreDecision, Default::default(), 0, &NoopHost).unwrap();
    assert!(without.failed.unwrap().contains("unknown"), "without a history");
}

const CALLS: &str = r#"
hooks:
  - id: two_calls
    event: PreToolUse
    when: count(PreToolUse) >= 2
    action: {type: deny, reason: "two calls"}
  - id: four_attempts
    event: PreToolUse
    when: count(any PreToolUse) >= 4
    action: {type: deny, reason: "four attempts"}
  - id: judge
    event: PreToolUse
    when: tool_name == 'Judged'
    action: {type: run, command: "exit 2"}
"#;

/// The reasons for which a call is denied, and the note of its record.
fn call(engine: &Engine, history: &SharedHistory, event: Value) -> (String, HistoryNote) {
    let event = Event::from_value(event);
    let decided = engine.decide_with(history, &event, &DecideOptions::default()).unwrap();
    let outcome = engine.execute(decided, &event, &NoopHost);
    (outcome.verdict().0.reasons.join("; "), outcome.history.clone())
}

fn tool(session: &str, name: &str) -> Value {
    json!({"hook_event_name": "PreToolUse", "session_id": session, "tool_name": name, "tool_input": {}})
}

#[test]
fn events_of_agents_are_recorded_with_what_their_actions_made_of_them() {
    let (engine, history) = (common::engine(CALLS), history());
    let mut step = 0;
    let mut on = |name: &str| {
        let (reasons, note) = call(&engine, &history, tool("s", name));
        step += 1;
        assert_eq!((note.step, note.unknown), (Some(step), None));
        reasons
    };
    // The handler is not executed here, which denies.
    assert!(!on("Judged").is_empty(), "a call that handlers deny did not happen");
    assert_eq!([on("Bash"), on("Bash")], ["", ""]);
    assert_eq!(on("Bash"), "two calls");
    assert_eq!(on("Bash"), "two calls; four attempts");
    // An event that no pattern names has no record.
    let stop = json!({"hook_event_name": "Stop", "session_id": "s"});
    assert_eq!(call(&engine, &history, stop), (String::new(), HistoryNote::default()));
    assert_eq!(call(&engine, &history, tool("t", "Bash")).0, "", "another session");
}

#[test]
fn sessions_that_begin_again_have_the_history_that_they_say() {
    let (engine, history) = (common::engine(CALLS), history());
    let start = |session: &str, source: &str| {
        let start = json!({"hook_event_name": "SessionStart", "session_id": session, "source": source});
        call(&engine, &history, start)
    };
    let calls = |session: &str| call(&engine, &history, tool(session, "Bash")).0;
    start("s", "startup");
    assert_eq!([calls("s"), calls("s")], ["", ""]);
    start("s", "resume");
    start("s", "compact");
    assert_eq!(calls("s"), "two calls", "resuming and compacting continue");
    start("s", "clear");
    assert_eq!([calls("s"), calls("s")], ["", ""], "a cleared session begins again");
    start("unseen", "resume");
    let unknown = calls("unseen");
    assert!(unknown.contains("no longer has"), "what happened before was not recorded: {unknown}");
}

/// A store with these bytes for every partition.
#[derive(Debug)]
struct Fixed(Result<Vec<u8>, &'static str>);

impl HistoryStore for Fixed {
    fn load(&self, _: &str) -> Result<Stored, StoreError> {
        Ok(Stored { bytes: self.0.clone()?, version: 1 })
    }

    fn append(&self, _: &[Addition]) -> Result<Appended, StoreError> {
        panic!("what cannot be read is not written")
    }

    fn remove(&self, _: &str) -> Result<(), StoreError> {
        Ok(())
    }
}

#[test]
fn what_a_store_has_and_cannot_be_read_is_unknown_and_said_once() {
    let [snapshot, record, _] = parts();
    let with_version = |version: u8| {
        let mut bytes = snapshot.clone();
        bytes[8] = version;
        bytes
    };
    let mut damaged = [snapshot.clone(), record].concat();
    damaged[20] ^= 1;
    let misplaced = Partition::new(Limits::default()).with_owner([7; 16].into()).encode();
    let engine = common::engine(CALLS);
    for (stored, word, why) in [
        (Ok(damaged), "damaged", "the history is damaged"),
        (Ok(with_version(0)), "damaged", "the history is damaged"),
        (Ok(with_version(9)), "newer", "a newer hookc wrote the history, in version 9"),
        (Ok(b"not a history at all".to_vec()), "damaged", "the history is damaged"),
        (Ok(misplaced), "misplaced", "the history is that of something else: it was renamed or copied"),
        (Err("connection refused"), "unreadable", "the history cannot be read: connection refused"),
    ] {
        let history = SharedHistory::new(Arc::new(Fixed(stored)), [3; 32]);
        let (reasons, note) = call(&engine, &history, tool("s", "Bash"));
        assert_eq!(reasons.matches(why).count(), 1, "{reasons}");
        assert!(reasons.starts_with("hooks two_calls, four_attempts failed: "), "{reasons}");
        assert_eq!((note.step, note.unknown), (None, Some(word)));
        // Without a condition about earlier events, nothing fails.
        let stop = json!({"hook_event_name": "Stop", "session_id": "s"});
        assert_eq!(call(&engine, &history, stop).0, "");
    }
}

#[test]
fn hooks_that_are_unknown_for_one_reason_have_one_message() {
    let hook = |id: String, more: &str| {
        format!(
            "  - {{id: {id}, event: PreToolUse, when: formerly(PreToolUse), {more}, action: {{type: deny, reason: no}}}}\n"
        )
    };
    let hooks = |prefix: &str, count: usize, more: &str| {
        (0..count).map(|number| hook(format!("{prefix}{number}"), more)).collect::<String>()
    };
    let policy = [
        "hooks:\n",
        &hooks("closed", 10, "on_failure: closed"),
        &hooks("open", 2, "on_failure: open"),
        &hooks("one", 1, "mode: warn"),
        "  - {id: other, event: PreToolUse, when: formerly(PreToolUse within 1m per project), mode: warn, action: {type: deny, reason: no}}\n",
        &hooks("two", 1, "mode: warn"),
    ]
    .concat();
    let event = tool("s", "Bash").to_string().into_bytes();
    let invocation = Invocation::new(adapter::by_name("claude").unwrap());
    let answer = run(invocation, event, || Ok::<_, std::io::Error>(common::module(&policy)));
    let answer: Value = serde_json::from_str(&answer.stdout.to_string()).unwrap();
    let why = |key: &str| {
        format!(
            "the history of the {key} is unknown: there is no directory for it: neither XDG_STATE_HOME nor HOME is set"
        )
    };
    let closed: Vec<String> = (0..8).map(|number| format!("closed{number}")).collect();
    let closed = format!("hooks {}, and 2 more failed: {}", closed.join(", "), why("session"));
    assert_eq!(answer["hookSpecificOutput"]["permissionDecisionReason"], closed);
    let (session, project) = (why("session"), why("project"));
    let messages = [
        format!("hooks open0, open1 failed: {session}"),
        format!("hooks one0, two0 (warn): {session}"),
        format!("hook other (warn): {project}"),
    ];
    assert_eq!(answer["systemMessage"], messages.join("\n"));
}

#[test]
fn a_file_that_another_program_keeps_is_unknown_until_it_lets_go() {
    let folder = tempfile::tempdir().unwrap();
    let engine = common::engine(CALLS);
    let history = SharedHistory::from_files(files(&folder));
    assert_eq!(call(&engine, &history, tool("s", "Bash")).0, "");
    let is_partition = |path: &std::path::PathBuf| path.file_name().is_some_and(|name| name != "key");
    let entries = std::fs::read_dir(folder.path().join("history")).unwrap();
    let path = entries.map(|entry| entry.unwrap().path()).find(is_partition).unwrap();
    let file = std::fs::OpenOptions::new().read(true).write(true).open(&path).unwrap();
    file.lock().unwrap();
    let (reasons, note) = call(&engine, &history, tool("s", "Bash"));
    assert!(reasons.contains("keeps the history locked"), "{reasons}");
    assert_eq!(note.unknown, Some("locked"));
    drop(file);
    assert_eq!(call(&engine, &history, tool("s", "Bash")).0, "");
    assert_eq!(call(&engine, &history, tool("s", "Bash")).0, "two calls");
}

#[cfg(feature = "postgres")]
mod postgres {
    use std::os::unix::process::CommandExt as _;
    use std::path::{Path, PathBuf};
    use std::process::{Child, Command, Stdio};
    use std::time::{Duration, Instant};

    use ::postgres::{Client, NoTls};
    use hookc_runtime::history::PostgresStore;

    use super::*;

    /// The user that runs the server in a test of `root`.
    const NOBODY: u32 = 65_534;

    struct Server {
        process: Child,
        folder: tempfile::TempDir,
    }

    impl Drop for Server {
        fn drop(&mut self) {
            // Its children end with it.
            let _ = Command::new("kill").args(["-INT", &self.process.id().to_string()]).status();
            let _ = self.process.wait();
        }
    }

    /// The programs of the newest server of Debian's package.
    fn programs() -> Option<PathBuf> {
        let versions = std::fs::read_dir("/usr/lib/postgresql").ok()?.flatten();
        let programs = versions.map(|version| version.path().join("bin"));
        programs.filter(|path| path.join("initdb").exists()).max()
    }

    fn command(program: &Path, folder: &Path) -> Command {
        let mut command = Command::new(program);
        command.current_dir(folder).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        if rustix::process::geteuid().is_root() {
            command.uid(NOBODY).gid(NOBODY);
        }
        command
    }

    impl Server {
        #[allow(clippy::print_stderr, reason = "a test that is skipped says so")]
        fn start() -> Option<Self> {
            let Some(programs) = programs() else {
                eprintln!("skipped: there is no server in /usr/lib/postgresql");
                return None;
            };
            let folder = tempfile::tempdir().unwrap();
            if rustix::process::geteuid().is_root() {
                std::os::unix::fs::chown(folder.path(), Some(NOBODY), Some(NOBODY)).unwrap();
            }
            let mut init = command(&programs.join("initdb"), folder.path());
            init.args(["-D", "data", "-U", "hooks", "-A", "trust", "-N", "--locale=C", "-E", "UTF8"]);
            assert!(init.status().unwrap().success());
            let mut server = command(&programs.join("postgres"), folder.path());
            server
                .args(["-D", "data", "-c", "listen_addresses=", "-c", "fsync=off", "-k"])
                .arg(folder.path());
            Some(Self { process: server.spawn().unwrap(), folder })
        }

        fn store(&self) -> PostgresStore {
            let folder = self.folder.path().display().to_string();
            let connect =
                move || Client::connect(&format!("host={folder} user=hooks dbname=postgres"), NoTls);
            let start = Instant::now();
            loop {
                match PostgresStore::new(connect.clone()) {
                    Ok(store) => return store,
                    Err(error) => assert!(start.elapsed() < Duration::from_secs(60), "{error}"),
                }
                std::thread::sleep(Duration::from_millis(50));
            }
        }
    }

    #[test]
    fn a_server_keeps_histories_for_several_machines() {
        let Some(server) = Server::start() else { return };
        let store = server.store();
        check_store(&store);
        count_steps(|| Arc::new(server.store()));
        assert_eq!(store.remove_old(Duration::from_secs(60)).unwrap(), 0);
        assert!(store.remove_old(Duration::ZERO).unwrap() > 0);
        drop(server);
        let error = store.load("a").unwrap_err();
        assert!(!error.to_string().is_empty(), "a server that ended makes the history unknown");
    }
}
