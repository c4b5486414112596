//! Realistic handlers: each of these does what some real hook has done.
#![cfg(unix)]

use crate::support;

use std::path::Path;
use std::time::{Duration, Instant};

use hookc_runtime::process::{Command, Ended, Program, StartError, Status};
use support::gone;

fn run(line: &str) -> Ended {
    Command::shell(line).run().unwrap()
}

fn within(seconds: u64, command: &Command) -> Ended {
    let start = Instant::now();
    let ended = command.run().unwrap();
    assert!(start.elapsed() < Duration::from_secs(seconds), "took {:?}", start.elapsed());
    ended
}

fn argv(words: &[&str]) -> Command {
    let args = words[1..].iter().map(|word| (*word).to_owned()).collect();
    Command::new(Program::Argv { program: words[0].to_owned(), args })
}

#[test]
fn input_outputs_and_status() {
    let mut command = Command::shell("cat; echo said >&2; exit 7");
    command.stdin = b"{\"a\":1}".to_vec().into();
    let ended = command.run().unwrap();
    assert_eq!(ended.status, Status::Exited(7));
    assert_eq!((ended.stdout.text.as_str(), ended.stderr.text.as_str()), ("{\"a\":1}", "said\n"));
    assert_eq!((ended.stdin_left, ended.left_behind), (0, false));
    assert!(!ended.status.success() && run("true").status.success());
}

#[test]
fn environment_and_folder() {
    let folder = tempfile::tempdir().unwrap();
    let mut command = Command::shell("pwd; echo \"$ADDED-${HOME-none}\"");
    command.cwd = Some(folder.path().to_owned());
    command.env = vec![("ADDED".into(), Some("yes no".into())), ("HOME".into(), None)];
    let out = command.run().unwrap().stdout.text;
    let real = folder.path().canonicalize().unwrap();
    assert_eq!(out, format!("{}\nyes no-none\n", real.display()));
}

#[test]
fn no_shell_between_a_program_and_its_arguments() {
    let ended = argv(&["printf", "%s|", "a b", "$HOME", "'"]).run().unwrap();
    assert_eq!(ended.stdout.text, "a b|$HOME|'|");
}

#[test]
fn a_group_of_its_own() {
    let ended = run("ps -o pgid= -p $$ 2>/dev/null || cut -d' ' -f5 /proc/$$/stat; echo $$");
    let numbers: Vec<&str> = ended.stdout.text.split_whitespace().collect();
    assert_eq!(numbers[0], numbers[1]);
}

#[test]
fn one_that_hangs_is_stopped() {
    let mut command = Command::shell("echo $$; sleep 100");
    command.timeout = Duration::from_millis(150);
    let ended = within(2, &command);
    assert_eq!(ended.status, Status::TimedOut);
    gone(&ended.stdout.text);
}

#[test]
fn one_that_ignores_sigterm_with_its_children_is_killed() {
    let line = "trap '' TERM; (trap '' TERM; sleep 100) & echo $!; sleep 100 & echo $!; echo $$; while :; do sleep 1; done";
    let mut command = Command::shell(line);
    command.timeout = Duration::from_millis(150);
    command.kill_after = Duration::from_millis(200);
    let ended = within(3, &command);
    assert_eq!(ended.status, Status::TimedOut);
    assert_eq!(ended.stdout.text.lines().count(), 3);
    ended.stdout.text.lines().for_each(gone);
}

#[test]
fn one_that_cleans_up_on_sigterm_may() {
    let mut command = Command::shell("trap 'echo cleaned; exit 0' TERM; sleep 100 & wait");
    command.timeout = Duration::from_millis(150);
    let ended = within(3, &command);
    assert_eq!((ended.status, ended.stdout.text.as_str()), (Status::TimedOut, "cleaned\n"));
}

#[test]
fn children_that_keep_the_outputs_open_hold_nothing_up() {
    let ended = within(2, &Command::shell("(trap '' TERM HUP; sleep 100) & echo $!; exit 3"));
    assert_eq!(ended.status, Status::Exited(3));
    assert!(ended.left_behind);
    gone(&ended.stdout.text);
}

#[test]
fn children_with_outputs_elsewhere_end_too() {
    let ended = within(2, &Command::shell("sleep 100 >/dev/null 2>&1 & echo $!"));
    assert_eq!((ended.status, ended.left_behind), (Status::Exited(0), false));
    gone(&ended.stdout.text);
}

#[test]
fn processes_outside_the_group_are_abandoned() {
    if !Path::new("/usr/bin/setsid").exists() {
        return;
    }
    let ended = within(2, &Command::shell("setsid sleep 3 & exit 0"));
    assert_eq!((ended.status, ended.left_behind), (Status::Exited(0), true));
}

#[test]
fn a_gigabyte_is_counted_and_not_kept() {
    let mut command = Command::shell("head -c 1000000000 /dev/zero; echo end >&2");
    command.keep = 1000;
    let ended = within(30, &command);
    assert_eq!((ended.stdout.text.len(), ended.stdout.dropped), (1000, 999_999_000));
    assert_eq!((ended.status, ended.stderr.text.as_str()), (Status::Exited(0), "end\n"));
    assert!(ended.stdout.remark().unwrap().contains("999999000 more bytes"));
}

