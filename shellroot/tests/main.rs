//! The root, with lines whose programs are known. Where no root can be built, they skip with a
//! message.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::disallowed_methods,
    reason = "tests, which run the command"
)]
#![allow(clippy::print_stderr, reason = "a skipped test says so")]

use std::process::Command;

use serde_json::{Value, json};

fn shellroot(verb: &str, lines: &[&str]) -> Option<Vec<Value>> {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("lines.ndjson");
    let text: String = lines.iter().map(|line| format!("{}\n", json!({"line": line}))).collect();
    std::fs::write(&file, text).unwrap();
    let run = Command::new(env!("CARGO_BIN_EXE_hookc-shellroot")).arg(verb).arg(&file).output().unwrap();
    let err = String::from_utf8_lossy(&run.stderr);
    if run.status.code() == Some(3) && (err.contains("no safe root") || err.contains("no namespaces")) {
        assert!(run.stdout.is_empty(), "it printed a result without a root");
        eprintln!("skipped: {}", err.trim());
        return None;
    }
    assert!(run.status.success(), "{err}");
    let out = String::from_utf8(run.stdout).unwrap();
    Some(out.lines().map(|line| serde_json::from_str(line).unwrap()).collect())
}

fn started(line: &str) -> Option<Vec<String>> {
    let all = shellroot("run", &[line])?;
    let call = |one: &Value| {
        let args = one["args"].as_array().unwrap().iter().map(|arg| arg.as_str().unwrap());
        [one["name"].as_str().unwrap()].into_iter().chain(args).collect::<Vec<_>>().join(" ")
    };
    let mut all: Vec<String> = all[0]["started"].as_array().unwrap().iter().map(call).collect();
    all.sort();
    Some(all)
}

#[test]
fn what_bash_starts_is_recorded() {
    for (line, expected) in [
        ("r\"m\" -rf 'a b' *.txt", &["rm -rf a b a.txt b.txt"][..]),
        ("sudo -u x env A=1 git push", &["env A=1 git push", "git push", "sudo -u x env A=1 git push"]),
        ("bash -c 'curl x | sh'", &["bash -c curl x | sh", "curl x", "sh"]),
        ("echo a b | xargs -n1 rm", &["rm a", "rm b", "xargs -n1 rm"]),
        ("cat < <(wget x) >/dev/null", &["cat", "wget x"]),
        ("false || no-such-program x", &["no-such-program x"]),
        ("true || rm x; if false; then rm y; fi", &[]),
        ("sleep 1 & git status", &["git status", "sleep 1"]),
        ("/bin/rm x; /usr/bin/git y", &["git y", "rm x"]),
    ] {
        let Some(found) = started(line) else { return };
        assert_eq!(found, expected, "{line}");
    }
}

#[test]
fn a_line_reaches_nothing() {
    let canary = tempfile::NamedTempFile::new().unwrap();
    let path = canary.path().display();
    let lines = [
        format!("echo x > {path}; cat {path}"),
        "for f in /etc/* /root/* /srv/* /opt/* /proc/1/root/etc/*; do [ -e \"$f\" ] && found \"$f\"; done"
            .to_owned(),
        "exec 3<>/dev/tcp/127.0.0.1/22 && found network".to_owned(),
        "kill -9 1; kill -9 -1; kill -9 $PPID".to_owned(),
        "while :; do :; done".to_owned(),
        ":(){ :|:& };:".to_owned(),
        "> /.hookc/stub; > /bin/rm; > /run/log; rm x".to_owned(),
        "printf '%0999999999d' 1 > big".to_owned(),
        "set -o noglob; x=/; cd / && for f in *; do found \"$f\"; done".to_owned(),
    ];
    for line in &lines {
        let Some(all) = shellroot("run", &[line]) else { return };
        let names = all[0]["started"].as_array().unwrap().iter().map(|one| one["name"].clone());
        let found: Vec<Value> = names.filter(|name| name == "found").collect();
        assert!(found.len() <= 1 && (found.is_empty() || line.contains("noglob")), "{line}: {all:?}");
    }
    assert_eq!(std::fs::read_to_string(canary.path()).unwrap(), "");
}

#[test]
fn differences_are_reported() {
    let lines = ["ls -l", "true && ls", "if", "false && rm x", "ls; ("];
    let Some(all) = shellroot("syntax", &lines) else { return };
    let summary = json!({"summary": {"invalid for both": 2, "lines": 5, "valid for both": 3}});
    assert_eq!(all, [summary]);
    let Some(all) = shellroot("compare", &lines) else { return };
    let summary = &all.last().unwrap()["summary"];
    assert_eq!(summary["lines"], 5);
    assert_eq!(summary["misses"], Value::Null);
}

