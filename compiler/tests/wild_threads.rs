//! Workflow files and thread policies that other people wrote, when they are
//! at hand: nothing panics, places are within the text, the hooks are counted
//! as a plain reader counts them, and each refusal is one that we have judged.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice,
    clippy::disallowed_methods,
    clippy::print_stderr,
    reason = "tests, which may read files"
)]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use hookc_compiler::{Dialect, Input, Options, compile};
use hookc_schema::Sources;
use hookc_schema::diag::render;

fn files(folder: &Path, out: &mut Vec<PathBuf>) {
    let mut entries: Vec<_> = std::fs::read_dir(folder).into_iter().flatten().flatten().collect();
    entries.sort_by_key(std::fs::DirEntry::path);
    for entry in entries {
        let path = entry.path();
        if path.is_dir() { files(&path, out) } else { out.push(path) }
    }
}

/// Hooks read, and the codes of what was told, with the rendered text.
fn check(name: &str, text: &str, dialect: Dialect) -> (usize, BTreeMap<String, usize>, String) {
    let mut sources = Sources::new();
    let source = sources.add(name, text);
    let input = Input { source, dialect: Some(dialect), layer: None };
    let compiled = compile(&mut sources, &[input], &Options { builtin: false, ..Options::default() });
    let mut codes = BTreeMap::new();
    for told in &compiled.diagnostics {
        *codes.entry(told.code.to_string()).or_default() += 1;
        for label in &told.labels {
            assert!(text.get(label.span.range()).is_some(), "{name}: {label:?}");
        }
    }
    let rendered = render::text::render(&compiled.diagnostics, &sources);
    (compiled.policies[0].hooks.len(), codes, rendered)
}

#[test]
fn show() {
    let Some(root) = hookc_corpus::shared() else { return };
    let mut all = Vec::new();
    files(&root.join("wild/rye"), &mut all);
    files(&root.join("wild/workflow"), &mut all);
    for path in all {
        let text = std::fs::read_to_string(&path).unwrap();
        let name = path.strip_prefix(root.join("wild")).unwrap().to_string_lossy().into_owned();
        let dialect = match name.split('/').next() {
            Some("workflow") => Dialect::Workflow,
            _ if name.ends_with(".yaml") => Dialect::HooksYaml,
            _ => Dialect::DirectiveXml,
        };
        let (hooks, codes, rendered) = check(&name, &text, dialect);
        eprintln!("=== {name}: {hooks} {codes:?}\n{rendered}");
    }
}
