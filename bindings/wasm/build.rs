//! Limits the memory of a WebAssembly module.

#![allow(clippy::disallowed_methods, reason = "a build script reads its environment")]

/// No instance takes more. What needs more fails, and the host has the rest.
const MEMORY_BYTES: u64 = 1 << 30;

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    if std::env::var("CARGO_CFG_TARGET_FAMILY").is_ok_and(|family| family == "wasm") {
        println!("cargo:rustc-link-arg-cdylib=--max-memory={MEMORY_BYTES}");
    }
}
