//! The worker process: a line of JSON for each call, a line back.

use std::io::{ErrorKind, Read, Write};
use std::os::fd::AsFd;
use std::os::unix::process::CommandExt;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::ioctl_fionbio;
use rustix::process::{Pid, Signal, kill_process_group};
use serde_json::Value;

use crate::process::{Live, StartError, start_group};

const CODE: &str = include_str!("worker.py");

/// A worker that runs. Dropping it kills it with all that it started.
#[derive(Debug)]
pub(super) struct Worker {
    child: Child,
    live: Option<Live>,
    stdin: ChildStdin,
    stdout: ChildStdout,
    /// What was read behind the last line.
    rest: Vec<u8>,
    calls: u64,
}

/// Why there is no answer. The worker is of no use any more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Lost {
    Late,
    Died,
}

impl Worker {
    pub(super) fn start(interpreter: &str) -> Result<Self, String> {
        let mut command = Command::new(interpreter);
        command.args(["-u", "-c", CODE]).process_group(0);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let told = |error: std::io::Error| format!("`{interpreter}` cannot be started: {error}");
        let started = start_group(&mut command).ok_or_else(|| StartError::Ending.to_string())?;
        let (mut child, live) = started.map_err(told)?;
        let (stdin, stdout) = (child.stdin.take(), child.stdout.take());
        let (Some(stdin), Some(stdout)) = (stdin, stdout) else {
            return Err(format!("`{interpreter}` has no streams"));
        };
        for fd in [stdin.as_fd(), stdout.as_fd()] {
            ioctl_fionbio(fd, true).map_err(|error| told(error.into()))?;
        }
        Ok(Self { child, live: Some(live), stdin, stdout, rest: Vec::new(), calls: 0 })
    }

    /// Asks, and waits for the answer at most so long.
    pub(super) fn ask(&mut self, mut question: Value, timeout: Duration) -> Result<Value, Lost> {
        self.calls += 1;
        if let Value::Object(members) = &mut question {
            members.insert("id".to_owned(), self.calls.into());
        }
        let deadline = Instant::now() + timeout;
        self.write(format!("{question}\n").as_bytes(), deadline)?;
        let line = self.line(deadline)?;
        let answer: Value = serde_json::from_slice(&line).map_err(|_| Lost::Died)?;
        if answer.get("id").and_then(Value::as_u64) == Some(self.calls) {
            Ok(answer)
        } else {
            Err(Lost::Died)
        }
    }

    fn write(&mut self, mut bytes: &[u8], deadline: Instant) -> Result<(), Lost> {
        while !bytes.is_empty() {
            match self.stdin.write(bytes) {
                Ok(written) => bytes = bytes.get(written..).unwrap_or_default(),
                Err(error) if error.kind() == ErrorKind::WouldBlock => {
                    wait(self.stdin.as_fd(), PollFlags::OUT, deadline)?;
                }
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(_) => return Err(Lost::Died),
            }
        }
        Ok(())
    }

    fn line(&mut self, deadline: Instant) -> Result<Vec<u8>, Lost> {
        let mut buffer = [0; 16 << 10];
        let mut looked = 0;
        loop {
            let end = self.rest.iter().skip(looked).position(|byte| *byte == b'\n');
            if let Some(end) = end {
                let tail = self.rest.split_off(looked + end + 1);
                return Ok(std::mem::replace(&mut self.rest, tail));
            }
            looked = self.rest.len();
            match self.stdout.read(&mut buffer) {
                Ok(0) => return Err(Lost::Died),
                Ok(read) => self.rest.extend_from_slice(buffer.get(..read).unwrap_or_default()),
                Err(error) if error.kind() == ErrorKind::WouldBlock => {
                    wait(self.stdout.as_fd(), PollFlags::IN, deadline)?;
                }
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(_) => return Err(Lost::Died),
            }
        }
    }
}

fn wait(fd: std::os::fd::BorrowedFd<'_>, flags: PollFlags, deadline: Instant) -> Result<(), Lost> {
    let left = deadline.saturating_duration_since(Instant::now());
    if left.is_zero() {
        return Err(Lost::Late);
    }
    let timeout = Timespec {
        tv_sec: i64::try_from(left.as_secs()).unwrap_or(i64::MAX),
        tv_nsec: left.subsec_nanos().into(),
    };
    // Interrupted or not: the caller tries again, and looks at the clock again.
    let _ = poll(&mut [PollFd::from_borrowed_fd(fd, flags)], Some(&timeout));
    Ok(())
}

impl Drop for Worker {
    fn drop(&mut self) {
        let _ = kill_process_group(Pid::from_child(&self.child), Signal::KILL);
        self.live = None; // before its number can belong to anybody else
        let _ = self.child.wait();
    }
}
