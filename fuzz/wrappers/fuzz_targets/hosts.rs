//! See `hookc_fuzz::hosts`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| hookc_fuzz::hosts(bytes));
