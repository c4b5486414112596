//! Signals that ask this process to end. Handlers and commands run in process groups of their own,
//! which a signal to this process does not reach.

use std::sync::atomic::{AtomicI32, Ordering};
use std::time::Duration;

use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::iterator::Signals;

/// The signal that arrived; 0 for none.
static ARRIVED: AtomicI32 = AtomicI32::new(0);

/// How long the session has to end by itself.
const GRACE: Duration = Duration::from_secs(3);

/// From now on, a signal ends what runs, and then the session.
pub(crate) fn watch() {
    let Ok(mut signals) = Signals::new([SIGINT, SIGTERM, SIGHUP]) else { return };
    let watching = move || {
        if let Some(signal) = signals.forever().next() {
            ARRIVED.store(signal, Ordering::SeqCst);
            hookc_runtime::process::terminate_all();
            std::thread::sleep(GRACE);
            // The state is on disk after every step.
            std::process::exit(128 + signal);
        }
    };
    let _ = std::thread::Builder::new().name("signals".to_owned()).spawn(watching);
}

/// The exit status of a process that a signal has asked to end; `None` without a signal.
pub(crate) fn interrupted() -> Option<u8> {
    match ARRIVED.load(Ordering::SeqCst) {
        0 => None,
        signal => u8::try_from(128 + signal).ok(),
    }
}
