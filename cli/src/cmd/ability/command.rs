//! The command of an ability: it runs with the streams and in the process group of this process, so
//! that it behaves as if called directly from the terminal.

use std::fs::File;
use std::io::{self, Read, Write};
use std::os::fd::AsFd;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Child, ChildStdout, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use hookc_runtime::limits::DRAIN;
use hookc_runtime::{open, process};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, getpgrp, kill_process, waitid};
use signal_hook::consts::SIGINT;

use crate::inside;

/// The command that runs now, and the signal that ends this process.
#[derive(Debug, Default)]
pub(super) struct Running(Mutex<State>);

#[derive(Debug, Default)]
struct State {
    command: Option<Pid>,
    ended: Option<Instant>,
    ended_by: Option<i32>,
}

/// How long after the command this process may receive the Ctrl-C that ended it.
const LATER: Duration = Duration::from_millis(100);

impl State {
    /// Whether a signal from the terminal was intended for the command.
    fn is_the_commands(&self) -> bool {
        self.command.is_some() || self.ended.is_some_and(|ended| ended.elapsed() < LATER)
    }
}

/// How the command ended.
pub(super) struct CommandResult {
    /// Or why it could not be run.
    pub(super) status: io::Result<ExitStatus>,
    /// Whether its whole output was written to the log, if requested.
    pub(super) kept: io::Result<bool>,
}

impl Running {
    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The signal that ends this process.
    pub(super) fn ended_by(&self) -> Option<i32> {
        self.state().ended_by
    }

    /// On a signal, the command receives it and ends on its own terms, and the handlers are
    /// terminated. A key on the terminal (Ctrl-C) reaches the command directly.
    pub(super) fn signal(&self, signal: i32) {
        let mut state = self.state();
        if signal == SIGINT && state.is_the_commands() && at_the_terminal() {
            return;
        }
        if let (Some(command), Some(signal)) = (state.command, Signal::from_named_raw(signal)) {
            let _ = kill_process(command, signal);
        }
        state.ended_by.get_or_insert(signal);
        drop(state);
        process::terminate_all();
    }

    /// Runs the command to its end; its standard output also goes to `log`.
    pub(super) fn run(&self, program: &str, args: &[String], log: Option<&Path>) -> CommandResult {
        let failed = |error| CommandResult { status: Err(error), kept: Ok(false) };
        let log = match log.map(create).transpose() {
            Ok(log) => log,
            Err(error) => return failed(error),
        };
        let mut command = Command::new(program);
        command.args(args);
        if log.is_some() {
            command.stdout(Stdio::piped());
        }
        match self.start(&mut command) {
            Ok((child, pid)) => self.wait(child, pid, log),
            Err(error) => failed(error),
        }
    }

    /// Starts it, unless a signal came before.
    fn start(&self, command: &mut Command) -> io::Result<(Child, Pid)> {
        let mut state = self.state();
        if state.ended_by.is_some() {
            return Err(io::ErrorKind::Interrupted.into());
        }
        let child = command.spawn()?;
        let pid = Pid::from_child(&child);
        state.command = Some(pid);
        Ok((child, pid))
    }

    /// Waits for its end. It is reaped last, so that its process id is not reused before.
    fn wait(&self, mut child: Child, pid: Pid, log: Option<File>) -> CommandResult {
        let ended = AtomicBool::new(false);
        let output = child.stdout.take().zip(log);
        let kept = std::thread::scope(|scope| {
            let copying = output.map(|(from, log)| scope.spawn(|| copy(from, log, &ended)));
            let look = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT;
            while matches!(waitid(WaitId::Pid(pid), look), Err(rustix::io::Errno::INTR)) {}
            ended.store(true, Ordering::SeqCst);
            let kept =
                copying.map(|thread| thread.join().unwrap_or_else(|_| Err(io::ErrorKind::Other.into())));
            kept.transpose().map(|kept| kept.is_some())
        });
        let mut state = self.state();
        (state.command, state.ended) = (None, Some(Instant::now()));
        let status = child.wait();
        let interrupted = status.as_ref().is_ok_and(|status| status.signal() == Some(SIGINT));
        if interrupted && at_the_terminal() {
            state.ended_by.get_or_insert(SIGINT);
        }
        CommandResult { status, kept }
    }
}

/// Whether this process group is in the foreground of the terminal.
fn at_the_terminal() -> bool {
    let terminal = File::open("/dev/tty");
    terminal.is_ok_and(|terminal| rustix::termios::tcgetpgrp(&terminal) == Ok(getpgrp()))
}

fn create(path: &Path) -> io::Result<File> {
    let opened = inside::check(path).and_then(|()| open::to_write(path, 0o600));
    opened.map_err(|error| io::Error::other(format!("{}: {error}", path.display())))
}

/// Copies the command's output to standard output and to the log as it arrives. Processes that
/// outlive it can print for a short time after its end.
///
/// # Errors
/// The log could not be written, or the output could not be read.
fn copy(mut from: ChildStdout, log: File, ended: &AtomicBool) -> io::Result<()> {
    let mut out = File::from(io::stdout().as_fd().try_clone_to_owned()?);
    let (mut log, mut failed) = (Some(log), None);
    let mut buffer = vec![0; 64 << 10];
    while readable(&from, ended) {
        let read = match from.read(&mut buffer) {
            Ok(0) => break,
            Ok(read) => buffer.get(..read).unwrap_or_default(),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        if let Some(error) = log.as_mut().and_then(|log| log.write_all(read).err()) {
            (log, failed) = (None, Some(error));
        }
        if out.write_all(read).is_err() {
            break; // the reader is gone: the closed pipe tells the command
        }
    }
    failed.map_or(Ok(()), Err)
}

/// Waits for output; `false` if the command has ended and there is none.
fn readable(from: &ChildStdout, ended: &AtomicBool) -> bool {
    let wait = Timespec { tv_sec: 0, tv_nsec: DRAIN.subsec_nanos().into() };
    loop {
        let over = ended.load(Ordering::SeqCst);
        match poll(&mut [PollFd::new(from, PollFlags::IN)], Some(&wait)) {
            Ok(0) if over => return false,
            Ok(0) => {}
            Err(rustix::io::Errno::INTR) => {}
            Ok(_) | Err(_) => return true,
        }
    }
}
