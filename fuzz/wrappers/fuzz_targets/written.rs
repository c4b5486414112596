//! See `hookc_fuzz::written`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| hookc_fuzz::written(bytes));
