//! Generated pages are as the code would generate them (`BLESS=1` refreshes
//! them), and each code has a page of the agreed form.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]
#![allow(clippy::disallowed_methods, reason = "checked-in pages are read and refreshed")]

use hookc_schema::diag::{ALL_CODES, markdown};
use hookc_schema::vocab::{self, Vocabulary};

fn checked_in(name: &str, expected: &str) {
    let path = format!("{}/../docs/{name}", env!("CARGO_MANIFEST_DIR"));
    if std::env::var("BLESS").is_ok() {
        std::fs::write(&path, expected).unwrap();
    }
    let found = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(found == expected, "docs/{name} is stale: run with BLESS=1 to refresh it");
}

#[test]
fn the_index_of_diagnostics_is_fresh() {
    checked_in("diagnostics.md", &markdown());
}

#[test]
fn the_page_of_the_vocabulary_is_fresh() {
    checked_in("vocabulary.md", &vocab::markdown(&Vocabulary::builtin()));
}

#[test]
fn every_code_has_a_whole_page() {
    for code in ALL_CODES {
        let page = code.page();
        let head = format!("# {code}: {}\n\n", code.title());
        assert!(page.starts_with(&head), "{code}: the page begins with its title");
        let fences = page.lines().filter(|line| line.starts_with("```")).count();
        assert!(fences >= 4, "{code}: an example that gives it and one that does not");
        assert!((8..=45).contains(&page.lines().count()), "{code}: a short page");
        assert!(!page.chars().any(|c| c == '\t' || c == '\r'), "{code}: plain text");
    }
}
