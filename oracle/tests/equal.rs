//! Equivalent ways to the same decision: bytes and parsed values, whole and stripped modules, XML
//! and YAML.
#![allow(dead_code, reason = "tests")]

use crate::common;

use hookc_compiler::Dialect;
use hookc_oracle::generate::{self, Rng, Shape};
use hookc_syntax::write;
use hookc_vm::{DecideOptions, Scratch};

const POLICIES: u64 = 200;
const EVENTS: usize = 20;

#[test]
fn bytes_and_values_decide_alike() {
    for seed in 0..POLICIES {
        let mut rng = Rng::new(seed ^ 0xb17e5);
        let policies = generate::policies(&mut rng, Shape { plain: false, hooks: 10 });
        let built = common::build(&common::yaml(&policies), Dialect::HooksYaml, true, false).unwrap();
        let module = common::load(built.bytes);
        let (mut a, mut b) = (Scratch::default(), Scratch::default());
        for _ in 0..EVENTS {
            let event = generate::event(&mut rng, true);
            let Ok(value) = serde_json::from_str::<serde_json::Value>(&event) else { continue };
            let text = value.to_string();
            let from_bytes =
                module.decide(&mut a, text.as_bytes(), &DecideOptions::default()).map(|d| common::seen(&d));
            let from_value =
                module.decide_value(&mut b, &value, &DecideOptions::default()).map(|d| common::seen(&d));
            assert_eq!(from_bytes.ok(), from_value.ok(), "seed {seed}: {text}");
        }
    }
}

#[test]
fn stripping_changes_no_decision() {
    for seed in 0..POLICIES {
        let mut rng = Rng::new(seed ^ 0x5712);
        let texts = common::yaml(&generate::policies(&mut rng, Shape { plain: false, hooks: 10 }));
        let whole = common::load(common::build(&texts, Dialect::HooksYaml, true, false).unwrap().bytes);
        let stripped = common::load(common::build(&texts, Dialect::HooksYaml, true, true).unwrap().bytes);
        let (mut a, mut b) = (Scratch::default(), Scratch::default());
        for _ in 0..EVENTS {
            let event = generate::event(&mut rng, false);
            let whole =
                whole.decide(&mut a, event.as_bytes(), &DecideOptions::default()).map(|d| without_labels(&d));
            let stripped = stripped
                .decide(&mut b, event.as_bytes(), &DecideOptions::default())
                .map(|d| without_labels(&d));
            assert_eq!(whole.ok(), stripped.ok(), "seed {seed}: {event}");
        }
    }
}

fn without_labels(decision: &hookc_vm::Decision<'_>) -> Vec<(usize, Option<String>)> {
    let (_, hooks, reported) = common::seen(decision);
    hooks.into_iter().chain(reported).map(|(rank, _, action)| (rank, action)).collect()
}

#[test]
fn xml_and_yaml_give_the_same_bytes() {
    for seed in 0..POLICIES * 2 {
        let mut rng = Rng::new(seed ^ 0x3a1);
        let policies = generate::policies(&mut rng, Shape { plain: true, hooks: 10 });
        let (xml, losses) = write::directive_xml::write(&policies[0].0);
        if !losses.is_empty() {
            continue;
        }
        let layer = policies[0].1;
        let yaml = common::build(&common::yaml(&policies), Dialect::HooksYaml, true, true).unwrap();
        let from_xml = common::build(&[(xml.clone(), layer)], Dialect::DirectiveXml, true, true);
        let from_xml = from_xml.unwrap_or_else(|why| panic!("seed {seed}: {why}\n{xml}"));
        common::same_tree(&policies[0].0, &from_xml.policies[0])
            .unwrap_or_else(|why| panic!("seed {seed}: {why}\n{xml}"));
        assert!(yaml.bytes == from_xml.bytes, "seed {seed}: the modules differ\n{xml}");
    }
}
