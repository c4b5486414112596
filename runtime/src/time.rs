//! Durations in the types of the system.

use std::time::Duration;

use rustix::event::Timespec;

/// A duration as `poll` takes it. One beyond 2^63 seconds never ends.
pub(crate) fn saturating_timespec(wait: Duration) -> Timespec {
    Timespec {
        tv_sec: i64::try_from(wait.as_secs()).unwrap_or(i64::MAX),
        tv_nsec: wait.subsec_nanos().into(),
    }
}
