//! The clocks of the machine.

use std::time::{SystemTime, UNIX_EPOCH};

use hookc_history::Reading;

/// What the clocks show. On a system without a clock of the boot that includes sleep, the wall clock alone.
#[must_use]
pub fn reading() -> Reading {
    let wall = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_millis());
    let wall = u64::try_from(wall).unwrap_or(u64::MAX);
    match boot() {
        Some((boot, since_boot)) => Reading { boot, since_boot, wall },
        None => Reading { boot: Reading::NO_BOOT, since_boot: 0, wall },
    }
}

#[cfg(target_os = "linux")]
fn boot() -> Option<(u64, u64)> {
    use rustix::time::{ClockId, clock_gettime};

    let id = std::fs::read("/proc/sys/kernel/random/boot_id").ok()?;
    let now = clock_gettime(ClockId::Boottime);
    let seconds = u64::try_from(now.tv_sec).ok()?.checked_mul(1_000)?;
    let since_boot = seconds.checked_add(u64::try_from(now.tv_nsec).ok()?.checked_div(1_000_000)?)?;
    let mut hash = [0; 8];
    blake3::Hasher::new().update(&id).finalize_xof().fill(&mut hash);
    Some((u64::from_le_bytes(hash).max(1), since_boot))
}

#[cfg(not(target_os = "linux"))]
fn boot() -> Option<(u64, u64)> {
    None
}
