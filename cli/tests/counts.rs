//! hookc finds as many hooks as a small independent script (`corpus/count.py`): in the sample
//! repository and in real-world files.

use crate::common;

use std::path::{Path, PathBuf};
use std::process::Command;

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/..");

/// The count of the script by file; empty without Python.
fn counted(found: &[PathBuf]) -> Option<Vec<(PathBuf, usize)>> {
    let script = format!("{ROOT}/corpus/count.py");
    let run = Command::new("python3").arg(script).args(found).output().ok()?;
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
    let text = String::from_utf8(run.stdout).unwrap();
    let lines = text.lines().filter_map(|line| line.split_once('\t'));
    Some(lines.filter_map(|(count, file)| Some((PathBuf::from(file), count.parse().ok()?))).collect())
}

/// The number of hooks in the file, if all of it is read.
fn listed(file: &Path) -> Option<usize> {
    let args = ["list", "--no-builtin", "--no-fs", "--format", "json", file.to_str()?];
    let run = common::hookc(ROOT, &args, "");
    (run.code == 0).then(|| run.out.lines().filter(|line| !line.is_empty()).count())
}

/// Compares, and returns the number of compared hooks.
fn compare(folder: &Path, skip: &[&str]) -> usize {
    let mut found = hookc_corpus::files(folder);
    found.retain(|path| !skip.iter().any(|name| path.ends_with(name)));
    let Some(counted) = counted(&found) else {
        eprintln!("skipped: there is no python3");
        return usize::MAX;
    };
    let mut hooks = 0;
    for (file, count) in counted {
        if let Some(listed) = listed(&file) {
            assert_eq!(listed, count, "{}", file.display());
            hooks += count;
        }
    }
    hooks
}

#[test]
fn the_sample_repository() {
    // The script does not count skills.
    let hooks = compare(&Path::new(ROOT).join("corpus/workspace"), &["SKILL.md"]);
    assert!(hooks >= 10, "{hooks}");
}

#[test]
fn real_files() {
    let Some(shared) = hookc_corpus::shared() else { return };
    for (folder, least) in [("claude", 400), ("system_hooks", 4), ("workflow", 5)] {
        let hooks = compare(&shared.join("wild").join(folder), &[]);
        assert!(hooks >= least, "{folder}: {hooks}");
    }
}
