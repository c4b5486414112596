//! The worker process: for each call a line, a number and JSON, and a line back.

use std::io::{ErrorKind, Read, Write};
use std::os::fd::AsFd;
use std::os::unix::process::CommandExt;
use std::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, poll};
use rustix::io::ioctl_fionbio;
use rustix::process::{Pid, Signal, kill_process_group};
use serde_json::Value;

use crate::limits::{ANSWER_BYTES, OUTPUT_BYTES};
use crate::process::{self, Live, StartError, Status, start_group};
use crate::time::saturating_timespec;

const CODE: &str = include_str!("worker.py");

/// Bytes of a line: a value, and the output, each byte of which JSON can encode as six.
const LINE_BYTES: usize = ANSWER_BYTES + 6 * OUTPUT_BYTES + 1024;

/// How long a worker that no longer answers has to end, for its exit status.
const END: Duration = Duration::from_millis(200);

/// A worker that runs. Dropping it kills it with all that it started.
#[derive(Debug)]
pub(super) struct Worker {
    child: Child,
    live: Option<Live>,
    stdin: ChildStdin,
    stdout: ChildStdout,
    /// The error of an interpreter that cannot even start.
    stderr: ChildStderr,
    /// The text read after the last line.
    rest: Vec<u8>,
    calls: u64,
}

/// Why there is no answer. The worker can no longer be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum WorkerError {
    Late,
    /// How it ended.
    Exited(String),
}

impl WorkerError {
    /// The consequence for the call of a script.
    pub(super) fn describe(&self, file: &str, timeout: Duration) -> String {
        let what = match self {
            Self::Late => format!("{file} took longer than {} s and was stopped", timeout.as_secs_f64()),
            Self::Exited(how) => format!("the worker terminated while it ran {file} ({how})"),
        };
        format!("{what}; the state of all skills is lost")
    }
}

/// Why reading or writing stops.
enum Stop {
    Late,
    Closed,
    TooLong,
}

impl Worker {
    pub(super) fn start(interpreter: &str) -> Result<Self, String> {
        let mut command = Command::new(interpreter);
        command.args(["-u", "-c", CODE]).process_group(0);
        command.args([OUTPUT_BYTES.to_string(), ANSWER_BYTES.to_string()]);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let describe = |error: std::io::Error| format!("`{interpreter}` cannot be started: {error}");
        let started = start_group(&mut command).ok_or_else(|| StartError::Ending.to_string())?;
        let (mut child, live) = started.map_err(describe)?;
        let (stdin, stdout, stderr) = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let (Some(stdin), Some(stdout), Some(stderr)) = (stdin, stdout, stderr) else {
            return Err(format!("`{interpreter}` has no standard streams"));
        };
        for fd in [stdin.as_fd(), stdout.as_fd(), stderr.as_fd()] {
            ioctl_fionbio(fd, true).map_err(|error| describe(error.into()))?;
        }
        Ok(Self { child, live: Some(live), stdin, stdout, stderr, rest: Vec::new(), calls: 0 })
    }

    /// Sends a question, and waits for the answer up to the timeout. An unreadable answer fails
    /// only this call; the inner error has the reason.
    pub(super) fn ask(
        &mut self,
        question: &Value,
        timeout: Duration,
    ) -> Result<Result<Value, String>, WorkerError> {
        self.calls += 1;
        let deadline = Instant::now() + timeout;
        let question = format!("{} {question}\n", self.calls);
        let line = self.write(question.as_bytes(), deadline).and_then(|()| self.line(deadline));
        let line = line.map_err(|stop| match stop {
            Stop::Late => WorkerError::Late,
            Stop::Closed => WorkerError::Exited(self.end()),
            Stop::TooLong => WorkerError::Exited(format!("it answered with more than {LINE_BYTES} bytes")),
        })?;
        let answer = line.strip_prefix(format!("{} ", self.calls).as_bytes());
        let answer = answer.ok_or_else(|| WorkerError::Exited("it sent an unexpected answer".to_owned()))?;
        Ok(serde_json::from_slice(answer).map_err(|error| error.to_string()))
    }

    fn write(&mut self, mut bytes: &[u8], deadline: Instant) -> Result<(), Stop> {
        while !bytes.is_empty() {
            match self.stdin.write(bytes) {
                Ok(written) => bytes = bytes.get(written..).unwrap_or_default(),
                Err(error) if error.kind() == ErrorKind::WouldBlock => {
                    wait(self.stdin.as_fd(), PollFlags::OUT, deadline)?;
                }
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(_) => return Err(Stop::Closed),
            }
        }
        Ok(())
    }

    fn line(&mut self, deadline: Instant) -> Result<Vec<u8>, Stop> {
        let mut buffer = [0; 16 << 10];
        let mut looked = 0;
        loop {
            let end = self.rest.iter().skip(looked).position(|byte| *byte == b'\n');
            if let Some(end) = end {
                let tail = self.rest.split_off(looked + end + 1);
                return Ok(std::mem::replace(&mut self.rest, tail));
            }
            looked = self.rest.len();
            if looked > LINE_BYTES {
                return Err(Stop::TooLong);
            }
            match self.stdout.read(&mut buffer) {
                Ok(0) => return Err(Stop::Closed),
                Ok(read) => self.rest.extend_from_slice(buffer.get(..read).unwrap_or_default()),
                Err(error) if error.kind() == ErrorKind::WouldBlock => {
                    wait(self.stdout.as_fd(), PollFlags::IN, deadline)?;
                }
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(_) => return Err(Stop::Closed),
            }
        }
    }

    /// How it ended, if it has, between two calls.
    pub(super) fn ended(&self) -> Option<String> {
        Some(process::status(Pid::from_child(&self.child))?.to_string())
    }

    /// How it ended, with the interpreter's error output.
    fn end(&mut self) -> String {
        let how = wait_status(Pid::from_child(&self.child)).map(|end| end.to_string());
        let how = how.unwrap_or_else(|| "it no longer answers".to_owned());
        let mut said = [0; 4 << 10];
        let read = self.stderr.read(&mut said).unwrap_or(0);
        match String::from_utf8_lossy(said.get(..read).unwrap_or_default()).trim() {
            "" => how,
            said => format!("{how}: {said}"),
        }
    }
}

/// How a process ended, if it does so within [`END`].
fn wait_status(pid: Pid) -> Option<Status> {
    let deadline = Instant::now() + END;
    loop {
        let status = process::status(pid);
        if status.is_some() || Instant::now() >= deadline {
            return status;
        }
        std::thread::sleep(Duration::from_millis(5));
    }
}

fn wait(fd: std::os::fd::BorrowedFd<'_>, flags: PollFlags, deadline: Instant) -> Result<(), Stop> {
    let left = deadline.saturating_duration_since(Instant::now());
    if left.is_zero() {
        return Err(Stop::Late);
    }
    let timeout = saturating_timespec(left);
    // Interrupted or not: the caller tries again, and checks the clock again.
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
