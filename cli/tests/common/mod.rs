//! Shared by the tests of the command line: `hookc` in a directory with files.
#![allow(dead_code, reason = "no test uses all of it")]

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Once};

use signal_hook::consts::{SIGHUP, SIGINT, SIGQUIT};

/// The program.
pub(crate) const HOOKC: &str = env!("CARGO_BIN_EXE_hookc");

/// Environment variables that `hookc` reads and that a test may inherit: its own, those of the
/// agents, and the flat format's event.
const TAKEN_OUT: [&str; 15] = [
    "HOOKC_DISABLE",
    "HOOKC_PROBE",
    "HOOKC_WITHIN",
    "CLAUDE_PROJECT_DIR",
    "CLAUDE_CONFIG_DIR",
    "CODEX_HOME",
    "COPILOT_HOME",
    "GEMINI_PROJECT_DIR",
    "CURSOR_PROJECT_DIR",
    "HOOK_EVENT",
    "TOOL_NAME",
    "TOOL_INPUT",
    "TOOL_OUTPUT",
    "TOOL_IS_ERROR",
    "USER_MESSAGE",
];

/// How a program ended, and its output.
#[derive(Debug, PartialEq)]
pub(crate) struct Run {
    pub(crate) code: i32,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl Run {
    /// Exit code, standard output, standard error.
    pub(crate) fn parts(self) -> (i32, String, String) {
        (self.code, self.out, self.err)
    }
}

/// The directory of the project.
pub(crate) fn project() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap()
}

/// `hookc` in a directory, without inherited variables that affect it.
pub(crate) fn command(folder: impl AsRef<Path>) -> Command {
    program(HOOKC, folder)
}

/// Ends the inheritance of ignored signals: a shell ignores the interrupt signals for what it starts
/// in the background, `nohup` ignores SIGHUP, and so would every program that a test starts.
fn heed_signals() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        // The tests themselves stay under `nohup`.
        for (signal, ends) in [(SIGINT, true), (SIGQUIT, true), (SIGHUP, !ignores_hangups())] {
            let default = Arc::new(AtomicBool::new(ends));
            signal_hook::flag::register_conditional_default(signal, default).unwrap();
        }
    });
}

/// Linux says it; elsewhere `nohup` ends with its terminal.
fn ignores_hangups() -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).is_some_and(|mask| mask & 1 == 1)
}

/// A command of any program, with the environment of tests.
pub(crate) fn program(name: impl AsRef<std::ffi::OsStr>, folder: impl AsRef<Path>) -> Command {
    heed_signals();
    let mut command = Command::new(name);
    command.current_dir(folder);
    for name in TAKEN_OUT {
        command.env_remove(name);
    }
    // The decision log of the user who runs the tests is not touched.
    command.env("XDG_STATE_HOME", concat!(env!("CARGO_TARGET_TMPDIR"), "/state"));
    // The program under test is in a build directory.
    command.env("HOOKC_ALLOW_TEMPORARY", "1");
    command
}

/// Runs `hookc` in a directory.
pub(crate) fn hookc(folder: impl AsRef<Path>, args: &[&str], input: impl AsRef<[u8]>) -> Run {
    run(command(folder).args(args), input)
}

/// Runs a command to its end.
pub(crate) fn run(command: &mut Command, input: impl AsRef<[u8]>) -> Run {
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    // A command that fails early does not read its input.
    let _ = child.stdin.take().unwrap().write_all(input.as_ref());
    let done = child.wait_with_output().unwrap();
    let text = |bytes| String::from_utf8(bytes).expect("output is UTF-8");
    Run { code: done.status.code().expect("ends by itself"), out: text(done.stdout), err: text(done.stderr) }
}

/// Writes a file and its parent directories.
pub(crate) fn put(folder: impl AsRef<Path>, name: &str, bytes: impl AsRef<[u8]>) -> PathBuf {
    let path = folder.as_ref().join(name);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(&path, bytes).unwrap();
    path
}

/// Writes an executable shell script.
#[cfg(unix)]
pub(crate) fn executable(folder: impl AsRef<Path>, name: &str, text: &str) -> PathBuf {
    let path = folder.as_ref().join(name);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    hookc_corpus::write_program(&path, format!("#!/bin/sh\n{text}\n").as_bytes()).unwrap();
    path
}

/// The text of a file.
pub(crate) fn read(folder: impl AsRef<Path>, name: &str) -> String {
    fs::read_to_string(folder.as_ref().join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// Waits for the first text of each pair, and types the second; a single key a moment later, when
/// the reader waits for it. `NUMBER` is the last number before the first text.
const TERMINAL: &str = r#"
import json, os, pty, re, signal, sys, time
signal.alarm(60)
steps, text, seen = json.loads(sys.argv[1]), b"", 0
pid, fd = pty.fork()
if pid == 0:
    os.execv(sys.argv[2], sys.argv[2:])
while True:
    try:
        piece = os.read(fd, 1000)
    except OSError:
        break
    if not piece:
        break
    text += piece
    while steps and (at := text.find(steps[0][0].encode(), seen)) >= 0:
        seen = at + len(steps[0][0].encode())
        typed = steps.pop(0)[1]
        if "NUMBER" in typed:
            typed = typed.replace("NUMBER", re.findall(rb"\d+", text[:at])[-1].decode())
        time.sleep(0 if "\n" in typed else 0.2)
        os.write(fd, typed.encode())
print(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
print(text.decode(), end="")
"#;

/// Runs `hookc` at a terminal: returns its exit code, a line break, and the visible output, or
/// nothing without Python to create a terminal.
pub(crate) fn terminal(
    folder: impl AsRef<Path>,
    steps: &[(&str, &str)],
    args: &[&str],
) -> Option<(String, String)> {
    terminal_with(program("python3", folder), steps, args)
}

/// As `terminal`, by a command of Python with a directory and variables.
pub(crate) fn terminal_with(
    mut python: Command,
    steps: &[(&str, &str)],
    args: &[&str],
) -> Option<(String, String)> {
    let version = Command::new("python3").arg("--version").output();
    if !version.is_ok_and(|done| done.status.success()) {
        let _ = writeln!(std::io::stderr(), "skipped: there is no python3");
        return None;
    }
    let steps = serde_json::json!(steps).to_string();
    python.args(["-c", TERMINAL, &steps, HOOKC]).args(args);
    let (_, out, err) = run(&mut python, "").parts();
    Some((out.replace("\r\n", "\n").replace("^C", ""), err))
}
