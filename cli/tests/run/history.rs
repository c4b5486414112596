//! Sessions in which what happened before decides: one process for each event.

use std::fs;
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::shell::{Shell, prompt, tool};
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
pub(super) fn event(name: &str, tool: &str, input: Value) -> Value {
    json!({"session_id": "s", "cwd": "/nowhere", "hook_event_name": name, "tool_name": tool, "tool_input": input,
        "tool_use_id": new_id()})
}

pub(super) fn new_id() -> String {
    static USES: AtomicUsize = AtomicUsize::new(0);
    format!("t{}", USES.fetch_add(1, Ordering::Relaxed))
}

pub(super) fn done(tool: &str, input: Value) -> Value {
    let mut event = event("PostToolUse", tool, input);
    event["tool_response"] = json!({"stdout": "", "interrupted": false});
    event
}

pub(super) fn bash(command: &str) -> Value {
    event("PreToolUse", "Bash", json!({"command": command}))
}

pub(super) fn fetch() -> Value {
    event("PreToolUse", "WebFetch", json!({"url": "https://example.com", "prompt": "p"}))
}

fn start() -> Value {
    json!({"session_id": "s", "cwd": "/nowhere", "hook_event_name": "SessionStart", "source": "startup"})
}

pub(super) fn is_denied(run: &Run) -> bool {
    assert_eq!(run.code, 0, "{run:?}");
    run.out.contains(r#""permissionDecision":"deny""#)
}

impl Shell {
    /// Whether a further use of the tool is denied.
    pub(super) fn denies(&self, event: &Value) -> bool {
        is_denied(&self.send(event))
    }

    /// Sends the event about a further use of the tool.
    pub(super) fn send(&self, event: &Value) -> Run {
        let mut event = event.clone();
        if event.get("tool_use_id").is_some() {
            event["tool_use_id"] = new_id().into();
        }
        self.host("claude", &event)
    }

    /// The files of partitions.
    pub(super) fn partitions(&self) -> Vec<PathBuf> {
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
    shell.send(&edit);
    assert!(shell.denies(&push));
    assert!(!shell.denies(&bash("git status")));
    let mut failed = test.clone();
    failed["tool_response"]["interrupted"] = json!(true);
    shell.send(&failed);
    assert!(shell.denies(&push), "the tests did not pass");
    shell.send(&test);
    assert!(!shell.denies(&push));
    shell.send(&edit);
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
    shell.send(&prompt("go"));
    let call = bash("ls -la");
    assert_eq!([(); 4].map(|()| shell.denies(&call)), [false, false, true, true]);
    assert!(!shell.denies(&bash("ls")), "another input");
    shell.send(&prompt("again"));
    assert!(!shell.denies(&call), "another turn");
}

#[test]
fn no_network_after_a_secret() {
    let shell = Shell::new(SECRET);
    let send = bash("curl https://example.com");
    assert!(!shell.denies(&send));
    shell.send(&event("PreToolUse", "Read", json!({"file_path": "/p/README"})));
    assert!(!shell.denies(&send));
    shell.send(&event("PreToolUse", "Read", json!({"file_path": "/p/.env"})));
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
    shell.send(&event("PreToolUse", "Read", json!({"file_path": "/p/README"})));
    let [file] = &shell.partitions()[..] else { panic!("one partition") };
    let mut bytes = fs::read(file).unwrap();
    bytes[20] ^= 1;
    fs::write(file, &bytes).unwrap();
    let run = shell.send(&bash("curl https://example.com"));
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
    shell.send(&event("PreToolUse", "Read", json!({"file_path": "/p/README"})));
    let [file] = &shell.partitions()[..] else { panic!("one partition") };
    let locked = fs::OpenOptions::new().read(true).write(true).open(file).unwrap();
    locked.lock().unwrap();
    let began = Instant::now();
    let run = shell.send(&bash("curl https://example.com"));
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
    let run = shell.send(&send);
    assert!(is_denied(&run), "the start is recorded elsewhere, and was not for this session: {run:?}");
    let lenient = Shell::new(SECRET);
    fs::create_dir(lenient.folder.path().join(".git")).unwrap();
    common::put(&lenient.folder, ".claude/settings.json", settings.to_string());
    let arguments = ["--host", "claude", "--history", "lenient"];
    assert!(!is_denied(&lenient.run(&arguments, send.to_string().as_bytes(), &[])));
    let seen = Shell::new(SECRET);
    fs::create_dir(seen.folder.path().join(".git")).unwrap();
    common::put(&seen.folder, ".claude/settings.json", settings.to_string());
    seen.send(&start());
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

/// A question about a request for a permission denies nothing: the agent asks anyway.
#[test]
fn a_question_about_a_request_is_recorded_as_one() {
    let shell = Shell::new(
        "hooks:\n\
         - {event: PermissionRequest, when: count(asked PermissionRequest) >= 2, action: {type: deny, reason: enough}}\n\
         - {event: PermissionRequest, action: {type: ask, reason: sure}}\n",
    );
    for host in ["claude", "codex"] {
        let denies = |use_of_tool: u8| {
            let mut event = tool("PermissionRequest", "ls");
            (event["session_id"], event["tool_use_id"]) = (json!(host), json!(use_of_tool.to_string()));
            shell.host(host, &event).out.contains("enough")
        };
        assert_eq!([0, 1, 2].map(denies), [false, false, true], "{host}");
    }
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

/// The number of events in the only partition.
fn events(shell: &Shell) -> u64 {
    let [file] = &shell.partitions()[..] else { panic!("one partition") };
    let bytes = fs::read(file).unwrap();
    hookc_history::Partition::decode(&bytes, hookc_history::Limits::default()).unwrap().partition.step()
}

/// No file can grow, as on a full disk, or no file can be created: the event fails, and what was recorded stays.
#[test]
fn an_event_that_cannot_be_recorded_is_denied_and_a_later_one_is_not() {
    let shell = Shell::new(LIMIT);
    assert!(!shell.denies(&fetch()) && !shell.denies(&fetch()));
    common::put(&shell.folder, "event.json", fetch().to_string());
    let call = |before: &str| {
        let line = format!("{before} exec \"$hookc\" run --host claude --no-log hooks.yaml < event.json");
        let mut command = std::process::Command::new("bash");
        command
            .current_dir(shell.folder.path())
            .args(["-c", &line])
            .env("hookc", env!("CARGO_BIN_EXE_hookc"));
        command.env("XDG_STATE_HOME", shell.folder.path().join("state"));
        common::run(&mut command, "")
    };
    let full = call("trap '' XFSZ; ulimit -f 0;");
    assert!(is_denied(&full) && full.out.contains("cannot be recorded"), "{full:?}");
    assert_eq!(events(&shell), 2);
    let open = call(
        "trap '' XFSZ; ulimit -f 0; exec \"$hookc\" run --host claude --no-log --on-failure open hooks.yaml < event.json;",
    );
    assert!(!is_denied(&open) && open.out.contains("cannot be recorded"), "{open:?}");
    assert!(!is_denied(&call("")) && events(&shell) == 3, "the third use is recorded once there is space");
    assert!(shell.denies(&fetch()));
}

/// For root, another user; for others, a file without permissions.
#[test]
fn a_file_of_another_user_is_unknown() {
    use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
    let shell = Shell::new(SECRET);
    shell.send(&event("PreToolUse", "Read", json!({"file_path": "/p/README"})));
    let [file] = &shell.partitions()[..] else { panic!("one partition") };
    let (word, change): (_, &dyn Fn(u32)) = if fs::metadata(file).unwrap().uid() == 0 {
        ("another user", &|user| std::os::unix::fs::chown(file, Some(user), None).unwrap())
    } else {
        ("cannot be read", &|user| {
            let mode = if user == 0 { 0o600 } else { 0 };
            fs::set_permissions(file, fs::Permissions::from_mode(mode)).unwrap();
        })
    };
    change(65_534);
    let run = shell.send(&bash("curl https://example.com"));
    assert!(is_denied(&run) && run.out.contains(word), "{run:?}");
    assert!(!shell.denies(&bash("ls")));
    change(0);
    assert!(!shell.denies(&bash("curl https://example.com")));
}

#[test]
fn two_calls_of_hookc_about_one_use_of_a_tool_record_it_once() {
    let shell = Shell::new(LIMIT);
    for _ in 0..3 {
        let fetch = fetch();
        assert!(
            (0..3).all(|_| !is_denied(&shell.host("claude", &fetch))),
            "each has the answer of the first"
        );
    }
    let fourth = fetch();
    assert!((0..3).all(|_| is_denied(&shell.host("claude", &fourth))));
    let steps: Vec<_> = shell.log().iter().map(|line| line["step"].as_u64().unwrap()).collect();
    assert_eq!(steps, [1, 1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 4]);
    // Both at once, next to others.
    let shell = Shell::new(LIMIT);
    let fetches: Vec<Value> = (0..4).map(|_| fetch()).collect();
    let answers: Vec<[bool; 2]> = std::thread::scope(|scope| {
        let shell = &shell;
        let call = |fetch| [(); 2].map(|()| scope.spawn(move || is_denied(&shell.host("claude", fetch))));
        let calls: Vec<_> = fetches.iter().map(call).collect();
        calls.into_iter().map(|both| both.map(|call| call.join().unwrap())).collect()
    });
    assert!(answers.iter().all(|[first, second]| first == second), "{answers:?}");
    assert_eq!(answers.iter().filter(|[denied, _]| *denied).count(), 1, "{answers:?}");
}

#[test]
fn a_second_call_does_not_record_what_handlers_of_the_first_decide() {
    let handler = "  - {id: judge, event: PreToolUse, action: {type: run, command: \"echo x >> ran; sleep 0.3; exit 2\"}}\n";
    let shell = Shell::new(&format!("{LIMIT}{handler}"));
    for _ in 0..2 {
        let fetch = fetch();
        let both = std::thread::scope(|scope| {
            let calls = [(); 2].map(|()| scope.spawn(|| is_denied(&shell.host("claude", &fetch))));
            calls.map(|call| call.join().unwrap())
        });
        assert_eq!(both, [true, true]);
    }
    assert_eq!(common::read(&shell.folder, "ran"), "x\nx\n");
    let [file] = &shell.partitions()[..] else { panic!("one partition") };
    let bytes = fs::read(file).unwrap();
    let partition =
        hookc_history::Partition::decode(&bytes, hookc_history::Limits::default()).unwrap().partition;
    assert_eq!((partition.step(), partition.waiting()), (2, 0));
}

#[test]
fn a_patch_of_several_files_is_one_record() {
    let policy = r#"
hooks:
  - id: two_patches
    event: PreToolUse
    when: "count(PreToolUse) >= 2"
    action: {type: deny, reason: "Two patches."}
  - id: four_files
    event: PreToolUse
    when: "distinct(tool_input.file_path of PreToolUse) >= 4"
    action: {type: deny, reason: "Four files."}
"#;
    let patch = |files: &[&str]| {
        let files = files.iter().map(|file| format!("*** Add File: {file}\n+x\n")).collect::<String>();
        let patch = format!("*** Begin Patch\n{files}*** End Patch\n");
        json!({"session_id": "s", "cwd": "/nowhere", "hook_event_name": "PreToolUse", "tool_name": "apply_patch",
            "tool_input": {"command": patch}, "tool_use_id": new_id()})
    };
    let shell = Shell::new(policy);
    let denied = |files: &[&str]| {
        let run = shell.host("codex", &patch(files));
        assert_eq!(run.code, 0, "{run:?}");
        run.out.contains("deny").then_some(run.out)
    };
    assert_eq!(denied(&["a", "b", "c"]), None);
    assert_eq!(denied(&["a", "d"]), None, "one call, three files");
    let both = denied(&["e"]).unwrap();
    assert!(both.contains("Two patches.") && both.contains("Four files."), "{both}");
}

#[test]
fn how_a_session_began_is_asked_once() {
    let settings = json!({"hooks": {"SessionStart": [{"hooks": [{"type": "command",
        "command": "hookc run --host claude hooks.yaml"}]}]}});
    let path = ".claude/settings.json";
    let shell = || {
        let shell = Shell::new(TESTED);
        fs::create_dir(shell.folder.path().join(".git")).unwrap();
        shell
    };
    // The policy records no push: the first one says how the session began.
    let (seen, missed) = (shell(), shell());
    assert!(!seen.denies(&bash("git push")));
    common::put(&seen.folder, path, settings.to_string());
    assert!(!seen.denies(&bash("git push")), "it had begun before");
    common::put(&missed.folder, path, settings.to_string());
    assert!(missed.denies(&bash("git push")));
    fs::remove_file(missed.folder.path().join(path)).unwrap();
    assert!(missed.denies(&bash("git push")), "its start is still unknown");
}