#[test]
fn an_endless_flood_ends_with_the_timeout() {
    let mut command = Command::shell("yes; yes >&2");
    command.timeout = Duration::from_millis(200);
    assert_eq!(within(3, &command).status, Status::TimedOut);
}

#[test]
fn one_that_dies() {
    assert_eq!(run("kill -SEGV $$").status, Status::Signaled(11));
    assert_eq!(run("kill -KILL $$").status, Status::Signaled(9));
    assert_eq!(run("kill -TERM 0").status, Status::Signaled(15));
}

#[test]
fn one_that_closes_its_input() {
    let mut command = Command::shell("exec 0<&-; sleep 0.1; echo done");
    command.stdin = vec![b'x'; 16 << 20].into();
    let ended = within(5, &command);
    assert_eq!((ended.status, ended.stdout.text.as_str()), (Status::Exited(0), "done\n"));
    assert!(ended.stdin_left > 0);
}

#[test]
fn one_that_never_reads_16_mib() {
    let mut command = Command::shell("echo ok");
    command.stdin = vec![b'x'; 16 << 20].into();
    let ended = within(5, &command);
    assert_eq!((ended.status, ended.stdout.text.as_str()), (Status::Exited(0), "ok\n"));
    command = Command::shell("sleep 100");
    command.stdin = vec![b'x'; 16 << 20].into();
    command.timeout = Duration::from_millis(150);
    assert_eq!(within(3, &command).status, Status::TimedOut);
}

#[test]
fn one_that_reads_and_prints_16_mib_at_once() {
    let mut command = Command::shell("cat");
    command.stdin = vec![b'x'; 16 << 20].into();
    command.keep = 32 << 20;
    let ended = within(10, &command);
    assert_eq!((ended.stdout.text.len(), ended.stdout.dropped, ended.stdin_left), (16 << 20, 0, 0));
}

#[test]
fn invalid_utf8_is_replaced_and_reported() {
    let ended = run(r"printf 'a\377b'; printf '\303' >&2");
    assert_eq!((ended.stdout.text.as_str(), ended.stderr.text.as_str()), ("a\u{fffd}b", "\u{fffd}"));
    assert_eq!(ended.stdout.remark().unwrap(), "bytes that are not UTF-8 were replaced");
}

#[test]
fn a_failed_start_has_a_reason() {
    let folder = tempfile::tempdir().unwrap();
    let script = folder.path().join("hook.sh");
    std::fs::write(&script, "#!/bin/sh\necho ran\n").unwrap();
    let script = script.to_str().unwrap();
    let error = |command: &Command| command.run().unwrap_err();
    assert!(matches!(error(&argv(&["no-such-program-anywhere"])), StartError::Missing(_)));
    assert!(matches!(error(&argv(&[script])), StartError::NotExecutable(_)));
    hookc_corpus::write_program(script.as_ref(), b"#!/bin/sh\necho ran\n").unwrap();
    assert_eq!(argv(&[script]).run().unwrap().stdout.text, "ran\n");
    let mut command = Command::shell("true");
    command.cwd = Some(folder.path().join("nowhere"));
    assert!(matches!(error(&command), StartError::Folder(_)));
    assert_eq!(run("no-such-program-anywhere").status, Status::Exited(127));
    assert_eq!(error(&argv(&["no-such"])).to_string(), "no program `no-such`");
}

#[test]
fn values_that_programs_cannot_receive() {
    let with = |name: &str, value: String| {
        let mut command = Command::shell("printf %s \"$V\" | wc -c");
        command.env = vec![(name.to_owned(), Some(value))];
        command.run()
    };
    let largest = (128 << 10) - "V=".len() - 1;
    assert_eq!(with("V", "x".repeat(largest)).unwrap().stdout.text.trim(), largest.to_string());
    assert!(matches!(with("V", "x".repeat(largest + 1)), Err(StartError::TooLarge { .. })));
    assert!(matches!(with("V", "a\0b".into()), Err(StartError::Nul(_))));
    assert!(matches!(with("", String::new()), Err(StartError::Name(_))));
    assert!(matches!(with("A=B", String::new()), Err(StartError::Name(_))));
    assert!(matches!(argv(&["echo", "a\0b"]).run(), Err(StartError::Nul(_))));
    assert!(matches!(argv(&["echo", &"x".repeat(128 << 10)]).run(), Err(StartError::TooLarge { .. })));
    let long = argv(&["echo", "a\0b"]).run().unwrap_err().to_string();
    assert_eq!(long, "argument 1 contains a zero byte, which is not allowed");
}

use crate::marked;

#[test]
fn many_at_once_leave_nothing() {
    let mark = marked::mark("many");
    let threads: Vec<_> = (0..8)
        .map(|n| {
            let mark = mark.clone();
            std::thread::spawn(move || {
                for round in 0..10 {
                    let mut command = Command::shell(format!("cat; sleep 30 & exit {round}"));
                    command.stdin = format!("{n}/{round}").into_bytes().into();
                    command.env.push((marked::NAME.to_owned(), Some(mark.clone())));
                    let ended = command.run().unwrap();
                    assert_eq!(ended.stdout.text, format!("{n}/{round}"));
                    assert_eq!(ended.status, Status::Exited(round));
                }
            })
        })
        .collect();
    threads.into_iter().for_each(|thread| thread.join().unwrap());
    marked::none_left(&mark);
}
