//! See `hookc_fuzz::sessions`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| hookc_fuzz::sessions(bytes));
