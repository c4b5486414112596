//! The process groups that live now, and their end with this process.
//!
//! Handlers and workers have their own process groups, which a signal to this process does not
//! reach: a terminating process calls [`terminate_all`]. A group is signalled under the lock of the list,
//! and is removed from the list before its leader is reaped, so its id cannot have been reused.

use std::io;
use std::process::{self, Child};
use std::sync::{Mutex, MutexGuard, PoisonError, RwLock};
use std::time::{Duration, Instant};

use rustix::io::Errno;
use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, WaitIdStatus, kill_process_group, waitid};

use super::Status;
use crate::limits::{DRAIN, DRAIN_AFTER_KILL, KILL_GRACE};

/// Whether starting is forbidden. A start takes the read lock.
static ENDING: RwLock<bool> = RwLock::new(false);
static GROUPS: Mutex<Vec<Group>> = Mutex::new(Vec::new());

/// The interval of checks whether all have ended.
const LOOK: Duration = Duration::from_millis(5);

struct Group {
    leader: Pid,
    is_signalled: bool,
}

/// A group's entry in the list, until this is dropped: before its leader is reaped.
#[derive(Debug)]
pub(crate) struct Live(Pid);

/// Starts a process as leader of its own group; `None` if starting is forbidden.
pub(crate) fn start(command: &mut process::Command) -> Option<io::Result<(Child, Live)>> {
    unless_ending(|| {
        let child = command.spawn()?;
        let leader = Pid::from_child(&child);
        groups().push(Group { leader, is_signalled: false });
        Ok((child, Live(leader)))
    })
}

impl Live {
    /// Whether [`terminate_all`] has signalled it.
    pub(crate) fn is_signalled(&self) -> bool {
        groups().iter().any(|group| group.leader == self.0 && group.is_signalled)
    }
}

impl Drop for Live {
    fn drop(&mut self) {
        groups().retain(|group| group.leader != self.0);
    }
}

/// Starts something unless [`terminate_all`] was called, which waits meanwhile: `start`
/// must not take long.
pub fn unless_ending<T>(start: impl FnOnce() -> T) -> Option<T> {
    let ending = ENDING.read().unwrap_or_else(PoisonError::into_inner);
    (!*ending).then(start)
}

/// Whether [`terminate_all`] was called.
#[must_use]
pub fn is_ending() -> bool {
    *ENDING.read().unwrap_or_else(PoisonError::into_inner)
}

/// For a terminating process: no handler or worker starts any more, and running ones receive
/// SIGTERM, each with its group, and SIGKILL [`KILL_GRACE`] later. Returns when they have ended;
/// their callers learn that they were stopped.
pub fn terminate_all() {
    *ENDING.write().unwrap_or_else(PoisonError::into_inner) = true;
    signal_all(Signal::TERM);
    until(KILL_GRACE, |groups| groups.iter().all(|group| has_ended(group.leader)));
    // Processes that a handler left running have time to close the outputs. Nothing waits for an idle
    // worker: it stays in the list.
    until(DRAIN + DRAIN_AFTER_KILL, <[Group]>::is_empty);
    signal_all(Signal::KILL);
    until(DRAIN, |groups| groups.iter().all(|group| has_ended(group.leader)));
}

fn groups() -> MutexGuard<'static, Vec<Group>> {
    GROUPS.lock().unwrap_or_else(PoisonError::into_inner)
}

fn signal_all(signal: Signal) {
    for group in groups().iter_mut() {
        group.is_signalled = true;
        // No process left to signal is not an error.
        let _ = kill_process_group(group.leader, signal);
    }
}

/// Waits until `done`, at most so long.
fn until(most: Duration, done: impl Fn(&[Group]) -> bool) {
    let deadline = Instant::now() + most;
    while !done(&groups()) && Instant::now() < deadline {
        std::thread::sleep(LOOK);
    }
}

/// Whether a process has ended, or is no longer a child.
pub(super) fn has_ended(pid: Pid) -> bool {
    !matches!(poll_exit(pid), Ok(None) | Err(Errno::INTR))
}

/// How a process ended, if it has and that is known.
pub(crate) fn status(pid: Pid) -> Option<Status> {
    let end = poll_exit(pid).ok()??;
    end.exit_status().map(Status::Exited).or_else(|| end.terminating_signal().map(Status::Signaled))
}

/// Checks for the end of a process without reaping it.
fn poll_exit(pid: Pid) -> Result<Option<WaitIdStatus>, Errno> {
    waitid(WaitId::Pid(pid), WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT)
}
