//! See `hookc_fuzz::shared`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| hookc_fuzz::shared(bytes));
