//! Bodies of the fuzz targets: one for each entry point of bytes. A body accepts any bytes and
//! panics if its property is violated. They compile on stable; `cargo test` runs them over the
//! corpus, over mutations, and over past findings.

#![forbid(unsafe_code)]

pub mod dictionary;
mod effects;
mod event;
mod hosts;
mod layout;
mod made;
mod module;
pub mod mutant;
mod notation;
mod policy;
mod rules;
pub mod seeds;
mod shell;
mod small;
mod test_file;
mod wires;

// What the tests of the oracle make of a case, and the wires of the agent, which is no library.
#[allow(dead_code, reason = "tests need more of it")]
#[allow(clippy::expect_used, reason = "a body panics")]
#[path = "../../oracle/tests/common/mod.rs"]
mod common;
#[allow(dead_code, reason = "the agent needs more of it")]
#[path = "../../agent/src/message.rs"]
mod message;
#[allow(dead_code, clippy::disallowed_methods, reason = "the agent needs more of it")]
#[path = "../../agent/src/model/mod.rs"]
mod model;

pub use effects::effects;
pub use event::event;
pub use hosts::hosts;
pub use layout::layout;
pub use made::{decisions, schema, written};
pub use module::{module, rehashed};
pub use notation::notation;
pub use policy::{agents, directive_xml, hooks_yaml, repository, settings, skill, workflow};
pub use rules::rules;
pub use shell::shell;
pub use small::{path, template, when};
pub use test_file::test_file;
pub use wires::wires;

/// A target: its name and its body.
pub type Target = (&'static str, fn(&[u8]));

/// All targets.
pub const TARGETS: &[Target] = &[
    ("hooks_yaml", hooks_yaml),
    ("directive_xml", directive_xml),
    ("settings", settings),
    ("repository", repository),
    ("skill", skill),
    ("workflow", workflow),
    ("agents", agents),
    ("layout", layout),
    ("when", when),
    ("path", path),
    ("template", template),
    ("module", module),
    ("event", event),
    ("test_file", test_file),
    ("shell", shell),
    ("effects", effects),
    ("notation", notation),
    ("rules", rules),
    ("hosts", hosts),
    ("wires", wires),
    ("decisions", decisions),
    ("schema", schema),
    ("written", written),
];
