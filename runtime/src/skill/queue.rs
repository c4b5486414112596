//! One at a time, in the order of coming.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// A queue of threads. A mutex alone would let a returning thread overtake waiting ones.
#[derive(Debug, Default)]
pub(super) struct Queue {
    numbers: Mutex<Numbers>,
    next: Condvar,
}

#[derive(Debug, Default)]
struct Numbers {
    /// The number of arrivals.
    taken: u64,
    /// The number of departures.
    gone: u64,
}

/// The head of a queue, until it is dropped.
#[derive(Debug)]
pub(super) struct Head<'q>(&'q Queue);

impl Queue {
    /// Waits until all earlier arrivals have left.
    pub(super) fn wait(&self) -> Head<'_> {
        let mut numbers = self.numbers();
        let ticket = numbers.taken;
        numbers.taken += 1;
        while numbers.gone != ticket {
            numbers = self.next.wait(numbers).unwrap_or_else(PoisonError::into_inner);
        }
        Head(self)
    }

    fn numbers(&self) -> MutexGuard<'_, Numbers> {
        self.numbers.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Head<'_> {
    fn drop(&mut self) {
        self.0.numbers().gone += 1;
        self.0.next.notify_all();
    }
}
