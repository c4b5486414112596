//! See `hookc_fuzz::path`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| hookc_fuzz::path(bytes));
