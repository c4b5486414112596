//! `hookc test --watch`: the tests again whenever one of their files changes.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, SystemTime};

use hookc_runtime::policies::{POLL_INTERVAL, Stamp};

use super::gather;
use crate::args::{Global, Test};
use crate::exit::{Failure, Outcome};
use crate::{out, report};

/// How far the times of files can lag the clock.
const CLOCK: Duration = Duration::from_millis(100);

/// Files; `None` for one that is not there.
type Snapshot = BTreeMap<PathBuf, Option<Stamp>>;

/// Runs the tests again and again; ends only when nobody reads the output.
pub(super) fn run(global: &Global, args: &Test) -> Outcome {
    let mut files: Vec<PathBuf> = Vec::new();
    loop {
        // Before the tests read the files: a change in between is one more run, never one too few.
        let (before, start) = (snapshot(&args.paths, &files), SystemTime::now() - CLOCK);
        match super::once(global, args) {
            Ok((_, read)) => files = read,
            Err(Failure::Closed) => return Err(Failure::Closed),
            Err(failure) => drop(report::failure(&failure)),
        }
        let mut seen = snapshot(&args.paths, &files);
        for (path, stamp) in &mut seen {
            // A file that was not known before may have changed after it was read.
            let is_new = || stamp.is_some_and(|stamp| stamp.is_since(start));
            *stamp = before.get(path).copied().unwrap_or(if is_new() { None } else { *stamp });
        }
        out::say(global, &format!("watching {}; Ctrl+C ends", out::plural(seen.len(), "file")));
        let changed = loop {
            thread::sleep(POLL_INTERVAL);
            if let Some(changed) = change(&seen, &snapshot(&args.paths, &files)) {
                break changed;
            }
        };
        out::say(global, &format!("{} changed", changed.display()));
    }
}

/// The files below the paths of the command line, and those that the last run read.
fn snapshot(paths: &[PathBuf], read: &[PathBuf]) -> Snapshot {
    let named = gather::gather(paths).unwrap_or_default().into_iter().map(|file| real(&file.path));
    let read = read.iter().cloned();
    named.chain(read).map(|path| (path.clone(), Stamp::at(&path))).collect()
}

fn real(path: &Path) -> PathBuf {
    fs::canonicalize(path).unwrap_or_else(|_| path.to_owned())
}

/// A file that differs between two snapshots.
fn change<'s>(before: &'s Snapshot, after: &'s Snapshot) -> Option<PathBuf> {
    let differs = |(path, stamp): &(&PathBuf, &_), other: &Snapshot| other.get(*path) != Some(*stamp);
    let changed = after.iter().find(|found| differs(found, before));
    let removed = || before.iter().find(|found| differs(found, after));
    changed.or_else(removed).map(|(path, _)| path.clone())
}
