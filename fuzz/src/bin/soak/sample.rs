//! What the process takes, and whether it grows.

use std::fs;
use std::time::Duration;

/// Bytes of a page (Linux on most machines).
const PAGE: u64 = 4096;

/// A look at the process.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sample {
    pub(crate) at: Duration,
    pub(crate) decisions: u64,
    pub(crate) resident: u64,
    pub(crate) descriptors: usize,
    pub(crate) children: usize,
}

impl Sample {
    pub(crate) fn now(at: Duration, decisions: u64) -> Self {
        let pages = fs::read_to_string("/proc/self/statm").ok();
        let pages: Option<u64> = pages.and_then(|text| text.split(' ').nth(1)?.parse().ok());
        let descriptors = fs::read_dir("/proc/self/fd").map_or(0, Iterator::count);
        Self { at, decisions, resident: pages.unwrap_or_default() * PAGE, descriptors, children: children() }
    }

    pub(crate) fn csv(&self) -> String {
        let Self { at, decisions, resident, descriptors, children } = self;
        format!("{},{decisions},{},{descriptors},{children}\n", at.as_secs(), resident >> 10)
    }
}

/// Children of all threads of this process.
fn children() -> usize {
    let tasks = fs::read_dir("/proc/self/task").into_iter().flatten().flatten();
    let children = |task: fs::DirEntry| fs::read_to_string(task.path().join("children")).unwrap_or_default();
    tasks.map(|task| children(task).split_whitespace().count()).sum()
}

/// The median of what samples have.
fn median(samples: &[Sample], of: impl Fn(&Sample) -> u64) -> u64 {
    let mut sorted: Vec<u64> = samples.iter().map(of).collect();
    sorted.sort_unstable();
    sorted.get(sorted.len() / 2).copied().unwrap_or_default()
}

/// Compares the second quarter of the time, after the start, with the last one.
pub(crate) fn growth(samples: &[Sample]) -> Result<String, String> {
    let quarter = samples.len() / 4;
    if quarter < 2 {
        return Ok("too short to compare memory".to_owned());
    }
    let (early, late) = (&samples[quarter..2 * quarter], &samples[samples.len() - quarter..]);
    let (before, after) = (median(early, |one| one.resident), median(late, |one| one.resident));
    let open = |samples| median(samples, |one| one.descriptors as u64);
    let line = format!(
        "resident memory: {} KiB in the second quarter, {} KiB in the last; descriptors: {}, {}",
        before >> 10,
        after >> 10,
        open(early),
        open(late)
    );
    let is_flat = after <= before + before / 10 + (4 << 20) && open(late) <= open(early) + 8;
    if is_flat { Ok(line) } else { Err(format!("it grows: {line}")) }
}
