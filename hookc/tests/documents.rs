//! What documents and examples show of the facade is what there is.

use std::fs;
use std::path::{Path, PathBuf};

use hookc::{Dialect, Policy, Source};

fn own(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

/// The module that `examples/module.rs` and the examples of `hookc-vm` include is compiled from
/// the policy next to it.
#[test]
fn the_module_of_the_example_is_up_to_date() {
    let text = fs::read_to_string(own("examples/policy.yaml")).unwrap();
    let source = Source::new("policy.yaml", text).with_dialect(Dialect::HooksYaml);
    let policy = Policy::from_source(source).unwrap();
    for path in [own("examples/policy.hookc"), own("../vm/examples/policy.hookc")] {
        if std::env::var_os("BLESS").is_some() {
            fs::write(&path, policy.module().bytes()).unwrap();
        }
        assert_eq!(fs::read(&path).unwrap(), policy.module().bytes(), "run the tests with BLESS=1");
    }
}

/// The lines of each example that rustdoc compiles and runs, without those that it hides.
fn examples() -> Vec<String> {
    let mut names = Vec::new();
    for krate in ["hookc", "vm", "compiler", "runtime"] {
        for path in hookc_corpus::files(&own("..").join(krate).join("src")) {
            let text = fs::read_to_string(&path).unwrap_or_default();
            let lines = text.lines().map(str::trim_start);
            let docs = lines.filter_map(|line| line.strip_prefix("//!").or_else(|| line.strip_prefix("///")));
            let docs: Vec<&str> = docs.map(|line| line.strip_prefix(' ').unwrap_or(line)).collect();
            names.extend(blocks(&docs, |fence| fence == "```"));
        }
    }
    names
}

/// The blocks after fences, without lines that rustdoc hides.
fn blocks(lines: &[&str], is_start: impl Fn(&str) -> bool) -> Vec<String> {
    let (mut names, mut block) = (Vec::new(), None::<String>);
    let mut other = false;
    for line in lines {
        match &mut block {
            Some(_) if *line == "```" => names.extend(block.take()),
            Some(_) if line.starts_with("# ") => {}
            Some(text) => {
                // The path of a file depends on the source that includes it.
                let line = line.replace("\"../../examples/", "\"").replace("\"../examples/", "\"");
                text.push_str(&line);
                text.push('\n');
            }
            None if other => other = !line.starts_with("```"),
            None if is_start(line) => block = Some(String::new()),
            None => other = line.starts_with("```"),
        }
    }
    names
}

/// Every block of Rust in the README and in the documents is an example that rustdoc compiles and
/// runs.
#[test]
fn documents_show_examples_that_run() {
    let examples = examples();
    let mut shown = 0;
    for document in ["../README.md", "../docs/embedding.md"] {
        let text = fs::read_to_string(own(document)).unwrap();
        let lines: Vec<&str> = text.lines().collect();
        for block in blocks(&lines, |fence| fence == "```rust") {
            shown += 1;
            assert!(examples.contains(&block), "no example of a crate is this block of {document}:\n{block}");
        }
    }
    assert!(shown > 5, "the blocks were found: {shown}");
}
