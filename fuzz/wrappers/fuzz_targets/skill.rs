//! See `hookc_fuzz::skill`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| hookc_fuzz::skill(bytes));
