//! See `hookc_fuzz::rules`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| hookc_fuzz::rules(bytes));
