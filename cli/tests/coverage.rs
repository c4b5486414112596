//! The coverage pages: every row names tests, and every test that a row names exists.

use std::fs;
use std::path::{Path, PathBuf};

use crate::common;

/// A row of a table that is not its head.
struct Row {
    page: String,
    line: usize,
    cells: Vec<String>,
    /// Whether it is below the heading `Outside`.
    is_outside: bool,
}

fn pages() -> Vec<PathBuf> {
    let directory = common::project().join("docs/coverage");
    let mut all: Vec<PathBuf> = fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().path()).collect();
    all.retain(|path| path.file_name().unwrap() != "README.md");
    all.sort();
    all
}

fn rows(page: &Path) -> Vec<Row> {
    let name = page.file_name().unwrap().to_string_lossy().into_owned();
    let (mut rows, mut is_outside, mut is_head) = (Vec::new(), false, true);
    for (number, line) in fs::read_to_string(page).unwrap().lines().enumerate() {
        if let Some(heading) = line.strip_prefix("## ") {
            is_outside = heading == "Outside";
        }
        let Some(inner) = line.strip_prefix('|').and_then(|rest| rest.strip_suffix('|')) else {
            is_head = true;
            continue;
        };
        if inner.starts_with("---") {
            is_head = false;
        } else if !is_head {
            let cells = inner.split('|').map(|cell| cell.trim().to_owned()).collect();
            rows.push(Row { page: name.clone(), line: number + 1, cells, is_outside });
        }
    }
    rows
}

/// The names in backticks.
fn names(cell: &str) -> Vec<&str> {
    cell.split('`').skip(1).step_by(2).collect()
}

/// Why a name is not that of a test, if it is not.
fn wrong(name: &str) -> Option<String> {
    let project = common::project();
    if let Some(case) = name.strip_prefix("corpus/") {
        return (!project.join("corpus").join(case).is_dir())
            .then(|| format!("there is no directory {name}"));
    }
    let parts: Vec<&str> = name.split("::").collect();
    let [krate, path @ .., test] = parts.as_slice() else { return Some(format!("`{name}` is not a test")) };
    let path = path.join("/");
    let files = ["tests", "src"].map(|folder| {
        let file = project.join(krate).join(folder).join(&path);
        [file.with_extension("rs"), file.join("mod.rs")]
    });
    let found = files.into_iter().flatten().find_map(|file| fs::read_to_string(file).ok());
    let Some(text) = found else { return Some(format!("there is no file of `{name}`")) };
    let lines: Vec<&str> = text.lines().map(str::trim).collect();
    let is_test = |at: usize| {
        lines[..at].iter().rev().take_while(|line| line.starts_with('#')).any(|line| *line == "#[test]")
    };
    let head = format!("fn {test}()");
    let defined = lines.iter().enumerate().any(|(at, line)| line.starts_with(&head) && is_test(at));
    (!defined).then(|| format!("there is no test `{name}`"))
}

#[test]
fn every_row_has_a_test_that_exists() {
    let (mut problems, mut count) = (Vec::new(), 0);
    for row in pages().iter().flat_map(|page| rows(page)) {
        let at = format!("{}:{}", row.page, row.line);
        let [_, what, last] = row.cells.as_slice() else {
            problems.push(format!("{at}: a row has three cells"));
            continue;
        };
        if what.is_empty() || last.is_empty() {
            problems.push(format!("{at}: a cell is empty"));
        }
        if row.is_outside {
            continue;
        }
        count += 1;
        let names = names(last);
        if names.is_empty() {
            problems.push(format!("{at}: it names no test"));
        }
        problems.extend(names.into_iter().filter_map(wrong).map(|why| format!("{at}: {why}")));
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
    assert!(count > 150, "{count} rows");
}

#[test]
fn the_index_has_every_page() {
    let index = fs::read_to_string(common::project().join("docs/coverage/README.md")).unwrap();
    for page in pages() {
        let name = page.file_name().unwrap().to_string_lossy().into_owned();
        assert!(index.contains(&format!("({name})")), "{name}");
    }
}

/// The check finds what is wrong.
#[test]
fn names_of_missing_tests_are_found() {
    for name in [
        "cli::coverage::nothing",
        "cli::nowhere::nothing",
        "corpus/eval/nothing",
        "nothing",
        "cli::coverage::names",
    ] {
        assert!(wrong(name).is_some(), "{name}");
    }
    assert_eq!(wrong("cli::coverage::names_of_missing_tests_are_found"), None);
    assert_eq!(wrong("corpus/eval/op-eq"), None);
}
