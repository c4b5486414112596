//! See `hookc_fuzz::notation`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| hookc_fuzz::notation(bytes));
