//! Feeding a handler, reading it, and seeing to its end, in one thread.

use std::io::{ErrorKind, Read, Write};
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::process::ExitStatusExt;
use std::process::{Child, ChildStdin};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, poll};
use rustix::io::ioctl_fionbio;
use rustix::process::{Pid, Signal, kill_process_group};

use super::live::has_ended;
use super::output::{Ended, Output, Status};
use super::{Command, Live};
use crate::limits::{DRAIN, DRAIN_AFTER_KILL};
use crate::time::saturating_timespec;

/// How long `poll` waits if the end of a process cannot be polled.
const LOOK: Duration = Duration::from_millis(10);

/// Supervises a started handler to its end. The handler is reaped last, so that its process id, and
/// its group's, is not reused before.
pub(super) fn run(mut child: Child, live: Live, command: &Command) -> Ended {
    let started = Instant::now();
    let mut pump = Pump::new(&mut child, command);
    let stopped = pump.until_its_end(started + command.timeout, command.kill_after, &live);
    pump.kill(Signal::KILL);
    let left_behind = pump.is_open();
    pump.until(Instant::now() + DRAIN_AFTER_KILL, |pump| !pump.is_open());
    let (stdin_left, stdout, stderr) = (pump.stdin_left(), pump.stdout.end(), pump.stderr.end());
    drop(live);
    let status = match (stopped, child.wait()) {
        (Some(stopped), _) => stopped,
        (None, Ok(status)) => match (status.code(), status.signal()) {
            (Some(code), _) => Status::Exited(code),
            (None, signal) => Status::Signaled(signal.unwrap_or(0)),
        },
        (None, Err(_)) => Status::Signaled(0),
    };
    Ended { status, stdout, stderr, stdin_left, left_behind, took: started.elapsed() }
}

struct Pump<'c> {
    pid: Pid,
    /// Readable once the handler has ended; not on every system.
    end: Option<OwnedFd>,
    ended: bool,
    stdin: Option<ChildStdin>,
    input: &'c [u8],
    stdout: Stream,
    stderr: Stream,
    buffer: Vec<u8>,
}

impl<'c> Pump<'c> {
    fn new(child: &mut Child, command: &'c Command) -> Self {
        let stdin = child.stdin.take().filter(|stdin| ioctl_fionbio(stdin, true).is_ok());
        let boxed = |source: Option<Box<dyn Source>>| {
            let source = source.filter(|source| ioctl_fionbio(source.as_fd(), true).is_ok());
            Stream { source, kept: Vec::new(), keep: command.keep, dropped: 0 }
        };
        let stdout = boxed(child.stdout.take().map(|out| Box::new(out) as Box<dyn Source>));
        let stderr = boxed(child.stderr.take().map(|out| Box::new(out) as Box<dyn Source>));
        let pid = Pid::from_child(child);
        let (input, buffer) = (command.stdin.as_slice(), vec![0; 64 << 10]);
        let mut pump = Self { pid, end: end(pid), ended: false, stdin, input, stdout, stderr, buffer };
        pump.feed();
        pump
    }

    /// Until the handler has ended and its outputs are closed, or had time to be. Returns the
    /// reason unless it exited on its own.
    fn until_its_end(&mut self, deadline: Instant, kill_after: Duration, live: &Live) -> Option<Status> {
        if self.until(deadline, |pump| pump.ended) {
            let was_signalled = live.is_signalled();
            self.stdin = None;
            self.until(Instant::now() + DRAIN, |pump| !pump.is_open());
            return was_signalled.then_some(Status::Stopped);
        }
        self.stdin = None;
        self.kill(Signal::TERM);
        let killed = Instant::now() + kill_after;
        if !self.until(killed, |pump| pump.ended && !pump.is_open()) {
            self.kill(Signal::KILL);
            self.until(Instant::now() + kill_after, |pump| pump.ended);
        }
        Some(Status::TimedOut)
    }

