//! The pages of the diagnostics: what the first example of a page shows is
//! told, and what the last one shows is not.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

use hookc_compiler::{Dialect, Input, Options, compile};
use hookc_schema::diag::{ALL_CODES, render};
use hookc_schema::{Code, Sources};

/// The fenced blocks of a page that are policies.
fn blocks(page: &str) -> Vec<(Dialect, String)> {
    let mut blocks = Vec::new();
    let mut lines = page.lines();
    while let Some(line) = lines.next() {
        let fence: String = line.chars().take_while(|&c| c == '`').collect();
        if fence.len() < 3 {
            continue;
        }
        let body: Vec<&str> = lines.by_ref().take_while(|line| *line != fence).collect();
        let dialect = match &line[fence.len()..] {
            "yaml" | "json" => Dialect::HooksYaml,
            "xml" | "markdown" => Dialect::DirectiveXml,
            _ => continue,
        };
        blocks.push((dialect, body.join("\n") + "\n"));
    }
    blocks
}

fn tells(code: Code, dialect: Dialect, text: &str) -> Result<bool, String> {
    let mut sources = Sources::new();
    let source = sources.add("page", text);
    let input = Input { source, dialect: Some(dialect), layer: None };
    let compiled = compile(&mut sources, &[input], &Options::default());
    let told = compiled.diagnostics.iter().any(|diagnostic| diagnostic.code == code);
    let other =
        compiled.diagnostics.iter().any(|diagnostic| diagnostic.is_error() && diagnostic.code != code);
    if other { Err(render::short::render(&compiled.diagnostics, &sources)) } else { Ok(told) }
}

#[test]
fn examples_are_told_as_their_pages_say() {
    let mut wrong = Vec::new();
    for &code in ALL_CODES {
        let blocks = blocks(code.page());
        for (n, (dialect, text)) in blocks.iter().enumerate() {
            // The first shows the mistake, the last how to put it right.
            let expected = n == 0;
            if n > 0 && n + 1 < blocks.len() {
                continue;
            }
            match tells(code, *dialect, text) {
                Ok(told) if told == expected => {}
                Ok(_) => wrong.push(format!("{code}, example {}: told should be {expected}\n{text}", n + 1)),
                Err(why) => wrong.push(format!("{code}, example {}: {why}\n{text}", n + 1)),
            }
        }
    }
    assert!(wrong.is_empty(), "{} examples:\n{}", wrong.len(), wrong.join("\n"));
}
