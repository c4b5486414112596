//! How far the logs are read, on a terminal alone.

use std::cell::Cell;
use std::fs;
use std::io::{self, IsTerminal};
use std::path::PathBuf;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::args::Global;
use crate::files;

/// Bytes between two looks at the bar.
const STEP: u64 = 1 << 18;

/// A bar on standard error; nothing where nobody looks at it.
#[derive(Debug)]
pub(in crate::cmd) struct Bar {
    bar: Option<ProgressBar>,
    read: Cell<u64>,
    shown: Cell<u64>,
}

impl Bar {
    /// Counts the bytes of these files; of standard input nobody knows how
    /// many there will be.
    pub(in crate::cmd) fn new(global: &Global, paths: &[PathBuf]) -> Self {
        let shown = !global.quiet && io::stderr().is_terminal();
        Self { bar: shown.then(|| bar(total(paths))), read: Cell::new(0), shown: Cell::new(0) }
    }

    pub(in crate::cmd) fn advance(&self, bytes: usize) {
        let Some(bar) = &self.bar else { return };
        let read = self.read.get().saturating_add(u64::try_from(bytes).unwrap_or(u64::MAX));
        self.read.set(read);
        if read.saturating_sub(self.shown.get()) >= STEP {
            self.shown.set(read);
            bar.set_position(read);
        }
    }

    /// Takes the bar away.
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

/// The size of all; `None` if one of them is no file.
fn total(paths: &[PathBuf]) -> Option<u64> {
    let size = |path: &PathBuf| {
        let found = fs::metadata(path).ok().filter(fs::Metadata::is_file);
        found.filter(|_| !files::is_stdin(path)).map(|found| found.len())
    };
    paths.iter().map(size).sum()
}
