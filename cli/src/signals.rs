//! Signals that ask this process to end. What it has started runs in process
//! groups of its own, which no signal to this one reaches.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver};
use std::sync::{Arc, OnceLock};
use std::thread;

use signal_hook::consts::{
    SIGABRT, SIGALRM, SIGCHLD, SIGHUP, SIGINT, SIGPROF, SIGQUIT, SIGTERM, SIGUSR1, SIGUSR2, SIGVTALRM,
    SIGXCPU, SIGXFSZ,
};
use signal_hook::flag;
use signal_hook::iterator::{Handle, Signals};

/// Signals by which somebody asks a program to end.
pub(crate) const ASKED: &[i32] = &[SIGTERM, SIGINT, SIGHUP];

/// These, and all others that end a program which does nothing about them: a timer or
/// a limit of processor time that it was started with, a key, a signal of a supervisor.
pub(crate) const ENDING: &[i32] =
    &[SIGTERM, SIGINT, SIGHUP, SIGQUIT, SIGALRM, SIGVTALRM, SIGPROF, SIGXCPU, SIGUSR1, SIGUSR2];

/// Keeps signals from ending this process that only say that a system call failed, and
/// has those come that it waits for. Programs that it starts find signals as this one
/// found them: they do not inherit one that is caught, one that is ignored stays so.
pub(crate) fn survive() {
    // The write that goes beyond the limit of a file's size fails then.
    if !ignored(SIGXFSZ) {
        let _ = flag::register(SIGXFSZ, Arc::default());
    }
    // Where it is ignored, nobody hears how a handler ended.
    if ignored(SIGCHLD) {
        let _ = flag::register(SIGCHLD, Arc::default());
    }
}

/// What this process does where it would abort, from the first call on.
pub(crate) fn abort() -> &'static Abort {
    static ABORT: OnceLock<Abort> = OnceLock::new();
    ABORT.get_or_init(Abort::new)
}

/// The exit status with which this process ends where it would abort: without memory,
/// with a stack that is full, by a panic within a panic.
#[derive(Debug)]
pub(crate) struct Abort([Arc<AtomicBool>; 3]);

impl Abort {
    /// With status 2.
    fn new() -> Self {
        let all = [0, 1, 2].map(|status| {
            let on = Arc::new(AtomicBool::new(status == 2));
            let _ = flag::register_conditional_shutdown(SIGABRT, status, Arc::clone(&on));
            on
        });
        Self(all)
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

/// Works, and meanwhile calls `on` for each of these signals, in a thread of its own;
/// what it gets with the signal hangs up when the work is over.
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

/// Whether this process was started to ignore a signal (`nohup`), as far as the system
/// tells.
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

/// What is said of it.
pub(crate) fn told(signal: i32) -> String {
    let name = signal_hook::low_level::signal_name(signal).unwrap_or("a signal");
    format!("told to end by {name}")
}
