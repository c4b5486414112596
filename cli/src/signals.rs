//! Signals that ask this process to end. What it has started runs in process
//! groups of its own, which no signal to this one reaches.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver};
use std::thread;

use signal_hook::consts::{SIGABRT, SIGHUP, SIGINT, SIGTERM};
use signal_hook::flag;
use signal_hook::iterator::{Handle, Signals};

/// The exit status with which this process ends when it aborts: when memory runs
/// out, or the stack. An agent takes the status of the signal for a hook that has no
/// opinion.
#[derive(Debug)]
pub(crate) struct AbortStatus([Arc<AtomicBool>; 3]);

impl AbortStatus {
    /// Ends with `status` (0, 1 or 2) from now on.
    pub(crate) fn new(status: u8) -> Self {
        let new = Self(Default::default());
        for (status, chosen) in (0..).zip(&new.0) {
            // Where the system takes no handler, an abort is what it was.
            let _ = flag::register_conditional_shutdown(SIGABRT, status, Arc::clone(chosen));
        }
        new.set(status);
        new
    }

    /// Ends with another status from now on.
    pub(crate) fn set(&self, status: u8) {
        for (own, chosen) in (0..).zip(&self.0) {
            chosen.store(own == status, Ordering::SeqCst);
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

/// Works, and meanwhile calls `on` for each SIGTERM, SIGINT and SIGHUP, in a
/// thread of its own; what it gets with the signal hangs up when the work is over.
pub(crate) fn watched<T>(on: impl FnMut(i32, &Receiver<()>) + Send, work: impl FnOnce() -> T) -> T {
    let Ok(mut signals) = Signals::new(heeded()) else { return work() };
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

/// The signals that end this process: not those that it was started to ignore
/// (`nohup`), as far as the system tells.
fn heeded() -> impl Iterator<Item = i32> {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let ignored = ignored.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(0);
    [SIGTERM, SIGINT, SIGHUP].into_iter().filter(move |signal| ignored >> (signal - 1) & 1 == 0)
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
