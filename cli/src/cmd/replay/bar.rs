//! The progress of reading logs, only on a terminal.

use std::cell::Cell;
use std::fs;
use std::io::{self, IsTerminal};
use std::path::PathBuf;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::args::Global;
use crate::files;

/// Bytes between two updates of the bar.
const STEP: u64 = 1 << 18;

/// A bar on standard error; none without a terminal.
#[derive(Debug)]
pub(in crate::cmd) struct Bar {
    bar: Option<ProgressBar>,
    read: Cell<u64>,
    shown: Cell<u64>,
}

impl Bar {
    /// Counts the bytes of these files; the length of standard input is unknown.
    pub(in crate::cmd) fn new(global: &Global, paths: &[PathBuf]) -> Self {
        let shown = !global.quiet && io::stderr().is_terminal();
        Self { bar: shown.then(|| bar(total(paths))), read: Cell::new(0), shown: Cell::new(0) }
    }

    pub(in crate::cmd) fn advance(&self, bytes: usize) {
        let Some(bar) = &self.bar else { return };
        let read = self.read.get().saturating_add(bytes as u64);
        self.read.set(read);
        if read.saturating_sub(self.shown.get()) >= STEP {
            self.shown.set(read);
            bar.set_position(read);
        }
    }

    /// Removes the bar.
    pub(in crate::cmd) fn clear(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

fn bar(total: Option<u64>) -> ProgressBar {
    let look = match total {
        Some(_) => "{bar:40} {bytes}/{total_bytes} {bytes_per_sec} {eta}",
        None => "{spinner} {bytes} {bytes_per_sec}",
    };
    let bar = ProgressBar::with_draw_target(total, ProgressDrawTarget::stderr());
    match ProgressStyle::with_template(look) {
        Ok(style) => bar.with_style(style),
        Err(_) => bar,
    }
}

/// The total size; `None` if one of them is not a file.
fn total(paths: &[PathBuf]) -> Option<u64> {
    let size = |path: &PathBuf| {
        let found = fs::metadata(path).ok().filter(fs::Metadata::is_file);
        found.filter(|_| !files::is_stdin(path)).map(|found| found.len())
    };
    paths.iter().map(size).sum()
}
