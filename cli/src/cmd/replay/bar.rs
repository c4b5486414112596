//! The progress of reading logs, only on a terminal.

use std::cell::Cell;
use std::fs;
use std::io::{self, IsTerminal, Write};
use std::path::PathBuf;
use std::time::Instant;

use crate::args::Global;
use crate::files;

/// Bytes between two updates of the bar.
const STEP: u64 = 1 << 18;

/// Characters of a full bar.
const WIDTH: u64 = 40;

/// A bar on standard error; none without a terminal.
#[derive(Debug)]
pub(in crate::cmd) struct Bar {
    is_shown: bool,
    total: Option<u64>,
    start: Instant,
    read: Cell<u64>,
    shown: Cell<u64>,
}

impl Bar {
    /// Counts the bytes of these files; the length of standard input is unknown.
    pub(in crate::cmd) fn new(global: &Global, paths: &[PathBuf]) -> Self {
        let is_shown = !global.quiet && io::stderr().is_terminal();
        let total = if is_shown { total(paths) } else { None };
        Self { is_shown, total, start: Instant::now(), read: Cell::new(0), shown: Cell::new(0) }
    }

    /// No bar.
    pub(in crate::cmd) fn none() -> Self {
        Self { is_shown: false, total: None, start: Instant::now(), read: Cell::new(0), shown: Cell::new(0) }
    }

    pub(in crate::cmd) fn advance(&self, bytes: usize) {
        if !self.is_shown {
            return;
        }
        let read = self.read.get().saturating_add(bytes as u64);
        self.read.set(read);
        if read.saturating_sub(self.shown.get()) >= STEP {
            self.shown.set(read);
            let millis = u64::try_from(self.start.elapsed().as_millis()).unwrap_or(u64::MAX);
            write(&line(read, self.total, millis));
        }
    }

    /// Removes the bar.
    pub(in crate::cmd) fn clear(&self) {
        if self.is_shown {
            write("");
        }
    }
}

/// Replaces the line of the bar. A terminal that cannot be written to needs no bar.
fn write(line: &str) {
    let mut out = io::stderr().lock();
    let _ = write!(out, "\r{line}\x1b[K");
    let _ = out.flush();
}

/// What is shown after so many bytes and milliseconds.
fn line(read: u64, total: Option<u64>, millis: u64) -> String {
    let rate = read.saturating_mul(1000).checked_div(millis).unwrap_or(0);
    let (size, rate) = (mebibytes(read), mebibytes(rate));
    match total {
        Some(total) => {
            let full = read.min(total).saturating_mul(WIDTH).checked_div(total).unwrap_or(WIDTH);
            let width = |count: u64| usize::try_from(count).unwrap_or_default();
            let (done, left) = (width(full), width(WIDTH.saturating_sub(full)));
            format!("[{}{}] {size}/{} {rate}/s", "#".repeat(done), "-".repeat(left), mebibytes(total))
        }
        None => format!("{size} {rate}/s"),
    }
}

fn mebibytes(bytes: u64) -> String {
    let tenths = (u128::from(bytes) * 10) >> 20;
    format!("{}.{} MiB", tenths / 10, tenths % 10)
}

/// The total size; `None` if one of them is not a file.
fn total(paths: &[PathBuf]) -> Option<u64> {
    let size = |path: &PathBuf| {
        let found = fs::metadata(path).ok().filter(fs::Metadata::is_file);
        found.filter(|_| !files::is_stdin(path)).map(|found| found.len())
    };
    paths.iter().map(size).sum()
}

#[cfg(test)]
mod tests {
    use super::line;

    #[test]
    fn lines_of_the_bar() {
        assert_eq!(line(3 << 20, None, 2000), "3.0 MiB 1.5 MiB/s");
        let bar = format!("[{}{}] 1.0 MiB/4.0 MiB 0.0 MiB/s", "#".repeat(10), "-".repeat(30));
        assert_eq!(line(1 << 20, Some(4 << 20), 0), bar);
        assert!(line(2 << 20, Some(1 << 20), 1).starts_with(&format!("[{}] 2.0", "#".repeat(40))));
        assert!(line(1, Some(0), 1).starts_with("[####"));
    }
}
