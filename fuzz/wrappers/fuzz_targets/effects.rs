//! See `hookc_fuzz::effects`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| hookc_fuzz::effects(bytes));
