//! See `hookc_fuzz::hooks_yaml`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| hookc_fuzz::hooks_yaml(bytes));
