//! Signals that ask this process to end. Its children run in their own process groups, which a
//! signal to this process does not reach.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver};
use std::sync::{Arc, OnceLock};
use std::thread;

use rustix::process::{Resource, getrlimit};
use signal_hook::consts::{
    SIGABRT, SIGALRM, SIGCHLD, SIGHUP, SIGINT, SIGPROF, SIGQUIT, SIGTERM, SIGUSR1, SIGUSR2, SIGVTALRM,
    SIGXCPU, SIGXFSZ,
};
use signal_hook::flag;
use signal_hook::iterator::{Handle, Signals};

/// Signals that ask a program to end.
pub(crate) const ASKED: &[i32] = &[SIGTERM, SIGINT, SIGHUP];

/// These, and all others that end a program by default: a timer or a processor limit that it was
/// started with, a key, a signal of a supervisor.
pub(crate) const ENDING: &[i32] =
    &[SIGTERM, SIGINT, SIGHUP, SIGQUIT, SIGALRM, SIGVTALRM, SIGPROF, SIGXCPU, SIGUSR1, SIGUSR2];

/// Prevents signals that only indicate a failed system call from ending this process, and enables
/// those that it waits for. Child processes find signals as this process found them: they do not
/// inherit a handler, and an ignored signal stays ignored.
pub(crate) fn survive() {
    // A write beyond the limit of a file's size then fails.
    if !ignored(SIGXFSZ) {
        let _ = flag::register(SIGXFSZ, Arc::default());
    }
    // If it is ignored, the exit of a handler cannot be observed.
    if ignored(SIGCHLD) {
        let _ = flag::register(SIGCHLD, Arc::default());
    }
}

/// Like `survive`, for a process that starts no others, without reading what is ignored if there is no limit of
/// a file's size.
pub(crate) fn survive_writes() {
    let is_limited = getrlimit(Resource::Fsize).current.is_some();
    if is_limited && !ignored(SIGXFSZ) {
        let _ = flag::register(SIGXFSZ, Arc::default());
    }
}

/// What this process does on an abort, from the first call on.
pub(crate) fn abort() -> &'static Abort {
    static ABORT: OnceLock<Abort> = OnceLock::new();
    ABORT.get_or_init(Abort::new)
}

/// The exit status of this process on an abort: out of memory, a stack overflow, a panic within a
/// panic.
#[derive(Debug)]
pub(crate) struct Abort([Arc<AtomicBool>; 3]);

impl Abort {
    /// With status 2.
    fn new() -> Self {
        let flags = [0, 1, 2].map(|status| {
            let on = Arc::new(AtomicBool::new(status == 2));
            let _ = flag::register_conditional_shutdown(SIGABRT, status, Arc::clone(&on));
            on
        });
        Self(flags)
    }

    /// With this status: 0, 1, or 2 for all others.
    pub(crate) fn set(&self, status: u8) {
        let at = usize::from(status.min(2));
        // On before off: an abort in between ends with one of both.
        for on in [true, false] {
            let flags = self.0.iter().enumerate().filter(|(n, _)| (*n == at) == on);
            flags.for_each(|(_, flag)| flag.store(on, Ordering::SeqCst));
        }
    }
}

/// Closes the watch when the work is over, however it ends.
struct Watch(Handle);

impl Drop for Watch {
    fn drop(&mut self) {
        self.0.close();
    }
}

/// Runs `work` and calls `on` for each of these signals in a separate thread; the value that it
/// receives with the signal closes when the work is done.
pub(crate) fn watched<T>(
    signals: &[i32],
    on: impl FnMut(i32, &Receiver<()>) + Send,
    work: impl FnOnce() -> T,
) -> T {
    let heeded = signals.iter().filter(|signal| !ignored(**signal));
    let Ok(mut signals) = Signals::new(heeded) else { return work() };
    let watch = Watch(signals.handle());
    let (done, over) = mpsc::channel::<()>();
    let mut on = on;
    thread::scope(|scope| {
        let started = thread::Builder::new().spawn_scoped(scope, move || {
            for signal in signals.forever() {
                on(signal, &over);
            }
        });
        let result = (started, work()).1;
        drop((done, watch));
        result
    })
}

/// Whether this process was started with a signal ignored (`nohup`), if the system reports it.
fn ignored(signal: i32) -> bool {
    static MASK: OnceLock<u64> = OnceLock::new();
    let mask = MASK.get_or_init(|| {
        let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
        let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
        mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(0)
    });
    mask >> (signal - 1) & 1 == 1
}

/// The exit status of a command that a signal ended, as shells have it.
pub(crate) fn status(signal: i32) -> u8 {
    u8::try_from(128 + signal).unwrap_or(1)
}

/// The message.
pub(crate) fn describe(signal: i32) -> String {
    let name = signal_hook::low_level::signal_name(signal).unwrap_or("a signal");
    format!("terminated by {name}")
}
