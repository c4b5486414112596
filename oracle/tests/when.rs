//! `when` expressions in random style, including three spellings of strings: they parse to the tree
//! they were printed from, and in YAML, JSON and XML they compile to one module.

use crate::common;

use hookc_compiler::Dialect;
use hookc_corpus::{effort, number};
use hookc_oracle::generate::{self, Rng, Shape};
use hookc_schema::tree::{Cond, Layer};
use hookc_schema::value::Text;
use hookc_schema::{Diagnostics, Span};
use hookc_syntax::expr::{print, when};

/// Policies; `HOOKC_POLICIES=20000` makes it a long run.
fn policies() -> u64 {
    number("HOOKC_POLICIES").unwrap_or_else(|| effort(400, 60)) as u64
}

fn conditions(seed: u64) -> impl Iterator<Item = Cond> {
    let policies = generate::policies(&mut Rng::new(seed), Shape { plain: true, hooks: 4 });
    policies.into_iter().flat_map(|(policy, _)| policy.hooks).filter_map(|hook| hook.condition)
}

fn read(text: &str) -> Result<Cond, Diagnostics> {
    let mut out = Diagnostics::new();
    when::parse(&Text::plain(text), Span::default(), &mut out).ok_or(out)
}

fn module(text: String, dialect: Dialect) -> Vec<u8> {
    let built = common::build(&[(text.clone(), Layer::Directive)], dialect, false, true);
    built.unwrap_or_else(|why| panic!("{why}\n{text}")).bytes
}

#[test]
fn handwriting_reads_as_its_tree() {
    for seed in 0..policies() {
        let mut rng = Rng::new(seed);
        for cond in conditions(seed) {
            let text = generate::when(&mut rng, &cond);
            let again = read(&text).unwrap_or_else(|why| panic!("seed {seed}: {why:?}\n{text}"));
            // Numbers within a path are written as their value.
            let shown = hookc_schema::tree::print::condition;
            assert_eq!(shown(&again), shown(&cond), "seed {seed}: {text}");
            for operators in [print::Operators::Symbols, print::Operators::Words] {
                let printed = print::when(&again, operators);
                assert_eq!(read(&printed), Ok(again.clone()), "seed {seed}: {text}\n{printed}");
            }
        }
    }
}

#[test]
fn notations_of_an_expression_give_one_module() {
    for seed in 0..policies() / 4 {
        let mut rng = Rng::new(seed);
        // The event of the module does nothing.
        for cond in conditions(seed).filter(|cond| !common::has_effects(cond)) {
            let hand = generate::when(&mut rng, &cond);
            let escaped = |c: char| match c {
                c if c.is_control() || !c.is_ascii() && !c.is_alphanumeric() => {
                    c.encode_utf16(&mut [0; 2]).iter().map(|unit| format!("\\u{unit:04x}")).collect()
                }
                c => c.to_string(),
            };
            let json = |text: &str| -> String {
                serde_json::Value::from(text).to_string().chars().map(escaped).collect()
            };
            let hooks = |when: String| {
                format!(
                    "{{\"hooks\": [{{\"event\": \"error\", \"when\": {when}, \"action\": {{\"type\": \"fail\"}}}}]}}"
                )
            };
            let plain =
                module(hooks(json(&print::when(&cond, print::Operators::Symbols))), Dialect::HooksYaml);
            assert!(plain == module(hooks(json(&hand)), Dialect::HooksYaml), "seed {seed}: JSON\n{hand}");
            // The printer escapes characters that XML does not allow.
            let words = print::when(&cond, print::Operators::Words);
            let mut texts = vec![words];
            let sayable = |c: char| !c.is_control() && !matches!(c, '\u{fffe}' | '\u{ffff}');
            texts.extend(Some(hand).filter(|hand| hand.chars().all(sayable)));
            for text in texts {
                let yaml = format!(
                    "hooks:\n  - event: error\n    when: '{}'\n    action: {{type: fail}}\n",
                    text.replace('\'', "''")
                );
                assert!(plain == module(yaml.clone(), Dialect::HooksYaml), "seed {seed}: {yaml}");
                let attribute = text.replace('&', "&amp;").replace('<', "&lt;").replace('"', "&quot;");
                let xml = format!(
                    "<directive name=\"d\"><hooks><hook event=\"error\" when=\"{attribute}\"><action type=\"fail\"/></hook></hooks></directive>"
                );
                assert!(plain == module(xml.clone(), Dialect::DirectiveXml), "seed {seed}: {xml}");
            }
        }
    }
}
