//! See `hookc_fuzz::settings`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| hookc_fuzz::settings(bytes));
