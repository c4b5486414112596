//! Calls of `hookc run` that are killed at any moment: an event that was answered is recorded once, and each answer is
//! that of the events so far. `HOOKC_KILLS` is the number of calls, `HOOKC_PROGRAM` a `hookc` to kill in place of that
//! of the tests, and `HOOKC_KILLS_IN` a directory for the state, such as a small file system.

use std::io::Write as _;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use std::{env, fs};

use serde_json::{Value, json};

use super::history::event;
use crate::common;

/// Three fetches after each reading, and two histories that have each event.
const POLICY: &str = r#"
facts:
  read: {event: PreToolUse, when: tool_name == 'Read'}
  fetch: {event: PreToolUse, when: tool_name == 'WebFetch'}
hooks:
  - {id: three, event: PreToolUse, when: tool_name == 'WebFetch' and count(fetch since read) >= 3,
     action: {type: deny, reason: three since a reading}}
  - {id: many, event: PreToolUse, when: count(PreToolUse where tool_name == now.tool_name within 30d per project) >= 900,
     action: {type: deny, reason: many in this project}}
  - {id: ok, event: PreToolUse, action: {type: allow}}
"#;

/// A second call about one use of a tool within 5 seconds is the same event.
const LATE: Duration = Duration::from_secs(4);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Answer {
    Allowed,
    Denied,
    /// Denied, since it cannot be recorded.
    Unrecorded,
}

/// How the disk is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Disk {
    HasSpace,
    /// Each fifth call finds no space for some of what it writes.
    IsFullAtTimes,
}

/// What a call led to.
struct Call {
    was_killed: bool,
    answer: Option<Answer>,
}

/// A session by the rules of the policy: what is expected of `hookc`.
#[derive(Default)]
struct Expected {
    fetches: usize,
}

impl Expected {
    fn answer(&self, tool: &str) -> Answer {
        if tool == "WebFetch" && self.fetches >= 3 { Answer::Denied } else { Answer::Allowed }
    }

    fn record(&mut self, tool: &str) {
        match (tool, self.answer(tool)) {
            ("Read", _) => self.fetches = 0,
            (_, Answer::Allowed) => self.fetches += 1,
            _ => {}
        }
    }
}

struct Kills {
    folder: tempfile::TempDir,
    program: PathBuf,
    state: PathBuf,
    disk: Disk,
    usual: Duration,
}

/// Thousandths that follow no pattern of the rounds.
fn share(round: usize) -> u32 {
    u32::try_from(round % 1_000 * 7_919 % 1_000).unwrap()
}

/// The figures of a run.
#[derive(Debug, Default)]
struct Figures {
    killed: usize,
    unanswered: usize,
    uncertain: u64,
    unrecorded: usize,
    recorded: u64,
}

impl Kills {
    fn new(disk: Disk) -> Self {
        let folder = tempfile::tempdir().unwrap();
        common::put(&folder, "hooks.yaml", POLICY);
        let state = env::var_os("HOOKC_KILLS_IN").map_or_else(|| folder.path().join("state"), PathBuf::from);
        let program = env::var_os("HOOKC_PROGRAM").map_or_else(|| common::HOOKC.into(), PathBuf::from);
        Self {
            state: state.join(format!("kills-{}", disk as u8)),
            folder,
            program,
            disk,
            usual: Duration::ZERO,
        }
    }

    /// The files of partitions.
    fn partitions(&self) -> Vec<PathBuf> {
        let calls = fs::read_dir(self.state.join("hookc/history")).into_iter().flatten().flatten();
        let files =
            calls.flat_map(|call| fs::read_dir(call.path()).unwrap().flatten()).map(|file| file.path());
        files.filter(|path| path.file_name().unwrap().len() == 32).collect()
    }

    /// The events of all partitions.
    fn events(&self) -> u64 {
        let step = |path: &PathBuf| {
            let bytes = fs::read(path).unwrap();
            let decoded = hookc_history::Partition::decode(&bytes, hookc_history::Limits::default()).unwrap();
            decoded.partition.step()
        };
        self.partitions().iter().filter(|path| fs::metadata(path).unwrap().len() > 0).map(step).sum()
    }

    /// A call that finds no space where a file of the history ends, or at the next multiple of 1,024 bytes.
    fn limited(&self, round: usize) -> Command {
        let sizes = self.partitions().into_iter().map(|path| fs::metadata(path).unwrap().len());
        let mut sizes: Vec<u64> = sizes.collect();
        sizes.sort_unstable();
        let kilobytes =
            sizes.get(round % sizes.len().max(1)).map_or(0, |size| size / 1024) + (round as u64 / 5) % 2;
        let mut command = common::program("bash", &self.folder);
        let line = format!("trap '' XFSZ; ulimit -f {kilobytes}; exec \"$@\"");
        command.args(["-c", &line, "bash"]).arg(&self.program);
        command
    }

