//! Generated pages are as the code would generate them (`BLESS=1` refreshes
//! them), and each code has a page of the agreed form.

use hookc_schema::agents;
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
fn the_page_of_the_agents_is_fresh() {
    checked_in("agent-data.md", &agents::markdown());
}

#[test]
fn every_code_has_a_whole_page() {
    for code in ALL_CODES {
        let page = code.page();
        let head = format!("# {code}: {}\n\n", code.title());
        assert!(page.starts_with(&head), "{code}: the page starts with its title");
        let blocks = blocks(page);
        let shape: Vec<bool> = blocks.iter().map(|block| block.starts_with("```")).collect();
        assert!(
            shape.starts_with(&[false, false, true, false, true, false]),
            "{code}: title, problem, wrong example, fix, right example, reason"
        );
        assert!(!blocks[1].contains(". "), "{code}: the problem is one sentence");
        assert!((8..=45).contains(&page.lines().count()), "{code}: a short page");
        assert!(!page.chars().any(|c| c == '\t' || c == '\r'), "{code}: plain text");
    }
}

/// The paragraphs and fences of a page.
fn blocks(page: &str) -> Vec<String> {
    let (mut blocks, mut open): (Vec<String>, Option<&str>) = (vec![String::new()], None);
    for line in page.lines() {
        let fence = line.starts_with("```").then(|| line.trim_end_matches(|c| c != '`'));
        match open {
            Some(mark) if line == mark => open = None,
            Some(_) => {}
            None if fence.is_some() => open = fence,
            None if line.is_empty() => blocks.push(String::new()),
            None => {}
        }
        let last = blocks.last_mut().unwrap();
        if !line.is_empty() {
            *last += &format!("{line}\n");
        }
    }
    blocks
}
