//! See `hookc_fuzz::store`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| hookc_fuzz::store(bytes));
