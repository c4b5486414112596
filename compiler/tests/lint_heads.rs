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

/// The files of a folder of the compiler, without it, and their texts without tests.
fn sources(folder: &str) -> Vec<(String, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src").join(folder);
    let name = |file: &Path| file.strip_prefix(&folder).unwrap().display().to_string();
    let text = |file: &Path| std::fs::read_to_string(file).unwrap();
    files(&folder)
        .iter()
        .map(|file| (name(file), text(file).split("#[cfg(test)]").next().unwrap().to_owned()))
        .collect()
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
        let pages = Path::new(env!("CARGO_MANIFEST_DIR")).join("../schema/codes");
        for code in made(&text) {
            assert!(head.contains(code), "{}: the head does not name {code}", file.display());
            assert!(pages.join(format!("{code}.md")).is_file(), "{code} has no page");
            assert!(!code[1..].starts_with("04"), "{}: {code} is a name or a type", file.display());
            count += 1;
        }
    }
    assert!(count > 50, "{count} codes were found");
}

/// Codes about one thing that the checker sees from declared types, and a lint from the semantics.
const IN_BOTH: [&str; 6] = ["W0601", "W0604", "W0607", "W0610", "W0642", "W0684"];

#[test]
fn a_code_says_which_folder_makes_it() {
    // Others compare codes: `matches!(new.code, Code::W0672 | ...)`.
    let is_made = |before: &str| before.ends_with('(') || before.ends_with("code:");
    let passed = |text: &str| -> Vec<String> {
        let places = text.match_indices("Code::").filter(|(at, _)| is_made(text[..*at].trim_end()));
        places
            .filter_map(|(at, word)| text.get(at + word.len()..at + word.len() + 5))
            .map(str::to_owned)
            .collect()
    };
    let codes = |folder: &str| -> BTreeSet<String> {
        let texts = sources(folder);
        let rows = texts.iter().flat_map(|(_, text)| made(text)).map(str::to_owned);
        let codes = rows.chain(texts.iter().flat_map(|(_, text)| passed(text)));
        codes.filter(|code| Code::from_name(code).is_some()).collect()
    };
    let (check, lint) = (codes("check"), codes("lint"));
    assert!(check.len() > 40 && lint.len() > 50, "{} {}", check.len(), lint.len());
    assert_eq!(check.intersection(&lint).collect::<Vec<_>>(), IN_BOTH);
}

/// A diagnostic names what makes it useless where it is made ([`hookc_schema::Diagnostic::unless`]).
#[test]
fn no_lint_removes_a_diagnostic() {
    for (name, text) in sources("") {
        for (at, _) in text.match_indices(".retain(") {
            let list = text[..at].trim_end().rsplit([' ', '\n', '(', '&']).next().unwrap();
            let is_of_diagnostics = ["out", "diagnostics", "reported", "cx.out"].contains(&list);
            assert!(!is_of_diagnostics, "{name} removes from `{list}`");
            let rest = text[at..].split(';').next().unwrap();
            assert!(!rest.contains(".code "), "{name} removes from `{list}` by code");
        }
    }
}
