//! The head of each file of lints names the codes that it reports, and their pages exist: a reader finds a lint by its
//! code. What the checker reports is not in that folder, and the other way round.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use hookc_schema::Code;

/// Every Rust file below a folder.
fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    entries.flat_map(|path| if path.is_dir() { files(&path) } else { vec![path] }).collect()
}

/// The codes of diagnostics that a file makes: `Diagnostic::new(Code::W0601, ...)`, or a row that starts with a code.
fn made(text: &str) -> BTreeSet<&str> {
    let code = text.split("#[cfg(test)]").next().unwrap();
    let is_code = |word: &&str| Code::from_name(word).is_some();
    let news = code.split("Diagnostic::new(").skip(1);
    let news = news.filter_map(|rest| rest.trim_start().strip_prefix("Code::")?.get(..5)).filter(is_code);
    let rows = code.lines().filter_map(|line| line.trim_start().split(' ').next()).filter(is_code);
    news.chain(rows).collect()
}

#[test]
fn the_head_of_a_lint_names_its_codes() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/lint");
    let mut count = 0;
    for file in files(&folder) {
        let text = std::fs::read_to_string(&file).unwrap();
        let head: String = text.lines().filter(|line| line.starts_with("//!")).collect();
        for code in made(&text) {
            assert!(head.contains(code), "{}: the head does not name {code}", file.display());
            assert!(!code[1..].starts_with("04"), "{}: {code} is a name or a type", file.display());
            count += 1;
        }
    }
    assert!(count > 50, "{count} codes were found");
}
