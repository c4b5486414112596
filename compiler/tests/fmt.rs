//! The properties of every output of `hookc fmt`: it has the same meaning, formatting again changes
//! nothing, no comment is lost. `tests/cases` has the goldens.

use std::path::{Path, PathBuf};

use hookc_schema::diag::render;
use hookc_syntax::fmt;

fn format(name: &str, text: &str) -> String {
    hookc_compiler::format(name, text).unwrap_or_else(|(sources, reported)| {
        panic!("{name}:\n{}\n{text}", render::text::render(&reported, &sources))
    })
}

#[test]
fn shipped_policies_are_formatted() {
    let mut texts = vec![("builtin".to_owned(), include_str!("../src/builtin/hooks.yaml").to_owned())];
    for (kind, stem) in [("eval", "policy"), ("stages", "policy"), ("parity", "a")] {
        for case in hookc_corpus::cases(kind).unwrap() {
            let ours = |file: &&str| file.ends_with(".yaml") && !file.contains(".workflow.");
            let yaml = case.inputs(stem).into_iter().filter(ours);
            texts.extend(yaml.map(|file| (format!("{kind}/{}/{file}", case.name), case.text(file).unwrap())));
        }
    }
    for (name, text) in texts {
        let once = format(&name, &text);
        assert_eq!(format(&name, &once), once, "{name}: the second time");
    }
}

#[test]
fn files_with_errors_are_reported_and_not_formatted() {
    let (sources, reported) =
        hookc_compiler::format("x", "hooks:\n  - evnt: error\n    action: {type: abort}\n").unwrap_err();
    assert!(render::short::render(&reported, &sources).contains("E0201"));
    assert!(reported.iter().all(hookc_schema::Diagnostic::is_error));
    assert!(hookc_compiler::format("x", "hooks: [\n").is_err());
}

#[test]
fn line_ends_stay_as_they_are() {
    let unix = "hooks: # all\n  - event: error\n    action: {type: abort}\n";
    let dos = unix.replace('\n', "\r\n");
    assert_eq!(format("x", &dos), format("x", unix).replace('\n', "\r\n"));
}

#[test]
fn a_folded_quoted_line_adds_no_space() {
    let text = "hooks:\n  - event: error\n    action:\n      type: fail\n      error_message: \"is\\\n            ${error.code}\"\n";
    assert!(format("x", text).contains("\"is${error.code}\""), "{}", format("x", text));
}

/// A carriage return alone ends a line too, in every style of text that is longer than a line.
#[test]
fn a_carriage_return_is_a_line_end() {
    let long = "more of it ".repeat(12);
    for text in [
        "\"a\r\r      b\r\n      LONG\"",
        "'a\r\r\n      b\r      LONG'",
        ">-\n      a\r\r      LONG\r\n      b",
        "|\n      a\r      LONG\r\r      b",
        ">-  # a comment\r      a\r\r      LONG\r      b",
    ] {
        let text = text.replace("LONG", long.trim());
        let policy =
            format!("hooks:\n  - event: limit\n    action: {{type: abort}}\n    description: {text}\n");
        let once = format("a", &policy);
        assert_eq!(format("a", &once), once, "{once:?}");
        assert_eq!(format("a", &policy.replace("\r\n", "\n").replace('\n', "\r")), once, "no line feed");
    }
}

fn shared() -> Option<PathBuf> {
    hookc_corpus::shared()
}

fn files(folder: &Path, out: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() { files(&path, out) } else { out.push(path) }
    }
}

/// Comments of a text, by the parser that reads policies.
fn comments(text: &str) -> usize {
    fmt::comments(text).unwrap()
}

#[test]
fn real_files_mean_the_same() {
    let Some(root) = shared() else { return };
    let mut all = Vec::new();
    files(&root.join("wild"), &mut all);
    let (mut laid, mut compiled) = (0, 0);
    for path in all.iter().filter(|path| path.extension().is_some_and(|e| e == "yaml" || e == "yml")) {
        let Ok(text) = std::fs::read_to_string(path) else { continue };
        let name = path.display().to_string();
        // Even if it does not compile: formatting any YAML must not lose anything.
        if let Some(once) = fmt::canonical(&text) {
            laid += 1;
            assert_eq!(fmt::canonical(&once).as_ref(), Some(&once), "{name}: the second time\n{once}");
            assert!(fmt::same_value(&text, &once), "{name}: another value\n{once}");
            assert_eq!(comments(&once), comments(&text), "{name}: comments\n{once}");
        }
        if let Ok(once) = hookc_compiler::format(&name, &text) {
            compiled += 1;
            assert_eq!(format(&name, &once), once, "{name}");
        }
    }
    eprintln!("{laid} YAML files laid out, {compiled} of them policies");
    assert!(laid > 50 && compiled > 0);
}
