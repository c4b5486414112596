//! Outputs that take nothing, and limits of files: an answer that nobody gets is no
//! silence, and nothing else changes a decision.

use std::path::Path;

use super::sessions::POLICY;
use super::shell::{Shell, tool};
use crate::common::{self, Run};

/// A line for a shell in which `$hookc` is the program and `$event` an event that is
/// denied.
fn shell(folder: impl AsRef<Path>, line: &str) -> Run {
    let mut command = common::program("bash", &folder);
    command.args(["-c", line]).env("hookc", common::HOOKC);
    command.env("event", tool("PreToolUse", "rm -rf /").to_string());
    command.env("XDG_STATE_HOME", folder.as_ref().join("state"));
    common::run(&mut command, "")
}

const RUN: &str = r#"printf '%s' "$event" | "$hookc" run --host"#;

#[test]
fn an_answer_that_cannot_be_written_denies() {
    let folder = Shell::new(POLICY).folder;
    // A process that has the other end of a pipe open and reads nothing.
    let outputs = [">&-", "1</dev/null", "1</dev/zero", "1>/dev/full", "1>/", "> >(exec <&-; sleep 0.2)"];
    for to in outputs {
        for host in ["claude", "codex", "gemini", "copilot"] {
            let event = match host {
                "gemini" => "event=${event/PreToolUse/BeforeTool}; event=${event/Bash/run_shell_command}; ",
                _ => "",
            };
            let closed = shell(&folder, &format!("{event}{RUN} {host} --no-log hooks.yaml {to}"));
            if to == "1>/" {
                assert_ne!(closed.code, 0, "{host} {to} {closed:?}");
                continue;
            }
            if to.starts_with("> >") && closed.code == 0 {
                // The reader was not gone yet.
                continue;
            }
            assert_eq!(closed.code, 2, "{host} {to} {closed:?}");
            let told = closed.err.contains("could not be written") && closed.err.contains("not rm -rf /");
            assert!(told, "{host} {to} {closed:?}");
            let open =
                shell(&folder, &format!("{event}{RUN} {host} --on-failure open --no-log hooks.yaml {to}"));
            let code = if host == "copilot" { 0 } else { 1 };
            assert!(open.code == code && open.err.contains("not rm -rf /"), "{host} {to} {open:?}");
        }
    }
    // Without output a closed reader does not matter.
    for to in outputs.into_iter().filter(|to| !to.contains("1>/")) {
        let quiet =
            shell(&folder, &format!("event=${{event/rm -rf/ls}}; {RUN} claude --no-log hooks.yaml {to}"));
        assert_eq!((quiet.code, quiet.err.as_str()), (0, ""), "{to}");
    }
}