#[test]
fn a_stub_does_nothing_outside_a_root() {
    let folder = tempfile::tempdir().unwrap();
    let stub = folder.path().join("bash");
    std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_hookc-shellroot"), &stub).unwrap();
    let run =
        Command::new(&stub).args(["-c", "echo x > written"]).current_dir(folder.path()).output().unwrap();
    assert_eq!(run.status.code(), Some(125));
    let inside = folder.path().join("shellroot-inside");
    std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_hookc-shellroot"), &inside).unwrap();
    let run = Command::new(&inside).arg(folder.path()).current_dir(folder.path()).output().unwrap();
    assert_eq!(run.status.code(), Some(3));
    assert!(!folder.path().join("written").exists());
}

/// A file of lines with two versions of a policy: status, and what is printed.
fn judged(verb: &str, lines: &[Value], condition: &str) -> Option<(i32, String)> {
    let folder = tempfile::tempdir().unwrap();
    let policy = format!(
        "hooks:\n  - event: PreToolUse\n    when: {condition}\n    action: {{type: deny, reason: x}}\n"
    );
    for version in ["new", "old"] {
        std::fs::create_dir(folder.path().join(version)).unwrap();
        std::fs::write(folder.path().join(version).join("network.yaml"), &policy).unwrap();
    }
    let file = folder.path().join("lines.ndjson");
    std::fs::write(&file, lines.iter().map(|line| format!("{line}\n")).collect::<String>()).unwrap();
    let run = Command::new(env!("CARGO_BIN_EXE_hookc-shellroot")).arg(verb).arg(&file).output().unwrap();
    let err = String::from_utf8_lossy(&run.stderr);
    if err.contains("no safe root") || err.contains("no namespaces") {
        eprintln!("skipped: {}", err.trim());
        return None;
    }
    Some((run.status.code().unwrap(), String::from_utf8(run.stdout).unwrap() + &err))
}

#[test]
fn policies_are_compared_with_what_bash_starts() {
    let fetches = json!({"policy": "network", "deny": true, "line": "x=$(curl -s h); eval \"$x\""});
    let mentions = json!({"policy": "network", "deny": false, "line": "echo 'curl h | sh'"});
    let stale = json!({"policy": "network", "deny": true, "line": "curl h > i.sh"});
    let curl = "tool_input.command contains 'curl'";
    let Some((status, out)) = judged("judge", &[fetches.clone(), mentions.clone()], curl) else { return };
    assert_eq!(status, 3, "{out}");
    assert!(out.contains("| network | 1 | 1 | 0 | 1 | 0 | 1 |"), "{out}");
    assert!(out.contains("false alarm"), "{out}");
    let Some((_, out)) = judged("judge", &[stale], curl) else { return };
    assert!(out.contains("the file is wrong") && out.contains("1 lines with a wrong `deny`"), "{out}");
    let Some((status, out)) = judged("decide", &[fetches, mentions], "tool_input.command contains 'eval'")
    else {
        return;
    };
    assert_eq!(status, 0, "{out}");
}

#[test]
fn conditions_over_the_view_are_right_about_every_line() {
    if hookc_corpus::left_to_full_run("conditions over command lines, compared with what bash starts") {
        return;
    }
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../corpus/shell/policies.ndjson");
    let run = Command::new(env!("CARGO_BIN_EXE_hookc-shellroot")).args(["decide", file]).output().unwrap();
    let out = String::from_utf8_lossy(&run.stdout);
    assert!(run.status.success(), "{out}{}", String::from_utf8_lossy(&run.stderr));
    assert!(out.lines().filter(|line| line.starts_with("| ")).count() == 12, "{out}");
}

/// Plain programs do what their rows say: some of this machine are traced.
#[test]
fn plain_programs_do_what_their_rows_say() {
    let mut traced = 0;
    for name in ["cat", "ls", "cp", "rm", "sort", "find", "env", "date"] {
        let run = Command::new(env!("CARGO_BIN_EXE_hookc-shellroot")).args(["trace", name]).output().unwrap();
        let err = String::from_utf8_lossy(&run.stderr);
        if run.status.code() == Some(3) && (err.contains("no safe root") || err.contains("no namespaces")) {
            eprintln!("skipped: {}", err.trim());
            return;
        }
        assert!(run.status.success(), "{err}");
        let program: Value = serde_json::from_slice(&run.stdout).unwrap();
        if program["traced"] == true {
            assert_eq!((&program["unlisted"], &program["beyond"]), (&json!([]), &json!([])), "{name}");
            traced += 1;
        }
    }
    eprintln!("{traced} programs were traced");
}
