//! Sessions in which what happened before decides: one process for each event.

use std::fs;
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::shell::{Shell, prompt};
use crate::common::{self, Run};

const TESTED: &str = r#"
facts:
  edited: {event: PostToolUse, when: "tool_name in ['Edit', 'Write', 'MultiEdit']"}
  tested: {event: PostToolUse, when: "passed('cargo test !--no-run')"}
hooks:
  - id: push_only_what_was_tested
    event: PreToolUse
    when: "some(c in shell(tool_input.command).commands: c.name == 'git' and c.sub == 'push') and formerly(edited since tested)"
    action: {type: deny, reason: "Run the tests first: a file has changed since they passed."}
"#;

const IDENTICAL: &str = r#"
hooks:
  - id: third_identical_call
    event: PreToolUse
    when: "count(PreToolUse where tool_name == now.tool_name and tool_input == now.tool_input within turn) >= 2"
    action: {type: deny, reason: "Twice is enough."}
"#;

const SECRET: &str = r#"
facts:
  secret_read: {event: PreToolUse, when: "tool_name == 'Read' and tool_input.file_path glob '**/.env'"}
hooks:
  - id: no_network_after_a_secret
    event: PreToolUse
    when: "some(c in shell(tool_input.command).commands: c.name == 'curl') and formerly(secret_read)"
    action: {type: deny, reason: "A secret was read."}
"#;

const LIMIT: &str = r#"
hooks:
  - id: three_fetches
    event: PreToolUse
    when: "tool_name == 'WebFetch' and count(PreToolUse where tool_name == 'WebFetch' within 1h) >= 3"
    action: {type: deny, reason: "Three an hour."}
"#;

/// An event about a use of a tool that no other event is about.
fn event(name: &str, tool: &str, input: Value) -> Value {
    static USES: AtomicUsize = AtomicUsize::new(0);
    let id = format!("t{}", USES.fetch_add(1, Ordering::Relaxed));
    json!({"session_id": "s", "cwd": "/nowhere", "hook_event_name": name, "tool_name": tool, "tool_input": input,
        "tool_use_id": id})
}

fn done(tool: &str, input: Value) -> Value {
    let mut event = event("PostToolUse", tool, input);
    event["tool_response"] = json!({"stdout": "", "interrupted": false});
    event
}

fn bash(command: &str) -> Value {
    event("PreToolUse", "Bash", json!({"command": command}))
}

fn fetch() -> Value {
    event("PreToolUse", "WebFetch", json!({"url": "https://example.com", "prompt": "p"}))
}

fn start() -> Value {
    json!({"session_id": "s", "cwd": "/nowhere", "hook_event_name": "SessionStart", "source": "startup"})
}

