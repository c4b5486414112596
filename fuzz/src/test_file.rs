//! Test files: any text is a suite or has diagnostics, and a suite runs one case per event.

use hookc_compiler::testing::{self, Coverage, Exercised};
use hookc_compiler::{Dialect, Input, Options, compile};
use hookc_schema::{Code, Diagnostic, Diagnostics, Sources};

const POLICY: &str = "hooks:
  - {id: a, event: error, when: \"error.code == 'x' or n > 1\", action: {type: fail, error_message: '${m}'}}
  - {id: b, event: [error, limit], mode: warn, action: {type: abort}}
";

/// A test file, run over a small policy.
#[allow(clippy::expect_used, reason = "a property that fails panics")]
pub fn test_file(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let mut sources = Sources::new();
    let source = sources.add("x.test.yaml", text);
    let mut diagnostics = Diagnostics::new();
    let suite = testing::read(text, source, &mut diagnostics);
    assert!(
        suite.is_some() != diagnostics.iter().any(Diagnostic::is_error),
        "a suite, or an error that says why not"
    );
    for label in diagnostics.iter().flat_map(|diagnostic| &diagnostic.labels) {
        assert!(text.get(label.span.range()).is_some(), "{label:?} lies outside the text");
    }
    let Some(suite) = suite else { return };
    let policy = sources.add("hooks.yaml", POLICY);
    let input = Input::new(policy).with_dialect(Dialect::HooksYaml);
    let options = Options::default().builtin(suite.builtin);
    let compiled = compile(&mut sources, &[input], &options);
    let outcome =
        testing::run(&compiled, &suite.tests, Some(&mut Coverage::new()), &mut Exercised::default())
            .expect("it is small");
    // What is wrong with an event is reported next to the decision about it.
    let is_alone = |diagnostic: &&Diagnostic| !matches!(diagnostic.code, Code::E0436 | Code::W0647);
    let seen = outcome.cases.len() + outcome.diagnostics.iter().filter(is_alone).count();
    assert_eq!(seen, suite.tests.iter().map(|test| test.events.len()).sum::<usize>());
}
