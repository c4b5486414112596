//! The decision log under writers that are killed.
#![cfg(unix)]

use std::collections::BTreeSet;
use std::io::{Read, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use hookc_runtime::Event;
use hookc_runtime::log::{Entry, Log, Redaction};
use serde_json::{Value, json};

/// Names the log to a process that is a writer.
const WRITER: &str = "HOOKC_TEST_WRITER";
/// Concurrent writers.
const WRITERS: u64 = 240;
const AT_ONCE: usize = 8;

fn write(log: &Log, id: &str, size: usize) {
    let event = Event::from_value(json!({"id": id, "text": "x".repeat(size)}));
    log.write(&Entry::new("test", &event, Err("why"), Duration::ZERO)).unwrap();
}

/// A writer: lines of a few bytes and of many pages, each reported when it is written.
#[test]
fn writer() {
    let Ok(path) = std::env::var(WRITER) else { return };
    let log = Log::open(Path::new(&path)).unwrap().with_payload(Redaction::default());
    let mut stderr = std::io::stderr();
    for n in 0_usize.. {
        let id = format!("{}/{n}", std::process::id());
        write(&log, &id, [10, 3_000, 40_000, 300_000][n % 4]);
        stderr.write_all(format!("{id}\n").as_bytes()).unwrap();
    }
}

fn start(path: &Path) -> Child {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--exact", "log::writer", "--nocapture"]).env(WRITER, path);
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap()
}

/// Kills it, and returns what it reported as written.
fn kill(mut child: Child) -> Vec<String> {
    child.kill().unwrap();
    assert_eq!(child.wait().unwrap().code(), None, "a writer ended by itself");
    let mut reported = String::new();
    child.stderr.take().unwrap().read_to_string(&mut reported).unwrap();
    assert!(reported.is_empty() || reported.ends_with('\n'));
    reported.lines().map(str::to_owned).collect()
}

#[test]
fn kill_9_at_any_moment_leaves_whole_lines_and_all_that_were_written() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("log");
    let (mut running, mut acknowledged, mut torn) = (Vec::new(), BTreeSet::new(), 0);
    for n in 0..WRITERS {
        running.push(start(&path));
        if running.len() == AT_ONCE {
            // From before its first line until after some dozens.
            std::thread::sleep(Duration::from_micros(n * 7919 % 12_000));
            acknowledged.extend(kill(running.remove((n % AT_ONCE as u64) as usize)));
        }
        // The log does not grow without bound: the lines of a round are checked and removed.
        if n % 40 == 39 {
            running.drain(..).for_each(|child| acknowledged.extend(kill(child)));
            torn += usize::from(!std::fs::read(&path).unwrap().ends_with(b"\n"));
            write(&Log::open(&path).unwrap().with_payload(Redaction::default()), "last", 10);
            let lost = check(&path, &std::mem::take(&mut acknowledged));
            assert!(lost.is_empty(), "lost: {lost:?}");
            std::fs::remove_file(&path).unwrap();
        }
    }
    let _ =
        writeln!(std::io::stderr(), "{WRITERS} writers killed; {torn} rounds of {} ended torn", WRITERS / 40);
}

/// Every line parses; returns the missing ones.
fn check(path: &Path, acknowledged: &BTreeSet<String>) -> Vec<String> {
    let text = std::fs::read_to_string(path).unwrap();
    assert!(text.ends_with('\n'));
    let ids = text.lines().map(|line| {
        let line: Value = serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {:.100}", line));
        line["payload"]["id"].as_str().unwrap().to_owned()
    });
    let ids: Vec<String> = ids.collect();
    let set: BTreeSet<&String> = ids.iter().collect();
    assert!(set.len() == ids.len() && ids.last().is_some_and(|id| id == "last"));
    acknowledged.iter().filter(|id| !set.contains(id)).cloned().collect()
}
