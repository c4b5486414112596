//! See `hookc_fuzz::when`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| hookc_fuzz::when(bytes));
