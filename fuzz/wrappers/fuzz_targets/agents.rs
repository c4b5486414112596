//! See `hookc_fuzz::agents`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| hookc_fuzz::agents(bytes));
