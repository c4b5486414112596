//! `hookc fmt` over random policies in random style: keys in any order, any quotes, brackets or
//! lines, comments and empty lines anywhere. The formatted file has the same meaning, formatting it
//! again changes nothing, and no comment is lost.
#![allow(dead_code, reason = "tests")]

use crate::common;

use hookc_compiler::Dialect;
use hookc_corpus::{effort, number};
use hookc_oracle::generate::{self, Rng, Shape};
use hookc_schema::diag::render;
use hookc_schema::tree::Layer;
use hookc_schema::{Diagnostics, SourceId};
use hookc_syntax::front::yaml;
use hookc_syntax::{fmt, write};

/// Policies of each test; `HOOKC_POLICIES=20000` makes it a long run.
fn policies() -> u64 {
    number("HOOKC_POLICIES").unwrap_or_else(|| effort(400, 60)) as u64
}

fn module(text: &str) -> Vec<u8> {
    let texts = [(text.to_owned(), Layer::Directive)];
    common::build(&texts, Dialect::HooksYaml, false, true).unwrap_or_else(|why| panic!("{why}\n{text}")).bytes
}

fn format(seed: u64, text: &str) -> String {
    hookc_compiler::format("policy", text).unwrap_or_else(|(sources, told)| {
        let laid = fmt::canonical(text).unwrap_or_default();
        let same = fmt::same_value(text, &laid);
        panic!(
            "seed {seed}: the same value: {same}; {}\n{text}\n---\n{laid}",
            render::text::render(&told, &sources)
        )
    })
}

fn written(seed: u64, rng: &mut Rng) -> String {
    let (policy, _) = generate::policies(rng, Shape { plain: false, hooks: 6 }).swap_remove(0);
    let (text, losses) = write::hooks_yaml::write(&policy);
    assert!(losses.is_empty(), "seed {seed}");
    text
}

#[test]
fn converted_files_are_formatted() {
    for seed in 0..policies() {
        let text = written(seed, &mut Rng::new(seed));
        assert_eq!(format(seed, &text), text, "seed {seed}");
    }
}

#[test]
fn any_handwriting_keeps_its_meaning_and_its_comments() {
    for seed in 0..policies() {
        let mut rng = Rng::new(seed);
        let plain = written(seed, &mut rng);
        let value = yaml::read(&plain, SourceId(0), &mut Diagnostics::new()).unwrap();
        let (text, comments) = generate::handwritten(&mut rng, &value);
        assert_eq!(fmt::comments(&text), Some(comments), "seed {seed}: the comments that are seen\n{text}");
        let once = format(seed, &text);
        assert!(module(&once) == module(&plain), "seed {seed}: another module\n{text}\n---\n{once}");
        assert_eq!(fmt::comments(&once), Some(comments), "seed {seed}: comments\n{text}\n---\n{once}");
        assert_eq!(format(seed, &once), once, "seed {seed}: the second time\n{text}");
    }
}