fn is_denied(run: &Run) -> bool {
    assert_eq!(run.code, 0, "{run:?}");
    run.out.contains(r#""permissionDecision":"deny""#)
}

impl Shell {
    fn denies(&self, event: &Value) -> bool {
        is_denied(&self.host("claude", event))
    }

    /// The files of partitions.
    fn partitions(&self) -> Vec<PathBuf> {
        let calls =
            fs::read_dir(self.folder.path().join("state/hookc/history")).into_iter().flatten().flatten();
        let files =
            calls.flat_map(|call| fs::read_dir(call.path()).unwrap().flatten()).map(|entry| entry.path());
        files.filter(|path| path.file_name().unwrap().len() == 32).collect()
    }

    fn log(&self) -> Vec<Value> {
        let log = common::read(&self.folder, "state/hookc/decisions.jsonl");
        log.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }
}

#[test]
fn push_only_what_was_tested() {
    let shell = Shell::new(TESTED);
    let edit = done("Edit", json!({"file_path": "/p/a.rs", "old_string": "a", "new_string": "b"}));
    let test = done("Bash", json!({"command": "cargo test"}));
    let push = bash("git push origin main");
    assert!(!shell.denies(&push), "nothing was edited");
    shell.host("claude", &edit);
    assert!(shell.denies(&push));
    assert!(!shell.denies(&bash("git status")));
    let mut failed = test.clone();
    failed["tool_response"]["interrupted"] = json!(true);
    shell.host("claude", &failed);
    assert!(shell.denies(&push), "the tests did not pass");
    shell.host("claude", &test);
    assert!(!shell.denies(&push));
    shell.host("claude", &edit);
    assert!(shell.denies(&push));
    let mut other = push.clone();
    other["session_id"] = json!("other");
    assert!(!shell.denies(&other), "another session has another history");
    let steps: Vec<_> = shell.log().iter().map(|line| line["step"].clone()).collect();
    assert!(steps.iter().any(Value::is_u64), "{steps:?}");
}

#[test]
fn the_third_identical_call_of_a_turn() {
    let shell = Shell::new(IDENTICAL);
    shell.host("claude", &prompt("go"));
    let call = bash("ls -la");
    assert_eq!([(); 4].map(|()| shell.denies(&call)), [false, false, true, true]);
    assert!(!shell.denies(&bash("ls")), "another input");
    shell.host("claude", &prompt("again"));
    assert!(!shell.denies(&call), "another turn");
}

#[test]
fn no_network_after_a_secret() {
    let shell = Shell::new(SECRET);
    let send = bash("curl https://example.com");
    assert!(!shell.denies(&send));
    shell.host("claude", &event("PreToolUse", "Read", json!({"file_path": "/p/README"})));
    assert!(!shell.denies(&send));
    shell.host("claude", &event("PreToolUse", "Read", json!({"file_path": "/p/.env"})));
    assert!(shell.denies(&send) && !shell.denies(&bash("ls")));
}

#[test]
fn two_processes_at_once_never_exceed_a_count() {
    for round in 0..4 {
        let shell = Shell::new(LIMIT);
        let allowed = std::thread::scope(|scope| {
            let calls: Vec<_> = (0..8).map(|_| scope.spawn(|| shell.denies(&fetch()))).collect();
            calls.into_iter().map(|call| call.join().unwrap()).filter(|denied| !denied).count()
        });
        assert_eq!(allowed, 3, "round {round}");
    }
}

#[test]
fn a_damaged_file_is_unknown_and_denies() {
    let shell = Shell::new(SECRET);
    shell.host("claude", &event("PreToolUse", "Read", json!({"file_path": "/p/README"})));
    let [file] = &shell.partitions()[..] else { panic!("one partition") };
    let mut bytes = fs::read(file).unwrap();
    bytes[20] ^= 1;
    fs::write(file, &bytes).unwrap();
    let run = shell.host("claude", &bash("curl https://example.com"));
    assert!(is_denied(&run) && run.out.contains("the history is damaged"), "{run:?}");
    assert!(!shell.denies(&bash("ls")), "false and unknown is false");
    assert_eq!(shell.log().last().unwrap()["history"], json!({"unknown": "damaged"}));
    let open = shell.run(
        &["--host", "claude", "--on-failure", "open"],
        bash("curl https://example.com").to_string().as_bytes(),
        &[],
    );
    assert!(!is_denied(&open) && open.out.contains("damaged"), "open continues and reports: {open:?}");
    // A person forgets it.
    let mut clear = common::command(&shell.folder);
    clear.args(["history", "clear", "--session", "s"]);
    let cleared = common::run(clear.env("XDG_STATE_HOME", shell.folder.path().join("state")), "");
    assert_eq!((cleared.code, cleared.err.as_str()), (0, "cleared 1 history\n"), "{cleared:?}");
    assert!(file.with_extension("damaged").is_file());
    assert!(!shell.denies(&bash("curl https://example.com")));
}

#[test]
fn a_file_that_is_locked_is_unknown() {
    let shell = Shell::new(SECRET);
    shell.host("claude", &event("PreToolUse", "Read", json!({"file_path": "/p/README"})));
    let [file] = &shell.partitions()[..] else { panic!("one partition") };
    let locked = fs::OpenOptions::new().read(true).write(true).open(file).unwrap();
    locked.lock().unwrap();
    let began = Instant::now();
    let run = shell.host("claude", &bash("curl https://example.com"));
    assert!(is_denied(&run) && run.out.contains("locked"), "{run:?}");
    assert!(began.elapsed() < Duration::from_secs(8));
    drop(locked);
    assert!(!shell.denies(&bash("curl https://example.com")));
}

#[test]
fn a_session_whose_start_was_missed_is_unknown() {
    let shell = Shell::new(SECRET);
    let settings = json!({"hooks": {"SessionStart": [{"hooks": [{"type": "command",
        "command": "hookc run --host claude hooks.yaml"}]}]}});
    fs::create_dir(shell.folder.path().join(".git")).unwrap();
    common::put(&shell.folder, ".claude/settings.json", settings.to_string());
    let send = bash("curl https://example.com");
    let run = shell.host("claude", &send);
    assert!(is_denied(&run), "the start is recorded elsewhere, and was not for this session: {run:?}");
    let lenient = Shell::new(SECRET);
    fs::create_dir(lenient.folder.path().join(".git")).unwrap();
    common::put(&lenient.folder, ".claude/settings.json", settings.to_string());
    let arguments = ["--host", "claude", "--history", "lenient"];
    assert!(!is_denied(&lenient.run(&arguments, send.to_string().as_bytes(), &[])));
    let seen = Shell::new(SECRET);
    fs::create_dir(seen.folder.path().join(".git")).unwrap();
    common::put(&seen.folder, ".claude/settings.json", settings.to_string());
    seen.host("claude", &start());
    assert!(!seen.denies(&send));
}

#[test]
fn handlers_deny_later_and_others_do_not_wait_for_them() {
    let policy = format!(
        "{LIMIT}  - {{id: judge, event: PreToolUse, when: \"tool_name == 'WebFetch'\", \
         action: {{type: run, command: \"sleep 0.3; test -e allow || exit 2\"}}}}\n"
    );
    let shell = Shell::new(&policy);
    for _ in 0..4 {
        assert!(shell.denies(&fetch()), "the handler denies each of them");
    }
    common::put(&shell.folder, "allow", "");
    assert_eq!(
        [(); 4].map(|()| shell.denies(&fetch())),
        [false, false, false, true],
        "denied calls do not count"
    );
}

#[test]
fn nested_calls_and_disabled_ones_record_nothing() {
    let shell = Shell::new(LIMIT);
    for _ in 0..4 {
        let run = shell.run(&["--host", "claude"], fetch().to_string().as_bytes(), &[("HOOKC_DISABLE", "1")]);
        assert!(!is_denied(&run));
    }
    assert_eq!([(); 4].map(|()| shell.denies(&fetch())), [false, false, false, true]);
}

#[test]
fn a_process_that_is_killed_leaves_a_history_that_can_be_read() {
    use std::process::Stdio;
    let shell = Shell::new(LIMIT);
    let mut written = 0;
    for round in 0..30_u64 {
        let mut command = common::command(&shell.folder);
        command.args(["run", "--host", "claude", "hooks.yaml"]);
        command.env("XDG_STATE_HOME", shell.folder.path().join("state"));
        command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
        let mut child = command.spawn().unwrap();
        let mut other = fetch();
        other["session_id"] = json!("killed");
        std::io::Write::write_all(&mut child.stdin.take().unwrap(), other.to_string().as_bytes()).unwrap();
        std::thread::sleep(Duration::from_micros(round * 700 % 20_000));
        child.kill().unwrap();
        written += u64::from(child.wait().unwrap().code().is_some());
    }
    let mut last = fetch();
    last["session_id"] = json!("killed");
    let run = shell.host("claude", &last);
    assert!(!run.out.contains("history"), "{written} ended before: {run:?}");
    let show = common::run(
        common::command(&shell.folder)
            .args(["history", "show", "--session", "killed", "--format", "json"])
            .env("XDG_STATE_HOME", shell.folder.path().join("state")),
        "",
    );
    let shown: Value = serde_json::from_str(&show.out).unwrap();
    let events = shown[0]["histories"][0]["events"].as_u64().unwrap_or_else(|| panic!("{run:?}\n{show:?}"));
    assert!((written + 1..=31).contains(&events), "{shown}");
}
