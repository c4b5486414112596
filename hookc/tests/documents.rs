//! What documents and examples show of the facade is what there is.

use std::fs;
use std::path::{Path, PathBuf};

use hookc::{Dialect, Policy, Source};

fn own(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

/// The module that `examples/module.rs` includes is compiled from the policy beside it.
#[test]
fn the_module_of_the_example_is_up_to_date() {
    let text = fs::read_to_string(own("examples/policy.yaml")).unwrap();
    let source = Source::new("policy.yaml", text).with_dialect(Dialect::HooksYaml);
    let policy = Policy::from_source(source).unwrap();
    let path = own("examples/policy.hookc");
    if std::env::var_os("BLESS").is_some() {
        fs::write(&path, policy.module().bytes()).unwrap();
    }
    assert_eq!(fs::read(&path).unwrap(), policy.module().bytes(), "run the tests with BLESS=1");
}

/// The lines of the crate's first example, without those that rustdoc hides.
fn example() -> String {
    let lib = fs::read_to_string(own("src/lib.rs")).unwrap();
    let lines = lib.lines().filter_map(|line| line.strip_prefix("//!"));
    let lines = lines.map(|line| line.strip_prefix(' ').unwrap_or(line));
    let block = lines.skip_while(|line| *line != "```").skip(1).take_while(|line| *line != "```");
    block.filter(|line| !line.starts_with("# ")).map(|line| format!("{line}\n")).collect()
}

/// The README shows the example that rustdoc compiles and runs.
#[test]
fn the_readme_shows_the_example() {
    let readme = fs::read_to_string(own("../README.md")).unwrap();
    let block = format!("```rust\n{}```\n", example());
    assert!(block.lines().count() > 10 && readme.contains(&block), "README.md lacks\n{block}");
}