    fn call(&self, event: &Value, mut command: Command, delay: Option<Duration>) -> Call {
        command
            .args(["run", "--host", "claude", "--no-log", "hooks.yaml"])
            .env("XDG_STATE_HOME", &self.state);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.spawn().unwrap();
        let _ = child.stdin.take().unwrap().write_all(event.to_string().as_bytes());
        if let Some(delay) = delay {
            std::thread::sleep(delay);
            child.kill().unwrap();
        }
        let output = child.wait_with_output().unwrap();
        let text = String::from_utf8(output.stdout).unwrap();
        let answer = (!text.is_empty()).then(|| {
            if text.contains("cannot be recorded") {
                Answer::Unrecorded
            } else if text.contains(r#""permissionDecision":"deny""#) {
                assert!(text.contains("three since a reading"), "denied for another reason: {text}");
                Answer::Denied
            } else {
                assert!(
                    text.contains(r#""permissionDecision":"allow""#),
                    "an answer of another kind: {text}"
                );
                Answer::Allowed
            }
        });
        Call { was_killed: output.status.code().is_none(), answer }
    }

    /// The project of a session.
    fn project(&self, session: usize) -> PathBuf {
        let project = self.folder.path().join(format!("project-{session}"));
        fs::create_dir_all(&project).unwrap();
        project
    }

    fn plain(&self) -> Command {
        common::program(&self.program, &self.folder)
    }

    /// Makes so many calls, and compares each answer with that of the events so far.
    fn run(&mut self, rounds: usize) -> Figures {
        let length = (rounds / 20).clamp(20, 500);
        let (mut figures, mut sessions, mut left, mut expected) =
            (Figures::default(), 0, 0, Expected::default());
        for round in 0..rounds {
            if left == 0 {
                (sessions, left, expected) = (sessions + 1, length, Expected::default());
            }
            left -= 1;
            let tool = if round % 6 == 5 { "Read" } else { "WebFetch" };
            let mut event =
                event("PreToolUse", tool, json!({"file_path": "/a", "url": "https://a", "prompt": "p"}));
            event["session_id"] = json!(sessions.to_string());
            // A project of two sessions has a longer history than the second of them.
            event["project_dir"] = json!(self.project(sessions / 2));
            let began = Instant::now();
            let is_full = self.disk == Disk::IsFullAtTimes && round % 5 == 2;
            let command = || if is_full { self.limited(round) } else { self.plain() };
            let first = self.call(&event, command(), Some(self.usual * share(round) / 800));
            figures.killed += usize::from(first.was_killed);
            figures.unanswered += usize::from(first.answer.is_none());
            let answer = first.answer.unwrap_or_else(|| {
                let again = self.call(&event, command(), None);
                again.answer.expect("a call that is not killed answers")
            });
            let was_late = first.answer.is_none() && began.elapsed() > LATE;
            if first.answer.is_none() && (was_late || answer == Answer::Unrecorded) {
                // It may have happened twice, or in one of the histories before the call was killed: another session is known.
                (figures.uncertain, left) = (figures.uncertain + 1, 0);
            }
            if answer == Answer::Unrecorded {
                assert!(self.can_be_full(), "after round {round}");
                figures.unrecorded += 1;
                continue;
            }
            assert!(was_late || answer == expected.answer(tool), "{answer:?} of round {round}");
            expected.record(tool);
            figures.recorded += 1;
        }
        figures
    }

    fn can_be_full(&self) -> bool {
        self.disk == Disk::IsFullAtTimes || env::var_os("HOOKC_KILLS_IN").is_some()
    }

    /// The time of a call, without its first ones.
    fn measure(&mut self) {
        let mut event = event("PreToolUse", "Other", json!({}));
        event["project_dir"] = json!(self.project(0));
        let mut times = [(); 9].map(|()| {
            let began = Instant::now();
            assert!(self.call(&event, self.plain(), None).answer.is_some());
            began.elapsed()
        });
        times.sort_unstable();
        self.usual = times[4];
        let _ = fs::remove_dir_all(&self.state);
    }
}

#[allow(clippy::print_stderr, reason = "figures for records")]
fn kill(disk: Disk, short: usize) {
    let mut kills = Kills::new(disk);
    kills.measure();
    let rounds = hookc_corpus::number("HOOKC_KILLS").unwrap_or_else(|| hookc_corpus::effort(400, short));
    let figures = kills.run(rounds);
    // The history of the session and that of the project.
    let (events, expected) = (kills.events(), 2 * figures.recorded);
    eprintln!("{rounds} calls, {figures:?}: {events} events in two histories, {expected} expected");
    assert!(
        (expected..=expected + 2 * figures.uncertain).contains(&events),
        "{events} events, {expected} expected"
    );
    assert!(figures.killed > rounds / 5, "only {} of {rounds} were killed in time", figures.killed);
    assert!(disk == Disk::HasSpace || figures.unrecorded > 0, "the disk was never full");
}

/// A call without an answer is made again: its event is recorded once, whether or not the first call had recorded it.
#[test]
fn calls_that_are_killed_at_any_moment_lose_and_double_nothing() {
    kill(Disk::HasSpace, 30);
}

/// Like that, and an event that cannot be recorded is denied, and is in no history.
#[test]
fn calls_that_are_killed_on_a_full_disk_lose_and_double_nothing() {
    kill(Disk::IsFullAtTimes, 60);
}
