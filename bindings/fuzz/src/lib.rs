//! Bodies of the fuzz targets of the bindings. A body accepts any bytes and panics if its property
//! is violated; undefined behaviour is for sanitizers to find. They compile on stable.
#![allow(unsafe_code, reason = "the entry points take raw pointers")]
#![allow(
    clippy::undocumented_unsafe_blocks,
    reason = "each call gives valid pointers, or what the callee checks"
)]
#![allow(clippy::expect_used, clippy::panic, clippy::indexing_slicing, reason = "a body panics")]

mod c;
mod calls;
mod wasm;

pub use c::c;
pub use wasm::wasm;

/// A target: its name and its body.
pub type Target = (&'static str, fn(&[u8]));

/// All targets.
pub const TARGETS: &[Target] = &[("c", c), ("wasm", wasm)];

/// A policy that compiles, and an event that it has a hook for.
pub(crate) const POLICY: &str = r#"hooks:
  - {id: a, event: Stop, when: "why =~ 'x+' or exists(items[0].k)", action: {type: deny, reason: "${why}"}}
  - {id: b, event: error, mode: warn, action: {type: emit_event, event_type: e, payload: {k: "${$..k}"}}}
  - {id: c, event: Stop, mode: warn, action: {type: log, message: "${why ?? 'none'}"}}
"#;
