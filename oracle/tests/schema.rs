//! Random schemas and values that they are about: the VM against the oracle,
//! which asks the `jsonschema` crate. `HOOKC_DECISIONS=1000000` makes it long.
#![allow(dead_code, reason = "tests")]

use crate::common;

use std::collections::BTreeMap;

use hookc_compiler::Dialect;
use hookc_corpus::{effort, number};
use hookc_oracle::generate::{self, Rng};
use hookc_oracle::{DecideOptions as OracleAsk, Oracle};
use hookc_schema::tree::{Layer, print};
use hookc_vm::format::keyword::Keyword;
use hookc_vm::{DecideOptions, Module, Scratch};

const VALUES: usize = 40;

fn decisions() -> usize {
    number("HOOKC_DECISIONS").unwrap_or_else(|| effort(20_000, 4_000))
}

struct Case {
    schema: String,
    module: Module,
    oracle: Oracle,
}

impl Case {
    fn new(schema: String, formats: bool) -> Self {
        let text = format!(
            "hooks: [{{event: t, action: {{type: continue}}, condition: \
             {{path: v, op: matches, value: {schema}, assert_format: {formats}}}}}]"
        );
        let built = common::build(&[(text, Layer::Directive)], Dialect::HooksYaml, false, false);
        let built = built.unwrap_or_else(|why| panic!("{schema}\n{why}"));
        let policies = built.policies.into_iter().map(|policy| (policy, Layer::Directive)).collect();
        Self { schema, module: common::load(built.bytes), oracle: common::oracle(&policies, None) }
    }

    /// Both answers; an error of the VM is no answer.
    fn answers(&self, scratch: &mut Scratch, value: &str) -> (Option<bool>, bool) {
        let event = format!("{{\"event_type\":\"t\",\"v\":{value}}}");
        let vm = self.module.decide(scratch, event.as_bytes(), &DecideOptions::default());
        let vm = vm.ok().map(|decision| decision.hooks().len() == 1);
        let oracle = self.oracle.decide(event.as_bytes(), &OracleAsk::default()).unwrap();
        (vm, !oracle.hooks.is_empty())
    }
}

#[test]
fn schemas_give_equal_results() {
    let mut seen: BTreeMap<Keyword, [usize; 2]> = BTreeMap::new();
    let mut scratch = Scratch::new();
    for seed in 0..decisions().div_ceil(VALUES) as u64 {
        let mut rng = Rng::new(seed ^ 0x5c4e3a);
        let case = Case::new(print::json(&generate::schema(&mut rng)), rng.chance(30));
        for _ in 0..VALUES {
            let value = print::json(&generate::value(&mut rng));
            let (vm, oracle) = case.answers(&mut scratch, &value);
            assert_eq!(vm, Some(oracle), "seed {seed}\nschema: {}\nvalue:  {value}", case.schema);
            for row in case.module.tables().unwrap().keywords {
                let keyword = Keyword::from_number(row.op).unwrap();
                seen.entry(keyword).or_default()[usize::from(oracle)] += 1;
            }
        }
    }
    let rare: Vec<_> = Keyword::ALL.iter().filter(|k| seen.get(k).is_none_or(|n| n.contains(&0))).collect();
    // A short run has too few schemas for that.
    assert!(
        rare.is_empty() || decisions() < 20_000,
        "both answers are seen with every keyword, but for {rare:?}"
    );
}

#[test]
fn numbers_are_exact() {
    let mut scratch = Scratch::new();
    for (schema, valid, invalid) in [
        ("{const: 9007199254740993}", "9007199254740993.0", "9007199254740992"),
        ("{minimum: 9007199254740993}", "9007199254740993", "9007199254740992"),
        ("{multipleOf: 0.1}", "0.3", "0.35"),
        ("{multipleOf: 0.01}", "4.35", "4.355"),
        ("{multipleOf: 3}", "3e10000", "1e10000"),
        ("{multipleOf: 1e-10000}", "1", "\"x\""),
        ("{type: integer}", "1e400", "1e-400"),
        ("{uniqueItems: true}", "[1, 1.1, \"1\", true]", "[100, 1e2]"),
        ("{exclusiveMaximum: 1e-7}", "0.00000009", "0.0000001"),
    ] {
        let case = Case::new(schema.to_owned(), false);
        assert_eq!(case.answers(&mut scratch, valid), (Some(true), true), "{schema}: {valid}");
        let wrong = if invalid == "\"x\"" { (Some(true), true) } else { (Some(false), false) };
        assert_eq!(case.answers(&mut scratch, invalid), wrong, "{schema}: {invalid}");
    }
}