#[test]
fn a_standard_error_that_takes_nothing_changes_nothing() {
    let folder = Shell::new(POLICY).folder;
    for to in ["2>&-", "2</dev/null", "2>/dev/full", "2>/dev/null", "2> >(exec <&-; sleep 0.2)"] {
        let denied = shell(&folder, &format!("{RUN} claude --no-log hooks.yaml {to}"));
        assert!(denied.code == 0 && denied.out.contains(r#""permissionDecision":"deny""#), "{to} {denied:?}");
        let broken = shell(&folder, &format!("{RUN} claude --no-log no-such-policy.yaml {to}"));
        assert_eq!((broken.code, broken.out.as_str()), (2, ""), "{to}");
        let flat = shell(&folder, &format!("{RUN} flat --no-log hooks.yaml {to}"));
        assert_eq!((flat.code, flat.out.as_str()), (1, ""), "{to}");
    }
}

#[test]
fn a_descriptor_that_does_not_block_is_waited_for() {
    let Ok(python) = std::process::Command::new("python3").arg("--version").output() else { return };
    assert!(python.status.success());
    let folder = tempfile::tempdir().unwrap();
    let reason = "x".repeat(9_000);
    let policy = format!(
        "hooks:\n{}",
        (0..9)
            .map(|n| format!(
                "- {{event: UserPromptSubmit, action: {{type: inject, text: '{n}{reason}'}}}}\n"
            ))
            .collect::<String>()
    );
    common::put(&folder, "hooks.yaml", policy);
    let script = r#"
import os, subprocess, sys, time
into, out, (rin, win), (rout, wout) = 0, 0, os.pipe(), os.pipe()
for fd in (rin, win, wout):
    os.set_blocking(fd, False)
os.write(wout, b"." * 65000)
child = subprocess.Popen([sys.argv[1], "run", "--host", "claude", "--no-log", "hooks.yaml"], stdin=rin, stdout=wout)
os.close(rin); os.close(wout)
time.sleep(0.3)
os.write(win, b'{"hook_event_name":"UserPromptSubmit","prompt":"p"}'); os.close(win)
time.sleep(0.3)
text = b""
while piece := os.read(rout, 1 << 20):
    text += piece
print(child.wait(), len(text) > 74000)
"#;
    let mut command = common::program("python3", &folder);
    command.args(["-c", script, common::HOOKC]);
    let done = common::run(&mut command, "");
    assert_eq!((done.out.as_str(), done.err.as_str()), ("0 True\n", ""));
}

/// Blocks of 1024 bytes, as `bash` counts them.
#[test]
fn a_limit_of_file_sizes_ends_nothing() {
    let folder = Shell::new(POLICY).folder;
    let log = folder.path().join("state/hookc/decisions.jsonl");
    assert_eq!(shell(&folder, &format!("{RUN} claude hooks.yaml")).code, 0);
    let line = std::fs::read(&log).unwrap();
    for bytes in [1024, 1000, 1023] {
        let mut full = line.repeat(10);
        full.truncate(bytes - 1);
        full.push(b'\n');
        std::fs::write(&log, &full).unwrap();
        let done = shell(&folder, &format!("ulimit -f 1; {RUN} claude hooks.yaml"));
        assert!(done.code == 0 && done.out.contains("deny") && done.err.is_empty(), "{bytes} {done:?}");
        assert_eq!(std::fs::read(&log).unwrap(), full, "{bytes}");
        let told = shell(&folder, &format!("ulimit -f 1; {RUN} claude -v hooks.yaml"));
        assert!(told.code == 0 && told.err.contains("too large"), "{bytes} {told:?}");
    }
    // The answer itself, in a file that takes no more.
    let out = folder.path().join("out");
    std::fs::write(&out, [b'x'; 1024]).unwrap();
    let done = shell(&folder, &format!("ulimit -f 1; {RUN} claude --no-log hooks.yaml >>out"));
    assert!(done.code == 2 && done.err.contains("not rm -rf /"), "{done:?}");
}

/// What `hookc` does about signals is its own: handlers find them as it found them.
#[test]
fn handlers_find_signals_as_this_process_found_them() {
    let shell_of = |line: &str| {
        let policy = "hooks:\n- {event: PreToolUse, action: {type: run, result: agent, command: \
             'grep SigIgn /proc/self/status >&2; exit 2'}}\n";
        let folder = Shell::new(policy).folder;
        let done = shell(&folder, &format!("{line}{RUN} claude --no-log hooks.yaml"));
        let mask = done.out.split("SigIgn:").nth(1).unwrap_or_else(|| panic!("{done:?}"));
        let mask: String =
            mask.trim_start_matches("\\t").chars().take_while(char::is_ascii_hexdigit).collect();
        u64::from_str_radix(&mask, 16).unwrap()
    };
    if !Path::new("/proc/self/status").exists() {
        return;
    }
    let bit = |signal: u32| 1_u64 << (signal - 1);
    let (pipe, child, size) = (bit(13), bit(17), bit(25));
    assert_eq!(shell_of("") & (pipe | child | size), 0);
    assert_eq!(shell_of("trap '' XFSZ; ") & (pipe | child | size), size);
    // One that is ignored here does not hide the end of a handler.
    assert_eq!(shell_of("trap '' CHLD PIPE; ") & (pipe | child | size), 0);
}

#[test]
fn no_verb_succeeds_without_its_output() {
    let folder = Shell::new(POLICY).folder;
    common::put(&folder, "event.json", tool("PreToolUse", "rm -rf /").to_string());
    common::put(&folder, "guard.yaml", "hooks: [{event: PreToolUse, action: {type: deny, reason: r}}]\n");
    common::put(&folder, "rough.yaml", "hooks: [ {event: limit, action: {type: abort} } ]\n");
    common::put(
        &folder,
        "hooks.test.yaml",
        format!("policy: hooks.yaml\ntests:\n- {{event: {}, expect: none}}\n", tool("PreToolUse", "ls")),
    );
    let verbs = [
        "eval hooks.yaml event.json",
        "eval --pretty hooks.yaml event.json",
        "explain hooks.yaml event.json",
        "explain --format json hooks.yaml event.json",
        "list hooks.yaml",
        "list --format json hooks.yaml",
        "check .",
        "test hooks.test.yaml",
        "test --format json hooks.test.yaml",
        "test --format junit hooks.test.yaml",
        "fmt --stdout hooks.yaml",
        "fmt --check rough.yaml",
        "convert --to directive-xml rough.yaml",
        "compile --emit plan hooks.yaml",
        "compile --emit asm hooks.yaml",
        "path '$.tool_name' event.json",
        "replay hooks.yaml event.json",
        "bench --json hooks.yaml event.json",
        "install claude guard.yaml --dry-run",
        "install flat guard.yaml",
        "new hook --dialect hooks-yaml --id a --event PreToolUse --action deny --dry-run",
        "schema",
        "explain-code E0101",
        "completions bash",
        "man",
        "--help",
        "--version",
        "run --help",
    ];
    for verb in verbs.into_iter().step_by(hookc_corpus::effort(1, 4)) {
        let sound = shell(&folder, &format!("\"$hookc\" {verb}"));
        assert!(!sound.out.is_empty(), "{verb} {sound:?}");
        for to in ["1>/dev/full", "1</dev/null", "| true"] {
            let done = shell(&folder, &format!("set -o pipefail; \"$hookc\" {verb} {to}"));
            // A reader that is gone may be so too late.
            assert!(done.code != 0 || to == "| true", "{verb} {to} {done:?}");
            assert!(!done.err.contains("panicked"), "{verb} {to} {done:?}");
        }
    }
}

/// What a handler prints, and whether that fails closed or is reported to the user.
const UNREAD: [(&str, bool); 10] = [
    (r#""{\"decision\":\"block\"}""#, true),
    (r#"["{\"decision\":\"block\"}"]"#, true),
    (r#"{"output":"ran\n{\"decision\":\"block\"}"}"#, true),
    (r#"{"hook specific output":{"permission_decision":"deny"}}"#, true),
    (r#"{"shouldBlock":true}"#, true),
    (r#"{"block":"because"}"#, true),
    (r#"{"cancel":true,"errorMessage":"no"}"#, true),
    (r#"INFO "{\"decision\":\"block\"}" sent"#, false),
    ("BLOCKED: no", false),
    ("decision: block", false),
];

#[test]
fn a_denial_in_another_form_is_not_silent() {
    let folder = tempfile::tempdir().unwrap();
    let run = |host: &str, printed: &str, to: &str, result: &str| {
        common::put(&folder, "printed", printed);
        let action = format!("{{type: run, command: 'cat printed {to}'{result}}}");
        common::put(
            &folder,
            "hooks.yaml",
            format!("hooks: [{{id: h, event: PreToolUse, action: {action}}}]\n"),
        );
        let mut command = common::command(&folder);
        command.args(["run", "--no-log", "--host", host, "hooks.yaml", "--event", "PreToolUse"]);
        common::run(command.args(["--tool", "Bash", "--input", "command=ls"]), "")
    };
    for host in ["claude", "codex", "gemini", "cursor", "copilot", "cline", "crush", "antigravity", "kiro"] {
        for (printed, closes) in UNREAD {
            for result in ["", ", result: agent"] {
                let shown = run(host, printed, "", result);
                let said = format!("{}{}", shown.out, shown.err);
                assert_eq!(said.contains("hook h failed"), closes, "{host} {printed} {shown:?}");
                assert!(
                    said.contains("not read") || said.contains("only read"),
                    "{host} {printed} {shown:?}"
                );
            }
        }
        let shown = run(host, r#"{"decision":"block"}"#, ">&2", ", result: agent");
        assert!(format!("{}{}", shown.out, shown.err).contains("to standard error"), "{host} {shown:?}");
    }
}
