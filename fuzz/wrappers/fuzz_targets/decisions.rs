//! See `hookc_fuzz::decisions`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| hookc_fuzz::decisions(bytes));