    fn kill(&self, signal: Signal) {
        // No process left to kill is not an error.
        let _ = kill_process_group(self.pid, signal);
    }

    fn is_open(&self) -> bool {
        self.stdout.source.is_some() || self.stderr.source.is_some()
    }

    fn stdin_left(&self) -> usize {
        self.input.len()
    }

    /// Moves bytes until `done` (true) or until the time is over (false).
    fn until(&mut self, deadline: Instant, done: impl Fn(&Self) -> bool) -> bool {
        while !done(self) {
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return false;
            }
            self.step(left);
        }
        true
    }

    /// Waits until something can be done, at most so long, and does it.
    fn step(&mut self, most: Duration) {
        let watched = self.ended || self.end.is_some();
        let wait = if watched { most } else { most.min(LOOK) };
        let watching = [
            (self.stdin.as_ref().map(AsFd::as_fd), PollFlags::OUT),
            (self.stdout.fd(), PollFlags::IN),
            (self.stderr.fd(), PollFlags::IN),
            (self.end.as_ref().filter(|_| !self.ended).map(AsFd::as_fd), PollFlags::IN),
        ];
        let fds = watching.into_iter().filter_map(|(fd, flags)| Some(PollFd::from_borrowed_fd(fd?, flags)));
        let mut fds: Vec<_> = fds.collect();
        let timeout = saturating_timespec(wait);
        if poll(&mut fds, Some(&timeout)).is_err() {
            std::thread::sleep(LOOK.min(most)); // interrupted, or short of memory
        }
        drop(fds);
        self.feed();
        self.stdout.read(&mut self.buffer);
        self.stderr.read(&mut self.buffer);
        self.ended = self.ended || has_ended(self.pid);
    }

    /// Writes what the handler accepts now; closes its input after the last byte or when it stops
    /// reading.
    fn feed(&mut self) {
        let Some(stdin) = &mut self.stdin else { return };
        while !self.input.is_empty() {
            match stdin.write(self.input) {
                Ok(0) => break,
                Ok(written) => self.input = self.input.get(written..).unwrap_or_default(),
                Err(error) if error.kind() == ErrorKind::WouldBlock => return,
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(_) => break,
            }
        }
        self.stdin = None;
    }
}

/// A descriptor that signals the end of the process, without reaping it.
#[cfg(target_os = "linux")]
fn end(pid: Pid) -> Option<OwnedFd> {
    rustix::process::pidfd_open(pid, rustix::process::PidfdFlags::empty()).ok()
}

#[cfg(not(target_os = "linux"))]
fn end(_: Pid) -> Option<OwnedFd> {
    None
}

trait Source: Read + AsFd + Send {}
impl<T: Read + AsFd + Send> Source for T {}

/// An output that is read: its prefix is kept, the rest counted.
struct Stream {
    source: Option<Box<dyn Source>>,
    kept: Vec<u8>,
    keep: usize,
    dropped: u64,
}

impl Stream {
    fn fd(&self) -> Option<BorrowedFd<'_>> {
        self.source.as_ref().map(|source| source.as_fd())
    }

    /// Reads what is available now, at most one buffer, so that a flood on one output does not
    /// delay the other and the clock.
    fn read(&mut self, buffer: &mut [u8]) {
        let Some(source) = &mut self.source else { return };
        match source.read(buffer) {
            Ok(0) => self.source = None,
            Ok(read) => {
                let room = self.keep.saturating_sub(self.kept.len()).min(read);
                self.kept.extend_from_slice(buffer.get(..room).unwrap_or_default());
                self.dropped = self.dropped.saturating_add(u64::try_from(read - room).unwrap_or(0));
            }
            Err(error) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::Interrupted) => {}
            Err(_) => self.source = None,
        }
    }

    fn end(&mut self) -> Output {
        self.source = None;
        Output::new(std::mem::take(&mut self.kept), self.dropped)
    }
}
