//! See `hookc_bindings_fuzz::c`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| hookc_bindings_fuzz::c(bytes));
