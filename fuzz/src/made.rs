//! Made from choices: a body draws policies, events, schemas and values from its bytes, so that every
//! input is valid and a small change of the bytes is a small change of the case.

use hookc_compiler::{Dialect, IndexThresholds, Options};
use hookc_oracle::generate::{self, Rng, Shape};
use hookc_schema::tree::{Layer, print};
use hookc_schema::{Diagnostics, SourceId};
use hookc_syntax::front::yaml;
use hookc_syntax::{fmt, write};
use hookc_vm::{DecideError, DecideOptions, EventError, Limits, Module, Scratch, Strategy};

use crate::common;

/// Events of a case.
const EVENTS: usize = 8;

/// Policies and events: the VM decides as the oracle does. Conditions about effects are left out: of a few lines and paths
/// the two gather different effects, which the body `effects` compares.
#[allow(clippy::panic, clippy::expect_used, reason = "a property that fails panics")]
pub fn decisions(bytes: &[u8]) {
    let mut rng = Rng::from_tape(bytes);
    let mut policies = generate::policies(&mut rng, Shape { plain: false, hooks: 4 });
    for (policy, _) in &mut policies {
        policy.hooks.retain(|hook| !hook.condition.as_ref().is_some_and(common::has_effects));
    }
    let mut thresholds = IndexThresholds::default();
    if rng.chance(60) {
        (thresholds.min_indexed, thresholds.max_posting) = (0, 1 + rng.below(4));
        (thresholds.min_grams, thresholds.least, thresholds.share) = (rng.below(3), rng.below(2), usize::MAX);
    }
    let texts = common::yaml(&policies);
    let options = Options::default().builtin(common::linked(false)).thresholds(thresholds);
    let built = common::build_with(&texts, Dialect::HooksYaml, options);
    let built = built.unwrap_or_else(|why| panic!("does not compile: {why}\n{texts:?}"));
    let mut limits = Limits::default();
    limits.late_bytes = if rng.chance(50) { 0 } else { limits.late_bytes };
    let module = Module::load_with(built.bytes, limits).expect("it loads");
    let (oracle, mut scratch) = (common::oracle(&policies, None), Scratch::new());
    for n in 0..EVENTS {
        let event = generate::event(&mut rng, false);
        let (mut ours, mut theirs) = (DecideOptions::default(), hookc_oracle::DecideOptions::default());
        match n {
            1 => (ours.event, theirs.event) = (Some("error"), Some("error")),
            2 => (ours.strategy, theirs.all) = (Some(Strategy::All), true),
            3 => (ours.after, theirs.after) = (Some(1), Some(1)),
            _ => {}
        }
        let decided = module.decide(&mut scratch, event.as_bytes(), &ours);
        let decided = decided.map(|decision| common::seen(&decision)).map_err(|error| kind(&error));
        let judged = oracle.decide(event.as_bytes(), &theirs);
        let judged = judged.map(common::judged).map_err(|refusal| match refusal {
            hookc_oracle::Refusal::Malformed => "malformed",
            hookc_oracle::Refusal::Duplicate => "duplicate",
            hookc_oracle::Refusal::NoType => "no type",
        });
        let shows_effects = texts.iter().any(|(text, _)| text.contains("effects()"));
        assert!(
            decided == judged || shows_effects,
            "{texts:?}\nevent: {event}\nvm:     {decided:?}\noracle: {judged:?}"
        );
    }
}

fn kind(error: &DecideError) -> &'static str {
    match error {
        DecideError::Event(EventError::Duplicate(_)) => "duplicate",
        DecideError::Event(EventError::NoType) => "no type",
        _ => "malformed",
    }
}

/// A schema and values: the VM validates as the oracle does.
#[allow(clippy::panic, clippy::expect_used, reason = "a property that fails panics")]
pub fn schema(bytes: &[u8]) {
    let mut rng = Rng::from_tape(bytes);
    let (schema, formats) = (print::json(&generate::schema(&mut rng)), rng.chance(30));
    let text = format!(
        "hooks: [{{event: t, action: {{type: continue}}, condition: {{path: v, op: matches, value: {schema}, \
         assert_format: {formats}}}}}]"
    );
    let built = common::build(&[(text, Layer::Directive)], Dialect::HooksYaml, false, false);
    let built = built.unwrap_or_else(|why| panic!("{schema}\n{why}"));
    let policies = built.policies.into_iter().map(|policy| (policy, Layer::Directive)).collect();
    let (module, oracle) = (common::load(built.bytes), common::oracle(&policies, None));
    let mut scratch = Scratch::new();
    for _ in 0..EVENTS {
        let value = print::json(&generate::value(&mut rng));
        let event = format!("{{\"event_type\":\"t\",\"v\":{value}}}");
        let decided = module.decide(&mut scratch, event.as_bytes(), &DecideOptions::default());
        let decided = decided.map(|decision| decision.hooks().len() == 1);
        let judged = oracle.decide(event.as_bytes(), &hookc_oracle::DecideOptions::default());
        let judged = judged.map(|decision| !decision.hooks.is_empty());
        assert!(decided.ok() == judged.ok(), "schema: {schema}\nvalue: {value}");
    }
}

/// A policy in random style: formatting keeps its meaning and comments and is done after one time; what
/// a writer writes without a loss has the same meaning.
#[allow(clippy::panic, clippy::expect_used, reason = "a property that fails panics")]
pub fn written(bytes: &[u8]) {
    let mut rng = Rng::from_tape(bytes);
    let shape = Shape { plain: rng.chance(50), hooks: 4 };
    let (policy, layer) = generate::policies(&mut rng, shape).swap_remove(0);
    let (plain, losses) = write::hooks_yaml::write(&policy);
    assert!(losses.is_empty(), "a hooks file can express all of it: {losses:?}");
    let module = |text: &str, dialect| {
        let built = common::build(&[(text.to_owned(), layer)], dialect, false, true);
        built.unwrap_or_else(|why| panic!("{why}\n{text}")).bytes
    };
    let meaning = module(&plain, Dialect::HooksYaml);
    for dialect in Dialect::written() {
        let (files, losses) = write::write(&policy, dialect);
        if let (Some(file), 1, true) = (files.first(), files.len(), losses.is_empty()) {
            let again = module(&file.text, dialect);
            assert!(again == meaning, "as {}:\n{}", dialect.name(), file.text);
        }
    }
    let value = yaml::read(&plain, SourceId(0), &mut Diagnostics::new()).expect("what is written is YAML");
    let (text, comments) = generate::handwritten(&mut rng, &value);
    let Ok(once) = hookc_compiler::format("policy", &text) else { panic!("cannot be formatted:\n{text}") };
    assert!(module(&once, Dialect::HooksYaml) == meaning, "another meaning:\n{text}\n---\n{once}");
    assert_eq!(fmt::comments(&once), Some(comments), "comments:\n{text}\n---\n{once}");
    assert_eq!(fmt::canonical(&once).as_ref(), Some(&once), "the second time");
}
