//! Shared by tests of dialects: compiles texts, and writes and re-reads trees.
#![allow(dead_code, reason = "no test uses all of it")]

use std::sync::Arc;

use hookc_compiler::{Compiled, Dialect, Input, Options, compile};
use hookc_schema::diag::render::text;
use hookc_schema::tree::{Policy, print};
use hookc_schema::{Diagnostic, Diagnostics, Sources};
use hookc_syntax::files::Files;
use hookc_syntax::write;

/// Texts compiled into one module, without the shipped hooks; the second is
/// what was reported.
pub(crate) fn built(
    texts: &[(&str, &str)],
    dialect: Dialect,
    files: Option<Arc<dyn Files>>,
) -> (Compiled, String) {
    let mut sources = Sources::new();
    let mut input = |(name, text): &(&str, &str)| {
        let source = sources.add(*name, *text);
        Input::new(source).with_dialect(dialect)
    };
    let inputs: Vec<Input> = texts.iter().map(&mut input).collect();
    let options = Options::default().strip(true).files(files);
    let compiled = compile(&mut sources, &inputs, &options);
    if let [(_, text)] = texts {
        inside(text, &compiled.diagnostics);
    }
    let reported = text::render(&compiled.diagnostics, &sources);
    (compiled, reported)
}

/// The module of a text.
pub(crate) fn module(name: &str, text: &str, dialect: Dialect) -> Vec<u8> {
    let (compiled, reported) = built(&[(name, text)], dialect, None);
    compiled.module.unwrap_or_else(|| panic!("{text}\n{reported}"))
}

/// Every reported span is within the text.
pub(crate) fn inside(text: &str, reported: &[Diagnostic]) {
    for label in reported.iter().flat_map(|reported| &reported.labels) {
        assert!(text.get(label.span.range()).is_some(), "{label:?} lies outside {text:?}");
    }
}

/// Reads, writes, and reads again: the same tree without losses. Returns the name and the text that
/// were written, and the second tree.
pub(crate) fn round_trip(
    text: &str,
    dialect: Dialect,
    read: impl Fn(&str) -> (Policy, Diagnostics),
) -> (Option<String>, String, Policy) {
    let (policy, reported) = read(text);
    assert!(!reported.iter().any(Diagnostic::is_error), "{text}\n{reported:#?}");
    let (mut written, losses) = write::write(&policy, dialect);
    assert_eq!((losses, written.len()), (Vec::new(), 1), "{text}");
    let new = written.remove(0);
    let (again, reported) = read(&new.text);
    assert!(!reported.iter().any(Diagnostic::is_error), "{}\n{reported:#?}", new.text);
    assert_eq!(print::policy(&again), print::policy(&policy), "{}", new.text);
    (new.name, new.text, again)
}
