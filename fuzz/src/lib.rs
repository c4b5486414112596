//! Bodies of the fuzz targets: one for each entry point of bytes. A body accepts any bytes and
//! panics if its property is violated. They compile on stable; `cargo test` runs them over the
//! corpus, over mutations, and over past findings.

#![forbid(unsafe_code)]

mod event;
mod layout;
mod module;
mod policy;
mod shell;
mod small;
mod test_file;

pub use event::event;
pub use layout::layout;
pub use module::module;
pub use policy::{agents, directive_xml, hooks_yaml, repository, settings, skill, workflow};
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
];
