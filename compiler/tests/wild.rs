//! Files that other people wrote, when they are at hand: nothing panics or
//! hangs, places are within the text, and the reference policy reads clean.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice,
    clippy::print_stderr,
    clippy::disallowed_methods,
    reason = "tests, which may read files"
)]

use std::path::{Path, PathBuf};

use hookc_compiler::front::{detect, hooks_yaml, yaml};
use hookc_schema::SourceId;
use hookc_schema::tree::Section;

fn shared() -> Option<PathBuf> {
    let named = std::env::var("HOOKC_SHARED").map(PathBuf::from).ok();
    let root = named.unwrap_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared"));
    if !root.is_dir() {
        eprintln!("skipped: no shared inputs at {}", root.display());
        return None;
    }
    Some(root)
}

fn files(folder: &Path, out: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() { files(&path, out) } else { out.push(path) }
    }
}

#[test]
fn every_file_is_survived() {
    let Some(root) = shared() else { return };
    let mut all = Vec::new();
    files(&root.join("wild"), &mut all);
    for path in all {
        let Ok(text) = std::fs::read_to_string(&path) else { continue };
        let name = path.to_string_lossy();
        let mut out = Vec::new();
        let _ = detect::detect(&name, &text);
        let _ = yaml::read(&text, SourceId(0), &mut out);
        hooks_yaml::read(&text, SourceId(0), &mut out);
        for new in out {
            assert!(new.labels.iter().all(|l| text.get(l.span.range()).is_some()), "{name}: {new:?}");
        }
    }
}

/// The YAML fences of a Markdown text.
fn fences(text: &str) -> Vec<String> {
    text.split("```yaml\n").skip(1).filter_map(|part| Some(part.split_once("```")?.0.to_owned())).collect()
}

#[test]
fn the_reference_policy_reads_clean() {
    let Some(root) = shared() else { return };
    let mut all = Vec::new();
    files(&root.join("seeds"), &mut all);
    let mut policies = 0;
    for path in all {
        let text = std::fs::read_to_string(&path).unwrap();
        for block in
            fences(&text).iter().filter(|b| b.contains("\naction_types:") || b.contains("\nhooks:\n  "))
        {
            if !block.contains("event:") {
                continue;
            }
            let mut out = Vec::new();
            let policy = hooks_yaml::read(block, SourceId(0), &mut out);
            assert!(out.is_empty(), "{}: {out:#?}", path.display());
            let builtin = policy.hooks.iter().filter(|hook| hook.section == Section::Builtin).count();
            assert!(builtin == 3 || builtin == 0);
            policies += 1;
        }
    }
    assert!(policies >= 2, "{policies}");
}
