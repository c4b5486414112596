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
mod messages;
mod module;
pub mod mutant;
mod notation;
mod past;
mod policy;
mod programs;
mod rules;
pub mod seeds;
mod shared;
mod shell;
mod small;
mod test_file;

// What the tests of the oracle make of a case.
#[allow(dead_code, reason = "tests need more of it")]
#[allow(clippy::expect_used, reason = "a body panics")]
#[path = "../../oracle/tests/common/mod.rs"]
mod common;

pub use effects::effects;
pub use event::event;
pub use hosts::hosts;
pub use layout::layout;
pub use made::{decisions, schema, written};
pub use messages::messages;
pub use module::{module, rehashed};
pub use notation::notation;
pub use past::{partition, sessions, store};
pub use policy::{agents, directive_xml, hooks_yaml, repository, settings, skill, workflow};
pub use programs::programs;
pub use rules::rules;
pub use shared::shared;
pub use shell::shell;
pub use small::{path, template, when};
pub use test_file::test_file;

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
    ("programs", programs),
    ("notation", notation),
    ("rules", rules),
    ("hosts", hosts),
    ("messages", messages),
    ("decisions", decisions),
    ("schema", schema),
    ("written", written),
    ("partition", partition),
    ("sessions", sessions),
    ("store", store),
    ("shared", shared),
];
