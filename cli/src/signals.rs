//! Signals that ask this process to end. What it has started runs in process
//! groups of its own, which no signal to this one reaches.

use std::sync::mpsc::{self, Receiver};
use std::thread;

use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::iterator::{Handle, Signals};

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
