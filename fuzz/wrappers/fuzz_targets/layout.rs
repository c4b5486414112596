//! See `hookc_fuzz::layout`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| hookc_fuzz::layout(bytes));
