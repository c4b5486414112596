//! See `hookc_fuzz::repository`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| hookc_fuzz::repository(bytes));
