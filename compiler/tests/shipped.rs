//! The shipped hooks compile without a word.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

use hookc_compiler::{Options, compile};
use hookc_schema::Sources;
use hookc_schema::tree::Layer;

#[test]
fn shipped_hooks_are_clean() {
    let compiled = compile(&mut Sources::new(), &[], &Options::default());
    assert_eq!(compiled.diagnostics, []);
    let hooks =
        compiled.linked.events.iter().flat_map(|event| event.hooks.iter().map(|hook| (&event.name, hook)));
    let found: Vec<_> =
        hooks.map(|(event, hook)| (event.as_str(), hook.label.as_str(), hook.layer)).collect();
    assert_eq!(
        found,
        [
            ("context_window_pressure", "default_compaction", Layer::Builtin),
            ("error", "default_transient_retry", Layer::Builtin),
            ("limit", "default_limit_escalation", Layer::Builtin),
        ]
    );
}
