//! `docs/bytecode.md` matches the tables. `BLESS=1` refreshes it.

use std::{env, fs};

const PAGE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/bytecode.md");
const MARK: &str = "<!-- generated -->\n";

#[test]
fn the_page_is_up_to_date() {
    let page = fs::read_to_string(PAGE).unwrap();
    let (head, _) = page.split_once(MARK).unwrap_or_else(|| panic!("no line {MARK:?}"));
    let fresh = format!("{head}{MARK}\n{}", hookc_compiler::disasm::reference());
    if env::var("BLESS").is_ok() {
        return fs::write(PAGE, fresh).unwrap();
    }
    assert!(page == fresh, "docs/bytecode.md is out of date: run this test with BLESS=1");
}
