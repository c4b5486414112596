//! Builds programs in C with the static library, plainly and with sanitizers, and runs them.

use std::path::{Path, PathBuf};
use std::process::Command;

/// What the static library needs of the system.
const SYSTEM: [&str; 3] = ["-lpthread", "-ldl", "-lm"];
const SANITIZERS: &str = "-fsanitize=address,undefined";

pub(crate) fn here() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The static library that cargo built for these tests.
fn library() -> PathBuf {
    let deps = std::env::current_exe().unwrap().parent().unwrap().to_owned();
    let found = [&deps, deps.parent().unwrap()].map(|folder| folder.join("libhookc.a"));
    found.into_iter().find(|path| path.is_file()).expect("cargo built libhookc.a")
}

fn cc(source: &Path, options: &[&str], program: &Path) -> Result<(), String> {
    let built = Command::new(std::env::var("CC").unwrap_or_else(|_| "cc".to_owned()))
        .args(["-std=c99", "-Wall", "-Wextra", "-Werror", "-pedantic", "-g", "-DVERSION=\"0.1.0\"", "-I"])
        .arg(here().join("include"))
        .args(options)
        .arg(source)
        .arg(library())
        .args(SYSTEM)
        .arg("-o")
        .arg(program)
        .output()
        .map_err(|error| error.to_string())?;
    if built.status.success() { Ok(()) } else { Err(String::from_utf8_lossy(&built.stderr).into_owned()) }
}

/// A program, with the sanitizers if the compiler has them.
pub(crate) fn build(source: &str, folder: &Path, sanitized: bool) -> PathBuf {
    let program = folder.join(if sanitized { "sanitized" } else { "plain" });
    let options = if sanitized { &[SANITIZERS, "-fno-sanitize-recover"][..] } else { &[] };
    cc(&here().join(source), options, &program).unwrap_or_else(|error| panic!("{source}: {error}"));
    program
}

/// Whether the C compiler links and runs a program with the sanitizers.
fn has_sanitizers(folder: &Path) -> bool {
    let (source, program) = (folder.join("empty.c"), folder.join("empty"));
    std::fs::write(&source, "int main(void) { return 0; }\n").unwrap();
    let has = cc(&source, &[SANITIZERS], &program).is_ok()
        && Command::new(&program).status().is_ok_and(|status| status.success());
    if !has {
        eprintln!("skipped: the C compiler has no {SANITIZERS}");
    }
    has
}

fn runs(source: &str, expected: &str) {
    let folder = tempfile::tempdir().unwrap();
    for sanitized in [false, true] {
        if sanitized && !has_sanitizers(folder.path()) {
            continue;
        }
        let run = Command::new(build(source, folder.path(), sanitized)).output().unwrap();
        let (out, err) = (String::from_utf8_lossy(&run.stdout), String::from_utf8_lossy(&run.stderr));
        assert!(run.status.success(), "{source}, sanitized: {sanitized}: {}\n{out}{err}", run.status);
        assert_eq!(out, expected, "{source}, sanitized: {sanitized}");
    }
}

#[test]
fn the_functions_do_what_they_say() {
    runs("tests/c/api.c", "ok\n");
}

#[test]
fn sessions_remember() {
    runs("tests/c/session.c", "ok\n");
}

#[test]
fn the_example_of_a_session_runs() {
    runs("examples/session.c", "{\"type\":\"deny\",\"reason\":\"Run the tests first.\"}\n");
}

#[test]
fn wrong_use_is_an_error() {
    runs("tests/c/hostile.c", "ok\n");
}

#[test]
fn threads_share_handles() {
    runs("tests/c/threads.c", "ok\n");
}

#[test]
fn the_example_of_a_thread_runs() {
    let expected = "retry 1 in 5 s\nretry 2 in 5 s\nfail: no retry is left\nretry 1 in 5 s\n\
        {\"type\":\"fail\",\"error_message\":\"the model says auth\"}\n\
        {\"type\":\"suspend\",\"suspend_reason\":\"budget\"}\nno opinion\n";
    runs("examples/thread.c", expected);
}

#[test]
fn the_example_of_a_thread_fails_closed() {
    let retries = "retry 1 in 5 s\nretry 2 in 5 s\nfail: no retry is left\n".repeat(2);
    let none = "fail: no retry is left\n".repeat(2 * 2);
    runs("tests/c/thread.c", &format!("{retries}{none}ok\n"));
}

#[test]
fn the_example_runs() {
    let expected = "policy.yaml:2: {\"type\":\"ask\",\"reason\":\"Push git push --force?\"}\n";
    runs("examples/guard.c", expected);
}
